import type { Buffer } from 'buffer'
import { wrongValue } from '../../errors/misuse.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { BRIDGE_BIT, type Version } from '../../protocol/version.ts'
import { Rules } from '../../wire/check.ts'
import { writeTwoByteInteger } from '../../wire/integers.ts'
import { writeBinaryData, writeUtf8String } from '../../wire/primitives.ts'
import { checkBoolean, checkInteger } from '../arguments.ts'
import { type Check, encodePacket } from '../encode.ts'
import { noProperties, type Property, writeProperties } from '../properties/properties.ts'
import { connectProperties } from '../properties/property-list.ts'
import { type WillContents, type WillFields, willContents, willFlags, writeWill } from '../will.ts'
import type { ConnectFormat } from './connect-packet.ts'

/** What a CONNECT of any version is built from, except for the field that bit 1 of its flags holds. */
export interface ConnectFields {
  readonly keepAlive: number
  readonly clientId: string
  readonly will?: WillFields | undefined
  readonly userName?: string | undefined
  readonly password?: Uint8Array | string | undefined
  readonly props?: readonly Property[] | undefined
  readonly bridge?: boolean | undefined
}

/** The same, each field read once: a getter may return something else the next time. */
interface Contents {
  readonly version: Version
  readonly flags: number
  readonly keepAlive: number
  readonly clientId: string
  readonly will: WillContents | undefined
  readonly userName: string | undefined
  readonly password: Uint8Array | string | undefined
  readonly props: readonly Property[]
  readonly bridge: boolean
}

/** Encodes the fields of a CONNECT. */
export type ConnectEncoder = (clean: boolean, fields: ConnectFields) => Buffer

/** What builds packets of one version, and always checks them with all rules. */
export function connectEncoder({ version, check }: ConnectFormat): ConnectEncoder {
  const rules = new Rules(version, undefined, undefined, version.level)
  const headerLength = version.header.length
  const checkStrictly: Check = (bytes, start) => check(rules, bytes, start + headerLength)
  return (clean, fields) =>
    encodePacket(ControlPacketType.connect, contentsOf(version, clean, fields), writeConnect, checkStrictly)
}

/**
 * @param clean clean session or clean start
 * @throws TypeError, RangeError for a value that no packet can hold, except for values whose size is not fixed
 */
function contentsOf(version: Version, clean: boolean, fields: ConnectFields): Contents {
  checkBoolean(version.cleanField, clean)
  const {
    keepAlive,
    clientId,
    will: givenWill,
    userName,
    password,
    props = noProperties,
    bridge = false,
  } = fields
  checkBoolean('bridge', bridge)
  checkInteger('keepAlive', keepAlive, 0xffff)
  const will = givenWill === undefined ? undefined : willContents(givenWill)
  if (will !== undefined && !version.hasProperties && will.props.length > 0) {
    throw wrongValue('will.props', `none in MQTT ${version.label}`)
  }
  let flags = clean ? ConnectFlag.clean : 0
  if (will !== undefined) flags |= willFlags(will)
  if (userName !== undefined) flags |= ConnectFlag.userName
  if (password !== undefined) flags |= ConnectFlag.password
  return { version, flags, keepAlive, clientId, will, userName, password, props, bridge }
}

/** Writes variable header and payload. */
function writeConnect(bytes: Uint8Array, start: number, contents: Contents): number {
  const { version, flags, keepAlive, clientId, will, userName, password, props, bridge } = contents
  const { header, hasProperties } = version
  let at = start
  for (let i = 0; i < header.length; i++) bytes[at++] = header[i]!
  if (bridge) bytes[at - 1]! |= BRIDGE_BIT
  bytes[at++] = flags
  at = writeTwoByteInteger(bytes, at, keepAlive)
  if (hasProperties) at = writeProperties(bytes, at, props, connectProperties)
  at = writeUtf8String(bytes, at, clientId, 'clientId')
  if (will !== undefined) at = writeWill(bytes, at, will, hasProperties)
  if (userName !== undefined) at = writeUtf8String(bytes, at, userName, 'userName')
  if (password !== undefined) at = writeBinaryData(bytes, at, password, 'password')
  return at
}
