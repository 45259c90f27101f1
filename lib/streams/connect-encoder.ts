import type { TransformCallback } from 'node:stream'
import { Transform } from 'readable-stream'
import { wrongType } from '../errors/misuse.ts'
import { EncodedPacket } from '../packets/encoded-packet.ts'
import { checkSignal, optionsCheck } from './options.ts'

export interface ConnectEncoderOptions {
  /** How many packets may wait before `write` returns false. Default 16. */
  readonly writableHighWaterMark?: number | undefined
  /** Destroys the stream with an `AbortError` once it is aborted, as with any stream of Node. */
  readonly signal?: AbortSignal | undefined
}

const checkOptions: (options: ConnectEncoderOptions) => void = optionsCheck<ConnectEncoderOptions>({
  writableHighWaterMark: true,
  signal: true,
})

/** What `pipe` needs of a destination to gather chunks into one system call. */
interface Destination extends NodeJS.WritableStream {
  cork?(): void
  uncork?(): void
}

/**
 * Packets in, bytes out: `encoder.pipe(socket)`. Each packet is one chunk; packets written in one tick leave in
 * one `writev`, as far as the destination's high-water mark lets it.
 *
 * @fires data with the bytes of one packet
 * @fires error with a `TypeError` `ERR_INVALID_ARG_TYPE` if something else than a packet is written
 */
export class ConnectEncoder extends Transform {
  /** @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is not what it must be */
  constructor(options: ConnectEncoderOptions = {}) {
    checkOptions(options)
    const { writableHighWaterMark, signal } = options
    checkSignal(signal)
    // Not as a literal in the call: the types of readable-stream lack `signal`.
    const streamOptions = { writableObjectMode: true, writableHighWaterMark, signal }
    super(streamOptions)
  }

  override _transform(packet: EncodedPacket, _encoding: string, callback: TransformCallback): void {
    if (packet instanceof EncodedPacket) callback(null, packet.bytes)
    else callback(wrongType('packet', 'a ConnectPacket or an OpaquePacket', packet))
  }

  /**
   * As any `pipe`, and the destination is corked from the first chunk to the end of the tick, so that it gets
   * what is written in one tick at once.
   */
  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    const corkable: Destination = destination
    if (typeof corkable.cork === 'function' && typeof corkable.uncork === 'function') {
      this.#corkPerTick(corkable)
    }
    return super.pipe(destination, options)
  }

  #corkPerTick(destination: Destination): void {
    let corked = false
    const uncork = (): void => {
      corked = false
      destination.uncork?.()
    }
    // It stands before the listener with which `pipe` writes to the destination.
    const cork = (): void => {
      if (corked) return
      corked = true
      destination.cork?.()
      queueMicrotask(uncork)
    }
    const release = (source: unknown): void => {
      if (source !== this) return
      this.removeListener('data', cork)
      destination.removeListener('unpipe', release)
    }
    this.on('data', cork)
    destination.on('unpipe', release)
  }
}
