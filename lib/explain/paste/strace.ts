import { Buffer } from 'buffer'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { chains } from '../further-packets.ts'
import { groupsOf } from '../groups.ts'
import { type Conversation, readingsOf, type ShownPart, startOf } from './conversation.ts'
import { OMISSION } from './evidence.ts'
import { hasPackets, mayHavePackets } from './held-bytes.ts'
import { checkOneStream } from './one-stream.ts'
import { type Direction, otherLines, type Readings } from './paste.ts'
import { bytesOfLiteral, endOfLiteral } from './strings.ts'
import { unreadable } from './unreadable.ts'

/** The system calls that send and receive, with the file's number and the other arguments. */
const CALL =
  /(?:^|[\s\]])((?:p?write|send)(?:v|64|to|msg|mmsg)?|(?:p?read|recv)(?:v|64|from|msg|mmsg)?)\((\d+(?:<.{0,200}?>)?), *(.*)$/
/** The name of such a call. */
const NAME = /^p?(?:write|send|read|recv)/
const RESUMED = /<\.\.\. (\w+) resumed> *(.*)$/
/** The end of a connection, or the beginning of another one with the same number. Traces of `network` alone have no `close`. */
const CLOSE =
  /(?:^|[\s\]])(?:close|connect)\((\d+(?:<.{0,200}?>)?)|\b(?:socket|accept4?|dup[23]?)\b.{0,300}\) += +(\d+(?:<.{0,200}?>)?)/
/** The number of the thread, in brackets or, in a file of `strace -o`, before the call and its time. */
const THREAD =
  /\[pid +(\d+)\]|(?<!\S)(?:\d+:)?(\d+) +(?:(?:\d\d:\d\d:\d\d|\d+)(?:\.\d+)? +)?(?=\w+\(|<\.\.\. |\+\+\+|---)/
/** The beginning of such a call anywhere in a line. */
const PART_OF_CALL = /(?<!_)(?:p?(?:write|read)|send|recv)(?:v|64|to|from|msg|mmsg)?\((?:\d|\.\.\.|…)/
/** The end of any call, with its result. */
const END_OF_CALL = /\) += +(?:-?\d|\?)/
const TWO_RESULTS = /\) += .*\) += /
/** Calls that send bytes without showing them. */
const UNSEEN = /(?:^|[\s\]])(?:sendfile(?:64)?|splice|vmsplice|tee)\(/
const ANY_CALL = /(?:^|[\s\]])\w+\(/

/** Without -y, the threads of one process, which share its files, look like other processes. */
const MIXED = 'several threads or processes use the same file number: use strace -y'
const HALF = 'a call of strace has only one of its two lines'

/** The first half of a call that strace printed in two halves, because another thread interrupted it. */
interface Unfinished {
  readonly file: string
  readonly direction: Direction
  readonly bytes: Buffer
  readonly thread: string
  readonly at: number
}

/** True if a line of the text is a system call whose bytes strace shows. */
export function isStrace(text: string): boolean {
  return /\b(?:write|read|send|recv)(?:v|64|to|from|msg|mmsg)?\(\d+(?:<.{0,200}?>)?, *(?:"|\[?\{|<unfinished)/.test(
    text,
  )
}

/** The bytes that a process has sent and received, from lines of strace. */
export function readStrace(text: string): Readings | undefined {
  const open = new Map<string, { name: string; thread: string; parts: ShownPart[] }>()
  const closed: Conversation[] = []
  const unfinished = new Map<string, Unfinished>()
  /** True if the trace has the calls that begin and end connections. */
  let hasEnds = false
  const others: string[] = []
  let start = 0
  const add = (file: string, thread: string, part: ShownPart): void => {
    const conversation = open.get(file) ?? { name: `file ${Number.parseInt(file, 10)}`, thread, parts: [] }
    open.set(file, conversation)
    const doubt = file.endsWith('>') || conversation.thread === thread ? part.doubt : MIXED
    const cutAt = part.cutAt ?? (doubt === undefined ? undefined : start)
    if (part.bytes.length > 0 || cutAt !== undefined) conversation.parts.push({ ...part, cutAt, doubt })
  }
  const giveUp = ({ file, thread, direction, bytes, at }: Unfinished): void =>
    add(file, thread, { direction, bytes, cutAt: at, doubt: HALF })
  for (const line of text.split('\n')) {
    const [, pid, first = ''] = THREAD.exec(line) ?? []
    const thread = pid ?? first
    const resumed = RESUMED.exec(line)
    // Once other threads have ended, strace writes no number any more.
    const begun =
      unfinished.get(thread) ??
      (resumed && thread === '' && unfinished.size === 1 ? [...unfinished.values()][0] : undefined)
    const call = callIn(line, resumed, begun)
    if (begun !== undefined && (resumed !== null || ANY_CALL.test(line))) {
      unfinished.delete(begun.thread)
      if (resumed === null) giveUp(begun)
    }
    if (call === undefined) {
      if (resumed !== null && begun === undefined && NAME.test(resumed[1]!)) throw unreadable(HALF, start)
      if (isPartOfCall(line, resumed !== null)) throw unreadable(CUT_LINE, start)
      if (OMISSION.test(line.trim()) || /\brepeated \d/.test(line))
        throw unreadable('lines have been left out of it', start)
      const [, one, other] = CLOSE.exec(line) ?? []
      const file = one ?? other
      hasEnds ||= file !== undefined
      const ended = file === undefined ? undefined : open.get(file)
      if (ended !== undefined) closed.push(ended)
      if (file !== undefined) open.delete(file)
      if (UNSEEN.test(line)) throw unreadable('a call sends bytes that strace does not show', start)
      if (mayHavePackets(line)) throw unreadable(OTHER_BYTES, start)
      if (line.trim() !== '') others.push(line)
    } else if (call.isUnfinished) unfinished.set(thread, { ...call, thread, at: start })
    else {
      const { file, direction, bytes, isCut } = call
      add(file, thread, { direction, bytes, cutAt: isCut ? start : undefined, doubt: undefined })
    }
    start += line.length + 1
  }
  // A call that receives may wait for ever. Nothing has been received then.
  for (const call of unfinished.values()) if (call.bytes.length > 0) giveUp(call)
  if (!hasEnds) for (const { parts } of open.values()) checkOneConnection(parts)
  const cut = 'strace has cut its strings: use strace -s 65535'
  if (hasPackets(others.join('\n'))) throw unreadable('its other lines have packets, too')
  const ignored = ['the rest of each call', ...otherLines(others.length)]
  return readingsOf('lines of strace', [...closed, ...open.values()], ignored, cut, false)
}

/** True for a call that the reader doesn't recognise, because there is something before it, or for the end of a call without its beginning. */
function isPartOfCall(line: string, isResumed: boolean): boolean {
  return (
    !CALL.test(line) &&
    (PART_OF_CALL.test(line) || (!isResumed && END_OF_CALL.test(line) && !ANY_CALL.test(line)))
  )
}

/** The maximum number of places at which a CONNACK is searched for. */
const MOST_PLACES = 9

/** @throws Unreadable if a file number has been used for several connections, or for a file before the connection */
function checkOneConnection(parts: readonly ShownPart[]): void {
  const hasConnect = startOf(parts) >= 0
  for (const own of groupsOf(parts, ({ direction }) => direction).values()) {
    const all = Buffer.concat(own.map(({ bytes }) => bytes))
    checkOneStream(all)
    // What is before a CONNECT is left out.
    if (hasConnect) continue
    const answers: number[] = []
    let at = 0
    for (const { bytes } of own) {
      if (bytes[0] === ControlPacketType.connack && answers.length < MOST_PLACES) answers.push(at)
      at += bytes.length
    }
    if (!chains(all, 0) && answers.some((start) => chains(all, start)))
      throw unreadable(
        'a file may have had the number of the connection before: use strace -e trace=read,write,close',
      )
  }
}

interface Call {
  readonly file: string
  readonly direction: Direction
  readonly bytes: Buffer
  readonly isCut: boolean
  readonly isUnfinished: boolean
}

/** @throws Unreadable if the line has a part of a call, or more than one */
function callIn(
  line: string,
  resumed: RegExpExecArray | null,
  begun: Unfinished | undefined,
): Call | undefined {
  const isSecondHalf = resumed !== null && begun !== undefined
  const found = isSecondHalf ? resumed : CALL.exec(line)
  if (found === null) return undefined
  const [, name = '', file = '', rest = ''] = isSecondHalf ? ['', found[1], begun.file, found[2]] : found
  const direction = /write|send/.test(name) ? 'sent' : 'received'
  const shown = stringsIn(rest, direction)
  const bytes = isSecondHalf && shown.end === 0 ? begun.bytes : shown.bytes
  if (/<unfinished \.\.\.>\s*$/.test(rest)) {
    // Only the second half says how many of the bytes count.
    return { file, direction, bytes: bytes.subarray(0, shown.certain), isCut: false, isUnfinished: true }
  }
  const after = rest.slice(shown.end)
  const [, result, note = ''] = /\) += +(-?\d+|\?)(\s.*)?$/.exec(after) ?? []
  if (hasPackets(`${line.slice(0, found.index)}\n${note}`)) throw unreadable(OTHER_BYTES)
  if (result === undefined && /\.\.\.>\s*$/.test(after)) return undefined
  if (result === undefined || rest.includes('&quot;')) throw unreadable(CUT_LINE)
  if (PART_OF_CALL.test(after) || TWO_RESULTS.test(after))
    throw unreadable('the lines of strace have been joined')
  // Bytes that MSG_PEEK returns will be received again.
  if (/\bMSG_PEEK\b/.test(after)) return undefined
  // sendmmsg and recvmmsg return the number of messages, so the number of bytes isn't known.
  if (name.endsWith('mmsg')) return { file, direction, bytes, isCut: true, isUnfinished: false }
  // A call that failed sent nothing, and a call may send less than it was given.
  const size = Math.max(Number(result) || 0, 0)
  const certain = shown.end === 0 ? bytes.length : shown.certain
  if (direction === 'received' && bytes.length > size) throw unreadable(OTHER_LENGTH)
  // The digits at the end of the line may be cut. Calls that send only a part are rare.
  if (size < bytes.length && size > 0 && `${bytes.length}`.startsWith(`${size}`)) throw unreadable(CUT_LINE)
  return { file, direction, bytes: bytes.subarray(0, size), isCut: certain < size, isUnfinished: false }
}

const OTHER_BYTES = 'what is not of strace may have bytes'
const CUT_LINE = 'a line of strace has been broken or cut'
const OTHER_LENGTH = 'a string of strace has another length than the call says'

/** The number of bytes to send, behind a string: `, 14)` or `, iov_len=14}`. */
const LENGTH = /^(?:\.{3})?, (?:iov_len=)?(\d+)/

/**
 * The strings among the arguments of a call: one, or one for each `iov_base`. Only the bytes before the first place that strace has cut
 * are certain.
 */
function stringsIn(rest: string, direction: Direction): { bytes: Buffer; end: number; certain: number } {
  const chunks: Buffer[] = []
  let end = 0
  let size = 0
  let certain = Number.POSITIVE_INFINITY
  const isVector = rest.startsWith('[') || rest.startsWith('{')
  for (let at = isVector ? rest.indexOf('iov_base="') + 9 : 0; rest[at] === '"'; ) {
    const close = endOfLiteral(rest, at + 1, '"')
    if (close < 0) throw unreadable('a string of strace has no closing quote')
    const chunk = bytesOfLiteral(rest.slice(at + 1, close))
    chunks.push(chunk)
    size += chunk.length
    end = close + 1
    const after = rest.slice(end, end + 40)
    const isCut = after.startsWith('...')
    if (isCut) certain = Math.min(certain, size)
    const length = Number(LENGTH.exec(after)?.[1] ?? chunk.length)
    if (direction === 'sent' && (isCut ? chunk.length > length : chunk.length !== length))
      throw unreadable(OTHER_LENGTH)
    const next = isVector ? rest.indexOf('iov_base="', end) : -1
    if (next < 0) break
    at = next + 9
  }
  return { bytes: Buffer.concat(chunks), end, certain: Math.min(certain, size) }
}
