import type { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import { MAX_VARIABLE_BYTE_INTEGER_LENGTH } from '../protocol/limits.ts'
import { PropertyId } from '../protocol/property-table.ts'
import {
  INCOMPLETE,
  readInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  TOO_LONG,
  variableByteIntegerEnd,
} from '../wire/integers.ts'
import { viewOf } from '../wire/memory.ts'
import { readUtf8 } from '../wire/utf8.ts'
import { type Context, fault, faultUnlessAllowed, type Step } from './context.ts'
import { isTruncated } from './fixed-header.ts'
import type { PropertyList, PropertyRule } from './property-list.ts'
import { checkText, checkTopic, checkVariableByteInteger, notShortest } from './steps.ts'

/** The index after the properties whose property length is at `at`. The bytes must have passed the check. */
export function propertiesEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return at + 1 + first
  const next = variableByteIntegerEnd(bytes, at, bytes.length)
  return next + readVariableByteInteger(bytes, at, next)
}

/*
 * The grammar of a property list: an identifier, then a value, with a key before it if the property is a pair. All loops over a list use
 * these functions, so nothing else knows how one property follows another. MQTT 5.0 section 2.2.2.
 */

/** The index after the identifier at `at`. All known ones fit into one byte, but the standard makes them variable byte integers. */
function identifierEnd(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at]! < 0x80 ? at + 1 : variableByteIntegerEnd(bytes, at, end)
}

/** The rule of the identifier from `at` to `valueAt`; `undefined` if it's unknown or incomplete, so its value has no known end. */
function ruleOf(
  { rules }: PropertyList,
  bytes: Uint8Array,
  at: number,
  valueAt: number,
): PropertyRule | undefined {
  return valueAt < 0 ? undefined : rules[readVariableByteInteger(bytes, at, valueAt)]
}

/** The index after the value at `at`, including its key if it has one. Past `end` if the length prefix is incomplete. */
function valueEnd(bytes: Uint8Array, at: number, end: number, rule: PropertyRule): number {
  if (rule.width > 0) return at + rule.width
  if (rule.isVariable) {
    const next = variableByteIntegerEnd(bytes, at, end)
    return next < 0 ? end + 1 : next
  }
  const next = prefixedEnd(bytes, at, end)
  return rule.isPair ? prefixedEnd(bytes, next, end) : next
}

/** The index after the string or binary data at `at`. Past `end` if the length prefix is incomplete. */
function prefixedEnd(bytes: Uint8Array, at: number, end: number): number {
  return at + 2 > end ? end + 1 : at + 2 + readTwoByteInteger(bytes, at)
}

/** Checks the property length at `lengthAt` and the properties after it, and returns the index after them. */
export function checkProperties(
  context: Context,
  bytes: Uint8Array,
  lengthAt: number,
  packetEnd: number,
  list: PropertyList,
): Step {
  const start = checkVariableByteInteger(context, bytes, lengthAt, packetEnd, list)
  if (typeof start !== 'number') return start
  let end = start + readVariableByteInteger(bytes, lengthAt, start)
  if (end > packetEnd) {
    // With an observer, a packet that is cut short is read as far as it goes.
    if (context.observer === undefined || !isTruncated(bytes)) {
      return fault(context, 'field-past-end', list, lengthAt, {
        problem: 'is larger than the rest of the packet',
      })
    }
    end = packetEnd
  }
  let seen = 0
  let dataAt = 0
  let next = start
  for (let at = start; at < end; at = next) {
    const keyAt = identifierEnd(bytes, at, end)
    const rule = ruleOf(list, bytes, at, keyAt)
    if (rule === undefined) return identifierFault(context, bytes, at, end, list)
    const { field } = rule
    if (context.observer !== undefined) context.observer(field, at, at, keyAt, 'id', rule)
    if (rule.isSpecial || (seen & rule.once) !== 0 || keyAt - at > 1) {
      const wrong = notShortest(context, bytes, at, keyAt, field) ?? placeFault(context, at, list, rule, seen)
      if (wrong !== undefined) return wrong
      if (rule.id === PropertyId.authenticationData) dataAt = at
    }
    seen |= rule.once

    let valueAt = keyAt
    let wrong: Fault | undefined
    if (rule.isPair) {
      valueAt = prefixedEnd(bytes, keyAt, end)
      wrong = checkKey(context, bytes, keyAt, valueAt, end, rule)
      if (wrong !== undefined) return wrong
    }
    next = valueEnd(bytes, keyAt, end, rule)
    if (next > end) return partPastEnd(context, valueAt, end, rule, 'value')
    const content = rule.largest > 0 ? valueAt : valueAt + 2
    if (context.observer !== undefined) context.observer(field, valueAt, content, next, 'value', rule)
    if (rule.isText) {
      wrong = rule.topic
        ? checkTopic(context, bytes, content, next, field)
        : checkText(context, bytes, content, next, field)
    } else if (rule.refusal !== undefined) {
      wrong = checkRange(context, bytes, valueAt, rule)
    } else if (rule.isVariable) {
      wrong = notShortest(context, bytes, valueAt, next, field)
    }
    if (wrong !== undefined) return wrong
  }
  if (dataAt === 0 && list.required === undefined) return end
  return missingFault(context, lengthAt, dataAt, seen, list) ?? end
}

/** The fault of an unknown identifier. */
function identifierFault(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  { unknownField }: PropertyList,
): Fault {
  const next = variableByteIntegerEnd(bytes, at, end)
  const last = next === INCOMPLETE ? end : next === TOO_LONG ? at + MAX_VARIABLE_BYTE_INTEGER_LENGTH : next
  context.observer?.(unknownField, at, at, last, 'id')
  if (next === INCOMPLETE) return fault(context, 'property-past-end', unknownField, at)
  if (next === TOO_LONG) return fault(context, 'variable-byte-integer-too-long', unknownField, at)
  return (
    notShortest(context, bytes, at, next, unknownField) ??
    fault(context, 'property-unknown', unknownField, at)
  )
}

/** The fault of a property that isn't allowed in this list, occurs a second time, or comes from the wrong side. */
function placeFault(
  context: Context,
  at: number,
  list: PropertyList,
  rule: PropertyRule,
  seen: number,
): Fault | undefined {
  const { field, allowed, once, only } = rule
  if (!allowed) {
    const problem = `is not allowed in ${list.owner}`
    return fault(context, 'property-not-allowed-here', field, at, { problem })
  }
  if ((seen & once) !== 0) return fault(context, list.twice, field, at)
  const { sender } = context.policy
  if (only === undefined || sender === undefined || only[0] === sender) return undefined
  const problem = `is a property that only a ${only[0]} sends`
  return fault(context, 'wrong-sender', field, at, { clause: only[1], problem })
}

function checkKey(
  context: Context,
  bytes: Uint8Array,
  at: number,
  next: number,
  end: number,
  rule: PropertyRule,
): Fault | undefined {
  if (next > end) return partPastEnd(context, at, end, rule, 'key')
  if (context.observer !== undefined) context.observer(rule.field, at, at + 2, next, 'key', rule)
  return checkText(context, bytes, at + 2, next, rule.field)
}

function partPastEnd(
  context: Context,
  at: number,
  end: number,
  rule: PropertyRule,
  part: 'key' | 'value',
): Fault {
  const content = rule.largest > 0 ? at : Math.min(at + 2, end)
  context.observer?.(rule.field, at, content, end, part, rule)
  return fault(context, 'property-past-end', rule.field, at)
}

function checkRange(context: Context, bytes: Uint8Array, at: number, rule: PropertyRule): Fault | undefined {
  const value = readInteger(bytes, at, rule.width)
  if (value >= rule.min && value <= rule.max) return undefined
  return faultUnlessAllowed(context, rule.refusal!, rule.field, at)
}

/** The fault of a list that lacks a required property. */
function missingFault(
  context: Context,
  lengthAt: number,
  dataAt: number,
  seen: number,
  list: PropertyList,
): Fault | undefined {
  const has = (id: number): boolean => (seen & list.rules[id]!.once) !== 0
  const { required } = list
  if (required !== undefined && !has(required.id)) {
    return faultUnlessAllowed(context, required.code, list, lengthAt)
  }
  if (dataAt === 0 || has(PropertyId.authenticationMethod)) return undefined
  const { field } = list.rules[PropertyId.authenticationData]!
  return faultUnlessAllowed(context, 'authentication-data-without-method', field, dataAt)
}

/** A property that has been read, or that a caller has passed and nobody has checked yet. */
export interface AnyProperty {
  readonly id: number
  readonly key?: string
  readonly value: unknown
}

// The functions that read expect bytes that have passed the check. If somebody has changed the bytes since, they return something
// else out of the packet, but don't throw.

/**
 * The properties whose property length is at `at`, in order.
 *
 * @param limit the maximum number of properties to read
 */
export function readProperties(
  bytes: Buffer,
  at: number,
  list: PropertyList,
  limit: number = Number.POSITIVE_INFINITY,
): AnyProperty[] {
  const props: AnyProperty[] = []
  const end = Math.min(propertiesEnd(bytes, at), bytes.length)
  let next = variableByteIntegerEnd(bytes, at, end)
  while (props.length < limit && next < end) {
    const valueAt = identifierEnd(bytes, next, end)
    const rule = ruleOf(list, bytes, next, valueAt)
    if (rule === undefined) break
    const { id } = rule
    next = valueEnd(bytes, valueAt, end, rule)
    if (rule.width > 0) props.push({ id, value: readInteger(bytes, valueAt, rule.width) })
    else if (rule.isPair) {
      const keyEnd = prefixedEnd(bytes, valueAt, end)
      const key = readUtf8(bytes, valueAt + 2, keyEnd)
      props.push({ id, key, value: readUtf8(bytes, keyEnd + 2, next) })
    } else if (rule.isText) props.push({ id, value: readUtf8(bytes, valueAt + 2, next) })
    else if (rule.isVariable) props.push({ id, value: readVariableByteInteger(bytes, valueAt, next) })
    else props.push({ id, value: viewOf(bytes, valueAt + 2, next) })
  }
  return props
}

/**
 * The number of properties in the list whose property length is at `at`; -1 if the list doesn't end exactly where its length says, or if an
 * identifier is unknown.
 */
export function countProperties(bytes: Uint8Array, at: number, list: PropertyList): number {
  const end = propertiesEnd(bytes, at)
  let next = variableByteIntegerEnd(bytes, at, end)
  let count = 0
  while (next < end) {
    const valueAt = identifierEnd(bytes, next, end)
    const rule = ruleOf(list, bytes, next, valueAt)
    if (rule === undefined) return -1
    next = valueEnd(bytes, valueAt, end, rule)
    count++
  }
  return next === end && end <= bytes.length ? count : -1
}
