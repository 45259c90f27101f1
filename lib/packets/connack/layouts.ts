import { type Entry, type FieldRule, faultUnlessAllowed, type PropertyValues } from '../../codec/context.ts'
import type { CodeField, Field } from '../../codec/fields.ts'
import { type PropertyList, propertyList } from '../../codec/property-list.ts'
import { codeRule, flagRules } from '../../codec/rules.ts'
import type { ErrorCode } from '../../errors/error-table.ts'
import { reasonCodesIn, returnCodesIn } from '../../protocol/codes.ts'
import { type Clause, type Version, v5 } from '../../protocol/version.ts'
import { clausesOf } from '../reason-packet.ts'

/*
 * The layout of a CONNACK in each version: its fields in wire order, and their rules. MQTT 3.1.1 and MQTT 5.0, section 3.2.
 */

/** The values that a CONNACK is written from. */
export interface ConnackContents {
  readonly flags: number
  readonly code: number
  readonly props: PropertyValues
}

/** Bit 0 of the acknowledge flags. MQTT 3.1.1 section 3.2.2.2, MQTT 5.0 section 3.2.2.1.1. */
export const SESSION_PRESENT = 0x01

export const acknowledgeFlagsField: Field = {
  name: 'acknowledgeFlags',
  section: { v3_1: '3.2', v3_1_1: '3.2.2.1', v5: '3.2.2.1' },
}
/** The byte of an MQTT 3.1 CONNACK that later versions use for the acknowledge flags. */
export const reservedField: Field = {
  name: acknowledgeFlagsField.name,
  section: acknowledgeFlagsField.section,
}
const returnCodeField: CodeField = {
  name: 'returnCode',
  section: { v3_1: '3.2', v3_1_1: '3.2.2.3', v5: '3.2.2.2' },
  codes: returnCodesIn,
}
const reasonCodeField: CodeField = {
  name: 'reasonCode',
  section: '3.2.2.2',
  codes: reasonCodesIn('connack', v5),
}
export const connackProperties: PropertyList = propertyList('connack', v5, {
  path: 'props',
  owner: 'a CONNACK',
  section: '3.2.2.3',
})

/** Session present is valid only with success [MQTT-3.2.2-4], in 5.0 [MQTT-3.2.2-6]. */
const sessionOnlyWithSuccess: FieldRule = (context, bytes, at, _, flags) => {
  if ((flags & SESSION_PRESENT) === 0 || bytes[at] === 0) return undefined
  return faultUnlessAllowed(context, 'session-present-with-error', acknowledgeFlagsField, at - 1)
}

type ConnackEntry = Entry<ConnackContents>

const acknowledgeFlags: ConnackEntry = {
  kind: 'flags',
  field: acknowledgeFlagsField,
  rule: flagRules(acknowledgeFlagsField, {
    code: 'acknowledge-flags-reserved',
    broken: (flags) => (flags & ~SESSION_PRESENT) !== 0,
  }),
  value: (contents) => contents.flags,
}

function code(field: CodeField, more?: FieldRule): ConnackEntry {
  const known = codeRule(field, 'connack-code')
  const rule: FieldRule =
    more === undefined
      ? known
      : (context, bytes, at, end, flags) =>
          known(context, bytes, at, end, flags) ?? more(context, bytes, at, end, flags)
  return { kind: 'code', field, rule, value: (contents) => contents.code }
}

export const connackLayouts: { readonly [Name in Version['name']]: readonly ConnackEntry[] } = {
  v3_1: [{ kind: 'flags', field: reservedField, value: (contents) => contents.flags }, code(returnCodeField)],
  v3_1_1: [acknowledgeFlags, code(returnCodeField, sessionOnlyWithSuccess)],
  v5: [
    acknowledgeFlags,
    code(reasonCodeField, sessionOnlyWithSuccess),
    { kind: 'properties', field: connackProperties, value: (contents) => contents.props },
  ],
}

/** CONNACK's clauses for errors that any packet type can have. */
export const connackClauses: { readonly [Code in ErrorCode]?: Clause } = {
  ...clausesOf(
    { v3_1: '2.1', v3_1_1: 'MQTT-2.2.2-2', v5: 'MQTT-2.1.3-1' },
    { v3_1: '3.2', v3_1_1: '3.2.1', v5: '3.2.1' },
    '3.2.2.3',
  ),
  'authentication-data-without-method': '4.12',
}
