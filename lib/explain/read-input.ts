import { Buffer } from 'buffer'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { firstInvalidByte } from '../wire/utf8.ts'
import { connectionsIn, withoutMqtt } from './capture/connections.ts'
import { isCapture } from './capture/signature.ts'
import { unwrapped } from './capture/websocket.ts'
import { groupsOf } from './groups.ts'
import { readDamaged } from './paste/damaged.ts'
import { beginsConnect } from './paste/looks-like-packet.ts'
import type { Problem, Reading, Readings } from './paste/paste.ts'
import { readPaste } from './paste/read-paste.ts'
import { nameOf } from './paste/whole-text.ts'
import type { Side, Stream } from './streams.ts'

/** One way to read a text, or one connection of a capture. */
export interface Choice {
  /** Its name in a list of choices. */
  readonly name: string
  /** One stream, or one for each direction, the client's first. */
  readonly streams: readonly Stream[]
  /** Descriptions of what was left out. */
  readonly ignored: readonly string[]
}

/** The packets in pasted text or in a file. */
export interface Found {
  readonly choices: readonly Choice[]
  /** True if the choices are connections, of a capture or of a text. Otherwise, they're ways to read a text. */
  readonly areConnections: boolean
  readonly problem?: undefined
}

/** The reason why an input can't be read. */
export interface Unread extends Problem {
  /** The part that can be read nevertheless. */
  readonly known?: Choice
}

/** The packets in a text, or the reason why there are none. */
export function readText(text: string): Found | Unread {
  const paste = readPaste(text)
  if (paste.problem === undefined) return foundIn(paste)
  const damaged = readDamaged(text, paste)
  if (damaged === undefined) return paste
  const { choices = [] } = foundIn(damaged) as Found
  return choices.length === 1 ? { ...paste, known: choices[0]! } : paste
}

function foundIn({ readings, parts }: Readings): Found | Problem {
  if (readings.length === 1 && isCapture(readings[0]!.bytes)) return readCapture(readings[0]!.bytes)
  const all = readings.map(withoutFrames)
  const connections = groupsOf(all, ({ connection }) => connection)
  if (all.length > 1 && !connections.has(undefined)) {
    return { choices: Array.from(connections.values(), connectionOf), areConnections: true }
  }
  const choices =
    parts !== undefined && all.length > 1
      ? [connectionOf(all)]
      : all.map((one) => ({ name: nameOf(one), streams: [streamOf(one)], ignored: one.ignored }))
  return { choices, areConnections: false }
}

/** The packets in a file: a capture, a text, or the bytes themselves. */
export function readContent(content: Buffer): Found | Unread {
  if (isCapture(content)) return readCapture(content)
  const text = textOf(content)
  if (text !== undefined) return readText(text)
  const { bytes, ignored } = withoutFrames({ form: 'bytes', bytes: content, ignored: [] })
  return { choices: [{ name: 'bytes', streams: [{ bytes }], ignored }], areConnections: false }
}

function readCapture(file: Buffer): Found | Problem {
  let choices: readonly Choice[]
  try {
    choices = connectionsIn(file)
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'it begins like a capture file, but is none' }
    throw error
  }
  if (choices.length > 0) return { choices, areConnections: true }
  return { problem: withoutMqtt(file) }
}

/** Control characters that no text has. Those before a bracket and a letter are of a terminal. */
const NO_TEXT = /(?!\s|\p{Cc}\[[\d;]*[a-z])\p{Cc}/iu

/**
 * The text of a file in UTF-8, in UTF-16 as PowerShell writes it, or mostly in ASCII. `undefined` if it has other control characters, as
 * every MQTT packet has.
 */
export function textOf(content: Uint8Array): string | undefined {
  const encoding = encodingOf(content)
  const text = new TextDecoder(encoding).decode(content)
  if (NO_TEXT.test(text)) return undefined
  const isForeign = encoding === 'latin1' && text.replace(/[^ -~\s]+/g, '').length < MOSTLY * text.length
  return isForeign ? undefined : text
}

/** The share of ASCII that makes a file in another encoding a text. */
const MOSTLY = 0.8

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1' {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return firstInvalidByte(content, 0, content.length) < 0 ? 'utf-8' : 'latin1'
}

/** The MQTT in the frames of a WebSocket, if the bytes are frames. */
function withoutFrames(reading: Reading): Reading {
  const { bytes, ignored } = unwrapped(reading.bytes) ?? {}
  if (bytes === undefined || bytes.length === 0) return reading
  return { ...reading, bytes: Buffer.from(bytes), ignored: [...reading.ignored, ignored!] }
}

/** A connection that a text shows. */
function connectionOf(readings: readonly Reading[]): Choice {
  const { form, ignored } = readings[0]!
  return { name: form, streams: sidesOf(readings), ignored }
}

/** Both directions, the client first. It's the side with a CONNECT, or else the side that wrote the log. */
function sidesOf(readings: readonly Reading[]): Stream[] {
  const client =
    readings.find(({ bytes }) => beginsConnect(bytes)) ??
    readings.find(({ bytes }) => bytes[0] !== ControlPacketType.connack) ??
    readings[0]!
  return [client, ...readings.filter((one) => one !== client)].map((one) =>
    streamOf(one, one === client ? 'client' : 'server'),
  )
}

function streamOf({ bytes, rest }: Reading, from?: Side): Stream {
  return { bytes, ...(from !== undefined && { from }), ...(rest !== undefined && { rest }) }
}
