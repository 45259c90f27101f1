import type { Buffer } from 'node:buffer'
import type { TransformCallback } from 'node:stream'
import type { Library } from '../../fuzz/library.ts'
import * as library from '../../lib/index.ts'

/** A library with a planted fault, and the invariant that the fault breaks. */
export interface BrokenLibrary {
  readonly fault: string
  readonly invariant: RegExp
  readonly library: Library
}

function broken(fault: string, invariant: RegExp, changes: object): BrokenLibrary {
  return { fault, invariant, library: { ...library, ...changes } }
}

const { decode, explain, PacketDecoder, PacketParser, readConnect } = library

class LosesAByte extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    super._transform(chunk.length === 7 ? chunk.subarray(1) : chunk, encoding, callback)
  }
}

/** Emits packets that share memory with their chunk. */
class KeepsTheChunk extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    try {
      this.push(decode(chunk) as library.ConnectPacket)
      callback()
    } catch {
      super._transform(chunk, encoding, callback)
    }
  }
}

class ForgetsItsError extends PacketParser {
  #failed = false
  override push(chunk: Uint8Array): IterableIterator<library.PacketVariant> {
    if (this.#failed) return [][Symbol.iterator]()
    try {
      return [...super.push(chunk)][Symbol.iterator]()
    } catch (error) {
      this.#failed = true
      throw error
    }
  }
}

class RoundsTheKeepAlive extends library.v5.ConnectPacket {
  constructor(fields: library.v5.ConnectPacketFields) {
    const { keepAlive } = fields ?? {}
    super(typeof keepAlive === 'number' ? { ...fields, keepAlive: keepAlive & 0xfffe } : fields)
  }
}

class FailsWithoutACode extends library.v5.ConnectPacket {
  constructor(fields: library.v5.ConnectPacketFields) {
    const { userName = '' } = fields ?? {}
    if (typeof userName !== 'string') throw new TypeError('userName')
    super(fields)
  }
}

const connack = library.v5.ConnackPacket.prototype

/** A `decode` that returns 5.0 CONNACKs with one method replaced. */
function decodingWith(method: object): object {
  const prototype = Object.assign(Object.create(connack), method)
  return {
    decode(...args: Parameters<typeof decode>) {
      const packet = decode(...args)
      return packet instanceof library.v5.ConnackPacket ? Object.setPrototypeOf(packet, prototype) : packet
    },
  }
}

const losesAPart = decodingWith({
  constBufferSequence(this: library.v5.ConnackPacket) {
    return connack.constBufferSequence.call(this).slice(0, -1)
  },
})

const forgetsProperties = decodingWith({
  toFields(this: library.v5.ConnackPacket) {
    return { ...connack.toFields.call(this), props: [] }
  },
})

/** An `explain` whose result is changed. */
function explaining(change: (explanation: library.Explanation) => object): object {
  return {
    explain(...args: Parameters<typeof explain>) {
      const explanation = explain(...args)
      const forms = { toString: () => `${explanation}`, toJSON: () => explanation.toJSON() }
      return { ...explanation, ...forms, ...change(explanation) }
    },
  }
}

export const brokenLibraries: readonly BrokenLibrary[] = [
  broken('decoding throws something else', /^only-mqtt-error$/, {
    decode(...[bytes, options]: Parameters<typeof decode>) {
      if (bytes[9] === 0xc2) throw new RangeError('index out of range')
      return decode(bytes, options)
    },
  }),
  broken('the decoder loses a byte', /^decoder-/, { PacketDecoder: LosesAByte }),
  broken('packets share memory with the chunk', /^decoder-/, {
    PacketDecoder: KeepsTheChunk,
  }),
  broken('the parser goes on after an error', /^nothing-after-an-error$/, { PacketParser: ForgetsItsError }),
  broken('readConnect loses what follows', /^readConnect-leaves-the-rest$/, {
    async readConnect(...[stream, options]: Parameters<typeof readConnect>) {
      const packet = await readConnect(stream, options)
      stream.read(1)
      return packet
    },
  }),
  broken(
    'explain loses a row',
    /^explain-has-each-byte-once$/,
    explaining(({ rows }) => ({ rows: rows.slice(1) })),
  ),
  broken(
    'explain says that all is well',
    /^explain-agrees$/,
    explaining(() => ({ error: undefined })),
  ),
  broken('a field is written as another', /^fields-make-/, {
    v5: { ...library.v5, ConnectPacket: RoundsTheKeepAlive },
  }),
  broken('toFields forgets the properties', /^fields-make-the-packet-again$/, forgetsProperties),
  broken('the buffer sequence loses a part', /^sequence-is-the-bytes$/, losesAPart),
  broken('an explanation shows the secrets', /^secrets-are-not-shown$/, {
    explain: (...[bytes, options]: Parameters<typeof explain>) =>
      explain(bytes, { ...options, secrets: true }),
  }),
  broken('misuse has no code', /^only-misuse-or-mqtt-error$/, {
    v5: { ...library.v5, ConnectPacket: FailsWithoutACode },
  }),
]
