import type { Buffer } from 'buffer'
import { ConnectFlag, WILL_QOS_SHIFT } from '../protocol/connect-flags.ts'
import { PROTOCOL_HEADER_LENGTH } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import {
  connectFlagsField,
  fixedHeaderField,
  leftOverField,
  protocolLevelField,
  protocolNameField,
  remainingLengthField,
} from '../wire/fields.ts'
import { readTwoByteInteger, readVariableByteInteger } from '../wire/integers.ts'
import { fail, fault, type Scan, scanBinaryData, scanFixed, scanVariableByteInteger } from '../wire/scan.ts'
import { utf8Fault } from '../wire/utf8.ts'
import { checkConnectType, refuseLength } from './fixed-header.ts'
import { asBuffer } from './values.ts'

/*
 * What the scans of both versions share: the way to the protocol level, the connect flags, the end. The order of
 * the fields behind them is each version's own.
 */

/** A packet's bytes and where the fields stand that have no fixed place; 0 where one is absent. */
export class ConnectLayout {
  readonly bytes: Buffer
  /** The first byte of the variable header: the protocol name's length prefix. */
  readonly start: number
  /** The length prefixes of what the names say; of the will properties, the property length. */
  clientId = 0
  willProps = 0
  willTopic = 0
  willMessage = 0
  userName = 0
  password = 0

  constructor(bytes: Buffer, start: number) {
    this.bytes = bytes
    this.start = start
  }

  get flagsAt(): number {
    return this.start + PROTOCOL_HEADER_LENGTH
  }

  get flags(): number {
    return this.bytes[this.flagsAt]!
  }

  get keepAlive(): number {
    return readTwoByteInteger(this.bytes, this.start + PROTOCOL_HEADER_LENGTH + 1)
  }

  /** The property length of the CONNECT properties; MQTT 5.0 only. */
  get props(): number {
    return this.start + PROTOCOL_HEADER_LENGTH + 3
  }
}

/**
 * Checks the fixed header, the protocol name and a level that must be `version`; returns the index of the variable
 * header. What stands behind the level is for `scan.v3_1_1` or `scan.v5`.
 */
export function scanProtocol(scan: Scan, bytes: Uint8Array, version: ProtocolVersion): number {
  const end = bytes.length
  checkConnectType(bytes, 0, end, scan.version)
  scan.observer?.(fixedHeaderField, 0, 0, 1)
  const start = scanVariableByteInteger(scan, bytes, 1, end, remainingLengthField, false)
  const size = start + readVariableByteInteger(bytes, 1, start)
  if (size !== end) refuseLength(scan, bytes, size)
  if (!isMqtt(bytes, start)) refuseProtocolName(scan, bytes, start)
  scan.observer?.(protocolNameField, start, start + 2, start + 6)
  if (bytes[start + 6] !== version) refuseProtocolLevel(scan, bytes, start + 6)
  scan.observer?.(protocolLevelField, start + 6, start + 6, start + 7)
  return start
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

/** The bit that bridges of some brokers set in the protocol level to tell that they are bridges. */
const BRIDGE = 0x80

/** No standard name comes near this length; what is longer is not worth repeating in an error. */
const LONGEST_NAME_SHOWN = 32

function refuseProtocolName(scan: Scan, bytes: Uint8Array, nameAt: number): never {
  const at = scanBinaryData(scan, bytes, nameAt, bytes.length, protocolNameField)
  const content = bytes.subarray(nameAt + 2, at)
  const shown = content.length <= LONGEST_NAME_SHOWN && utf8Fault(content, 0, content.length) < 0
  const name = shown ? asBuffer('protocolName', content).toString() : undefined
  const level = bytes[at]
  if (name !== 'MQIsdp') {
    fail(scan, 'protocol-name', protocolNameField, nameAt, 'MQTT', 'another name', name, level)
  }
  if (level === (3 | BRIDGE)) {
    scanFixed(scan, at, bytes.length, protocolLevelField, 1)
    fail(
      scan,
      'protocol-bridge-level',
      protocolLevelField,
      at,
      expectedLevel(scan),
      'a bridge of 3.1',
      name,
      level,
    )
  }
  fail(scan, 'protocol-mqtt-3-1', protocolNameField, nameAt, 'MQTT', 'MQIsdp, which is MQTT 3.1', name, level)
}

function refuseProtocolLevel(scan: Scan, bytes: Uint8Array, at: number): never {
  const level = bytes[at]
  if (level === undefined) {
    scan.observer?.(protocolLevelField, at, at, at)
    fail(scan, 'field-past-end', protocolLevelField, at, 'at least 1 byte(s)', '0', 'MQTT')
  }
  scanFixed(scan, at, bytes.length, protocolLevelField, 1)
  const bridge = level === (3 | BRIDGE) || level === (ProtocolVersion.v3_1_1 | BRIDGE)
  fail(
    scan,
    bridge ? 'protocol-bridge-level' : 'protocol-level',
    protocolLevelField,
    at,
    expectedLevel(scan),
    bridge ? `${level}, the level of a bridge` : `${level}`,
    'MQTT',
    level,
  )
}

function expectedLevel(scan: Scan): string {
  return scan.version === ProtocolVersion.undetermined ? '4 or 5' : `${scan.version}`
}

/** Checks the connect flags at `at` by the rules that both versions have for them; returns the flags. */
export function scanConnectFlags(scan: Scan, bytes: Uint8Array, at: number): number {
  scanFixed(scan, at, bytes.length, connectFlagsField, 1)
  const flags = bytes[at]!
  if ((flags & ConnectFlag.reserved) !== 0) {
    fault(scan, 'connect-flags-reserved', connectFlagsField, at, 'bit 0 to be 0', '1')
  }
  if ((flags & ConnectFlag.will) === 0) {
    if ((flags & ConnectFlag.willQos) !== 0) {
      const got = `${willQos(flags)}`
      fault(scan, 'will-qos-without-will', connectFlagsField, at, 'will QoS 0 without will flag', got)
    }
    if ((flags & ConnectFlag.willRetain) !== 0) {
      fault(scan, 'will-retain-without-will', connectFlagsField, at, 'will retain 0 without will flag', '1')
    }
  } else if ((flags & ConnectFlag.willQos) === ConnectFlag.willQos) {
    fail(scan, 'will-qos', connectFlagsField, at, 'will QoS 0, 1 or 2', '3')
  }
  return flags
}

/** The will QoS in the connect flags. */
export function willQos(flags: number): number {
  return (flags & ConnectFlag.willQos) >>> WILL_QOS_SHIFT
}

/** Checks that the packet ends at `at`, behind its last field. */
export function scanEnd(scan: Scan, bytes: Uint8Array, at: number): void {
  const left = bytes.length - at
  if (left === 0) return
  scanFixed(scan, at, bytes.length, leftOverField, left)
  fault(scan, 'bytes-left-over', leftOverField, at, 'the end of the packet', `${left} more byte(s)`)
}
