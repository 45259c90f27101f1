import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

const CR = 0x0d
const LF = 0x0a
const NOTHING = Buffer.alloc(0)

/**
 * The connection that Node's HTTP server is given instead of the socket. It ends reading after the first request's header, because Node
 * would parse and answer thousands of requests in a single chunk, which takes a tenth of a second of a core.
 */
export class RequestHead extends Duplex {
  readonly #socket: Socket
  /** The bytes after the header. */
  #rest: Buffer = NOTHING
  /** True once Node has the request: it has answered, or the socket has been given back. */
  #isTaken = false
  /** Empty lines before the request don't count, as in Node. */
  #hasBegun = false
  #isLineEmpty = true
  #isComplete = false

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    // Node stops listening once a client asks for an upgrade or a tunnel. A later reset would then end the process.
    this.on('error', () => {})
    socket.on('data', this.#read).on('end', this.#end).on('error', this.#fail).on('close', this.#close)
  }

  /** Gives the socket back, with the bytes after the header. From now on somebody else reads it. */
  release(): { socket: Socket; rest: Buffer } {
    this.#isTaken = true
    this.#socket
      .resume()
      .removeListener('data', this.#read)
      .removeListener('end', this.#end)
      .removeListener('error', this.#fail)
      .removeListener('close', this.#close)
    return { socket: this.#socket, rest: this.#rest }
  }

  readonly #read = (chunk: Buffer): void => {
    const end = this.#endOfHeader(chunk)
    if (!this.#isComplete) {
      this.push(chunk)
      return
    }
    this.#rest = chunk.subarray(end)
    this.#socket.removeListener('data', this.#read).pause()
    this.push(chunk.subarray(0, end))
    // Node has taken the request by then. The exception is the preface of HTTP/2, which goes on after the empty line.
    setImmediate(() => {
      if (!this.#isTaken) this.push(this.#rest)
      this.#rest = NOTHING
    })
  }
  readonly #end = (): void => {
    this.push(null)
  }
  readonly #fail = (error: Error): void => {
    this.destroy(error)
  }
  readonly #close = (): void => {
    this.destroy()
  }

  /** The index after the empty line that ends the header; the length if there is none. Lines end as Node takes them. */
  #endOfHeader(chunk: Buffer): number {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (byte === LF) {
        this.#isComplete = this.#hasBegun && this.#isLineEmpty
        if (this.#isComplete) return i + 1
        this.#isLineEmpty = true
      } else if (byte !== CR) {
        this.#hasBegun = true
        this.#isLineEmpty = false
      }
    }
    return chunk.length
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#isTaken = true
    this.#socket.write(chunk, callback)
  }

  /** What the client still sends is read and forgotten, so that its end is noticed. */
  override _final(callback: () => void): void {
    this.#isTaken = true
    this.#socket.resume().end(callback)
  }

  /** Node calls this after an answer that ends the connection. */
  destroySoon(): void {
    this.#socket.destroySoon()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy()
    callback(error)
  }
}
