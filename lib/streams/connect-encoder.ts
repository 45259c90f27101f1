import type { TransformCallback } from 'node:stream'
import type { Buffer } from 'buffer'
import { namesOf, wrongType } from '../errors/misuse.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { EncodedPacket, isPacket } from '../packets/encoded-packet.ts'
import type { PacketIdBytes } from '../packets/opaque-packet.ts'
import { ownOptions } from '../packets/options.ts'
import { checkHighWaterMark, TypedTransform } from './typed-transform.ts'

/**
 * The options of a `ConnectEncoder`.
 *
 * @example
 * const options: ConnectEncoderOptions = { writableHighWaterMark: 64 }
 * const encoder = new ConnectEncoder(options)
 */
export interface ConnectEncoderOptions {
  /** The number of packets that may be queued before `write` returns false. Default 16. */
  readonly writableHighWaterMark?: number | undefined
  /** A signal that destroys the stream with an `AbortError`, as in Node's own streams. Default none. */
  readonly signal?: AbortSignal | undefined
}

const optionNames: readonly string[] = namesOf<ConnectEncoderOptions>({
  writableHighWaterMark: true,
  signal: true,
})

/** The members of a destination that `pipe` needs to gather chunks into one system call. */
interface Destination extends NodeJS.WritableStream {
  cork?(): void
  uncork?(): void
  /** The number of bytes that were written but not yet confirmed. */
  readonly writableLength?: number
}

/**
 * Destinations that may be inside their `writev`: from the moment an encoder uncorks them until they're seen to be empty. A slow
 * destination flushes its buffer by itself as soon as its previous write is done, and no public event announces that.
 */
const flushing = new WeakSet<Destination>()

/**
 * Packets in, bytes out: `encoder.pipe(socket)`. Each packet is one chunk. Packets written in one tick leave in one `writev`, up
 * to the destination's high-water mark.
 *
 * @fires data with the bytes of one packet
 * @fires error with a `TypeError` `ERR_INVALID_ARG_TYPE` if anything except a packet is written
 * @example
 * const encoder = new ConnectEncoder()
 * encoder.pipe(socket)
 * encoder.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' }))
 */
export class ConnectEncoder extends TypedTransform<PacketVariant<PacketIdBytes>, Buffer> {
  /** The destinations to cork. If one is piped to twice, it's listed twice. */
  readonly #destinations: Destination[] = []

  /** @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is invalid */
  constructor(given: ConnectEncoderOptions = {}) {
    const { writableHighWaterMark, signal } = ownOptions(given, optionNames)
    checkHighWaterMark('writableHighWaterMark', writableHighWaterMark)
    super({
      writableObjectMode: true,
      ...(writableHighWaterMark !== undefined && { writableHighWaterMark }),
      signal,
    })
  }

  override _transform(packet: EncodedPacket, _encoding: string, callback: TransformCallback): void {
    if (!isPacket(packet, EncodedPacket)) {
      callback(wrongType('packet', 'a packet', packet))
    } else if (this.#destinations.some((destination) => flushing.has(destination))) {
      // A Writable loses chunks that are written from inside its own `writev`. Corking gathers chunks, so a destination's
      // `writev` is called where a plain Transform would have led to a `write`, which loses nothing. No `writev` runs during a
      // microtask, so that is when the chunks are released.
      queueMicrotask(() => {
        this.#destinations.forEach(forgetIfEmpty)
        callback(null, packet.bytes)
      })
    } else {
      callback(null, packet.bytes)
    }
  }

  /** Works like any `pipe`, but corks the destination from the first chunk to the end of the tick. */
  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    const corkable: Destination = destination
    if (typeof corkable.cork === 'function') this.#corkPerTick(corkable)
    return super.pipe(destination, options)
  }

  #corkPerTick(destination: Destination): void {
    let corked = false
    const uncork = (): void => {
      corked = false
      flushing.add(destination)
      destination.uncork?.()
      forgetIfEmpty(destination)
    }
    // This listener must run before the one with which `pipe` writes to the destination.
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
      this.#destinations.splice(this.#destinations.indexOf(destination), 1)
    }
    this.#destinations.push(destination)
    this.on('data', cork)
    destination.on('unpipe', release)
  }
}

/** Must not be called from the destination's `writev`. */
function forgetIfEmpty(destination: Destination): void {
  if (!destination.writableLength) flushing.delete(destination)
}
