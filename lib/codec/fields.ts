import type { ErrorCode } from '../errors/error-table.ts'
import type { Codes } from '../protocol/codes.ts'
import type { Clause } from '../protocol/version.ts'

/**
 * A field of a packet. Each step of a check names the field it reads, which gives errors their `field` and observers their rows.
 */
export interface Field {
  /** The name in the packet's fields, such as `will.topic`, or else the standard's name, such as `connectFlags`. */
  readonly name: string
  /** The section that defines the field. */
  readonly section: Clause
  /** For a property: the list that contains it, `props` or `will.props`. */
  readonly path?: string
  /** The error of a field that runs past the end. Default `field-past-end`. */
  readonly pastEnd?: ErrorCode
  /** Set for fields whose contents must never appear in text, logs or JSON. */
  readonly secret?: true
}

/** A field that holds a reason code or a return code. */
export interface CodeField extends Field {
  readonly codes: Codes
}

/** A UTF-8 string, with the errors for text that isn't well-formed or contains U+0000. */
export interface Utf8Field extends Field {
  readonly notUtf8: ErrorCode
  readonly nul: ErrorCode
}

/** A topic name, with the errors for one that is empty or contains a wildcard. */
export interface TopicField extends Utf8Field {
  readonly empty: ErrorCode
  readonly wildcard: ErrorCode
}

/* Fields that all packet types share. */

export const fixedHeaderField: Field = {
  name: 'fixedHeader',
  section: { v3_1: '2.1', v3_1_1: '2.2', v5: '2.1.1' },
  pastEnd: 'packet-incomplete',
}
export const packetTypeField: Field = {
  name: 'packetType',
  section: { v3_1: '2.1', v3_1_1: '2.2.1', v5: '2.1.2' },
}
export const fixedHeaderFlagsField: Field = {
  name: 'flags',
  section: { v3_1: '2.1', v3_1_1: '2.2.2', v5: '2.1.3' },
}
export const remainingLengthField: Field = {
  name: 'remainingLength',
  section: { v3_1: '2.1', v3_1_1: '2.2.3', v5: '2.1.4' },
  pastEnd: 'packet-incomplete',
}
/** The bytes after the last field, if `allow` permits them. */
export const leftOverField: Field = { name: 'bytesLeftOver', section: '3.1.3' }
/** The bytes after the end of the packet. */
export const nextPacketField: Field = { name: 'bytesLeftOver', section: '2.2' }
