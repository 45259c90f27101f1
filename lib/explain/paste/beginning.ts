import { Buffer } from 'buffer'
import { unwrapped } from '../capture/websocket.ts'
import { chains } from '../further-packets.ts'
import { endOfTime } from './log-line.ts'
import { beginsConnect } from './looks-like-packet.ts'
import { unreadable } from './unreadable.ts'

/*
 * A line may have a time, a port or a number before its bytes, and its end may look like bytes. Only whole packets, or the beginning of a
 * CONNECT, prove where the bytes begin. If other bytes have a doubtful beginning, they are refused.
 */

/** A line with the text before its bytes. */
interface Line {
  readonly before: string
  readonly body: string
}

const PROBLEM = 'a time or a number may be before the bytes'

/** The maximum number of bytes that a time, a port or a number before a packet may pass for. */
const MOST_BEFORE = 8

/**
 * @param first the number of bytes in the first lines
 * @throws Unreadable if something before the bytes may be bytes, or the first bytes may be the end of a time, of an address or a number
 */
export function checkBeginning(lines: readonly Line[], bytes: Buffer, first: number): void {
  const areWhole = chains(bytes, 0) || unwrapped(bytes) !== undefined
  if (areWhole) {
    if (lines.some((line) => isDoubtful(line) && othersOf(line).some((other) => chains(other, 0))))
      throw unreadable(PROBLEM)
    return
  }
  const isConnect = beginsConnect(bytes)
  // The lines begin alike, so a CONNECT in the first one proves where the others begin.
  const isWrong = (line: Line, i: number): boolean =>
    isConnect ? tailOf(line) !== '' || (i > 0 && hasOtherFirst(line.body)) : isDoubtful(line)
  if (lines.some(isWrong)) throw unreadable(PROBLEM)
  if (isConnect) return
  const isPacket = (packet: Buffer): boolean =>
    beginsConnect(packet) || (packet.length > 1 && chains(packet, 0))
  for (let at = 1; at <= MOST_BEFORE && at < first; at++)
    if (isPacket(bytes.subarray(at))) throw unreadable(PROBLEM)
}

/** Hex digits, and a sign without a space before the bytes: `00:10:`, `+10:` */
const GLUED = /((?<!\w)[\da-f]{1,16}|[\da-f]\d|\d[\da-f])[:=]$/i

/** The end of the text before bytes, if it may be bytes: a number of a list with colons, or a year before groups of four digits. */
function tailOf({ before, body }: Line): string {
  if (/^[\da-f]+:/i.test(body)) return GLUED.exec(before)?.[1] ?? ''
  if (!/^[\da-f]{3}/i.test(body)) return ''
  return /^\s*([\da-f]{4})\s+$/i.exec(endOfTime(before.slice(before.indexOf('\n') + 1)))?.[1] ?? ''
}

function isDoubtful(line: Line): boolean {
  const { before, body } = line
  const isPart = GLUED.test(before) || (/[:=]$/.test(before) && /^(?:[\da-f]+[\s,;]+\w|\d+:)/i.test(body))
  return isPart || tailOf(line) !== '' || hasOtherFirst(body)
}

/** The separators after the first two groups of a line. */
const FIRST_GAPS = /^\w+([\s,:;-]+)\w+([\s,:;-]+)\w/

/**
 * True if hex begins with a group of another size than the next one, or with another separator behind it. Only at the end, a group may be
 * shorter than the others.
 */
function hasOtherFirst(body: string): boolean {
  const [first = '', second = first, third] = body.trim().split(/[\s,:;-]+/, 3)
  if (/[^\da-f]/i.test(first + second)) return false
  const [, gap, next] = FIRST_GAPS.exec(body.trim()) ?? []
  if (gap !== next) return true
  if (first.length % 2 === 1 || second.length % 2 === 1) return false
  return first.length !== second.length && (third !== undefined || second.length > first.length)
}

/** The bytes of a line with the number before them, and without their first number. */
function othersOf(line: Line): Buffer[] {
  const { body } = line
  const digits = body.replace(/[\s,:;-]+/g, '')
  const rest = body.replace(/^\d+[\s,:;-]+/, '').replace(/[\s,:;-]+/g, '')
  return [tailOf(line) + digits, rest]
    .filter((hex) => hex !== digits && /^(?:[\da-f]{2})+$/i.test(hex))
    .map((hex) => Buffer.from(hex, 'hex'))
}
