import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { ConnectReasonCode, connack, v3_1_1 } from 'mqtt-connect-packet'
import type { Place } from '../lib/limit/chain.ts'
import { Crowds } from '../lib/limit/crowds.ts'
import { Authority } from './certificates.ts'
import { FakeBroker, Folder, needs, numbers, Running, sleep, until, upstreamOf } from './support.ts'

const bytesOf = (clientId: string) =>
  new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId }).bytes as Buffer
const CONNECT = bytesOf('c')
const ACCEPTED = '20020000'
const MOST = 6

describe('gateway: Crowds', () => {
  interface Item {
    readonly network: string
    readonly id: number
    readonly place: Place<Item>
  }

  it('gives the same connection as a list that is searched from the beginning', () => {
    const random = numbers()
    for (let run = 0; run < 200; run++) {
      const crowds = new Crowds<Item>(({ place }) => place)
      const list: Item[] = []
      const networks = 1 + random(6)
      for (let id = 0; id < 120; id++) {
        const network = `n${random(networks)}`
        if (list.length > 0 && random(3) === 0) {
          const [item] = list.splice(random(list.length), 1) as [Item]
          crowds.remove(item)
          // The second time does nothing.
          crowds.remove(item)
        } else {
          const item: Item = { network, id, place: { older: undefined, newer: undefined } }
          list.push(item)
          crowds.add(item)
        }
        const from = `n${random(networks + 1)}`
        const least = random(4) === 0 ? random(8) : 0
        const sizeOf = (name: string) => list.filter((one) => one.network === name).length
        const most = Math.max(0, ...list.map((one) => sizeOf(one.network)))
        const expected = most > Math.max(least, sizeOf(from)) + 1 ? most : undefined
        const surplus = crowds.surplus(from, least)
        expect(surplus && sizeOf(surplus.network)).to.equal(expected)
        expect(surplus?.id).to.equal(list.findLast((one) => one.network === surplus?.network)?.id)
      }
    }
  })
})

describe('gateway: an address that takes all places', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running
  const sockets: Socket[] = []

  before(async function () {
    // Only on Linux do all addresses of the loopback network work.
    if (process.platform !== 'linux') this.skip()
    broker = await FakeBroker.reading((packet, socket) => {
      if (packet.clientId === 'refused') socket.end(connack(packet, ConnectReasonCode.notAuthorized)!.bytes)
      else if (packet.clientId !== 'waiting') socket.write(connack(packet, 0)!.bytes)
    })
  })

  afterEach(() => {
    gateway.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  after(() => {
    broker?.close()
    folder.remove()
  })

  async function start(limits: object, listener: object = {}): Promise<number> {
    const listeners = [{ port: 0, ...listener }]
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], listeners, limits })
    return gateway.port()
  }

  /** Opens a connection from 127.0.0.`host` that stays open, and waits until the gateway has accepted or refused it. */
  async function open(
    port: number,
    host: number,
    bytes: string | Uint8Array = '',
    allowHalfOpen = false,
  ): Promise<Socket> {
    const accepted = (await gateway.metric('connections_total')) + 1
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${host}`, allowHalfOpen })
    sockets.push(socket.on('error', () => {}))
    socket.resume().write(bytes)
    await once(socket, 'connect')
    await until(async () => (await gateway.metric('connections_total')) === accepted)
    return socket
  }

  /** The answer to a CONNECT from 127.0.0.`host`. */
  async function answer(port: number, host: number, before: string = ''): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${host}` }).on('error', () => {})
    socket.write(Buffer.concat([Buffer.from(before), CONNECT as Buffer]))
    const ended = new Promise<string>((resolve) => {
      socket.once('data', (bytes: Buffer) => resolve(bytes.toString('hex')))
      socket.once('close', () => resolve('closed'))
    })
    sockets.push(socket)
    return ended
  }

  const isClosed = (socket: Socket) => socket.closed

  for (const limits of [{ pending: MOST }, { open: MOST }]) {
    const [name] = Object.keys(limits) as [string]
    describe(`of \`${name}\``, () => {
      it('loses its newest connection for each client of another address', async () => {
        const port = await start(limits)
        const idle: Socket[] = []
        for (let i = 0; i < MOST; i++) idle.push(await open(port, 1))
        for (let i = 1; i <= 3; i++) {
          expect(await answer(port, 2)).to.equal(ACCEPTED)
          // A session needs no place of `pending`.
          await until(() => idle.filter(isClosed).length === (name === 'pending' ? 1 : i))
        }
        const count = idle.filter(isClosed).length
        expect(idle.findIndex(isClosed)).to.equal(MOST - count)
      })

      it("doesn't get a place from others by opening more", async () => {
        const port = await start(limits)
        const others = [await open(port, 2), await open(port, 3), await open(port, 3)]
        for (let i = 0; i < 4 * MOST; i++) await open(port, 1)
        await sleep(50)
        expect(others.some(isClosed)).to.equal(false)
        expect(gateway.gateway.open.of('127.0.0.1')).to.equal(MOST - others.length)
      })
    })
  }

  for (const [what, clientId] of [
    ["that the broker doesn't answer", 'waiting'],
    ['that the broker has refused', 'refused'],
  ] as const) {
    it(`loses its newest client ${what}`, async () => {
      const port = await start({ open: MOST })
      for (let i = 0; i < MOST; i++) {
        await open(port, 1, bytesOf(clientId), true)
        await until(async () => (await gateway.metric('forwarded_total')) === i + 1)
      }
      await sleep(50)
      expect(await answer(port, 2)).to.equal(ACCEPTED)
      expect(gateway.gateway.open.of('127.0.0.1')).to.equal(MOST - 1)
      expect(gateway.gateway.open.total).to.equal(MOST)
      gateway.close()
      const lines = gateway.report.lines.filter((line) => /address-share/.test(line))
      expect(lines).to.deep.equal(clientId === 'waiting' ? ['limited 127.0.0.1 address-share 1'] : [])
    })
  }

  it('loses few places to an address that connects and leaves, again and again', async () => {
    const port = await start({ pending: MOST })
    const waiting: Socket[] = []
    for (let i = 0; i < MOST; i++) waiting.push(await open(port, 1))
    for (let i = 0; i < 20; i++) {
      const socket = await open(port, 2)
      socket.destroy()
      await until(() => gateway.gateway.open.of('127.0.0.2') === 0)
      // The place is taken again by one of the clients that lost theirs.
      while (gateway.gateway.open.pending < MOST) waiting.push(await open(port, 1))
    }
    expect(waiting.filter(isClosed).length).to.be.within(1, MOST)
    expect(waiting.slice(0, 2).some(isClosed)).to.equal(false)
  })

  it('loses no session', async () => {
    const port = await start({ open: MOST })
    for (let i = 0; i < MOST; i++) expect(await answer(port, 1)).to.equal(ACCEPTED)
    expect(await answer(port, 2)).to.equal('closed')
    expect(sockets.filter(isClosed)).to.have.length(1)
  })

  it('is named in the log', async () => {
    const port = await start({ pending: 2 })
    await open(port, 1)
    await open(port, 1)
    await open(port, 1)
    for (let i = 0; i < 2; i++) expect(await answer(port, 2)).to.equal(ACCEPTED)
    gateway.close()
    const lines = gateway.report.lines.filter((line) => !line.startsWith('connect '))
    expect(lines).to.have.members(['limited 127.0.0.1 address-share 1', 'limited 127.0.0.1 pending 1'])
  })

  it("loses nothing to a connection that is over its own address's limit", async () => {
    const port = await start({ pending: 4, openPerAddress: 3 })
    for (let i = 0; i < 3; i++) expect(await answer(port, 2)).to.equal(ACCEPTED)
    const waiting = [await open(port, 1), await open(port, 1), await open(port, 1), await open(port, 3)]
    expect(await answer(port, 2)).to.equal('closed')
    await sleep(50)
    expect(waiting.some(isClosed)).to.equal(false)
  })

  describe('behind a proxy', () => {
    const listener = { proxyProtocol: { trusted: ['127.0.0.9'] } }
    const header = (host: number) => `PROXY TCP4 203.0.113.${host} 192.0.2.2 1234 1883\r\n`
    const openFrom = async (port: number, host: number) => {
      const socket = await open(port, 9, header(host))
      await sleep(20)
      return socket
    }

    it("loses nothing to a connection that is over its own address's limit", async () => {
      const port = await start({ pending: 4, openPerAddress: 3 }, listener)
      for (let i = 0; i < 3; i++) expect(await answer(port, 9, header(2))).to.equal(ACCEPTED)
      const waiting: Socket[] = []
      for (const host of [1, 1, 1, 3]) waiting.push(await openFrom(port, host))
      for (let i = 0; i < 5; i++) expect(await answer(port, 9, header(2))).to.equal('closed')
      expect(waiting.some(isClosed)).to.equal(false)
    })

    it('loses nothing to itself', async () => {
      const port = await start({ pending: 3 }, listener)
      const waiting: Socket[] = []
      for (let i = 0; i < 3; i++) waiting.push(await openFrom(port, 1))
      for (let i = 0; i < 5; i++) expect(await answer(port, 9, header(1))).to.equal('closed')
      expect(waiting.some(isClosed)).to.equal(false)
      expect(gateway.gateway.open).to.include({ pending: 3, total: 3 })
    })

    it('loses nothing to connections without a header, of which few are accepted', async () => {
      const port = await start({ pending: 3 }, listener)
      const waiting: Socket[] = []
      for (let i = 0; i < 3; i++) waiting.push(await openFrom(port, 1))
      const silent: Socket[] = []
      for (let i = 0; i < 40; i++) silent.push(await open(port, 9))
      await until(() => silent.filter(isClosed).length === 8)
      expect(silent.slice(0, 8).every(isClosed)).to.equal(true)
      expect(waiting.some(isClosed)).to.equal(false)
      expect(gateway.gateway.open).to.include({ pending: 35 })
      expect(gateway.gateway.open.unlocated).to.include({ size: 32 })
      for (const socket of silent) socket.destroy()
      await until(() => gateway.gateway.open.unlocated.size === 0)
      expect(await answer(port, 9, header(2))).to.equal(ACCEPTED)
    })
  })

  describe('behind a proxy that sends the PROXY header with the first byte of a client', () => {
    const proxied = { port: 0, proxyProtocol: { trusted: ['127.0.0.9'] } }
    const header = (host: number) => `PROXY TCP4 203.0.113.${host} 192.0.2.2 1234 1883\r\n`

    it('may have a quarter more connections than there are places', async () => {
      const port = await start({ pending: 200 }, proxied)
      for (let i = 0; i < 200; i++) await open(port, 9, header(1))
      const silent: Socket[] = []
      for (let i = 0; i < 60; i++) silent.push(await open(port, 9))
      await until(() => silent.filter(isClosed).length === 10)
      expect(silent.slice(0, 10).every(isClosed)).to.equal(true)
      expect(gateway.gateway.open.unlocated).to.include({ size: 50 })
    })

    for (const limits of [{ pending: 40 }, { open: 40 }]) {
      it(`keeps out nobody with silent connections, on no listener: ${Object.keys(limits)}`, async () => {
        const listeners = [proxied, { port: 0 }]
        gateway = await Running.start({ upstreams: [upstreamOf(broker)], listeners, limits })
        const [late, plain] = [gateway.port(0), gateway.port(1)]
        const silent: Socket[] = []
        for (let i = 0; i < 60; i++) silent.push(await open(late, 9))
        for (let i = 1; i <= 10; i++) {
          const socket = await open(late, 9)
          // A round trip later, while the attacker goes on.
          for (let more = 0; more < 3; more++) silent.push(await open(late, 9))
          socket.write(Buffer.concat([Buffer.from(header(i)), CONNECT]))
          const [bytes] = await once(socket, 'data')
          expect(bytes.toString('hex')).to.equal(ACCEPTED)
          expect(await answer(plain, i + 10)).to.equal(ACCEPTED)
          const { located, unlocated } = gateway.gateway.open
          expect(located.total).to.equal(2 * i)
          // The last one has its header now.
          expect(unlocated.size).to.be.within(31, 40)
          expect(unlocated.size).to.equal(silent.filter((one) => !isClosed(one)).length)
        }
        gateway.close()
        const limited = gateway.report.lines.filter((line) => line.startsWith('limited'))
        expect(limited).to.have.length(1)
        expect(limited[0]).to.match(/^limited 127\.0\.0\.9 (pending|open) \d+$/)
      })
    }
  })

  it("doesn't use up the rate of all connections while it has no place", async () => {
    const port = await start({ pending: 3, total: { perSecond: 0.001, burst: 5 } })
    for (let i = 0; i < 10; i++) await open(port, 1)
    expect(await answer(port, 2)).to.equal(ACCEPTED)
    expect(await answer(port, 2)).to.equal(ACCEPTED)
    expect(await answer(port, 2)).to.equal('closed')
  })

  it('loses connections behind a proxy, where a client has no address until its PROXY header', async () => {
    const port = await start({ pending: MOST }, { proxyProtocol: { trusted: ['127.0.0.9'] } })
    const header = (host: string) => `PROXY TCP4 ${host} 192.0.2.2 1234 1883\r\n`
    const idle: Socket[] = []
    for (let i = 0; i < MOST; i++) idle.push(await open(port, 9, header('203.0.113.1')))
    await until(() => gateway.gateway.open.of('203.0.113.1') === MOST)
    expect(await answer(port, 9, header('203.0.113.2'))).to.equal(ACCEPTED)
    await until(() => isClosed(idle.at(-1)!))
    expect(idle.filter(isClosed)).to.have.length(1)
  })

  for (const [what, listener, bytes] of [
    ['the beginning of a CONNECT', {}, Buffer.from('101000', 'hex')],
    ['a TLS handshake', { tls: true }, Buffer.from('160301', 'hex')],
    ['a WebSocket handshake', { websocket: {} }, 'GET /mqtt HTTP/1.1\r\n'],
  ] as const) {
    it(`loses connections that have sent ${what}, which leaves no line of their own`, async function () {
      if ('tls' in listener) needs(this, 'openssl')
      const { certificate, key } = 'tls' in listener ? new Authority(folder).issue('localhost') : {}
      const more = 'tls' in listener ? { tls: { certificates: [{ certificate, key }] } } : listener
      const port = await start({ pending: 2 }, more)
      const idle = [await open(port, 1, bytes), await open(port, 1, bytes)]
      await sleep(50)
      await open(port, 2, bytes)
      await until(() => isClosed(idle[1]!))
      expect(isClosed(idle[0]!)).to.equal(false)
      expect(gateway.gateway.open).to.include({ pending: 2, total: 2 })
      gateway.close()
      expect(gateway.report.lines).to.deep.equal(['limited 127.0.0.1 address-share 1'])
      await until(() => gateway.gateway.open.total === 0)
      expect(gateway.gateway.open).to.include({ pending: 0 })
    })
  }
})
