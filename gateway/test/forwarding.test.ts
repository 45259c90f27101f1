import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { readPacket, v3_1_1, v5 } from 'mqtt-connect-packet'
import {
  connectClient,
  Folder,
  needs,
  type Program,
  Running,
  startMosquitto,
  until,
  upstreamOf,
  type Version,
} from './support.ts'

describe('gateway: a client and mosquitto', function () {
  this.timeout(60_000)
  let folder: Folder
  let broker: Program
  let gateway: Running
  const clients: mqtt.MqttClient[] = []

  before(async function () {
    needs(this, 'mosquitto', 'mosquitto_sub')
    folder = new Folder()
    broker = await startMosquitto(folder)
    gateway = await Running.start({ upstreams: [upstreamOf(broker)] })
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.endAsync(true)
    await until(() => gateway.gateway.open.total === 0)
    expect(gateway.gateway.open.pending).to.equal(0)
  })

  after(async () => {
    gateway?.close()
    await broker?.stop()
    folder?.remove()
  })

  async function client(
    protocolVersion: Version,
    options: mqtt.IClientOptions = {},
  ): Promise<mqtt.MqttClient> {
    const connected = await connectClient(gateway.port(), { protocolVersion, ...options })
    clients.push(connected)
    return connected
  }

  function next(subscriber: mqtt.MqttClient): Promise<{ payload: Buffer; packet: mqtt.IPublishPacket }> {
    return new Promise((resolve) =>
      subscriber.once('message', (_topic, payload, packet) => resolve({ payload, packet })),
    )
  }

  for (const version of [4, 5] as const) {
    for (const qos of [0, 1, 2] as const) {
      it(`MQTT ${version}: delivers messages of QoS ${qos}`, async () => {
        const subscriber = await client(version)
        await subscriber.subscribeAsync(`qos/${qos}`, { qos })
        const received = next(subscriber)
        const publisher = await client(version)
        await publisher.publishAsync(`qos/${qos}`, `hello ${qos}`, { qos })
        const { payload, packet } = await received
        expect(`${payload}`).to.equal(`hello ${qos}`)
        expect(packet.qos).to.equal(qos)
      })
    }

    it(`MQTT ${version}: delivers retained messages`, async () => {
      const publisher = await client(version)
      await publisher.publishAsync(`retained/${version}`, 'kept', { retain: true, qos: 1 })
      const subscriber = await client(version)
      const received = next(subscriber)
      await subscriber.subscribeAsync(`retained/${version}`)
      expect((await received).packet.retain).to.equal(true)
    })

    it(`MQTT ${version}: publishes the will of a client that vanishes, but not of one that disconnects`, async () => {
      const subscriber = await client(version)
      await subscriber.subscribeAsync(`will/${version}`)
      const polite = await client(version, {
        will: { topic: `will/${version}`, payload: Buffer.from('polite') },
      })
      await polite.endAsync()
      const received = next(subscriber)
      const vanishing = await client(version, {
        will: { topic: `will/${version}`, payload: Buffer.from('gone') },
      })
      vanishing.stream.destroy()
      expect(`${(await received).payload}`).to.equal('gone')
    })

    it(`MQTT ${version}: a client that ends right after its CONNECT gets its CONNACK`, async () => {
      const socket = connect({ port: gateway.port(), host: '127.0.0.1', allowHalfOpen: true })
      const fields = { keepAlive: 60, clientId: `half-open-${version}` }
      const packet =
        version === 4
          ? new v3_1_1.ConnectPacket({ ...fields, cleanSession: true })
          : new v5.ConnectPacket({ ...fields, cleanStart: true })
      socket.end(packet.bytes)
      const answer = await readPacket(socket, { protocolVersion: version })
      expect(`${answer}`).to.match(/connack\{rc:(accepted|success),/)
      await once(socket, 'close')
    })

    it(`MQTT ${version}: delivers a payload of 1 MB unchanged`, async () => {
      const subscriber = await client(version)
      await subscriber.subscribeAsync('large')
      const received = next(subscriber)
      const sent = Buffer.alloc(1 << 20, 'The quick brown fox. ')
      await (await client(version)).publishAsync('large', sent, { qos: 1 })
      expect((await received).payload.equals(sent)).to.equal(true)
    })

    it(`MQTT ${version}: serves mosquitto_pub and mosquitto_sub`, async () => {
      const address = [
        '-h',
        '127.0.0.1',
        '-p',
        `${gateway.port()}`,
        '-V',
        version === 4 ? '311' : '5',
        '-t',
        'cli',
        '-q',
        '2',
      ]
      const subscriber = spawn('mosquitto_sub', [...address, '-C', '1', '-i', `sub-${version}`])
      let output = ''
      subscriber.stdout.on('data', (chunk) => {
        output += chunk
      })
      await until(() => broker.output.includes(`Sending SUBACK to sub-${version}`))
      spawn('mosquitto_pub', [...address, '-m', 'from the command line'])
      await once(subscriber, 'close')
      expect(output.trim()).to.equal('from the command line')
    })

    it(`MQTT ${version}: resumes a session and its messages`, async () => {
      const properties = version === 5 ? { properties: { sessionExpiryInterval: 60 } } : {}
      const options = { clean: false, clientId: `session-${version}`, ...properties }
      const first = await client(version, options)
      await first.subscribeAsync(`session/${version}`, { qos: 1 })
      await first.endAsync()
      await (await client(version)).publishAsync(`session/${version}`, 'waiting', { qos: 1 })
      const second = mqtt.connect({
        host: '127.0.0.1',
        port: gateway.port(),
        protocolVersion: version,
        ...options,
      })
      clients.push(second)
      expect(`${(await next(second)).payload}`).to.equal('waiting')
    })
  }

  it('MQTT 5: passes properties of the CONNECT, the CONNACK and of messages', async () => {
    const subscriber = await client(5, { properties: { topicAliasMaximum: 5, receiveMaximum: 7 } })
    await subscriber.subscribeAsync('props')
    const received = next(subscriber)
    const properties = {
      contentType: 'text/plain',
      correlationData: Buffer.from([1, 2]),
      userProperties: { a: 'b' },
    }
    await (await client(5)).publishAsync('props', 'x', { properties })
    const { packet } = await received
    expect(packet.properties).to.deep.include({
      contentType: 'text/plain',
      correlationData: Buffer.from([1, 2]),
    })
    expect({ ...(packet.properties?.userProperties as object) }).to.deep.equal({ a: 'b' })
  })
})
