import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { ConnectReasonCode, connack, v3_1_1 } from 'mqtt-connect-packet'
import { FakeBroker, Running, sleep, until, upstreamOf } from './support.ts'

const CLIENTS = 20

/** What a client does, perhaps once it has an answer. */
type Leave = (client: Socket, answered: Promise<unknown>, broker: Socket) => unknown

const connectOf = (clientId: string) =>
  new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId }).bytes

/** The number of ports that connections to this one have left taken, as Linux counts them (the state TIME_WAIT). */
function taken(port: number): number {
  const to = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([, , remote, state]) => remote?.endsWith(to) && state === '06').length
}

/** The number of this process's open file descriptors. */
function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}

describe('gateway: local ports', () => {
  let broker: FakeBroker
  let gateway: Running

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    broker = await FakeBroker.reading(async (packet, socket) => {
      const { clientId } = packet
      const refusal = connack(packet, ConnectReasonCode.notAuthorized)!.bytes
      if (clientId === 'session') socket.write(connack(packet, 0)!.bytes)
      if (clientId === 'refused') socket.end(refusal)
      if (clientId === 'refused late') {
        await sleep(100)
        socket.end(refusal)
      }
      if (clientId === 'refused by a broker that waits') socket.write(refusal)
    })
  })

  beforeEach(async () => {
    gateway = await Running.start({ upstreams: [upstreamOf(broker)] })
  })

  afterEach(() => gateway.close())

  after(() => broker?.close())

  /** Opens and ends connections, and returns the number of ports that they have left taken. */
  async function portsAfter(clientId: string, leave: Leave): Promise<number> {
    const before = { ports: taken(broker.port), descriptors: descriptors() }
    for (let i = 0; i < CLIENTS; i++) {
      const client = connect({ port: gateway.port(), host: '127.0.0.1' }).on('error', () => {})
      const answered = once(client, 'data').catch(() => {})
      client.write(connectOf(clientId))
      await until(async () => (await gateway.metric('forwarded_total')) > i)
      await leave(client, answered, broker.sockets.at(-1)!)
      if (!client.closed) await once(client, 'close')
    }
    await until(() => gateway.gateway.open.total === 0)
    await until(() => broker.sockets.every(({ closed }) => closed))
    // Each of them is closed, too.
    await until(() => descriptors() <= before.descriptors)
    return taken(broker.port) - before.ports
  }

  for (const [who, clientId, leave] of [
    ['resets before it has an answer', 'waiting', (client) => client.resetAndDestroy()],
    ['ends its side before it is refused', 'refused late', (client) => client.end()],
    ['closes before it is refused', 'refused late', (client) => client.destroy()],
    ['ends its side once it is refused', 'refused', (client, answered) => answered.then(() => client.end())],
    [
      'ends its side at the moment when a broker that has refused it does',
      'refused by a broker that waits',
      async (client, answered, broker) => {
        await answered
        broker.end()
        client.end()
      },
    ],
    ['closes once it is refused', 'refused', (client, answered) => answered.then(() => client.destroy())],
    [
      'resets once it is refused',
      'refused',
      (client, answered) => answered.then(() => client.resetAndDestroy()),
    ],
    [
      'ends its side after a broker has refused it, but waits',
      'refused by a broker that waits',
      (client, answered) => answered.then(() => client.end()),
    ],
    [
      'resets after a broker has refused it, but waits',
      'refused by a broker that waits',
      (client, answered) => answered.then(() => client.resetAndDestroy()),
    ],
  ] as readonly (readonly [string, string, Leave])[]) {
    it(`are free at once after a client that ${who}`, async () => {
      expect(await portsAfter(clientId, leave)).to.equal(0)
    })
  }

  it('are free at once after a client that resets behind a CONNECT of 64 KiB, before the gateway knows that the broker has accepted', async () => {
    const before = taken(broker.port)
    // libuv reads again at once if its buffer of 64 KiB is full, so all of this happens in one turn of the event loop.
    const bytes = new v3_1_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 60,
      clientId: 'waiting',
      userName: '',
      password: Buffer.alloc(65_536 - 27),
    }).bytes
    expect(bytes).to.have.length(65_536)
    for (let i = 0; i < 5 * CLIENTS; i++) {
      const client = connect({ port: gateway.port(), host: '127.0.0.1' }).on('error', () => {})
      client.write(bytes, () => client.resetAndDestroy())
      await once(client, 'close')
    }
    await until(() => gateway.gateway.open.total + gateway.gateway.open.lingering === 0)
    expect(taken(broker.port) - before).to.equal(0)
  })

  it('stay taken for a minute after a session that the client ends', async () => {
    expect(await portsAfter('session', (client, answered) => answered.then(() => client.end()))).to.be.above(
      0,
    )
  })
})
