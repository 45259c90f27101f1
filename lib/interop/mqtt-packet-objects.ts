import type { Buffer } from 'buffer'
import type { QoS } from '../packets/will.ts'
import type {
  AuthReasonCode,
  ConnectReasonCode,
  ConnectReturnCode,
  DisconnectReasonCode,
} from '../protocol/codes.ts'
import type { PropertyListName, PropertyTable } from '../protocol/property-table.ts'

/*
 * mqtt-packet 9's objects for CONNECT, CONNACK, AUTH and DISCONNECT. Its parser emits a `…Object`, and its `generate` takes an
 * `…Input`, in which more members are optional and binary data can be a string. Each object is also an input.
 */

/** The properties whose names in mqtt-packet differ from the standard's. */
export const theirNames = {
  userProperty: 'userProperties',
  maximumQos: 'maximumQoS',
  subscriptionIdentifierAvailable: 'subscriptionIdentifiersAvailable',
} as const

type Name<Ours> = Ours extends keyof typeof theirNames ? (typeof theirNames)[Ours] : Ours

/** The only property of type byte that mqtt-packet doesn't read as a boolean. */
export const byteAsNumber = 'maximumQos'

type Value<Ours, Type, Binary> = Ours extends typeof byteAsNumber
  ? number
  : Type extends 'byte'
    ? boolean
    : Type extends 'utf8String'
      ? string
      : Type extends 'binaryData'
        ? Binary
        : Type extends 'utf8StringPair'
          ? UserProperties
          : number

/**
 * The values of user properties by key: an array if the key occurs more than once. mqtt-packet doesn't keep the order of
 * different keys.
 *
 * @example
 * const properties: UserProperties = { region: 'eu-west-1', tag: ['a', 'b'] }
 */
export interface UserProperties {
  /** One value, or several in order. */
  [key: string]: string | string[]
}

/**
 * The properties of one property list, as the parser emits them.
 *
 * @example
 * const properties: Properties<'connect'> = { receiveMaximum: 10 }
 */
export type Properties<List extends PropertyListName> = {
  [Ours in keyof PropertyTable as List extends keyof PropertyTable[Ours]['in'] ? Name<Ours> : never]?: Value<
    Ours,
    PropertyTable[Ours]['type'],
    Buffer
  >
}

/**
 * The properties of one property list, as `generate` takes them.
 *
 * @example
 * const properties: PropertiesInput<'connect'> = { authenticationMethod: 'token', authenticationData: 'abc' }
 */
export type PropertiesInput<List extends PropertyListName> = {
  readonly [Ours in keyof PropertyTable as List extends keyof PropertyTable[Ours]['in']
    ? Name<Ours>
    : never]?: Value<Ours, PropertyTable[Ours]['type'], Uint8Array | string> | undefined
}

/** The members that mqtt-packet's parser sets on every packet. These packets use only `length`. */
export interface PacketObject {
  /** Unused. */
  retain: false
  /** Unused. */
  qos: 0
  /** Unused. */
  dup: false
  /** The Remaining Length in bytes, 0 to 268,435,455. */
  length: number
  /** Unused. */
  topic: null
  /** Unused. */
  payload: null
}

/** The same members in an input. They're accepted, so that an object from the parser can be converted, but ignored. */
export interface PacketInput {
  /** Ignored. */
  readonly retain?: false | undefined
  /** Ignored. */
  readonly qos?: 0 | undefined
  /** Ignored. */
  readonly dup?: false | undefined
  /** Ignored: the Remaining Length follows from the other members. */
  readonly length?: number | undefined
  /** Ignored. */
  readonly topic?: null | undefined
  /** Ignored. */
  readonly payload?: null | undefined
  /** Ignored: these packets have no packet identifier. */
  readonly messageId?: number | undefined
}

/**
 * The will of a `ConnectObject`.
 *
 * @example
 * const will: WillObject | undefined = toMqttPacket(packet).will
 */
export interface WillObject {
  /** True if the server should retain the will message. */
  retain: boolean
  /** The quality of service of the will message: 0, 1 or 2. */
  qos: QoS
  /** The will properties; absent if there are none. MQTT 5.0 only. */
  properties?: Properties<'will'>
  /** The topic that the will message is published to. */
  topic: string
  /** The will message. It shares memory with the packet. */
  payload: Buffer
}

/**
 * The will of a `ConnectInput`.
 *
 * @example
 * const will: WillInput = { topic: 'sensor-0042/status', payload: 'offline' }
 */
export interface WillInput {
  /** The topic that the will message is published to: 1 to 65,535 bytes of UTF-8, without wildcards and U+0000. */
  readonly topic: string
  /** The will message. A string is encoded as UTF-8. Default empty. */
  readonly payload?: Uint8Array | string | null | undefined
  /** The quality of service of the will message: 0, 1 or 2. Default 0. */
  readonly qos?: QoS | undefined
  /** True if the server should retain the will message. Default false. */
  readonly retain?: boolean | undefined
  /** The will properties, in this order. MQTT 5.0 only. Default none. */
  readonly properties?: PropertiesInput<'will'> | undefined
}

/**
 * A CONNECT, as mqtt-packet's parser emits it.
 *
 * @example
 * const object: ConnectObject = toMqttPacket(packet)
 * object.keepalive // 60
 */
export interface ConnectObject extends PacketObject {
  /** The packet type. */
  cmd: 'connect'
  /** The protocol name: `MQIsdp` in MQTT 3.1. */
  protocolId: 'MQTT' | 'MQIsdp'
  /** The protocol level without the bridge bit. */
  protocolVersion: 3 | 4 | 5
  /** True if the bridge bit of the protocol level is set, otherwise absent. */
  bridgeMode?: true
  /** The will; absent if there is none. */
  will?: WillObject
  /** Clean session or clean start. */
  clean: boolean
  /** The keep alive in seconds, 0 to 65,535. */
  keepalive: number
  /** The CONNECT properties; absent if there are none. MQTT 5.0 only. */
  properties?: Properties<'connect'>
  /** The client identifier, which may be empty. */
  clientId: string
  /** The user name; absent if there is none. */
  username?: string
  /** The password; absent if there is none. It shares memory with the packet. */
  password?: Buffer
}

/**
 * A CONNECT, as mqtt-packet's `generate` takes it, with the same defaults.
 *
 * @example
 * const input: ConnectInput = { cmd: 'connect', clientId: 'sensor-0042', keepalive: 60 }
 * fromMqttPacket(input).size // 25
 */
export interface ConnectInput extends PacketInput {
  /** The packet type. */
  readonly cmd: 'connect'
  /** The protocol name: `MQIsdp` for MQTT 3.1. Default `MQTT`. */
  readonly protocolId?: 'MQTT' | 'MQIsdp' | undefined
  /** The protocol level. Default 4, which is MQTT 3.1.1. */
  readonly protocolVersion?: 3 | 4 | 5 | undefined
  /** True to set the bridge bit of the protocol level. Not in MQTT 5.0. Default false. */
  readonly bridgeMode?: boolean | undefined
  /** Clean session or clean start. Default true. */
  readonly clean?: boolean | undefined
  /** The keep alive in seconds, 0 to 65,535. Default 0, which turns it off. */
  readonly keepalive?: number | undefined
  /** The client identifier. Bytes must be UTF-8. Default empty. */
  readonly clientId?: string | Uint8Array | undefined
  /** The will. Default none. */
  readonly will?: WillInput | null | undefined
  /** The user name. Bytes must be UTF-8. Default none. */
  readonly username?: string | Uint8Array | null | undefined
  /** The password. A string is encoded as UTF-8. Default none. */
  readonly password?: string | Uint8Array | null | undefined
  /** The CONNECT properties, in this order. MQTT 5.0 only. Default none. */
  readonly properties?: PropertiesInput<'connect'> | undefined
}

/**
 * A CONNACK, as mqtt-packet's parser emits it.
 *
 * @example
 * const object: ConnackObject = toMqttPacket(connack(ProtocolVersion.v5, ConnectReasonCode.success))
 * object.reasonCode // 0
 */
export interface ConnackObject extends PacketObject {
  /** The packet type. */
  cmd: 'connack'
  /** True if the server has a session for this client. False in MQTT 3.1, which has no such flag. */
  sessionPresent: boolean
  /** The return code, in MQTT 3.1 and 3.1.1: 0 to 5. */
  returnCode?: ConnectReturnCode
  /** The reason code, in MQTT 5.0: 0, or 0x80 to 0x9F. */
  reasonCode?: ConnectReasonCode
  /** The CONNACK properties; absent if there are none. MQTT 5.0 only. */
  properties?: Properties<'connack'>
}

/**
 * A CONNACK, as mqtt-packet's `generate` takes it, with the same defaults.
 *
 * @example
 * const input: ConnackInput = { cmd: 'connack', returnCode: 5 }
 * fromMqttPacket(input).size // 4
 */
export interface ConnackInput extends PacketInput {
  /** The packet type. */
  readonly cmd: 'connack'
  /** True if the server has a session for this client. Default false. */
  readonly sessionPresent?: boolean | undefined
  /** The return code, for MQTT 3.1 and 3.1.1: 0 to 5, see `ConnectReturnCode`. Default none. */
  readonly returnCode?: number | undefined
  /** The reason code, for MQTT 5.0: 0, or 0x80 to 0x9F, see `ConnectReasonCode`. Default none. */
  readonly reasonCode?: number | undefined
  /** The CONNACK properties, in this order. MQTT 5.0 only. Default none. */
  readonly properties?: PropertiesInput<'connack'> | undefined
}

/**
 * An AUTH, as mqtt-packet's parser emits it. MQTT 5.0 only.
 *
 * @example
 * const props = [property.authenticationMethod('SCRAM-SHA-1')]
 * const object: AuthObject = toMqttPacket(new v5.AuthPacket({ reasonCode: 0x18, props }))
 * object.properties?.authenticationMethod // 'SCRAM-SHA-1'
 */
export interface AuthObject extends PacketObject {
  /** The packet type. */
  cmd: 'auth'
  /** The reason code: 0x00, 0x18 or 0x19. */
  reasonCode: AuthReasonCode
  /** The AUTH properties. */
  properties?: Properties<'auth'>
}

/**
 * An AUTH, as mqtt-packet's `generate` takes it.
 *
 * @example
 * const input: AuthInput = { cmd: 'auth', reasonCode: 24, properties: { authenticationMethod: 'SCRAM-SHA-1' } }
 * fromMqttPacket(input).size // 18
 */
export interface AuthInput extends PacketInput {
  /** The packet type. */
  readonly cmd: 'auth'
  /** The reason code: 0x00, 0x18 or 0x19, see `AuthReasonCode`. */
  readonly reasonCode: number
  /** The AUTH properties, in this order. Default none, but the authentication method is required. */
  readonly properties?: PropertiesInput<'auth'> | undefined
}

/**
 * A DISCONNECT, as mqtt-packet's parser emits it.
 *
 * @example
 * const object: DisconnectObject = toMqttPacket(new v5.DisconnectPacket())
 * object.reasonCode // 0
 */
export interface DisconnectObject extends PacketObject {
  /** The packet type. */
  cmd: 'disconnect'
  /** The reason code, in MQTT 5.0. */
  reasonCode?: DisconnectReasonCode
  /** The DISCONNECT properties; absent if there are none. MQTT 5.0 only. */
  properties?: Properties<'disconnect'>
}

/**
 * A DISCONNECT, as mqtt-packet's `generate` takes it.
 *
 * @example
 * const input: DisconnectInput = { cmd: 'disconnect', reasonCode: 0x8b }
 * fromMqttPacket(input).size // 3
 */
export interface DisconnectInput extends PacketInput {
  /** The packet type. */
  readonly cmd: 'disconnect'
  /** The reason code, for MQTT 5.0, see `DisconnectReasonCode`. Default 0, normal disconnection. */
  readonly reasonCode?: number | undefined
  /** The DISCONNECT properties, in this order. MQTT 5.0 only. Default none. */
  readonly properties?: PropertiesInput<'disconnect'> | undefined
}
