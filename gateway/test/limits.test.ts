import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { ConnectReasonCode as Reason, v3_1_1 } from 'mqtt-connect-packet'
import { connectionsForDescriptors } from '../lib/limit/descriptors.ts'
import { Limits } from '../lib/limit/limits.ts'
import { OpenConnections } from '../lib/limit/open-connections.ts'
import { Authority } from './certificates.ts'
import {
  configOf,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Running,
  refusalCode,
  sleep,
  until,
  upstreamOf,
} from './support.ts'

const hex = (digits: string) => Buffer.from(digits, 'hex')

describe('gateway: limits', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running
  const sockets: Socket[] = []

  before(async () => {
    broker = await FakeBroker.answering()
  })

  afterEach(() => {
    gateway.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  async function start(config: object): Promise<number> {
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], ...config })
    return gateway.port()
  }

  /** Opens a connection that stays open. */
  async function open(port: number, bytes = ''): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }

  describe('are reported', () => {
    const once = { perSecond: 0.001, burst: 1 }
    const clientIds = { clientId: 'same', username: 'alice', protocolVersion: 5 } as const
    for (const [limit, limits] of [
      ['pending', { pending: 1 }],
      ['open', { open: 1 }],
      ['address-open', { openPerAddress: 1 }],
      ['address-rate', { perAddress: once }],
      ['total-rate', { total: once }],
      ['client-id-rate', { perClientId: once }],
      ['user-rate', { perUser: once }],
    ] as const) {
      it(`${limit}: refusals leave one line`, async () => {
        const port = await start({ limits })
        if (limit.endsWith('-rate')) await refusalCode(port, clientIds)
        else await open(port)
        await until(async () => (await gateway.metric('connections_total')) === 1)
        for (let i = 0; i < 3; i++) await refusalCode(port, clientIds)
        expect(await gateway.metric('limited_total')).to.equal(3)
        gateway.close()
        const lines = gateway.report.lines.filter((line) => !line.startsWith('connect '))
        expect(lines).to.deep.equal([`limited 127.0.0.1 ${limit} 3`])
      })
    }
  })

  describe('count connections whose PROXY header is not complete', () => {
    const listeners = [{ port: 0, proxyProtocol: { trusted: ['127.0.0.1'], timeout: 5 } }]
    for (const [limits, name] of [
      [{ pending: 3 }, 'pending'],
      [{ open: 3 }, 'open'],
    ] as const) {
      it(`as ${name}`, async () => {
        const port = await start({ listeners, limits })
        const header = 'PROXY TCP4 203.0.113.9 192.0.2.2 1234 1883\r\n'
        const waiting = [await open(port, header.slice(0, 20))]
        while (waiting.length < 32) waiting.push(await open(port))
        await until(() => gateway.gateway.open.total === 32)
        // The oldest makes room for the next one.
        const later = await open(port, header)
        await until(() => gateway.gateway.open.of('203.0.113.9') === 1)
        expect(await gateway.metric('limited_total')).to.equal(1)
        expect(gateway.gateway.open).to.include({ pending: 32, total: 32 })
        await until(() => waiting[0]!.closed)
        expect(waiting.filter(({ closed }) => closed)).to.have.length(1)
        // A client that leaves is no longer counted.
        waiting[1]!.destroy()
        await until(() => gateway.gateway.open.total === 31)
        for (const socket of [...waiting, later]) socket.destroy()
        await until(() => gateway.gateway.open.total === 0)
        expect(gateway.gateway.open).to.include({ pending: 0 })
        expect(gateway.gateway.open.of('203.0.113.9')).to.equal(0)
      })
    }
  })

  describe('after a reload', () => {
    const reload = (config: object) =>
      gateway.gateway.reload(
        configOf({ upstreams: [upstreamOf(broker)], listeners: [{ port: gateway.port() }], ...config }),
      )

    for (const [rate, code] of [
      ['perAddress', 'closed'],
      ['total', 'closed'],
      ['perClientId', Reason.connectionRateExceeded],
      ['perUser', Reason.connectionRateExceeded],
    ] as const) {
      it(`keep the level of every bucket: ${rate}`, async () => {
        const limits = { [rate]: { perSecond: 0.001, burst: 2 } }
        const port = await start({ listeners: [{ port: await freePort() }], limits })
        const client = { clientId: 'c', username: 'alice', protocolVersion: 5 } as const
        expect(await refusalCode(port, client)).to.equal('accepted')
        await reload({ limits })
        expect(await refusalCode(port, client)).to.equal('accepted')
        await reload({ limits })
        expect(await refusalCode(port, client)).to.equal(code)
        // A new rate starts from the current level.
        await reload({ limits: { [rate]: { perSecond: 0.001, burst: 5 } } })
        expect(await refusalCode(port, client)).to.equal(code)
        await reload({ limits: { [rate]: { perSecond: 1000, burst: 5 } } })
        await sleep(10)
        expect(await refusalCode(port, client)).to.equal('accepted')
      })
    }

    const old = hex('100f00064d51497364700302003c000163')
    const large = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c'.repeat(2000) })
      .bytes
    for (const [what, before, after, packet, answer, parts] of [
      ['an allowed rule', { allow: ['protocol-mqtt-3-1'] }, {}, old, '20020001', [0, 1, 9, 16]],
      ['an allowed rule', {}, { allow: ['protocol-mqtt-3-1'] }, old, '20020000', [0, 1, 9, 16]],
      ['the packetSize', { packetSize: 3000 }, { packetSize: 1000 }, large, '', [0, 1, 3, 1000, 2014]],
      ['the packetSize', { packetSize: 1000 }, { packetSize: 3000 }, large, '20020000', [0, 1, 2]],
      ['other bytes', {}, { packetSize: 1000 }, Buffer.from('POST / HTTP/1.1\r\n\r\n'), '', [0, 1, 2, 3]],
    ] as const) {
      it(`read a CONNECT by ${what} that is in force when it is complete: ${JSON.stringify(after)}`, async () => {
        // It answers anything, even a CONNECT of MQTT 3.1.
        const any = await FakeBroker.start((socket) =>
          socket.once('data', () => socket.write(hex('20020000'))),
        )
        const upstreams = [upstreamOf(any)]
        for (const sent of parts) {
          const port = await start({ listeners: [{ port: await freePort() }], limits: before, upstreams })
          const socket = await open(port)
          socket.write(packet.subarray(0, sent))
          const read = () => gateway.gateway.open.all()[0]?.bytesRead
          await until(() => read() === sent)
          await reload({ limits: after, upstreams })
          socket.write(packet.subarray(sent))
          const received = await Promise.race([
            once(socket, 'data'),
            once(socket.resume(), 'close').then(() => ['']),
          ])
          expect(received[0].toString('hex'), `${sent} bytes before`).to.equal(answer)
          gateway.close()
        }
        any.close()
      })
    }

    it('end a client that is late by the new handshakeTimeout', async () => {
      const limits = (handshakeTimeout: number) => ({ limits: { handshakeTimeout } })
      const port = await start({ listeners: [{ port: await freePort() }], ...limits(300) })
      const slow = await open(port, '\x10')
      await reload(limits(0.2))
      await once(slow.resume(), 'close')
      expect(gateway.report.lines.join()).to.include("didn't complete its CONNECT in time")
    })

    it('have the new handshakeTimeout at once, in TLS too', async function () {
      needs(this, 'openssl')
      const authority = new Authority(folder)
      const { certificate, key } = authority.issue('localhost', 'DNS:localhost')
      const tls = { certificates: [{ certificate, key }] }
      const limits = (handshakeTimeout: number) => ({ limits: { handshakeTimeout } })
      const port = await start({ listeners: [{ port: await freePort(), tls }], ...limits(0.2) })
      await reload({ listeners: [{ port, tls }], ...limits(10) })
      const slow = await open(port)
      await sleep(1500)
      expect(gateway.gateway.open.total).to.equal(1)
      const secured = connectTls({ socket: slow, ca: authority.pem, servername: 'localhost' })
      // The shorter deadline applies to this connection too.
      secured.on('error', () => {})
      await once(secured, 'secureConnect')
      await reload({ listeners: [{ port, tls }], ...limits(0.2) })
      await once(await open(port).then((socket) => socket.resume()), 'close')
    })
  })
})

describe('gateway: the limit of file descriptors', () => {
  it('counts connections to brokers that stay open without their clients', function () {
    const config = configOf({})
    const most = connectionsForDescriptors(config)
    if (most === undefined) this.skip()
    const limits = new Limits(config)
    const open = new OpenConnections()
    open.lingering = 2 * most - 1
    expect(limits.arrival(open)).to.equal(undefined)
    open.lingering++
    expect(limits.arrival(open)).to.equal('descriptors')
  })

  it('leaves some for connections whose PROXY header is not complete', function () {
    const most = connectionsForDescriptors(configOf({}))
    if (most === undefined) this.skip()
    const config = configOf({ listeners: [{ port: 1, proxyProtocol: { trusted: ['10.0.0.1'] } }] })
    const proxied = connectionsForDescriptors(config)!
    const unlocated = new Limits(config).unlocated('descriptors')
    expect(unlocated).to.equal(Math.floor(proxied / 4))
    expect(2 * proxied + unlocated).to.be.within(2 * most - 4, 2 * most + 1)
  })
})
