import { Buffer } from 'buffer'
import { Fault } from '../errors/fault.ts'
import {
  checkBoolean,
  checkInteger,
  checkNames,
  copyOwn,
  isRevoked,
  namesOf,
  ownMembers,
  wrongType,
  wrongValue,
} from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import type { AuthPacket } from '../packets/auth/v5.ts'
import type { ConnackPacket } from '../packets/connack/any-version.ts'
import type { ConnectPacket } from '../packets/connect/any-version.ts'
import { ConnectPacketBase } from '../packets/connect/connect-packet.ts'
import { checkProtocol } from '../packets/connect/protocol.ts'
import { policyOf } from '../packets/decode.ts'
import type { DisconnectPacket } from '../packets/disconnect/any-version.ts'
import { isPacket } from '../packets/encoded-packet.ts'
import { FieldPacket } from '../packets/field-packet.ts'
import { classes, type FieldPackets } from '../packets/formats.ts'
import type * as v3_1_1 from '../packets/v3_1_1.ts'
import type * as v5 from '../packets/v5.ts'
import type { Will, WillFields } from '../packets/will.ts'
import { BRIDGE_BIT, type ProtocolVersion, type Version, versionOf } from '../protocol/version.ts'
import { asBuffer, isBytes } from '../wire/memory.ts'
import { checkBinary, writeBinaryData, writeUtf8String } from '../wire/primitives.ts'
import { firstInvalidByte, readUtf8, utf8Length } from '../wire/utf8.ts'
import { fromAuth, fromConnack, fromDisconnect, toAnswer } from './mqtt-packet-answers.ts'
import { checkUnused, packetMembers, propertiesMember, propsField, unused } from './mqtt-packet-members.ts'
import type {
  AuthInput,
  AuthObject,
  ConnackInput,
  ConnackObject,
  ConnectInput,
  ConnectObject,
  DisconnectInput,
  DisconnectObject,
  WillInput,
  WillObject,
} from './mqtt-packet-objects.ts'

/*
 * mqtt-packet's object shape, for programs around MQTT.js and aedes. docs/interop.md compares the names, and says what a
 * conversion loses.
 */

export type { PropertyListName } from '../protocol/property-table.ts'
export type {
  AuthInput,
  AuthObject,
  ConnackInput,
  ConnackObject,
  ConnectInput,
  ConnectObject,
  DisconnectInput,
  DisconnectObject,
  Properties,
  PropertiesInput,
  UserProperties,
  WillInput,
  WillObject,
} from './mqtt-packet-objects.ts'

/**
 * The options of `fromMqttPacket`.
 *
 * @example
 * const options: FromMqttPacketOptions = { protocolVersion: ProtocolVersion.v3_1 }
 * fromMqttPacket({ cmd: 'connack', returnCode: 0 }, options).protocolVersion // 3
 */
export interface FromMqttPacketOptions {
  /**
   * The version of a CONNACK or a DISCONNECT, which don't name it. Default: 5.0 if the object has a `reasonCode` (or, in a
   * DISCONNECT, `properties`), otherwise 3.1.1. Ignored for a CONNECT, as in mqtt-packet's `generate`.
   */
  readonly protocolVersion?: ProtocolVersion | undefined
}

const optionNames: readonly string[] = namesOf<FromMqttPacketOptions>({ protocolVersion: true })

/** The members of each packet's object. */
const names: { readonly [Cmd in AnyInput['cmd']]: readonly string[] } = {
  connect: namesOf<ConnectInput>({
    cmd: true,
    protocolId: true,
    protocolVersion: true,
    bridgeMode: true,
    will: true,
    clean: true,
    keepalive: true,
    properties: true,
    clientId: true,
    username: true,
    password: true,
    ...unused,
  }),
  connack: namesOf<ConnackInput>({
    cmd: true,
    sessionPresent: true,
    returnCode: true,
    reasonCode: true,
    properties: true,
    ...unused,
  }),
  auth: namesOf<AuthInput>({ cmd: true, reasonCode: true, properties: true, ...unused }),
  disconnect: namesOf<DisconnectInput>({ cmd: true, reasonCode: true, properties: true, ...unused }),
}

const willNames: readonly string[] = namesOf<WillInput>({
  retain: true,
  qos: true,
  properties: true,
  topic: true,
  payload: true,
})

/**
 * The object that mqtt-packet 9's parser emits for this packet. Binary data shares memory with the packet, so don't write to it. It may contain
 * the password and authentication data, so don't log it.
 *
 * The object keeps neither the order of user properties with different keys nor parts of a CONNECT that its version ignores. A
 * repeated key keeps all its values in order, whereas mqtt-packet's own parser drops an empty value that is followed by another
 * one.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `packet` is not a ConnectPacket, ConnackPacket, AuthPacket or DisconnectPacket
 * @example
 * const { clientId, keepalive } = toMqttPacket(packet)
 */
export function toMqttPacket(packet: ConnectPacket): ConnectObject
export function toMqttPacket(packet: ConnackPacket): ConnackObject
export function toMqttPacket(packet: AuthPacket): AuthObject
export function toMqttPacket(packet: DisconnectPacket): DisconnectObject
export function toMqttPacket(packet: ConnectPacket | ConnackPacket): ConnectObject | ConnackObject
export function toMqttPacket(packet: FieldPackets): PacketOf
export function toMqttPacket(packet: FieldPackets): PacketOf {
  if (isPacket(packet, ConnectPacketBase)) return toConnect(packet)
  if (isPacket(packet, FieldPacket)) return toAnswer(packet)
  throw wrongType('packet', 'a ConnectPacket, ConnackPacket, AuthPacket or DisconnectPacket', packet)
}

/**
 * The packet with the bytes that mqtt-packet 9's `generate` writes for this object, if they're valid. Properties keep the order
 * of the object's keys. A DISCONNECT of 5.0 is written in its shortest form.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if a member is missing or has the wrong type. `ERR_INVALID_ARG_VALUE` if the object
 *   isn't a CONNECT, CONNACK, AUTH or DISCONNECT, or has a member or a property with an unknown name, `properties` before MQTT
 *   5.0, a true `sessionPresent` in MQTT 3.1, two codes without `protocolVersion`, or a lone surrogate in binary data.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet
 * @throws MqttError if the contents break a rule of their version, with the code that decoding them would give
 * @example
 * const packet = fromMqttPacket({ cmd: 'connect', clientId: 'sensor-0042', keepalive: 60 })
 * socket.write(packet.bytes)
 */
export function fromMqttPacket(object: ConnectInput, options?: FromMqttPacketOptions): ConnectPacket
export function fromMqttPacket(object: ConnackInput, options?: FromMqttPacketOptions): ConnackPacket
export function fromMqttPacket(object: AuthInput, options?: FromMqttPacketOptions): AuthPacket
export function fromMqttPacket(object: DisconnectInput, options?: FromMqttPacketOptions): DisconnectPacket
export function fromMqttPacket(
  object: ConnectInput | ConnackInput,
  options?: FromMqttPacketOptions,
): ConnectPacket | ConnackPacket
export function fromMqttPacket(object: AnyInput, options?: FromMqttPacketOptions): FieldPackets
export function fromMqttPacket(object: AnyInput, options: FromMqttPacketOptions = {}): FieldPackets {
  if (typeof object !== 'object' || object === null || isRevoked(object)) {
    throw wrongType('object', 'an object', object)
  }
  const { protocolVersion } = ownMembers('options', options, optionNames)
  // The objects of mqtt-packet's parser are instances of a class, not plain objects.
  const own = copyOwn(object)
  const { cmd } = own
  if (typeof cmd !== 'string') throw wrongType('cmd', commands, cmd)
  if (!Object.hasOwn(names, cmd)) throw wrongValue('cmd', commands)
  checkNames('fields', own, names[cmd])
  checkUnused(own)
  if (cmd === 'connect') return fromConnect(own)
  if (cmd === 'connack') return fromConnack(own, protocolVersion)
  return cmd === 'auth' ? fromAuth(own, protocolVersion) : fromDisconnect(own, protocolVersion)
}

const commands = "'connect', 'connack', 'auth' or 'disconnect'"

type PacketOf = ConnectObject | ConnackObject | AuthObject | DisconnectObject
type AnyInput = ConnectInput | ConnackInput | AuthInput | DisconnectInput

/** The fields of any version. */
type ConnectFields = Partial<v3_1_1.ConnectPacketFields & v5.ConnectPacketFields>

function toConnect(packet: ConnectPacket): ConnectObject {
  const { protocolName, cleanField } = versionOf(packet.protocolVersion)!
  const { will, userName, password } = packet
  const fields: ConnectFields = copyOwn(packet.toFields())
  return {
    cmd: 'connect',
    ...packetMembers(packet),
    protocolId: protocolName,
    protocolVersion: packet.protocolVersion,
    ...(fields.bridge && { bridgeMode: true }),
    ...(will && { will: toWill(will) }),
    clean: fields[cleanField]!,
    keepalive: packet.keepAlive,
    ...propertiesMember(fields.props),
    clientId: packet.clientId,
    ...(userName !== undefined && { username: userName }),
    ...(password !== undefined && { password }),
  }
}

function toWill({ retain, qos, props, topic, message }: Will): WillObject {
  return { retain, qos, ...propertiesMember(props), topic, payload: message }
}

function fromConnect(object: ConnectInput): ConnectPacket {
  const { protocolId = 'MQTT', protocolVersion = 4, bridgeMode = false, clean = true, keepalive = 0 } = object
  const { clientId = '', username, password, will, properties } = object
  const version = versionNamed(protocolId, protocolVersion, bridgeMode)
  checkInteger('keepalive', keepalive, 0xffff)
  const fields = {
    [version.cleanField]: checkBoolean('clean', clean),
    keepAlive: keepalive,
    clientId: fromText('clientId', clientId),
    will: will === undefined || will === null ? undefined : fromWill(version, will),
    userName: username === undefined || username === null ? undefined : fromText('username', username),
    password: fromBinary('password', password),
    ...(version.hasBridges && { bridge: bridgeMode }),
    ...propsField(version, 'properties', properties),
  }
  const Packet = classes[version.name].ConnectPacket as new (fields: object) => ConnectPacket
  return new Packet(fields)
}

function fromWill(version: Version, will: WillInput): WillFields {
  const { topic, payload, qos = 0, retain = false, properties } = ownMembers('will', will, willNames)
  writeUtf8String(noBytes, 0, topic, 'will.topic')
  checkInteger('will.qos', qos, 3)
  checkBoolean('will.retain', retain)
  const message = fromBinary('will.payload', payload) ?? noBytes
  return { topic, message, qos, retain, ...propsField(version, 'will.properties', properties) }
}

const anyProtocol = policyOf({ allow: ['protocol-mqtt-3-1', 'protocol-bridge-level'] })

/**
 * The version with this protocol name and level. mqtt-packet also writes combinations that no version has.
 *
 * @throws MqttError if no version has them
 */
function versionNamed(protocolId: string, protocolVersion: number, bridgeMode: boolean): Version {
  writeUtf8String(noBytes, 0, protocolId, 'protocolId')
  checkInteger('protocolVersion', protocolVersion, BRIDGE_BIT - 1)
  checkBoolean('bridgeMode', bridgeMode)
  // Builds the beginning of the packet, and runs the same check as for received packets.
  const start = 2
  const bytes = Buffer.alloc(start + 2 + utf8Length(protocolId) + 1)
  const levelAt = writeUtf8String(bytes, start, protocolId, 'protocolId')
  bytes[levelAt] = bridgeMode ? protocolVersion | BRIDGE_BIT : protocolVersion
  const found = checkProtocol(anyProtocol, bytes, start)
  if (found instanceof Fault) throw new MqttErrorOf(found)
  return found.version!
}

const noBytes = new Uint8Array(0)

/** A string, which mqtt-packet also accepts as bytes. */
function fromText(path: string, value: string | Uint8Array): string {
  const text = isBytes(value) ? textOf(asBuffer(path, value)) : value
  writeUtf8String(noBytes, 0, text, path)
  return text
}

/**
 * The text of bytes. If they aren't valid UTF-8, it ends with a character that makes the packet's check fail at the same byte.
 */
function textOf(bytes: Buffer): string {
  const invalidAt = firstInvalidByte(bytes, 0, bytes.length)
  if (invalidAt < 0) return readUtf8(bytes, 0, bytes.length)
  return readUtf8(bytes, 0, invalidAt) + (bytes[invalidAt] === 0 ? '\0' : '\ud800')
}

function fromBinary(
  path: string,
  value: Uint8Array | string | null | undefined,
): Uint8Array | string | undefined {
  if (value === undefined || value === null) return undefined
  const data = checkBinary(path, value)
  writeBinaryData(noBytes, 0, data, path)
  return data
}
