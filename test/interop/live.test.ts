import { once } from 'node:events'
import { type Duplex, duplexPair } from 'node:stream'
import { Aedes } from 'aedes'
import { expect } from 'chai'
import { type IClientOptions, MqttClient } from 'mqtt'
import type { IConnackPacket, IConnectPacket } from 'mqtt-packet'
import { fromMqttPacket, toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { connack, decode, ProtocolVersion, property, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'

/** Connects MQTT.js to a server, which handles the other end with `serve`. */
async function connected(
  options: IClientOptions,
  serve: (side: Duplex) => void,
): Promise<{ sent: IConnectPacket; answered: IConnackPacket }> {
  const [clientSide, serverSide] = duplexPair()
  const client = new MqttClient(() => clientSide, { ...options, reconnectPeriod: 0, manualConnect: true })
  let sent: IConnectPacket | undefined
  client.on('packetsend', (packet) => {
    if (packet.cmd === 'connect') sent = packet
  })
  try {
    serve(serverSide)
    const answered = await new Promise<IConnackPacket>((resolve, reject) => {
      client.on('connect', resolve).on('error', reject)
      client.connect()
    })
    return { sent: sent!, answered }
  } finally {
    await client.endAsync(true)
  }
}

const will = { topic: 'sensor-0042/status', payload: Buffer.from('offline'), qos: 1, retain: true } as const
const credentials = { clientId: 'c', username: 'u', password: 'p' }

describe('MQTT.js and aedes', () => {
  for (const [title, options, version] of [
    ['MQTT 3.1', { protocolId: 'MQIsdp', protocolVersion: 3, ...credentials, will }, v3_1],
    ['MQTT 3.1.1', { protocolVersion: 4, keepalive: 10, ...credentials, will }, v3_1_1],
    ['MQTT 3.1.1 with defaults', { clientId: 'c' }, v3_1_1],
  ] as const) {
    it(`hand their users objects that convert both ways: ${title}`, async () => {
      let received: object | undefined
      const broker = await Aedes.createBroker({
        preConnect: (_client, packet, done) => {
          // Copied, because aedes later adds members of its own to the will.
          received = { ...packet, ...(packet.will && { will: { ...packet.will } }) }
          done(null, true)
        },
      })
      const connackSent = once(broker, 'connackSent')
      try {
        const { sent, answered } = await connected(options, (side) => broker.handle(side as never))
        const connect = fromMqttPacket(sent)
        expect(connect).to.be.instanceOf(version.ConnectPacket)
        expect(toMqttPacket(connect)).to.deep.equal(received)
        const protocolVersion = connect.protocolVersion
        const [answer] = await connackSent
        const connack = fromMqttPacket(answer as IConnackPacket, { protocolVersion })
        expect(connack).to.be.instanceOf(version.ConnackPacket)
        expect(toMqttPacket(connack)).to.deep.equal({ ...answered })
      } finally {
        await new Promise<void>((resolve) => broker.close(resolve))
      }
    })
  }

  it('hand their users objects that convert both ways: MQTT 5.0, which aedes does not speak', async () => {
    const options: IClientOptions = {
      protocolVersion: 5,
      ...credentials,
      will: { ...will, properties: { willDelayInterval: 5, userProperties: { a: ['1', '2'] } } },
      properties: { sessionExpiryInterval: 60, requestProblemInformation: false },
    }
    let bytes = Buffer.alloc(0)
    const answer = connack(ProtocolVersion.v5, 0, { props: [property.receiveMaximum(7)] })
    const { sent, answered } = await connected(options, (side) => {
      side.on('data', (chunk: Buffer) => {
        if (bytes.length === 0) setImmediate(() => side.write(answer.bytes))
        bytes = Buffer.concat([bytes, chunk])
      })
    })
    const written = decode(bytes.subarray(0, 2 + bytes[1]!))
    const connect = fromMqttPacket(sent)
    expect(connect).to.be.instanceOf(v5.ConnectPacket)
    expect(connect.bytes).to.deep.equal(written.bytes)
    expect({ ...answered }).to.deep.equal(toMqttPacket(answer))
  })
})
