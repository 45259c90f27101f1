import type { Duplex } from 'node:stream'
import { MOST_BYTES, openStream, type Target } from './target.ts'

/**
 * The number of turns of the event loop to wait after a timeout. On a loaded machine, an answer may have arrived without having been read,
 * because Node runs timers first. TLS and WebSockets need a few turns.
 */
const LAST_LOOKS = 4

/** The settings in a CONNECT that affect the server's packets. */
export interface Announced {
  /** Absent if the server can't know the version, so its answer may have the form of any version. */
  readonly protocolVersion?: 3 | 4 | 5
  readonly maximumPacketSize?: number
  readonly authenticationMethod?: string
  readonly requestsResponseInformation?: boolean
}

/** A connection to the server. Reads leniently, so that the type of a broken packet is still recognised. */
export class Connection {
  /** The bytes sent. */
  readonly sent: Buffer[] = []
  /** The bytes received. */
  readonly received: Buffer[] = []
  /** The packets that have been received completely. */
  readonly frames: Buffer[] = []
  /** True if the server has closed the connection. */
  closed = false
  /** True if the server has sent too much, so the probe has ended the connection. */
  isFlooded = false
  announced: Announced | undefined
  #pending: Buffer = Buffer.alloc(0)
  #size = 0
  #wake: (() => void)[] = []
  readonly #stream: Duplex

  private constructor(stream: Duplex) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => this.#receive(chunk))
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') this.#flooded()
    })
    for (const event of ['end', 'error', 'close']) {
      stream.on(event, () => {
        this.closed ||= !this.#isOver
        this.#changed()
      })
    }
  }

  /** @throws Unreachable */
  static async open(target: Target, timeout: number): Promise<Connection> {
    return new Connection(await openStream(target, timeout))
  }

  #isOver = false

  send(bytes: Uint8Array): void {
    const copy = Buffer.from(bytes)
    this.sent.push(copy)
    if (!this.#stream.destroyed && this.#stream.writable) this.#stream.write(copy)
  }

  /** Waits for a true or defined value. `undefined` after the time, or once the connection is closed or flooded. */
  async until<Value>(
    test: () => Value | undefined | false,
    milliseconds: number,
  ): Promise<Value | undefined> {
    const end = performance.now() + milliseconds
    for (let looks = 0; ; ) {
      const found = test()
      if (found !== undefined && found !== false) return found
      const rest = end - performance.now()
      if (this.closed || this.isFlooded || looks === LAST_LOOKS) return undefined
      if (rest <= 0) {
        looks++
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(rest, 2 ** 30))
        this.#wake.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Waits for a packet of this type, by the high half of its first byte. */
  packet(type: number, milliseconds: number): Promise<Buffer | undefined> {
    return this.until(() => this.frames.find((frame) => frame[0]! >> 4 === type), milliseconds)
  }

  /** Waits until the server closes the connection. */
  async ended(milliseconds: number): Promise<boolean> {
    await this.until(() => this.closed, milliseconds)
    return this.closed
  }

  /** Ends the sending side, but continues to receive. */
  endSending(): void {
    this.#stream.end()
  }

  /** Ends the connection as if the network had failed. */
  destroy(): void {
    this.#isOver = true
    this.#stream.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MOST_BYTES) {
      this.#flooded()
      return
    }
    this.received.push(chunk)
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    for (let size = frameSize(rest); size !== undefined && size <= rest.length; size = frameSize(rest)) {
      this.frames.push(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
    this.#pending = rest
    this.#changed()
  }

  #flooded(): void {
    this.isFlooded = true
    this.destroy()
    this.#changed()
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }
}

/** The size of the packet at the start of these bytes; `undefined` if the Remaining Length isn't complete. */
function frameSize(bytes: Buffer): number | undefined {
  const start = bodyStart(bytes)
  if (start === undefined) return undefined
  let length = 0
  for (let at = start - 1; at > 0; at--) length = length * 128 + (bytes[at]! & 0x7f)
  return start + length
}

/** The index of the variable header. */
export function bodyStart(bytes: Buffer): number | undefined {
  for (let at = 1; at < Math.min(bytes.length, 5); at++) if (bytes[at]! < 0x80) return at + 1
  return undefined
}
