import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { WebSocketFrames } from './websocket-frames.ts'

/** The status for a message that is not binary. MQTT 5.0 section 6.0, RFC 6455 section 7.4.1. */
const UNSUPPORTED_DATA = 1003
/** ws's status for a connection that ends without a close frame. RFC 6455 section 7.1.5. */
const ABNORMAL_CLOSURE = 1006

/** The bytes in the binary messages of a WebSocket, in both directions, with back-pressure. */
export class WebSocketStream extends Duplex {
  readonly #socket: WebSocket
  readonly #frames: WebSocketFrames
  /** The client's mistake for which the WebSocket has been closed. */
  fault: Error | undefined = undefined

  constructor(socket: WebSocket, frames: WebSocketFrames) {
    // While nobody reads, one chunk may be buffered, however small it is.
    super({ readableHighWaterMark: 1 })
    this.#socket = socket
    this.#frames = frames
    frames.onData = (bytes) => this.push(bytes)
    // Only text messages get here, because `WebSocketFrames` keeps the contents of binary ones.
    socket.on('message', () => {
      this.fault = new Error('the client sent a text message instead of a binary one')
      socket.close(UNSUPPORTED_DATA)
      // Don't wait for the client's answer: it might ignore the close and go on.
      this.#endReading()
    })
    socket.on('error', ({ message }) => {
      this.fault = new Error(`the client broke the rules of WebSocket: ${message.replace(/^.*: /, '')}`)
      this.destroy()
    })
    socket.on('ping', () => {
      // ws has closed the connection because of this ping, but tells nobody why.
      if (!frames.destroyed || this.destroyed) return
      this.fault = new Error('the client sent more pings at once than the gateway can answer')
      this.destroy()
    })
    socket.on('close', (code) => {
      // As over TCP, a client that resets its connection has left. One that has sent a close frame may reset because it no longer reads.
      if (code === ABNORMAL_CLOSURE && frames.errored) this.destroy(frames.errored)
      else this.#endReading()
    })
  }

  /** Ends the stream after the bytes that have already arrived. */
  #endReading(): void {
    this.#frames.onData = () => true
    this.push(null)
    // Without this, a paused stream that is empty would never end.
    this.read(0)
  }

  override _read(): void {
    this.#frames.resumeData()
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    // The client no longer reads, but bytes that it sent before it left may still arrive, so this isn't an error.
    if (this.#socket.readyState !== this.#socket.OPEN) callback()
    else this.#socket.send(chunk, callback)
  }

  override _final(callback: () => void): void {
    // Read the client's close frame even if nobody reads the stream.
    this.#frames.resumeData()
    this.#socket.close(1000)
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.terminate()
    callback(error)
  }
}
