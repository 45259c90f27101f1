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

/** The packet without its Remaining Length, which versions before 5.0 let be longer than its shortest form. */
function withoutLength({ bytes }: FieldPacket): string {
  let end = 1
  while (bytes[end]! >= 0x80) end++
  return bytes.toString('hex', end + 1)
}

/** Expects an accepted packet to be the one that its fields make. Compares without chai, which takes long. */
export function expectSurvives(packet: FieldPacket): void {
  const again = kindOf(packet).build(packet.toFields())
  if (again.equals(packet)) return
  if (packet.protocolVersion === 3) {
    // The flags of 3.1 may announce what is absent, and have bits without a meaning.
    expect(fieldsOf(again)).to.deep.equal(fieldsOf(packet))
    return
  }
  // A DISCONNECT may have a reason code and a property length that say nothing.
  if (packet.type === ControlPacketType.disconnect && again.size < packet.size) {
    expect(fieldsOf(again)).to.deep.equal(fieldsOf(packet))
    return
  }
  const isLongForm = packet.protocolVersion < 5 && packet.size > again.size
  if (!isLongForm || withoutLength(again) !== withoutLength(packet)) {
    expect.fail(`${packet.bytes.toString('hex')} became ${again.bytes.toString('hex')}`)
  }
}

/** What the bytes are: a packet, or the `MqttError` that says why not. Any other exception goes on. */
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

/** How many of the bytes decoded were packets, and by which codes the others were refused. */
export class Tally {
  accepted = 0
  readonly refused: Set<string> = new Set()

  /** Expects bytes to be a packet that survives, or an error that says where in the bytes it is. */
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
