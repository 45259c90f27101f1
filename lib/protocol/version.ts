import { ControlPacketType } from './control-packet-type.ts'

/**
 * The protocol level of each MQTT version. `undetermined` means that the packet decides. MQTT 3.1.1 section 3.1.2.2, MQTT 5.0
 * section 3.1.2.2.
 *
 * @example
 * packet.protocolVersion === ProtocolVersion.v5 // true
 */
export const ProtocolVersion = {
  /** 0: the packet decides, or its version isn't known yet. */
  undetermined: 0,
  /** 3: MQTT 3.1, of 2010. Section 3.1. */
  v3_1: 3,
  /** 4: MQTT 3.1.1, of 2014. Section 3.1.2.2. */
  v3_1_1: 4,
  /** 5: MQTT 5.0, of 2019. Section 3.1.2.2. */
  v5: 5,
} as const

export type ProtocolVersion = (typeof ProtocolVersion)[keyof typeof ProtocolVersion]

/** The bit of the protocol level that some brokers' bridges set. No standard defines it. */
export const BRIDGE_BIT = 0x80

/** The facts about one version. Those about packet types are in the packet types' folders. */
export interface Version {
  /** The protocol level. */
  readonly level: Exclude<ProtocolVersion, 0>
  /**
   * The namespace that exports its packets. It also begins their text form, and is the key of tables with a value per version.
   */
  readonly name: 'v3_1' | 'v3_1_1' | 'v5'
  /** `3.1.1` */
  readonly label: string
  readonly protocolName: 'MQTT' | 'MQIsdp'
  /** The first bytes of a CONNECT's variable header: the protocol name with its length, and the level. */
  readonly header: Uint8Array
  /** The code that `allow` must contain for packets of this version, unless the caller asks for the version. */
  readonly onlyIfAllowed: 'protocol-mqtt-3-1' | undefined
  /**
   * True if the standard numbers its statements and smaller sections. Otherwise the clause is the section about the packet type.
   */
  readonly numbersClauses: boolean
  /** The name of the field in bit 1 of the connect flags. */
  readonly cleanField: 'cleanSession' | 'cleanStart'
  /** True if bridges between brokers may set a bit of the protocol level. */
  readonly hasBridges: boolean
  /** True if a CONNACK says whether the server has a session. */
  readonly hasSession: boolean
  /** True if packets and wills have properties. */
  readonly hasProperties: boolean
  /** True if packet type 15 is AUTH. Otherwise the type is reserved. */
  readonly hasAuth: boolean
  /** True if a PUBREL, SUBSCRIBE or UNSUBSCRIBE that is sent again has the DUP flag. MQTT 3.1 section 2.1. */
  readonly hasDup: boolean
  /** True if variable byte integers must have their shortest form [MQTT-1.5.5-1]. */
  readonly shortestForm: boolean
  /**
   * The CONNACK that refuses a CONNECT, or `undefined` if the standard has none for this error. 5.0 has a reason code for every
   * error, and earlier versions have a return code for some.
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
  hasDup: true,
  shortestForm: false,
  refusal: (_, returnCode) => (returnCode === undefined ? undefined : [connack, 2, 0, returnCode]),
}

/* Each later version lists only its differences from the one before it. */

export const v3_1_1: Version = {
  ...v3_1,
  level: ProtocolVersion.v3_1_1,
  name: 'v3_1_1',
  label: '3.1.1',
  protocolName: 'MQTT',
  header: header('MQTT', ProtocolVersion.v3_1_1),
  onlyIfAllowed: undefined,
  numbersClauses: true,
  hasSession: true,
  hasDup: false,
}

export const v5: Version = {
  ...v3_1_1,
  level: ProtocolVersion.v5,
  name: 'v5',
  label: '5.0',
  header: header('MQTT', ProtocolVersion.v5),
  cleanField: 'cleanStart',
  hasBridges: false,
  hasProperties: true,
  hasAuth: true,
  shortestForm: true,
  refusal: (reasonCode) => [connack, 3, 0, reasonCode, 0],
}

function header(name: string, level: number): Uint8Array {
  return Uint8Array.of(0, name.length, ...Array.from(name, (letter) => letter.charCodeAt(0)), level)
}

/** All versions, oldest first. */
export const versions: readonly Version[] = [v3_1, v3_1_1, v5]

/** The version whose clauses an error names as long as the packet's own version isn't known. */
export const newestVersion: Version = v5

/** The version that has this level, if any. */
export function versionOf(level: number): Version | undefined {
  return versions.find((version) => version.level === level)
}

/**
 * A clause or section of the standards: the same in all versions, or one per version. MQTT 3.1 numbers nothing smaller than the
 * section about a packet type, so it's listed only where the clause is a different section.
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
  return typeof clause !== 'string' && Object.hasOwn(clause, name) ? clause[name]! : sectionOf(type)
}

/** The section about a packet type, which has the same number in all versions: 3.1 is CONNECT, 3.2 is CONNACK, and so on. */
export function sectionOf(type: number): string {
  return `3.${type >> 4}`
}

/** `4 or 5` */
export function listOfLevels(some: readonly Version[]): string {
  return some.map(({ level }) => level).join(' or ')
}

/**
 * The version whose CONNACK a client with this protocol name and level can read. Clients of versions after 5.0 get the latest
 * format we know, and clients of unknown earlier versions get that of 3.1.1.
 */
export function versionReadBy(
  protocolName: string | undefined,
  level: number | undefined,
): Version | undefined {
  if (protocolName === v3_1.protocolName) return v3_1
  if (protocolName !== 'MQTT' || level === undefined) return undefined
  return level > v3_1_1.level ? v5 : v3_1_1
}
