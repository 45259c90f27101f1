import { execFileSync } from 'node:child_process'
import dns from 'node:dns'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { MqttClient } from 'mqtt'
import { ConnectReasonCode as Reason, v5 } from 'mqtt-connect-packet'
import { rank } from '../lib/route/router.ts'
import { GatewayProgram } from './gateway-program.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Running,
  refusalCode,
  sleep,
  startMosquitto,
  until,
  upstreamOf,
} from './support.ts'

const ids = Array.from({ length: 48 }, (_, i) => `device-${i}`)
const health = { interval: 0.1, timeout: 0.2, failures: 1 }

describe('gateway: moving clients between upstreams', function () {
  this.timeout(60_000)
  let brokers: FakeBroker[] = []
  let gateway: Running | undefined
  /** The index of the broker that each client id reached last. */
  const reached = new Map<string, number>()
  /** Per broker, the number of CONNECTs without a client id. */
  let nameless: number[] = []
  const clients: MqttClient[] = []

  beforeEach(async () => {
    nameless = [0, 0, 0]
    brokers = await Promise.all(
      nameless.map((_, index) =>
        FakeBroker.answering(({ clientId }, socket) => {
          if (clientId === '') nameless[index]!++
          else reached.set(clientId, index)
          socket.resume()
        }),
      ),
    )
  })

  afterEach(() => {
    for (const client of clients.splice(0)) client.end(true)
    gateway?.close()
    gateway = undefined
    for (const broker of brokers) broker.close()
    reached.clear()
  })

  /** @param options for each upstream */
  const configWith = (options: readonly object[], more: object = {}) => ({
    listeners: [{ port: listenPort }],
    upstreams: options.map((option, i) => upstreamOf(brokers[i]!, { name: `broker-${i}`, ...option })),
    ...more,
  })
  let listenPort = 0

  async function start(options: readonly object[], more: object = {}): Promise<number> {
    listenPort = await freePort()
    gateway = await Running.start(configWith(options, more))
    return listenPort
  }

  const reload = (options: readonly object[], more: object = {}) =>
    gateway!.gateway.reload(configOf(configWith(options, more)))

  async function connectAll(port: number): Promise<Map<string, number>> {
    for (const clientId of ids) clients.push(await connectClient(port, { clientId }))
    return new Map(reached)
  }

  const on = (index: number, homes: ReadonlyMap<string, number>) =>
    clients.filter(({ options }) => homes.get(options.clientId!) === index)

  describe('a draining upstream', () => {
    it('loses its clients at the pace of the drain, and only its own; they come back once it is active', async () => {
      const drain = { perSecond: 20 }
      const port = await start([{}, {}, {}], { drain })
      const homes = await connectAll(port)
      const leaving = on(1, homes)
      expect(leaving.length).to.be.within(5, 30)
      const closed: number[] = []
      const began = performance.now()
      for (const client of leaving) client.on('close', () => closed.push(performance.now() - began))
      await reload([{}, { state: 'draining' }, {}], { drain })
      await until(() => closed.length === leaving.length)
      expect(closed.at(-1)).to.be.above((leaving.length - 2) * 50)
      expect(closed[0]! + 200).to.be.below(closed.at(-1)!)
      await sleep(300)
      expect(clients.filter(({ connected }) => connected)).to.have.length(clients.length - leaving.length)
      const again = async () => {
        for (const { options } of leaving) await refusalCode(port, { clientId: options.clientId! })
        return leaving.map(({ options }) => reached.get(options.clientId!))
      }
      expect(await again()).not.to.include(1)
      await reload([{}, {}, {}], { drain })
      expect(new Set(await again())).to.deep.equal(new Set([1]))
    })

    it('gives up its persistent sessions too, because they would wait for ever', async () => {
      const port = await start([{ state: 'draining' }, {}, { state: 'off' }])
      for (const clientId of ids.slice(0, 6))
        expect(await refusalCode(port, { clientId, clean: false })).to.equal('accepted')
      expect(new Set(reached.values())).to.deep.equal(new Set([1]))
    })

    it('is still checked, so that its state is known', async () => {
      await start([{ state: 'draining' }, {}], { route: { health } })
      await until(() => nameless[0]! > 1)
    })
  })

  it('that is off loses its clients at once, and is not even checked', async () => {
    const route = { health }
    const port = await start([{}, {}, {}], { route, drain: { perSecond: 0.001 } })
    const homes = await connectAll(port)
    await reload([{ state: 'off' }, {}, {}], { route, drain: { perSecond: 0.001 } })
    const stays = clients.length - on(0, homes).length
    await until(() => clients.filter(({ connected }) => connected).length === stays)
    const before = nameless[0]
    await until(() => nameless[1]! > 5)
    expect(nameless[0]).to.equal(before)
    expect(on(1, homes).every(({ connected }) => connected)).to.equal(true)
  })

  it('refuses clients if no upstream is active, or none of their rule', async () => {
    const rules = [{ clientId: '^lost', upstreams: ['broker-1'] }]
    const port = await start([{}, { state: 'draining' }], { route: { rules, health: { interval: null } } })
    const five = { protocolVersion: 5 } as const
    expect(await refusalCode(port, { ...five, clientId: 'found' })).to.equal('accepted')
    expect(await refusalCode(port, { ...five, clientId: 'lost' })).to.equal(Reason.serverUnavailable)
    expect(gateway!.report.lines.at(-1)).to.equal('unserved no upstream is active')
  })

  describe('weights', () => {
    const many = Array.from({ length: 9000 }, (_, i) => `client-${i}`)
    const weighted = (...weights: number[]) => weights.map((weight, i) => ({ name: `${i}`, weight }))
    const homes = (upstreams: readonly { name: string; weight: number }[]) =>
      many.map((id) => rank(id, upstreams)[0]!.name)

    it('say how many clients each upstream gets', () => {
      const found = homes(weighted(1, 2, 6))
      const shares = ['0', '1', '2'].map((name) => found.filter((home) => home === name).length)
      for (const [i, expected] of [1000, 2000, 6000].entries())
        expect(shares[i], `${i}`).to.be.within(expected * 0.9, expected * 1.1)
    })

    it('move only clients of the upstream whose weight changes, or to it', () => {
      const before = homes(weighted(1, 2, 6))
      for (const [weights, isAllowed] of [
        [[1, 4, 6], (_from: string, to: string) => to === '1'],
        [[1, 1, 6], (from: string) => from === '1'],
      ] as const) {
        const after = homes(weighted(...weights))
        const moved = before.filter((home, i) => home !== after[i] && !isAllowed(home, after[i]!))
        expect(moved).to.have.length(0)
        expect(before).not.to.deep.equal(after)
      }
    })

    it('leave every client where it is as long as all are the same', () => {
      expect(homes(weighted(7, 7, 7))).to.deep.equal(homes(weighted(1, 1, 1)))
    })

    it('hold for clients without a client id, which take turns', async () => {
      const port = await start([{ weight: 1 }, { weight: 3 }, {}], { rewrite: { assignClientId: false } })
      const connectNameless = async () => {
        const socket = connect(port, '127.0.0.1')
        socket.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '' }).bytes)
        await new Promise((resolve) => socket.once('data', resolve))
        socket.destroy()
      }
      for (let i = 0; i < 20; i++) await connectNameless()
      expect(nameless).to.deep.equal([4, 12, 4])
    })
  })

  describe('a backup', () => {
    it('gets clients only while no other upstream answers', async () => {
      const port = await start([{}, {}, { backup: true }], { route: { health } })
      const homes = await connectAll(port)
      expect(new Set(homes.values())).to.deep.equal(new Set([0, 1]))
      brokers[0]!.close()
      for (const clientId of ids) expect(await refusalCode(port, { clientId })).to.equal('accepted')
      expect(new Set(reached.values())).to.deep.equal(new Set([1]))
      brokers[1]!.close()
      await until(() =>
        gateway!.report.lines.includes('warn The broker broker-1 does not answer: it refused the connection'),
      )
      for (const clientId of ids) expect(await refusalCode(port, { clientId })).to.equal('accepted')
      expect(new Set(reached.values())).to.deep.equal(new Set([2]))
    })

    it('never gets a persistent session that waits for its broker', async () => {
      const port = await start([{}, { backup: true }])
      brokers[0]!.close()
      // Without `backup`, some of these would be assigned to the second broker.
      for (const clientId of ids.slice(0, 12)) {
        const options = { protocolVersion: 5, clientId } as const
        expect(await refusalCode(port, { ...options, clean: false })).to.equal(Reason.serverUnavailable)
        expect(await refusalCode(port, options)).to.equal('accepted')
      }
    })

    it('is like the others if there are no others', async () => {
      const port = await start([{ state: 'draining' }, { backup: true }, { backup: true }])
      for (const clientId of ids)
        expect(await refusalCode(port, { clientId, clean: false })).to.equal('accepted')
      expect(new Set(reached.values())).to.deep.equal(new Set([1, 2]))
    })
  })

  it('looks up the addresses of a broker for each connection, so that a name may move', async () => {
    const original = dns.lookup
    let address = '127.0.0.1'
    const asked: string[] = []
    // Replaces getaddrinfo: the name's address changes.
    dns.lookup = ((name: string, options: object, done: (...result: unknown[]) => void) => {
      if (name !== 'broker.test') return original(name, options, done as never)
      asked.push(address)
      const all = 'all' in options && options.all
      setImmediate(() => (all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)))
      return undefined
    }) as typeof dns.lookup
    try {
      const port = await start([{ host: 'broker.test' }])
      expect(await refusalCode(port, { clientId: 'a' })).to.equal('accepted')
      address = '127.0.0.2'
      // The broker listens only on 127.0.0.1.
      expect(await refusalCode(port, { clientId: 'a', protocolVersion: 5 })).to.equal(
        Reason.serverUnavailable,
      )
      address = '127.0.0.1'
      expect(await refusalCode(port, { clientId: 'a' })).to.equal('accepted')
      expect(asked).to.deep.equal(['127.0.0.1', '127.0.0.2', '127.0.0.1'])
    } finally {
      dns.lookup = original
    }
  })
})

describe('gateway: moving clients between two mosquittos', function () {
  this.timeout(60_000)
  const folder = new Folder()

  after(() => folder.remove())

  it('empties one with a reload of the program, and every client goes on with the other', async function () {
    needs(this, 'mosquitto', 'ss')
    const [old, young] = [await startMosquitto(folder), await startMosquitto(folder)]
    const port = await freePort()
    const write = (state: string) =>
      folder.write(
        'gateway.json',
        JSON.stringify({
          listeners: [{ port }],
          upstreams: [upstreamOf(old, { name: 'old', state }), upstreamOf(young, { name: 'young' })],
          drain: { perSecond: 40 },
          log: { connects: false },
        }),
      )
    const program = new GatewayProgram('--config', write('active'))
    const clients: MqttClient[] = []
    try {
      await program.port()
      const received = new Map<string, number>()
      for (const clientId of ids) {
        const client = await connectClient(port, { clientId, reconnectPeriod: 50 })
        clients.push(client)
        client.on('message', () => received.set(clientId, (received.get(clientId) ?? 0) + 1))
        await client.subscribeAsync(`to/${clientId}`, { qos: 1 })
      }
      const connectionsOf = (broker: { port: number }) =>
        execFileSync('ss', ['-tnH', 'state', 'established', `( dport = :${broker.port} )`])
          .toString()
          .split('\n')
          .filter((line) => line !== '').length
      expect(connectionsOf(old)).to.be.above(10)
      write('draining')
      program.process.kill('SIGHUP')
      await program.printed(/has been reloaded/)
      // A health check may be connected for a moment.
      await until(() => connectionsOf(old) <= 1 && connectionsOf(young) >= ids.length)
      await until(() => clients.every(({ connected }) => connected))
      // Clients resubscribe at their own pace.
      await until(async () => {
        for (const clientId of ids.filter((id) => !received.has(id)))
          await clients[0]!.publishAsync(`to/${clientId}`, 'still here', { qos: 1 })
        return received.size === ids.length
      })
    } finally {
      for (const client of clients) client.end(true)
      program.process.kill('SIGKILL')
      await old.stop()
      await young.stop()
    }
  })
})

describe('gateway: readiness', function () {
  this.timeout(60_000)

  it('begins with the first answer of a broker, and a broker that only accepts connections does not count', async () => {
    const hanging = await FakeBroker.start((socket) => socket.resume())
    const route = { health: { ...health, failures: 1000 } }
    const gateway = await Running.start({ upstreams: [upstreamOf(hanging)], route })
    await until(() => hanging.sockets.length > 2)
    expect(gateway.gateway.ready).to.equal(false)
    const { port } = hanging
    hanging.close()
    const answering = await FakeBroker.answering(undefined, port)
    await until(() => gateway.gateway.ready)
    gateway.close()
    answering.close()
  })

  it('survives a reload, and ends if all brokers that have answered are drained', async () => {
    const broker = await FakeBroker.answering()
    // The first check comes at once, regardless of the interval.
    const route = { health: { interval: 1000 } }
    const config = (more: object) => ({ upstreams: [upstreamOf(broker, more)], route })
    const { gateway } = await Running.start(config({}))
    await until(() => gateway.ready)
    await gateway.reload(configOf(config({})))
    expect(gateway.ready).to.equal(true)
    await gateway.reload(configOf(config({ state: 'draining' })))
    expect(gateway.ready).to.equal(false)
    await gateway.reload(configOf(config({})))
    expect(gateway.ready).to.equal(true)
    // The gateway knows nothing about the new broker yet.
    await gateway.reload(configOf(config({ port: 1 })))
    expect(gateway.ready).to.equal(false)
    gateway.close()
    broker.close()
  })

  it('is there without health checks, from the start and after clients that the broker has not answered', async () => {
    const route = { health: { interval: null, failures: 1 } }
    const running = await Running.start({ upstreams: [{ host: '127.0.0.1', port: 1 }], route })
    const { gateway, report } = running
    expect(gateway.ready).to.equal(true)
    expect(await refusalCode(running.port(), { protocolVersion: 5 })).to.equal(Reason.serverUnavailable)
    expect(report.lines.join('\n')).to.include('does not answer')
    expect(gateway.ready).to.equal(true)
    gateway.close()
  })

  for (const workers of [1, 2]) {
    it(`is what /readyz says: ${workers} ${workers === 1 ? 'process' : 'workers'}`, async () => {
      const folder = new Folder()
      const [listen, admin, port] = [await freePort(), await freePort(), await freePort()]
      const config = {
        ...{ listeners: [{ port: listen }], upstreams: [{ host: '127.0.0.1', port }] },
        ...{ admin: { port: admin }, route: { health }, workers },
      }
      const program = new GatewayProgram('--config', folder.write('c.json', JSON.stringify(config)))
      const status = async () => (await fetch(`http://127.0.0.1:${admin}/readyz`)).status
      let broker: FakeBroker | undefined
      try {
        await program.port()
        expect(await status()).to.equal(503)
        await sleep(500)
        expect(await status()).to.equal(503)
        broker = await FakeBroker.answering(undefined, port)
        await until(async () => (await status()) === 200)
      } finally {
        program.process.kill('SIGKILL')
        broker?.close()
        folder.remove()
      }
    })
  }
})
