import type { TransformCallback } from 'node:stream'
import type { Buffer } from 'buffer'
import { Transform } from 'readable-stream'
import { wrongType, wrongValue } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/packet-variant.ts'
import { checkSignal, optionsCheck } from './options.ts'
import { type FramingOptions, PacketFramer } from './packet-framer.ts'

export interface PacketDecoderOptions extends FramingOptions {
  /**
   * What the bytes are. Default false: a run of CONNECT packets, anything else is an error. True: one connection,
   * CONNECT first and once, later packets as `OpaquePacket`.
   */
  readonly session?: boolean | undefined
  /**
   * What becomes of a malformed packet. Default `'destroy'`: the stream is destroyed with the error. `'emit'`: the
   * `MqttError` is pushed in the packet's place and decoding goes on with the next packet, as long as it can be
   * told where that begins.
   */
  readonly errors?: 'destroy' | 'emit' | undefined
  /** How many packets may wait to be read before the source is stopped. Default 16. */
  readonly readableHighWaterMark?: number | undefined
  /** Destroys the stream with an `AbortError` once it is aborted, as with any stream of Node. */
  readonly signal?: AbortSignal | undefined
}

const checkOptions: (options: PacketDecoderOptions) => void = optionsCheck<PacketDecoderOptions>({
  protocolVersion: true,
  maximumPacketSize: true,
  allow: true,
  session: true,
  errors: true,
  readableHighWaterMark: true,
  signal: true,
})

type WriteCallback = (error: Error | null | undefined) => void

/** What comes out of a `PacketDecoder`; an `MqttError` only with `errors: 'emit'`. */
export type DecodedPacket = PacketVariant | MqttError

/**
 * Bytes in, packets out: `socket.pipe(decoder)`. A packet that comes out keeps alive little more than its own
 * bytes, or 640 bytes if it is small, however large the chunk was that it came in. It may share the memory of a chunk
 * that is little larger than itself, so do not write to a chunk again (as `net` does with `onread: { buffer }`).
 *
 * @fires data with a `v3_1_1.ConnectPacket` or a `v5.ConnectPacket`; with `session` also an `OpaquePacket`, with
 *   `errors: 'emit'` also an `MqttError`
 * @fires error with an `MqttError` for what the peer has sent, or has not sent to its end, with a `TypeError` for
 *   what is no chunk of bytes. Nothing is emitted after it but `close`.
 */
export class PacketDecoder extends Transform {
  readonly #framer: PacketFramer
  readonly #emitsErrors: boolean
  /** The error to end with once all packets before it have been read, and whom to tell. */
  #fault: { error: MqttError; callback: TransformCallback } | undefined = undefined
  /** What to call when the chunk is used up, while the readable side is full. */
  #waiting: TransformCallback | undefined = undefined

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is not what it must be
   * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is no size
   */
  constructor(options: PacketDecoderOptions = {}) {
    checkOptions(options)
    const { session = false, errors = 'destroy', readableHighWaterMark, signal } = options
    if (typeof session !== 'boolean') throw wrongType('session', 'a boolean', session)
    if (errors !== 'destroy' && errors !== 'emit') throw wrongValue('errors', "'destroy' or 'emit'")
    checkSignal(signal)
    // Not as a literal in the call: the types of readable-stream lack `signal`.
    const streamOptions = { readableObjectMode: true, decodeStrings: false, readableHighWaterMark, signal }
    super(streamOptions)
    this.#framer = new PacketFramer(options, session)
    this.#emitsErrors = errors === 'emit'
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    if (typeof chunk === 'string') {
      callback(wrongType('chunk', 'bytes', chunk))
      return
    }
    this.#framer.feed(chunk)
    this.#decode(callback)
  }

  override write(chunk: unknown, callback?: WriteCallback): boolean
  override write(chunk: unknown, encoding: BufferEncoding, callback?: WriteCallback): boolean
  override write(
    chunk: unknown,
    encoding?: BufferEncoding | WriteCallback,
    callback?: WriteCallback,
  ): boolean {
    const more = super.write(chunk, encoding as BufferEncoding, callback)
    if (this.#waiting === undefined && this.#fault === undefined) return more
    // While packets wait to be read no further chunk is wanted, small as it may be: 'drain' will tell when one is.
    const { _writableState: state } = this as unknown as { _writableState: { needDrain: boolean } }
    state.needDrain = true
    return false
  }

  override _read(size: number): void {
    const callback = this.#waiting
    if (callback !== undefined) {
      this.#waiting = undefined
      this.#decode(callback)
      if (this.#waiting !== undefined) return
    }
    super._read(size)
  }

  override read(size?: number): ReturnType<Transform['read']> {
    const packet = super.read(size)
    if (this.#fault !== undefined && this.readableLength === 0) queueMicrotask(() => this.#fail())
    return packet
  }

  override _flush(callback: TransformCallback): void {
    if (this.#framer.pending === 0) callback()
    // Not at once: readable-stream never calls the callback of end() if this fails before end() has returned.
    else queueMicrotask(() => this.#failWith(this.#framer.incomplete(), callback))
  }

  /**
   * Ends the stream with an error, but lets whoever reads it have the packets before the error first: destroying
   * would take them along, and what comes out would depend on how the bytes were cut into chunks.
   */
  #failWith(error: MqttError, callback: TransformCallback): void {
    this.#fault = { error, callback }
    if (this.readableLength === 0) this.#fail()
    else setTimeout(() => this.#isRead() || this.#fail(), 0)
  }

  #fail(): void {
    const fault = this.#fault
    this.#fault = undefined
    fault?.callback(fault.error)
  }

  #isRead(): boolean {
    return this.readableFlowing !== null || this.listenerCount('readable') > 0
  }

  /** Pushes packets until the chunk is used up, an error ends it, or the readable side is full. */
  #decode(callback: TransformCallback): void {
    for (;;) {
      const packet = this.#framer.next()
      if (packet === undefined) {
        callback()
        return
      }
      if (packet instanceof MqttError && (!this.#emitsErrors || this.#framer.lost)) {
        this.#failWith(packet, callback)
        return
      }
      const more = this.push(packet)
      if (this.destroyed) return
      if (!more) {
        this.#waiting = callback
        return
      }
    }
  }
}
