import type { Fault } from '../errors/fault.ts'
import { INCOMPLETE, readTwoByteInteger, TOO_LONG, variableByteIntegerEnd } from '../wire/integers.ts'
import { firstInvalidByte } from '../wire/utf8.ts'
import { type Context, fault, faultUnlessAllowed, type Step } from './context.ts'
import type { Field, TopicField, Utf8Field } from './fields.ts'

/*
 * The steps of a check. Each step checks the field that begins at `at` and must not go past `end`, and returns the index after
 * the field or a Fault. Steps keep no state and allocate nothing, and rare cases are in functions of their own, so that the
 * engine can inline the rest. Most of the decoding speed comes from that.
 */

/** A field of `length` bytes. */
export function checkFixed(context: Context, at: number, end: number, field: Field, length: number): Step {
  const next = at + length
  if (next > end) return pastEnd(context, at, end, field, 0)
  if (context.observer !== undefined) context.observer(field, at, at, next)
  return next
}

/** A variable byte integer in its shortest form [MQTT-1.5.5-1]. */
export function checkVariableByteInteger(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  if (at < end && bytes[at]! < 0x80) {
    if (context.observer !== undefined) context.observer(field, at, at, at + 1)
    return at + 1
  }
  const next = checkVariableByteIntegerOfAnyForm(context, bytes, at, end, field)
  return typeof next === 'number' ? (notShortest(context, bytes, at, next, field) ?? next) : next
}

/** A variable byte integer in any form. */
export function checkVariableByteIntegerOfAnyForm(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  const next = variableByteIntegerEnd(bytes, at, end)
  if (next === INCOMPLETE) return pastEnd(context, at, end, field, 0)
  if (next === TOO_LONG) {
    context.observer?.(field, at, at, at + 4)
    return fault(context, 'variable-byte-integer-too-long', field, at)
  }
  if (context.observer !== undefined) context.observer(field, at, at, next)
  return next
}

/** The fault of a variable byte integer that is not in its shortest form [MQTT-1.5.5-1]. */
export function notShortest(
  context: Context,
  bytes: Uint8Array,
  at: number,
  next: number,
  field: Field,
): Fault | undefined {
  // A last byte of 0 adds nothing to the value, so the form isn't the shortest.
  if (bytes[next - 1] !== 0 || next - at === 1) return undefined
  return faultUnlessAllowed(context, 'variable-byte-integer-not-shortest', field, at)
}

/** Binary data with its length prefix. MQTT 5.0 section 1.5.6. */
export function checkBinaryData(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  const content = at + 2
  const next = content > end ? content : content + readTwoByteInteger(bytes, at)
  if (next > end) return pastEnd(context, at, end, field, 2)
  if (context.observer !== undefined) context.observer(field, at, content, next)
  return next
}

/** A UTF-8 string with its length prefix. MQTT 5.0 section 1.5.4. */
export function checkUtf8String(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
): Step {
  const next = checkBinaryData(context, bytes, at, end, field)
  return typeof next === 'number' ? (checkText(context, bytes, at + 2, next, field) ?? next) : next
}

/** The fault of text from `start` to `end` that isn't well-formed UTF-8 or contains U+0000. */
export function checkText(
  context: Context,
  bytes: Uint8Array,
  start: number,
  end: number,
  field: Utf8Field,
): Fault | undefined {
  // Most strings are ASCII, so this loop handles them without calling the complete UTF-8 check.
  for (let i = start; i < end; i++) {
    if (((bytes[i]! - 1) & 0xff) >= 0x7f) return checkMultiByte(context, bytes, i, end, field)
  }
  return undefined
}

/** Continues `checkText` at the first byte that is U+0000 or not ASCII. */
function checkMultiByte(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
): Fault | undefined {
  const invalid = firstInvalidByte(bytes, at, end)
  return invalid < 0 ? undefined : notWellFormed(context, bytes, invalid, field)
}

function notWellFormed(context: Context, bytes: Uint8Array, at: number, field: Utf8Field): Fault {
  return fault(context, bytes[at] === 0 ? field.nul : field.notUtf8, field, at)
}

/** A UTF-8 string that must be a topic name: not empty, and without wildcards. */
export function checkTopicName(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: TopicField,
): Step {
  const next = checkBinaryData(context, bytes, at, end, field)
  return typeof next === 'number' ? (checkTopic(context, bytes, at + 2, next, field) ?? next) : next
}

const PLUS = 0x2b
const HASH = 0x23

/** The fault of text from `start` to `end` that isn't a topic name. */
export function checkTopic(
  context: Context,
  bytes: Uint8Array,
  start: number,
  end: number,
  field: TopicField,
): Fault | undefined {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (((byte - 1) & 0xff) >= 0x7f || byte === PLUS || byte === HASH) {
      return topicFault(context, bytes, start, end, field)
    }
  }
  return end > start ? undefined : emptyTopic(context, start, field)
}

function emptyTopic(context: Context, start: number, field: TopicField): Fault | undefined {
  return faultUnlessAllowed(context, field.empty, field, start - 2)
}

/** The same as `checkTopic` for text that isn't pure ASCII or contains a wildcard. */
function topicFault(
  context: Context,
  bytes: Uint8Array,
  start: number,
  end: number,
  field: TopicField,
): Fault | undefined {
  const invalid = firstInvalidByte(bytes, start, end)
  const wild = wildcardAt(bytes, start, invalid < 0 ? end : invalid)
  const wildcard = wild < 0 ? undefined : faultUnlessAllowed(context, field.wildcard, field, wild)
  return wildcard ?? (invalid < 0 ? undefined : notWellFormed(context, bytes, invalid, field))
}

/** The index of the first wildcard, or -1. */
function wildcardAt(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === PLUS || byte === HASH) return at
  }
  return -1
}

/** The fault of a field that goes past `end`. Its length prefix has `prefix` bytes. */
export function pastEnd(context: Context, at: number, end: number, field: Field, prefix: number): Fault {
  context.observer?.(field, at, Math.min(at + prefix, end), end)
  const code = (Object.hasOwn(field, 'pastEnd') ? field.pastEnd : undefined) ?? 'field-past-end'
  return fault(context, code, field, code === 'packet-incomplete' ? end : at)
}
