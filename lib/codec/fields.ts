import type { ErrorCode } from '../errors/error-table.ts'
import type { Codes } from '../protocol/codes.ts'
import type { Clause, Version } from '../protocol/version.ts'

/**
 * A field of a packet. Every step of a check names the one that it reads. That gives an error its field, and an observer its
 * rows.
 */
export interface Field {
  /** As in the packet's fields, `will.topic`, or as in the standard where they have none, `connectFlags`. */
  readonly name: string
  /** The section that defines it. */
  readonly section: Clause
  /** Of a property: the list that contains it, `props` or `will.props`. */
  readonly path?: string
  /** The error if the field runs past the end. Default `field-past-end`. */
  readonly pastEnd?: ErrorCode
  /** Set if text, logs and JSON never show its contents. */
  readonly secret?: true
  /** What its bits mean, from the left, if it is made of bits. */
  readonly bits?: readonly BitField[]
}

/** One or more bits of a field. */
export interface BitField {
  readonly mask: number
  /** In the words of the standard: `user name flag`. */
  readonly name: string | { readonly [Name in Version['name']]: string }
  readonly section: Clause
}

/** A field that holds a reason code or a return code. */
export interface CodeField extends Field {
  readonly codes: Codes
}

/** A field that holds a UTF-8 string, and the errors if that is not well-formed or contains U+0000. */
export interface Utf8Field extends Field {
  readonly notUtf8: ErrorCode
  readonly nul: ErrorCode
}

/** A field that holds a topic name, and the errors if that is empty or contains a wildcard. */
export interface TopicField extends Utf8Field {
  readonly empty: ErrorCode
  readonly wildcard: ErrorCode
}

/* The fields that packets of all types have. */

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
/** The bytes after the last field, where `allow` permits them. */
export const leftOverField: Field = { name: 'bytesLeftOver', section: '3.1.3' }
/** What follows the one packet. */
export const nextPacketField: Field = { name: 'bytesLeftOver', section: '2.2' }
