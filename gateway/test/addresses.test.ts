import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { Networks, plainAddress } from '../lib/listen/addresses.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  freePort,
  keepAliveTimer,
  needs,
  Running,
  until,
  upstreamOf,
} from './support.ts'

describe('gateway: networks', () => {
  it('include an address with the name of any interface', () => {
    for (const zone of ['eth0', 'br_lan', 'vlan.10', 'a-b', 'ü']) {
      const address = plainAddress(`fe80::9%${zone}`)
      expect(new Networks(['fe80::/10', '10.0.0.0/8']).includes(address), zone).to.equal(true)
      expect(new Networks(['2001:db8::/32', '0.0.0.0/0']).includes(address), zone).to.equal(false)
    }
  })

  it('and everything else have one spelling of an address', () => {
    for (const [address, plain] of [
      ['10.1.2.3', '10.1.2.3'],
      ['::ffff:10.1.2.3', '10.1.2.3'],
      ['::FFFF:a01:203', '10.1.2.3'],
      ['::10.1.2.3', '::a01:203'],
      ['2001:DB8::0:1', '2001:db8::1'],
      // fail2ban reads no address with the name of an interface.
      ['fe80::9%br_lan', 'fe80::9'],
      ['', ''],
    ] as const)
      expect(plainAddress(address)).to.equal(plain)
  })
})

describe('gateway: the addresses of a listener', function () {
  this.timeout(60_000)
  let broker: FakeBroker
  let gateway: Running | undefined

  before(async function () {
    // Only on Linux does all of 127.0.0.0/8 lead to this machine.
    if (process.platform !== 'linux') this.skip()
    broker = await FakeBroker.answering((_packet, socket) => socket.resume())
  })

  afterEach(() => {
    gateway?.close()
    gateway = undefined
  })

  after(() => broker?.close())

  async function start(...listeners: object[]): Promise<number> {
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: listeners.map((listener) => ({ port: 0, ...listener })),
    })
    return gateway.port()
  }

  const connect4 = Buffer.from('100c00044d5154540402003c0000', 'hex')

  /** True if the client gets an answer to its CONNECT, false if its connection is closed. */
  async function isServed(socket: Socket): Promise<boolean> {
    socket.on('error', () => {}).write(connect4)
    const isAnswered = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.destroy()
    return isAnswered
  }

  /** True if a client from this address is served. */
  const gets = async (port: number, localAddress: string, host = '127.0.0.1') =>
    await isServed(connect({ port, host, localAddress }))

  it('keep out every denied address, and every address missing from the list of allowed ones', async () => {
    const port = await start({ allow: ['127.0.0.0/28', '127.1.0.7'], deny: ['127.0.0.2', '127.0.0.8/30'] })
    const answers: Record<string, boolean> = {}
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.9', '127.0.0.12', '127.0.0.16', '127.1.0.7'])
      answers[address] = await gets(port, address)
    expect(answers).to.deep.equal({
      ...{ '127.0.0.1': true, '127.0.0.2': false, '127.0.0.9': false },
      ...{ '127.0.0.12': true, '127.0.0.16': false, '127.1.0.7': true },
    })
  })

  it('are checked before a byte is read, with a count and a line for the log, and no limit counts them', async () => {
    const port = await start({ deny: ['127.0.0.2'], connections: 1 })
    for (let i = 0; i < 5; i++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {})
      await new Promise((resolve) => socket.once('close', resolve))
      expect(socket.bytesRead).to.equal(0)
    }
    const metric = await gateway!.gateway.metrics.registry
      .getSingleMetric('mqtt_gateway_limited_total')
      ?.get()
    const counted = metric?.values.filter(({ value }) => value > 0)
    expect(counted?.map(({ value, labels: { limit } }) => [value, limit])).to.deep.equal([
      [5, 'address-denied'],
    ])
    expect(await gets(port, '127.0.0.1')).to.equal(true)
    gateway!.close()
    expect(gateway!.report.lines).to.include('limited 127.0.0.2 address-denied 5')
  })

  it('include those of IPv4 clients on an IPv6 socket', async () => {
    const port = await start({ host: '::', deny: ['127.0.0.2', '::1'] })
    expect(await gets(port, '127.0.0.2')).to.equal(false)
    expect(await gets(port, '127.0.0.3')).to.equal(true)
    expect(await gets(port, '::1', '::1')).to.equal(false)
  })

  it('of IPv6 networks include no IPv4 client', async () => {
    const port = await start({ host: '::', deny: ['::/0'] }, { host: '::', allow: ['::/0'] })
    expect(await gets(port, '127.0.0.1')).to.equal(true)
    expect(await gets(port, '::1', '::1')).to.equal(false)
    expect(await gets(gateway!.port(1), '127.0.0.1')).to.equal(false)
    expect(await gets(gateway!.port(1), '::1', '::1')).to.equal(true)
  })

  it('are those of the clients behind a proxy, not that of the proxy', async () => {
    const port = await start({
      proxyProtocol: { trusted: ['127.0.0.1'] },
      deny: ['10.1.0.0/16', '127.0.0.1'],
    })
    const through = async (header: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(header)
      return await isServed(socket)
    }
    expect(await through('PROXY TCP4 10.2.0.1 10.9.9.9 1 1\r\n')).to.equal(true)
    expect(await through('PROXY TCP4 10.1.2.3 10.9.9.9 1 1\r\n')).to.equal(false)
    expect(await through('PROXY TCP6 ::ffff:10.1.2.3 ::1 1 1\r\n')).to.equal(false)
    await until(() => gateway!.gateway.open.total === 0)
  })

  it('take ::10.1.2.3 for an address of IPv6, as the operating system does', async () => {
    const port = await start({ proxyProtocol: { trusted: ['127.0.0.1'] }, deny: ['::/0', '::10.1.2.3'] })
    const socket = connect(port, '127.0.0.1')
    socket.write('PROXY TCP6 ::10.1.2.3 ::1 1 1\r\n')
    expect(await isServed(socket)).to.equal(false)
  })

  it('change with a reload for later connections', async () => {
    const port = await freePort()
    await start({ port })
    const config = (deny: string[]) =>
      configOf({ upstreams: [upstreamOf(broker)], listeners: [{ port, deny }] })
    const client = await connectClient(port)
    await gateway!.gateway.reload(config(['127.0.0.0/8']))
    expect(await gets(port, '127.0.0.1')).to.equal(false)
    expect(client.connected).to.equal(true)
    await gateway!.gateway.reload(config([]))
    expect(await gets(port, '127.0.0.1')).to.equal(true)
    client.end(true)
  })

  it('stay with a reload, even if the listeners may have any free port', async () => {
    const listeners = [
      { port: 0, name: 'a' },
      { port: 0, name: 'b' },
    ]
    await start(...listeners)
    const ports = [gateway!.port(0), gateway!.port(1)]
    await gateway!.gateway.reload(configOf({ upstreams: [upstreamOf(broker)], listeners }))
    expect([gateway!.port(0), gateway!.port(1)]).to.deep.equal(ports)
    await gateway!.gateway.reload(
      configOf({ upstreams: [upstreamOf(broker)], listeners: listeners.slice(1) }),
    )
    expect(gateway!.gateway.listeners.map(({ address }) => address?.port)).to.deep.equal([ports[0]])
    expect(await gets(ports[1]!, '127.0.0.1').catch(() => false)).to.equal(false)
  })

  it('share the connections of their listener: others go on, and a free place is used again', async () => {
    const port = await start({ connections: 2, name: 'small' }, { name: 'other' })
    const [first, second] = [await connectClient(port), await connectClient(port)]
    expect(await gets(port, '127.0.0.1')).to.equal(false)
    expect(await gets(gateway!.port(1), '127.0.0.1')).to.equal(true)
    await first.endAsync()
    await until(() => gateway!.gateway.open.total === 1)
    expect(await gets(port, '127.0.0.1')).to.equal(true)
    const metric = await gateway!.gateway.metrics.registry
      .getSingleMetric('mqtt_gateway_limited_total')
      ?.get()
    const counted = metric?.values.filter(({ value }) => value > 0)
    expect(counted?.map(({ value, labels: { limit } }) => [value, limit])).to.deep.equal([
      [1, 'listener-open'],
    ])
    await second.endAsync()
  })

  it('that have vanished are found by TCP: the kernel asks on both sides', async function () {
    needs(this, 'ss')
    const broken = { port: 0, tcpKeepAlive: null }
    gateway = await Running.start({
      upstreams: [upstreamOf(broker, { tcpKeepAlive: 500 })],
      listeners: [{ port: 0, tcpKeepAlive: 1000 }, broken],
    })
    /** Seconds until the kernel's next keep-alive probe, for both sockets of the only connection. */
    const timers = async (port: number) => {
      const client = await connectClient(port)
      const open = gateway!.gateway.open.all()[0]!.socket as Socket
      // TCP is told once a session has lasted a second.
      await new Promise((resolve) => setTimeout(resolve, 1300))
      const result = [
        keepAliveTimer(`( sport = :${port} and dport = :${open.remotePort} )`),
        keepAliveTimer(`( dport = :${broker.port} )`),
      ]
      client.end(true)
      await until(() => gateway!.gateway.open.total === 0)
      return result
    }
    const [client, upstream] = await timers(gateway.port())
    expect(client).to.be.within(900, 1000)
    expect(upstream).to.be.within(400, 500)
    expect((await timers(gateway.port(1)))[0]).to.equal(0)
  })
})
