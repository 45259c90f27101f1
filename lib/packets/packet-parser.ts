import { Buffer } from 'buffer'
import type { Context, Policy } from '../codec/context.ts'
import { incomplete, packetSize } from '../codec/fixed-header.ts'
import { Fault } from '../errors/fault.ts'
import { checkLimit, wrongState } from '../errors/misuse.ts'
import { type MqttError, MqttErrorOf, withBytes } from '../errors/mqtt-error.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { DEFAULT_MAXIMUM_PACKET_SIZE } from '../protocol/limits.ts'
import { INCOMPLETE, readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import { looksLike, UNDECIDED } from '../wire/looks-like.ts'
import { asNewBuffer, viewOf } from '../wire/memory.ts'
import type { ConnectPacket } from './connect/any-version.ts'
import { decodePacket, type PacketVariant, policyForVersion, policyOf } from './decode.ts'
import { ownOptions } from './options.ts'
import { type Expected, orderFault } from './packet-order.ts'
import { expectedBy, optionNames, type PacketParserOptions, type ParsedPacket } from './parser-options.ts'
import { BlockList, type ByteList, PartialPacket, packetMemory } from './partial-packet.ts'

/** The setup for use by a stream. */
export interface ParserSetup {
  readonly expected: Expected
  /** Creates the list that holds the blocks of a partial packet. */
  readonly createList?: () => ByteList
}

/** A packet may keep a chunk alive that is larger than itself by this many bytes. */
const SLACK = 256

/**
 * Splits bytes into packets and decodes them, without streams: for WebSocket messages, for Deno, Bun and browsers. Chunks may be
 * split anywhere. A packet retains little beyond its own bytes, or 640 bytes if it's small. It may share the memory of a chunk
 * that is hardly larger than itself, so don't write to a chunk again.
 *
 * @example
 * const parser = new PacketParser()
 * for (const packet of parser.push(chunk)) console.log(`${packet}`)
 */
export class PacketParser<const Options extends PacketParserOptions = Record<never, never>> {
  readonly #maximum: number
  readonly #expected: Expected
  readonly #createList: () => ByteList
  #policy: Policy
  #chunk: Buffer = empty
  /** The chunk's length on arrival. Once memory has been transferred to a worker, its length is 0. */
  #chunkLength = 0
  #at = 0
  /** Chunks that arrived before all packets of the current one had been iterated. They're joined only once. */
  #waiting: Buffer[] = []
  #waitingLength = 0
  /** The beginning of a fixed header, from the end of previous chunks. */
  #header: Buffer = empty
  /** The packet that has begun, once its fixed header is complete. */
  #partial: PartialPacket | undefined = undefined
  /** True if the packet that has begun has already been refused, so that it's skipped. */
  #refused = false
  #connected = false
  #lost = false
  #error: Error | undefined = undefined

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is invalid
   * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is neither a positive integer nor `Infinity`
   */
  constructor(options?: Options)
  /** @internal For a stream, which has checked the names of the options. */
  constructor(options: PacketParserOptions, setup: ParserSetup)
  constructor(given: PacketParserOptions = {}, setup?: ParserSetup) {
    const options = setup === undefined ? ownOptions(given, optionNames) : given
    this.#maximum = checkLimit('maximumPacketSize', options.maximumPacketSize, DEFAULT_MAXIMUM_PACKET_SIZE)
    this.#expected = setup?.expected ?? expectedBy(options)
    this.#createList = setup?.createList ?? (() => new BlockList())
    this.#connected = this.#expected === 'any'
    this.#policy = policyOf(options)
  }

  /**
   * The packets that the chunk completes, decoded one by one during the iteration. If the iteration stops early, the next one
   * continues where it stopped.
   *
   * @throws MqttError during the iteration, in place of the first malformed packet. Every later iteration throws the same error.
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if the chunk is not a Uint8Array
   */
  push(chunk: Uint8Array): IterableIterator<ParsedPacket<Options>> {
    const bytes = asNewBuffer('chunk', chunk)
    if (this.#error === undefined) this.#add(bytes)
    return this.#packets() as IterableIterator<ParsedPacket<Options>>
  }

  /**
   * Checks that the bytes don't end inside a packet. Call it after the last chunk.
   *
   * @throws MqttError `packet-incomplete` if a packet has begun but isn't complete. After any error, the same error again.
   * @throws TypeError `ERR_INVALID_STATE` if some packets have not been iterated
   */
  end(): void {
    if (this.#error !== undefined) throw this.#error
    if (this.pending === 0) return
    const { done } = this.#packets().next()
    this.#error = done
      ? this.incomplete()
      : wrongState('end: a packet has not been iterated; use for (const packet of parser.push(chunk))')
    this.drop()
    throw this.#error
  }

  /** The number of bytes held: the bytes of a partial packet, and those that have not been iterated yet. */
  get pending(): number {
    const partial = this.#refused ? 0 : (this.#partial?.length ?? this.#header.length)
    return partial + this.#chunkLength - this.#at + this.#waitingLength
  }

  *#packets(): Generator<PacketVariant, void, undefined> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      const packet = this.next()
      if (packet instanceof Error) {
        this.#error = packet
        this.drop()
      } else if (packet !== undefined) {
        yield packet
      } else if (this.#waiting.length > 0) {
        this.#feedWaiting()
      } else {
        return
      }
    }
  }

  /** Feeds the chunk if the previous ones have been used up. Otherwise, it's queued. */
  #add(chunk: Buffer): void {
    if (this.#at === this.#chunkLength && this.#waitingLength === 0) {
      this.feed(chunk)
    } else {
      this.#waiting.push(chunk)
      this.#waitingLength += chunk.length
    }
  }

  #feedWaiting(): void {
    const length = this.#waiting.reduce((sum, chunk) => sum + chunk.length, 0)
    const [first = empty] = this.#waiting
    // If memory has been transferred, the lengths differ, and `next` reports it.
    const missing = this.#waitingLength - length
    if (missing > 0) this.feed(empty)
    else this.feed(this.#waiting.length > 1 ? Buffer.concat(this.#waiting) : first)
    this.#chunkLength += missing
    this.#waiting = []
    this.#waitingLength = 0
  }

  /** @internal Drops all bytes that it holds. */
  drop(): void {
    this.#waiting = []
    this.#waitingLength = 0
    this.#header = empty
    this.#partial = undefined
    this.#setChunk(empty)
  }

  #setChunk(chunk: Buffer): void {
    this.#chunk = chunk
    this.#chunkLength = chunk.length
    this.#at = 0
  }

  /** @internal True if packet boundaries are lost. `next` then returns nothing more. */
  get lost(): boolean {
    return this.#lost
  }

  /** @internal Takes the next bytes, once `next` has used up the previous ones. */
  feed(chunk: Buffer): void {
    this.#setChunk(this.#header.length > 0 ? Buffer.concat([this.#header, chunk]) : chunk)
    this.#header = empty
  }

  /** @internal A view of the bytes that `next` hasn't used yet. */
  get rest(): Buffer {
    return this.#at === 0 ? this.#chunk : this.#chunk.subarray(this.#at)
  }

  /**
   * @internal True if the bytes so far end inside a packet. `pending` doesn't count a refused packet, because none of its bytes
   *   are held.
   */
  get isInsidePacket(): boolean {
    return this.pending > 0 || this.#refused
  }

  /**
   * @internal The next packet, or the error in its place; `undefined` if more bytes are needed. The error is a TypeError if the
   *   chunk's memory has been transferred.
   */
  next(): PacketVariant | MqttError | TypeError | undefined {
    while (this.#at < this.#chunkLength && !this.#lost) {
      if (this.#chunk.length !== this.#chunkLength) {
        this.#lost = true
        return wrongState(
          'chunk: its memory was transferred or resized before all of its packets had been read',
        )
      }
      const bytes = this.#nextPacket()
      if (bytes === undefined) continue
      const outcome = bytes instanceof Fault ? bytes : this.#decode(bytes)
      if (!(outcome instanceof Fault)) {
        // Not only in the next call, because many callers want no more than the first packet.
        if (this.#at === this.#chunkLength) this.#setChunk(empty)
        return outcome
      }
      const refused = bytes instanceof Fault ? refusedBytes(this.rest, this.#maximum, this.#lost) : bytes
      return withBytes(new MqttErrorOf(outcome, 0), refused)
    }
    this.#setChunk(empty)
    return undefined
  }

  /** @internal The error of bytes that end before the packet is complete, whether it has begun or not. */
  incomplete(): MqttError {
    const header = this.#header
    const isUnchecked = header.length > 0 && !this.#refused
    const wrong = isUnchecked
      ? orderFault(this.#expected, this.#connected, this.#policy, header, 0)
      : undefined
    const there = this.#partial?.length ?? header.length
    return this.errorOf(wrong ?? incomplete(this.context, there))
  }

  /** @internal The error of a packet that isn't complete, with the bytes held of it. Of a refused packet, there are none. */
  errorOf(found: Fault): MqttError {
    const bytes = this.#partial?.held() ?? viewOf(this.#header, 0, this.#maximum)
    return withBytes(new MqttErrorOf(found, 0), bytes)
  }

  /** @internal The context of packets whose type isn't known yet. */
  get context(): Context {
    return this.#policy.unknown
  }

  /** The bytes of the next packet; `undefined` if the chunk is used up, or if the packet needs another step. */
  #nextPacket(): Buffer | Fault | undefined {
    if (this.#partial !== undefined) return this.#continuePartial(this.#partial)
    const chunk = this.#chunk
    const at = this.#at
    const size = this.#sizeAt(chunk, at)
    if (typeof size !== 'number') return size
    if (size === INCOMPLETE) {
      this.#header = packetMemory(chunk.length - at)
      chunk.copy(this.#header, 0, at)
      this.#at = chunk.length
      return undefined
    }
    if (this.#refused || at + size > chunk.length) {
      this.#partial = new PartialPacket(size, this.#createList)
      return this.#continuePartial(this.#partial)
    }
    this.#at = at + size
    return this.#ownBytes(at, size)
  }

  /** The bytes of the packet that has begun, if this chunk completes it. A refused packet is only counted. */
  #continuePartial(partial: PartialPacket): Buffer | undefined {
    this.#at = this.#refused ? partial.skip(this.#chunk, this.#at) : partial.append(this.#chunk, this.#at)
    if (partial.length < partial.size) return undefined
    this.#partial = undefined
    if (!this.#refused) return partial.take()
    this.#refused = false
    return undefined
  }

  /** The size of the packet whose fixed header is at `at`, or `INCOMPLETE`, or the header's fault. */
  #sizeAt(bytes: Buffer, at: number): number | Fault {
    // A refused packet isn't checked again. Only its Remaining Length is needed, so that it can be skipped.
    const wrong = this.#refused
      ? undefined
      : orderFault(this.#expected, this.#connected, this.#policy, bytes, at)
    // The first bytes are wrong, but more of them are needed to recognise the protocol. Inside a connection it's MQTT.
    const isInside = this.#connected && this.#expected !== 'any'
    const other = wrong && !isInside ? looksLike(bytes, at, bytes.length) : undefined
    if (other === UNDECIDED) return INCOMPLETE
    const maximum = this.#refused ? Number.POSITIVE_INFINITY : this.#maximum
    const size = wrong ?? packetSize(this.#policy.byType[bytes[at]! >> 4]!, bytes, at, bytes.length, maximum)
    if (typeof size !== 'number') {
      this.#lost = other !== undefined || !keepsFraming(size)
      this.#refused = true
    }
    return size
  }

  /** The bytes of the packet at `at` in the chunk. They're copied if the packet would keep a much larger chunk alive. */
  #ownBytes(at: number, size: number): Buffer {
    const chunk = this.#chunk
    if (chunk.buffer.byteLength <= size + SLACK) {
      return size === chunk.length ? chunk : viewOf(chunk, at, at + size)
    }
    const bytes = packetMemory(size)
    chunk.copy(bytes, 0, at, at + size)
    return bytes
  }

  #decode(bytes: Buffer): PacketVariant | Fault {
    const packet = decodePacket(bytes, this.#policy, 2)
    if (this.#connected || packet instanceof Fault) return packet
    if (this.#expected === 'from client') {
      this.#connected = true
      this.#policy = policyForVersion(this.#policy, (packet as ConnectPacket).protocolVersion)
    } else if (packet.type === ControlPacketType.connack) {
      this.#connected = true
    }
    return packet
  }
}

const empty = Buffer.alloc(0)

/**
 * The bytes that have arrived of a packet with an invalid fixed header. They're copied, because the chunk may be large, or used
 * again.
 *
 * @param rest the bytes from the packet on
 * @param maximum the maximum number of bytes to return
 * @param isLost true if the end of the packet is unknown, because the bytes aren't MQTT
 */
function refusedBytes(rest: Buffer, maximum: number, isLost: boolean): Buffer {
  const end = variableByteIntegerEnd(rest, 1, rest.length)
  const size = isLost || end < 0 ? rest.length : end + readVariableByteInteger(rest, 1, end)
  const bytes = Buffer.alloc(Math.min(size, rest.length, maximum))
  rest.copy(bytes)
  return bytes
}

/** True if the packet after one with such a fixed header can be found. */
function keepsFraming({ code }: Fault): boolean {
  return code !== 'reserved-packet-type' && code !== 'variable-byte-integer-too-long'
}
