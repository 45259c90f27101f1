import type { Duplex } from 'node:stream'
import { hasMembers, isRevoked, outOfRange, wrongType } from '../errors/misuse.ts'
import { isMqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { EncodedPacket, isPacket } from '../packets/encoded-packet.ts'
import type { PacketIdBytes } from '../packets/opaque-packet.ts'
import { ownOptions } from '../packets/options.ts'
import { LONGEST_DELAY } from '../protocol/limits.ts'
import { isBytes } from '../wire/memory.ts'

/**
 * The options of `refuse`.
 *
 * @example
 * const options: RefuseOptions = { linger: 100 }
 * await refuse(socket, undefined, options)
 */
export interface RefuseOptions {
  /** The time to wait for the client to close the connection before the socket is destroyed, in milliseconds. Default 1000. */
  readonly linger?: number | undefined
}

/**
 * The answers that `refuse` can send: the CONNACK of an `MqttError`, a packet, bytes, or nothing. Any other error has no answer.
 */
export type Refusal = Error | PacketVariant<PacketIdBytes> | Uint8Array | undefined

/** The methods of a socket that are called. */
const socketMethods = [
  'on',
  'once',
  'removeAllListeners',
  'listenerCount',
  'unpipe',
  'resume',
  'end',
  'destroy',
]

const optionNames: readonly string[] = ['linger']

/** The time to wait for the `'close'` of a destroyed socket, in milliseconds. Some streams never emit it. */
const CLOSING_TIME = 1000

/**
 * Refuses a connection: sends the answer, ends the socket, and discards further input. (Closing a socket with unread bytes resets
 * the connection, and the answer can be lost.) After `linger` milliseconds, the socket is destroyed whatever the client does. The
 * socket is unpiped, its `'data'` and `'readable'` listeners are removed, whatever else is written to it is discarded, and its
 * `allowHalfOpen` is set.
 *
 * @param socket a `net.Socket`, a `tls.TLSSocket`, the stream of a WebSocket, or any other `Duplex`. Errors of the socket are
 *   ignored from now on.
 * @param answer an error, whose `connack` is sent if it's an `MqttError` that has one; a packet, for example from `connack`;
 *   bytes; or nothing
 * @returns resolves when the socket is closed; never rejects
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` (at once) if an argument is invalid
 * @throws RangeError `ERR_OUT_OF_RANGE` (at once) if `linger` is not 0 to 2,147,483,647
 * @example
 * await refuse(socket, connack(packet, ConnectReasonCode.notAuthorized))
 */
export function refuse(socket: Duplex, answer?: Refusal, options: RefuseOptions = {}): Promise<void> {
  if (!hasMembers(socket, socketMethods)) {
    throw wrongType('socket', 'a Duplex stream', socket)
  }
  const bytes = bytesOf(answer)
  const { linger = 1000 } = ownOptions(options, optionNames)
  if (typeof linger !== 'number') throw wrongType('linger', 'a number', linger)
  if (!(linger >= 0 && linger <= LONGEST_DELAY)) throw outOfRange('linger', `0 to ${LONGEST_DELAY} ms`)
  return new Promise((resolve) => {
    // Must come first: a socket that was destroyed in this tick is already closed, but its error is emitted later.
    socket.on('error', () => destroy(socket))
    if (socket.closed) {
      resolve()
      return
    }
    // A timer of our own, because the socket's timeout starts again with each byte that arrives.
    let timer = setTimeout(() => {
      timer = setTimeout(resolve, CLOSING_TIME)
      destroy(socket)
    }, linger)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    try {
      socket.unpipe()
      socket.removeAllListeners('data')
      removeReadable(socket)
      if (socket.writable) socket.end(bytes)
      // Otherwise, Node would put a `write` of its own in place of ours when the client ends its side.
      socket.allowHalfOpen = true
      socket.write = discard as never
      socket.end = ((...args) => {
        discard(...args)
        return socket
      }) as Duplex['end']
      socket.resume()
    } catch {
      // The stream's own `write` has thrown.
      destroy(socket)
    }
  })
}

function destroy(socket: Duplex): void {
  try {
    socket.destroy()
  } catch {
    // A stream's own `destroy` may throw, and nobody could catch that.
  }
}

/**
 * Removes the `'readable'` listeners, with which a stream waits for `read`. Even if there are none, Node's own method would stop a stream that
 * flows without a `'data'` listener.
 */
export function removeReadable(stream: Duplex): void {
  if (stream.listenerCount('readable') > 0) stream.removeAllListeners('readable')
}

/**
 * Takes the place of the socket's `write` and `end`. A write after the end, for example by a stream that is piped into the socket, would
 * destroy the socket, and an answer that hasn't been sent yet would be lost.
 */
function discard(...args: readonly unknown[]): true {
  const callback = args.at(-1)
  if (typeof callback === 'function') queueMicrotask(() => callback())
  return true
}

function bytesOf(answer: Refusal): Uint8Array | undefined {
  if (answer === undefined || isBytes(answer)) return answer
  if (isMqttError(answer)) return answer.connack
  if (isPacket(answer, EncodedPacket)) return answer.bytes
  if (!isRevoked(answer) && answer instanceof Error) return undefined
  throw wrongType('answer', 'an error, a packet or bytes', answer)
}
