import type { Buffer } from 'buffer'
import { segmentInFrame } from '../capture/segments.ts'
import { type Conversation, readingsOf, type ShownPart } from './conversation.ts'
import { bytesFromDump } from './dumps.ts'
import type { Readings } from './paste.ts'
import { unreadable } from './unreadable.ts'

/** The line before a packet: its sender, and the number of bytes that TCP carries in it. */
const HEADER = /(?:^|\s)(\S+) > (\S+): .*\blength (\d+)/
const DUMP_LINE = /^\s*0x[\da-f]{4}:\s/

const CUT = 'tcpdump has cut its packets: use tcpdump -s 0'

/** Lines of tcpdump are short. */
const LONGEST_LINE = 2000

/** True if there are packets with the line that tcpdump writes before each of them. */
export function isTcpdump(text: string): boolean {
  if (!/^[ \t]*0x0000:\s/m.test(text)) return false
  return text.split('\n').some((line) => headerIn(line) !== null)
}

function headerIn(line: string): RegExpExecArray | null {
  return line.length > LONGEST_LINE ? null : HEADER.exec(line)
}

/** The TCP payloads in the output of `tcpdump -X`. Their headers give the connection and the direction. */
export function readTcpdump(text: string): Readings | undefined {
  const conversations = new Map<string, Connection>()
  let header: RegExpExecArray | null = null
  let dump: string[] = []
  let dumpAt = 0
  let others = 0
  const end = (): void => {
    if (dump.length > 0) addPacket(conversations, header, dump, dumpAt)
    dump = []
  }
  let start = 0
  for (const line of `${text}\n`.split('\n')) {
    if (DUMP_LINE.test(line)) {
      if (/^\s*0x0000:/.test(line)) end()
      if (dump.length === 0) dumpAt = start
      dump.push(line)
    } else if (line.trim() !== '') {
      end()
      const found = headerIn(line)
      if (found !== null || !/^\s/.test(line)) header = found
      if (found === null && !/\bIP6?\b/.test(line)) others++
    }
    start += line.length + 1
  }
  end()
  const ignored = ['the lines before packets, and the headers of IP and TCP']
  if (others > 0) ignored.push(`${others} other ${others === 1 ? 'line' : 'lines'}`)
  return readingsOf('packets of tcpdump', [...conversations.values()], ignored, CUT)
}

interface Connection extends Conversation {
  readonly first: string
  readonly parts: ShownPart[]
  /** The sequence number of the next byte, by sender. */
  readonly next: Map<string, number>
}

function addPacket(
  conversations: Map<string, Connection>,
  header: RegExpExecArray | null,
  dump: readonly string[],
  at: number,
): void {
  const frame = bytesFromDump(dump.join('\n'))
  const segment = frame === undefined ? undefined : segmentInFrame(frame)
  const [, source = '', target = '', length = '0'] = header ?? []
  if (segment === undefined || header === null) {
    throw unreadable('it has packets of tcpdump that are not TCP, or without the line before them', at)
  }
  const said = Number(length)
  const { payload, sequence } = segment
  if (said === 0) return
  const name = [source, target].sort().join(' and ')
  const connection: Connection = conversations.get(name) ?? {
    name,
    first: source,
    parts: [],
    next: new Map(),
  }
  conversations.set(name, connection)
  const next = connection.next.get(source)
  // Sequence numbers start again after 2³² bytes.
  const ahead = next === undefined ? 0 : (sequence - next) | 0
  if (ahead > 0) throw unreadable('a packet of the connection is missing, or comes later', at)
  if (ahead < 0 && -ahead < said) throw unreadable('a packet repeats a part of another one', at)
  if (ahead < 0) return
  connection.next.set(source, (sequence + said) >>> 0)
  connection.parts.push({
    direction: source === connection.first ? 'sent' : 'received',
    bytes: payload as Buffer,
    cutAt: payload.length < said ? at : undefined,
  })
}
