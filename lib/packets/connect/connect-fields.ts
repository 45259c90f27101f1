import type { PropertyValues } from '../../codec/context.ts'
import type { PropertyList } from '../../codec/property-list.ts'
import { copyProperties } from '../../codec/write-properties.ts'
import { checkBoolean, checkInteger, checkLength, wrongValue } from '../../errors/misuse.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../../protocol/connect-flags.ts'
import { BRIDGE_BIT, type Version } from '../../protocol/version.ts'
import { checkBinary } from '../../wire/primitives.ts'
import { noProperties, type Property } from '../properties.ts'
import { type WillContents, type WillFields, willContents, willProperties } from '../will.ts'

/** The fields that CONNECT packets of any version are built from. */
export interface ConnectFields {
  readonly cleanSession?: boolean
  readonly cleanStart?: boolean
  readonly keepAlive: number
  readonly clientId: string
  readonly will?: WillFields | undefined
  readonly userName?: string | undefined
  readonly password?: Uint8Array | string | undefined
  readonly props?: readonly Property[] | undefined
  readonly bridge?: boolean | undefined
}

/** The same fields, read and ready to be written. */
export interface ConnectContents {
  /** Protocol name and level. */
  readonly header: Uint8Array
  readonly flags: number
  readonly keepAlive: number
  readonly clientId: string
  readonly will:
    | {
        readonly topic: string
        readonly message: Uint8Array | string
        readonly props: PropertyValues
      }
    | undefined
  readonly userName: string | undefined
  readonly password: Uint8Array | string | undefined
  readonly props: PropertyValues
}

const base: object = Object.prototype

/** True if `Object.prototype` has members that would count as fields of a CONNECT. */
export function isPolluted(): boolean {
  return (
    'cleanSession' in base ||
    'cleanStart' in base ||
    'keepAlive' in base ||
    'clientId' in base ||
    'will' in base ||
    'userName' in base ||
    'password' in base ||
    'props' in base ||
    'bridge' in base
  )
}

/** Returns the function that reads the fields of one version's CONNECT. */
export function connectReader(
  version: Version,
  list?: PropertyList,
): (fields: ConnectFields) => ConnectContents {
  const { header, cleanField, hasProperties, label } = version
  const bridgeHeader = Uint8Array.of(...header.subarray(0, -1), header.at(-1)! | BRIDGE_BIT)
  return (fields) => {
    const clean = checkBoolean(cleanField, fields[cleanField])
    const { keepAlive, clientId, will: givenWill, userName, password } = fields
    const { props = noProperties, bridge = false } = fields
    checkBoolean('bridge', bridge)
    checkInteger('keepAlive', keepAlive, 0xffff)
    const will = givenWill === undefined ? undefined : willContents(givenWill)
    if (will !== undefined && !hasProperties && checkLength('will.props', will.props) > 0) {
      throw wrongValue('will.props', `absent in MQTT ${label}`)
    }
    let flags = clean ? ConnectFlag.clean : 0
    if (will !== undefined) flags |= willFlags(will)
    if (userName !== undefined) flags |= ConnectFlag.userName
    if (password !== undefined) flags |= ConnectFlag.password
    return {
      header: bridge ? bridgeHeader : header,
      flags,
      keepAlive,
      clientId,
      will: will && {
        topic: will.topic,
        message: will.message,
        props: copyProperties(will.props, willProperties),
      },
      userName,
      password: password === undefined ? undefined : checkBinary('password', password),
      props: list === undefined ? noProperties : copyProperties(props, list),
    }
  }
}

/** The bits of the connect flags that describe a will. */
function willFlags({ qos, retain }: WillContents): number {
  return ConnectFlag.will | (qos << WILL_QOS_SHIFT) | (retain ? ConnectFlag.willRetain : 0)
}
