import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import {
  type ConnackPacket,
  type ConnectPacket,
  connack,
  property,
  ConnectReasonCode as Reason,
  readPacket,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import { Idle } from '../lib/connection/idle.ts'
import { exchange, FakeBroker, Running, refusalCode, sleep, until, upstreamOf } from './support.ts'

const base5 = { cleanStart: true, keepAlive: 10, clientId: 'c' }
const connect5 = new v5.ConnectPacket(base5)

describe('gateway: faulty brokers', function () {
  this.timeout(60_000)
  const brokers: FakeBroker[] = []
  let gateway: Running | undefined

  afterEach(() => {
    gateway?.close()
    for (const broker of brokers.splice(0)) broker.close()
  })

  /** A broker that passes each CONNECT to a function. Without a function, it never answers. */
  async function broker(
    onConnect: (packet: ConnectPacket, socket: Socket) => void = () => {},
  ): Promise<FakeBroker> {
    const started = await FakeBroker.reading((packet, socket) => onConnect(packet, socket.resume()))
    brokers.push(started)
    return started
  }

  async function start(of: readonly FakeBroker[], more: object = {}): Promise<number> {
    gateway = await Running.start({
      upstreams: of.map((one, i) => upstreamOf(one, { name: `broker-${i}` })),
      ...more,
    })
    return gateway.port()
  }

  const accepting = () => broker((packet, socket) => socket.write(connack(packet, 0)!.bytes))

  describe('that does not read', () => {
    let client: Socket

    beforeEach(async () => {
      const stuck = await broker((packet, socket) => {
        socket.pause()
        socket.write(connack(packet, 0)!.bytes)
      })
      client = connect(await start([stuck]), '127.0.0.1').on('error', () => {})
      client.write(connect5.bytes)
      await once(client, 'data')
      const fill = () => client.destroyed || client.write(Buffer.alloc(65_536), fill)
      fill()
      await until(() => peer().stream.isPaused())
    })

    afterEach(() => client.destroy())

    const peer = () => gateway!.gateway.open.all()[0]!
    /** Runs the gateway's periodic check as if these milliseconds had passed. */
    const checkLater = (after: number) => {
      for (const one of gateway!.gateway.open.all()) one.check(performance.now() + after)
    }

    it('does not keep the connection of a client that has been reset', async () => {
      client.resetAndDestroy()
      await sleep(100)
      expect(gateway?.gateway.open.total).to.equal(1)
      checkLater(301_000)
      checkLater(602_000)
      await until(() => gateway?.gateway.open.total === 0)
    })

    it('does not cost a client its connection at once', async () => {
      // The first check records that bytes have arrived since the CONNACK.
      checkLater(2000)
      checkLater(2000 + 250_000)
      await sleep(50)
      expect(peer().connection?.isForwarded).to.equal(true)
    })
  })

  it('that still send after the client has ended its side have 30 s for each byte, however long it was silent', async () => {
    let socket: Socket | undefined
    const slow = await broker((packet, own) => {
      socket = own
      own.allowHalfOpen = true
      own.write(connack(packet, 0)!.bytes)
    })
    const client = connect({ port: await start([slow]), host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {}).write(connect5.with({ keepAlive: 0 }).bytes)
    await once(client, 'data')
    const [peer] = gateway!.gateway.open.all()
    const began = performance.now()
    const { now } = performance
    try {
      performance.now = () => began + 100_000
      client.end()
      await until(() => peer!.stream.readableEnded)
      for (const seconds of [120, 140, 160]) {
        performance.now = () => began + seconds * 1000
        peer!.check(performance.now())
        await sleep(10)
        socket!.write('x')
        expect((await once(client, 'data'))[0].toString()).to.equal('x')
        performance.now = () => began + seconds * 1000 + 2000
        peer!.check(performance.now())
      }
      expect(client.readableEnded).to.equal(false)
      performance.now = () => began + 193_000
      peer!.check(performance.now())
    } finally {
      performance.now = now
    }
    await once(client.resume(), 'end')
    client.destroy()
  })

  it('that resume reading give their clients a whole keep alive to send', () => {
    const idle = new Idle(10, 100, 0)
    expect(idle.isOver(40_000, 100, 'held-back')).to.equal(false)
    idle.restart(40_000)
    expect(idle.isOver(54_999, 100, 'open')).to.equal(false)
    expect(idle.isOver(55_000, 100, 'open')).to.equal(true)
    expect(idle.isOver(55_000, 101, 'open')).to.equal(false)
    expect(idle.isOver(55_000 + 29_999, 101, 'ended')).to.equal(false)
    expect(idle.isOver(55_000 + 30_000, 101, 'ended')).to.equal(true)
    expect(new Idle(0, 0, 0).isOver(1e12, 0, 'open')).to.equal(false)
  })

  describe('that accepts connections and never answers', () => {
    const route = { connackTimeout: 0.3, health: { interval: null } }
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']

    it('does not get the clean sessions: the next broker does', async () => {
      const port = await start([await broker(), await accepting()], { route })
      const clean = ids.flatMap((clientId) => [
        refusalCode(port, { clientId }),
        refusalCode(port, { clientId, protocolVersion: 5 }),
      ])
      expect(new Set(await Promise.all(clean))).to.deep.equal(new Set(['accepted']))
      expect(brokers[0]!.sockets.length, 'how many have tried it').to.be.above(0)
    })

    it('keeps its persistent sessions, and clients with more traffic than a CONNECT', async () => {
      const port = await start([await broker(), await accepting()], { route })
      const persistent = {
        protocolVersion: 5,
        clean: false,
        properties: { sessionExpiryInterval: 9 },
      } as const
      const codes = await Promise.all(ids.map((clientId) => refusalCode(port, { clientId, ...persistent })))
      expect(new Set(codes)).to.deep.equal(new Set(['accepted', Reason.serverUnavailable]))
      const homeless = ids[codes.indexOf(Reason.serverUnavailable)]!
      const packet = new v5.ConnectPacket({ ...base5, clientId: homeless })
      const eager = await exchange(port, packet.bytes, Buffer.from('c000', 'hex'))
      expect(eager.toString('hex')).to.equal(connack(5, Reason.serverUnavailable).bytes.toString('hex'))
    })

    it('does not end the search if the next one closes the connection', async () => {
      const closing = await broker((_packet, socket) => socket.destroy())
      const port = await start([closing, await broker(), await accepting()], { route })
      const codes = await Promise.all(ids.map((clientId) => refusalCode(port, { clientId })))
      expect(new Set(codes)).to.deep.equal(new Set(['accepted']))
    })
  })

  describe('that knows no MQTT 5.0', () => {
    for (const [how, split] of [
      ['at once', false],
      ['byte by byte', true],
    ] as const) {
      it(`MQTT-3.1.2-2: refuses a client in its own format (${how}), which the client gets in 5.0`, async () => {
        const old = await broker(async (packet, socket) => {
          const code = packet.protocolVersion === 5 ? Reason.unsupportedProtocolVersion : 0
          const { bytes } = connack(4, code)!
          for (const part of split ? [...bytes].map((byte) => Buffer.of(byte)) : [bytes]) {
            socket.write(part)
            await sleep(5)
          }
          if (code !== 0) socket.end()
        })
        const port = await start([old])
        expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(Reason.unsupportedProtocolVersion)
        expect(await refusalCode(port)).to.equal('accepted')
      })
    }
  })

  describe('whose CONNACK is too large for the client', () => {
    const user = property.userProperty('k', 'v'.repeat(20))
    const reasonString = 'r'.repeat(10)

    /** The answer to a client with this Maximum Packet Size. */
    async function answerFor(
      maximumPacketSize: number,
      rewrite: object,
      answer: (packet: ConnectPacket) => ConnackPacket,
    ): Promise<Buffer> {
      const answering = await broker((packet, socket) => socket.end(answer(packet).bytes))
      const port = await start([answering], { rewrite })
      const props = [property.maximumPacketSize(maximumPacketSize)]
      const received = await exchange(port, new v5.ConnectPacket({ ...base5, clientId: '', props }).bytes)
      gateway?.close()
      return received
    }

    const full = () => connack(5, 0, { reasonString, userProperties: [['k', 'v'.repeat(20)]] })

    it('MQTT-3.1.2-24: loses its user properties, then its reason string, and nothing else', async () => {
      // The CONNACK takes 5 bytes, plus 35 for the assigned id, 13 for the reason string and 26 for the user property.
      for (const [most, size] of [
        [79, 79],
        [78, 53],
        [53, 53],
        [52, 40],
        [40, 40],
      ] as const) {
        const received = await answerFor(most, {}, full)
        expect(received.length, `at most ${most}`).to.equal(size)
        expect(received[0]).to.equal(0x20)
      }
    })

    it('MQTT-3.1.2-24: is not sent if it still does not fit, and both connections are closed', async () => {
      expect(await answerFor(39, {}, full)).to.have.length(0)
      expect(gateway?.report.lines.join()).to.match(
        /unserved the CONNACK of the broker [\w-]+ at 127\.0\.0\.1:\d+ exceeds the client's Maximum Packet Size/,
      )
      expect(await gateway?.metric('unserved_total')).to.equal(1)
      await until(() => brokers[0]!.sockets[0]!.destroyed)
    })

    it('MQTT-3.1.2-24: is not sent either if the gateway has hidden the limit from the broker', async () => {
      const rewrite = { removeProperties: ['maximumPacketSize'], assignClientId: false }
      expect(await answerFor(20, rewrite, () => connack(5, 0, { reasonString }))).to.have.length(18)
      expect(await answerFor(5, rewrite, () => connack(5, 0, { reasonString }))).to.have.length(5)
      expect(
        await answerFor(20, rewrite, () => new v5.ConnackPacket({ ...accepted, props: [user] })),
      ).to.have.length(5)
      const assigning = () => connack(5, 0, { assignedClientId: 'x'.repeat(20) })
      expect(await answerFor(20, rewrite, assigning)).to.have.length(0)
    })

    it('MQTT-3.1.2-24: a refusal is not sent if it does not fit', async () => {
      gateway = await Running.start({ upstreams: [{ host: '127.0.0.1', port: 1 }] })
      for (const [most, size] of [
        [4, 0],
        [5, 5],
      ] as const) {
        const props = [property.maximumPacketSize(most)]
        const received = await exchange(gateway.port(), new v5.ConnectPacket({ ...base5, props }).bytes)
        expect(received, `at most ${most}`).to.have.length(size)
      }
    })
  })

  it('take turns with clients that have no client id and get none from the gateway', async () => {
    const three = [await accepting(), await accepting(), await accepting()]
    const port = await start(three, { rewrite: { assignClientId: false } })
    for (let i = 0; i < 9; i++) {
      const socket = connect(port, '127.0.0.1')
      // Always a new session, even with an expiry interval: without an id, the client can't have one yet.
      const props = [property.sessionExpiryInterval(i)]
      const packet =
        i % 2 === 0
          ? new v5.ConnectPacket({ ...base5, clientId: '', props })
          : new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 10, clientId: '' })
      socket.write(packet.bytes)
      const answer = await readPacket(socket, { protocolVersion: packet.protocolVersion })
      expect(answer.bytes[3], 'the reason or return code').to.equal(0)
      socket.destroy()
    }
    expect(three.map(({ sockets }) => sockets.length)).to.deep.equal([3, 3, 3])
  })
})

const accepted = { sessionPresent: false, reasonCode: Reason.success } as const
