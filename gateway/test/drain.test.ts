import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type mqtt from 'mqtt'
import { connack as connackFor, ProtocolVersion, property, v3_1_1, v5 } from 'mqtt-connect-packet'
import { Authority } from './certificates.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  Folder,
  freePort,
  needs,
  type Program,
  Running,
  sleep,
  startMosquitto,
  until,
  upstreamOf,
  type Version,
} from './support.ts'

const both = { notify: true, discardWills: true }
const connack = { 4: '20020000', 5: '2003000000' } as const
const publish = '320a000161000168656c6c6f'

function connectOf(version: Version, keepAlive: number = 0, maximumPacketSize?: number): Buffer {
  const fields = { keepAlive, clientId: 'a' }
  if (version === ProtocolVersion.v3_1_1)
    return new v3_1_1.ConnectPacket({ ...fields, cleanSession: true }).bytes
  const props = maximumPacketSize === undefined ? [] : [property.maximumPacketSize(maximumPacketSize)]
  return new v5.ConnectPacket({ ...fields, cleanStart: true, props }).bytes
}

describe('gateway: the DISCONNECT to each side at the end of a session', function () {
  this.timeout(60_000)
  let broker: FakeBroker
  let gateway: Running
  let client: Socket
  /** Bytes after the handshake, in hex. */
  let toBroker: string
  let toClient: string

  afterEach(() => {
    gateway.close()
    broker.close()
    client.destroy()
  })

  /** Starts a broker that answers a CONNECT with these bytes, and a gateway. */
  async function start(drain: object, answer: string, more: object = {}): Promise<void> {
    broker = await FakeBroker.start((socket) => {
      socket.once('data', () => socket.write(Buffer.from(answer, 'hex')))
      let all = ''
      socket.on('data', (chunk) => {
        all += chunk.toString('hex')
        toBroker = all.slice(2 * Number.parseInt(all.slice(2, 4), 16) + 4)
      })
    })
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], drain, ...more })
  }

  /** Connects a client, and waits for the broker's answer. */
  async function join(packet: Buffer, answer: string): Promise<void> {
    toBroker = ''
    toClient = ''
    client = connect(gateway.port(), '127.0.0.1')
    client.on('error', () => {})
    client.write(packet)
    let all = ''
    client.on('data', (chunk) => {
      all += chunk.toString('hex')
      toClient = all.slice(answer.length)
    })
    await until(() => all.length >= answer.length)
  }

  async function session(
    version: Version,
    drain: object,
    packet: Buffer = connectOf(version),
  ): Promise<void> {
    await start(drain, connack[version])
    await join(packet, connack[version])
  }

  async function drained(): Promise<void> {
    await Promise.all([once(client, 'close'), gateway.gateway.drain()])
  }

  for (const [drain, version, expected] of [
    [{}, 5, ['', '']],
    [{ notify: true }, 5, ['e0018b', '']],
    [{ discardWills: true }, 5, ['', 'e000']],
    [both, 5, ['e0018b', 'e000']],
    [both, 4, ['', 'e000']],
    [{ notify: true, serverReference: 'b:1' }, 5, ['e0089c061c0003623a31', '']],
    [{ notify: true, serverReference: 'b:1', serverMoved: true }, 5, ['e0089d061c0003623a31', '']],
  ] as const) {
    it(`MQTT ${version}, a drain with ${JSON.stringify(drain)}: ${JSON.stringify(expected)}`, async () => {
      await session(version, drain)
      await drained()
      expect([toClient, toBroker]).to.deep.equal(expected)
    })
  }

  for (const [drain, expected] of [
    [{ notify: true, serverReference: 'b:1' }, ['e0089c061c0003623a31', '']],
    [both, ['e0018b', 'e000']],
    [{}, ['', '']],
  ] as const) {
    it(`a session that is older than a reload to ${JSON.stringify(drain)}: ${JSON.stringify(expected)}`, async () => {
      const listeners = [{ port: await freePort() }]
      await start({ notify: true, serverReference: 'a:1', serverMoved: true }, connack[5], { listeners })
      await join(connectOf(5), connack[5])
      await gateway.gateway.reload(configOf({ upstreams: [upstreamOf(broker)], drain, listeners }))
      await drained()
      expect([toClient, toBroker]).to.deep.equal(expected)
    })
  }

  for (const [maximumPacketSize, expected] of [
    [10, 'e0089c061c0003623a31'],
    [9, 'e0018b'],
  ] as const) {
    it(`MQTT-3.1.2-24: a client with a Maximum Packet Size of ${maximumPacketSize} gets ${expected}`, async () => {
      await session(5, { notify: true, serverReference: 'b:1' }, connectOf(5, 0, maximumPacketSize))
      await drained()
      expect(toClient).to.equal(expected)
    })
  }

  it('a client whose keep alive is over gets 0x8D, and its will is left to the broker', async () => {
    await session(5, both, connectOf(5, 1))
    await once(client, 'close')
    expect([toClient, toBroker]).to.deep.equal(['e0018d', ''])
    expect(await gateway.metric('sessions_parted_total')).to.equal(1)
  })

  it('a client whose credentials have expired gets 0xA0, and its will is discarded', async () => {
    const folder = new Folder()
    const file = folder.write(
      'check.mjs',
      "export default () => ({ result: 'allow', expiresAt: Date.now() / 1000 + 1 })",
    )
    await start(both, connack[5], { authentication: { module: { file } } })
    await join(connectOf(5), connack[5])
    await once(client, 'close')
    folder.remove()
    expect([toClient, toBroker]).to.deep.equal(['e001a0', 'e000'])
  })

  it('a client that moves to another upstream gets 0x98, and its will is discarded', async () => {
    await session(5, both)
    gateway.gateway.open.all()[0]!.connection!.end('moved')
    await once(client, 'close')
    expect([toClient, toBroker]).to.deep.equal(['e00198', 'e000'])
  })

  it('half a packet right after the CONNECT, and half a packet in the chunk of the CONNACK, are completed first', async () => {
    const [half, rest] = [publish.slice(0, 10), publish.slice(10)]
    await start(both, connack[5] + half)
    await join(Buffer.concat([connectOf(5), Buffer.from(half, 'hex')]), connack[5] + half)
    await until(() => toBroker === half)
    const ended = drained()
    await sleep(100)
    expect([toClient, toBroker]).to.deep.equal(['', half])
    broker.sockets[0]!.write(Buffer.from(rest, 'hex'))
    await until(() => toClient === rest)
    client.write(Buffer.from(rest + publish, 'hex'))
    await ended
    expect([toClient, toBroker]).to.deep.equal([`${rest}e0018b`, `${publish}e000`])
  })

  for (const [drain, last] of [
    [{}, ''],
    [both, 'e0018b'],
  ] as const)
    it(`a slow client that goes on sending reads everything first, a drain with ${JSON.stringify(drain)}`, async () => {
      const size = 1_000_000
      await session(5, drain)
      client.pause()
      broker.sockets[0]!.write(Buffer.alloc(size, Buffer.from('d000', 'hex')))
      await until(() => broker.sockets[0]!.bytesWritten > size)
      await sleep(200)
      const ended = drained()
      const acknowledging = setInterval(() => client.write(Buffer.from('c000', 'hex')), 100)
      await sleep(2000)
      client.resume()
      await ended
      clearInterval(acknowledging)
      expect(toClient.length / 2).to.equal(size + last.length / 2)
      expect(toClient.slice(2 * size)).to.equal(last)
    })

  it('a broker has time to read its DISCONNECT although the client has reset, and the session is reported', async () => {
    await session(5, both)
    const [socket] = broker.sockets
    socket!.pause()
    let isDrained = false
    const ended = gateway.gateway.drain().then(() => {
      isDrained = true
    })
    await sleep(300)
    client.resetAndDestroy()
    await sleep(1000)
    expect(isDrained).to.equal(false)
    expect(await gateway.metric('sessions_ended_total')).to.equal(1)
    socket!.resume()
    await ended
    expect(toBroker).to.equal('e000')
  })

  it('a client whose CONNACK is under way gets it before the DISCONNECT', async () => {
    await start(both, '')
    await join(connectOf(5), '')
    await until(() => broker.sockets.length === 1)
    await sleep(50)
    const ended = drained()
    await sleep(100)
    expect(toClient).to.equal('')
    broker.sockets[0]!.write(Buffer.from(connack[5], 'hex'))
    await ended
    expect([toClient, toBroker]).to.deep.equal([`${connack[5]}e0018b`, 'e000'])
  })
})

describe('gateway: clients that connect just before a drain', () => {
  let broker: FakeBroker
  let gateway: Running
  let client: Socket

  beforeEach(async () => {
    broker = await FakeBroker.reading(async (packet, socket) => {
      await sleep(100)
      socket.write(connackFor(packet, 0)!.bytes)
    })
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], limits: { handshakeTimeout: 3 } })
    client = connect(gateway.port(), '127.0.0.1').on('error', () => {})
    await until(() => gateway.gateway.open.total === 1)
  })

  afterEach(() => {
    client.destroy()
    gateway.close()
    broker.close()
  })

  const bytes = connectOf(5)
  for (const [what, before, after] of [
    ['has just connected', 0, bytes.length],
    ['is in the middle of its CONNECT', 5, bytes.length],
    ['waits for its CONNACK', bytes.length, bytes.length],
  ] as const) {
    it(`are served first: one that ${what}`, async () => {
      client.write(bytes.subarray(0, before))
      await until(() => gateway.gateway.open.all()[0]!.bytesRead === before)
      const drained = gateway.gateway.drain()
      await sleep(50)
      client.write(bytes.subarray(before, after))
      expect((await once(client, 'data'))[0].toString('hex')).to.equal('2003000000')
      await Promise.all([drained, once(client.resume(), 'close')])
    })
  }

  it('delay it for a second if they send nothing', async () => {
    const began = performance.now()
    await gateway.gateway.drain()
    // The whole time for the handshake would be three seconds.
    expect(performance.now() - began).to.be.within(500, 2900)
  })
})

describe('gateway: a drain with mosquitto', function () {
  this.timeout(60_000)
  let folder: Folder
  let broker: Program
  let watcher: mqtt.MqttClient
  let wills: string[]

  before(async function () {
    needs(this, 'mosquitto', 'openssl')
    folder = new Folder()
    broker = await startMosquitto(folder)
    watcher = await connectClient(broker.port)
    watcher.on('message', (topic) => wills.push(topic))
    await watcher.subscribeAsync('wills/#', { qos: 1 })
  })

  beforeEach(() => {
    wills = []
  })

  after(async () => {
    await watcher?.endAsync(true)
    await broker?.stop()
    folder?.remove()
  })

  /**
   * Connects clients with wills, drains the gateway, and waits until all are disconnected.
   *
   * @returns the reason codes that they got
   */
  async function codesAfterDrain(
    count: number,
    more: object,
    options: mqtt.IClientOptions,
  ): Promise<number[]> {
    const gateway = await Running.start({ upstreams: [upstreamOf(broker)], ...more })
    const codes: number[] = []
    const clients: mqtt.MqttClient[] = []
    for (let i = 0; i < count; i++) {
      const client = await connectClient(gateway.port(), {
        protocolVersion: i % 2 === 0 ? 5 : 4,
        will: { topic: `wills/${i}`, payload: Buffer.from('gone'), qos: 1 },
        ...options,
      })
      client.on('disconnect', ({ reasonCode }) => codes.push(reasonCode ?? 0))
      clients.push(client)
    }
    const closed = clients.map(
      (client) => new Promise<void>((resolve) => client.once('close', () => resolve())),
    )
    await gateway.gateway.drain()
    await Promise.all(closed)
    // The broker's messages arrive before the answer to this packet.
    await watcher.publishAsync('flush', '', { qos: 1 })
    await sleep(100)
    return codes
  }

  it('publishes each of 20 wills without the options', async () => {
    expect(await codesAfterDrain(20, {}, {})).to.deep.equal([])
    expect(wills.length).to.equal(20)
  })

  it('publishes none of 300 wills, and tells 5.0 clients why the session ended', async () => {
    const codes = await codesAfterDrain(300, { drain: { ...both, perSecond: 1000 } }, {})
    expect(wills).to.deep.equal([])
    expect(codes).to.deep.equal(Array(150).fill(0x8b))
  })

  for (const protocol of ['mqtts', 'wss'] as const) {
    it(`the same for clients of ${protocol}`, async () => {
      const authority = new Authority(folder)
      const { certificate, key } = authority.issue('localhost', 'DNS:localhost')
      const listener = { port: 0, tls: { certificates: [{ certificate, key }] } }
      const listeners = [protocol === 'wss' ? { ...listener, websocket: {} } : listener]
      const options = { protocol, host: 'localhost', path: '/mqtt', ca: [authority.pem] }
      const codes = await codesAfterDrain(4, { listeners, drain: both }, options)
      expect(wills).to.deep.equal([])
      expect(codes).to.deep.equal([0x8b, 0x8b])
    })
  }
})
