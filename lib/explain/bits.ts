import { acknowledgeFlagsField } from '../packets/connack/check-connack.ts'
import { willQos } from '../packets/connect/check-connect.ts'
import { qosText } from '../packets/will.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { clauseOf, type Version } from '../protocol/version.ts'
import {
  connectFlagsField,
  type Field,
  fixedHeaderField,
  fixedHeaderFlagsField,
  packetTypeField,
} from '../wire/fields.ts'
import { words } from './value-text.ts'

/**
 * One or more bits of a field that is made of bits.
 *
 * @example
 * const flags = explain(bytes).rows.find(({ field }) => field === 'connectFlags')
 * const bits: readonly ExplanationBits[] = flags?.bits ?? []
 * bits.length // 7
 */
export interface ExplanationBits {
  /** `7` for the most significant bit, `4-3` for two of them. */
  readonly bits: string
  /** In the words of the standard: `user name flag`. */
  readonly name: string
  /** What they mean, for a person. */
  readonly value: string
  /** The section that defines them. */
  readonly clause: string
}

/** The bits of a field that is made of bits, from the left; `undefined` of any other field. */
export function bitsOf(field: Field, byte: number, version: Version): readonly ExplanationBits[] | undefined {
  if (field === connectFlagsField) return connectFlagBits(byte, version)
  if (field === fixedHeaderField) return fixedHeaderBits(byte, version)
  if (field === acknowledgeFlagsField) return acknowledgeFlagBits(byte, version)
  return undefined
}

/** MQTT 3.1.1 and MQTT 5.0, sections 3.1.2.3 to 3.1.2.9. */
function connectFlagBits(flags: number, version: Version): readonly ExplanationBits[] {
  const bit = (bits: string, name: string, mask: number, section: string): ExplanationBits => ({
    bits,
    name,
    value: (flags & mask) === 0 ? '0' : '1',
    clause: clauseOf(section, version),
  })
  return [
    bit('7', 'user name flag', ConnectFlag.userName, '3.1.2.8'),
    bit('6', 'password flag', ConnectFlag.password, '3.1.2.9'),
    bit('5', 'will retain', ConnectFlag.willRetain, '3.1.2.7'),
    { bits: '4-3', name: 'will QoS', value: qos(willQos(flags)), clause: clauseOf('3.1.2.6', version) },
    bit('2', 'will flag', ConnectFlag.will, '3.1.2.5'),
    bit('1', words(version.cleanField), ConnectFlag.clean, '3.1.2.4'),
    bit('0', 'reserved', ConnectFlag.reserved, '3.1.2.3'),
  ]
}

/** MQTT 3.1.1 section 3.2.2.2, MQTT 5.0 section 3.2.2.1.1. */
function acknowledgeFlagBits(flags: number, version: Version): readonly ExplanationBits[] {
  const clause = clauseOf(acknowledgeFlagsField.section, version)
  return [
    { bits: '7-1', name: 'reserved', value: binary(flags >> 1, 7), clause },
    { bits: '0', name: 'session present', value: `${flags & 1}`, clause },
  ]
}

/** MQTT 3.1.1 sections 2.2.1 and 2.2.2, MQTT 5.0 sections 2.1.2 and 2.1.3; of a PUBLISH section 3.3.1 of both. */
function fixedHeaderBits(first: number, version: Version): readonly ExplanationBits[] {
  const type = first & 0xf0
  const typeBits = {
    bits: '7-4',
    name: words(packetTypeField.name),
    value: `${type >> 4} ${controlPacketName(type) ?? 'reserved'}`,
    clause: clauseOf(packetTypeField.section, version),
  }
  if (type !== ControlPacketType.publish) {
    const clause = clauseOf(fixedHeaderFlagsField.section, version)
    return [typeBits, { bits: '3-0', name: 'flags', value: binary(first & 0x0f, 4), clause }]
  }
  return [
    typeBits,
    { bits: '3', name: 'DUP flag', value: `${(first >> 3) & 1}`, clause: '3.3.1.1' },
    { bits: '2-1', name: 'QoS', value: qos((first >> 1) & 3), clause: '3.3.1.2' },
    { bits: '0', name: 'retain', value: `${first & 1}`, clause: '3.3.1.3' },
  ]
}

function binary(value: number, digits: number): string {
  return value.toString(2).padStart(digits, '0')
}

function qos(level: number): string {
  return `${level} (${qosText[level]?.replaceAll('_', ' ') ?? 'no QoS'})`
}
