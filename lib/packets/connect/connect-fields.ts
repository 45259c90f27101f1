import type { FormatFacts } from '../../codec/context.ts'
import { copyProperties } from '../../codec/write-properties.ts'
import { checkBoolean, checkInteger, checkLength, namesOf, wrongValue } from '../../errors/misuse.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../../protocol/connect-flags.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { BRIDGE_BIT, type Version } from '../../protocol/version.ts'
import { checkBinary } from '../../wire/primitives.ts'
import { noProperties, type Property } from '../properties.ts'
import { type Will, type WillContents, type WillFields, willContents, willProperties } from '../will.ts'
import { type ConnectContents, connectLayouts, connectProperties } from './layouts.ts'

/** The fields that CONNECT packets of all versions share. */
export interface SharedFields {
  /**
   * The longest time that may pass between two packets of the client, in seconds, 0 to 65,535; 0 means no limit.
   * Section 3.1.2.10, in MQTT 3.1 section 3.1.
   */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5, in MQTT 3.1 section 3.1. */
  readonly will?: Will | WillFields | undefined
  /**
   * The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.4, in MQTT 5.0 section 3.1.3.5, in MQTT 3.1
   * section 3.1.
   */
  readonly userName?: string | undefined
  /**
   * The password, 0 to 65,535 bytes. A string is encoded as UTF-8. Before MQTT 5.0 only with a user name. Default none.
   * Section 3.1.3.5, in MQTT 5.0 section 3.1.3.6, in MQTT 3.1 section 3.1.
   */
  readonly password?: Uint8Array | string | undefined
}

/** The fields that CONNECT packets before MQTT 5.0 share. */
export interface SessionFields extends SharedFields {
  /**
   * True if the server should discard any earlier session, and this one when the connection ends. Section 3.1.2.4, in MQTT 3.1
   * section 3.1.
   */
  readonly cleanSession: boolean
  /**
   * True to set the bridge bit, 0x80 of the protocol level, with which brokers mark connections between each other. No standard
   * defines it. Default false.
   */
  readonly bridge?: boolean | undefined
}

/** The fields that CONNECT packets of any version are built from. */
interface ConnectFields extends SharedFields {
  readonly cleanSession?: boolean
  readonly cleanStart?: boolean
  readonly props?: readonly Property[] | undefined
  readonly bridge?: boolean | undefined
}

const sharedNames = namesOf<SharedFields>({
  keepAlive: true,
  clientId: true,
  will: true,
  userName: true,
  password: true,
})

/** The facts about one version's CONNECT. */
export function connectFacts(version: Version): Omit<FormatFacts<unknown, ConnectContents>, 'create'> {
  return {
    type: ControlPacketType.connect,
    version,
    layout: connectLayouts[version.name],
    names: [version.cleanField, ...sharedNames, version.hasProperties ? 'props' : 'bridge'],
    read: connectReader(version),
  }
}

function connectReader(version: Version): (fields: ConnectFields) => ConnectContents {
  const { header, cleanField, hasBridges, hasProperties, label } = version
  const bridgeBit = hasBridges ? BRIDGE_BIT : 0
  const bridgeHeader = Uint8Array.of(...header.subarray(0, -1), header.at(-1)! | bridgeBit)
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
      props: hasProperties ? copyProperties(props, connectProperties) : noProperties,
    }
  }
}

/** The bits of the connect flags that describe a will. */
function willFlags({ qos, retain }: WillContents): number {
  return ConnectFlag.will | (qos << WILL_QOS_SHIFT) | (retain ? ConnectFlag.willRetain : 0)
}
