import { Buffer } from 'buffer'
import { type Conversation, readingsOf, type ShownPart } from './conversation.ts'
import type { Direction, Readings } from './paste.ts'
import { bytesOfLiteral, endOfLiteral } from './strings.ts'
import { unreadable } from './unreadable.ts'

/** The system calls that send and receive, with the file's number and the other arguments. */
const CALL =
  /(?:^|[\s\]])((?:p?write|send)(?:v|64|to|msg|mmsg)?|(?:p?read|recv)(?:v|64|from|msg|mmsg)?)\((\d+(?:<.{0,200}?>)?), *(.*)$/
const RESUMED = /<\.\.\. (\w+) resumed> *(.*)$/
/** The end of a connection, or the beginning of another one with the same number. Traces of `network` alone have no `close`. */
const CLOSE =
  /(?:^|[\s\]])(?:close|connect)\((\d+(?:<.{0,200}?>)?)|\b(?:socket|accept4?|dup[23]?)\b.{0,300}\) += +(\d+(?:<.{0,200}?>)?)/
const THREAD = /^(?:\[pid +(\d+)\]|(\d+) )/

/** Without -y, the threads of one process, which share its files, look like other processes. */
const MIXED = 'several threads or processes use the same file number: use strace -y'

/** The first half of a call that strace printed in two halves, because another thread interrupted it. */
interface Unfinished {
  readonly file: string
  readonly direction: Direction
  readonly bytes: Buffer | undefined
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
  let others = 0
  let start = 0
  for (const line of text.split('\n')) {
    const thread = THREAD.exec(line)?.[0] ?? ''
    const call = callIn(line, unfinished.get(thread))
    if (call === undefined) {
      const [, one, other] = CLOSE.exec(line) ?? []
      const file = one ?? other
      const ended = file === undefined ? undefined : open.get(file)
      if (ended !== undefined) closed.push(ended)
      if (file !== undefined) open.delete(file)
      if (line.trim() !== '') others++
    } else if (call.isUnfinished) unfinished.set(thread, call)
    else {
      const { file, direction, bytes } = call
      unfinished.delete(thread)
      const conversation = open.get(file) ?? { name: `file ${Number.parseInt(file, 10)}`, thread, parts: [] }
      open.set(file, conversation)
      const doubt = file.endsWith('>') || conversation.thread === thread ? undefined : MIXED
      const cutAt = call.isCut || doubt !== undefined ? start : undefined
      if (bytes.length > 0) conversation.parts.push({ direction, bytes, cutAt, doubt })
    }
    start += line.length + 1
  }
  const ignored = others > 0 ? [`${others} other ${others === 1 ? 'line' : 'lines'}`] : []
  const cut = 'strace has cut its strings: use strace -s 65535'
  return readingsOf('lines of strace', [...closed, ...open.values()], ignored, cut)
}

interface Call {
  readonly file: string
  readonly direction: Direction
  readonly bytes: Buffer
  readonly isCut: boolean
  readonly isUnfinished: boolean
}

function callIn(line: string, begun: Unfinished | undefined): Call | undefined {
  const resumed = begun === undefined ? null : RESUMED.exec(line)
  const [, name = '', file = '', rest = ''] =
    resumed === null ? (CALL.exec(line) ?? []) : ['', resumed[1], begun!.file, resumed[2]]
  if (name === '') return undefined
  const direction = /write|send/.test(name) ? 'sent' : 'received'
  const shown = stringsIn(rest)
  const bytes =
    shown.bytes.length === 0 && begun?.bytes !== undefined && resumed !== null ? begun.bytes : shown.bytes
  if (/<unfinished \.\.\.>\s*$/.test(rest)) {
    return { file, direction, bytes, isCut: shown.isCut, isUnfinished: true }
  }
  const result = /\) += +(-?\d+|\?)(?:\s.*)?$/.exec(rest.slice(shown.end))?.[1]
  if (result === undefined) return undefined
  // Bytes that MSG_PEEK returns will be received again.
  if (/\bMSG_PEEK\b/.test(rest.slice(shown.end))) return undefined
  // sendmmsg and recvmmsg return the number of messages, so the number of bytes isn't known.
  if (name.endsWith('mmsg')) return { file, direction, bytes, isCut: true, isUnfinished: false }
  // A call that failed sent nothing, and a call may send less than it was given.
  const size = Math.max(Number(result) || 0, 0)
  return { file, direction, bytes: bytes.subarray(0, size), isCut: bytes.length < size, isUnfinished: false }
}

/** The strings among the arguments of a call: one, or one for each `iov_base`. */
function stringsIn(rest: string): { bytes: Buffer; end: number; isCut: boolean } {
  const chunks: Buffer[] = []
  let end = 0
  let isCut = false
  const isVector = rest.startsWith('[') || rest.startsWith('{')
  for (let at = isVector ? rest.indexOf('iov_base="') + 9 : 0; rest[at] === '"'; ) {
    const close = endOfLiteral(rest, at + 1, '"')
    if (close < 0) throw unreadable('a string of strace has no closing quote')
    chunks.push(bytesOfLiteral(rest.slice(at + 1, close)))
    end = close + 1
    isCut ||= rest.startsWith('...', end)
    const next = isVector ? rest.indexOf('iov_base="', end) : -1
    if (next < 0) break
    at = next + 9
  }
  return { bytes: Buffer.concat(chunks), end, isCut }
}
