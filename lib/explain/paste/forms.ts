import { readArray } from './arrays.ts'
import { bytesFromBase64 } from './base64.ts'
import { checkBeginning } from './beginning.ts'
import { areDigits, bytesFromDigits } from './digits.ts'
import { readDump } from './dumps.ts'
import { isFollowed, readFollowed } from './follow-stream.ts'
import { bytesFromMemory, isOfMemory } from './memory.ts'
import { bytesFromNode, NODE_BUFFER } from './node.ts'
import type { Form, Found } from './paste.ts'
import { bytesFromPercents } from './percents.ts'
import { bytesFromSigned } from './signed.ts'
import { isSocat, readSocat } from './socat.ts'
import { bytesFromEscapes, bytesFromQuotedHex } from './strings.ts'
import { isTcpdump, readTcpdump } from './tcpdump.ts'

/** The forms of bytes in a line of a log or in a whole text. The first one that can read the text is used. */
export const simpleForms: readonly Form[] = [
  {
    name: NODE_BUFFER,
    recognises: (text) => /^\s*<Buffer[\s>]/.test(text),
    read: (text) => bytesFromNode(text.trim()),
  },
  {
    name: 'a string with escapes',
    recognises: (text) => /^\s*(?:\\x|(?:bytearray)?(?:\(\s*)?b?["'`](?!``))/.test(text),
    read: (text) => bytesFromEscapes(text),
  },
  {
    name: 'memory as a debugger shows it',
    recognises: isOfMemory,
    read: (text) => bytesFromMemory(text.trim()),
  },
  {
    name: 'a dump',
    recognises: (text) => /^[\da-f:x\s]{4}|\n[\da-f:x\s]{4}/i.test(text),
    read: readDump,
  },
  // The text of a string or beside a dump may have brackets.
  {
    name: 'an array',
    recognises: (text) => /[[{(<]/.test(text),
    read: (text) => readArray(text.trim()),
  },
  { name: 'digits', recognises: areDigits, read: bytesFromDigits },
  {
    name: 'percent-encoded bytes',
    recognises: (text) => text.includes('%'),
    read: (text) => bytesFromPercents(text.trim()),
  },
  {
    name: 'hex',
    recognises: (text) => /^\s*(?:[$<[][\da-f]{2}|[\da-f]{2}h\b)/i.test(text),
    read: bytesFromSigned,
  },
]

function readWholeDigits(text: string): Found | undefined {
  const found = bytesFromDigits(text)
  const lines = text
    .trim()
    .split('\n')
    .map((body) => ({ before: '', body }))
  // Nothing is before bytes without separators.
  const hasNumber = /[\s,:;-]/.test(lines[0]!.body.trim())
  for (const { bytes } of found?.readings ?? []) checkBeginning(lines, bytes, hasNumber ? bytes.length : 0)
  return found && { readings: found.readings.map((reading) => ({ ...reading, isOfDigits: true })) }
}

/** What programs print about a connection, with the numbers of its bytes. */
export const counted: readonly Form[] = [
  { name: 'packets of tcpdump or tshark', recognises: isTcpdump, read: readTcpdump },
  { name: 'lines of socat', recognises: isSocat, read: readSocat },
  { name: "Wireshark's Follow Stream", recognises: isFollowed, read: readFollowed },
]

/** The forms of whole texts that are nothing but bytes. */
export const forms: readonly Form[] = [
  // The lines of a log are checked when all of them are known.
  ...simpleForms.map((form) => (form.read === bytesFromDigits ? { ...form, read: readWholeDigits } : form)),
  {
    name: 'hex',
    recognises: (text) => /^\s*b?["']/.test(text),
    read: (text) => bytesFromQuotedHex(text.trim()),
  },
  {
    name: 'base64',
    recognises: (text) => !/[^\w+/\-=\s]/.test(text),
    read: (text) => bytesFromBase64(text.trim()),
  },
]
