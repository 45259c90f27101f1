import type { Fault } from '../../errors/fault.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { checkFixed, fault, faultUnlessAllowed, type Rules, type Step } from '../../wire/check.ts'
import type { Field } from '../../wire/fields.ts'
import { checkFormAndRemainingLength, packetTypeFault } from '../fixed-header.ts'

/** Bit 0 of the acknowledge flags. MQTT 3.1.1 section 3.2.2.2, MQTT 5.0 section 3.2.2.1.1. */
export const SESSION_PRESENT = 0x01

export const acknowledgeFlagsField: Field = {
  name: 'acknowledgeFlags',
  section: { v3_1: '3.2', v3_1_1: '3.2.2.1', v5: '3.2.2.1' },
}
export const connackCodeFields: { readonly returnCode: Field; readonly reasonCode: Field } = {
  returnCode: { name: 'returnCode', section: { v3_1: '3.2', v3_1_1: '3.2.2.3' } },
  reasonCode: { name: 'reasonCode', section: { v5: '3.2.2.2' } },
}

/** Checks the fixed header of a CONNACK; returns the index of the acknowledge flags. */
export function checkConnackHeader(rules: Rules, bytes: Uint8Array): Step {
  if (bytes[0] !== ControlPacketType.connack) return packetTypeFault(rules, bytes, 0, bytes.length)!
  return checkFormAndRemainingLength(rules, bytes)
}

/**
 * Checks the acknowledge flags at `start` and the code after them; returns the index after both.
 *
 * @param reserved the bits of the acknowledge flags that must be 0
 * @param sessionPresent the bit that only success may have
 */
export function checkFlagsAndCode(
  rules: Rules,
  bytes: Uint8Array,
  start: number,
  reserved: number,
  sessionPresent: number,
): Step {
  const { connackCodeField, connackCodeNames } = rules.version!
  const end = bytes.length
  const codeAt = checkFixed(rules, start, end, acknowledgeFlagsField, 1)
  if (typeof codeAt !== 'number') return codeAt
  if ((bytes[start]! & reserved) !== 0) {
    return fault(
      rules,
      'acknowledge-flags-reserved',
      acknowledgeFlagsField,
      start,
      'bits 7 to 1 to be 0',
      '1',
    )
  }
  const codeField = connackCodeFields[connackCodeField]
  const next = checkFixed(rules, codeAt, end, codeField, 1)
  if (typeof next !== 'number') return next
  const code = bytes[codeAt]!
  if (connackCodeNames[code] === undefined) {
    return fault(rules, 'connack-code', codeField, codeAt, 'a code of CONNACK', 'another')
  }
  return (bytes[start]! & sessionPresent) !== 0 && code !== 0 ? (sessionFault(rules, start) ?? next) : next
}

function sessionFault(rules: Rules, at: number): Fault | undefined {
  const expected = 'session present 0 with an error'
  return faultUnlessAllowed(rules, 'session-present-with-error', acknowledgeFlagsField, at, expected, '1')
}
