import { asProperty } from '../codec/write-properties.ts'
import { isArray, readItems, wrongType, wrongValue } from '../errors/misuse.ts'
import { ConnectReasonCode } from '../protocol/codes.ts'
import { ProtocolVersion, type Version, versionOf } from '../protocol/version.ts'
import type { ConnectPacket } from './connect/any-version.ts'
import { ConnectPacketBase } from './connect/connect-packet.ts'
import { isPacket } from './encoded-packet.ts'
import { type Property, property } from './properties.ts'

/* Shared by `connack` and `disconnect`: the version to answer in, the codes of a CONNACK, and the options that set properties. */

/** The version of the client that gets the answer; `undefined` if it isn't determined. */
export function versionToAnswer(to: ConnectPacket | ProtocolVersion): Version | undefined {
  if (typeof to !== 'number' && !isPacket(to, ConnectPacketBase)) {
    throw wrongType('to', 'a ConnectPacket or a ProtocolVersion', to)
  }
  const level = typeof to === 'number' ? to : to.protocolVersion
  const version = versionOf(level)
  if (version === undefined && level !== ProtocolVersion.undetermined) {
    throw wrongValue('to', 'a ProtocolVersion')
  }
  return version
}

/** The reason codes of a CONNACK. Errors use the same ones. */
export const connackCodes: ReadonlySet<number> = new Set(Object.values(ConnectReasonCode))

/** The options that `connack` and `disconnect` share. */
export interface AnswerOptions {
  /** The reason in words, for the person who diagnoses a problem. Default none. */
  readonly reasonString?: string | undefined
  /** Another server for the client: `broker-2.example:1883`. Default none. */
  readonly serverReference?: string | undefined
  /** User properties, as pairs of key and value, in order. Default none. */
  readonly userProperties?: Iterable<readonly [key: string, value: string]> | undefined
  /** Any further properties, in order. Default none. */
  readonly props?: readonly Property[] | undefined
}

/** The names of these options, for `namesOf`. */
export const answerNames = {
  reasonString: true,
  serverReference: true,
  userProperties: true,
  props: true,
} as const

/** Turns these options, which must be own members, into properties, and adds the properties to `props`. */
export function answerProps(options: AnswerOptions, props: Property[] = []): Property[] {
  const { reasonString, serverReference, userProperties = [], props: further = [] } = options
  if (reasonString !== undefined) props.push(property.reasonString(reasonString))
  if (serverReference !== undefined) props.push(property.serverReference(serverReference))
  const pairs = 'pairs of key and value'
  readItems('userProperties', pairs, userProperties, (pair) => {
    if (!isArray(pair)) throw wrongType('userProperties', pairs, pair)
    props.push(property.userProperty(pair[0] as string, pair[1] as string))
  })
  if (!isArray(further)) throw wrongType('props', 'an array of properties', further)
  readItems('props', 'an array of properties', further, (item) => {
    props.push(asProperty('props', item) as Property)
  })
  return props
}
