import { connect } from 'node:net'
import { expect } from 'chai'
import { property, ConnectReasonCode as Reason, v3_1_1, v5 } from 'mqtt-connect-packet'
import type { Peer } from '../lib/listen/peer.ts'
import { Gateway } from '../lib/operate/gateway.ts'
import { isPersistent, Router, rank } from '../lib/route/router.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Report,
  Running,
  refusalCode,
  sleep,
  startMosquitto,
  until,
  upstreamOf,
} from './support.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const ids = Array.from({ length: 5000 }, (_, i) => `device-${i}`)

describe('gateway: rendezvous hashing', () => {
  const brokers = names.map((name) => ({ name, weight: 1 }))
  const home = (id: string, of = brokers) => rank(id, of)[0]!.name

  it('spreads client ids evenly', () => {
    const counts = new Map<string, number>()
    for (const id of ids) counts.set(home(id), (counts.get(home(id)) ?? 0) + 1)
    for (const name of names) expect(counts.get(name), name).to.be.within(900, 1100)
  })

  it('does not depend on the order, and moves only the clients of a broker that goes', () => {
    const reversed = [...brokers].reverse()
    const without = brokers.filter(({ name }) => name !== 'c')
    for (const id of ids) {
      expect(home(id, reversed)).to.equal(home(id))
      if (home(id) !== 'c') expect(home(id, without)).to.equal(home(id))
      else expect(home(id, without)).to.equal(rank(id, brokers)[1]!.name)
    }
  })

  it('knows persistent sessions', () => {
    const three = (cleanSession: boolean) =>
      new v3_1_1.ConnectPacket({ cleanSession, keepAlive: 1, clientId: 'c' })
    const five = (cleanStart: boolean, expiry?: number) =>
      new v5.ConnectPacket({
        cleanStart,
        keepAlive: 1,
        clientId: 'c',
        props: expiry === undefined ? [] : [property.sessionExpiryInterval(expiry)],
      })
    expect([three(true), three(false)].map(isPersistent)).to.deep.equal([false, true])
    expect([five(true), five(true, 0), five(true, 1), five(false)].map(isPersistent)).to.deep.equal([
      false,
      false,
      true,
      true,
    ])
  })
})

describe('gateway: routing and failover', function () {
  this.timeout(60_000)
  const brokers: FakeBroker[] = []
  let gateway: Running | undefined
  /** The index of the broker that each client id reached. */
  const reached = new Map<string, number>()

  async function startBroker(index: number): Promise<FakeBroker> {
    return await FakeBroker.answering(({ clientId }, socket) => {
      reached.set(clientId, index)
      socket.resume()
    })
  }

  beforeEach(async () => {
    for (let i = 0; i < 3; i++) brokers.push(await startBroker(i))
  })

  afterEach(() => {
    gateway?.close()
    for (const broker of brokers.splice(0)) broker.close()
    reached.clear()
  })

  const upstreams = () => brokers.map((broker, i) => upstreamOf(broker, { name: `broker-${i}` }))
  const health = { interval: 0.1, timeout: 0.1, failures: 1 }

  async function start(more: object = {}): Promise<number> {
    gateway = await Running.start({ upstreams: upstreams(), ...more })
    return gateway.port()
  }

  it('sends each client id to one broker, through every gateway', async () => {
    const port = await start()
    const other = await Running.start({ upstreams: [...upstreams()].reverse() })
    const clientIds = ids.slice(0, 30)
    for (const clientId of clientIds) expect(await refusalCode(port, { clientId })).to.equal('accepted')
    const first = new Map(reached)
    expect(new Set(first.values()).size).to.equal(3)
    for (const clientId of clientIds) await refusalCode(other.port(), { clientId })
    for (const clientId of clientIds) expect(reached.get(clientId)).to.equal(first.get(clientId))
    other.close()
  })

  it('follows the first rule that matches', async () => {
    const rules = [
      { clientId: '^sensor-', upstreams: ['broker-0'] },
      { userName: '^admin$', upstreams: ['broker-1'] },
      { version: 4, upstreams: ['broker-2'] },
      { listener: 'inner', upstreams: ['broker-1'] },
      { serverName: 'x', upstreams: ['broker-1'] },
      { upstreams: ['broker-0'] },
    ]
    const listeners = [
      { port: 0, name: 'outer' },
      { port: 0, name: 'inner', host: 'localhost' },
    ]
    const port = await start({ route: { rules }, listeners })
    const to = async (at: number, options: object) => {
      await refusalCode(at, { clientId: 'x', protocolVersion: 5, ...options })
      return reached.get((options as { clientId?: string }).clientId ?? 'x')
    }
    expect(await to(port, { clientId: 'sensor-1', username: 'admin' })).to.equal(0)
    expect(await to(port, { username: 'admin' })).to.equal(1)
    expect(await to(port, { username: 'administrator', protocolVersion: 4 })).to.equal(2)
    expect(await to(gateway!.port(1), {})).to.equal(1)
    expect(await to(port, {})).to.equal(0)
  })

  it('matches the names before the templates, and also a user name that is removed', async () => {
    const rules = [
      { clientId: '^sensor-', upstreams: ['broker-0'] },
      { userName: '^admin$', upstreams: ['broker-1'] },
      { upstreams: ['broker-2'] },
    ]
    const port = await start({ route: { rules }, rewrite: { userName: null, clientId: 'x/{clientId}' } })
    const options = [{ clientId: 'sensor-1' }, { clientId: 'a', username: 'admin' }, { clientId: 'b' }]
    for (const one of options) expect(await refusalCode(port, one)).to.equal('accepted')
    expect(['x/sensor-1', 'x/a', 'x/b'].map((id) => reached.get(id))).to.deep.equal([0, 1, 2])
  })

  it('lets neither a line break nor the case of a server name be a way around a rule', () => {
    const rules = [
      { clientId: '^admin-.*$', upstreams: ['a:1883'] },
      { serverName: '^Admin\\.example$', upstreams: ['a:1883'] },
      { upstreams: ['b:1883'] },
    ]
    const router = new Router(configOf({ upstreams: [{ host: 'a' }, { host: 'b' }], route: { rules } }))
    const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
    const brokerOf = (clientId: string, serverName?: string) =>
      router.choose(packet, { serverName } as Peer, { clientId, userName: undefined })[0]?.name
    for (const end of ['1', '\n', 'a\r\n', '\u2028x'])
      expect(brokerOf(`admin-${end}`), JSON.stringify(end)).to.equal('a:1883')
    expect(brokerOf('Admin-1')).to.equal('b:1883')
    // The gateway writes server names in lower case.
    expect(brokerOf('x', 'admin.example')).to.equal('a:1883')
  })

  it('refuses names that are too long for the patterns, because an ordinary one takes seconds for 64 KB', async () => {
    const rules = [{ version: 5, clientId: '[a-z]+-\\d+$', userName: '\\s$', upstreams: ['broker-0'] }]
    const port = await start({ route: { rules } })
    const to = (options: object) => refusalCode(port, { protocolVersion: 5, clientId: 'a-1', ...options })
    const before = process.cpuUsage().user
    expect(await to({ clientId: 'a'.repeat(63_000) })).to.equal(Reason.notAuthorized)
    expect(await to({ username: ' '.repeat(60_000) })).to.equal(Reason.notAuthorized)
    expect(await to({ clientId: 'a'.repeat(2049) })).to.equal(Reason.notAuthorized)
    expect(await to({ clientId: 'a'.repeat(2048) })).to.equal('accepted')
    expect(process.cpuUsage().user - before).to.be.below(1_000_000)
    expect(gateway!.report.lines.at(-1)).to.not.contain('too long')
    for (const name of ['clientId', 'userName'])
      expect(gateway!.report.lines.join()).to.contain(
        `the client's ${name} is too long for the patterns of the rules`,
      )
    expect(await refusalCode(port, { protocolVersion: 4, clientId: 'a'.repeat(60_000) })).to.equal('accepted')
  })

  it('moves clean sessions of a dead broker at once, and only those; persistent sessions wait', async () => {
    const port = await start({ route: { health } })
    const clientIds = ids.slice(0, 30)
    for (const clientId of clientIds) await refusalCode(port, { clientId })
    const before = new Map(reached)
    brokers[1]!.close()
    const clean = (clientId: string) => refusalCode(port, { clientId, protocolVersion: 5 })
    const persistent = (clientId: string) =>
      refusalCode(port, {
        clientId,
        clean: false,
        protocolVersion: 5,
        properties: { sessionExpiryInterval: 9 },
      })
    for (const clientId of clientIds) {
      expect(await clean(clientId)).to.equal('accepted')
      if (before.get(clientId) === 1) expect(reached.get(clientId)).not.to.equal(1)
      else expect(reached.get(clientId)).to.equal(before.get(clientId))
      expect(await persistent(clientId)).to.equal(
        before.get(clientId) === 1 ? Reason.serverUnavailable : 'accepted',
      )
    }
    await until(() =>
      gateway!.report.lines.includes('warn The broker broker-1 does not answer: it refused the connection'),
    )
  })

  it('moves persistent sessions too if so configured', async () => {
    const port = await start({ route: { health, persistentSessions: 'move' } })
    brokers[1]!.close()
    for (const clientId of ids.slice(0, 10))
      expect(await refusalCode(port, { clientId, clean: false })).to.equal('accepted')
  })

  it('detects a broker that hangs or dies, and one that answers again', async function () {
    needs(this, 'mosquitto')
    const folder = new Folder()
    const real = await startMosquitto(folder)
    const hanging = await FakeBroker.start((socket) => socket.resume())
    gateway = await Running.start({
      upstreams: [upstreamOf(real, { name: 'real' }), upstreamOf(hanging, { name: 'hanging' })],
      route: { health },
    })
    const { lines } = gateway.report
    await until(() =>
      lines.includes(
        `warn The broker hanging does not answer: it sent no CONNACK within ${health.timeout} s`,
      ),
    )
    expect(gateway.gateway.ready).to.equal(true)
    expect(await gateway.metric('upstream_healthy')).to.equal(1)
    await real.stop()
    await until(() =>
      lines.some((line) => /The broker real does not answer: it (reset|refused|closed) /.test(line)),
    )
    expect(gateway.gateway.ready).to.equal(false)
    expect(await gateway.metric('upstream_healthy')).to.equal(0)
    const again = await startMosquitto(folder, '', real.port)
    await until(() => lines.includes('warn The broker real answers again'))
    await again.stop()
    hanging.close()
    folder.remove()
  })

  it('detects a broker that hangs while clients still try it', async () => {
    const hanging = await FakeBroker.start((socket) => socket.resume())
    gateway = await Running.start({
      upstreams: [upstreamOf(hanging)],
      route: { connackTimeout: 0.05, health: { ...health, interval: 0.2, failures: 3 } },
    })
    const { lines } = gateway.report
    const end = performance.now() + 8000
    while (!lines.some((line) => line.includes('does not answer')) && performance.now() < end) {
      await refusalCode(gateway.port())
    }
    expect(lines.some((line) => line.includes('does not answer'))).to.equal(true)
    hanging.close()
  })

  it('closes forwarded connections at the configured pace when it drains', async () => {
    const port = await start({ drain: { perSecond: 20 } })
    const sockets = await Promise.all(ids.slice(0, 10).map(() => connectClient(port)))
    const closed: number[] = []
    const began = performance.now()
    for (const socket of sockets) socket.on('close', () => closed.push(performance.now() - began))
    const drained = gateway!.gateway.drain()
    expect(gateway!.gateway.ready).to.equal(false)
    await drained
    await until(() => closed.length === 10)
    expect(closed.at(-1)).to.be.above(350)
    expect(closed[2]).to.be.below(closed[7]! - 100)
    await new Promise<void>((resolve) => {
      connect(port, '127.0.0.1').on('error', () => resolve())
    })
  })

  it('opens no listener any more when it drains', async () => {
    const port = await start({ drain: { timeout: 0.5, perSecond: 0.5 } })
    const added = await freePort()
    const clients = await Promise.all([connectClient(port), connectClient(port)])
    const config = configOf({ upstreams: upstreams(), listeners: [{ port: added, host: 'localhost' }] })
    const during = gateway!.gateway.reload(config)
    const drained = gateway!.gateway.drain()
    const after = gateway!.gateway.reload(config).catch((error) => error.message)
    await during.catch(() => {})
    await sleep(50)
    expect(await refusalCode(added)).to.equal('ECONNREFUSED')
    expect(await after).to.equal('the gateway is stopping')
    await drained
    for (const client of clients) client.end(true)
  })

  it('measures the process only once it has started, not to check a configuration', async () => {
    const config = configOf({ upstreams: upstreams() })
    const checked = new Gateway(config, new Report())
    checked.check()
    expect(await checked.metrics.registry.metrics()).not.to.contain('nodejs_')
    await start()
    expect(await gateway!.gateway.metrics.registry.metrics()).to.contain('nodejs_gc_duration_seconds')
  })

  it('has the last configuration after reloads that follow each other at once', async () => {
    const [kept, added] = [await freePort(), await freePort()]
    const fewer = configOf({ upstreams: upstreams(), listeners: [{ port: kept }] })
    // Resolving a host name takes time.
    const more = configOf({
      upstreams: upstreams(),
      listeners: [{ port: kept }, { port: added, host: 'localhost' }],
    })
    await start({ listeners: [{ port: kept }] })
    const { gateway: reloaded } = gateway!
    await Promise.all([more, fewer].map((config) => reloaded.reload(config)))
    expect(reloaded.listeners).to.have.length(1)
    await Promise.all([more, more].map((config) => reloaded.reload(config)))
    expect(reloaded.listeners).to.have.length(2)
  })

  it('opens and closes listeners on a reload, and keeps connections', async () => {
    const port = await start()
    const client = await connectClient(port)
    const [first, second] = [await freePort(), await freePort()]
    const moved = (listeners: object[]) =>
      gateway!.gateway.reload(configOf({ upstreams: upstreams(), listeners }))
    await moved([{ port: first }])
    expect(await refusalCode(first)).to.equal('accepted')
    const failed = await moved([{ port: second }, { port: 1, host: '192.0.2.1' }]).catch(
      (error) => error.code,
    )
    expect(failed).to.equal('EADDRNOTAVAIL')
    expect(await refusalCode(first)).to.equal('accepted')
    expect(await refusalCode(second)).to.equal('ECONNREFUSED')
    expect(await refusalCode(port)).to.equal('ECONNREFUSED')
    expect(client.connected).to.equal(true)
    await client.endAsync(true)
  })
})
