import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Property, property, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { jsonText } from '../../lib/packets/text.ts'
import { growthExponent } from '../growth/growth.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { codePoint } from '../support/code-point.ts'
import { hiddenCodePoints } from '../support/hidden-characters.ts'
import { buildV3, buildV3_1, buildV5, decodeOpaque, decodeV3, decodeV5 } from '../support/packets.ts'
import { fieldsOfR3, hex, R3, R5 } from '../support/reference.ts'

/** A client id in the text form. */
function idText(clientId: string): string {
  return `${buildV3({ clientId })}`.slice('v3_1_1::connect{cid:'.length, -',ka:0,cs:1}'.length)
}

/** A will message in the text form. */
function messageText(message: Uint8Array | string): string {
  return `${new Will({ topic: 't', message })}`.slice(
    '{topic:t,message:'.length,
    -',qos:at_most_once,retain:no}'.length,
  )
}

/** Properties in the text form. */
function propsText(props: readonly Property[]): string {
  return `${new Will({ topic: 't', message: 'm', props })}`.replace(/^.*,ps:/, '').slice(0, -1)
}

/** Parses a value of the text form: a JSON string, or everything up to the next comma or brace. */
function valueAt(text: string, start: number): { value: string; end: number } {
  const [json] = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(start)) ?? []
  if (json !== undefined) return { value: JSON.parse(json), end: start + json.length }
  const [raw] = /^[^,}]+/.exec(text.slice(start))!
  return { value: raw, end: start + raw.length }
}

describe('toString', () => {
  it('prints a 5.0 packet with will and properties exactly as async_mqtt does', () => {
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
    expect(`${packet}`).to.equal(text)
    expect(`${decodeV5(packet.bytes)}`).to.equal(text)
  })

  it('prints packets of all kinds', () => {
    const will = { topic: 'topic1', message: 'payload1', qos: 2, retain: false } as const
    const props = [property.serverKeepAlive(30)]
    for (const [packet, text] of [
      [
        buildV3({ keepAlive: 4660, clientId: 'cid1', will }),
        'v3_1_1::connect{cid:cid1,ka:4660,cs:1,will:{topic:topic1,message:payload1,qos:exactly_once,retain:no}}',
      ],
      [
        new v3_1_1.ConnectPacket(fieldsOfR3),
        'v3_1_1::connect{cid:sensor-0042,ka:60,cs:1,un:device,pw:*****}',
      ],
      [buildV3_1({ cleanSession: false, bridge: true }), 'v3_1::connect{cid:c,ka:0,cs:0,br:1}'],
      [
        new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: 0 }),
        'v3_1_1::connack{rc:accepted,sp:0}',
      ],
      [
        new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: 4 }),
        'v3_1_1::connack{rc:bad_user_name_or_password,sp:0}',
      ],
      [
        new v5.ConnackPacket({ sessionPresent: true, reasonCode: 0, props }),
        'v5::connack{rc:success,sp:1,ps:[{id:server_keep_alive,val:30}]}',
      ],
      [
        new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0x9c }),
        'v5::connack{rc:use_another_server,sp:0}',
      ],
      [decodeOpaque(hex('c000')), 'pingreq{flags:0,size:2}'],
      [decodeOpaque(hex('32050001740102')), 'publish{flags:2,pid:258,size:7}'],
    ] as const) {
      expect(`${packet}`).to.equal(text)
    }
  })

  it('leaves out absent parts and empty property lists, but not empty fields', () => {
    expect(`${buildV5({ props: [] })}`).to.equal('v5::connect{cid:c,ka:0,cs:1}')
    const will = { topic: 't', message: '' }
    expect(`${buildV5({ clientId: '', userName: '', password: '', will })}`).to.equal(
      'v5::connect{cid:"",ka:0,cs:1,un:"",pw:*****,will:{topic:t,message:"",qos:at_most_once,retain:no}}',
    )
  })

  it('prints each property under its name', () => {
    expect(
      propsText([
        property.willDelayInterval(1),
        property.payloadFormatIndicator(0),
        property.messageExpiryInterval(4294967295),
        property.contentType('c'),
        property.responseTopic('r/t'),
        property.correlationData(Buffer.from('a/\x01')),
        property.userProperty('k', 'v,'),
      ]),
    ).to.equal(
      '[{id:will_delay_interval,val:1},{id:payload_format_indicator,val:binary},' +
        '{id:message_expiry_interval,val:4294967295},{id:content_type,val:c},{id:response_topic,val:r/t},' +
        '{id:correlation_data,val:"a/\\u0001"},{id:user_property,key:k,val:"v,"}]',
    )
    expect(
      `${new Will({ topic: 't', message: '', props: [property.payloadFormatIndicator(7)] })}`,
    ).to.include('{id:payload_format_indicator,val:7}')
    expect(propsText([property.payloadFormatIndicator(1)])).to.equal(
      '[{id:payload_format_indicator,val:string}]',
    )
  })
})

describe('a string in the text form', () => {
  const unquoted = [
    'sensor-0042',
    'a b',
    'user@host.example',
    "_-./@$+#%=~!*&?;'()",
    'gäste',
    '日本語',
    'Ελλάδα',
    '٣٤',
    '0',
    ' ',
  ]
  for (const text of unquoted) {
    it(`is printed as it is: ${text}`, () => expect(idText(text)).to.equal(text))
  }

  const quoted: [string, string][] = [
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    ['a\\nb', '"a\\\\nb"'],
    ['x,ka:60,cs:1,un:admin,pw:*****}', '"x,ka:60,cs:1,un:admin,pw:*****}"'],
    ['"', '"\\""'],
    ['a"b', '"a\\"b"'],
    ['a:b', '"a:b"'],
    ['{', '"{"'],
    ['[', '"["'],
    ['é😀', '"é😀"'],
    ['\b\f\r\t\v', '"\\b\\f\\r\\t\\u000b"'],
    ['\x1b[2J', '"\\u001b[2J"'],
    ['*****…(300 characters)', '"*****…(300 characters)"'],
  ]
  for (const [text, printed] of quoted) {
    it(`is printed as JSON: ${printed}`, () => expect(idText(text)).to.equal(printed))
  }

  it('has invisible characters escaped, and those that a terminal acts on', () => {
    for (const code of hiddenCodePoints) {
      const character = String.fromCodePoint(code)
      const escaped = /\\(u[0-9a-f]{4}|[bfnrt])/
      for (const printed of [idText(`a${character}b`), jsonText({ id: character })]) {
        expect(printed, code.toString(16)).to.match(escaped).and.not.to.include(character)
      }
      expect(JSON.parse(idText(character))).to.equal(character)
      expect(JSON.parse(jsonText([character]))).to.deep.equal([character])
    }
  })

  it('can be parsed: no two values look the same, and none forges a field or a line', () => {
    const pieces = fc.constantFrom(
      ...unquoted,
      ...quoted.map(([text]) => text),
      '\u2028',
      '\u202e',
      ',',
      '}',
      '\\',
      '\\u0041',
    )
    const text = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 20 }).map((any) => any.replaceAll('\0', '0')),
      fc.array(pieces, { maxLength: 4 }).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(text, text, (clientId, userName) => {
        const printed = `${buildV3({ clientId, userName })}`
        expect(printed).to.match(/^[^\p{Cc}\u2028-\u202e]*$/u)
        const id = valueAt(printed, 'v3_1_1::connect{cid:'.length)
        expect(id.value).to.equal(clientId)
        const name = valueAt(printed, id.end + ',ka:0,cs:1,un:'.length)
        expect(name.value).to.equal(userName)
        expect(printed.slice(id.end, id.end + 14) + printed.slice(name.end)).to.equal(',ka:0,cs:1,un:}')
      }),
      { ...runs, numRuns: usual(2000) },
    )
  })
})

describe('binary data in the text form', () => {
  for (const [bytes, text] of [
    ['offline', 'offline'],
    ['', '""'],
    ['a\\b"', '"a\\\\b\\""'],
    ['a/b', 'a/b'],
    ['a,b', '"a,b"'],
    ['\b\f\n\r\t\v\0\x7f', '"\\b\\f\\n\\r\\t\\u000b\\u0000\\u007f"'],
    ['é', '"\\u00c3\\u00a9"'],
    [Buffer.from([0x80, 0xff]), '"\\u0080\\u00ff"'],
    [Buffer.from([0xb5]), '"\\u00b5"'],
  ] as const) {
    it(`is printed byte by byte: ${text}`, () => expect(messageText(bytes)).to.equal(text))
  }

  it('can be read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const { value } = valueAt(messageText(bytes), 0)
        expect(Buffer.from(value, 'latin1')).to.deep.equal(Buffer.from(bytes))
        expect(messageText(bytes)).to.match(/^[ -~]+$/)
      }),
      runs,
    )
  })
})

describe('the length of the text form', () => {
  it('is bounded: a string is cut after 256 characters, and its length is stated', () => {
    expect(idText('x'.repeat(256))).to.equal('x'.repeat(256))
    expect(idText('x'.repeat(257))).to.equal(`${'x'.repeat(256)}…(257 characters)`)
    expect(idText('😀'.repeat(256))).to.equal(`"${'😀'.repeat(256)}"`)
    expect(idText('😀'.repeat(300))).to.equal(`"${'😀'.repeat(256)}"…(300 characters)`)
    expect(idText(`x${'😀'.repeat(300)}`)).to.equal(`"x${'😀'.repeat(255)}"…(301 characters)`)
    expect(idText(`${'x'.repeat(256)},`)).to.equal(`${'x'.repeat(256)}…(257 characters)`)
    expect(idText('\n'.repeat(65_535))).to.equal(`"${'\\n'.repeat(256)}"…(65535 characters)`)
  })

  it('is bounded: binary data is cut after 256 bytes, and its length is stated', () => {
    expect(messageText('x'.repeat(256))).to.equal('x'.repeat(256))
    expect(messageText('x'.repeat(257))).to.equal(`${'x'.repeat(256)}…(257 bytes)`)
    expect(messageText(Buffer.alloc(65_535, 0xff))).to.equal(`"${'\\u00ff'.repeat(256)}"…(65535 bytes)`)
  })

  it('is bounded: a list is cut after 100 entries, and the number of further ones is stated', () => {
    const pairs = (count: number) => Array.from({ length: count }, () => property.userProperty('k', 'v'))
    const entry = '{id:user_property,key:k,val:v}'
    for (const text of [
      (count: number) => propsText(pairs(count)),
      (count: number) => `${buildV5({ props: pairs(count) })}`.replace(/^.*,ps:/, '').slice(0, -1),
      (count: number) =>
        `${decodeV5(buildV5({ will: { topic: 't', message: 'm', props: pairs(count) } }).bytes)}`
          .replace(/^.*,ps:/, '')
          .slice(0, -2),
    ]) {
      expect(text(100)).to.equal(`[${Array(100).fill(entry).join(',')}]`)
      expect(text(101)).to.equal(`[${Array(100).fill(entry).join(',')},…(1 more)]`)
      expect(text(13_000)).to.equal(`[${Array(100).fill(entry).join(',')},…(12900 more)]`)
    }
  })

  it('does not grow with the packet, and the time for it grows at most linearly', () => {
    const sizes: readonly [number, number] = [16_000, 512_000]
    for (const many of [
      (size: number) => ({ props: Array.from({ length: size / 8 }, () => property.userProperty('k', '\n')) }),
      (size: number) => ({
        clientId: '\x80'.repeat(Math.min(size / 2, 30_000)),
        will: { topic: '\n'.repeat(size / 8), message: Buffer.alloc(size / 8, 0xff) },
      }),
    ]) {
      const packets = new Map(sizes.map((size) => [size, buildV5(many(size))]))
      const lengths = Array.from(packets.values(), (packet) => `${packet}`.length)
      expect(Math.max(...lengths)).to.be.below(8_000)
      const exponent = growthExponent(
        (size) => {
          for (let i = 0; i < 20; i++) packets.get(size)!.toString()
        },
        sizes,
        1.5,
      )
      expect(exponent).to.be.below(1.5)
    }
  })

  it('stays bounded for a packet of 26 MB', () => {
    const pair = property.userProperty('\x01'.repeat(65_535), '\x01'.repeat(65_535))
    const packet = buildV5({ props: Array(200).fill(pair) })
    expect(packet.size).to.be.above(26_000_000)
    expect(`${packet}`).to.have.length.below(400_000)
    expect(`${packet}`).to.match(/\(65535 characters\)\},…\(100 more\)\]\}$/)
  })
})

describe('toJSON', () => {
  it('gives the fields under their names, and each property with its name', () => {
    expect(JSON.parse(JSON.stringify(decodeV3(hex(R3))))).to.deep.equal({
      protocolVersion: 4,
      cleanSession: true,
      keepAlive: 60,
      clientId: 'sensor-0042',
      userName: 'device',
      hasPassword: true,
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
          { id: 24, name: 'willDelayInterval', value: 30 },
          { id: 3, name: 'contentType', value: 'text/plain' },
        ],
      },
      userName: 'device',
      hasPassword: true,
      props: [
        { id: 17, name: 'sessionExpiryInterval', value: 3600 },
        { id: 33, name: 'receiveMaximum', value: 100 },
        { id: 38, name: 'userProperty', key: 'region', value: 'eu-west-1' },
        { id: 38, name: 'userProperty', key: 'fw', value: '1.2.3' },
      ],
    })
    expect(buildV3({ bridge: true }).toJSON()).to.have.property('bridge', true)
    expect(new v5.ConnackPacket({ sessionPresent: true, reasonCode: 0 }).toJSON()).to.deep.equal({
      protocolVersion: 5,
      sessionPresent: true,
      reasonCode: 0,
      props: [],
    })
  })

  it('leaves out absent fields, not empty ones', () => {
    expect(buildV5({ clientId: '', userName: '' }).toJSON()).to.have.all.keys(
      ...['protocolVersion', 'cleanStart', 'keepAlive', 'clientId', 'userName', 'props'],
    )
    expect(buildV3().toJSON()).to.have.all.keys('protocolVersion', 'cleanSession', 'keepAlive', 'clientId')
  })

  it('gives binary data as a string if it is UTF-8, otherwise in base64', () => {
    const props = [property.correlationData(Buffer.from([0xff, 0xfe]))]
    expect(new Will({ topic: 't', message: Buffer.from([0x80]), props }).toJSON()).to.deep.equal({
      topic: 't',
      message: { base64: 'gA==' },
      qos: 0,
      retain: false,
      props: [{ id: 9, name: 'correlationData', value: { base64: '//4=' } }],
    })
  })

  it('is complete, however long the packet is', () => {
    const props = Array.from({ length: 3000 }, (_, i) => property.userProperty(`${i}`, 'v'.repeat(300)))
    const json = JSON.parse(JSON.stringify(buildV5({ clientId: 'x'.repeat(65_535), props })))
    expect(json.clientId).to.have.length(65_535)
    expect(json.props).to.have.length(3000)
    expect(json.props.at(-1)).to.deep.equal({
      id: 38,
      name: 'userProperty',
      key: '2999',
      value: 'v'.repeat(300),
    })
  })
})

describe('util.inspect', () => {
  it('names the class with its version and shows the fields', () => {
    const shown = [buildV3(), new v5.ConnackPacket({ sessionPresent: true, reasonCode: 0 })].map((one) =>
      inspect(one),
    )
    expect(shown).to.deep.equal([
      "v3_1_1.ConnectPacket { cleanSession: true, keepAlive: 0, clientId: 'c' }",
      'v5.ConnackPacket { sessionPresent: true, reasonCode: 0, props: [] }',
    ])
    expect(inspect(new Will({ topic: 't', message: 'm' }))).to.equal(
      "Will { topic: 't', message: 'm', qos: 0, retain: false, props: [] }",
    )
  })

  it('escapes invisible characters, and those that a terminal acts on', () => {
    const acted = String.fromCodePoint(...hiddenCodePoints)
    const packet = buildV5({ clientId: acted, will: { topic: acted, message: acted } })
    for (const shown of [inspect(packet), inspect(packet.will), inspect({ packet })]) {
      for (const character of acted) if (character !== '\n') expect(shown).not.to.include(character)
      expect(shown).to.include('\\u2028\\u2029')
    }
  })
})
