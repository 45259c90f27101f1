import type { ErrorCode } from '../errors/error-table.ts'

/** The section that defines a field: one for both versions, or one for each. */
type Section = string | { readonly v3_1_1: string; readonly v5: string }

/**
 * A field of a packet. Every read names the one that it reads: that gives an error its field, and an observer
 * of the scan its rows.
 */
export interface Field {
  /** As in the packet's fields, `will.topic`, or as in the standard where they have none, `connectFlags`. */
  readonly name: string
  readonly section: Section
  /** The error of the field when it runs past the end. Default `field-past-end`. */
  readonly pastEnd?: ErrorCode
}

/** A field that holds a UTF-8 string, and the errors of a string that is not well-formed or holds U+0000. */
export interface Utf8Field extends Field {
  readonly notUtf8: ErrorCode
  readonly nul: ErrorCode
}

/** A field that holds a topic name, and the errors of one that is empty or holds a wildcard. */
export interface TopicField extends Utf8Field {
  readonly empty: ErrorCode
  readonly wildcard: ErrorCode
}

export const fixedHeaderField: Field = {
  name: 'fixedHeader',
  section: { v3_1_1: '2.2', v5: '2.1.1' },
  pastEnd: 'packet-incomplete',
}
export const remainingLengthField: Field = {
  name: 'remainingLength',
  section: { v3_1_1: '2.2.3', v5: '2.1.4' },
  pastEnd: 'packet-incomplete',
}
export const protocolNameField: Field = { name: 'protocolName', section: '3.1.2.1' }
export const protocolLevelField: Field = { name: 'protocolLevel', section: '3.1.2.2' }
export const connectFlagsField: Field = { name: 'connectFlags', section: '3.1.2.3' }
export const keepAliveField: Field = { name: 'keepAlive', section: '3.1.2.10' }
export const propertyLengthField: Field = { name: 'propertyLength', section: '3.1.2.11.1' }
export const clientIdField: Utf8Field = {
  name: 'clientId',
  section: '3.1.3.1',
  notUtf8: 'client-id-not-utf8',
  nul: 'client-id-nul',
}
export const willPropertyLengthField: Field = { name: 'will.propertyLength', section: '3.1.3.2.1' }
export const willTopicField: TopicField = {
  name: 'will.topic',
  section: { v3_1_1: '3.1.3.2', v5: '3.1.3.3' },
  notUtf8: 'will-topic-not-utf8',
  nul: 'will-topic-nul',
  empty: 'will-topic-empty',
  wildcard: 'will-topic-wildcard',
}
export const willMessageField: Field = {
  name: 'will.message',
  section: { v3_1_1: '3.1.3.3', v5: '3.1.3.4' },
}
export const userNameField: Utf8Field = {
  name: 'userName',
  section: { v3_1_1: '3.1.3.4', v5: '3.1.3.5' },
  notUtf8: 'user-name-not-utf8',
  nul: 'user-name-nul',
}
export const passwordField: Field = { name: 'password', section: { v3_1_1: '3.1.3.5', v5: '3.1.3.6' } }
/** What stands after the last field, where `allow` lets it. */
export const leftOverField: Field = { name: 'bytesLeftOver', section: '3.1.3' }
export const packetIdField: Field = { name: 'packetId', section: { v3_1_1: '2.3.1', v5: '2.2.1' } }
export const topicNameField: Field = { name: 'topicName', section: '3.3.2.1' }
