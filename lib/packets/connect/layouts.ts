import { type Entry, type FieldRule, faultUnlessAllowed, type PropertyValues } from '../../codec/context.ts'
import type { Field, TopicField, Utf8Field } from '../../codec/fields.ts'
import { protocolNameField } from '../../codec/layout.ts'
import { type PropertyList, propertyList } from '../../codec/property-list.ts'
import { type FlagRule, flagRules } from '../../codec/rules.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../../protocol/connect-flags.ts'
import { type Version, v5 } from '../../protocol/version.ts'
import { type WillContents, willProperties } from '../will.ts'

/*
 * The layout of a CONNECT in each version: its fields in wire order, and their rules. MQTT 3.1.1 and MQTT 5.0, section 3.1.
 */

export const connectFlagsField: Field = {
  name: 'connectFlags',
  section: '3.1.2.3',
}
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
export const passwordField: Field = {
  name: 'password',
  section: { v3_1_1: '3.1.3.5', v5: '3.1.3.6' },
  secret: true,
}
export const connectProperties: PropertyList = propertyList('connect', v5, {
  path: 'props',
  owner: 'a CONNECT',
  section: '3.1.2.11',
})

/* Rules for the connect flags. */

/** True if the connect flags contain this flag. */
export function has(flags: number, flag: number): boolean {
  return (flags & flag) !== 0
}

/** The will QoS in the connect flags. */
export function willQos(flags: number): number {
  return (flags & ConnectFlag.willQos) >>> WILL_QOS_SHIFT
}

const reserved: FlagRule = {
  code: 'connect-flags-reserved',
  broken: (flags) => has(flags, ConnectFlag.reserved),
}
const willQosWithoutWill: FlagRule = {
  code: 'will-qos-without-will',
  broken: (flags) => !has(flags, ConnectFlag.will) && willQos(flags) > 0,
}
const willRetainWithoutWill: FlagRule = {
  code: 'will-retain-without-will',
  broken: (flags) => !has(flags, ConnectFlag.will) && has(flags, ConnectFlag.willRetain),
}
const willQosThree: FlagRule = {
  code: 'will-qos',
  broken: (flags) => has(flags, ConnectFlag.will) && willQos(flags) === 3,
}
const passwordWithoutUserName: FlagRule = {
  code: 'password-without-user-name',
  broken: (flags) => has(flags, ConnectFlag.password) && !has(flags, ConnectFlag.userName),
}

/* Rules for the client identifier. */

/** The longest client identifier of MQTT 3.1, in characters. */
const LONGEST_CLIENT_ID = 23

/** 1 to 23 characters. MQTT 3.1 section 3.1. */
const clientIdLength: FieldRule = (context, bytes, at, end) => {
  if (end === at + 2) return faultUnlessAllowed(context, 'client-id-empty', clientIdField, at)
  let characters = 0
  // Every byte that doesn't continue a UTF-8 sequence begins a character.
  for (let i = at + 2; i < end; i++) if ((bytes[i]! & 0xc0) !== 0x80) characters++
  if (characters <= LONGEST_CLIENT_ID) return undefined
  return faultUnlessAllowed(context, 'client-id-too-long', clientIdField, at)
}

/** Empty only with clean session [MQTT-3.1.3-8]. */
const clientIdOrCleanSession: FieldRule = (context, _, at, end, flags) => {
  if (end > at + 2 || has(flags, ConnectFlag.clean)) return undefined
  const problem = 'must not be empty without clean session'
  return faultUnlessAllowed(context, 'client-id-empty', clientIdField, at, { problem })
}

/* The layouts. */

/** The fields of a CONNECT of any version, read and ready to be written. */
export interface ConnectContents {
  /** Protocol name and level. */
  readonly header: Uint8Array
  readonly flags: number
  readonly keepAlive: number
  readonly clientId: string
  readonly will: (Pick<WillContents, 'topic' | 'message'> & { readonly props: PropertyValues }) | undefined
  readonly userName: string | undefined
  readonly password: Uint8Array | string | undefined
  readonly props: PropertyValues
}

type ConnectEntry = Entry<ConnectContents>

const protocol: ConnectEntry = {
  kind: 'protocol',
  field: protocolNameField,
  value: (contents) => contents.header,
}
const keepAlive: ConnectEntry = {
  kind: 'twoByteInteger',
  field: keepAliveField,
  value: (contents) => contents.keepAlive,
}
const willTopic: ConnectEntry = {
  kind: 'topicName',
  field: willTopicField,
  when: ConnectFlag.will,
  value: (contents) => contents.will!.topic,
}
const willMessage: ConnectEntry = {
  kind: 'binaryData',
  field: willMessageField,
  when: ConnectFlag.will,
  value: (contents) => contents.will!.message,
}
const userName: ConnectEntry = {
  kind: 'utf8String',
  field: userNameField,
  when: ConnectFlag.userName,
  value: (contents) => contents.userName!,
}
const password: ConnectEntry = {
  kind: 'binaryData',
  field: passwordField,
  when: ConnectFlag.password,
  value: (contents) => contents.password!,
}

function connectFlags(...rules: readonly FlagRule[]): ConnectEntry {
  return {
    kind: 'flags',
    field: connectFlagsField,
    rule: flagRules(connectFlagsField, ...rules),
    value: (contents) => contents.flags,
  }
}

function clientId(rule?: FieldRule): ConnectEntry {
  return {
    kind: 'utf8String',
    field: clientIdField,
    ...(rule && { rule }),
    value: (contents) => contents.clientId,
  }
}

export const connectLayouts: { readonly [Name in Version['name']]: readonly ConnectEntry[] } = {
  v3_1: [
    protocol,
    // Bit 0 is reserved for future use. Will QoS and will retain have no meaning without the will flag. MQTT 3.1 allows any value.
    connectFlags(willQosThree, passwordWithoutUserName),
    keepAlive,
    clientId(clientIdLength),
    willTopic,
    willMessage,
    // The Remaining Length takes precedence over the flags, so announced fields may be missing at the end of the packet.
    { ...userName, mayBeAbsent: true },
    { ...password, mayBeAbsent: true },
  ],
  v3_1_1: [
    protocol,
    connectFlags(reserved, willQosWithoutWill, willRetainWithoutWill, willQosThree, passwordWithoutUserName),
    keepAlive,
    clientId(clientIdOrCleanSession),
    willTopic,
    willMessage,
    userName,
    password,
  ],
  v5: [
    protocol,
    connectFlags(reserved, willQosWithoutWill, willRetainWithoutWill, willQosThree),
    keepAlive,
    { kind: 'properties', field: connectProperties, value: (contents) => contents.props },
    clientId(),
    {
      kind: 'properties',
      field: willProperties,
      when: ConnectFlag.will,
      value: (contents) => contents.will!.props,
    },
    willTopic,
    willMessage,
    userName,
    password,
  ],
}
