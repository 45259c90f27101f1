import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  decode as decodeOne,
  explain,
  MqttError,
  type PacketDecoderOptions,
  PacketParser,
  readConnect,
  readPacket,
} from '../../lib/index.ts'
import { thrown } from '../support/thrown.ts'
import { byteByByte, decode, framed, MALFORMED, PINGREQ, R3, R5, rejection } from './support.ts'

const publish = framed(Buffer.alloc(200, 0x61), 2, 0x30)
const tls = Buffer.from('1603010200010001fc0303', 'hex')
const large = framed(Buffer.alloc(5000, 0x61), 2)

interface Case {
  readonly name: string
  readonly input: Buffer
  readonly code: string
  /** The part of the refused packet that had arrived, if the input comes in one chunk. */
  readonly bytes: Buffer
  /** The same if the input comes byte by byte. */
  readonly byByte?: Buffer
  readonly options?: PacketDecoderOptions
}

const cases: readonly Case[] = [
  {
    name: 'a malformed packet',
    input: Buffer.concat([R3, MALFORMED, R5]),
    code: 'connect-flags-reserved',
    bytes: MALFORMED,
  },
  {
    name: 'a packet of another type',
    input: Buffer.concat([R3, publish, R5]),
    code: 'not-connect',
    bytes: publish,
    byByte: publish.subarray(0, 1),
  },
  {
    name: 'the start of a packet of another type',
    input: Buffer.concat([R3, publish.subarray(0, 20)]),
    code: 'not-connect',
    bytes: publish.subarray(0, 20),
    byByte: publish.subarray(0, 1),
  },
  {
    name: 'a second CONNECT',
    input: Buffer.concat([R5, PINGREQ, R3, PINGREQ]),
    code: 'second-connect',
    bytes: R3,
    byByte: R3.subarray(0, 1),
    options: { connection: true },
  },
  { name: 'TLS', input: tls, code: 'fixed-header-flags', bytes: tls, byByte: tls.subarray(0, 2) },
  {
    name: 'a packet that is too large, cut at the maximum',
    input: Buffer.concat([R3, large]),
    code: 'packet-too-large',
    bytes: large.subarray(0, 1000),
    byByte: large.subarray(0, 3),
    options: { maximumPacketSize: 1000 },
  },
  {
    name: 'bytes that are not MQTT, cut at the maximum',
    input: Buffer.concat([tls, Buffer.alloc(5000)]),
    code: 'fixed-header-flags',
    bytes: Buffer.concat([tls, Buffer.alloc(5000)]).subarray(0, 1000),
    byByte: tls.subarray(0, 2),
    options: { maximumPacketSize: 1000 },
  },
  {
    name: 'a Remaining Length of five bytes',
    input: Buffer.concat([R3, Buffer.from('10ffffffffff00', 'hex')]),
    code: 'variable-byte-integer-too-long',
    bytes: Buffer.from('10ffffffffff00', 'hex'),
    byByte: Buffer.from('10ffffffff', 'hex'),
  },
  {
    name: 'a packet that is not complete',
    input: Buffer.concat([R3, R5.subarray(0, 40)]),
    code: 'packet-incomplete',
    bytes: R5.subarray(0, 40),
  },
  {
    name: 'a fixed header that is not complete',
    input: Buffer.concat([R3, R5.subarray(0, 2)]),
    code: 'packet-incomplete',
    bytes: R5.subarray(0, 2),
  },
  {
    name: 'bytes that only begin like HTTP, cut at the maximum',
    input: Buffer.from('POST'),
    code: 'not-connect',
    bytes: Buffer.from('PO'),
    options: { maximumPacketSize: 2 },
  },
  {
    name: 'a long packet that is not complete',
    input: large.subarray(0, 4000),
    code: 'packet-incomplete',
    bytes: large.subarray(0, 4000),
  },
]

function parserError(chunks: readonly Buffer[], options?: PacketDecoderOptions): MqttError {
  const parser = new PacketParser({ connection: false, ...options })
  return thrown(() => {
    for (const chunk of chunks) for (const _ of parser.push(chunk));
    parser.end()
  }) as MqttError
}

describe('MqttError.bytes', () => {
  for (const { name, input, code, bytes, byByte = bytes, options } of cases) {
    it(`is what had arrived of the refused packet and nothing after it: ${name}`, async () => {
      for (const [chunks, wanted] of [
        [[input], bytes],
        [byteByByte(input), byByte],
      ] as const) {
        const errors = [
          parserError(chunks, options),
          (await decode(chunks, options)).error as unknown as MqttError,
        ]
        for (const error of errors) {
          expect([error.code, error.bytes?.toString('hex')]).to.deep.equal([code, wanted.toString('hex')])
        }
      }
    })
  }

  it("is there for each packet that `errors: 'push'` refuses", async () => {
    const input = Buffer.concat([MALFORMED, R3, publish, MALFORMED])
    const { packets } = await decode([input], { errors: 'push' })
    const refused = packets.filter((each) => each instanceof MqttError).map(({ bytes }) => bytes)
    expect(
      Buffer.concat(refused as Buffer[]).equals(Buffer.concat([MALFORMED, publish, MALFORMED])),
    ).to.equal(true)
  })

  it('is there after readConnect and readPacket, also if the time is over, and empty if nothing had arrived', async () => {
    const failureOf = async (read: typeof readConnect, chunk: Buffer, ends: boolean, options = {}) => {
      const stream = new PassThrough()
      stream.write(chunk)
      if (ends) stream.end()
      const error = (await rejection(read(stream, options))) as unknown as MqttError
      return [error.code, error.bytes?.toString('hex')]
    }
    for (const read of [readConnect, readPacket] as (typeof readConnect)[]) {
      expect(await failureOf(read, MALFORMED, true)).to.deep.equal([
        'connect-flags-reserved',
        MALFORMED.toString('hex'),
      ])
      expect(await failureOf(read, R3.subarray(0, 9), true)).to.deep.equal([
        'packet-incomplete',
        R3.toString('hex', 0, 9),
      ])
      expect(await failureOf(read, R3.subarray(0, 9), false, { timeout: 5 })).to.deep.equal([
        'connect-timeout',
        R3.toString('hex', 0, 9),
      ])
      expect(await failureOf(read, Buffer.alloc(0), true)).to.deep.equal(['packet-incomplete', ''])
    }
  })

  it('can be explained', async () => {
    const error = parserError([Buffer.concat([MALFORMED, R3])])
    const explanation = explain(error.bytes!)
    expect('error' in explanation && explanation.error).to.include({ code: error.code, offset: error.offset })
  })

  it('is a copy, so that a chunk that is used again does not change it', () => {
    const chunk = Buffer.concat([publish, Buffer.alloc(2000)])
    const { bytes } = parserError([chunk])
    chunk.fill(0xff)
    expect(bytes!.equals(publish)).to.equal(true)
    expect(bytes!.buffer.byteLength).to.be.below(1000)
  })

  it('is not enumerable, so that no logger shows it', () => {
    const error = parserError([Buffer.concat([MALFORMED, R3])])
    expect({ ...error }).not.to.have.property('bytes')
    for (const shown of [
      inspect(error),
      inspect(error, { showHidden: true }),
      JSON.stringify(error),
      `${error}`,
    ]) {
      expect(shown).not.to.match(/s3cret|bytes: |73 33 63/)
    }
  })

  it('is absent after decode, whose caller has the bytes', () => {
    expect((thrown(() => decodeOne(MALFORMED)) as MqttError).bytes).to.equal(undefined)
  })
})
