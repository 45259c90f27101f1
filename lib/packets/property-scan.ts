import type { ErrorCode } from '../errors/error-table.ts'
import type { Fault } from '../errors/fault.ts'
import { readInteger, readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import {
  fault,
  faultUnlessAllowed,
  type Scan,
  type Step,
  scanBinaryData,
  scanFixed,
  scanTopicName,
  scanUtf8String,
  scanVariableByteInteger,
} from '../wire/scan.ts'
import {
  authenticationData,
  authenticationMethod,
  connectPlace,
  type PropertyPlace,
  type PropertyRule,
} from './property-places.ts'

/**
 * Checks the property length at `at` and the properties behind it; returns the index after them. MQTT 5.0 section
 * 2.2.2.
 */
export function scanProperties(
  scan: Scan,
  bytes: Uint8Array,
  lengthAt: number,
  packetEnd: number,
  place: PropertyPlace,
): Step {
  let at = scanVariableByteInteger(scan, bytes, lengthAt, packetEnd, place.lengthField)
  if (typeof at !== 'number') return at
  const end = at + readVariableByteInteger(bytes, lengthAt, at)
  if (end > packetEnd) return lengthFault(scan, lengthAt, end - at, packetEnd - at, place)
  let seen = 0
  let dataAt = 0
  while (at < end) {
    let rule = place.rules[bytes[at]!]
    let valueAt: Step = at + 1
    if (rule === undefined) {
      valueAt = scanLongIdentifier(scan, bytes, at, end, place)
      if (typeof valueAt !== 'number') return valueAt
      rule = place.rules[readVariableByteInteger(bytes, at, valueAt)]!
    } else if (scan.observer !== undefined) {
      scan.observer(rule.field, at, at, valueAt)
    }
    if (!rule.allowed || (seen & rule.once) !== 0) return propertyFault(scan, at, place, rule)
    seen |= rule.once
    if (rule === authenticationData) dataAt = at
    at = scanValue(scan, bytes, valueAt, end, rule)
    if (typeof at !== 'number') return at
  }
  if (dataAt !== 0 && (seen & authenticationMethod.once) === 0) return noMethodFault(scan, dataAt)
  return end
}

/**
 * An identifier that is not one of the known bytes. All known identifiers fit one byte, but the standard makes them
 * variable byte integers: this is a known one only if it is not in its shortest form.
 */
function scanLongIdentifier(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  place: PropertyPlace,
): Step {
  const after = variableByteIntegerEnd(bytes, at, end)
  const id = after > 0 ? readVariableByteInteger(bytes, at, after) : -1
  const field = place.rules[id]?.field ?? place.unknownField
  const next = scanVariableByteInteger(scan, bytes, at, end, field)
  if (typeof next !== 'number' || place.rules[id] !== undefined) return next
  const got = `0x${id.toString(16).padStart(2, '0')}`
  return fault(scan, 'property-unknown', field, at, 'a known property identifier', got)
}

/** Checks the value at `at`; returns the index after it. */
function scanValue(scan: Scan, bytes: Uint8Array, at: number, end: number, rule: PropertyRule): Step {
  const { field, width, refusal } = rule
  if (width > 0) {
    const next = scanFixed(scan, at, end, field, width)
    if (typeof next !== 'number' || refusal === undefined) return next
    const value = readInteger(bytes, at, width)
    return value < rule.min || value > rule.max ? (rangeFault(scan, at, rule, refusal, value) ?? next) : next
  }
  switch (rule.type) {
    case 'utf8StringPair': {
      const valueAt = scanUtf8String(scan, bytes, at, end, field)
      return typeof valueAt === 'number' ? scanUtf8String(scan, bytes, valueAt, end, field) : valueAt
    }
    case 'utf8String':
      return rule.topic
        ? scanTopicName(scan, bytes, at, end, field)
        : scanUtf8String(scan, bytes, at, end, field)
    case 'binaryData':
      return scanBinaryData(scan, bytes, at, end, field)
    default:
      return scanVariableByteInteger(scan, bytes, at, end, field)
  }
}

function lengthFault(scan: Scan, at: number, length: number, maximum: number, place: PropertyPlace): Fault {
  return fault(scan, 'field-past-end', place.lengthField, at, `at most ${maximum}`, `${length}`)
}

/** The error of a property that must not stand in this place, or not a second time. */
function propertyFault(scan: Scan, at: number, place: PropertyPlace, rule: PropertyRule): Fault {
  if (rule.allowed) return fault(scan, place.twice, rule.field, at, 'the property once', 'it twice')
  const expected = `a property of ${place === connectPlace ? 'CONNECT' : 'a will'}`
  return fault(scan, 'property-not-allowed-here', rule.field, at, expected, rule.name)
}

function rangeFault(
  scan: Scan,
  at: number,
  rule: PropertyRule,
  refusal: ErrorCode,
  value: number,
): Fault | undefined {
  const expected = rule.min > 0 ? `at least ${rule.min}` : `${rule.min} to ${rule.max}`
  return faultUnlessAllowed(scan, refusal, rule.field, at, expected, `${value}`)
}

function noMethodFault(scan: Scan, at: number): Fault {
  const { field } = authenticationData
  return fault(scan, 'authentication-data-without-method', field, at, 'an authentication method', 'none')
}
