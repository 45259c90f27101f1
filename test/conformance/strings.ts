import { Buffer } from 'node:buffer'
import { type ErrorCode, PropertyId, property, type v3_1_1, type v5 } from '../../lib/packets/index.ts'
import { connect3, connect5 } from '../support/faults.ts'
import { CONNECT_AT, WILL_AT, withProps, withWillProps } from './property-rules.ts'
import type { Fields, Rule, Version } from './refusal.ts'

const A = '0001 61'

/** A UTF-8 string in hex, behind its length prefix. */
function prefixed(content: string): string {
  return `${(content.length / 2).toString(16).padStart(4, '0')} ${content}`
}

/** A place in a CONNECT that holds a UTF-8 string. */
export interface StringField {
  readonly version: Version
  readonly field: string
  /** What the field is called in a title, where the name of the field does not tell it. */
  readonly title: string
  /** Where the content of the string begins. */
  readonly at: number
  readonly reason: number
  readonly notUtf8: readonly [code: ErrorCode, clause: string]
  readonly nul: readonly [code: ErrorCode, clause: string]
  /** Whether it is a topic name, which has rules of its own. */
  readonly topic: boolean
  /** A packet with this string, in hex. */
  readonly bytes: (content: string) => Buffer
  /** The fields of a packet with this string. */
  readonly fields: (text: string) => Fields
  readonly read: (packet: v3_1_1.ConnectPacket | v5.ConnectPacket) => string | undefined
}

const clientId = {
  field: 'clientId',
  title: 'a client id',
  reason: 0x85,
  topic: false,
  fields: (text: string): Fields => ({ clientId: text }),
  read: (packet: v3_1_1.ConnectPacket | v5.ConnectPacket) => packet.clientId,
}
const willTopic = {
  field: 'will.topic',
  title: 'a will topic',
  reason: 0x90,
  topic: true,
  fields: (text: string): Fields => ({ will: { topic: text, message: 'a' } }),
  read: (packet: v3_1_1.ConnectPacket | v5.ConnectPacket) => packet.will?.topic,
}
const userName = {
  field: 'userName',
  title: 'a user name',
  reason: 0x86,
  topic: false,
  fields: (text: string): Fields => ({ userName: text }),
  read: (packet: v3_1_1.ConnectPacket | v5.ConnectPacket) => packet.userName,
}

const commonFields: readonly StringField[] = [
  {
    ...clientId,
    version: 4,
    at: 14,
    notUtf8: ['client-id-not-utf8', 'MQTT-1.5.3-1'],
    nul: ['client-id-nul', 'MQTT-1.5.3-2'],
    bytes: (content) => connect3('02', prefixed(content)),
  },
  {
    ...clientId,
    version: 5,
    at: 15,
    notUtf8: ['client-id-not-utf8', 'MQTT-1.5.4-1'],
    nul: ['client-id-nul', 'MQTT-1.5.4-2'],
    bytes: (content) => connect5('02', '', prefixed(content)),
  },
  {
    ...willTopic,
    version: 4,
    at: 17,
    notUtf8: ['will-topic-not-utf8', 'MQTT-3.1.3-10'],
    nul: ['will-topic-nul', 'MQTT-3.1.3-10'],
    bytes: (content) => connect3('06', `${A} ${prefixed(content)} ${A}`),
  },
  {
    ...willTopic,
    version: 5,
    at: 19,
    notUtf8: ['will-topic-not-utf8', 'MQTT-3.1.3-11'],
    nul: ['will-topic-nul', 'MQTT-3.1.3-11'],
    bytes: (content) => connect5('06', '', `${A} 00 ${prefixed(content)} ${A}`),
  },
  {
    ...userName,
    version: 4,
    at: 17,
    notUtf8: ['user-name-not-utf8', 'MQTT-3.1.3-11'],
    nul: ['user-name-nul', 'MQTT-3.1.3-11'],
    bytes: (content) => connect3('82', `${A} ${prefixed(content)}`),
  },
  {
    ...userName,
    version: 5,
    at: 18,
    notUtf8: ['user-name-not-utf8', 'MQTT-3.1.3-12'],
    nul: ['user-name-nul', 'MQTT-3.1.3-12'],
    bytes: (content) => connect5('82', '', `${A} ${prefixed(content)}`),
  },
]

/** The CONNECT properties, or the will properties, of a packet as a string field finds them. */
function propsOf(place: 'props' | 'will.props', packet: v3_1_1.ConnectPacket | v5.ConnectPacket) {
  if (packet.protocolVersion !== 5) return undefined
  return place === 'props' ? packet.props[0] : packet.will?.props[0]
}

function propertyField(
  place: 'props' | 'will.props',
  name: 'authenticationMethod' | 'contentType' | 'responseTopic',
): StringField {
  const id = PropertyId[name].toString(16).padStart(2, '0')
  return {
    version: 5,
    field: `${place}.${name}`,
    title: name,
    at: (place === 'props' ? CONNECT_AT : WILL_AT) + 3,
    reason: 0x81,
    notUtf8: ['property-not-utf8', 'MQTT-1.5.4-1'],
    nul: ['property-nul', 'MQTT-1.5.4-2'],
    topic: name === 'responseTopic',
    bytes: (content) => inPlace(place, `${id} ${prefixed(content)}`),
    fields: (text) => fieldsIn(place, property[name](text)),
    read: (packet) => propsOf(place, packet)?.value as string,
  }
}

function userPropertyField(place: 'props' | 'will.props', part: 'key' | 'value'): StringField {
  const isKey = part === 'key'
  return {
    version: 5,
    field: `${place}.userProperty`,
    title: `the ${part} of a user property ${place === 'props' ? 'of the CONNECT' : 'of the will'}`,
    at: (place === 'props' ? CONNECT_AT : WILL_AT) + (isKey ? 3 : 6),
    reason: 0x81,
    notUtf8: ['user-property-not-utf8', 'MQTT-1.5.7-1'],
    nul: ['user-property-nul', 'MQTT-1.5.7-1'],
    topic: false,
    bytes: (content) =>
      inPlace(place, isKey ? `26 ${prefixed(content)} ${A}` : `26 ${A} ${prefixed(content)}`),
    fields: (text) =>
      fieldsIn(place, isKey ? property.userProperty(text, 'a') : property.userProperty('a', text)),
    read: (packet) => (propsOf(place, packet) as { key: string; value: string } | undefined)?.[part],
  }
}

function inPlace(place: 'props' | 'will.props', wire: string): Buffer {
  return place === 'props' ? withProps(wire) : withWillProps(wire)
}

function fieldsIn(
  place: 'props' | 'will.props',
  item: ReturnType<(typeof property)['userProperty']> | object,
): Fields {
  const props = [item as ReturnType<(typeof property)['userProperty']>]
  return place === 'props' ? { props } : { will: { topic: 'a', message: 'a', props } }
}

/** Each place in a CONNECT that holds a UTF-8 string, in wire order. */
export const stringFields: readonly StringField[] = [
  ...commonFields,
  propertyField('props', 'authenticationMethod'),
  userPropertyField('props', 'key'),
  userPropertyField('props', 'value'),
  propertyField('will.props', 'contentType'),
  propertyField('will.props', 'responseTopic'),
  userPropertyField('will.props', 'key'),
  userPropertyField('will.props', 'value'),
]

/** Bytes that are not well-formed UTF-8, and the string that a constructor would write them for, if there is one. */
export const malformedStrings: readonly (readonly [what: string, bytes: string, text?: string])[] = [
  ['the first surrogate half, ED A0 80,', 'eda080', '\ud800'],
  ['the last surrogate half, ED BF BF,', 'edbfbf', '\udfff'],
  ['two surrogate halves in the wrong order', 'edb080eda080', '\udc00\ud800'],
  ['a pair of surrogate halves, CESU-8,', 'eda0bdedb880'],
  ['an overlong U+0000, C0 80,', 'c080'],
  ['an overlong slash, C0 AF,', 'c0af'],
  ['an overlong form of three bytes, E0 9F BF,', 'e09fbf'],
  ['an overlong form of four bytes, F0 8F BF BF,', 'f08fbfbf'],
  ['a value above U+10FFFF, F4 90 80 80,', 'f4908080'],
  ['a lone continuation byte, 80,', '80'],
  ['FF FE', 'fffe'],
  ['Latin-1, E9,', 'e9'],
  ['a character cut short, F0 9F 98,', 'f09f98'],
]

/** The rules against one content of a string field, behind an "ok" that is well-formed. */
function stringRule(
  field: StringField,
  [code, clause]: readonly [ErrorCode, string],
  what: string,
  bytes: string,
  text: string | undefined,
): Rule {
  const where = {
    clause,
    bytes: field.bytes(`6f6b${bytes}`),
    offset: field.at + 2,
    ...(text !== undefined && { fields: field.fields(`ok${text}`) }),
  }
  return {
    what,
    code,
    reason: field.reason,
    field: field.field,
    ...(field.version === 4 ? { v3: where } : { v5: where }),
  }
}

/** The rules against strings that are not well-formed, of one field. */
export function malformedRules(field: StringField): Rule[] {
  return malformedStrings.map(([what, bytes, text]) =>
    stringRule(field, field.notUtf8, `${what} in ${field.title}`, bytes, text),
  )
}

/** The rule against U+0000 in one field. */
export function nulRule(field: StringField): Rule {
  return stringRule(field, field.nul, `U+0000 in ${field.title}`, '00', '\0')
}

/** A string in hex. */
export function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}
