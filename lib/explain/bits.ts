import { willQos } from '../packets/connect-scan.ts'
import { qosText } from '../packets/will.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { connectFlagsField, type Field, fixedHeaderField } from '../wire/fields.ts'
import type { ExplanationBits } from './rows.ts'

/** The bits of a field that is made of bits, from the left; `undefined` of any other field. */
export function bitsOf(
  field: Field,
  byte: number,
  version: ProtocolVersion,
): readonly ExplanationBits[] | undefined {
  if (field === connectFlagsField) return connectFlagBits(byte, version)
  if (field === fixedHeaderField) return fixedHeaderBits(byte, version)
  return undefined
}

/** MQTT 3.1.1 and MQTT 5.0, sections 3.1.2.3 to 3.1.2.9. */
function connectFlagBits(flags: number, version: ProtocolVersion): readonly ExplanationBits[] {
  const bit = (mask: number): string => ((flags & mask) === 0 ? '0' : '1')
  const clean = version === ProtocolVersion.v3_1_1 ? 'clean session' : 'clean start'
  return [
    { bits: '7', name: 'user name flag', value: bit(ConnectFlag.userName), clause: '3.1.2.8' },
    { bits: '6', name: 'password flag', value: bit(ConnectFlag.password), clause: '3.1.2.9' },
    { bits: '5', name: 'will retain', value: bit(ConnectFlag.willRetain), clause: '3.1.2.7' },
    { bits: '4-3', name: 'will QoS', value: qos(willQos(flags)), clause: '3.1.2.6' },
    { bits: '2', name: 'will flag', value: bit(ConnectFlag.will), clause: '3.1.2.5' },
    { bits: '1', name: clean, value: bit(ConnectFlag.clean), clause: '3.1.2.4' },
    { bits: '0', name: 'reserved', value: bit(ConnectFlag.reserved), clause: '3.1.2.3' },
  ]
}

/** MQTT 3.1.1 sections 2.2.1 and 2.2.2, MQTT 5.0 sections 2.1.2 and 2.1.3; of a PUBLISH section 3.3.1 of both. */
function fixedHeaderBits(first: number, version: ProtocolVersion): readonly ExplanationBits[] {
  const v3 = version === ProtocolVersion.v3_1_1
  const type = first & 0xf0
  const name = controlPacketName(type) ?? 'reserved'
  const typeBits = {
    bits: '7-4',
    name: 'packet type',
    value: `${type >> 4} ${name}`,
    clause: v3 ? '2.2.1' : '2.1.2',
  }
  if (type !== ControlPacketType.publish) {
    const flags = (first & 0x0f).toString(2).padStart(4, '0')
    return [typeBits, { bits: '3-0', name: 'flags', value: flags, clause: v3 ? '2.2.2' : '2.1.3' }]
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
