import type { TransformCallback } from 'node:stream'
import { BufferList } from 'bl'
import type { Buffer } from 'buffer'
import { namesOf, wrongType, wrongValue } from '../errors/misuse.ts'
import type { MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { ownOptions } from '../packets/options.ts'
import { PacketParser } from '../packets/packet-parser.ts'
import { expectedBy, type PacketParserOptions, type ParsedPacket } from '../packets/parser-options.ts'
import { asNewBuffer } from '../wire/memory.ts'
import { checkHighWaterMark, TypedTransform } from './typed-transform.ts'

/**
 * The options of a `PacketDecoder`.
 *
 * @example
 * const options: PacketDecoderOptions = { errors: 'push', maximumPacketSize: 4096 }
 * const decoder = new PacketDecoder(options)
 */
export interface PacketDecoderOptions extends PacketParserOptions {
  /**
   * The reaction to a malformed packet. `'destroy'`: the stream is destroyed with the error. `'push'`: the `MqttError` is pushed
   * in place of the packet, and decoding resumes after the packet if its length is known. Default `'destroy'`.
   */
  readonly errors?: 'destroy' | 'push' | undefined
  /** The number of packets that may be queued for reading before the source is stopped. Default 16. */
  readonly readableHighWaterMark?: number | undefined
  /** A signal that destroys the stream with an `AbortError`, as in Node's own streams. Default none. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The values that a `PacketDecoder` with these options emits: packets, and with `errors: 'push'` also `MqttError`.
 *
 * @example
 * function show(packet: DecodedPacket): void {
 *   console.log(`${packet}`)
 * }
 * new PacketDecoder().on('data', show)
 */
export type DecodedPacket<Options = PacketDecoderOptions> =
  | ParsedPacket<Options>
  | (Options extends { readonly errors?: infer Errors }
      ? unknown extends Errors
        ? never
        : 'push' extends Errors
          ? MqttError
          : never
      : never)

const optionNames: readonly string[] = namesOf<PacketDecoderOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  from: true,
  connection: true,
  errors: true,
  readableHighWaterMark: true,
  signal: true,
})

/**
 * Bytes in, packets out: `socket.pipe(decoder)`, with back-pressure (see docs/streams.md). A packet retains little beyond its own
 * bytes, or 640 bytes if it's small, however large its chunk was. It may share the memory of a chunk that is hardly larger, so don't
 * write to a chunk again, as `net` does with `onread: { buffer }`.
 *
 * @fires data with a packet or, with `errors: 'push'`, an `MqttError`
 * @fires error with an `MqttError` if the peer has sent something invalid or incomplete, with a `TypeError` for a chunk that is
 *   not bytes. Only `close` follows.
 * @example
 * const decoder = new PacketDecoder()
 * decoder.on('data', (packet) => console.log(`${packet}`))
 * decoder.on('error', (error) => console.log(error.message))
 * socket.pipe(decoder)
 */
export class PacketDecoder<
  const Options extends PacketDecoderOptions = Record<never, never>,
> extends TypedTransform<Uint8Array, DecodedPacket<Options>> {
  readonly #parser: PacketParser
  readonly #pushesErrors: boolean
  /** The error to end with once all packets before it have been read, and the callback to call then. */
  #ending: { error: Error; callback: TransformCallback } | undefined = undefined
  /** True once somebody has read. `readableFlowing` alone doesn't tell, because it's null again between two listeners of 'readable'. */
  #hasReader = false
  /** The callback to call when the chunk has been used up, while the readable side is full. */
  #waiting: TransformCallback | undefined = undefined

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is invalid
   * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is neither a positive integer nor `Infinity`
   */
  constructor(given: Options = {} as Options) {
    const options: PacketDecoderOptions = ownOptions(given, optionNames)
    const { errors = 'destroy', readableHighWaterMark, signal } = options
    const expected = expectedBy(options)
    if (errors !== 'destroy' && errors !== 'push') throw wrongValue('errors', "'destroy' or 'push'")
    checkHighWaterMark('readableHighWaterMark', readableHighWaterMark)
    // The parser checks the other options. It comes first, because the stream listens to the signal as soon as it exists.
    const parser = new PacketParser(options, { expected, createList: () => new BufferList() })
    super({
      readableObjectMode: true,
      decodeStrings: false,
      writableHighWaterMark: 1,
      ...(readableHighWaterMark !== undefined && { readableHighWaterMark }),
      signal,
    })
    this.#parser = parser
    this.#pushesErrors = errors === 'push'
  }

  /** @internal The stream itself refuses a missing chunk, as any stream of bytes does, and `_transform` refuses a string. */
  _accept(chunk: unknown): unknown {
    const isLeft = chunk === undefined || chunk === null || typeof chunk === 'string'
    return isLeft ? chunk : asNewBuffer('chunk', chunk as Uint8Array)
  }

  override _transform(chunk: Buffer | string, _encoding: string, callback: TransformCallback): void {
    if (typeof chunk === 'string') {
      callback(wrongType('chunk', 'a Uint8Array', chunk))
      return
    }
    this.#parser.feed(chunk)
    this.#decode(callback)
  }

  override _read(size: number): void {
    const callback = this.#waiting
    this.#waiting = undefined
    if (callback !== undefined) this.#decode(callback)
    super._read(size)
  }

  /** Accepts nothing: see `TypedTransform`. */
  override read(size: never): never
  /** The next packet, or `null` if there is none. */
  override read(size?: number): DecodedPacket<Options> | null
  override read(size?: number): DecodedPacket<Options> | null {
    // Node itself reads 0 packets, to fill the buffer.
    if (size !== 0) this.#hasReader = true
    const packet = super.read(size)
    if (this.#ending !== undefined && this.readableLength === 0) this.#fail()
    return packet
  }

  override _flush(callback: TransformCallback): void {
    if (!this.#parser.isInsidePacket) callback()
    // Deferred, because readable-stream never calls the callback of end() if this fails before end() has returned.
    else queueMicrotask(() => this.#failWith(this.#parser.incomplete(), callback))
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // With a signal that is aborted already, the stream is destroyed before it has a parser.
    if (#parser in this) this.#parser.drop()
    super._destroy(error, callback)
  }

  /**
   * Ends the stream with an error after the packets before the error have been read. If the stream were destroyed at once, these
   * packets would be discarded, and the result would depend on how the bytes are split into chunks.
   */
  #failWith(error: Error, callback: TransformCallback): void {
    this.#ending = { error, callback }
    if (this.readableLength === 0) this.#fail()
    // Otherwise, a stream that nobody reads would never fail.
    else setTimeout(() => this.readableFlowing === null && !this.#hasReader && this.#fail(), 0)
  }

  #fail(): void {
    const ending = this.#ending
    this.#ending = undefined
    ending?.callback(ending.error)
  }

  /** Pushes packets until the chunk is used up, an error ends it, or the readable side is full or destroyed. */
  #decode(callback: TransformCallback): void {
    for (;;) {
      const packet: PacketVariant | MqttError | TypeError | undefined = this.#parser.next()
      if (packet === undefined) {
        callback()
        return
      }
      if (packet instanceof Error && (!this.#pushesErrors || this.#parser.lost)) {
        this.#failWith(packet, callback)
        return
      }
      if (!this.push(packet as DecodedPacket<Options>)) {
        this.#waiting = callback
        return
      }
    }
  }
}
