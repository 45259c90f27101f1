import type { Duplex } from 'node:stream'
import { Buffer } from 'buffer'
import { hasMembers, wrongType, wrongValue } from '../errors/misuse.ts'
import { removeReadable } from './refuse.ts'

/**
 * The number of bytes that `forward` has passed on.
 *
 * @example
 * const show = ({ fromClient, fromServer }: Forwarded) => console.log(fromClient, fromServer)
 * forward(socket, broker).then(show)
 */
export interface Forwarded {
  /**
   * Bytes from the client that were written to the server. Bytes that you read before the call, such as the CONNECT, aren't
   * included.
   */
  readonly fromClient: number
  /** Bytes from the server that were written to the client. */
  readonly fromServer: number
}

/**
 * The time in milliseconds for which a stream may make no progress after the other one has closed, before it's destroyed. Linux takes nothing
 * more of a full buffer until a third of it is free, which may take a slow client this long.
 */
const LINGER = 30_000

/** The time in milliseconds to wait for the `'close'` of a destroyed stream. Some streams never emit it. */
const CLOSING_TIME = 1000

/**
 * Joins two connections until both are closed, for example a client's and the one to its broker, with back-pressure and half-close.
 * Sets `allowHalfOpen` of both streams; create the server with `allowHalfOpen: true`, too, for clients that end before this call.
 * docs/streams.md says what happens when one side can't keep up, ends or fails.
 *
 * @param client a `net.Socket`, a `tls.TLSSocket`, the stream of a WebSocket, or any other `Duplex`. From now on, its errors end
 *   the connection instead of being uncaught.
 * @param server the same for the other side
 * @returns resolves when both are closed; never rejects
 * @throws TypeError `ERR_INVALID_ARG_TYPE` (at once) if an argument is not a Duplex stream, `ERR_INVALID_ARG_VALUE` if both are
 *   the same stream, or if one has an encoding
 * @example
 * broker.write(packet.bytes)
 * forward(socket, broker).then(({ fromClient }) => console.log(`${fromClient} bytes after the CONNECT`))
 */
export function forward(client: Duplex, server: Duplex): Promise<Forwarded> {
  checkDuplex('client', client)
  checkDuplex('server', server)
  if (client === server) throw wrongValue('server', 'a stream other than client')
  return new Promise((resolve) => {
    const closed = (): void => {
      if (!up.isClosed) up.otherIsClosed()
      else if (!down.isClosed) down.otherIsClosed()
      else resolve({ fromClient: up.bytes, fromServer: down.bytes })
    }
    const up = new Direction(client, server, closed)
    const down = new Direction(server, client, closed)
    up.start()
    down.start()
  })
}

/** The methods of a stream that are called. */
const duplexMethods = [
  'on',
  'once',
  'removeListener',
  'removeAllListeners',
  'listenerCount',
  'read',
  'pause',
  'resume',
  'write',
  'end',
  'destroy',
]

function checkDuplex(what: string, stream: Duplex): void {
  if (!hasMembers(stream, duplexMethods)) throw wrongType(what, 'a Duplex stream', stream)
  if (hasMembers(stream, ['readableEncoding'], 'string'))
    throw wrongValue(what, 'a stream without an encoding, because text would not keep all bytes')
}

/** What Node keeps about a socket, which isn't public. */
interface Handle {
  readonly writeQueueSize?: number
  readonly _parent?: Handle | null
}

/** One of the two directions, together with the stream that it comes from. */
class Direction {
  /** The number of bytes passed on. */
  bytes = 0
  /** True once `from` is closed. */
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
      // Must be called after both directions have started.
      queueMicrotask(this.#onClose)
      return
    }
    from.on('close', this.#onClose)
    if (from.destroyed) this.#destroy()
    removeReadable(from)
    from.on('data', this.#onData)
    this.#to.on('drain', this.#resume)
    if (from.readableEnded) this.#onEnd()
    else from.on('end', this.#onEnd)
    from.resume()
  }

  #onData = (chunk: Uint8Array | string): void => {
    const to = this.#to
    // Bytes that nobody can receive are discarded, so that the stream can reach its end.
    if (!to.writable) return
    try {
      this.bytes += Buffer.byteLength(chunk)
      if (!to.write(chunk)) this.#from.pause()
    } catch {
      // The chunk is neither bytes nor text, or the stream's own `write` has thrown.
      to.destroy()
    }
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

  /** Passes on the bytes that were queued for the other side when the stream was destroyed, for example by a failed write. */
  #rescue(): void {
    if (this.#from.readableEnded) return
    this.#from.removeListener('data', this.#onData)
    try {
      for (let chunk = this.#from.read(); chunk !== null; chunk = this.#from.read()) this.#onData(chunk)
    } catch {
      // The stream's own `read` has thrown.
    }
  }

  /** Must be called when `to` is closed. All further bytes are discarded. */
  otherIsClosed(): void {
    this.#from.resume()
    if (this.#from.destroyed) this.#destroy()
    else this.#expectProgress(this.#toWrite())
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

  /**
   * Changes whenever the operating system takes bytes. Node counts a chunk until all of it is taken, and only the handle of a socket knows the
   * rest. The handle of a TLS socket counts in the same way, and has the one of its connection as its parent.
   */
  #toWrite(): number {
    const { _handle, writableLength } = this.#from as Duplex & { _handle?: Handle | null }
    let bytes = writableLength
    for (let handle = _handle; handle; handle = handle._parent) bytes += handle.writeQueueSize ?? 0
    return bytes
  }

  /** Destroys the stream if it's still open after a while and has made no progress with writing. */
  #expectProgress(toWrite: number): void {
    this.#timer = setTimeout(() => {
      const now = this.#toWrite()
      if (now === toWrite) this.#destroy()
      else this.#expectProgress(now)
    }, LINGER)
  }
}
