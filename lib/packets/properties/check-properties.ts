import type { ErrorCode } from '../../errors/error-table.ts'
import type { Fault } from '../../errors/fault.ts'
import { PropertyId } from '../../protocol/property-table.ts'
import {
  checkBinaryData,
  checkFixed,
  checkTopicName,
  checkUtf8String,
  checkVariableByteInteger,
  fault,
  faultUnlessAllowed,
  type Rules,
  type Step,
} from '../../wire/check.ts'
import { readInteger, readVariableByteInteger, variableByteIntegerEnd } from '../../wire/integers.ts'
import { isTruncated } from '../fixed-header.ts'
import type { PropertyList, PropertyRule } from './property-list.ts'

/** Checks the property length at `lengthAt` and the properties after it; returns the index after them. MQTT 5.0 section 2.2.2. */
export function checkProperties(
  rules: Rules,
  bytes: Uint8Array,
  lengthAt: number,
  packetEnd: number,
  list: PropertyList,
): Step {
  let at = checkVariableByteInteger(rules, bytes, lengthAt, packetEnd, list.lengthField)
  if (typeof at !== 'number') return at
  let end = at + readVariableByteInteger(bytes, lengthAt, at)
  if (end > packetEnd) {
    // An observer sees as much as there is of a packet that is not complete.
    if (rules.observer === undefined || !isTruncated(bytes)) return lengthFault(rules, lengthAt, list)
    end = packetEnd
  }
  let seen = 0
  let dataAt = 0
  while (at < end) {
    let id = bytes[at]!
    let rule = list.rules[id]
    let valueAt: Step = at + 1
    if (rule === undefined) {
      valueAt = checkLongIdentifier(rules, bytes, at, end, list)
      if (typeof valueAt !== 'number') return valueAt
      id = readVariableByteInteger(bytes, at, valueAt)
      rule = list.rules[id]
      if (rule === undefined) return unknownFault(rules, at, list)
    } else if (rules.observer !== undefined) {
      rules.observer(rule.field, at, at, valueAt)
    }
    if (!rule.allowed || (seen & rule.once) !== 0) return propertyFault(rules, at, list, rule)
    seen |= rule.once
    if (id === PropertyId.authenticationData) dataAt = at
    at = checkValue(rules, bytes, valueAt, end, rule)
    if (typeof at !== 'number') return at
  }
  return dataAt === 0 ? end : (methodFault(rules, dataAt, seen, list) ?? end)
}

/**
 * Checks an identifier that is not one of the known bytes. All known identifiers fit one byte, but the standard makes them
 * variable byte integers: this can only be a known one in a form that is not the shortest.
 */
function checkLongIdentifier(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  list: PropertyList,
): Step {
  const after = variableByteIntegerEnd(bytes, at, end)
  const id = after > 0 ? readVariableByteInteger(bytes, at, after) : -1
  return checkVariableByteInteger(rules, bytes, at, end, list.rules[id]?.field ?? list.unknownField)
}

function unknownFault(rules: Rules, at: number, list: PropertyList): Fault {
  return fault(rules, 'property-unknown', list.unknownField, at, 'a known property identifier', 'another')
}

/** Checks the value at `at`; returns the index after it. */
function checkValue(rules: Rules, bytes: Uint8Array, at: number, end: number, rule: PropertyRule): Step {
  const { field, width, refusal } = rule
  if (width > 0) {
    const next = checkFixed(rules, at, end, field, width)
    if (typeof next !== 'number' || refusal === undefined) return next
    const value = readInteger(bytes, at, width)
    return value < rule.min || value > rule.max ? (rangeFault(rules, at, rule, refusal) ?? next) : next
  }
  switch (rule.type) {
    case 'utf8StringPair': {
      const valueAt = checkUtf8String(rules, bytes, at, end, field)
      return typeof valueAt === 'number' ? checkUtf8String(rules, bytes, valueAt, end, field) : valueAt
    }
    case 'utf8String':
      return rule.topic
        ? checkTopicName(rules, bytes, at, end, field)
        : checkUtf8String(rules, bytes, at, end, field)
    case 'binaryData':
      return checkBinaryData(rules, bytes, at, end, field)
    default:
      return checkVariableByteInteger(rules, bytes, at, end, field)
  }
}

function lengthFault(rules: Rules, at: number, { lengthField }: PropertyList): Fault {
  return fault(rules, 'field-past-end', lengthField, at, 'properties that end within the packet', 'more')
}

/** What is wrong with a property that the list must not contain, or not a second time. */
function propertyFault(rules: Rules, at: number, list: PropertyList, rule: PropertyRule): Fault {
  if (rule.allowed) return fault(rules, list.twice, rule.field, at, 'the property once', 'it twice')
  return fault(rules, 'property-not-allowed-here', rule.field, at, `a property of ${list.owner}`, 'another')
}

function rangeFault(rules: Rules, at: number, rule: PropertyRule, refusal: ErrorCode): Fault | undefined {
  const expected = rule.min > 0 ? `at least ${rule.min}` : `${rule.min} to ${rule.max}`
  return faultUnlessAllowed(rules, refusal, rule.field, at, expected, 'another value')
}

/** What is wrong with authentication data at `at` if there was no method among the properties seen. */
function methodFault(rules: Rules, at: number, seen: number, list: PropertyList): Fault | undefined {
  const method = list.rules[PropertyId.authenticationMethod]!
  if ((seen & method.once) !== 0) return undefined
  const { field } = list.rules[PropertyId.authenticationData]!
  const code = 'authentication-data-without-method'
  return fault(rules, code, field, at, 'an authentication method', 'none')
}
