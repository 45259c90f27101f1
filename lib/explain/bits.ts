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
import { words } from './values.ts'

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
  const bit = (mask: number): string => ((flags & mask) === 0 ? '0' : '1')
  const clean = words(version.cleanField)
  return [
    {
      bits: '7',
      name: 'user name flag',
      value: bit(ConnectFlag.userName),
      clause: clauseOf('3.1.2.8', version),
    },
    {
      bits: '6',
      name: 'password flag',
      value: bit(ConnectFlag.password),
      clause: clauseOf('3.1.2.9', version),
    },
    {
      bits: '5',
      name: 'will retain',
      value: bit(ConnectFlag.willRetain),
      clause: clauseOf('3.1.2.7', version),
    },
    { bits: '4-3', name: 'will QoS', value: qos(willQos(flags)), clause: clauseOf('3.1.2.6', version) },
    { bits: '2', name: 'will flag', value: bit(ConnectFlag.will), clause: clauseOf('3.1.2.5', version) },
    { bits: '1', name: clean, value: bit(ConnectFlag.clean), clause: clauseOf('3.1.2.4', version) },
    { bits: '0', name: 'reserved', value: bit(ConnectFlag.reserved), clause: clauseOf('3.1.2.3', version) },
  ]
}

/** MQTT 3.1.1 section 3.2.2.2, MQTT 5.0 section 3.2.2.1.1. */
function acknowledgeFlagBits(flags: number, version: Version): readonly ExplanationBits[] {
  const reserved = (flags >> 1).toString(2).padStart(7, '0')
  const { section } = acknowledgeFlagsField
  return [
    { bits: '7-1', name: 'reserved', value: reserved, clause: clauseOf(section, version) },
    { bits: '0', name: 'session present', value: `${flags & 1}`, clause: clauseOf(section, version) },
  ]
}

/** MQTT 3.1.1 sections 2.2.1 and 2.2.2, MQTT 5.0 sections 2.1.2 and 2.1.3; of a PUBLISH section 3.3.1 of both. */
function fixedHeaderBits(first: number, version: Version): readonly ExplanationBits[] {
  const type = first & 0xf0
  const name = controlPacketName(type) ?? 'reserved'
  const typeBits = {
    bits: '7-4',
    name: words(packetTypeField.name),
    value: `${type >> 4} ${name}`,
    clause: clauseOf(packetTypeField.section, version),
  }
  if (type !== ControlPacketType.publish) {
    const flags = (first & 0x0f).toString(2).padStart(4, '0')
    return [
      typeBits,
      { bits: '3-0', name: 'flags', value: flags, clause: clauseOf(fixedHeaderFlagsField.section, version) },
    ]
  }
  return [
    typeBits,
    { bits: '3', name: 'DUP flag', value: `${(first >> 3) & 1}`, clause: '3.3.1.1' },
    { bits: '2-1', name: 'QoS', value: qos((first >> 1) & 3), clause: '3.3.1.2' },
    { bits: '0', name: 'retain', value: `${first & 1}`, clause: '3.3.1.3' },
  ]
}

function qos(level: number): string {
  return `${level} (${qosText[level]?.replaceAll('_', ' ') ?? 'no QoS'})`
}
