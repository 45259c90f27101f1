import { outOfRange, wrongType } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { ConnectPacket } from '../packets/packet-variant.ts'
import { asBuffer } from '../packets/values.ts'
import { DEFAULT_TIMEOUT } from '../protocol/limits.ts'
import { checkSignal, optionsCheck } from './options.ts'
import { type FramingOptions, PacketFramer } from './packet-framer.ts'

export interface ReadConnectOptions extends FramingOptions {
  /** How long to wait for the complete packet, in milliseconds, 1 to 2,147,483,647, or `Infinity`. Default 10,000. */
  readonly timeout?: number | undefined
  /** Stops the waiting: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const checkOptions: (options: ReadConnectOptions) => void = optionsCheck<ReadConnectOptions>({
  protocolVersion: true,
  maximumPacketSize: true,
  allow: true,
  timeout: true,
  signal: true,
})

/** The longest delay that a timer takes, in milliseconds. */
const LONGEST_TIMEOUT = 2_147_483_647

/** What `readConnect` needs of a stream: any readable stream of bytes has it, Node's own or another. */
export interface ByteSource extends NodeJS.ReadableStream {
  unshift(chunk: Uint8Array): void
  readonly destroyed?: boolean
  readonly readableEnded?: boolean
  readonly errored?: Error | null
}

/**
 * Reads the first packet of a connection, which must be a CONNECT. The bytes behind it are given back to the
 * stream unread. On failure the stream is left to the caller as it is, so that it can still answer.
 *
 * @param socket a `net.Socket`, or any readable stream of bytes, that nobody else reads from
 * @throws MqttError (as the rejection) if the bytes are not a CONNECT, end before it does (`packet-incomplete`) or
 *   are not whole in time (`connect-timeout`)
 * @throws Error (as the rejection) the stream's own error; `ERR_STREAM_PREMATURE_CLOSE` if it is destroyed without
 *   one; the signal's reason
 * @throws TypeError, RangeError (as the rejection) if an argument is not what it must be
 */
export async function readConnect(
  socket: ByteSource,
  options: ReadConnectOptions = {},
): Promise<ConnectPacket> {
  if (typeof socket?.read !== 'function' || typeof socket.unshift !== 'function') {
    throw wrongType('socket', 'a readable stream', socket)
  }
  checkOptions(options)
  const { timeout = DEFAULT_TIMEOUT, signal } = options
  checkTimeout(timeout)
  checkSignal(signal)
  const framer = new PacketFramer(options, false)
  signal?.throwIfAborted()
  if (socket.errored) throw socket.errored
  if (socket.readableEnded) throw framer.incomplete()
  if (socket.destroyed) throw prematureClose()
  return await new Promise((resolve, reject) => {
    const wasPaused = socket.isPaused()
    const timer =
      timeout === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => fail(framer.timedOut(timeout)), timeout)

    const onReadable = (): void => {
      for (;;) {
        const chunk: unknown = socket.read()
        if (chunk === null) return
        if (!(chunk instanceof Uint8Array)) {
          fail(wrongType('socket', 'a stream of bytes', chunk))
          return
        }
        framer.feed(asBuffer('chunk', chunk))
        const packet = framer.next()
        if (packet === undefined) continue
        if (packet instanceof MqttError) {
          fail(packet)
        } else {
          leave(() => resolve(packet as ConnectPacket))
          if (framer.rest.length > 0) socket.unshift(framer.rest)
        }
        return
      }
    }
    const onEnd = (): void => fail(framer.incomplete())
    const onClose = (): void => fail(prematureClose())
    const onAbort = (): void => fail(signal?.reason)

    const fail = (reason: unknown): void => leave(() => reject(reason))
    const leave = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.removeListener('readable', onReadable)
      socket.removeListener('end', onEnd)
      socket.removeListener('close', onClose)
      socket.removeListener('error', fail)
      if (!wasPaused) {
        settle()
        return
      }
      // The stream forgets that it is paused in the tick after its last 'readable' listener is gone.
      process.nextTick(() => {
        socket.pause()
        settle()
      })
    }
    signal?.addEventListener('abort', onAbort)
    socket.on('error', fail)
    socket.on('close', onClose)
    socket.on('end', onEnd)
    socket.on('readable', onReadable)
  })
}

function checkTimeout(timeout: number): void {
  if (typeof timeout !== 'number') throw wrongType('timeout', 'a number', timeout)
  if (!((timeout >= 1 && timeout <= LONGEST_TIMEOUT) || timeout === Number.POSITIVE_INFINITY)) {
    throw outOfRange('timeout', `1 to ${LONGEST_TIMEOUT} ms, or Infinity`, timeout)
  }
}

function prematureClose(): Error {
  return Object.assign(new Error('The stream was destroyed before its CONNECT was complete'), {
    code: 'ERR_STREAM_PREMATURE_CLOSE',
  })
}
