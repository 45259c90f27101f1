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
import { readTwoByteInteger, variableByteIntegerLength } from '../wire/integers.ts'
import type { Reader } from '../wire/reader.ts'
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

  get flags(): number {
    return this.bytes[this.start + PROTOCOL_HEADER_LENGTH]!
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
 * Reads the fixed header, the protocol name and a level that must be `version`; returns the index of the
 * variable header.
 */
export function scanProtocol(read: Reader, version: ProtocolVersion): number {
  checkConnectType(read.bytes, 0, read.end, read.version)
  read.fixed(fixedHeaderField, 1)
  const remainingLength = read.variableByteInteger(remainingLengthField, false)
  const start = read.at
  if (start + remainingLength !== read.end) refuseLength(read, start + remainingLength)
  read.pastEnd = 'field-past-end'
  if (!isMqtt(read.bytes, start)) refuseProtocolName(read)
  read.binaryData(protocolNameField)
  read.protocolName = 'MQTT'
  const level = read.byte(protocolLevelField)
  read.protocolLevel = level
  if (level !== version) refuseProtocolLevel(read, level)
  read.version = version
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

/** Refuses a Remaining Length that is not in its shortest form: a rule of MQTT 5.0 alone [MQTT-1.5.5-1]. */
export function checkRemainingLength(read: Reader, start: number): void {
  const shortest = variableByteIntegerLength(read.end - start)
  if (start - 1 === shortest) return
  read.fault(
    'variable-byte-integer-not-shortest',
    remainingLengthField,
    1,
    `${shortest} byte(s)`,
    `${start - 1}`,
  )
}

/** The bit that bridges of some brokers set in the protocol level to tell that they are bridges. */
const BRIDGE = 0x80

/** No standard name comes near this length; what is longer is not worth repeating in an error. */
const LONGEST_NAME_SHOWN = 32

function refuseProtocolName(read: Reader): never {
  const nameAt = read.at
  read.binaryData(protocolNameField)
  const content = read.bytes.subarray(nameAt + 2, read.at)
  if (content.length <= LONGEST_NAME_SHOWN && utf8Fault(content, 0, content.length) < 0) {
    read.protocolName = asBuffer(content).toString()
  }
  read.protocolLevel = read.at < read.end ? read.bytes[read.at] : undefined
  if (read.protocolName !== 'MQIsdp') {
    read.fail('protocol-name', protocolNameField, nameAt, 'MQTT', 'another name')
  }
  if (read.protocolLevel === (3 | BRIDGE)) {
    read.fail(
      'protocol-bridge-level',
      protocolLevelField,
      read.at,
      expectedLevel(read),
      'a bridge of MQTT 3.1',
    )
  }
  read.fail('protocol-mqtt-3-1', protocolNameField, nameAt, 'MQTT', 'MQIsdp, which is MQTT 3.1')
}

function refuseProtocolLevel(read: Reader, level: number): never {
  const bridge = level === (3 | BRIDGE) || level === (ProtocolVersion.v3_1_1 | BRIDGE)
  read.fail(
    bridge ? 'protocol-bridge-level' : 'protocol-level',
    protocolLevelField,
    read.at - 1,
    expectedLevel(read),
    bridge ? `${level}, the level of a bridge` : `${level}`,
  )
}

function expectedLevel(read: Reader): string {
  return read.version === ProtocolVersion.undetermined ? '4 or 5' : `${read.version}`
}

/** Reads the connect flags and applies the rules that both versions have for them. */
export function scanConnectFlags(read: Reader): number {
  const at = read.at
  const flags = read.byte(connectFlagsField)
  if ((flags & ConnectFlag.reserved) !== 0) {
    read.fault('connect-flags-reserved', connectFlagsField, at, 'bit 0 to be 0', '1')
  }
  if ((flags & ConnectFlag.will) === 0) {
    if ((flags & ConnectFlag.willQos) !== 0) {
      read.fault(
        'will-qos-without-will',
        connectFlagsField,
        at,
        'will QoS 0 without will flag',
        `${willQos(flags)}`,
      )
    }
    if ((flags & ConnectFlag.willRetain) !== 0) {
      read.fault('will-retain-without-will', connectFlagsField, at, 'will retain 0 without will flag', '1')
    }
  } else if ((flags & ConnectFlag.willQos) === ConnectFlag.willQos) {
    read.fail('will-qos', connectFlagsField, at, 'will QoS 0, 1 or 2', '3')
  }
  return flags
}

/** The will QoS in the connect flags. */
export function willQos(flags: number): number {
  return (flags & ConnectFlag.willQos) >>> WILL_QOS_SHIFT
}

/** Checks that the last field ends where the packet does. */
export function scanEnd(read: Reader): void {
  const left = read.end - read.at
  if (left === 0) return
  read.fault('bytes-left-over', leftOverField, read.at, 'the end of the packet', `${left} more byte(s)`)
  read.fixed(leftOverField, left)
}
