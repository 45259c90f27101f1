import type { Buffer } from 'buffer'
import { type CodeField, type Field, fixedHeaderField, remainingLengthField } from '../codec/fields.ts'
import { protocolLevelField } from '../codec/layout.ts'
import type { PropertyRule } from '../codec/property-list.ts'
import { keepAliveField } from '../packets/connect/layouts.ts'
import { packetIdField } from '../packets/opaque-packet.ts'
import { anyProperty } from '../packets/properties.ts'
import { jsonText } from '../packets/text.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import { BRIDGE_BIT, versionOf } from '../protocol/version.ts'
import {
  INCOMPLETE,
  readInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  TOO_LONG,
  variableByteIntegerEnd,
} from '../wire/integers.ts'
import { firstInvalidByte } from '../wire/utf8.ts'
import { bitFields } from './bit-fields.ts'

/** The value of a field that ends too early. */
export const CUT_SHORT = 'cut short'

/** The number of characters of a string that are shown. */
const LONGEST_TEXT = 60

/** The numbers of bytes that are shown in hex from the start and from the end. */
const FIRST_SHOWN = 24
const LAST_SHOWN = 7

/** `1 byte`, `2 bytes` */
export function count(bytes: number): string {
  return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
}

/** `sessionExpiryInterval` as `session expiry interval` */
export function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bqos\b/, 'QoS')
}

/** The functions that read fields of fixed length, unless they consist of bits or are a code. */
const readers: ReadonlyMap<Field, readonly [length: number, text: (bytes: Buffer) => string]> = new Map<
  Field,
  readonly [number, (bytes: Buffer) => string]
>([
  [fixedHeaderField, [1, (bytes) => controlPacketName(bytes[0]! & 0xf0) ?? 'reserved packet type']],
  [protocolLevelField, [1, (bytes) => levelText(bytes[0]!)]],
  [keepAliveField, [2, (bytes) => keepAliveText(readTwoByteInteger(bytes, 0))]],
  [packetIdField, [2, (bytes) => `${readTwoByteInteger(bytes, 0)}`]],
])

/** The value of a field without a length prefix. */
export function fieldText(field: Field, bytes: Buffer): string {
  if (field === remainingLengthField || Object.hasOwn(field, 'rules')) return lengthText(bytes)
  const hasCodes = Object.hasOwn(field, 'codes')
  if ((hasCodes || bitFields.has(field)) && bytes.length === 1) {
    return hasCodes ? codeText(field as CodeField, bytes[0]!) : `0x${bytes.toString('hex')}`
  }
  const reader = readers.get(field)
  // Fields whose length prefix is incomplete get here too.
  return reader === undefined || bytes.length < reader[0] ? CUT_SHORT : reader[1](bytes)
}

/** The value of a Remaining Length or of a property length. */
function lengthText(bytes: Buffer): string {
  const end = variableByteIntegerEnd(bytes, 0, bytes.length)
  if (end === INCOMPLETE) return CUT_SHORT
  return end === TOO_LONG ? 'goes on after 4 bytes' : count(readVariableByteInteger(bytes, 0, end))
}

function levelText(level: number): string {
  const version = versionOf(level)
  if (version !== undefined) return `${level} (MQTT ${version.label})`
  const ofBridge = versionOf(level & ~BRIDGE_BIT)
  return ofBridge?.hasBridges ? `${level} (MQTT ${ofBridge.label}, bridge bit)` : `${level}`
}

function keepAliveText(seconds: number): string {
  return seconds === 0 ? '0 s (turned off)' : `${seconds} s`
}

function codeText({ name: field, codes }: CodeField, code: number): string {
  const digits = field === 'returnCode' ? `${code}` : `0x${code.toString(16).padStart(2, '0')}`
  const name = codes.names[code]
  return name === undefined ? `${digits}, unknown` : `${digits} (${words(name)})`
}

/** The value of a property's identifier, which is its name. */
export function identifierText(bytes: Buffer): string {
  const end = variableByteIntegerEnd(bytes, 0, bytes.length)
  if (end < 0) return CUT_SHORT
  const id = readVariableByteInteger(bytes, 0, end)
  const rule = anyProperty[id]
  return rule === undefined ? `0x${id.toString(16).padStart(2, '0')}, unknown` : words(rule.name)
}

/** The value of a property whose value is a number. */
export function propertyText({ name, width, unit }: PropertyRule, bytes: Buffer): string {
  if (bytes.length < Math.max(width, 1)) return CUT_SHORT
  const value = readInteger(bytes, 0, width)
  if (name === 'payloadFormatIndicator' && value <= 1) {
    return `${value} (${value === 0 ? 'binary' : 'string'})`
  }
  return unit === undefined ? `${value}` : `${value} ${unit}`
}

/**
 * The content of a string or of binary data.
 *
 * @param declared the length in its prefix, which is larger than the content if that is cut short
 * @param fault the index of the faulty byte; outside `content` if there is none
 * @param shown the number of bytes that may be shown; up to the fault, if there is one
 */
export function contentText(content: Buffer, declared: number, fault: number, shown: number): string {
  if (declared > content.length) return `${quoted(content)} (${content.length} of ${count(declared)})`
  if (fault < 0 || fault >= content.length) return quoted(content)
  const before = fault === 0 ? '' : `${quoted(content.subarray(0, fault))}, then `
  const hidden = content.length - shown
  const rest = hidden === 0 ? '' : `, then ${count(hidden)} not shown`
  return `${before}0x${content.toString('hex', fault, fault + 1)}${rest}`
}

/** Bytes as a string in quotes, cut off if it's long. If they aren't text, their number. */
function quoted(bytes: Buffer): string {
  if (firstInvalidByte(bytes, 0, bytes.length) >= 0) return `${count(bytes.length)} of binary data`
  // A character takes at most four bytes. An incomplete one at the end is dropped.
  const characters = [...bytes.toString('utf8', 0, 4 * LONGEST_TEXT + 4)]
  if (characters.length <= LONGEST_TEXT) return inQuotes(characters.join(''))
  return `${inQuotes(characters.slice(0, LONGEST_TEXT).join(''))}… (${count(bytes.length)})`
}

/** A string in quotes, with characters escaped that are invisible or change the direction of text. */
function inQuotes(text: string): string {
  return jsonText(text)
}

/** Stands for a byte that can't be read, where others are two hex digits. */
export const UNREADABLE = '??'

/** Bytes in hex, with `**` for those after the first `shown`. Long values have only their first and last bytes. */
export function hexText(bytes: Buffer, shown: number): string {
  const tokens: string[] = []
  const { length } = bytes
  const cut = length > FIRST_SHOWN + LAST_SHOWN + 1
  for (let at = 0; at < length; at++) {
    if (cut && at === FIRST_SHOWN) {
      tokens.push('…')
      at = length - LAST_SHOWN
    }
    tokens.push(at < shown ? bytes.toString('hex', at, at + 1) : '**')
  }
  return tokens.join(' ')
}
