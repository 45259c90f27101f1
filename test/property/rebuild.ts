import type { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bufferToPacketVariant, MqttError, type PacketVariant, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { fieldsOfV3, fieldsOfV5 } from '../support/packets.ts'

export type Connect = v3_1_1.ConnectPacket | v5.ConnectPacket

export function isConnect(packet: object): packet is Connect {
  return packet instanceof v3_1_1.ConnectPacket || packet instanceof v5.ConnectPacket
}

/** The packet that a constructor makes of a packet's fields, each taken by its accessor. */
export function rebuilt(packet: Connect): Connect {
  const { keepAlive, clientId, will, userName, password } = packet
  const common = { keepAlive, clientId, will, userName, password }
  return packet instanceof v5.ConnectPacket
    ? new v5.ConnectPacket({ ...common, cleanStart: packet.cleanStart, props: packet.props })
    : new v3_1_1.ConnectPacket({ ...common, cleanSession: packet.cleanSession })
}

export function fieldsOf(packet: Connect): object {
  return packet instanceof v5.ConnectPacket ? fieldsOfV5(packet) : fieldsOfV3(packet)
}

/** The packet without its Remaining Length, which 3.1.1 lets be longer than need be. */
function withoutLength({ bytes }: Connect): string {
  let end = 1
  while (bytes[end]! >= 0x80) end++
  return bytes.toString('hex', end + 1)
}

/** Expects an accepted packet to be the one that its fields make. Compares without chai, which takes its time. */
export function expectSurvives(packet: Connect): void {
  const again = rebuilt(packet)
  if (again.equals(packet)) return
  const isLongForm = packet instanceof v3_1_1.ConnectPacket && packet.size > again.size
  if (!isLongForm || withoutLength(again) !== withoutLength(packet)) {
    expect.fail(`${packet.bytes.toString('hex')} became ${again.bytes.toString('hex')}`)
  }
}

/** What the bytes are: a packet, or the `MqttError` that says why not. Any other exception goes on. */
export function outcome(bytes: Uint8Array, version: 0 | 4 | 5 = 0): PacketVariant | MqttError {
  try {
    return bufferToPacketVariant(bytes, version)
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** How many of the bytes decoded were packets, and how many were refused by which code. */
export class Tally {
  accepted = 0
  readonly refused: Set<string> = new Set()

  /** Expects bytes to be a packet that survives, or an error that tells where in the bytes it is. */
  judge(bytes: Buffer, version: 0 | 4 | 5 = 0): void {
    const result = outcome(bytes, version)
    if (result instanceof MqttError) {
      if (!(result.offset >= 0 && result.offset <= bytes.length)) {
        expect.fail(`${result.code} at ${result.offset} of ${bytes.toString('hex')}`)
      }
      this.refused.add(result.code)
      return
    }
    if (!result.bytes.equals(bytes)) expect.fail(`${bytes.toString('hex')} has other bytes`)
    if (isConnect(result)) {
      expectSurvives(result)
      this.accepted++
    }
  }
}
