import { Buffer } from 'node:buffer'
import type { TransformCallback } from 'node:stream'
import type { Library } from '../../fuzz/outcome.ts'
import * as library from '../../lib/index.ts'

/** A library with a fault, and the invariant that it breaks. */
export interface BrokenLibrary {
  readonly fault: string
  readonly invariant: string
  readonly library: Library
}

function broken(fault: string, invariant: string, changes: Partial<Library>): BrokenLibrary {
  return { fault, invariant, library: { ...library, ...changes } }
}

const {
  bufferToBasicPacketVariant,
  bufferToPacketVariant,
  ConnectEncoder,
  explain,
  PacketDecoder,
  readConnect,
} = library

class LosesAByte extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    super._transform(chunk.length === 7 ? chunk.subarray(1) : chunk, encoding, callback)
  }
}

class GoesOnAfterAnError extends PacketDecoder {
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, callback)
    if (error !== null) setImmediate(() => this.emit('data', library.property.receiveMaximum(1)))
  }
}

/** Gives packets that share memory with the chunk that they came in. */
class KeepsTheChunk extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    try {
      this.push(bufferToPacketVariant(chunk) as library.ConnectPacket)
      callback()
    } catch {
      super._transform(chunk, encoding, callback)
    }
  }
}

class ThrowsAnythingElse extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    if (chunk[0] === 0x20) callback(new RangeError('no such packet'))
    else super._transform(chunk, encoding, callback)
  }
}

class WritesToTheChunk extends PacketDecoder {
  override _transform(chunk: Buffer, encoding: string, callback: TransformCallback): void {
    super._transform(chunk, encoding, callback)
    if (chunk.length > 9) chunk[9] = 0
  }
}

class JoinsChunks extends ConnectEncoder {
  override _transform(packet: library.PacketVariant, encoding: string, callback: TransformCallback): void {
    if (packet.size !== 30) super._transform(packet, encoding, callback)
    else callback()
  }
}

class RoundsTheKeepAlive extends library.v5.ConnectPacket {
  constructor(fields: library.v5.ConnectPacketFields) {
    super(
      typeof fields?.keepAlive === 'number' ? { ...fields, keepAlive: fields.keepAlive & 0xfffe } : fields,
    )
  }
}

/** Writes what decodes to the right fields, but is longer than need be. */
class PadsTheLength extends library.v3_1_1.ConnectPacket {
  override get bytes(): Buffer {
    const bytes = super.bytes
    const length = bytes[1] as number
    if (length >= 0x80) return bytes
    return Buffer.concat([Buffer.from([0x10, length | 0x80, 0]), bytes.subarray(2)])
  }
}

class LosesAPart extends library.v3_1_1.ConnectPacket {
  override constBufferSequence(): Buffer[] {
    return super.constBufferSequence().slice(0, -1)
  }
}

class ShowsSecrets extends library.v3_1_1.ConnectPacket {
  override toString(): string {
    return `${super.toString()} ${this.password}`
  }
  override with(changes: Partial<library.v3_1_1.ConnectPacketFields>): ShowsSecrets {
    return new ShowsSecrets({ cleanSession: true, keepAlive: 0, clientId: 'c', ...changes })
  }
}

class FailsWithoutACode extends library.v5.ConnectPacket {
  constructor(fields: library.v5.ConnectPacketFields) {
    if (fields?.userName === null) throw new TypeError('userName')
    super(fields)
  }
}

/** An explanation of which some part is another. */
function explaining(change: (explanation: library.Explanation) => object): Partial<Library> {
  return {
    explain(bytes, options) {
      const explanation = explain(bytes, options)
      return {
        ...explanation,
        ...change(explanation),
        toString: () => explanation.toString(),
        toJSON: () => explanation.toJSON(),
      } as library.Explanation
    },
  }
}

function takesTime(milliseconds: number): void {
  const start = performance.now()
  while (performance.now() - start < milliseconds);
}

export const brokenLibraries: readonly BrokenLibrary[] = [
  broken('decoding throws something else', 'only-mqtt-error', {
    bufferToPacketVariant(bytes, version, options) {
      if (bytes[9] === 0xc2) throw new RangeError('index out of range')
      return bufferToPacketVariant(bytes, version, options)
    },
  }),
  broken('the decoder ends with something else', 'only-mqtt-error', {
    PacketDecoder: ThrowsAnythingElse as never,
  }),
  broken('explain throws', 'only-mqtt-error', {
    explain(bytes, options) {
      if (bytes.length > 60 && bytes[8] === 5) throw new TypeError('no rows')
      return explain(bytes, options)
    },
  }),
  broken('the decoder loses a byte', 'decoder-gives-what-is-there', { PacketDecoder: LosesAByte as never }),
  broken('the decoder goes on after an error', 'nothing-after-an-error', {
    PacketDecoder: GoesOnAfterAnError as never,
  }),
  broken('packets share memory with the chunk', 'decoder-gives-what-is-there', {
    PacketDecoder: KeepsTheChunk as never,
  }),
  broken('the decoder writes to the chunk', 'input-is-not-written-to', {
    PacketDecoder: WritesToTheChunk as never,
  }),
  broken('readConnect loses what follows', 'read-connect-leaves-the-rest', {
    async readConnect(socket, options) {
      const packet = await readConnect(socket, options)
      socket.read(1)
      return packet
    },
  }),
  broken('the encoder loses a packet', 'encoder-gives-the-packets', { ConnectEncoder: JoinsChunks }),
  broken(
    'explain loses a row',
    'explain-covers-each-byte-once',
    explaining(({ rows }) => ({ rows: rows.slice(1) })),
  ),
  broken(
    'explain says that all is well',
    'explain-agrees',
    explaining(() => ({ error: undefined })),
  ),
  broken(
    'explain marks nothing',
    'explain-marks-the-fault',
    explaining(({ rows }) => ({ rows: rows.map(({ fault, ...row }) => row) })),
  ),
  broken('a field is written as another', 'fields-make-the-packet-again', {
    v5: { ...library.v5, ConnectPacket: RoundsTheKeepAlive as never },
  }),
  broken('other bytes than need be are written', 'fields-make-these-bytes', {
    v3_1_1: { ...library.v3_1_1, ConnectPacket: PadsTheLength as never },
  }),
  broken('the buffer sequence loses a part', 'sequence-is-the-bytes', {
    bufferToPacketVariant(bytes, version, options) {
      const packet = bufferToPacketVariant(bytes, version, options)
      return packet instanceof library.v3_1_1.ConnectPacket
        ? Object.setPrototypeOf(packet, LosesAPart.prototype)
        : packet
    },
  }),
  broken('a text form shows the password', 'secrets-are-not-shown', {
    v3_1_1: { ...library.v3_1_1, ConnectPacket: ShowsSecrets as never },
  }),
  broken('misuse has no code', 'only-misuse-or-mqtt-error', {
    v5: { ...library.v5, ConnectPacket: FailsWithoutACode as never },
  }),
  broken('decoding takes long', 'time-is-bounded', {
    bufferToBasicPacketVariant(bytes, version, options) {
      if (bytes.length > 20) takesTime(250)
      return bufferToBasicPacketVariant(bytes, version, options)
    },
  }),
]
