import { ConnectReasonCode, ConnectReturnCode } from './connect-codes.ts'
import { ControlPacketType } from './control-packet-type.ts'

/**
 * The protocol level of each MQTT version. `undetermined` means: read it from the packet. MQTT 3.1.1 section 3.1.2.2, MQTT 5.0
 * section 3.1.2.2.
 *
 * @example
 * packet.protocolVersion === ProtocolVersion.v5 // true
 */
export const ProtocolVersion = {
  undetermined: 0,
  v3_1: 3,
  v3_1_1: 4,
  v5: 5,
} as const

export type ProtocolVersion = (typeof ProtocolVersion)[keyof typeof ProtocolVersion]

/** The bit of the protocol level that bridges of some brokers set. No standard has it. */
export const BRIDGE_BIT = 0x80

/** Everything that the standard of one version says as a fact. What it says about packet types is in their folders. */
export interface Version {
  /** The protocol level. */
  readonly level: Exclude<ProtocolVersion, 0>
  /** The namespace of its packets, the start of their text form, and the key of tables that have a value for each version. */
  readonly name: 'v3_1' | 'v3_1_1' | 'v5'
  /** `3.1.1` */
  readonly label: string
  readonly protocolName: 'MQTT' | 'MQIsdp'
  /** The protocol name with its length, and the level, as a CONNECT begins with them. */
  readonly header: Uint8Array
  /** The code that `allow` must contain for packets of this version to be accepted when the caller does not ask for it. */
  readonly onlyIfAllowed?: 'protocol-mqtt-3-1'
  /** The one section about CONNECT, if the standard does not number its statements and smaller sections. */
  readonly connectSection?: string
  /** The field that bit 1 of the connect flags holds. */
  readonly cleanField: 'cleanSession' | 'cleanStart'
  /** The field of a CONNACK that says whether the server accepts the connection, and the names of its values, by value. */
  readonly connackCodeField: 'returnCode' | 'reasonCode'
  readonly connackCodeNames: readonly (string | undefined)[]
  /** Whether bridges between brokers may set a bit of the protocol level. */
  readonly hasBridges: boolean
  /** Whether packets and wills have properties. */
  readonly hasProperties: boolean
  /** Whether packet type 15 is AUTH. Otherwise it is reserved. */
  readonly hasAuth: boolean
  /** Whether a CONNECT may end before the user name or the password that its flags announce. */
  readonly mayEndEarly: boolean
  /** Whether a variable byte integer must have its shortest form [MQTT-1.5.5-1]. */
  readonly shortestForm: boolean
  /**
   * The CONNACK that refuses a CONNECT, or `undefined` if the standard has none for this error. 5.0 has a reason code for
   * every error, the versions before it have a return code for some.
   */
  refusal(reasonCode: number, returnCode: number | undefined): number[] | undefined
}

const { connack } = ControlPacketType

const returnCodes = {
  connackCodeField: 'returnCode',
  connackCodeNames: byValue(ConnectReturnCode),
} as const

const reasonCodes = {
  connackCodeField: 'reasonCode',
  connackCodeNames: byValue(ConnectReasonCode),
} as const

/** The document by IBM and Eurotech, 2010. */
export const v3_1: Version = {
  level: ProtocolVersion.v3_1,
  name: 'v3_1',
  label: '3.1',
  protocolName: 'MQIsdp',
  header: header('MQIsdp', ProtocolVersion.v3_1),
  onlyIfAllowed: 'protocol-mqtt-3-1',
  connectSection: '3.1',
  cleanField: 'cleanSession',
  ...returnCodes,
  hasBridges: true,
  hasProperties: false,
  hasAuth: false,
  mayEndEarly: true,
  shortestForm: false,
  refusal: returnCodeOnly,
}

export const v3_1_1: Version = {
  level: ProtocolVersion.v3_1_1,
  name: 'v3_1_1',
  label: '3.1.1',
  protocolName: 'MQTT',
  header: header('MQTT', ProtocolVersion.v3_1_1),
  cleanField: 'cleanSession',
  ...returnCodes,
  hasBridges: true,
  hasProperties: false,
  hasAuth: false,
  mayEndEarly: false,
  shortestForm: false,
  refusal: returnCodeOnly,
}

export const v5: Version = {
  level: ProtocolVersion.v5,
  name: 'v5',
  label: '5.0',
  protocolName: 'MQTT',
  header: header('MQTT', ProtocolVersion.v5),
  cleanField: 'cleanStart',
  ...reasonCodes,
  hasBridges: false,
  hasProperties: true,
  hasAuth: true,
  mayEndEarly: false,
  shortestForm: true,
  refusal: (reasonCode) => [connack, 3, 0, reasonCode, 0],
}

function returnCodeOnly(_: number, returnCode: number | undefined): number[] | undefined {
  return returnCode === undefined ? undefined : [connack, 2, 0, returnCode]
}

function byValue(codes: Readonly<Record<string, number>>): readonly (string | undefined)[] {
  const names: (string | undefined)[] = new Array(0x100).fill(undefined)
  for (const [name, code] of Object.entries(codes)) names[code] = name
  return names
}

function header(name: string, level: number): Uint8Array {
  return Uint8Array.of(0, name.length, ...Array.from(name, (letter) => letter.charCodeAt(0)), level)
}

/** All versions, the oldest first. */
export const versions: readonly Version[] = [v3_1, v3_1_1, v5]

/** The version whose clauses an error names while the packet's own is not known. */
export const newestVersion: Version = v5

/** The version with a level, if there is one. */
export function versionOf(level: number): Version | undefined {
  return versions.find((version) => version.level === level)
}

/** A clause or section of the standards: the same in all versions, or one for each. */
export type Clause = string | { readonly [Name in Version['name']]?: string }

/** The clause in the standard of one version. */
export function clauseOf(clause: Clause, { name, connectSection }: Version): string {
  if (typeof clause === 'string') return connectSection ?? clause
  return clause[name] ?? connectSection ?? ''
}

/** `4 or 5` */
export function listOfLevels(some: readonly Version[]): string {
  return some.map(({ level }) => level).join(' or ')
}

/**
 * The version in whose shape a client that sends this name and level reads its CONNACK. A client of a later version than
 * ours gets the latest shape that we know, one of an earlier version the shape of 3.1.1.
 */
export function versionToAnswer(
  protocolName: string | undefined,
  level: number | undefined,
): Version | undefined {
  if (protocolName === v3_1.protocolName) return v3_1
  if (protocolName !== 'MQTT' || level === undefined) return undefined
  return level > v3_1_1.level ? v5 : v3_1_1
}
