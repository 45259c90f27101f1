import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { v3_1_1, v5 } from 'mqtt-connect-packet'
import { attackDemo } from '../../fuzz/demo-attack.ts'
import { Gateway, serveRealClient } from '../../test/support/gateway.ts'

const MIB = 1024 * 1024
const versions = [4, 5] as const
/** The size of both in MQTT 3.1.1, with one topic. */
const CONNACK_AND_SUBACK = 9

function connectPacket(version: 4 | 5, clientId: string): Buffer {
  return version === 4
    ? new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId }).bytes
    : new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId }).bytes
}

/** A PUBLISH with QoS 0 to the topic `t`, `size` bytes in total. */
function publish(version: 4 | 5, size: number): Buffer {
  const body = Buffer.concat([Buffer.from('000174', 'hex'), Buffer.alloc(version === 5 ? 1 : 0)])
  const header = [0x30]
  // At these sizes, the Remaining Length takes three or four bytes.
  const lengthBytes = size - 4 < 0x20_0000 ? 3 : 4
  const remaining = size - 1 - lengthBytes
  for (let i = 0; i < lengthBytes; i++) {
    header.push(((remaining >> (7 * i)) & 0x7f) | (i < lengthBytes - 1 ? 0x80 : 0))
  }
  return Buffer.concat([Buffer.from(header), body, Buffer.alloc(remaining - body.length)])
}

/** Resolves even if the connection is reset, whereas `once` would reject. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

function nextPayload(client: mqtt.MqttClient): Promise<Buffer> {
  return new Promise((resolve) => client.once('message', (_topic, payload) => resolve(payload)))
}

/** Packets that are malformed, or that a client must not send after its CONNECT. */
const hostile: Readonly<Record<string, string>> = {
  AUTH: 'f0021800',
  'a SUBSCRIBE of MQTT 5.0 without topics': '8203000100',
  'a SUBSCRIBE of MQTT 3.1.1 without topics': '82020001',
  'an UNSUBSCRIBE of MQTT 5.0 without topics': 'a203000100',
  'a CONNACK': '2003000000',
  'a CONNECT of MQTT 5.0': '101400044d5154540506003c00000161000000000161',
  'a CONNECT of MQTT 3.1.1': '100c00044d5154540400003c0000',
  'a SUBACK': '9003000100',
  'a PUBLISH that ends before its packet identifier': '3203000161',
  'a PUBLISH to no topic': '30020000',
  'a reserved packet type': '0000',
  'a Remaining Length of five bytes': '30ffffffff01',
}

describe('the gateway with its embedded broker, and hostile clients', function () {
  this.timeout(60_000)
  let gateway: Gateway | undefined
  let port: number
  const open: Socket[] = []
  const clients: mqtt.MqttClient[] = []

  beforeEach(async () => {
    if (gateway?.alive) return
    gateway = new Gateway('--port', '0', '--no-sample')
    port = await gateway.port()
  })

  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
    for (const client of clients.splice(0)) client.end(true)
  })

  after(() => gateway?.kill())

  function socketWith(...chunks: Buffer[]): Socket {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.on('error', () => {})
    socket.write(Buffer.concat(chunks))
    return socket
  }

  async function subscriber(protocolVersion: 4 | 5): Promise<mqtt.MqttClient> {
    const client = await mqtt.connectAsync({ host: '127.0.0.1', port, protocolVersion })
    clients.push(client)
    await client.subscribeAsync('t')
    return client
  }

  async function servesOthers(): Promise<void> {
    expect(gateway?.alive, gateway?.stderr).to.equal(true)
    for (const version of versions) await serveRealClient(port, version)
  }

  for (const version of versions) {
    for (const [what, hex] of Object.entries(hostile)) {
      it(`ends only the connection of an MQTT ${version} client that sends ${what}`, async () => {
        const socket = socketWith(connectPacket(version, 'hostile'), Buffer.from(hex, 'hex')).resume()
        await closing(socket)
        await servesOthers()
      })
    }

    it(`closes an MQTT ${version} connection that has announced a packet of 256 MB, before it is sent`, async () => {
      const socket = socketWith(
        connectPacket(version, 'half-sent'),
        Buffer.from('30ffffff7f', 'hex'),
      ).resume()
      const closed = closing(socket)
      for (let sent = 0; sent < 8 && !socket.destroyed; sent++) {
        await new Promise<void>((resolve) => socket.write(Buffer.alloc(MIB), () => resolve()))
      }
      await closed
      await servesOthers()
    })

    it(`takes an MQTT ${version} packet of 1 MiB, and none that is larger by a byte`, async () => {
      const received = nextPayload(await subscriber(version))
      const whole = socketWith(connectPacket(version, 'large'), publish(version, MIB))
      expect((await received).length).to.be.within(MIB - 20, MIB)
      expect(whole.destroyed).to.equal(false)
      await closing(socketWith(connectPacket(version, 'larger'), publish(version, MIB + 1)).resume())
    })

    it(`delivers what an MQTT ${version} client sends all at once, however it ends`, async () => {
      const client = await subscriber(version)
      const endings = { 'with DISCONNECT': 'e000', 'without DISCONNECT': '', 'with garbage': '0000' }
      for (const [ending, hex] of Object.entries(endings)) {
        const received = nextPayload(client)
        const packets = [connectPacket(version, 'brief'), publish(version, 20_000), Buffer.from(hex, 'hex')]
        const socket = socketWith(...packets).resume()
        const closed = closing(socket)
        socket.end()
        expect((await received).length, ending).to.be.within(19_980, 20_000)
        await closed
      }
    })
  }

  it('does not make others wait long for a client that does not read its messages', async () => {
    const slow = socketWith(connectPacket(4, 'slow'), Buffer.from('8206000100017400', 'hex'))
    let answer = 0
    while (answer < CONNACK_AND_SUBACK) answer += (await once(slow, 'data'))[0].length
    slow.pause()
    // Exceeds the buffers between publisher and subscriber.
    const publisher = socketWith(connectPacket(4, 'publisher')).resume()
    const message = publish(4, 64 * 1024)
    for (let i = 0; i < 500; i++) publisher.write(message)
    await new Promise<void>((resolve) => publisher.write(message, () => resolve()))
    await servesOthers()
    expect(slow.isPaused()).to.equal(true)
  }).timeout(60_000)

  it('survives hundreds of clients that send mutated packets, and gives back what they took', async () => {
    const result = await attackDemo(300, 20_260_101)
    expect(result.findings).to.deep.equal([])
    expect(result.connections).to.equal(300)
    // Otherwise the attack would never have got past the CONNECT.
    expect(result.accepted).to.be.above(150)
    expect(result.answered).to.be.above(40)
  })
})
