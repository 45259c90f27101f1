import { Buffer } from 'buffer'
import { packetTypeOf } from '../../codec/fixed-header.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { PropertyId } from '../../protocol/property-table.ts'
import { readTwoByteInteger } from '../../wire/integers.ts'
import { packetEnds } from '../further-packets.ts'
import { holdsConnect } from './looks-like-packet.ts'

/*
 * Finds packets whatever the signs are with which their bytes are written: `<10><0c>`, `$10 $0c`, `[0]=0x10, [1]=0x0c`, `chr(16).chr(12)`,
 * one byte in a line. All of them are numbers with something between them, so only the numbers are read, in each base.
 */

/** A word, and the digits of one that is a number. */
const WORD = /[\da-z]+/gi
const NUMBER = /^(?:0?x|u00|u|0b)?([\da-f]+?)h?$/i
/** What's in front of a number below 0. The sign of minus after another number is one between two numbers. */
const NEGATIVE = /(?:^|[^\da-z])-$/i
/** PINGREQ, PINGRESP, DISCONNECT and AUTH in one word, whatever is before it in a table. */
const SHORT = /^[c-f]000$/i
/** The number of digits of a word that may be a packet, whatever is beside it. */
const LONG = 8
/** A date or a time, which would be at the beginning of a list. */
const TIME = /(?<![\w:.-])(?:\d{4}[-/]\d\d[-/]\d\d|\d{1,2}:\d\d:\d\d(?:\.\d+|,\d{3}(?!\d))?)(?=[T\s\]),]|$)/g

/** A character, which gdb prints after its number. */
const CHARACTER = /'(?:\\{1,4}[0-7]{1,3}|\\{0,4}[^'\n])'(?!:)/g
/** A blank in a string. */
const BLANK = /\\{1,4}[nrt]/g

/** A number, and the text between the number before and this one. Its sign isn't a part of that text. */
interface Numeral {
  readonly gap: string
  readonly digits: string
  readonly isNegative: boolean
}

/** The longest text between two numbers of a list. */
const LONGEST_GAP = 24
/** The largest number of texts that come in turns between the numbers of a list: `[0]=0x10, [1]=` has two. */
const LONGEST_PERIOD = 3
/** The maximum number of other numbers before the packets: a counter, or an address. */
const MOST_BEFORE = 6

/** True if the numbers in a text are packets. */
export function hasNumbersOfPackets(text: string): boolean {
  const numerals = numeralsIn(text.replace(TIME, 'T').replace(CHARACTER, '').replace(BLANK, ' '))
  const isBare = (at: number) => !/[\da-z]/i.test(numerals[at]!.gap)
  const isAlone = (numeral: Numeral) =>
    SHORT.test(numeral.digits) || (numeral.digits.length >= LONG && arePackets([numeral]))
  if (numerals.some(isAlone) || listsIn(numerals, 0, isBare).some(arePackets)) return true
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    const repeats = (at: number) => numerals[at]!.gap === numerals[at - period]!.gap
    for (const list of listsIn(numerals, period, repeats)) {
      if (list.length < period + 2) continue
      // Lists with the same text between all numbers have been read already.
      if (period > 1 && list[1]!.gap === list[2]!.gap) continue
      for (let first = 0; first < period; first++)
        if (arePackets(list.filter((_, at) => at % period === first))) return true
    }
  }
  return false
}

function numeralsIn(text: string): Numeral[] {
  const numerals: Numeral[] = []
  let last = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const digits = NUMBER.exec(word)?.[1]
    if (digits === undefined) continue
    const isNegative = NEGATIVE.test(text.slice(Math.max(index - 2, 0), index))
    const gap = index - last > LONGEST_GAP ? 'far' : text.slice(last, isNegative ? index - 1 : index)
    numerals.push({ gap, digits, isNegative })
    last = index + word.length
  }
  return numerals
}

/** The longest lists in which each number continues the list, except for the first one and `period` numbers after it. */
function listsIn(
  numerals: readonly Numeral[],
  period: number,
  continues: (at: number) => boolean,
): readonly Numeral[][] {
  const lists: Numeral[][] = []
  let start = 0
  for (let at = 1; at <= numerals.length; at++) {
    if (at < numerals.length && ((at > start && at - start <= period) || continues(at))) continue
    lists.push(numerals.slice(start, at))
    start = Math.max(start + 1, at - period)
  }
  return lists
}

/** The digits of hex for a number in each base; `undefined` if the number isn't a byte in that base. */
const bases: readonly ((numeral: Numeral) => string | undefined)[] = [
  ({ digits }) => (digits.length % 2 === 0 ? digits : digits.length === 3 ? undefined : `0${digits}`),
  ({ digits }) => (/^0[\da-f]{2}$/i.test(digits) ? digits.slice(1) : undefined),
  ({ digits, isNegative }) =>
    /^\d{1,3}$/.test(digits) ? hexOfByte(isNegative ? -digits : +digits) : undefined,
  ({ digits }) => (/^[0-3]?[0-7]{1,2}$/.test(digits) ? hexOfByte(Number.parseInt(digits, 8)) : undefined),
  ({ digits }) =>
    /^(?:[01]{4})+$/.test(digits)
      ? digits.replace(/[01]{4}/g, (bits) => Number.parseInt(bits, 2).toString(16))
      : undefined,
]

function hexOfByte(value: number): string | undefined {
  return value >= -0x80 && value <= 0xff ? (value & 0xff).toString(16).padStart(2, '0') : undefined
}

/** True if numbers are packets in one base, between numbers that aren't bytes in that base: `mqtt.c:345: 2002 0000` */
function arePackets(list: readonly Numeral[]): boolean {
  return bases.some((base) => {
    const words = list.map((numeral) => base(numeral) ?? '')
    return words.some((word, at) => word !== '' && (words[at - 1] ?? '') === '' && haveWords(words, at))
  })
}

function haveWords(words: readonly string[], start: number): boolean {
  const end = words.indexOf('', start)
  const own = words.slice(start, end < 0 ? words.length : end)
  const bytes = Buffer.from(own.join(''), 'hex')
  if (holdsConnect(bytes)) return true
  let at = 0
  for (const word of own.slice(0, MOST_BEFORE + 1)) {
    if (Number.isInteger(at) && arePlausible(bytes, at)) return true
    at += word.length / 2
  }
  return false
}

/** True for packets that are hardly anything else by chance. One other byte may follow, such as their size. */
export function arePlausible(bytes: Buffer, start: number): boolean {
  let at = start
  for (const end of packetEnds(bytes, start)) {
    if (!isPlausible(bytes.subarray(at, end))) return false
    at = end
  }
  return at > start && (at === bytes.length || (at === bytes.length - 1 && at - start > 2))
}

/** The packets that may have no body. */
const withoutBody: ReadonlySet<number> = new Set([
  ControlPacketType.pingreq,
  ControlPacketType.pingresp,
  ControlPacketType.disconnect,
])
/** The packets that are a packet identifier, and since MQTT 5.0 maybe a reason code and properties. */
const ofIdentifier: ReadonlySet<number> = new Set([
  ControlPacketType.puback,
  ControlPacketType.pubrec,
  ControlPacketType.pubrel,
  ControlPacketType.pubcomp,
])
/** The first characters of a topic are enough, because a text may have many beginnings of packets. */
const FEW = 64

/** True for a packet that's hardly anything else by chance. */
export function isPlausible(packet: Buffer): boolean {
  const type = packetTypeOf(packet[0]!)
  if (type === ControlPacketType.publish) {
    const topic = readTwoByteInteger(packet, 2)
    // An alias stands for an empty topic.
    if (topic === 0) return packet[packet[0]! & QOS ? 7 : 5] === PropertyId.topicAlias
    return 4 + topic <= packet.length && isTopic(packet.subarray(4, 4 + Math.min(topic, FEW)))
  }
  if (type === ControlPacketType.connack) return packet.length > 3 && packet[2]! <= 1 && hasReason(packet, 3)
  if (ofIdentifier.has(type)) return packet.length > 3 && hasReason(packet, 4)
  if (type === ControlPacketType.auth) return hasReason(packet, 2)
  return packet.length > 3 || withoutBody.has(type)
}

/** The QoS in the first byte of a PUBLISH. */
const QOS = 6

/** True if the bytes from `at` on are nothing, a reason code, or a reason code and a list of properties of less than 128 bytes. */
function hasReason(packet: Buffer, at: number): boolean {
  return packet.length <= at + 1 || packet[at + 1] === packet.length - at - 2
}

/** True for text without control characters, of which the last character may be cut. */
function isTopic(bytes: Buffer): boolean {
  return !/[\p{Cc}\ufffd]/u.test(bytes.toString().replace(/\ufffd$/, ''))
}

/** The control characters, as terminals and serial monitors print them. */
const controls: readonly string[] =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  )

/** A byte within text: `\x10`, `\u0010`, `\u{10}`, `<10>`, `%10`, `\20`, `\n`, `<DLE>`, `^P`, `M-@`, `À`. Within two strings, a backslash is doubled. */
const ESCAPE = new RegExp(
  String.raw`(?:\\{1,4}(?:x|u00)|%)([\da-f]{2})|(?:\\{1,4}u\{|[<{[])([\da-f]{1,2})[>}\]]|\\{1,4}([0-3]?[0-7]{1,2})|\\{1,4}([abefnrtv])|[<{[](${controls.join('|')})[>}\]]|\^([@-_])|M-(\^?[ -~])|([\x80-\xff])`,
  'gi',
)

/** True if a text has packets in which at least two bytes are escaped. */
export function hasEscapedPackets(text: string): boolean {
  let bytes = ''
  let end = 0
  const escapes: number[] = []
  for (const match of text.matchAll(ESCAPE)) {
    bytes += text.slice(end, match.index)
    escapes.push(bytes.length)
    bytes += String.fromCharCode(byteOf(match))
    end = match.index + match[0].length
  }
  if (escapes.length < 2) return false
  const all = Buffer.from(bytes + text.slice(end), 'latin1')
  if (holdsConnect(all)) return true
  // The first byte and the length may be printable characters.
  return escapes.some((at, i) =>
    [at, at - 1, at - 2].some((start) => isEscapedPacket(all, start, escapes[i + 1])),
  )
}

function isEscapedPacket(bytes: Buffer, at: number, secondEscape: number | undefined): boolean {
  if (at < 0 || secondEscape === undefined) return false
  const { value: end } = packetEnds(bytes, at).next()
  return typeof end === 'number' && secondEscape < end && isPlausible(bytes.subarray(at, end))
}

function byteOf([, hex, inBrackets, octal, letter, control, caret, meta, high]: readonly (
  | string
  | undefined
)[]): number {
  const digits = hex ?? inBrackets
  if (digits !== undefined) return Number.parseInt(digits, 16)
  if (octal !== undefined) return Number.parseInt(octal, 8)
  if (letter !== undefined) return letter === 'e' ? 0x1b : 'abtnvfr'.indexOf(letter.toLowerCase()) + 7
  if (control !== undefined) return controls.indexOf(control.toUpperCase())
  if (high !== undefined) return high.charCodeAt(0)
  // `M-^@` is 0x80, `M-@` is 0xc0.
  const code = (caret ?? meta)!.charCodeAt((meta?.length ?? 1) - 1)
  return (caret !== undefined || meta!.length > 1 ? code & 0x1f : code) | (meta === undefined ? 0 : 0x80)
}
