import { Buffer } from 'buffer'
import { MqttError } from '../errors/mqtt-error.ts'
import {
  checkConnectType,
  checkPacketType,
  incomplete,
  packetSize,
  secondConnect,
} from '../packets/fixed-header.ts'
import { type DecodeOptions, decodePacket, type PacketVariant, scanOf } from '../packets/packet-variant.ts'
import { checkLimit } from '../packets/values.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { DEFAULT_MAXIMUM_PACKET_SIZE } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { INCOMPLETE } from '../wire/integers.ts'
import { looksLike } from '../wire/looks-like.ts'
import type { Scan } from '../wire/scan.ts'
import { PartialPacket } from './partial-packet.ts'

/** What both ways of reading from a stream let the caller set. */
export interface FramingOptions extends DecodeOptions {
  /** The version to accept. Default `ProtocolVersion.undetermined`: 3.1.1 and 5.0, as the packet says. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The largest whole packet accepted, in bytes; checked as soon as the fixed header is there. Default 65,536; `Infinity` allowed. */
  readonly maximumPacketSize?: number | undefined
}

/** How many bytes a fixed header can take. */
const LONGEST_FIXED_HEADER = 5

/** How much larger than the packet the memory may be that the packet keeps alive, in bytes. */
const SLACK = 256

/** Cuts a stream of bytes into packets, whatever its chunks are, and decodes them. */
export class PacketFramer {
  readonly #maximum: number
  readonly #session: boolean
  readonly #options: FramingOptions
  #scan: Scan
  #chunk: Buffer = empty
  #at = 0
  #partial: PartialPacket | undefined = undefined
  /** The size of the packet in `#partial`; 0 until its fixed header is complete. */
  #size = 0
  /** How many bytes of a refused packet are still to be passed over. */
  #skip = 0
  /** Whether the packet whose fixed header is being read has been refused already. */
  #refused = false
  #connected = false
  #lost = false

  /** @param session whether the bytes are one connection's: CONNECT first and once, then any other packets */
  constructor(options: FramingOptions, session: boolean) {
    const { protocolVersion = ProtocolVersion.undetermined, maximumPacketSize } = options
    this.#options = options
    this.#scan = scanOf(protocolVersion, options)
    this.#maximum = checkLimit('maximumPacketSize', maximumPacketSize, DEFAULT_MAXIMUM_PACKET_SIZE)
    this.#session = session
  }

  /** Whether it can no longer be told where the next packet begins; then nothing more comes from `next`. */
  get lost(): boolean {
    return this.#lost
  }

  /** Gives the next bytes, once `next` has used up the ones before. */
  feed(chunk: Buffer): void {
    this.#chunk = chunk
    this.#at = 0
  }

  /** The bytes given that `next` has not used, as a view. */
  get rest(): Buffer {
    return this.#chunk.subarray(this.#at)
  }

  /** The next packet, or the error that is in its place; `undefined` when that takes more bytes. */
  next(): PacketVariant | MqttError | undefined {
    if (this.#lost) return undefined
    try {
      while (this.#at < this.#chunk.length) {
        const bytes = this.#skip > 0 ? this.#passOver() : this.#nextPacket()
        if (bytes !== undefined) return this.#decode(bytes)
      }
    } catch (error) {
      if (!(error instanceof MqttError)) throw error
      return error
    }
    this.#chunk = empty
    this.#at = 0
    return undefined
  }

  /** The number of bytes held of a packet that has begun, and has not been refused. */
  get pending(): number {
    return this.#refused ? 0 : (this.#partial?.length ?? 0)
  }

  /** The error of bytes that end before the packet that has begun, or is waited for, is whole. */
  incomplete(): MqttError {
    return incomplete(this.pending, this.#scan.version, this.#size || undefined)
  }

  /** The error of a packet that is not whole after `timeout` milliseconds. */
  timedOut(timeout: number): MqttError {
    return new MqttError('connect-timeout', {
      field: 'remainingLength',
      offset: this.pending,
      protocolVersion: this.#scan.version,
      expected: `a whole CONNECT within ${timeout} ms`,
      got: `${this.pending} byte(s)`,
    })
  }

  /** The bytes of the next packet; `undefined` if the chunk is used up or the packet is to be passed over. */
  #nextPacket(): Buffer | undefined {
    if (this.#partial !== undefined) return this.#continuePartial(this.#partial)
    const chunk = this.#chunk
    const at = this.#at
    const size = this.#sizeAt(chunk, at)
    if (size === INCOMPLETE || (at + size > chunk.length && !this.#refused)) {
      this.#size = Math.max(size, 0)
      this.#partial = new PartialPacket()
      this.#partial.append(chunk.subarray(at))
      this.#at = chunk.length
      return undefined
    }
    if (this.#refused) return this.#passOverPacket(size)
    this.#at = at + size
    return ownBytes(chunk, at, size)
  }

  /** The bytes of the packet that has begun in an earlier chunk, if this chunk completes it. */
  #continuePartial(partial: PartialPacket): Buffer | undefined {
    while (this.#size === 0) {
      const size = this.#sizeAt(partial.head(LONGEST_FIXED_HEADER), 0)
      if (size !== INCOMPLETE) {
        if (this.#refused) return this.#passOverPacket(size - partial.length)
        this.#size = size
      } else {
        if (this.#at === this.#chunk.length) return undefined
        partial.append(this.#chunk.subarray(this.#at, this.#at + 1))
        this.#at++
      }
    }
    const missing = this.#size - partial.length
    const piece = this.#chunk.subarray(this.#at, this.#at + missing)
    partial.append(piece)
    this.#at += piece.length
    if (piece.length < missing) return undefined
    this.#partial = undefined
    this.#size = 0
    return partial.take()
  }

  /** The size of the packet whose fixed header stands at `at`, or `INCOMPLETE`. */
  #sizeAt(bytes: Buffer, at: number): number {
    try {
      // What has been refused is not checked again: only its Remaining Length is wanted, to pass over it.
      if (!this.#refused) this.#checkType(bytes, at)
      const maximum = this.#refused ? Number.POSITIVE_INFINITY : this.#maximum
      return packetSize(bytes, at, bytes.length, maximum, this.#scan.version)
    } catch (error) {
      this.#lost = this.#refused || !(error instanceof MqttError && keepsFraming(error, bytes, at))
      this.#refused = true
      throw error
    }
  }

  #checkType(bytes: Buffer, at: number): void {
    if (!this.#connected) {
      checkConnectType(bytes, at, bytes.length, this.#scan.version)
    } else {
      if (bytes[at] === ControlPacketType.connect) throw secondConnect(this.#scan.version)
      checkPacketType(bytes, at, bytes.length, this.#scan.version)
    }
  }

  #passOverPacket(size: number): undefined {
    this.#refused = false
    this.#partial = undefined
    this.#size = 0
    this.#skip = size
  }

  #passOver(): undefined {
    const length = Math.min(this.#skip, this.#chunk.length - this.#at)
    this.#skip -= length
    this.#at += length
  }

  #decode(bytes: Buffer): PacketVariant {
    const packet = decodePacket(bytes, this.#scan, 2)
    if (this.#session && packet.type === ControlPacketType.connect) {
      this.#connected = true
      this.#scan = scanOf(packet.protocolVersion, this.#options)
    }
    return packet
  }
}

const empty = Buffer.alloc(0)

/** Whether the next packet can be found behind a packet with such a fixed header. */
function keepsFraming(error: MqttError, bytes: Uint8Array, at: number): boolean {
  // By the first byte alone: the answer must not depend on how the bytes are cut into chunks.
  if (looksLike(bytes, at, at + 1) !== undefined) return false
  return error.code !== 'reserved-packet-type' && error.code !== 'variable-byte-integer-too-long'
}

/** A packet's bytes out of a chunk; a copy, unless they are nearly all of the memory that they would keep alive. */
function ownBytes(chunk: Buffer, at: number, size: number): Buffer {
  if (chunk.buffer.byteLength > size + SLACK) {
    const bytes = Buffer.allocUnsafeSlow(size)
    chunk.copy(bytes, 0, at, at + size)
    return bytes
  }
  return size === chunk.length ? chunk : chunk.subarray(at, at + size)
}
