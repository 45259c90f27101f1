import type { ErrorCode } from '../errors/error-table.ts'
import type { Fault } from '../errors/fault.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { PROTOCOL_HEADER_LENGTH } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import {
  connectFlagsField,
  fixedHeaderField,
  keepAliveField,
  leftOverField,
  passwordField,
  protocolLevelField,
  protocolNameField,
  remainingLengthField,
  userNameField,
  willMessageField,
  willTopicField,
} from '../wire/fields.ts'
import { readVariableByteInteger } from '../wire/integers.ts'
import {
  fault,
  faultUnlessAllowed,
  type Observer,
  pastEnd,
  type Scan,
  type Step,
  scanBinaryData,
  scanFixed,
  scanTopicName,
  scanUtf8String,
  scanVariableByteIntegerOfAnyForm,
} from '../wire/scan.ts'
import { utf8Fault } from '../wire/utf8.ts'
import { connectTypeFault, lengthFault } from './fixed-header.ts'
import { asBuffer } from './values.ts'

/*
 * What the scans of both versions share: the way to the protocol level, the connect flags, and all from the will
 * topic on. What stands between is each version's own.
 */

/** Checks the fixed header, the protocol name and the level; returns the index of the variable header. */
export function scanProtocol(scan: Scan, bytes: Uint8Array): Step {
  const end = bytes.length
  if (bytes[0] !== ControlPacketType.connect) return connectTypeFault(bytes, 0, end, scan.version)
  const { observer } = scan
  if (observer !== undefined) observer(fixedHeaderField, 0, 0, 1)
  // One byte is looked at here, and not in a function for any number: a tenth of decoding a packet as small.
  const small = bytes[1]! < 0x80 && observer === undefined
  const start = small ? 2 : scanVariableByteIntegerOfAnyForm(scan, bytes, 1, end, remainingLengthField)
  if (typeof start !== 'number') return start
  const size = start + readVariableByteInteger(bytes, 1, start)
  if (size !== end) return lengthFault(scan, bytes, size)
  if (!isMqtt(bytes, start)) return protocolNameFault(scan, bytes, start)
  if (!isAccepted(scan, bytes[start + LEVEL]!)) return protocolLevelFault(scan, bytes, start)
  if (observer !== undefined) observeProtocol(observer, start, end)
  return start
}

/** Where the protocol level stands in the variable header. */
const LEVEL = PROTOCOL_HEADER_LENGTH - 1

/** The protocol level in the variable header at `start`, of a packet that `scanProtocol` has accepted. */
export function protocolLevel(bytes: Uint8Array, start: number): number {
  return bytes[start + LEVEL]!
}

/** Whether the string "MQTT" stands at `at`. */
function isMqtt(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0 &&
    bytes[at + 1] === 4 &&
    bytes[at + 2] === 0x4d &&
    bytes[at + 3] === 0x51 &&
    bytes[at + 4] === 0x54 &&
    bytes[at + 5] === 0x54
  )
}

function isAccepted(scan: Scan, level: number): boolean {
  if (level !== ProtocolVersion.v5 && level !== ProtocolVersion.v3_1_1) return false
  return scan.version === level || scan.version === ProtocolVersion.undetermined
}

function observeProtocol(observer: Observer, start: number, end: number): void {
  const levelAt = start + LEVEL
  observer(protocolNameField, start, start + 2, levelAt)
  observer(protocolLevelField, levelAt, levelAt, Math.min(levelAt + 1, end))
}

/** The bit that bridges of some brokers set in the protocol level to tell that they are bridges. */
const BRIDGE = 0x80

/** No standard name comes near this length; what is longer is not worth repeating in an error. */
const LONGEST_NAME_SHOWN = 32

function protocolNameFault(scan: Scan, bytes: Uint8Array, nameAt: number): Fault {
  const at = scanBinaryData(scan, bytes, nameAt, bytes.length, protocolNameField)
  if (typeof at !== 'number') return at
  const content = bytes.subarray(nameAt + 2, at)
  const shown = content.length <= LONGEST_NAME_SHOWN && utf8Fault(content, 0, content.length) < 0
  const name = shown ? asBuffer('protocolName', content).toString() : undefined
  const level = bytes[at]
  if (name !== 'MQIsdp') {
    return fault(scan, 'protocol-name', protocolNameField, nameAt, 'MQTT', 'another name', name, level)
  }
  if (level === (3 | BRIDGE)) {
    scan.observer?.(protocolLevelField, at, at, at + 1)
    const expected = expectedLevel(scan)
    return fault(
      scan,
      'protocol-bridge-level',
      protocolLevelField,
      at,
      expected,
      'a bridge of 3.1',
      name,
      level,
    )
  }
  const got = 'MQIsdp, which is MQTT 3.1'
  return fault(scan, 'protocol-mqtt-3-1', protocolNameField, nameAt, 'MQTT', got, name, level)
}

function protocolLevelFault(scan: Scan, bytes: Uint8Array, start: number): Fault {
  const at = start + LEVEL
  if (scan.observer !== undefined) observeProtocol(scan.observer, start, bytes.length)
  const level = bytes[at]
  if (level === undefined) {
    return fault(scan, 'field-past-end', protocolLevelField, at, 'at least 1 byte(s)', '0', 'MQTT')
  }
  const bridge = level === (3 | BRIDGE) || level === (ProtocolVersion.v3_1_1 | BRIDGE)
  const code = bridge ? 'protocol-bridge-level' : 'protocol-level'
  const got = bridge ? `${level}, the level of a bridge` : `${level}`
  return fault(scan, code, protocolLevelField, at, expectedLevel(scan), got, 'MQTT', level)
}

function expectedLevel(scan: Scan): string {
  return scan.version === ProtocolVersion.undetermined ? '4 or 5' : `${scan.version}`
}

/** A rule for the connect flags. */
export interface FlagRule {
  readonly code: ErrorCode
  readonly broken: (flags: number) => boolean
  readonly expected: string
  readonly got: (flags: number) => number | string
}

/** The rules that both versions have, in the order in which they are checked. */
export const flagRules: readonly FlagRule[] = [
  {
    code: 'connect-flags-reserved',
    broken: (flags) => (flags & ConnectFlag.reserved) !== 0,
    expected: 'bit 0 to be 0',
    got: () => 1,
  },
  {
    code: 'will-qos-without-will',
    broken: (flags) => (flags & ConnectFlag.will) === 0 && willQos(flags) > 0,
    expected: 'will QoS 0 without will flag',
    got: willQos,
  },
  {
    code: 'will-retain-without-will',
    broken: (flags) => (flags & (ConnectFlag.will | ConnectFlag.willRetain)) === ConnectFlag.willRetain,
    expected: 'will retain 0 without will flag',
    got: () => 1,
  },
  {
    code: 'will-qos',
    broken: (flags) => (flags & ConnectFlag.will) !== 0 && willQos(flags) === 3,
    expected: 'will QoS 0, 1 or 2',
    got: willQos,
  },
]

/** The rules that each of the 256 connect flags breaks: so that those that break none, the most, cost one look. */
export function brokenRules(rules: readonly FlagRule[]): readonly (readonly FlagRule[])[] {
  return Array.from({ length: 0x100 }, (_, flags) => rules.filter((rule) => rule.broken(flags)))
}

/** Checks the connect flags at `at` and the keep alive behind them; returns the index after them. */
export function scanFlagsAndKeepAlive(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  brokenBy: readonly (readonly FlagRule[])[],
): Step {
  const end = bytes.length
  if (at >= end) return pastEnd(scan, at, end, connectFlagsField, 1, 0)
  if (scan.observer !== undefined) scan.observer(connectFlagsField, at, at, at + 1)
  const broken = brokenBy[bytes[at]!]!
  if (broken.length > 0) {
    const wrong = flagsFault(scan, at, bytes[at]!, broken)
    if (wrong !== undefined) return wrong
  }
  return scanFixed(scan, at + 1, end, keepAliveField, 2)
}

function flagsFault(scan: Scan, at: number, flags: number, broken: readonly FlagRule[]): Fault | undefined {
  for (const { code, expected, got } of broken) {
    const wrong = faultUnlessAllowed(scan, code, connectFlagsField, at, expected, `${got(flags)}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** The will QoS in the connect flags. */
export function willQos(flags: number): number {
  return (flags & ConnectFlag.willQos) >>> WILL_QOS_SHIFT
}

/** Checks what stands behind the will properties, or where they would, from `first` to the end. */
export function scanFromWillTopic(
  scan: Scan,
  bytes: Uint8Array,
  first: number,
  flags: number,
): Fault | undefined {
  const end = bytes.length
  let at: Step = first
  if ((flags & ConnectFlag.will) !== 0) {
    at = scanTopicName(scan, bytes, at, end, willTopicField)
    if (typeof at !== 'number') return at
    at = scanBinaryData(scan, bytes, at, end, willMessageField)
    if (typeof at !== 'number') return at
  }
  if ((flags & ConnectFlag.userName) !== 0) {
    at = scanUtf8String(scan, bytes, at, end, userNameField)
    if (typeof at !== 'number') return at
  }
  if ((flags & ConnectFlag.password) !== 0) {
    at = scanBinaryData(scan, bytes, at, end, passwordField)
    if (typeof at !== 'number') return at
  }
  return at === end ? undefined : leftOverFault(scan, bytes, at)
}

/** The error of a packet that does not end at `at`, behind its last field. */
function leftOverFault(scan: Scan, bytes: Uint8Array, at: number): Fault | undefined {
  const end = bytes.length
  scan.observer?.(leftOverField, at, at, end)
  const got = `${end - at} more byte(s)`
  return faultUnlessAllowed(scan, 'bytes-left-over', leftOverField, at, 'the end of the packet', got)
}
