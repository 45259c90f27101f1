import { Buffer } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  MqttError,
  PacketDecoder,
  PacketParser,
  type PacketParserOptions,
  type PacketVariant,
  property,
} from '../../lib/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { faultExamples } from '../support/faults.ts'
import { buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, refusal, thrown } from '../support/thrown.ts'

/** Packets in hex, and the final error. */
type Outcome = readonly unknown[]

const packetText = (packet: PacketVariant) => `${packet.bytes.toString('hex')} ${packet}`
const errorText = (error: MqttError) => JSON.stringify(error)

/** The outcome of a parser for these chunks and the end after them. */
function parsed(chunks: readonly Uint8Array[], options: PacketParserOptions = {}): Outcome {
  const parser = new PacketParser({ connection: false, ...options })
  const outcome: unknown[] = []
  try {
    for (const chunk of chunks) for (const packet of parser.push(chunk)) outcome.push(packetText(packet))
    parser.end()
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    outcome.push(errorText(error))
  }
  return outcome
}

/** The same with a PacketDecoder. */
async function decoded(chunks: readonly Uint8Array[], options: PacketParserOptions = {}): Promise<Outcome> {
  const decoder = new PacketDecoder({ connection: false, ...options })
  const outcome: unknown[] = []
  decoder.on('data', (packet) => outcome.push(packetText(packet)))
  decoder.on('error', (error) => outcome.push(errorText(error as MqttError)))
  const closed = new Promise((resolve) => decoder.on('close', resolve))
  for (const chunk of chunks) {
    if (!decoder.writableNeedDrain && !decoder.destroyed) decoder.write(Buffer.from(chunk))
    // An error would discard unread packets, so they're read first.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (!decoder.destroyed) decoder.end()
  await closed
  return outcome
}

const large = buildV5({
  clientId: 'large',
  props: Array(40).fill(property.userProperty('key', 'value'.repeat(5))),
}).bytes
const R3long = hex(`10b08000${R3.slice(4)}`)
const publish = hex('320a 0003 612f62 0102 ffeedd')

const join = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? hex(part) : part)))

const connection: PacketParserOptions = { connection: true }

/** Inputs with their options, the number of packets before the error, and the error if there is one. */
const inputs: readonly (readonly [string, Buffer, PacketParserOptions, number, string | undefined])[] = [
  ['two packets', join(R3, R5), {}, 2, undefined],
  ['a long form of Remaining Length', join(R3long, R3), {}, 2, undefined],
  ['a larger packet', join(large, R3), {}, 2, undefined],
  ['a connection', join(R5, publish, 'c000', '2003000000', 'e000'), connection, 5, undefined],
  ['a connection of 3.1.1', join(R3, publish, '20020000', 'c000'), connection, 4, undefined],
  ['a partial packet', join(R3, R5.slice(0, -2)), {}, 1, 'packet-incomplete'],
  ['a partial fixed header', join(R3, '1080'), {}, 1, 'packet-incomplete'],
  ['a partial fixed header on a connection', join(R3, '3080'), connection, 1, 'packet-incomplete'],
  ['nothing', join(), {}, 0, undefined],
  ['a second CONNECT', join(R3, 'c000', R3), connection, 2, 'second-connect'],
  ['another packet first', join('c000', R3), connection, 0, 'not-connect'],
  ['another packet', join(R3, 'c000', R3), {}, 1, 'not-connect'],
  ['AUTH in 3.1.1', join(R3, 'f000'), connection, 1, 'reserved-packet-type'],
  ['a reserved type', join(R3, '0000'), connection, 1, 'reserved-packet-type'],
  ['a Remaining Length that is too long', join(R3, '10ffffffff7f'), {}, 1, 'variable-byte-integer-too-long'],
  ['a packet that is too large', join(R3, R5, R3), { maximumPacketSize: 100 }, 1, 'packet-too-large'],
  ['HTTP', Buffer.from('POST / HTTP/1.1\r\n\r\n'), {}, 0, 'not-connect'],
  ['the PROXY protocol', Buffer.from('PROXY TCP4 192.0.2.1\r\n'), {}, 0, 'not-connect'],
  ['one letter of two protocols', Buffer.from('P'), {}, 0, 'not-connect'],
  ['TLS', hex('1603010200010001fc0303'), {}, 0, 'fixed-header-flags'],
]

/** Splits bytes at these positions. */
function split(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const ends = [...new Set(positions)].sort((a, b) => a - b)
  return [0, ...ends].map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length))
}

describe('PacketParser', () => {
  for (const [name, bytes, options, packets, code] of inputs) {
    it(`gives the same for ${name} as PacketDecoder, wherever it is split`, async () => {
      const whole = parsed([bytes], options)
      expect(whole).to.have.length(packets + (code === undefined ? 0 : 1))
      if (code !== undefined) expect(JSON.parse(`${whole.at(-1)}`)).to.have.property('code', code)
      expect(await decoded([bytes], options)).to.deep.equal(whole)

      for (let at = 0; at <= bytes.length; at++) {
        const chunks = split(bytes, [at])
        expect(parsed(chunks, options), `split at ${at}`).to.deep.equal(whole)
        if (at % Math.ceil(bytes.length / 60) === 0)
          expect(await decoded(chunks, options), `split at ${at}`).to.deep.equal(whole)
      }
      const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
      expect(parsed(single, options)).to.deep.equal(whole)
      if (bytes.length < 200) expect(await decoded(single, options)).to.deep.equal(whole)
    })
  }

  it('gives the same for any input however it is split', () => {
    const faults = faultExamples.map(({ bytes, version }) => [bytes, { protocolVersion: version }] as const)
    const some = fc.constantFrom(...inputs.map(([, bytes, options]) => [bytes, options] as const), ...faults)
    fc.assert(
      fc.property(some, fc.array(fc.nat(), { maxLength: 8 }), ([bytes, options], positions) => {
        const chunks = split(
          bytes,
          positions.map((at) => at % (bytes.length + 1)),
        )
        expect(parsed(chunks, options)).to.deep.equal(parsed([bytes], options))
      }),
      { ...runs, numRuns: usual(1000) },
    )
  })

  it('throws a malformed packet in its place, after the packets before it', () => {
    const bad = faultExamples.filter(
      ({ code }) => code !== 'more-than-one-packet' && code !== 'packet-incomplete',
    )
    for (let before = 0; before < 4; before++) {
      for (const { bytes, code } of bad) {
        const outcome = parsed([Buffer.concat([...Array(before).fill(hex(R3)), bytes, hex(R5)])])
        expect(outcome, code).to.have.length(before + 1)
        expect(JSON.parse(`${outcome.at(-1)}`).code).to.be.a('string')
      }
    }
  })

  it('throws the same error again for whatever comes after it, and holds nothing', () => {
    for (const bad of ['10ffffffff', '1001', 'c000', '0000', '10020000']) {
      const parser = new PacketParser({ connection: false, maximumPacketSize: 100_000 })
      expect([...parser.push(hex(R3))]).to.have.length(1)
      const error = refusal(() => [...parser.push(join(bad, '00'.repeat(300)))])
      for (let i = 0; i < 3; i++) {
        const iterable = parser.push(hex(R3))
        expect(parser.pending).to.equal(0)
        expect(refusal(() => [...iterable])).to.equal(error)
      }
      expect(refusal(() => parser.end())).to.equal(error)
    }
  })

  it('decodes one packet at a time: an iteration that stops early is continued by the next one', () => {
    const parser = new PacketParser({ connection: false })
    const stopped = parser.push(join(R3, R5, '10ff'))
    expect(`${stopped.next().value}`).to.match(/^v3_1_1/)
    expect(parser.pending).to.equal(R5.length / 2 + 2)
    stopped.return?.()
    expect(parser.pending).to.equal(R5.length / 2 + 2)
    expect(Array.from(parser.push(hex('ff')), String)).to.have.length(1)
    // Pushed chunks aren't lost, even if nobody iterates.
    parser.push(hex('ff7f'))
    expect(parser.pending).to.equal(5)
    expect(() => parser.push(hex('00')).next())
      .to.throw(MqttError)
      .with.property('code', 'packet-too-large')

    const other = new PacketParser({ connection: false })
    other.push(hex(R3))
    other.push(hex(R5).subarray(0, 9))
    expect(Array.from(other.push(hex(R5).subarray(9)), ({ size }) => size)).to.deep.equal([50, 148])
  })

  it('counts in pending the bytes of the packet that has begun', () => {
    const bytes = join(R3, R5, large)
    const ends = [0, 50, 198, bytes.length]
    const parser = new PacketParser({ connection: false })
    for (let at = 0; at < bytes.length; at++) {
      for (const _ of parser.push(bytes.subarray(at, at + 1)));
      const start = ends.findLast((end) => end <= at + 1)!
      expect(parser.pending, `byte ${at}`).to.equal(at + 1 - start)
    }
  })

  it('fails for good at an end inside a packet', () => {
    for (const [bytes, held] of [
      [join(R3), 0],
      [join(R3, '10'), 1],
      [join(R3, '1080'), 2],
      [join(R3, large.subarray(0, 1100)), 1100],
    ] as const) {
      const parser = new PacketParser({ connection: false })
      for (const _ of parser.push(bytes));
      if (held === 0) {
        parser.end()
        expect([...parser.push(hex(R5))]).to.have.length(1)
        continue
      }
      const error = refusal(() => parser.end())
      expect([error.code, error.offset, parser.pending]).to.deep.equal(['packet-incomplete', held, 0])
      expect(refusal(() => [...parser.push(hex(R5))])).to.equal(error)
    }
  })

  it('fails for good at an end with packets that have not been iterated', () => {
    for (const chunks of [[join(R3)], [join(R3, '10')], [join(R3), join(R5)]]) {
      const parser = new PacketParser({ connection: false })
      for (const chunk of chunks) parser.push(chunk)
      const error = thrown(() => parser.end())
      expect(error).to.be.instanceOf(TypeError).and.include({ code: 'ERR_INVALID_STATE' })
      expect(thrown(() => [...parser.push(join(R5))])).to.equal(error)
      expect(parser.pending).to.equal(0)
    }
    const incomplete = new PacketParser({ connection: false })
    incomplete.push(join('10'))
    expect(refusal(() => incomplete.end()).code).to.equal('packet-incomplete')
    const malformed = new PacketParser({ connection: false })
    malformed.push(join('0000'))
    expect(refusal(() => malformed.end()).code).to.equal('reserved-packet-type')
  })

  it('throws the same error again at the end, whatever error was thrown', () => {
    for (const bytes of [join('0000'), join('3000'), join(R3, '10ffffff7f')]) {
      const parser = new PacketParser({ connection: false })
      const error = refusal(() => [...parser.push(bytes)])
      for (let i = 0; i < 2; i++) expect(thrown(() => parser.end())).to.equal(error)
    }
    const incomplete = new PacketParser({ connection: false })
    for (const _ of incomplete.push(join('10')));
    const error = refusal(() => incomplete.end())
    expect(thrown(() => incomplete.end())).to.equal(error)
  })

  it('fails for good if the memory of a chunk is transferred before its packets are read', () => {
    for (const later of [[], [join(R5)]]) {
      const parser = new PacketParser({ connection: false })
      const chunk = new Uint8Array(join(R3, R3, R5))
      const packets = parser.push(chunk)
      expect(packets.next().done).to.equal(false)
      for (const more of later) parser.push(more)
      const held = parser.pending
      structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
      expect(parser.pending).to.equal(held).and.above(0)
      const error = thrown(() => [...packets])
      expect(error).to.be.instanceOf(TypeError).and.include({ code: 'ERR_INVALID_STATE' })
      expect(error.message).to.match(/^chunk: its memory was transferred/)
      expect(thrown(() => parser.end())).to.equal(error)
      expect(parser.pending).to.equal(0)
    }
  })

  it('fails in the same way for a queued chunk', () => {
    for (const chunks of [1, 2]) {
      const parser = new PacketParser({ connection: false })
      const packets = parser.push(join(R3, R3))
      expect(packets.next().done).to.equal(false)
      const waiting = Array.from({ length: chunks }, () => new Uint8Array(join(R5)))
      for (const chunk of waiting) parser.push(chunk)
      structuredClone(waiting[0]!.buffer, { transfer: [waiting[0]!.buffer] })
      expect(packets.next().done).to.equal(false)
      expect(thrown(() => [...packets])).to.include({ code: 'ERR_INVALID_STATE' })
    }
  })

  it('returns packets that are unaffected by later changes of a larger chunk', () => {
    const parser = new PacketParser(connection)
    const chunk = Buffer.alloc(4096)
    chunk.set(join(R5, publish, 'c000'))
    const packets = [...parser.push(chunk.subarray(0, R5.length / 2 + publish.length + 2))]
    expect(packets).to.have.length(3)
    const before = packets.map(packetText)
    chunk.fill(0xff)
    expect(packets.map(packetText)).to.deep.equal(before)
  })

  it('derives the type of its packets from its options', () => {
    for (const packet of new PacketParser({ connection: false }).push(hex(R3))) {
      const clientId: string = packet.clientId
      expect(clientId).to.equal('sensor-0042')
    }
    for (const packet of new PacketParser({ connection: true }).push(hex(R3))) {
      // @ts-expect-error It may be any packet.
      const clientId: string = packet.clientId
      expect(clientId).to.equal('sensor-0042')
    }
  })

  it('is misused with chunks that are not bytes, and with wrong options', () => {
    for (const chunk of ['', null, undefined, [1], new ArrayBuffer(1), new Uint16Array(1)]) {
      expectMisuse(
        () => new PacketParser({ connection: false }).push(chunk as never),
        'ERR_INVALID_ARG_TYPE',
        'chunk',
      )
    }
    for (const wrong of [null, 1, 'true']) {
      const construct = () => new PacketParser({ connection: wrong as never })
      expectMisuse(construct, 'ERR_INVALID_ARG_TYPE', 'connection')
    }
    expectMisuse(
      () => new PacketParser({ connection: false, maximumPacketSize: 0 }),
      'ERR_OUT_OF_RANGE',
      'maximumPacketSize',
    )
    expectMisuse(
      () => new PacketParser({ connection: false, allow: 'x' as never }),
      'ERR_INVALID_ARG_TYPE',
      'allow',
    )
    expectMisuse(() => new PacketParser(null as never), 'ERR_INVALID_ARG_TYPE', 'options')
  })

  it('reads allow once, also for the packets after the CONNECT of a connection', () => {
    const code = 'variable-byte-integer-not-shortest'
    const longPing = hex('c08000')
    const oneShot = [code].values() as Iterable<typeof code>
    const outcome = parsed([join(R5, longPing, longPing)], { connection: true, allow: oneShot })
    expect(outcome).to.have.length(3)
    expect(outcome[2]).to.match(/^c08000 pingreq/)
    expect(parsed([join(R5, longPing)], connection).at(-1)).to.include(code)
  })

  const held = () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    for (let i = 0; i < 4; i++) collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }

  it('holds nothing of a chunk after its last packet, also if the iteration ends there', () => {
    const before = held()
    const kept = Array.from({ length: 100 }, () => {
      const parser = new PacketParser()
      const chunk = Buffer.alloc(65_536, R5, 'hex').subarray(0, R5.length / 2)
      for (const _ of parser.push(chunk)) break
      return parser
    })
    expect(held() - before).to.be.below(1_000_000)
    expect(kept.every(({ pending }) => pending === 0)).to.equal(true)
  })

  it('holds a partial packet in at most twice the memory of its bytes, also if they come one by one', () => {
    const kept: PacketParser[] = []
    const fill = (size: number) => {
      const parser = new PacketParser({ connection: false, maximumPacketSize: Number.POSITIVE_INFINITY })
      const chunk = Buffer.alloc(1)
      for (let at = 0; at < size; at++) {
        chunk[0] = [0x10, 0xff, 0xff, 0xff, 0x7f][at] ?? 0x41
        for (const _ of parser.push(chunk));
      }
      kept.push(parser)
    }
    fill(300_000)
    let least = Number.POSITIVE_INFINITY
    const size = 1_000_000
    for (let run = 0; run < 3 && least > size; run++) {
      const before = held()
      fill(size)
      least = Math.min(least, held() - before - size)
    }
    expect(kept.at(-1)?.pending).to.equal(size)
    expect(least).to.be.at.most(size)
  })
})
