import type { Buffer } from 'buffer'
import type { RelaxableCode } from '../errors/error-table.ts'
import type { Fault } from '../errors/fault.ts'
import { readTwoByteInteger, writeInteger } from '../wire/integers.ts'
import { writeBinaryData, writeUtf8String } from '../wire/primitives.ts'
import {
  BINARY_DATA,
  type Context,
  FIXED,
  type Format,
  fault,
  faultUnlessAllowed,
  LISTED,
  type Place,
  PREFIXED,
  PROPERTIES,
  type PropertyValues,
  type Step,
  TOPIC_NAME,
  UTF8_STRING,
} from './context.ts'
import { type Field, leftOverField, remainingLengthField, type TopicField, type Utf8Field } from './fields.ts'
import { checkProperties, countProperties, propertiesEnd } from './properties.ts'
import type { PropertyList } from './property-list.ts'
import { checkBinaryData, checkFixed, checkTopicName, checkUtf8String } from './steps.ts'
import { writeProperties } from './write-properties.ts'

/*
 * The three operations on a layout: check a packet, write it, and locate a field.
 */

/** Checks the packet whose variable header begins at `start`, in wire order, and returns the first fault. */
export function check(context: Context, bytes: Uint8Array, start: number, format: Format): Fault | undefined {
  const { fixedRules, fixedWidth } = format
  const end = bytes.length
  if (start === end && format.empty !== undefined) return emptyFault(context, format, format.empty)
  const flags = bytes[start + format.flagsOffset]!
  let at = start + fixedWidth
  if (context.observer === undefined && at <= end) {
    // Fast path: all fixed fields are present, so only their rules remain to be checked. Saves a quarter of the time.
    for (let i = 0; i < fixedRules.length; i++) {
      const { rule, offset, width } = fixedRules[i]!
      const wrong = rule!(context, bytes, start + offset, start + offset + width, flags)
      if (wrong !== undefined) return wrong
    }
  } else {
    const wrong = checkFixedFields(context, bytes, start, format, flags)
    if (wrong !== undefined) return wrong
  }
  const others = format.others[flags]!
  for (let i = 0; i < others.length; i++) {
    const place = others[i]!
    const { rule, step } = place
    if (at === end && place.mayBeAbsent) continue
    // Each step is called directly, so that the engine can inline the most frequent ones into this loop.
    let next: Step
    switch (step) {
      case UTF8_STRING:
        next = checkUtf8String(context, bytes, at, end, place.field as Utf8Field)
        break
      case TOPIC_NAME:
        next = checkTopicName(context, bytes, at, end, place.field as TopicField)
        break
      case BINARY_DATA:
        next = checkBinaryData(context, bytes, at, end, place.field)
        break
      case PROPERTIES:
        next = checkProperties(context, bytes, at, end, place.field as PropertyList)
        break
      default:
        next = checkFixedField(context, at, end, place)
    }
    if (typeof next !== 'number') return next
    if (rule !== undefined) {
      const wrong = rule(context, bytes, at, next, flags)
      if (wrong !== undefined) return wrong
    }
    at = next
  }
  return at === end ? undefined : leftOverFault(context, bytes, at, format.layout.length)
}

/** Checks the fixed fields one by one, for an observer or because some are missing. */
function checkFixedFields(
  context: Context,
  bytes: Uint8Array,
  start: number,
  { fixed }: Format,
  flags: number,
): Fault | undefined {
  let at = start
  for (const place of fixed) {
    const next = checkFixedField(context, at, bytes.length, place)
    if (typeof next !== 'number') return next
    const wrong = place.rule?.(context, bytes, at, next, flags)
    if (wrong !== undefined) return wrong
    at = next
  }
  return undefined
}

function checkFixedField(context: Context, at: number, end: number, { kind, field, width }: Place): Step {
  return kind === 'protocol' ? observeProtocol(context, at) : checkFixed(context, at, end, field, width)
}

/** A Remaining Length of 0 that stands for a reason code of 0. */
const NO_BODY = Uint8Array.of(0, 0)

function emptyFault(context: Context, { layout }: Format, code: RelaxableCode): Fault | undefined {
  const wrong = faultUnlessAllowed(context, code, remainingLengthField, 1)
  return wrong ?? layout[0]!.rule?.(context, NO_BODY, 1, 2, 0)
}

/** Protocol name and level have been compared already, because they select the layout. */
function observeProtocol({ observer, header }: Context, at: number): number {
  const next = at + header.length
  if (observer !== undefined) {
    observer(protocolNameField, at, at + 2, next - 1)
    observer(protocolLevelField, next - 1, next - 1, next)
  }
  return next
}

export const protocolNameField: Field = { name: 'protocolName', section: '3.1.2.1' }
export const protocolLevelField: Field = { name: 'protocolLevel', section: '3.1.2.2' }

function leftOverFault(context: Context, bytes: Uint8Array, at: number, fields: number): Fault | undefined {
  if (fields === 0) return fault(context, 'body-not-allowed', remainingLengthField, 1)
  context.observer?.(leftOverField, at, at, bytes.length)
  return faultUnlessAllowed(context, 'bytes-left-over', leftOverField, at)
}

/**
 * Writes variable header and payload and returns the index after them. If that index is past the end of `bytes`, the packet
 * didn't fit and isn't complete.
 */
export function write(bytes: Uint8Array, start: number, { layout }: Format, contents: never): number {
  let at = start
  let flags = 0
  for (let i = 0; i < layout.length; i++) {
    const place = layout[i]!
    if (place.when !== 0 && (flags & place.when) === 0) continue
    const content = place.value(contents)
    if (place.mayBeAbsent && content === undefined) continue
    switch (place.step) {
      case FIXED:
        if (place.kind === 'flags') flags = content as number
        at = writeFixed(bytes, at, content as number | Uint8Array, place.width)
        break
      case BINARY_DATA:
        at = writeBinaryData(bytes, at, content as Uint8Array | string, place.name)
        break
      case PROPERTIES:
        at = writeProperties(bytes, at, content as PropertyValues, place.field as PropertyList)
        break
      default:
        at = writeUtf8String(bytes, at, content, place.name)
    }
  }
  return at
}

function writeFixed(bytes: Uint8Array, at: number, content: number | Uint8Array, width: number): number {
  if (typeof content === 'number') return writeInteger(bytes, at, content, width)
  for (let i = 0; i < width; i++) bytes[at + i] = content[i]!
  return at + width
}

/** The index of the variable header, after a Remaining Length of at most four bytes. */
export function variableHeaderAt(bytes: Uint8Array): number {
  return bytes[1]! < 0x80 ? 2 : bytes[2]! < 0x80 ? 3 : bytes[3]! < 0x80 ? 4 : 5
}

/** The index of a field in a packet that has passed the check; -1 if the packet doesn't contain the field. */
export function locate(bytes: Uint8Array, place: Place | undefined): number {
  if (place === undefined) return -1
  const start = variableHeaderAt(bytes)
  if (place.offset >= 0) return start + place.offset
  const { fixedWidth, flagsOffset } = place.format
  // Transferred memory has no bytes.
  const before = place.before[bytes[start + flagsOffset]! | 0]
  if (before === undefined) return -1
  let at = start + fixedWidth
  for (let i = 0; i < before.length; i++) {
    // Most fields have a length prefix. Reading it here instead of in `skip` takes half the time.
    if (before[i] === PREFIXED) at += 2 + readTwoByteInteger(bytes, at)
    else at = skip(bytes, at, before[i]!)
  }
  return at < bytes.length ? at : -1
}

/** The index after a field of this width. */
function skip(bytes: Uint8Array, at: number, width: number): number {
  if (width > 0) return at + width
  return width === LISTED ? propertiesEnd(bytes, at) : at + 2 + readTwoByteInteger(bytes, at)
}

/**
 * True if the lengths in a packet agree with each other, that is if each property list and the last field end where they should.
 * The packet may be invalid otherwise.
 */
export function lengthsFit(bytes: Buffer, { others, fixedWidth, flagsOffset }: Format): boolean {
  const start = variableHeaderAt(bytes)
  let at = start + fixedWidth
  for (const place of others[bytes[start + flagsOffset] ?? 0]!) {
    // MQTT 3.1 accepts a packet without a field that its flags announce. In an invalid packet, any field may be the missing one.
    if (place.mayBeAbsent && place.when === 0 && at === bytes.length) continue
    if (place.step === PROPERTIES && countProperties(bytes, at, place.field as PropertyList) < 0) return false
    at = skip(bytes, at, place.width)
  }
  return at === bytes.length
}
