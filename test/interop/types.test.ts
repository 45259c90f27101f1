import { expect } from 'chai'
import mqttPacket, { type IConnackPacket, type IConnectPacket } from 'mqtt-packet'
import {
  type ConnackInput,
  type ConnackObject,
  type ConnectInput,
  type ConnectObject,
  fromMqttPacket,
  toMqttPacket,
  type WillObject,
} from '../../lib/interop/mqtt-packet.ts'
import { v3_1_1, v5 } from '../../lib/packets/index.ts'

/* The compiler does the testing: a line fails to compile if its types don't fit. */

type Keys<Of> = keyof NonNullable<Of>
/** True if both types have the same names. */
type SameNames<One, Other> = [Keys<One>, Keys<Other>] extends [Keys<Other>, Keys<One>] ? true : false
/** True if each value of one type is a value of the other. */
type Fits<One, Other> = One extends Other ? true : false

describe('the types', () => {
  const connect = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
  const connack = new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: 0 })

  it('let an object be passed to mqtt-packet unchanged', () => {
    const object: IConnectPacket = toMqttPacket(connect)
    expect(mqttPacket.generate(object)).to.deep.equal(connect.bytes)
    const answer: IConnackPacket = toMqttPacket(connack)
    expect(mqttPacket.generate(answer)).to.deep.equal(connack.bytes)
  })

  it('are compatible with mqtt-packet’s in both directions', () => {
    const output: [Fits<ConnectObject, IConnectPacket>, Fits<ConnackObject, IConnackPacket>] = [true, true]
    const input: [Fits<IConnectPacket, ConnectInput>, Fits<IConnackPacket, ConnackInput>] = [true, true]
    const roundTrip: [Fits<ConnectObject, ConnectInput>, Fits<ConnackObject, ConnackInput>] = [true, true]
    expect([output, input, roundTrip].flat()).not.to.include(false)
  })

  it('have the same properties', () => {
    const connect: SameNames<ConnectObject['properties'], IConnectPacket['properties']> = true
    const connack: SameNames<ConnackObject['properties'], IConnackPacket['properties']> = true
    const will: SameNames<WillObject['properties'], NonNullable<IConnectPacket['will']>['properties']> = true
    expect([connect, connack, will]).not.to.include(false)
  })

  it('accept a packet from mqtt-packet’s parser, once cmd is checked', () => {
    const parser = mqttPacket.parser()
    const sizes: number[] = []
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connect' || packet.cmd === 'connack') sizes.push(fromMqttPacket(packet).size)
    })
    parser.parse(Buffer.concat([connack.bytes, connect.bytes]))
    expect(sizes).to.deep.equal([connack.size, connect.size])
  })

  it('know the packet type, and that binary data is a Buffer', () => {
    const { clientId } = fromMqttPacket({ cmd: 'connect', clientId: 'c' })
    const { sessionPresent } = fromMqttPacket({ cmd: 'connack', returnCode: 0 })
    const password: Buffer | undefined = toMqttPacket(connect).password
    expect([clientId, sessionPresent, password]).to.deep.equal(['c', false, undefined])
  })

  it('refuse other packets and names', () => {
    expect(() => {
      // @ts-expect-error mqtt-packet has more packets than this library
      fromMqttPacket({ cmd: 'pingreq' })
    }).to.throw(TypeError)
    expect(() => {
      // @ts-expect-error the name is keepalive
      fromMqttPacket({ cmd: 'connect', keepAlive: 60 })
    }).to.throw(TypeError)
    expect(() => {
      // @ts-expect-error a CONNECT has no content type
      fromMqttPacket({ cmd: 'connect', protocolVersion: 5, properties: { contentType: 'text/plain' } })
    }).to.throw(Error)
  })
})
