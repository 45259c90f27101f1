import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { type DecodedPacket, MqttError, PacketDecoder, readConnect } from '../../lib/index.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { told } from './refusal.ts'

/*
 * The rules of a connection, which no single packet can break.
 */

/** What comes out of a decoder of one connection until it is destroyed, and the error that destroys it. */
async function session(bytes: Buffer, protocolVersion: 0 | 4 | 5 = 0): Promise<[number, MqttError]> {
  const decoder = new PacketDecoder({ connection: true, protocolVersion })
  const packets: DecodedPacket[] = []
  decoder.end(bytes)
  try {
    for await (const packet of decoder) packets.push(packet)
  } catch (error) {
    if (error instanceof MqttError) return [packets.length, error]
    throw error
  }
  throw new Error('The connection went on to its end')
}

const versions = [
  ['3.1.1', 4, R3],
  ['5.0', 5, R5],
] as const

describe('second-connect', () => {
  for (const [name, version, packet] of versions) {
    it(`MQTT-3.1.0-2 a second CONNECT is refused, whatever it is and whatever it follows (${name})`, async () => {
      for (const second of [R3, R5, '1000']) {
        for (const between of ['', 'c000', 'c000c000']) {
          const [packets, error] = await session(hex(packet + between + second))
          expect(packets).to.equal(1 + between.length / 4)
          expect(told(error)).to.deep.equal({
            code: 'second-connect',
            reasonCode: 0x82,
            returnCode: undefined,
            clause: 'MQTT-3.1.0-2',
            field: 'fixedHeader',
            offset: 0,
            protocolName: undefined,
            protocolLevel: undefined,
            connack: undefined,
          })
          expect(error.protocolVersion).to.equal(version)
        }
      }
    })
  }
})

describe('not-connect', () => {
  for (const [name, version, packet] of versions) {
    it(`MQTT-3.1.0-1 a connection that begins with another packet is refused, its CONNECT unseen (${name})`, async () => {
      for (const first of ['c000', '300400016161', 'e000', '82080001000361626300']) {
        for (const asked of [0, version] as const) {
          const [packets, error] = await session(hex(first + packet), asked)
          expect([packets, error.code, error.offset], first).to.deep.equal([0, 'not-connect', 0])
          expect([error.reasonCode, error.clause]).to.deep.equal([0x82, 'MQTT-3.1.0-1'])
        }
      }
    })
  }
})

describe('connect-timeout', () => {
  for (const [name, version, packet] of versions) {
    it(`3.1.4 a CONNECT that is not whole in time is refused (${name})`, async () => {
      for (const length of [0, 1, 7, packet.length / 2 - 1]) {
        const socket = new PassThrough()
        socket.write(hex(packet).subarray(0, length))
        let error: unknown
        try {
          await readConnect(socket, { timeout: 1, protocolVersion: version })
        } catch (rejection) {
          error = rejection
        }
        if (!(error instanceof MqttError)) throw error
        expect(told(error)).to.deep.equal({
          code: 'connect-timeout',
          reasonCode: 0x80,
          returnCode: undefined,
          clause: '3.1.4',
          field: 'remainingLength',
          offset: length,
          protocolName: undefined,
          protocolLevel: undefined,
          connack: undefined,
        })
        expect(error.protocolVersion).to.equal(version)
        expect(socket.destroyed).to.equal(false)
      }
    })
  }
})

describe('fixed-header-flags', () => {
  for (const [name, version, packet, clause] of [
    [...versions[0], 'MQTT-2.2.2-2'],
    [...versions[1], 'MQTT-2.1.3-1'],
  ] as const) {
    it(`${clause} a CONNECT with any fixed header flags but 0000 ends the connection (${name})`, async () => {
      for (let flags = 1; flags < 16; flags++) {
        const bytes = hex(packet)
        bytes[0] = 0x10 | flags
        const [packets, error] = await session(Buffer.concat([bytes, hex(packet)]), version)
        expect([packets, error.code, error.reasonCode, error.offset]).to.deep.equal([
          0,
          'fixed-header-flags',
          0x81,
          0,
        ])
      }
    })
  }
})
