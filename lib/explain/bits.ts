import { type Field, fixedHeaderField, fixedHeaderFlagsField, packetTypeField } from '../codec/fields.ts'
import { qosText } from '../packets/will.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { clauseOf, type Version } from '../protocol/version.ts'
import { type BitField, bitFields } from './bit-fields.ts'
import { words } from './value-text.ts'

/**
 * One or more bits of a field that consists of bits.
 */
export interface ExplanationBits {
  /** `7` for the most significant bit, `4-3` for two of them. */
  readonly bits: string
  /** The standard's words: `user name flag`. */
  readonly name: string
  /** Their meaning, for a person. */
  readonly value: string
  /** The section that defines them. */
  readonly clause: string
}

/** The bits of a field that consists of bits, from the left; `undefined` for any other field. */
export function bitsOf(field: Field, byte: number, version: Version): readonly ExplanationBits[] | undefined {
  if (field === fixedHeaderField) return fixedHeaderBits(byte, version)
  return bitFields.get(field)?.map((bits) => bitsText(bits, byte, version))
}

function bitsText({ mask, name, section }: BitField, byte: number, version: Version): ExplanationBits {
  const last = 31 - Math.clz32(mask & -mask)
  const first = 31 - Math.clz32(mask)
  const value = (byte & mask) >> last
  const digits = first - last + 1
  return {
    bits: digits === 1 ? `${first}` : `${first}-${last}`,
    name: typeof name === 'string' ? name : name[version.name],
    // Two bits are a QoS in all packets.
    value: digits === 2 ? qos(value) : binary(value, digits),
    clause: clauseOf(section, version),
  }
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
  return `${level} (${qosText.at(level)?.replaceAll('_', ' ') ?? 'no QoS'})`
}
