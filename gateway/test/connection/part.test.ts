import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, Socket } from 'node:net'
import { mock } from 'node:test'
import { expect } from 'chai'
import { type ConnectPacket, v3_1_1, v5 } from 'mqtt-connect-packet'
import { Idle } from '../../lib/connection/idle.ts'
import type { Outcome } from '../../lib/connection/last-packets.ts'
import type { Reports } from '../../lib/connection/reports.ts'
import type { Events, Link, Stages, Step } from '../../lib/connection/steps.ts'
import { table } from '../../lib/connection/table.ts'
import { Tracked } from '../../lib/connection/tracked.ts'
import { OpenConnections } from '../../lib/limit/open-connections.ts'
import type { Peer } from '../../lib/listen/peer.ts'
import type { Upstream } from '../../lib/route/upstream.ts'
import { configOf, sleep, until } from '../support.ts'

const both = { notify: true, discardWills: true }
const goodbye = Buffer.from('e000', 'hex')
const shuttingDown = Buffer.from('e0018b', 'hex')
const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'a' })
const connect4 = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'a' })
/** A PUBLISH with QoS 1. The PUBACK for it follows. */
const publish = Buffer.from('320a000161000168656c6c6f', 'hex')
const puback = Buffer.from('40020001', 'hex')

/** One side of a session: a real socket, and the gateway's end of its connection. */
class Side {
  readonly own: Socket
  readonly gateways: Socket
  received: Buffer = Buffer.alloc(0)
  isEnded = false

  private constructor(own: Socket, gateways: Socket) {
    this.own = own
    this.gateways = gateways
    for (const socket of [own, gateways]) socket.on('error', () => {})
    own.on('data', (chunk) => {
      this.received = Buffer.concat([this.received, chunk])
    })
    own.on('end', () => {
      this.isEnded = true
    })
  }

  static async open(server: Server): Promise<Side> {
    const { port } = server.address() as AddressInfo
    const own = new Socket({ allowHalfOpen: true })
    const [[gateways]] = await Promise.all([
      once(server, 'connection'),
      once(own.connect(port, '127.0.0.1'), 'connect'),
    ])
    return new Side(own, gateways)
  }

  get hex(): string {
    return this.received.toString('hex')
  }
}

/** A session in the step `forwarding`, with real sockets and the real table. */
class Session implements Link {
  readonly client: Socket
  readonly peer = { bytesRead: 0, probeIfSilent: () => {} } as unknown as Peer
  readonly stages: Stages
  readonly drain: Link['drain']
  readonly reports: Reports
  step: Step
  outcome: Outcome | undefined
  readonly open = new OpenConnections()

  constructor(client: Side, broker: Side, drain: object, packet: ConnectPacket = connect5) {
    const config = configOf({ drain })
    this.client = client.gateways
    this.drain = config.drain
    this.stages = { config } as unknown as Stages
    this.reports = {
      parted: (_ending, outcome) => (this.outcome = outcome),
      sessionEnded: () => {},
      lingers: (broker) => this.open.linger(broker),
    } as Partial<Reports> as Reports
    const tracked = Tracked.of(config.drain, packet)
    const idle = new Idle(0, 0, 0)
    const upstream = { probeIfSilent: () => {} } as unknown as Upstream
    const forever = Number.POSITIVE_INFINITY
    this.step = {
      name: 'forwarding',
      upstream,
      broker: broker.gateways,
      tracked,
      session: { end: () => {} } as never,
      idle,
      expiresAt: forever,
      deadline: forever,
    }
    client.gateways
      .on('data', (chunk) => this.happen('clientData', chunk))
      .on('drain', () => this.happen('clientDrain', undefined))
      .on('end', () => this.happen('clientEnd', undefined))
      .on('close', () => this.happen('clientClose', undefined))
    broker.gateways
      .on('data', (chunk) => this.happen('brokerData', chunk))
      .on('drain', () => this.happen('brokerDrain', undefined))
      .on('end', () => this.happen('brokerEnd', undefined))
      .on('close', () => this.happen('brokerClose', undefined))
  }

  configure(): boolean {
    return true
  }

  become(step: Step): void {
    this.step = step
  }

  happen<Name extends keyof Events>(name: Name, given: Events[Name]): void {
    const cell = table[this.step.name][name] as (link: Link, step: Step, given: Events[Name]) => void
    cell(this, this.step, given)
  }

  end(): void {
    this.happen('dismiss', 'drained')
  }

  get patience(): number {
    return this.step.deadline! - performance.now()
  }

  runOutOfTime(): void {
    this.happen('deadline', performance.now())
  }
}

describe('gateway: the end of a session', () => {
  let server: Server
  let client: Side
  let broker: Side
  let session: Session

  before(async () => {
    server = createServer({ allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  beforeEach(async () => {
    session = await again(both)
  })

  afterEach(() => {
    for (const { own, gateways } of [client, broker]) {
      own.destroy()
      gateways.destroy()
    }
  })

  after(() => {
    server.close()
  })

  async function pass(from: Side, to: Side, bytes: Uint8Array): Promise<void> {
    const expected = to.received.length + bytes.length
    from.own.write(bytes)
    await until(() => to.received.length === expected)
  }

  async function again(drain: object, packet?: ConnectPacket): Promise<Session> {
    client = await Side.open(server)
    broker = await Side.open(server)
    return new Session(client, broker, drain, packet)
  }

  it('between packets, the broker is told at once, and the client once the broker has closed', async () => {
    await pass(client, broker, publish)
    session.end()
    await until(() => broker.isEnded)
    expect(broker.hex).to.equal(`${publish.toString('hex')}e000`)
    await sleep(50)
    expect(client.hex).to.equal('')
    broker.own.end(puback)
    await until(() => client.isEnded)
    expect(client.hex).to.equal('40020001e0018b')
    expect(session.outcome).to.equal('between-packets')
  })

  for (let split = 1; split < publish.length; split++) {
    it(`after ${split} bytes of a packet, the rest is passed on, and what follows is discarded`, async () => {
      await pass(client, broker, publish.subarray(0, split))
      await pass(broker, client, publish.subarray(0, split))
      session.end()
      await sleep(5)
      expect(broker.received.length).to.equal(split)
      client.own.write(Buffer.concat([publish.subarray(split), publish, publish]))
      await until(() => broker.isEnded)
      expect(broker.hex).to.equal(`${publish.toString('hex')}e000`)
      broker.own.end(Buffer.concat([publish.subarray(split), puback]))
      await until(() => client.isEnded)
      expect(client.hex).to.equal(`${publish.toString('hex')}40020001e0018b`)
      expect(session.outcome).to.equal('between-packets')
    })
  }

  it('a broker without a DISCONNECT is closed at the next boundary of its own packets', async () => {
    session = await again({ notify: true })
    await pass(client, broker, publish.subarray(0, 3))
    await pass(broker, client, publish.subarray(0, 3))
    session.end()
    broker.own.write(Buffer.concat([publish.subarray(3), publish]))
    await until(() => client.isEnded && broker.isEnded)
    expect(client.hex).to.equal(`${publish.toString('hex')}e0018b`)
    expect(broker.hex).to.equal(publish.toString('hex', 0, 3))
    expect(session.outcome).to.equal('between-packets')
  })

  it('a client before 5.0 gets no DISCONNECT, but its broker does', async () => {
    session = await again(both, connect4)
    session.end()
    await until(() => broker.isEnded)
    broker.own.end()
    await until(() => client.isEnded)
    expect([broker.hex, client.hex]).to.deep.equal(['e000', ''])
  })

  it('MQTT-3.14.4-1: nothing follows a DISCONNECT of the client or of the broker', async () => {
    await pass(client, broker, goodbye)
    await pass(broker, client, Buffer.from('e0018e', 'hex'))
    session.end()
    await until(() => broker.isEnded)
    broker.own.end()
    await until(() => client.isEnded)
    expect([broker.hex, client.hex]).to.deep.equal(['e000', 'e0018e'])
  })

  it('a packet that is not complete in time is cut off, and nothing is inserted into it', async () => {
    await pass(client, broker, publish.subarray(0, 3))
    await pass(broker, client, publish.subarray(0, 3))
    session.end()
    session.runOutOfTime()
    await until(() => client.isEnded && broker.isEnded)
    const half = publish.toString('hex', 0, 3)
    expect([broker.hex, client.hex]).to.deep.equal([half, half])
    expect(session.outcome).to.equal('cut')
  })

  it('a client that ends in the middle of a packet gets no DISCONNECT in its name', async () => {
    await pass(client, broker, publish.subarray(0, 3))
    session.end()
    client.own.end()
    await until(() => broker.isEnded)
    broker.own.end()
    await until(() => client.isEnded)
    expect([broker.hex, client.hex]).to.deep.equal([publish.toString('hex', 0, 3), 'e0018b'])
    expect(session.outcome).to.equal('cut')
  })

  it('a broker that does not close after the DISCONNECT delays the client only for the configured time', async () => {
    session.end()
    session.runOutOfTime()
    await until(() => client.isEnded && broker.isEnded)
    expect([broker.hex, client.hex]).to.deep.equal(['e000', 'e0018b'])
    expect(session.outcome).to.equal('between-packets')
  })

  it('a busy broker has 30 seconds to read the DISCONNECT, because a reset would publish the will', async () => {
    await pass(client, broker, publish.subarray(0, 3))
    session.end()
    expect(session.patience).to.be.within(4900, 5000)
    client.own.write(publish.subarray(3))
    await until(() => broker.isEnded)
    expect(session.patience).to.be.within(29_000, 30_000)
  })

  it('a broker sends everything to a slow client before the DISCONNECT', async () => {
    const many = Buffer.concat(Array.from({ length: 200_000 }, () => publish))
    client.own.pause()
    broker.own.write(many)
    await sleep(50)
    session.end()
    await until(() => broker.isEnded)
    broker.own.end(puback)
    await sleep(50)
    client.own.resume()
    await until(() => client.isEnded)
    expect(client.received.equals(Buffer.concat([many, puback, shuttingDown]))).to.equal(true)
    expect(session.outcome).to.equal('between-packets')
  })

  it('a client that leaves after its broker has been told does not reset the connection to the broker', async () => {
    session.end()
    await until(() => broker.isEnded)
    client.own.resetAndDestroy()
    await until(() => client.gateways.closed)
    broker.own.write(Buffer.concat([publish, publish]))
    await sleep(20)
    expect(broker.gateways.closed).to.equal(false)
    broker.own.end()
    await until(() => broker.own.closed)
    expect(broker.own.errored).to.equal(null)
  })

  it('a broker that does not close has 30 seconds even if the client has left', async () => {
    session.end()
    await until(() => broker.isEnded)
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      expect(session.open.lingering).to.equal(0)
      client.gateways.destroy()
      await once(client.gateways, 'close')
      mock.timers.tick(29_900)
      expect(broker.gateways.destroyed).to.equal(false)
      // It needs a file descriptor.
      expect(session.open.lingering).to.equal(1)
      mock.timers.tick(200)
      await once(broker.gateways, 'close')
      expect(session.open.lingering).to.equal(0)
    } finally {
      mock.timers.reset()
    }
    expect(session.step.name).to.equal('ended')
    expect(session.outcome).to.equal('between-packets')
  })

  for (const drain of [both, { notify: true }, {}]) {
    it(`a client that has ended its side loses none of its bytes to a slow broker: ${JSON.stringify(drain)}`, async () => {
      for (const side of [client, broker]) side.own.destroy()
      session = await again(drain)
      // As if the operating system took nothing more for the broker until `release`.
      const { _write } = Socket.prototype
      let release = () => {}
      broker.gateways._write = (...args) => {
        release = () => _write.apply(broker.gateways, args)
      }
      client.own.write(publish)
      await until(() => broker.gateways.writableLength > 0)
      client.own.end(goodbye)
      await until(() => client.gateways.readableEnded)
      session.end()
      await sleep(20)
      broker.gateways._write = _write
      release()
      await until(() => broker.isEnded)
      expect(broker.hex).to.equal(`${publish.toString('hex')}e000`)
      broker.own.end(puback)
      await until(() => client.isEnded)
      expect(client.hex).to.match(/^40020001/)
    })
  }

  it('a client that leaves before its broker can be told leaves without a DISCONNECT', async () => {
    await pass(client, broker, publish.subarray(0, 3))
    session.end()
    client.own.resetAndDestroy()
    await until(() => broker.isEnded)
    expect(broker.hex).to.equal(publish.toString('hex', 0, 3))
  })
})
