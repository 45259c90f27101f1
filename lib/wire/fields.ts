import type { ErrorCode } from '../errors/error-table.ts'
import type { Clause } from '../protocol/version.ts'

/**
 * A field of a packet. Every step of a check names the one that it reads. That gives an error its field, and an observer its
 * rows.
 */
export interface Field {
  /** As in the packet's fields, `will.topic`, or as in the standard where they have none, `connectFlags`. */
  readonly name: string
  /** The section that defines it. */
  readonly section: Clause
  /** The error if the field runs past the end. Default `field-past-end`. */
  readonly pastEnd?: ErrorCode
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
export const packetIdField: Field = {
  name: 'packetId',
  section: { v3_1: '2.4', v3_1_1: '2.3.1', v5: '2.2.1' },
}
export const topicNameField: Field = {
  name: 'topicName',
  section: '3.3.2.1',
}
export const protocolNameField: Field = { name: 'protocolName', section: '3.1.2.1' }
export const protocolLevelField: Field = { name: 'protocolLevel', section: '3.1.2.2' }
export const connectFlagsField: Field = { name: 'connectFlags', section: '3.1.2.3' }
export const keepAliveField: Field = { name: 'keepAlive', section: '3.1.2.10' }
export const clientIdField: Utf8Field = {
  name: 'clientId',
  section: '3.1.3.1',
  notUtf8: 'client-id-not-utf8',
  nul: 'client-id-nul',
}
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
/** The bytes after the last field, where `allow` permits them. */
export const leftOverField: Field = { name: 'bytesLeftOver', section: '3.1.3' }
