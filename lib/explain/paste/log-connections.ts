import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { SIZE, withoutTime } from './log-line.ts'

/*
 * Which lines of a log belong to one connection? Nobody knows the names in a log, so anything that differs between the texts before
 * the bytes may be the name of a connection, except for what differs from line to line anyway: times, sizes, counters, levels and
 * the types of packets.
 */

/** `client 3`, `fd=5`: a number that is a name. */
const NAMED =
  /\b(client|conn|connection|session|sock|socket|fd|peer|thread|tid|pid)(?:[-_]?id)?[\s:=#(["'-]*(?=\d)/gi
/** Such a name, an address, or a channel of Netty. */
const NAMES = new RegExp(`${NAMED.source}\\d+|\\bid: 0x[\\da-f]+|(?:\\d{1,3}\\.){3}\\d{1,3}:\\d+`, 'gi')
/** The process and the thread in Android's log. */
const THREAD = /^(\s*(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d+)\s+(\d+)\s+(\d+)(?=\s+[VDIWEF]\s)/
const packets: ReadonlySet<string> = new Set(Object.keys(ControlPacketType))
const LEVEL = /^(?:trace|debug|info|notice|warn|warning|error|fatal|[tdvinwef])$/i
const TIME = /^(?:\d{4}-)?\d\d-\d\d$|^\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?Z?$/
const NUMBER = /^\d+(?:\.\d+)?$/

/** The words of a text that may name a connection, and the numbers that may count. */
function wordsIn(before: string): string[] {
  return withoutTime(before.replace(THREAD, '$1 $2/$3'))
    .replace(SIZE, ' ')
    .replace(NAMED, '$1-')
    .split(/[\s=]+/)
    .map((word) => word.replace(/^[([{<"'|#]+|(?<![)\]}>"'|:;,])[)\]}>"'|:;,]+$/g, ''))
    .filter(
      (word) => /\w/.test(word) && !packets.has(word.toLowerCase()) && !LEVEL.test(word) && !TIME.test(word),
    )
}

/** The names of connections in a line above bytes. Other words differ from line to line in any log. */
export function namesIn(line: string): string {
  return (line.match(NAMES) ?? []).join(' ')
}

/** True for numbers that grow from line to line. A time at the beginning may stay the same. */
function areCounter(values: readonly string[], isFirst: boolean): boolean {
  return values.every((value, i) => {
    const step = i === 0 ? 1 : Number(value) - Number(values[i - 1])
    return NUMBER.test(value) && (step > 0 || (isFirst && step === 0))
  })
}

/** For each text before bytes, what distinguishes it from the others: the same for all if they are of one connection. */
export function connectionsOf(texts: readonly string[]): readonly string[] {
  const lists = texts.map(wordsIn)
  const [first = []] = lists
  if (lists.some((words) => words.length !== first.length))
    return lists.map((words) => words.filter((word) => !NUMBER.test(word)).join(' '))
  const isName = first.map((word, i) => {
    const values = lists.map((words) => words[i]!)
    return values.some((value) => value !== word) && !areCounter(values, i === 0)
  })
  return lists.map((words) => words.filter((_, i) => isName[i]).join(' '))
}
