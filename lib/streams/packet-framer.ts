import { Buffer } from 'buffer'
import { Fault } from '../errors/fault.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { ConnectPacketBase } from '../packets/connect-packet-base.ts'
import {
  connectTypeFault,
  incomplete,
  packetSize,
  packetTypeFault,
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
import { viewOf } from '../wire/view.ts'
import { packetMemory, SHARED_SIZE } from './packet-memory.ts'
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
  /** A copy of a part of the chunk, and where in the chunk that begins. */
  #window: Buffer = empty
  #windowAt = 0
  /** The part of a fixed header with which the chunks before have ended. */
  #header: Buffer = empty
  /** The packet that has begun, once its fixed header is whole. */
  #partial: PartialPacket | undefined = undefined
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
    this.#window = empty
    this.#at = 0
  }

  /** The bytes given that `next` has not used, as a view. */
  get rest(): Buffer {
    return this.#chunk.subarray(this.#at)
  }

  /** The next packet, or the error that is in its place; `undefined` when that takes more bytes. */
  next(): PacketVariant | MqttError | undefined {
    while (this.#at < this.#chunk.length && !this.#lost) {
      const bytes = this.#skip > 0 ? this.#passOver() : this.#nextPacket()
      if (bytes === undefined) continue
      const outcome = bytes instanceof Fault ? bytes : this.#decode(bytes)
      return outcome instanceof Fault ? new MqttError(outcome.code, outcome, 0) : outcome
    }
    this.#chunk = empty
    this.#window = empty
    this.#at = 0
    return undefined
  }

  /** The number of bytes held of a packet that has begun, and has not been refused. */
  get pending(): number {
    return this.#refused ? 0 : (this.#partial?.length ?? this.#header.length)
  }

  /** The error of bytes that end before the packet that has begun, or is waited for, is whole. */
  incomplete(): MqttError {
    const fault = incomplete(this.pending, this.#scan.version, this.#partial?.size)
    return new MqttError(fault.code, fault, 0)
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

  /** The bytes of the next packet; `undefined` if the chunk is used up, or there is more to do for the packet. */
  #nextPacket(): Buffer | Fault | undefined {
    if (this.#partial !== undefined) return this.#continuePartial(this.#partial)
    if (this.#header.length > 0) return this.#continueHeader(this.#header)
    const chunk = this.#chunk
    const at = this.#at
    const size = this.#sizeAt(chunk, at)
    if (typeof size !== 'number') return size
    if (size === INCOMPLETE) return this.#keepHeader(chunk, at)
    if (this.#refused) return this.#passOverPacket(size)
    if (at + size > chunk.length) {
      this.#partial = new PartialPacket(size, chunk.length - at)
      return this.#continuePartial(this.#partial)
    }
    this.#at = at + size
    return this.#ownBytes(at, size)
  }

  /** What `#nextPacket` gives for a packet whose fixed header has begun in an earlier chunk. */
  #continueHeader(begun: Buffer): Fault | undefined {
    const more = this.#chunk.subarray(this.#at, this.#at + LONGEST_FIXED_HEADER - begun.length)
    const header = Buffer.concat([begun, more])
    const size = this.#sizeAt(header, 0)
    if (typeof size !== 'number') return size
    if (size === INCOMPLETE) return this.#keepHeader(header, 0)
    this.#header = empty
    if (this.#refused) return this.#passOverPacket(size - begun.length)
    this.#partial = new PartialPacket(size, begun.length + this.#chunk.length - this.#at)
    this.#partial.append(begun, 0)
    return undefined
  }

  /** Keeps the part of a fixed header that stands from `at` to the end of the bytes; with it the chunk is used up. */
  #keepHeader(bytes: Buffer, at: number): undefined {
    this.#header = packetMemory(bytes.length - at)
    bytes.copy(this.#header, 0, at)
    this.#at = this.#chunk.length
  }

  /** The bytes of the packet that has begun, if this chunk completes it. */
  #continuePartial(partial: PartialPacket): Buffer | undefined {
    this.#at = partial.append(this.#chunk, this.#at)
    if (partial.length < partial.size) return undefined
    this.#partial = undefined
    return partial.take()
  }

  /** The size of the packet whose fixed header stands at `at`, or `INCOMPLETE`, or the error of the header. */
  #sizeAt(bytes: Buffer, at: number): number | Fault {
    // What has been refused is not checked again: only its Remaining Length is wanted, to pass over it.
    const wrong = this.#refused ? undefined : this.#typeFault(bytes, at)
    const maximum = this.#refused ? Number.POSITIVE_INFINITY : this.#maximum
    const size = wrong ?? packetSize(bytes, at, bytes.length, maximum, this.#scan.version)
    if (typeof size !== 'number') {
      this.#lost = this.#refused || !keepsFraming(size, bytes, at)
      this.#refused = true
    }
    return size
  }

  #typeFault(bytes: Buffer, at: number): Fault | undefined {
    const connect = bytes[at] === ControlPacketType.connect
    if (!this.#connected) {
      return connect ? undefined : connectTypeFault(bytes, at, bytes.length, this.#scan.version)
    }
    return connect
      ? secondConnect(this.#scan.version)
      : packetTypeFault(bytes, at, bytes.length, this.#scan.version)
  }

  #passOverPacket(size: number): undefined {
    this.#refused = false
    this.#skip = size
  }

  #passOver(): undefined {
    const length = Math.min(this.#skip, this.#chunk.length - this.#at)
    this.#skip -= length
    this.#at += length
  }

  /**
   * The bytes of the packet at `at` in the chunk, in memory that the packet may keep alive: never much more than its
   * own. Small packets in a row share a copy, as a piece of memory takes longer to get than to fill.
   */
  #ownBytes(at: number, size: number): Buffer {
    const chunk = this.#chunk
    if (chunk.buffer.byteLength <= size + SLACK)
      return size === chunk.length ? chunk : viewOf(chunk, at, at + size)
    if (at < this.#windowAt || at + size > this.#windowAt + this.#window.length) {
      // The first is mostly alone.
      const length = at === 0 ? size : Math.max(size, Math.min(SHARED_SIZE, chunk.length - at))
      this.#window = packetMemory(length)
      this.#windowAt = at
      chunk.copy(this.#window, 0, at, at + length)
    }
    const start = at - this.#windowAt
    return viewOf(this.#window, start, start + size)
  }

  #decode(bytes: Buffer): PacketVariant | Fault {
    const packet = decodePacket(bytes, this.#scan, 2)
    if (this.#session && packet instanceof ConnectPacketBase) {
      this.#connected = true
      this.#scan = scanOf(packet.protocolVersion, this.#options)
    }
    return packet
  }
}

const empty = Buffer.alloc(0)

/** Whether the next packet can be found behind a packet with such a fixed header. */
function keepsFraming(error: Fault, bytes: Uint8Array, at: number): boolean {
  // By the first byte alone: the answer must not depend on how the bytes are cut into chunks.
  if (looksLike(bytes, at, at + 1) !== undefined) return false
  return error.code !== 'reserved-packet-type' && error.code !== 'variable-byte-integer-too-long'
}
