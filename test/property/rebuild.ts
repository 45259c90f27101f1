import type { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  type ConnectPacket,
  ControlPacketType,
  type DecodeOptions,
  decode,
  MqttError,
  type PacketVariant,
} from '../../lib/packets/index.ts'
import { type FieldPacket, fieldsOf, isFieldPacket, kindOf } from '../support/kinds.ts'

export function isConnect(packet: PacketVariant): packet is ConnectPacket {
  return packet.type === ControlPacketType.connect
}

/** The packet without its Remaining Length, which may be longer than its shortest form before 5.0. */
function withoutLength({ bytes }: FieldPacket): string {
  let end = 1
  while (bytes[end]! >= 0x80) end++
  return bytes.toString('hex', end + 1)
}

/** Expects an accepted packet to be rebuilt from its fields. Doesn't use chai, which is slow. */
export function expectSurvives(packet: FieldPacket): void {
  const again = kindOf(packet).build(packet.toFields())
  if (again.equals(packet)) return
  if (packet.protocolVersion === 3) {
    // MQTT 3.1 has bits without a meaning, and flags may announce absent fields.
    expect(fieldsOf(again)).to.deep.equal(fieldsOf(packet))
    return
  }
  // A DISCONNECT may spell out the default reason code and an empty property list.
  if (packet.type === ControlPacketType.disconnect && again.size < packet.size) {
    expect(fieldsOf(again)).to.deep.equal(fieldsOf(packet))
    return
  }
  const isLongForm = packet.protocolVersion < 5 && packet.size > again.size
  if (!isLongForm || withoutLength(again) !== withoutLength(packet)) {
    expect.fail(`${packet.bytes.toString('hex')} became ${again.bytes.toString('hex')}`)
  }
}

/** Returns the packet, or the `MqttError` that `decode` throws. Any other exception is rethrown. */
export function outcome(
  bytes: Uint8Array,
  protocolVersion: 0 | 3 | 4 | 5 = 0,
  options: DecodeOptions<2> = {},
): PacketVariant | MqttError {
  try {
    return decode(bytes, { ...options, protocolVersion })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** Counts the packets among some bytes, and collects the codes of the errors. */
export class Tally {
  accepted = 0
  readonly refused: Set<string> = new Set()

  /** Expects either a packet that can be rebuilt, or an error with an offset inside the bytes. */
  judge(bytes: Buffer, version: 0 | 3 | 4 | 5 = 0): void {
    const result = outcome(bytes, version)
    if (result instanceof MqttError) {
      if (!(result.offset >= 0 && result.offset <= bytes.length)) {
        expect.fail(`${result.code} at ${result.offset} of ${bytes.toString('hex')}`)
      }
      this.refused.add(result.code)
      return
    }
    if (!result.bytes.equals(bytes)) expect.fail(`${bytes.toString('hex')} has other bytes`)
    if (isFieldPacket(result)) {
      expectSurvives(result)
      this.accepted++
    }
  }
}
