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
  /** Whether the standard numbers its statements and smaller sections. Otherwise a clause is its section about the packet type. */
  readonly numbersClauses: boolean
  /** The field that bit 1 of the connect flags holds. */
  readonly cleanField: 'cleanSession' | 'cleanStart'
  /** Whether bridges between brokers may set a bit of the protocol level. */
  readonly hasBridges: boolean
  /** Whether a CONNACK says if the server has a session. */
  readonly hasSession: boolean
  /** Whether packets and wills have properties. */
  readonly hasProperties: boolean
  /** Whether packet type 15 is AUTH. Otherwise it is reserved. */
  readonly hasAuth: boolean
  /** Whether a variable byte integer must have its shortest form [MQTT-1.5.5-1]. */
  readonly shortestForm: boolean
  /**
   * The CONNACK that refuses a CONNECT, or `undefined` if the standard has none for this error. 5.0 has a reason code for
   * every error, the versions before it have a return code for some.
   */
  refusal(reasonCode: number, returnCode: number | undefined): number[] | undefined
}

const { connack } = ControlPacketType

/** The document by IBM and Eurotech, 2010. */
export const v3_1: Version = {
  level: ProtocolVersion.v3_1,
  name: 'v3_1',
  label: '3.1',
  protocolName: 'MQIsdp',
  header: header('MQIsdp', ProtocolVersion.v3_1),
  onlyIfAllowed: 'protocol-mqtt-3-1',
  numbersClauses: false,
  cleanField: 'cleanSession',
  hasBridges: true,
  hasSession: false,
  hasProperties: false,
  hasAuth: false,
  shortestForm: false,
  refusal: returnCodeOnly,
}

export const v3_1_1: Version = {
  level: ProtocolVersion.v3_1_1,
  name: 'v3_1_1',
  label: '3.1.1',
  protocolName: 'MQTT',
  header: header('MQTT', ProtocolVersion.v3_1_1),
  numbersClauses: true,
  cleanField: 'cleanSession',
  hasBridges: true,
  hasSession: true,
  hasProperties: false,
  hasAuth: false,
  shortestForm: false,
  refusal: returnCodeOnly,
}

export const v5: Version = {
  level: ProtocolVersion.v5,
  name: 'v5',
  label: '5.0',
  protocolName: 'MQTT',
  header: header('MQTT', ProtocolVersion.v5),
  numbersClauses: true,
  cleanField: 'cleanStart',
  hasBridges: false,
  hasSession: true,
  hasProperties: true,
  hasAuth: true,
  shortestForm: true,
  refusal: (reasonCode) => [connack, 3, 0, reasonCode, 0],
}

function returnCodeOnly(_: number, returnCode: number | undefined): number[] | undefined {
  return returnCode === undefined ? undefined : [connack, 2, 0, returnCode]
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

/**
 * A clause or section of the standards: the same in all versions, or one for each. MQTT 3.1 needs one only where that is not its
 * section about the packet type, because it numbers nothing smaller.
 */
export type Clause =
  | string
  | ({ readonly v3_1?: string } & { readonly [Name in Exclude<Version['name'], 'v3_1'>]: string })

/**
 * The clause in the standard of one version.
 *
 * @param type the packet type that the clause is about
 */
export function clauseOf(
  clause: Clause,
  { name, numbersClauses }: Version,
  type: number = ControlPacketType.connect,
): string {
  if (numbersClauses) return typeof clause === 'string' ? clause : clause[name]!
  return (typeof clause === 'string' ? undefined : clause[name]) ?? sectionOf(type)
}

/** The section about a packet type, in all versions: 3.1 is CONNECT, 3.2 is CONNACK, and so on. */
export function sectionOf(type: number): string {
  return `3.${type >> 4}`
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
