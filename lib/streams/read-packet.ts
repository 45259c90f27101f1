import { BufferList } from 'bl'
import { fault } from '../codec/context.ts'
import { remainingLengthField } from '../codec/fields.ts'
import { hasMembers, namesOf, outOfRange, setOwn, wrongType, wrongValue } from '../errors/misuse.ts'
import type { MqttError } from '../errors/mqtt-error.ts'
import { versionToAnswer } from '../packets/answer-props.ts'
import type { ConnackPacket } from '../packets/connack/any-version.ts'
import type { ConnectPacket } from '../packets/connect/any-version.ts'
import type { PacketVariant, ReadOptions } from '../packets/decode.ts'
import { ownOptions } from '../packets/options.ts'
import { PacketParser, type ParserSetup } from '../packets/packet-parser.ts'
import type * as v3_1 from '../packets/v3_1.ts'
import type * as v3_1_1 from '../packets/v3_1_1.ts'
import type * as v5 from '../packets/v5.ts'
import { DEFAULT_MAXIMUM_PACKET_SIZE, DEFAULT_TIMEOUT, LONGEST_DELAY } from '../protocol/limits.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { asNewBuffer, isBytes } from '../wire/memory.ts'
import { checkSignal, onAbort } from './abort.ts'

/**
 * The options of `readConnect` and `readPacket`.
 *
 * @example
 * const options: ReadPacketOptions = { timeout: 5000, maximumPacketSize: 4096 }
 * await readConnect(socket, options)
 */
export interface ReadPacketOptions extends ReadOptions {
  /**
   * The largest packet accepted, in bytes: a positive integer or `Infinity`. Checked as soon as the fixed header has arrived.
   * Default 65,536.
   */
  readonly maximumPacketSize?: number | undefined
  /** The time in which the packet must be complete, in milliseconds, 1 to 2,147,483,647, or `Infinity`. Default 10,000. */
  readonly timeout?: number | undefined
  /** A signal that rejects the promise with its reason. Default none. */
  readonly signal?: AbortSignal | undefined
}

const optionNames: readonly string[] = namesOf<ReadPacketOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  from: true,
  timeout: true,
  signal: true,
})

/**
 * The options of `readConnack`: those of `readConnect` without the version and the sender, which are known.
 *
 * @example
 * const options: ReadConnackOptions = { timeout: 5000 }
 * options.timeout // 5000
 */
export type ReadConnackOptions = Omit<ReadPacketOptions, 'protocolVersion' | 'from'>

const connackOptionNames: readonly string[] = optionNames.filter(
  (name) => name !== 'protocolVersion' && name !== 'from',
)

/**
 * The members of a stream that `readConnect` and `readPacket` need. A `net.Socket` has them, and so has every other readable
 * stream of bytes.
 */
export interface ByteSource extends NodeJS.ReadableStream {
  /** Puts bytes back, so that they're read next. */
  unshift(chunk: Uint8Array): void
  /** True if the stream is destroyed. Reading then fails at once. */
  readonly destroyed?: boolean
  /** The number of bytes that can be read at once. */
  readonly readableLength?: number
  /** True if the stream has ended. Reading then fails at once. */
  readonly readableEnded?: boolean
  /** The error that the stream was destroyed with. */
  readonly errored?: Error | null
}

/**
 * Reads the first packet of a connection, which must be a CONNECT. Any following bytes are pushed back onto the stream. If
 * reading fails, the stream stays open, so you can still answer: see `refuse`. If its client has ended, a socket only stays open with
 * `createServer({ allowHalfOpen: true })`.
 *
 * @param stream a `net.Socket`, or any readable stream of bytes, that nobody else reads from
 * @throws MqttError (as the rejection) if the bytes are not a CONNECT, end before the packet is complete (`packet-incomplete`),
 *   or aren't complete in time (`connect-timeout`)
 * @throws Error (as the rejection) the stream's own error; `ERR_STREAM_PREMATURE_CLOSE` if it is destroyed without one; the
 *   signal's reason
 * @throws TypeError, RangeError (as the rejection) if an argument is invalid
 * @example
 * const packet = await readConnect(socket, { timeout: 5000 })
 * console.log(packet.clientId)
 */
export async function readConnect(
  stream: ByteSource,
  options: ReadPacketOptions = {},
): Promise<ConnectPacket> {
  return (await readFirst(stream, options, 'connects')) as ConnectPacket
}

/**
 * Reads the next packet of any type, for example a server's answer. Any following bytes are pushed back onto the stream. CONNACKs
 * carry no version, so pass `protocolVersion` to decode one; otherwise it's an `OpaquePacket`. In 5.0, an AUTH packet may arrive
 * before the CONNACK.
 *
 * @throws the same errors as `readConnect`, except that the packet can have any type
 * @example
 * const answer = await readPacket(socket, { protocolVersion: ProtocolVersion.v5 })
 * if (answer instanceof v5.ConnackPacket) console.log(answer.reasonCode)
 */
export async function readPacket(
  stream: ByteSource,
  options: ReadPacketOptions = {},
): Promise<PacketVariant> {
  return await readFirst(stream, options, 'any')
}

/**
 * Reads the answer to a CONNECT: the CONNACK, in the CONNECT's version. If you sent bytes instead of a packet, pass the
 * version. Any following bytes are pushed back onto the stream. With enhanced authentication, a server may send AUTH packets
 * first: read those with `readPacket`. A server that doesn't support the version may answer in one of its own, which is an error of the
 * CONNACK's fields: `diagnose(error)` names the version.
 *
 * @param to the CONNECT that you have sent, or its protocol version
 * @throws MqttError (as the rejection) `not-connack` if a different packet arrives first; otherwise the same errors as `readConnect`
 * @throws Error, TypeError, RangeError (as the rejection) the same errors as `readConnect`
 * @example
 * const source = Readable.from([new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0x87 }).bytes])
 * const answer = await readConnack(source, packet, { timeout: 5000 })
 * if (!answer.accepted) console.log(answer.codeName) // 'notAuthorized'
 */
export function readConnack(
  stream: ByteSource,
  to: v5.ConnectPacket | typeof ProtocolVersion.v5,
  options?: ReadConnackOptions,
): Promise<v5.ConnackPacket>
export function readConnack(
  stream: ByteSource,
  to: v3_1_1.ConnectPacket | typeof ProtocolVersion.v3_1_1,
  options?: ReadConnackOptions,
): Promise<v3_1_1.ConnackPacket>
export function readConnack(
  stream: ByteSource,
  to: v3_1.ConnectPacket | typeof ProtocolVersion.v3_1,
  options?: ReadConnackOptions,
): Promise<v3_1.ConnackPacket>
export function readConnack(
  stream: ByteSource,
  to: ConnectPacket | ProtocolVersion,
  options?: ReadConnackOptions,
): Promise<ConnackPacket>
export async function readConnack(
  stream: ByteSource,
  to: ConnectPacket | ProtocolVersion,
  options: ReadConnackOptions = {},
): Promise<ConnackPacket> {
  const version = versionToAnswer(to)
  if (version === undefined) throw wrongValue('to', 'a ProtocolVersion that is determined')
  const own = ownOptions(options, connackOptionNames)
  return (await readFirst(
    stream,
    { ...own, protocolVersion: version.level, from: 'server' },
    'connack',
  )) as ConnackPacket
}

/** The methods of a stream that are called. */
const streamMethods = ['on', 'removeListener', 'read', 'unshift', 'isPaused', 'pause']

async function readFirst(
  stream: ByteSource,
  given: ReadPacketOptions,
  expected: ParserSetup['expected'],
): Promise<PacketVariant> {
  if (!hasMembers(stream, streamMethods)) {
    throw wrongType('stream', 'a readable stream', stream)
  }
  const options = ownOptions(given, optionNames)
  const { timeout = DEFAULT_TIMEOUT, signal, maximumPacketSize = DEFAULT_MAXIMUM_PACKET_SIZE } = options
  checkTimeout(timeout)
  checkSignal(signal)
  // Otherwise, the peer would be blamed for every packet.
  if (expected === 'connects' && options.from === 'server')
    throw wrongValue('from', "'client', because a server sends no CONNECT")
  const parser = new PacketParser(options, { expected, createList: () => new BufferList() })
  signal?.throwIfAborted()
  if (stream.errored) throw stream.errored
  if (stream.readableEnded) throw parser.incomplete()
  if (stream.destroyed) throw prematureClose()
  return await new Promise((resolve, reject) => {
    const wasPaused = stream.isPaused()
    // What follows the packet is put back. Each call would otherwise join everything that a fast peer has sent, and let the stream read more.
    const most = Math.min(maximumPacketSize, MOST_AT_ONCE)
    let hasLeft = false

    const onReadable = (): void => {
      try {
        for (;;) {
          const { readableLength = 0 } = stream
          const chunk: unknown = stream.read(readableLength > most ? most : undefined)
          // While the stream is read, it calls listeners, which may abort the signal.
          if (chunk === null || hasLeft) return
          if (!isBytes(chunk)) throw wrongType('stream', 'a stream of bytes', chunk)
          parser.feed(asNewBuffer('chunk', chunk))
          const packet = parser.next()
          if (packet === undefined) continue
          if (packet instanceof Error) throw packet
          leave(() => resolve(packet))
          if (parser.rest.length > 0) stream.unshift(parser.rest)
          return
        }
      } catch (error) {
        // The stream's own `read` or `unshift` may have thrown, too.
        fail(error)
      }
    }
    const onEnd = (): void => fail(parser.incomplete())
    const onClose = (): void => fail(prematureClose())
    const fail = (reason: unknown): void => leave(() => reject(reason))
    const stopWaiting = signal && onAbort(signal, () => fail(signal.reason))
    const timer =
      timeout === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => fail(timedOut(parser, timeout)), timeout)

    const leave = (settle: () => void): void => {
      hasLeft = true
      clearTimeout(timer)
      stopWaiting?.()
      stream.removeListener('readable', onReadable)
      stream.removeListener('end', onEnd)
      stream.removeListener('close', onClose)
      stream.removeListener('error', fail)
      // A stream counts as paused until the tick after its last 'readable' listener has been removed, and then forgets whether it was.
      process.nextTick(() => {
        if (wasPaused) stream.pause()
        settle()
      })
    }
    stream.on('error', fail)
    stream.on('close', onClose)
    stream.on('end', onEnd)
    stream.on('readable', onReadable)
  })
}

/** The maximum number of bytes to take from the stream at once, if packets may be larger. */
const MOST_AT_ONCE = 0x10_0000

function checkTimeout(timeout: number): void {
  if (typeof timeout !== 'number') throw wrongType('timeout', 'a number', timeout)
  if (!((timeout >= 1 && timeout <= LONGEST_DELAY) || timeout === Number.POSITIVE_INFINITY)) {
    throw outOfRange('timeout', `1 to ${LONGEST_DELAY} ms, or Infinity`)
  }
}

function timedOut(parser: PacketParser, timeout: number): MqttError {
  const problem = `no complete packet has arrived within ${timeout} ms`
  return parser.errorOf(
    fault(parser.context, 'connect-timeout', remainingLengthField, parser.pending, { problem }),
  )
}

function prematureClose(): Error {
  const error = new Error('The stream was destroyed before the packet was complete')
  return setOwn(error, 'code', 'ERR_STREAM_PREMATURE_CLOSE')
}
