import { expect } from 'chai'
import fc from 'fast-check'
import {
  ConnectReasonCode,
  connack,
  MqttError,
  type OpaquePacket,
  PacketParser,
  type PacketParserOptions,
  ProtocolVersion,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { usual } from '../support/arbitraries.ts'
import {
  byteByByte,
  DISCONNECT,
  expectMisuse,
  framed,
  inTwo,
  MALFORMED,
  outcome,
  outcomes,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
} from './support.ts'

const connect3_1 = new v3_1.ConnectPacket({
  cleanSession: true,
  keepAlive: 9,
  clientId: 'old',
  userName: 'u',
})
const CONNACK5 = connack(ProtocolVersion.v5, ConnectReasonCode.success, { serverKeepAlive: 30 }).bytes
const CONNACK3 = connack(ProtocolVersion.v3_1_1, ConnectReasonCode.notAuthorized)!.bytes
/** With a reason code and an authentication method. */
const AUTH = Buffer.from('f00818061500036162' + '63', 'hex')
const EARLIER = { allow: ['protocol-mqtt-3-1'] } as const

/** Runs a parser on the chunks, and returns lines like those of `outcomes`. */
function parsed(chunks: Iterable<Uint8Array>, options?: PacketParserOptions): string[] {
  const lines: string[] = []
  const parser = new PacketParser({ connection: false, ...options })
  try {
    for (const chunk of chunks) for (const packet of parser.push(chunk)) lines.push(outcome(packet))
    parser.end()
  } catch (error) {
    expect(error).to.be.instanceof(MqttError)
    lines.push(`destroyed: ${outcome(error as MqttError)}`)
  }
  return lines
}

/** The bytes of a connection or of several CONNECT packets, and the number of packets before the end or the error. */
const sequences: readonly [name: string, count: number, bytes: Buffer[], options?: PacketParserOptions][] = [
  ['CONNECT packets of two versions', 3, [R3, R5, R3]],
  ['CONNECT packets of three versions', 3, [R5, connect3_1.bytes, R3], EARLIER],
  ['MQTT 3.1 that is not allowed', 1, [R3, connect3_1.bytes, R3]],
  ['one connection of 5.0', 5, [R5, AUTH, PUBLISH, CONNACK5, DISCONNECT], { connection: true }],
  ['one connection of 3.1.1', 4, [R3, PUBLISH, CONNACK3, PINGREQ], { connection: true }],
  ['one connection of 3.1', 3, [connect3_1.bytes, PUBLISH, CONNACK3], { ...EARLIER, connection: true }],
  ['AUTH in a connection of 3.1.1', 1, [R3, AUTH, PINGREQ], { connection: true }],
  ['a CONNACK of 5.0 in a connection of 3.1.1', 1, [R3, CONNACK5, PINGREQ], { connection: true }],
  ['a second CONNECT', 2, [R5, PINGREQ, R5, PINGREQ], { connection: true }],
  ['a malformed packet', 2, [R5, R3, MALFORMED, R3]],
  ['another packet', 1, [R3, PINGREQ, R3]],
  ['HTTP', 0, [Buffer.from('POST / HTTP/1.1\r\n\r\n')]],
  ['a PROXY header after a CONNECT', 1, [R3, Buffer.from('PROXY TCP4 192.0.2.1 ')]],
  ['a packet that is too large', 1, [R3, framed(R5.subarray(3), 4), R3], { maximumPacketSize: 100 }],
  ['a Remaining Length of five bytes', 1, [R3, Buffer.from('108080808001', 'hex')]],
  ['an end in a fixed header', 1, [R3, R5.subarray(0, 2)]],
  ['an end in a packet', 1, [R5, R3.subarray(0, 20)]],
  ['nothing', 0, []],
]

describe('PacketParser and PacketDecoder', () => {
  for (const [name, count, packets, options] of sequences) {
    const bytes = Buffer.concat(packets)

    it(`give the same, however the bytes are split: ${name}`, async () => {
      const expected = parsed([bytes], options)
      expect(expected.filter((line) => line.includes('Packet '))).to.have.length(count)
      expect(expected.length).to.be.within(count, count + 1)
      const splits = [[bytes], byteByByte(bytes), packets, ...Array.from(bytes, (_, at) => inTwo(bytes, at))]
      for (const chunks of splits) {
        expect(parsed(chunks, options), `parser, ${chunks[0]?.length} bytes first`).to.deep.equal(expected)
        expect(await outcomes(chunks, options), `decoder, ${chunks[0]?.length} first`).to.deep.equal(expected)
      }
    })
  }

  it('give the same for any packets, mutated anywhere and split anywhere', async () => {
    const packet = fc.constantFrom(
      R3,
      R5,
      connect3_1.bytes,
      PUBLISH,
      PINGREQ,
      AUTH,
      CONNACK3,
      CONNACK5,
      MALFORMED,
    )
    const mutation = fc.option(fc.tuple(fc.nat(400), fc.nat(255)), { freq: 2 })
    const given = fc.record({
      connection: fc.boolean(),
      allow: fc.constantFrom([], EARLIER.allow),
      maximumPacketSize: fc.constantFrom(undefined, 60, 150),
    })
    const places = fc.array(fc.nat(400), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(packet, { maxLength: 5 }),
        mutation,
        places,
        given,
        async (list, change, at, options) => {
          const bytes = Buffer.concat([...(options.connection ? [R5] : []), ...list])
          if (change && change[0] < bytes.length) bytes[change[0]] = change[1]
          const cuts = [0, ...at.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length]
          const chunks = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end))
          const expected = parsed([bytes], options)
          expect(parsed(chunks, options)).to.deep.equal(expected)
          expect(await outcomes(chunks, options)).to.deep.equal(expected)
        },
      ),
      { numRuns: usual(1000) },
    )
  })
})

describe('PacketParser', () => {
  it('decodes the packets of a connection by the version of its CONNECT', () => {
    const all = Buffer.concat([R5, CONNACK5, AUTH, PUBLISH])
    const [connect, answer, auth, publish] = [...new PacketParser({ connection: true }).push(all)]
    expect(connect).to.be.instanceof(v5.ConnectPacket)
    expect(answer).to.be.instanceof(v5.ConnackPacket)
    expect(auth).to.be.instanceof(v5.AuthPacket).that.includes({ type: 0xf0, reasonCode: 0x18 })
    expect((publish as OpaquePacket).packetId).to.equal(7)
    const old = new PacketParser({ ...EARLIER, connection: true }).push(
      Buffer.concat([connect3_1.bytes, CONNACK3]),
    )
    expect([...old].map((packet) => packet.constructor)).to.deep.equal([
      v3_1.ConnectPacket,
      v3_1.ConnackPacket,
    ])
    const [, connack3] = [...new PacketParser({ connection: true }).push(Buffer.concat([R3, CONNACK3]))]
    expect(connack3).to.be.instanceof(v3_1_1.ConnackPacket).with.property('returnCode', 5)
  })

  it('says of an end what it interrupts', () => {
    for (const [part, code, offset] of [
      [R3.subarray(0, 1), 'packet-incomplete', 1],
      [R3.subarray(0, 20), 'packet-incomplete', 20],
      [Buffer.from('P'), 'not-connect', 0],
    ] as const) {
      const parser = new PacketParser({ connection: false })
      expect([...parser.push(part)]).to.deep.equal([])
      expect(() => parser.end())
        .to.throw(MqttError)
        .that.includes({ code, offset })
    }
  })

  it('refuses what is not bytes with a TypeError, and stays usable', () => {
    const parser = new PacketParser({ connection: false })
    expect([...parser.push(R3.subarray(0, 9))]).to.deep.equal([])
    for (const chunk of [
      undefined,
      null,
      'CONNECT',
      16,
      {},
      [0x10],
      new ArrayBuffer(2),
      new Uint16Array(2),
    ]) {
      expectMisuse(() => parser.push(chunk as never), TypeError, 'ERR_INVALID_ARG_TYPE')
    }
    expect([...parser.push(R3.subarray(9))].map(outcome)).to.deep.equal([
      `ConnectPacket ${R3.toString('hex')}`,
    ])
  })

  it('keeps its own copy of a partial packet, and gives packets that do not keep a large chunk alive', () => {
    for (const at of [1, 2, 3, 50]) {
      const parser = new PacketParser({ connection: false })
      const chunk = Buffer.alloc(65_536)
      R3.copy(chunk)
      R5.copy(chunk, R3.length, 0, at)
      const [first] = [...parser.push(chunk.subarray(0, R3.length + at))]
      chunk.fill(0xff)
      expect(first?.bytes.equals(R3)).to.equal(true)
      expect(first?.bytes.buffer.byteLength).to.be.below(1000)
      expect([...parser.push(R5.subarray(at))][0]?.bytes.equals(R5)).to.equal(true)
    }
  })
})
