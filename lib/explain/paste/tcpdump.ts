import { Buffer } from 'buffer'
import { type Segment, segmentInFrame } from '../capture/segments.ts'
import { type Conversation, readingsOf, type ShownPart } from './conversation.ts'
import { bytesFromDump, LINES_MISSING } from './dumps.ts'
import { hasPackets, holdsBytes } from './held-bytes.ts'
import { otherLines, type Readings } from './paste.ts'
import { attempt, Unreadable, unreadable } from './unreadable.ts'

/** The line that tcpdump prints before a packet: the sender, and the size of the TCP payload. */
const HEADER = /(?:^|\s)\S+ > \S+: .*\blength (\d+)/
/** tshark writes longer offsets above 64 KiB. The details of `tshark -V` have bits instead of bytes: `0000 00.. = …`. */
const DUMP_LINE = /^\s*(?:0x)?[\da-f]{4,6}:?\s+(?:[\da-f]{2}){1,2}(?:\s|$)/
const FIRST_LINE = /^[ \t]*(?:0x)?0{4,6}:?[ \t]+(?:[\da-f]{2}){1,2}(?:\s|$)/

/** `Reassembled TCP (33 bytes):` */
const DERIVED = /^(?!Frame )\w[\w ]{0,60}\(\d+ bytes\):\s*$/
const MUST_BE_SHOWN = /^(?:Reassembled TCP|Decrypted)/

const CUT = 'tcpdump has cut its packets: use tcpdump -s 0'

/** What tcpdump and tshark print once, and what tshark prints before a dump. */
const OWN_LINE =
  /^(?:\^C)?(?:$|(?:tcpdump|tshark): |\s*\*\* \(tshark|reading from |listening on |dropped privs |Running as |Capturing on |\d+ packets? |Frame (?:\d+:|\())/
/** What tcpdump prints before the addresses of a packet: the time, and the interface. */
const TIME = /^[\s\d:.-]*(?:[\w-]+ +(?:In|Out|[BMP]) +)?$/

/** The maximum length of a line, which tcpdump never exceeds. */
const LONGEST_LINE = 2000

/** True for a packet with the line that tcpdump writes before it, and for several dumps, as `tshark -x` writes them. */
export function isTcpdump(text: string): boolean {
  const lines = text.split('\n')
  const dumps = lines.filter((line) => FIRST_LINE.test(line)).length
  return dumps > 1 || (dumps === 1 && lines.some((line) => headerIn(line) !== null))
}

function headerIn(line: string): RegExpExecArray | null {
  return line.length > LONGEST_LINE ? null : HEADER.exec(line)
}

/** A dump, and the line before it. */
interface Packet {
  readonly header: RegExpExecArray | null
  readonly dump: string[]
  readonly at: number
  /** The heading if tshark has put the bytes together from those of several frames, which it shows too, or has changed them. */
  readonly derived: string
}

/** The TCP payloads in the output of `tcpdump -X` or `tshark -x`. Their headers give the connection and the direction. */
export function readTcpdump(text: string): Readings | undefined {
  const packets: Packet[] = []
  let header: RegExpExecArray | null = null
  let isInside = false
  let derived = ''
  const others: string[] = []
  /** What's beside headers in their lines. */
  const beside: string[] = []
  /** The index of a header that names bytes, but has none below it. */
  let bare = -1
  let start = 0
  for (const line of text.split('\n')) {
    const isLine = DUMP_LINE.test(line)
    if (isLine && (!isInside || FIRST_LINE.test(line))) {
      packets.push({ header, dump: [line], at: start, derived })
      header = null
      derived = ''
    } else if (isLine) packets.at(-1)!.dump.push(line)
    else if (DERIVED.test(line)) derived = line
    else if (line.trim() !== '') {
      const found = headerIn(line)
      if (Number(header?.[1]) > 0) bare = start
      if (found !== null || !/^\s/.test(line)) header = found
      if (found === null && holdsBytes(line))
        throw unreadable('a line that is not of a packet may have bytes', start)
      // The first of the two lines of tcpdump -v.
      if (found === null && !/\bIP6? \(/.test(line)) others.push(line)
      if (found !== null) beside.push(line.replace(/(?:\bIP6? |^\s+\S+ > \S+: ).*\blength \d+/, ''))
    }
    isInside = isLine || (isInside && line.trim() === '')
    start += line.length + 1
  }
  if (hasPackets([...others, ...beside].join('\n'))) throw unreadable('its other lines have packets, too')
  const isOfTcpdump = packets.some((packet) => packet.header !== null)
  if (Number(header?.[1]) > 0) bare = text.length
  if (isOfTcpdump && bare >= 0) throw unreadable('bytes have been left out of it', bare)
  const connections = new Map<string, Connection>()
  let last: Connection | undefined
  for (const packet of packets) {
    if (packet.derived !== '') {
      if (MUST_BE_SHOWN.test(packet.derived) && !isShown(packet, last?.parts ?? []))
        throw unreadable(
          'tshark has put bytes together from frames that are not shown, or encrypted',
          packet.at,
        )
      continue
    }
    const segment = segmentOf(packet, isOfTcpdump)
    if (segment !== undefined && (packet.header !== null || !isOfTcpdump))
      last = addSegment(connections, segment, packet) ?? last
    // These may be dumps of packets instead of frames.
    else if (!isOfTcpdump) return undefined
    else
      throw unreadable(
        'it has packets of tcpdump that are not TCP, or without the line before them',
        packet.at,
      )
  }
  const around = isOfTcpdump
    ? 'the lines before packets, and the headers of IP and TCP'
    : 'the headers of IP and TCP'
  const found = readingsOf(
    isOfTcpdump ? 'packets of tcpdump' : 'frames of a capture',
    [...connections.values()].filter(({ parts }) => parts.length > 0),
    [around, ...otherLines(others.length)],
    CUT,
    true,
  )
  // Sequence numbers count the bytes, but nobody knows what other text says about them.
  const isCounted = others.every((line) => OWN_LINE.test(line)) && beside.every((rest) => TIME.test(rest))
  return isCounted || found === undefined
    ? found
    : { ...found, readings: found.readings.map((reading) => ({ ...reading, isCounted })) }
}

/** The maximum number of frames from which tshark may have put bytes together. */
const MOST_FRAMES = 1000

/**
 * False if the frames before don't have the bytes that tshark has put together: a filter has left out frames, or they're encrypted.
 *
 * @param parts the bytes of the connection so far
 */
function isShown({ dump }: Packet, parts: readonly ShownPart[]): boolean {
  const whole = attempt(() => bytesFromDump(dump.join('\n')))
  const last = parts.at(-1)
  if (whole === undefined || last === undefined) return false
  const shown: Uint8Array[] = []
  let length = 0
  for (const { direction, bytes } of parts.slice(-MOST_FRAMES).reverse()) {
    if (length >= whole.length + last.bytes.length) break
    if (direction !== last.direction) continue
    shown.unshift(bytes)
    length += bytes.length
  }
  return holds(Buffer.concat(shown), whole)
}

/**
 * True if some bytes have others in them. `includes` would compare nearly all of them at each index, if they resemble each other, so this compares them
 * only where their hashes are the same.
 */
function holds(all: Buffer, part: Buffer): boolean {
  const size = part.length
  let [wanted, found, factor] = [0, 0, 1]
  for (const byte of part) {
    wanted = (Math.imul(wanted, 31) + byte) | 0
    factor = Math.imul(factor, 31)
  }
  for (let end = 0; end < all.length; end++) {
    found = (Math.imul(found, 31) + all[end]! - Math.imul(factor, all[end - size] ?? 0)) | 0
    if (end >= size - 1 && found === wanted) return part.equals(all.subarray(end + 1 - size, end + 1))
  }
  return false
}

function segmentOf({ dump, header, at }: Packet, isOfTcpdump: boolean): Segment | undefined {
  let frame: Buffer | undefined
  try {
    frame = bytesFromDump(dump.join('\n'))
  } catch (error) {
    if (isOfTcpdump || !(error instanceof Unreadable)) throw error
  }
  const segment = frame && segmentInFrame(frame)
  if (segment === undefined) return undefined
  if (header !== null && Number(header[1]) < segment.size && segment.size < Infinity)
    throw unreadable(LINES_MISSING, at)
  return segment
}

interface Connection extends Conversation {
  /** The sender of the first bytes. */
  first: string
  readonly parts: ShownPart[]
  /** The sequence numbers of the first byte and of the next one, by sender. */
  readonly known: Map<string, readonly [start: number, next: number]>
}

/** Returns the connection if the segment has bytes that are new. */
function addSegment(
  connections: Map<string, Connection>,
  segment: Segment,
  { header, at }: Packet,
): Connection | undefined {
  const { from, to, payload, size, isStart, isEnd, acknowledged } = segment
  const said = header === null ? payload.length : Number(header[1])
  const name = [from, to].sort().join(' and ')
  const before = connections.get(name)
  if (before !== undefined && isStart && !segment.isAnswer) {
    // This is a new connection between the same ports.
    connections.delete(name)
    connections.set(`${name}, ended at ${at}`, before)
  }
  if (segment.isReset) return undefined
  const connection: Connection = connections.get(name) ?? { name, first: from, parts: [], known: new Map() }
  connections.set(name, connection)
  const { known, parts } = connection
  // The start of a connection takes a sequence number, and so does its end.
  const sequence = (segment.sequence + (isStart ? 1 : 0)) >>> 0
  const [start, next] = known.get(from) ?? [sequence, sequence]
  const other = known.get(to)?.[1]
  // Sequence numbers start again after 2³² bytes.
  const ahead = (sequence - next) | 0
  const isUnseen = other !== undefined && acknowledged !== undefined && ((acknowledged - other) | 0) > 0
  const isEarlier = said > 0 && ((sequence - start) | 0) < 0
  if (ahead > 0 || isUnseen || isEarlier)
    throw unreadable('a packet of the connection is missing, or comes later', at)
  if (ahead < 0 && -ahead < said) throw unreadable('a packet repeats a part of another one', at)
  if (ahead < 0) return undefined
  known.set(from, [start, (sequence + said + (isEnd ? 1 : 0)) >>> 0])
  if (said === 0 && size <= 0) return undefined
  if (parts.length === 0) connection.first = from
  parts.push({
    direction: from === connection.first ? 'sent' : 'received',
    bytes: payload as Buffer,
    cutAt: payload.length < Math.max(said, size) ? at : undefined,
  })
  return connection
}
