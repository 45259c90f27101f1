import type { Buffer } from 'buffer'
import type { ErrorCode } from '../../errors/error-table.ts'
import type { Fault } from '../../errors/fault.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../../protocol/connect-flags.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { BRIDGE_BIT, listOfLevels, versions } from '../../protocol/version.ts'
import {
  checkBinaryData,
  checkFixed,
  checkTopicName,
  checkUtf8String,
  endFault,
  fault,
  faultUnlessAllowed,
  pastEnd,
  type Rules,
  type Step,
} from '../../wire/check.ts'
import {
  connectFlagsField,
  type Field,
  keepAliveField,
  passwordField,
  protocolLevelField,
  protocolNameField,
  userNameField,
  willMessageField,
  willTopicField,
} from '../../wire/fields.ts'
import { firstInvalidByte } from '../../wire/utf8.ts'
import { checkRemainingLength, connectTypeFault } from '../fixed-header.ts'

/*
 * What the checks of all versions share: everything up to the protocol level, the connect flags, and everything from the will
 * topic on. The rest is in each version's file.
 */

/** Checks the fixed header of a CONNECT; returns the index of the variable header. */
export function checkConnectHeader(rules: Rules, bytes: Uint8Array): Step {
  if (bytes[0] !== ControlPacketType.connect) return connectTypeFault(rules, bytes, 0, bytes.length)
  return checkRemainingLength(rules, bytes)
}

/** Reads protocol name and level; returns the rules of that version, or what is wrong with them. */
export function checkProtocol(rules: Rules, bytes: Buffer, start: number): Rules | Fault {
  // The level follows the name, whose length is in the second byte: a name of 256 bytes or more fails the comparison.
  const accepted = rules.byLevel[bytes[start + 2 + bytes[start + 1]!]!]
  if (accepted === undefined || !beginsWith(bytes, start, accepted.header)) {
    return protocolFault(rules, bytes, start)
  }
  if (rules.observer !== undefined) observeProtocol(rules, start, accepted.header.length)
  return accepted
}

function beginsWith(bytes: Uint8Array, start: number, header: Uint8Array): boolean {
  for (let i = 0; i < header.length; i++) if (bytes[start + i] !== header[i]) return false
  return true
}

function observeProtocol({ observer }: Rules, start: number, length: number): void {
  const levelAt = start + length - 1
  observer?.(protocolNameField, start, start + 2, levelAt)
  observer?.(protocolLevelField, levelAt, levelAt, levelAt + 1)
}

/** No standard name is nearly as long. An error does not repeat a longer one. */
const LONGEST_NAME_SHOWN = 32

/** What is wrong with a protocol name and level that are not accepted. */
function protocolFault(rules: Rules, bytes: Buffer, start: number): Fault {
  const at = checkBinaryData(rules, bytes, start, bytes.length, protocolNameField)
  if (typeof at !== 'number') return at
  const name = shortText(bytes.subarray(start + 2, at))
  const level = bytes[at]
  const context = { protocolName: name, protocolLevel: level }
  const found = (code: ErrorCode, field: Field, offset: number, expected: string, got: string): Fault =>
    fault(rules, code, field, offset, expected, got, context)
  const version = versions.find(({ protocolName }) => protocolName === name)
  if (version === undefined) {
    return found('protocol-name', protocolNameField, start, 'MQTT', 'another name')
  }
  const isBridge = isBridgeLevel(level, name) && !rules.allow.has('protocol-bridge-level')
  const { onlyIfAllowed } = version
  if (onlyIfAllowed !== undefined && !isBridge && !rules.acceptedVersions.includes(version)) {
    return found(onlyIfAllowed, protocolNameField, start, 'MQTT', 'MQIsdp, which is MQTT 3.1')
  }
  rules.observer?.(protocolLevelField, at, at, Math.min(at + 1, bytes.length))
  const expected = `level ${listOfLevels(rules.acceptedVersions)}`
  if (level === undefined) return found('field-past-end', protocolLevelField, at, expected, 'none')
  const code = isBridge ? 'protocol-bridge-level' : 'protocol-level'
  return found(code, protocolLevelField, at, expected, isBridge ? 'the level of a bridge' : 'another level')
}

/** Some bridges of MQTT 3.1 send the name of later versions. */
function isBridgeLevel(level: number | undefined, name: string | undefined): boolean {
  const bridges = versions.filter((version) => version.hasBridges && level === (version.level | BRIDGE_BIT))
  return bridges.some(({ protocolName }) => protocolName === name || name === 'MQTT')
}

/** The text of bytes that are short and well-formed UTF-8. */
function shortText(bytes: Buffer): string | undefined {
  return bytes.length <= LONGEST_NAME_SHOWN && firstInvalidByte(bytes, 0, bytes.length) < 0
    ? bytes.toString()
    : undefined
}

/** A rule for the connect flags. */
export interface FlagRule {
  readonly code: ErrorCode
  readonly broken: (flags: number) => boolean
  readonly expected: string
  readonly got: string
}

/* The flag rules that more than one version has. */

export const reservedFlag: FlagRule = {
  code: 'connect-flags-reserved',
  broken: (flags) => (flags & ConnectFlag.reserved) !== 0,
  expected: 'bit 0 to be 0',
  got: '1',
}

export const willQosWithoutWill: FlagRule = {
  code: 'will-qos-without-will',
  broken: (flags) => (flags & ConnectFlag.will) === 0 && willQos(flags) > 0,
  expected: 'will QoS 0 without will flag',
  got: 'another',
}

export const willRetainWithoutWill: FlagRule = {
  code: 'will-retain-without-will',
  broken: (flags) => (flags & (ConnectFlag.will | ConnectFlag.willRetain)) === ConnectFlag.willRetain,
  expected: 'will retain 0 without will flag',
  got: '1',
}

export const willQosThree: FlagRule = {
  code: 'will-qos',
  broken: (flags) => (flags & ConnectFlag.will) !== 0 && willQos(flags) === 3,
  expected: 'will QoS 0, 1 or 2',
  got: '3',
}

export const passwordWithoutUserName: FlagRule = {
  code: 'password-without-user-name',
  broken: (flags) => (flags & (ConnectFlag.userName | ConnectFlag.password)) === ConnectFlag.password,
  expected: 'a user name with the password',
  got: 'none',
}

/** For each of the 256 connect flags, the rules that they break. Most break none, and that takes one look. */
export type FlagTable = readonly (readonly FlagRule[])[]

/** @param rules in the order in which they are checked */
export function flagTable(...rules: readonly FlagRule[]): FlagTable {
  return Array.from({ length: 0x100 }, (_, flags) => rules.filter((rule) => rule.broken(flags)))
}

/** Checks the connect flags at `at` and the keep alive after them; returns the index after that. */
export function checkFlagsAndKeepAlive(rules: Rules, bytes: Uint8Array, at: number, table: FlagTable): Step {
  const end = bytes.length
  if (at >= end) return pastEnd(rules, at, end, connectFlagsField, 0)
  if (rules.observer !== undefined) rules.observer(connectFlagsField, at, at, at + 1)
  const broken = table[bytes[at]!]!
  if (broken.length > 0) {
    const wrong = flagsFault(rules, at, broken)
    if (wrong !== undefined) return wrong
  }
  return checkFixed(rules, at + 1, end, keepAliveField, 2)
}

function flagsFault(rules: Rules, at: number, broken: readonly FlagRule[]): Fault | undefined {
  for (const { code, expected, got } of broken) {
    const wrong = faultUnlessAllowed(rules, code, connectFlagsField, at, expected, got)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Whether a flag is set in the connect flags. */
export function has(flags: number, flag: number): boolean {
  return (flags & flag) !== 0
}

/** The will QoS in the connect flags. */
export function willQos(flags: number): number {
  return (flags & ConnectFlag.willQos) >>> WILL_QOS_SHIFT
}

/** Checks topic and message of a will at `at`, if the flags announce one; returns the index after it. */
export function checkWill(rules: Rules, bytes: Uint8Array, at: number, flags: number): Step {
  return has(flags, ConnectFlag.will) ? checkTopicAndMessage(rules, bytes, at) : at
}

function checkTopicAndMessage(rules: Rules, bytes: Uint8Array, at: number): Step {
  const messageAt = checkTopicName(rules, bytes, at, bytes.length, willTopicField)
  if (typeof messageAt !== 'number') return messageAt
  return checkBinaryData(rules, bytes, messageAt, bytes.length, willMessageField)
}

/** Checks user name and password at `start`, if the flags announce them, and the end of the packet. */
export function checkCredentials(
  rules: Rules,
  bytes: Uint8Array,
  start: number,
  flags: number,
): Fault | undefined {
  const end = bytes.length
  let at: Step = start
  if (has(flags, ConnectFlag.userName)) {
    at = checkUtf8String(rules, bytes, at, end, userNameField)
    if (typeof at !== 'number') return at
  }
  if (has(flags, ConnectFlag.password)) {
    at = checkBinaryData(rules, bytes, at, end, passwordField)
    if (typeof at !== 'number') return at
  }
  return endFault(rules, bytes, at)
}
