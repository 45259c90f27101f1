import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { type Property, property, type QoS, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { buildV3, buildV5, decodeOpaque, decodeV3, decodeV5 } from '../support/packets.ts'
import { fieldsOfR3, hex, R3, R5 } from '../support/reference.ts'

const SECRET = 'hunter2-SECRET'

/** A packet with a secret in each place that can hold one, and nothing else that looks like it. */
function withSecrets(): v5.ConnectPacket {
  return buildV5({
    userName: 'user',
    password: SECRET,
    props: [property.authenticationMethod('SCRAM-SHA-1'), property.authenticationData(SECRET)],
    will: { topic: 't', message: 'm' },
  })
}

function textOfMessage(message: Uint8Array | string): string {
  return `${buildV3({ will: { topic: 't', message } }).will}`
}

function textOfProps(...props: Property[]): string {
  return `${buildV5({ props })}`.replace(/^.*,ps:/, '')
}

function textOfWillProps(...props: Property[]): string {
  return `${new Will({ topic: 't', message: '', props })}`.replace(/^.*,ps:/, '')
}

describe('toString', () => {
  it('gives the exact text of a 5.0 packet with will and properties', () => {
    const packet = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 4660,
      clientId: 'cid1',
      userName: 'user1',
      password: 'pass1',
      will: {
        topic: 'topic1',
        message: 'payload1',
        qos: 1,
        retain: true,
        props: [property.willDelayInterval(268435455), property.contentType('json')],
      },
      props: [property.sessionExpiryInterval(268435455), property.userProperty('mykey', 'myval')],
    })
    const text =
      'v5::connect{cid:cid1,ka:4660,cs:1,un:user1,pw:*****,will:{topic:topic1,message:payload1,qos:at_least_once,retain:yes,ps:[{id:will_delay_interval,val:268435455},{id:content_type,val:json}]},ps:[{id:session_expiry_interval,val:268435455},{id:user_property,key:mykey,val:myval}]}'
    expect(packet.toString()).to.equal(text)
    expect(`${decodeV5(packet.bytes)}`).to.equal(text)
  })

  it('gives the exact text of a 3.1.1 packet with will', () => {
    const will = { topic: 'topic1', message: 'payload1', qos: 2, retain: false } as const
    expect(`${buildV3({ cleanSession: true, keepAlive: 4660, clientId: 'cid1', will })}`).to.equal(
      'v3_1_1::connect{cid:cid1,ka:4660,cs:1,will:{topic:topic1,message:payload1,qos:exactly_once,retain:no}}',
    )
    expect(`${new v3_1_1.ConnectPacket(fieldsOfR3)}`).to.equal(
      'v3_1_1::connect{cid:sensor-0042,ka:60,cs:1,un:device,pw:*****}',
    )
  })

  it('leaves out absent parts and empty property lists, but not empty fields', () => {
    expect(`${buildV3({ cleanSession: false })}`).to.equal('v3_1_1::connect{cid:c,ka:0,cs:0}')
    expect(`${buildV5({ props: [] })}`).to.equal('v5::connect{cid:c,ka:0,cs:1}')
    expect(
      `${buildV5({ clientId: '', userName: '', password: '', will: { topic: 't', message: '' } })}`,
    ).to.equal('v5::connect{cid:,ka:0,cs:1,un:,pw:*****,will:{topic:t,message:,qos:at_most_once,retain:no}}')
  })

  it('names each QoS', () => {
    const text = (qos: QoS) => `${new Will({ topic: 't', message: '', qos })}`
    expect([text(0), text(1), text(2)]).to.deep.equal([
      '{topic:t,message:,qos:at_most_once,retain:no}',
      '{topic:t,message:,qos:at_least_once,retain:no}',
      '{topic:t,message:,qos:exactly_once,retain:no}',
    ])
  })

  for (const [what, message, text] of [
    ['a backslash', '\\', '\\\\'],
    ['a quote', '"', '\\"'],
    ['a slash', '/', '\\/'],
    ['a backspace', '\b', '\\b'],
    ['a form feed', '\f', '\\f'],
    ['a line feed', '\n', '\\n'],
    ['a carriage return', '\r', '\\r'],
    ['a tab', '\t', '\\t'],
    ['U+0000', '\0', '\\u0000'],
    ['a vertical tab', '\v', '\\u000b'],
    ['an escape', '\x1b', '\\u001b'],
    ['a delete', '\x7f', '\\u007f'],
    ['a multi-byte character, byte by byte', 'é', '\\u00c3\\u00a9'],
    ['bytes that are no UTF-8', Buffer.from([0x80, 0xff]), '\\u0080\\u00ff'],
    [
      'printable ASCII as it is',
      ' !#$%&()*+,-.019:;<=>?@AZ[]^_`az{|}~',
      ' !#$%&()*+,-.019:;<=>?@AZ[]^_`az{|}~',
    ],
  ] as const) {
    it(`writes in a will message ${what}`, () => {
      expect(textOfMessage(message)).to.equal(`{topic:t,message:${text},qos:at_most_once,retain:no}`)
    })
  }

  it('escapes control characters in strings, so that they cannot forge a log line', () => {
    const forged = 'a\r\nb\tc\x1b[2J\x7f\u0085\u009f'
    const escaped = 'a\\r\\nb\\tc\\u001b[2J\\u007f\\u0085\\u009f'
    const packet = buildV5({
      clientId: forged,
      userName: forged,
      will: { topic: forged, message: '', props: [property.contentType(forged)] },
      props: [property.userProperty(forged, forged), property.authenticationMethod(forged)],
    })
    expect(`${packet}`).to.equal(
      `v5::connect{cid:${escaped},ka:0,cs:1,un:${escaped},` +
        `will:{topic:${escaped},message:,qos:at_most_once,retain:no,ps:[{id:content_type,val:${escaped}}]},` +
        `ps:[{id:user_property,key:${escaped},val:${escaped}},{id:authentication_method,val:${escaped}}]}`,
    )
  })

  it('leaves other characters of strings as they are', () => {
    const raw = 'a/b"c\\d é€😀 \uFEFF\u00a0'
    expect(`${buildV3({ clientId: raw })}`).to.equal(`v3_1_1::connect{cid:${raw},ka:0,cs:1}`)
  })

  it('writes each CONNECT property under its name', () => {
    expect(
      textOfProps(
        property.sessionExpiryInterval(0xffffffff),
        property.receiveMaximum(65535),
        property.maximumPacketSize(1),
        property.topicAliasMaximum(0),
        property.requestResponseInformation(1),
        property.requestProblemInformation(0),
        property.userProperty('k', 'v'),
        property.authenticationMethod('m'),
        property.authenticationData('d'),
      ),
    ).to.equal(
      '[{id:session_expiry_interval,val:4294967295},{id:receive_maximum,val:65535},' +
        '{id:maximum_packet_size,val:1},{id:topic_alias_maximum,val:0},' +
        '{id:request_response_information,val:1},{id:request_problem_information,val:0},' +
        '{id:user_property,key:k,val:v},{id:authentication_method,val:m},{id:authentication_data,val:*****}]}',
    )
  })

  it('writes each will property under its name, and the payload format as binary or string', () => {
    expect(
      textOfWillProps(
        property.willDelayInterval(1),
        property.payloadFormatIndicator(0),
        property.messageExpiryInterval(2),
        property.contentType('c'),
        property.responseTopic('r/t'),
        property.correlationData(Buffer.from('a/\x01')),
        property.userProperty('k', 'v'),
      ),
    ).to.equal(
      '[{id:will_delay_interval,val:1},{id:payload_format_indicator,val:binary},' +
        '{id:message_expiry_interval,val:2},{id:content_type,val:c},{id:response_topic,val:r/t},' +
        '{id:correlation_data,val:a\\/\\u0001},{id:user_property,key:k,val:v}]}',
    )
    expect(textOfWillProps(property.payloadFormatIndicator(1))).to.equal(
      '[{id:payload_format_indicator,val:string}]}',
    )
  })

  it('writes another packet as type, flags, packet id and size', () => {
    expect(`${decodeOpaque(hex('c000'))}`).to.equal('pingreq{flags:0,size:2}')
    expect(`${decodeOpaque(hex('32050001740102'))}`).to.equal('publish{flags:2,pid:258,size:7}')
  })
})

describe('toJSON', () => {
  it('gives the fields under their names', () => {
    expect(JSON.parse(JSON.stringify(decodeV3(hex(R3))))).to.deep.equal({
      protocolVersion: 4,
      cleanSession: true,
      keepAlive: 60,
      clientId: 'sensor-0042',
      userName: 'device',
      password: '*****',
    })
    expect(JSON.parse(JSON.stringify(decodeV5(hex(R5))))).to.deep.equal({
      protocolVersion: 5,
      cleanStart: true,
      keepAlive: 60,
      clientId: 'sensor-0042',
      will: {
        topic: 'devices/sensor-0042/status',
        message: 'offline',
        qos: 1,
        retain: true,
        props: [
          { id: 24, value: 30 },
          { id: 3, value: 'text/plain' },
        ],
      },
      userName: 'device',
      password: '*****',
      props: [
        { id: 17, value: 3600 },
        { id: 33, value: 100 },
        { id: 38, key: 'region', value: 'eu-west-1' },
        { id: 38, key: 'fw', value: '1.2.3' },
      ],
    })
  })

  it('leaves out absent fields, not empty ones', () => {
    expect(buildV5({ clientId: '', userName: '' }).toJSON()).to.have.all.keys(
      ...['protocolVersion', 'cleanStart', 'keepAlive', 'clientId', 'userName', 'props'],
    )
    expect(buildV3().toJSON()).to.have.all.keys('protocolVersion', 'cleanSession', 'keepAlive', 'clientId')
  })

  it('gives binary data as a string if it is UTF-8, else in base64', () => {
    const props = [property.correlationData(Buffer.from([0xff, 0xfe]))]
    const will = new Will({ topic: 't', message: Buffer.from([0x80]), props })
    expect(will.toJSON()).to.deep.equal({
      topic: 't',
      message: { base64: 'gA==' },
      qos: 0,
      retain: false,
      props: [{ id: 9, value: { base64: '//4=' } }],
    })
  })
})

describe('secrets', () => {
  const forms: [string, (value: unknown) => string][] = [
    ['toString', String],
    ['JSON.stringify', (value) => JSON.stringify(value)],
    ['util.inspect', (value) => inspect(value)],
    [
      'util.inspect with everything on',
      (value) => inspect(value, { depth: 99, showHidden: true, getters: true }),
    ],
    ['util.inspect inside something', (value) => inspect({ list: [value] }, { depth: 99 })],
  ]
  const encodings = [
    SECRET,
    Buffer.from(SECRET).toString('hex'),
    Buffer.from(SECRET).toString('base64').slice(0, 12),
    [...Buffer.from(SECRET)].slice(0, 5).join(', '),
    [...Buffer.from(SECRET)].slice(0, 5).join(','),
    inspect(Buffer.from(SECRET)).slice(8, 20),
  ]

  for (const [name, form] of forms) {
    it(`do not show in ${name}, neither the password nor the authentication data`, () => {
      for (const packet of [
        withSecrets(),
        decodeV5(withSecrets().bytes),
        buildV3({ userName: 'u', password: SECRET }),
      ]) {
        const text = form(packet)
        for (const encoded of encodings) expect(text).not.to.include(encoded)
        expect(text).to.include('*****')
      }
      expect(form(withSecrets())).to.include('SCRAM-SHA-1')
    })
  }

  it('do not tell by their text how long they are, or that they are empty', () => {
    const one = buildV3({ userName: 'u', password: '' })
    const other = buildV3({ userName: 'u', password: SECRET })
    expect(`${one}`).to.equal(`${other}`)
    expect(inspect(one)).to.equal(inspect(other))
    expect(JSON.stringify(one)).to.equal(JSON.stringify(other))
  })
})

describe('util.inspect', () => {
  it('names the class with its version and shows the fields', () => {
    expect(inspect(buildV3())).to.equal(
      "v3_1_1.ConnectPacket { cleanSession: true, keepAlive: 0, clientId: 'c' }",
    )
    expect(inspect(buildV5())).to.equal(
      "v5.ConnectPacket { cleanStart: true, keepAlive: 0, clientId: 'c', props: [] }",
    )
  })
})
