import type { Duplex } from 'node:stream'
import { Buffer } from 'buffer'
import { wrongType, wrongValue } from '../errors/misuse.ts'

/**
 * How many bytes `forward` has passed on.
 *
 * @example
 * const show = ({ fromClient, fromServer }: Forwarded) => console.log(fromClient, fromServer)
 * forward(socket, broker).then(show)
 */
export interface Forwarded {
  /** Bytes that the client sent and the server was given. What was read before the call, such as the CONNECT, isn't included. */
  readonly fromClient: number
  /** Bytes that the server sent and the client was given. */
  readonly fromServer: number
}

/** How long a stream may make no progress once the other one is closed, before it is destroyed, in milliseconds. */
const LINGER = 10_000

/** How long to wait for the `'close'` of a destroyed stream, in milliseconds. Some streams never emit it. */
const CLOSING_TIME = 1000

/**
 * Joins two connections until both are closed, for example a client's and the one to its broker. A side that can't keep up stops
 * the other one from being read. An end is passed on, and the opposite direction stays open: for this `allowHalfOpen` of both
 * streams is set. When one side closes or fails, the other one still receives everything that had been read from it, then an end,
 * and is destroyed if it makes no progress for 10 seconds.
 *
 * @param client a `net.Socket`, a `tls.TLSSocket`, the stream of a WebSocket, or any other `Duplex`. From now on its errors end the
 *   connection, and are not uncaught.
 * @param server the same for the other side
 * @returns resolves when both are closed; never rejects
 * @throws TypeError `ERR_INVALID_ARG_TYPE` (at once) if an argument is not a Duplex stream, `ERR_INVALID_ARG_VALUE` if both are the
 *   same stream
 * @example
 * broker.write(packet.bytes)
 * forward(socket, broker).then(({ fromClient }) => console.log(`${fromClient} bytes after the CONNECT`))
 */
export function forward(client: Duplex, server: Duplex): Promise<Forwarded> {
  checkDuplex('client', client)
  checkDuplex('server', server)
  if (client === server) throw wrongValue('server', 'a stream other than client')
  return new Promise((resolve) => {
    const up = new Direction(client, server, () => {
      if (down.isClosed) resolve({ fromClient: up.bytes, fromServer: down.bytes })
      else down.otherIsClosed()
    })
    const down = new Direction(server, client, () => {
      if (up.isClosed) resolve({ fromClient: up.bytes, fromServer: down.bytes })
      else up.otherIsClosed()
    })
    up.start()
    down.start()
  })
}

function checkDuplex(what: string, stream: Duplex): void {
  if (typeof stream?.end !== 'function' || typeof stream.resume !== 'function') {
    throw wrongType(what, 'a Duplex stream', stream)
  }
}

/** One of the two directions, and the life of the stream that it comes from. */
class Direction {
  /** How many bytes have been passed on. */
  bytes = 0
  /** Whether `from` is closed. */
  isClosed = false
  readonly #from: Duplex
  readonly #to: Duplex
  readonly #closed: () => void
  #timer: NodeJS.Timeout | undefined = undefined

  /** @param closed is called once, when `from` is closed */
  constructor(from: Duplex, to: Duplex, closed: () => void) {
    this.#from = from
    this.#to = to
    this.#closed = closed
  }

  start(): void {
    const from = this.#from
    from.allowHalfOpen = true
    from.on('error', () => this.#destroy())
    from.on('finish', this.#destroyIfDone)
    if (from.closed) {
      // Both directions must have started.
      queueMicrotask(this.#onClose)
      return
    }
    from.on('close', this.#onClose)
    if (from.destroyed) this.#destroy()
    from.on('data', this.#onData)
    if (from.readableEnded) this.#onEnd()
    else from.on('end', this.#onEnd)
    from.resume()
  }

  #onData = (chunk: Uint8Array | string): void => {
    const to = this.#to
    // What nobody can receive is discarded, so that the end behind it is seen.
    if (!to.writable) return
    this.bytes += Buffer.byteLength(chunk)
    let hasRoom: boolean
    try {
      hasRoom = to.write(chunk)
    } catch {
      // Some stream's own `write` has thrown.
      to.destroy()
      return
    }
    if (hasRoom) return
    this.#from.pause()
    to.once('drain', this.#resume)
  }

  #resume = (): void => {
    this.#from.resume()
  }

  #onEnd = (): void => {
    this.#endOther()
    this.#destroyIfDone()
  }

  #onClose = (): void => {
    if (this.isClosed) return
    this.isClosed = true
    clearTimeout(this.#timer)
    this.#rescue()
    this.#endOther()
    this.#to.removeListener('drain', this.#resume)
    this.#closed()
  }

  /** Passes on what was waiting for the other side when the stream was destroyed, for example because of a failed write. */
  #rescue(): void {
    if (this.#from.readableEnded) return
    this.#from.removeListener('data', this.#onData)
    try {
      for (let chunk = this.#from.read(); chunk !== null; chunk = this.#from.read()) this.#onData(chunk)
    } catch {
      // Some stream's own `read` has thrown.
    }
  }

  /** To be called when `to` is closed. What still comes is discarded. */
  otherIsClosed(): void {
    this.#from.resume()
    if (!this.#from.destroyed) this.#expectProgress(this.#from.writableLength)
  }

  #endOther(): void {
    if (this.#to.writable) this.#to.end()
  }

  #destroyIfDone = (): void => {
    if (this.#from.readableEnded && this.#from.writableFinished) this.#destroy()
  }

  #destroy(): void {
    if (this.isClosed) return
    this.#from.destroy()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onClose, CLOSING_TIME)
  }

  /** Destroys the stream if it is still open after a while with as much to write as now. */
  #expectProgress(toWrite: number): void {
    this.#timer = setTimeout(() => {
      const now = this.#from.writableLength
      if (now === toWrite) this.#destroy()
      else this.#expectProgress(now)
    }, LINGER)
  }
}
