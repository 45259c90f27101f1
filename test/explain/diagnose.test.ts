import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { connackDiagnoses, returnCodeReasons } from '../../lib/errors/connack-diagnoses.ts'
import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import type { Diagnosis } from '../../lib/errors/diagnosis.ts'
import { foreignDiagnoses } from '../../lib/errors/foreign-diagnoses.ts'
import { diagnose, explain } from '../../lib/explain/index.ts'
import {
  type ConnackPacket,
  ConnectReasonCode,
  ConnectReturnCode,
  decode,
  MqttError,
  PacketParser,
  ProtocolVersion,
  property,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { readConnack, readConnect } from '../../lib/streams/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { connect3, faultExamples, framed, MARKER } from '../support/faults.ts'
import { buildV3, buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, thrown } from '../support/thrown.ts'

const all: readonly (readonly [string, Diagnosis])[] = [
  ...Object.entries(errorDiagnoses),
  ...Object.entries(connackDiagnoses).map(([name, one]) => [`CONNACK ${name}`, one] as const),
  ...Object.entries(foreignDiagnoses),
]

function errorOf(bytes: Uint8Array, protocolVersion: ProtocolVersion = 0): MqttError {
  try {
    decode(bytes, { protocolVersion })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
  throw new Error('it is valid')
}

describe('the texts of diagnose', () => {
  for (const [name, { headline, cause, fixes }] of all) {
    it(`are whole sentences, with something to do: ${name}`, () => {
      for (const text of [headline, cause, ...fixes]) {
        expect(text).to.match(/^[A-Z][\s\S]{10,}[.]$/)
        // Most readers don't know the library's options and functions.
        expect(text).not.to.match(/`|protocolVersion|looksLike|\ballow\b|PacketDecoder|decode\(/)
      }
      if (name !== 'CONNACK success') expect(fixes).not.to.have.length(0)
    })
  }

  it('have different headlines, except for the two forms of the PROXY protocol', () => {
    const headlines = all.map(([, { headline }]) => headline)
    expect(new Set(headlines).size).to.equal(headlines.length - 1)
  })
})

describe('diagnose', () => {
  it('explains the code of an error', () => {
    for (const { code, bytes, version } of faultExamples) {
      const error = errorOf(bytes, bytes[0] === 0xf0 ? version : 0)
      if (code === 'protocol-name') continue
      expect(diagnose(error), code).to.deep.equal(errorDiagnoses[code])
    }
  })

  it('says of bytes what explain finds: TLS, HTTP, a PROXY header', () => {
    for (const [bytes, headline] of [
      ['\x16\x03\x01\x02\x00\x01', 'This is TLS. Connect to port 8883, or turn TLS off in the client.'],
      ['GET / HTTP/1.1\r\n', /^This is HTTP/],
      ['POST /a HTTP/1.1\r\n', /^This is HTTP/],
      ['PUT /a HTTP/1.1\r\n', /^This is HTTP/],
      ['PROXY TCP4 1.2.3.4 1.2.3.4 5 6\r\n', /^This is a PROXY protocol header/],
      ['\r\n\r\n\0\r\nQUIT\n', /^This is a PROXY protocol header/],
      ['\x15\x03\x03\x00\x02\x02\x28', /^This is a TLS alert/],
      ['HTTP/1.1 400 Bad Request\r\n', /^This is the answer of a web server/],
      ['SSH-2.0-OpenSSH_9\r\n', /^This is SSH/],
      ['AMQP\x00\x00\x09\x01', /^This is AMQP/],
      ['\xd4\xc3\xb2\xa1\x02\0\x04\0', /^This is a capture file/],
    ] as const) {
      // With `PR`, `PO` and `PU`, 90 bytes are a PUBREC and more.
      for (const rest of ['', 'x'.repeat(90)]) {
        const { headline: found } = diagnose(Buffer.from(bytes + rest, 'latin1'))
        if (typeof headline === 'string') expect(found).to.equal(headline)
        else expect(found).to.match(headline)
      }
    }
  })

  it('recognises the frame of a WebSocket client, but no SUBSCRIBE that looks a little like one', () => {
    const mask = hex('a1b2c3d4')
    const masked = hex(R3).map((byte, i) => byte ^ mask[i % 4]!)
    expect(
      diagnose(Buffer.concat([Buffer.from([0x82, 0x80 | masked.length]), mask, masked])).headline,
    ).to.match(/WebSocket/)
    // The length of the second one's first filter is 17, where a masked frame might have the first byte of a CONNECT.
    for (const filters of [[200], [17, 150]]) {
      const body = filters.map((size) => `00${size.toString(16)}${'61'.repeat(size)}00`).join('')
      const subscribe = framed(0x82, `0001${body}`)
      for (let size = 10; size < subscribe.length; size++)
        expect(diagnose(subscribe.subarray(0, size)).headline).to.equal('The packet is not complete.')
    }
  })

  for (const [name, code] of Object.entries(ConnectReturnCode)) {
    it(`says of return code ${code} in MQTT 3.1 and 3.1.1 what its reason code means in 5.0`, () => {
      const reason = returnCodeReasons[name as keyof typeof returnCodeReasons]
      for (const packet of [
        new v3_1.ConnackPacket({ sessionPresent: false, returnCode: code }),
        new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: code }),
      ]) {
        expect(diagnose(packet)).to.equal(connackDiagnoses[reason])
        expect(diagnose(packet.bytes)).to.equal(connackDiagnoses[reason])
        if (code > 0) expect(connackDiagnoses[reason].cause).to.include(`return code ${code}`)
      }
    })
  }

  it('says what each reason code of 5.0 means', () => {
    for (const [name, reasonCode] of Object.entries(ConnectReasonCode)) {
      const packet: ConnackPacket = new v5.ConnackPacket({ sessionPresent: false, reasonCode })
      expect(diagnose(packet)).to.equal(connackDiagnoses[name as keyof typeof connackDiagnoses])
      expect(diagnose(packet.bytes)).to.equal(diagnose(packet))
    }
  })

  it('finds the bad news among several packets: an invalid one, or a refusal', () => {
    const subscribe = '820800010003612f6200'
    expect(diagnose(hex(`${R3}20020005`)).headline).to.match(/not authorized/)
    expect(diagnose(hex(`${R3}20020000${subscribe}`)).headline).to.match(/accepts the client/)
    expect(diagnose(hex(`${R3}${subscribe}`)).headline).to.equal(
      'These are 2 packets: MQTT 3.1.1 CONNECT, SUBSCRIBE.',
    )
    const many = `${R3}20020000${'c000'.repeat(1_500)}`
    expect(diagnose(hex(`${many}3600`)).headline).to.equal('A PUBLISH has QoS 3, which does not exist.')
    expect(diagnose(hex(`c000${many.slice(R3.length + 8)}`)).headline).to.equal(
      'These are more than 1,000 packets: PINGREQ, PINGREQ, PINGREQ and others.',
    )
    // Captured streams are often cut short.
    expect(diagnose(hex('20020005100c')).headline).to.match(/not authorized/)
    expect(diagnose(hex('20020000100c')).headline).to.equal('The packet is not complete.')
    expect(diagnose(hex(`${R3}3600`)).headline).to.equal('A PUBLISH has QoS 3, which does not exist.')
  })

  it('calls valid only what is decoded', () => {
    expect(diagnose(hex(R5)).headline).to.equal('This is a valid MQTT 5.0 CONNECT.')
    expect(diagnose(hex('a2050001000161')).headline).to.equal('This is an UNSUBSCRIBE.')
    expect(diagnose(hex('300500016168 69')).cause).not.to.match(/valid|Nothing is wrong/)
    // Before MQTT 5.0, the Remaining Length may have any form.
    for (const [bytes, headline] of [
      ['c08000', 'This is a PINGREQ.'],
      ['30820000ee', 'This is a PUBLISH.'],
    ] as const) {
      expect(explain(hex(bytes)).error).to.equal(undefined)
      expect(`${explain(hex(bytes)).packet}`).to.equal(`${decode(hex(bytes))}`)
      expect(diagnose(hex(bytes)).headline).to.equal(headline)
    }
  })

  it('finds a Remaining Length that is too small or too large, whatever follows', () => {
    const { bytes } = buildV3({ clientId: 'sensor-1', userName: 'u', password: 'p0' })
    const subscribe = hex('82080001000361 2f6200')
    const withLength = (change: number): Buffer => {
      const copy = Buffer.from(bytes)
      copy[1]! += change
      return copy
    }
    for (const change of [-1, -2, -3, -5]) {
      expect(diagnose(withLength(change)).headline).to.equal('The Remaining Length is too small.')
      expect(diagnose(Buffer.concat([withLength(change), subscribe])).headline).to.equal(
        'The Remaining Length is too small.',
      )
    }
    for (const change of [1, 2, 5]) {
      expect(diagnose(withLength(change)).headline).to.equal('The Remaining Length is too large.')
    }
    // A truncated field isn't this mistake, and neither is a field without its flag.
    expect(diagnose(bytes.subarray(0, -1)).headline).to.equal('The packet is not complete.')
    expect(diagnose(connect3('02', '0001 63 0001 75')).headline).to.equal(
      errorDiagnoses['bytes-left-over'].headline,
    )
  })

  it('knows a Remaining Length of one byte where it needs two, as in forums', () => {
    const { bytes } = buildV3({ clientId: 'sensor-1', userName: 'u'.repeat(46), password: 'p'.repeat(64) })
    const wrong = Buffer.concat([Buffer.from([0x10, bytes.length - 3]), bytes.subarray(3)])
    const { headline } = diagnose(wrong)
    expect(headline).to.equal('The Remaining Length is written in one byte, but needs two.')
    expect(diagnose(Buffer.concat([wrong, hex('1a0d0a')])).headline).to.equal(headline)
    expect(diagnose(bytes).headline).to.equal('This is a valid MQTT 3.1.1 CONNECT.')
  })

  it('mentions that an accepting CONNACK has a length longer than necessary', () => {
    expect(diagnose(hex('2082000000')).headline).to.match(/writes the length of its answer in an unusual way/)
    expect(diagnose(hex('2082000005')).headline).to.match(/not authorized/)
    expect(diagnose(hex('20020000')).headline).to.equal('The server accepts the client.')
    const props = [property.reasonString('r'.repeat(200))]
    const long = new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props })
    expect(diagnose(long.bytes).headline).to.equal('The server accepts the client.')
  })

  it('mentions a keep alive whose bytes may be swapped, and strlen', () => {
    const said = (keepAlive: number) => diagnose(buildV3({ keepAlive }).bytes).fixes.join()
    for (const keepAlive of [0x3c00, 0x0500, 0x0f00]) expect(said(keepAlive)).to.match(/two bytes swapped/)
    for (const keepAlive of [0, 60, 256, 0x0400, 3600, 65_535])
      expect(said(keepAlive)).not.to.match(/swapped/)
    expect(said(60)).to.match(/strlen/)
  })

  it('reads an AUTH in the only version that has it', () => {
    for (const bytes of ['f000', 'f00118', 'f00c190a150005534352414d0d63']) {
      expect(explain(hex(bytes)).rows[0]!.value, bytes).to.match(/AUTH/)
      expect(diagnose(hex(bytes)), bytes).to.deep.equal(diagnose(hex(bytes), { protocolVersion: 5 }))
    }
  })

  it('says that a CONNACK is one of another version', () => {
    const { headline, fixes } = diagnose(hex('20020000'), { protocolVersion: ProtocolVersion.v5 })
    expect(headline).to.equal('This CONNACK is in MQTT 3.1.1, not in MQTT 5.0.')
    expect(fixes[0]).to.equal('In the client, choose MQTT 3.1.1.')
    // A CONNACK in the wrong place isn't wrong in itself.
    for (const [options, ...packets] of [
      [{ from: 'server', protocolVersion: ProtocolVersion.v3_1 }, '20020000', '20020000'],
      [{ from: 'server', protocolVersion: ProtocolVersion.v5 }, '2003000000', '20020000'],
      [{ protocolVersion: ProtocolVersion.v5 }, '20020000'],
    ] as const) {
      const error = thrown(() => [...new PacketParser(options).push(hex(packets.join('')))]) as MqttError
      expect(diagnose(error)).to.equal(errorDiagnoses[error.code])
    }
  })

  it('recognises other protocols in the error of a stream too', async () => {
    for (const text of [
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      '\x15\x03\x03\0\x02\x02\x28',
      'SSH-2.0-x\r\n',
      'AMQP\0\0\x09\x01',
    ]) {
      const bytes = Buffer.from(text, 'latin1')
      const error = await readConnack(Readable.from([bytes]), ProtocolVersion.v5).catch((one) => one)
      expect(diagnose(error), text).to.deep.equal(diagnose(bytes))
    }
  })

  it('says the same of an error however the bytes were split', () => {
    for (const text of ['HTTP/1.1 400 Bad', '\x15\x03\x03\0\x02', 'SSH-2.0-x\r\n', 'AMQP\0\0\x09\x01']) {
      const bytes = Buffer.from(text, 'latin1')
      for (const options of [{}, { from: 'server', protocolVersion: ProtocolVersion.v3_1_1 }] as const) {
        const parser = new PacketParser(options)
        const error = thrown(() => {
          for (const byte of bytes) for (const _ of parser.push(Uint8Array.of(byte)));
        }) as MqttError
        expect(diagnose(error), text).to.deep.equal(diagnose(bytes))
      }
    }
  })

  it('knows that other protocols have methods of HTTP too', async () => {
    for (const [text, isHttp] of [
      ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', true],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', true],
      ['GET ', true],
      ['GET /mqtt', true],
      ['GET /mqtt HT', true],
      [`GET /${'a'.repeat(9000)} HTTP/1.1\r\n`, true],
      ['OPTIONS sip:nm SIP/2.0\r\nVia: x\r\n\r\n', false],
      ['OPTIONS / RTSP/1.0\r\n\r\n', false],
      ['OPTIONS / RT', false],
      ['CONNECT {"verbose":false}\r\n', false],
      ['GET key\r\n', false],
    ] as const) {
      const bytes = Buffer.from(text)
      expect(diagnose(bytes), text).to.equal(foreignDiagnoses[isHttp ? 'http' : 'otherText'])
      const error = await readConnect(Readable.from([bytes])).catch((one) => one)
      expect(diagnose(error), text).to.deep.equal(diagnose(bytes))
    }
  })

  it('says so of the error of readConnack too', async () => {
    for (const bytes of ['20020000', '20020001', '20020005']) {
      const error = await readConnack(Readable.from([hex(bytes)]), ProtocolVersion.v5).catch((one) => one)
      expect(diagnose(error).headline, bytes).to.equal('This CONNACK is in MQTT 3.1.1, not in MQTT 5.0.')
    }
    const error = await readConnack(Readable.from([hex('2003008700')]), ProtocolVersion.v3_1_1).catch(
      (one) => one,
    )
    expect(diagnose(error).headline).to.equal('This CONNACK is in MQTT 5.0, not in MQTT 3.1.1.')
    const invalid = await readConnack(Readable.from([hex('2003000700')]), ProtocolVersion.v5).catch(
      (one) => one,
    )
    expect(diagnose(invalid).headline).not.to.match(/not in MQTT/)
  })

  it('quotes nothing of a packet but its protocol name, and that escaped', () => {
    for (const { bytes } of faultExamples) expect(JSON.stringify(diagnose(bytes))).not.to.include(MARKER)
    const odd = framed(0x10, '0006 4d 0a 1b 5b 22 54 04 02 003c 0000')
    expect(diagnose(odd).headline).to.equal('The protocol name is "M\\n\\u001b[\\"T", not "MQTT".')
    for (const { bytes } of [buildV5({ clientId: MARKER }), buildV3({ clientId: MARKER })]) {
      expect(JSON.stringify(diagnose(bytes))).not.to.include(MARKER)
    }
  })

  it('knows what a sender adds to a packet, which is no other protocol', () => {
    const connect = buildV3({ clientId: 'a' }).bytes
    const headlineAfter = (rest: string): string => diagnose(Buffer.concat([connect, hex(rest)])).headline
    for (const end of ['0d0a', '0a', '0d0a0d0a']) {
      expect(headlineAfter(end)).to.equal('The sender adds a line break to the packet.')
    }
    expect(headlineAfter('1a')).to.equal('The sender adds Ctrl-Z (1a) to the packet.')
    expect(headlineAfter('1a0d0a')).to.equal('The sender adds Ctrl-Z (1a) to the packet.')
    expect(headlineAfter('00')).to.equal('The sender adds a zero byte to the packet.')
    expect(headlineAfter('0d0ac000')).to.equal('No MQTT packet begins with this byte.')
    expect(`${explain(Buffer.concat([connect, hex('0d0a')]))}`).not.to.include('PROXY')
    expect(diagnose(hex('0d0a0d0a000d0a515549540a')).headline).to.match(/^This is a PROXY protocol header/)
  })

  it('says that MQTT 3.1 ignores flags of a will that is not there, and that servers may not', () => {
    const strays = (flags: string): string =>
      diagnose(hex(`100f00064d514973647003${flags}003c000161`), { allow: ['protocol-mqtt-3-1'] }).fixes.join()
    for (const flags of ['0a', '12', '22']) expect(strays(flags), flags).to.include('there is no will')
    expect(strays('02')).not.to.include('there is no will')
  })

  it('knows that fields are missing, but says which one only if the packet ends before the first', () => {
    const of = (bytes: string): string => diagnose(hex(bytes)).headline
    const none = 'The packet ends too early. Missing: client identifier.'
    expect(of('100a00044d5154540402003c')).to.equal(none)
    expect(of('100a00044d51545404c2003c')).to.equal(
      'The packet ends too early. Missing: client identifier, user name, password.',
    )
    expect(of('100d00044d5154540482003c000161')).to.equal(
      'The packet ends too early. Missing: 1 of client identifier, user name.',
    )
    expect(of('101000044d51545404c2003c000161000162')).to.equal(
      'The packet ends too early. Missing: 1 of client identifier, user name, password.',
    )
    expect(of('100d00044d5154540406003c000161')).to.equal(
      'The packet ends too early. Missing: 2 of client identifier, will topic, will message.',
    )
    expect(of('101000044d5154540406003c000161000162')).to.equal(
      'The packet ends too early. Missing: 1 of client identifier, will topic, will message.',
    )
    expect(of('101100044d51545405c2003c00000161000162')).to.equal(
      'The packet ends too early. Missing: 1 of client identifier, user name, password.',
    )
    expect(of('100e00044d5154540482003c00016100')).to.match(/^A field continues/)
  })

  it('says the same whichever field is missing, because the others take its place', () => {
    const contents = ['dev1', 'a/b', 'off', 'user', 'secret'].map((text) =>
      Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]).toString('hex'),
    )
    for (const left of contents) {
      const rest = contents.filter((one) => one !== left).join('')
      expect(diagnose(framed(0x10, `0004 4d515454 04 c6 003c ${rest}`)).headline).to.equal(
        'The packet ends too early. Missing: 1 of client identifier, will topic, will message, user name, password.',
      )
    }
  })

  it('knows lengths whose bytes are in the wrong order', () => {
    for (const bytes of ['100e04004d5154540402003c02006162', '101006004d514973647003023c0002006162']) {
      expect(diagnose(hex(bytes)).headline).to.match(/^The length of the protocol name has its two bytes/)
    }
    expect(diagnose(hex('100e05004d5154540402003c02006162')).headline).not.to.match(/wrong order/)
  })

  it('has something to say about any bytes, and never throws because of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const { headline, cause, fixes } = diagnose(bytes)
        expect(headline).to.match(/\.$/)
        expect(cause).to.match(/\.$/)
        if (explain(bytes).error) expect(fixes).not.to.have.length(0)
      }),
      { ...runs, numRuns: usual(1000) },
    )
    expect(diagnose(new Uint8Array(0)).headline).to.equal('The connection ended before any byte arrived.')
  })

  it('refuses everything else', () => {
    for (const wrong of [undefined, null, 5, '20020005', {}, new Error('x'), decode(hex(R3))]) {
      expectMisuse(() => diagnose(wrong as never), 'ERR_INVALID_ARG_TYPE', 'subject')
    }
    const error = errorOf(hex(R3).subarray(1))
    for (const subject of [hex(R3), error, decode(hex('20020005'), { protocolVersion: 4 })]) {
      const withOptions = (options: object) => () => diagnose(subject as never, options)
      expectMisuse(withOptions({ protocolVersion: 6 }), 'ERR_INVALID_ARG_VALUE', 'protocolVersion')
      expect(thrown(withOptions({ bogus: 1 })), 'an unknown option').to.include({
        code: 'ERR_INVALID_ARG_VALUE',
      })
    }
  })
})
