import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** The status for a message that is not binary. MQTT 5.0 section 6.0, RFC 6455 section 7.4.1. */
const UNSUPPORTED_DATA = 1003

/** The bytes in the binary messages of a WebSocket, in both directions, with back-pressure. */
export class WebSocketStream extends Duplex {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    super()
    this.#socket = socket
    let hasText = false
    socket.on('message', (data: Buffer, isBinary) => {
      if (hasText) return
      if (!isBinary) {
        hasText = true
        socket.close(UNSUPPORTED_DATA)
        // The client may not answer that, and go on.
        this.#endReading()
      } else if (!this.push(data)) {
        socket.pause()
      }
    })
    socket.on('error', () => this.destroy())
    socket.on('close', () => this.#endReading())
  }

  /** What has arrived is still to be read. */
  #endReading(): void {
    this.push(null)
    // Without this a paused stream that is empty would not end.
    this.read(0)
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    // Nobody reads it any more, but what the client has sent before it left is still on its way.
    if (this.#socket.readyState !== this.#socket.OPEN) callback()
    else this.#socket.send(chunk, callback)
  }

  override _final(callback: () => void): void {
    // The answer of the client is read even if nobody reads the stream.
    this.#socket.resume()
    this.#socket.close(1000)
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.terminate()
    callback(error)
  }
}
