import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { connack, decode, property, v5 } from 'mqtt-connect-packet'
import { Bans } from '../lib/limit/bans.ts'
import {
  configOf,
  FakeBroker,
  Folder,
  freePort,
  quickUserLine,
  Running,
  sleep,
  until,
  upstreamOf,
} from './support.ts'

const connectAs = (userName: string, password: string) =>
  new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 0,
    clientId: 'c',
    userName,
    password: Buffer.from(password),
  }).bytes
const right = connectAs('alice', 'secret')
const wrong = connectAs('alice', 'guess')
/** A module that denies soon, and allows later. */
const SLOW = `export default async ({ password }) => {
  const isGuess = password.toString() === 'guess'
  await new Promise((resolve) => setTimeout(resolve, isGuess ? 200 : 400))
  return isGuess ? { result: 'deny', code: 0x86 } : { result: 'allow' }
}`
const invalid = Buffer.from('100c00044d5154540403003c0000', 'hex')

describe('gateway: a ban', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let users: object
  let broker: FakeBroker
  let gateway: Running | undefined

  before(async function () {
    // Only on Linux does all of 127.0.0.0/8 lead to this machine.
    if (process.platform !== 'linux') this.skip()
    users = { users: { file: folder.write('users', quickUserLine('alice', 'secret')) } }
    broker = await FakeBroker.answering((_packet, socket) => socket.resume())
  })

  afterEach(() => gateway?.close())

  after(() => {
    broker?.close()
    folder.remove()
  })

  let port = 0
  const configWith = (ban: object | null, more: object = {}) => ({
    ...{ listeners: [{ port }], upstreams: [upstreamOf(broker)], authentication: users, limits: { ban } },
    ...more,
  })

  async function start(ban: object | null, more: object = {}): Promise<void> {
    gateway?.close()
    port = await freePort()
    gateway = await Running.start(configWith(ban, more))
  }

  /** Returns the reason code of the client's CONNACK, or `closed`. */
  async function send(bytes: Uint8Array, localAddress = '127.0.0.1'): Promise<number | 'closed'> {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    socket.end(bytes)
    const answer = await new Promise<number | 'closed'>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk[3]!))
      socket.once('close', () => resolve('closed'))
    })
    socket.destroy()
    return answer
  }

  it('keeps an address out for a while after a number of failures, and no other address', async () => {
    await start({ failures: 3, seconds: 2 })
    for (let i = 0; i < 3; i++) expect(await send(wrong)).to.equal(0x86)
    const began = performance.now()
    expect(await send(right)).to.equal('closed')
    expect(await send(right, '127.0.0.2')).to.equal(0)
    const { lines } = gateway!.report
    expect(lines).to.include('warn 127.0.0.1: banned for 2 s after too many failures')
    const metric = await gateway!.gateway.metrics.registry
      .getSingleMetric('mqtt_gateway_limited_total')
      ?.get()
    const counted = metric?.values.filter(({ value }) => value > 0)
    expect(counted?.map(({ value, labels: { limit } }) => [value, limit])).to.deep.equal([[1, 'banned']])
    await until(async () => (await send(right)) === 0)
    expect(performance.now() - began).to.be.above(500)
  })

  it('counts failures of clients only: wrong credentials and invalid packets', async () => {
    await start({ failures: 2, seconds: 60 })
    for (let i = 0; i < 3; i++) {
      await send(Buffer.alloc(0))
      await send(right.subarray(0, 9))
      expect(await send(right)).to.equal(0)
    }
    expect(await send(invalid)).not.to.equal(0)
    expect(await send(wrong)).to.equal(0x86)
    expect(await send(right)).to.equal('closed')
  })

  it('does not punish clients for a service or a broker that is down', async () => {
    await start(
      { failures: 1, seconds: 60 },
      {
        authentication: { http: { url: 'http://127.0.0.1:1/' } },
        upstreams: [{ host: '127.0.0.1', port: 1 }],
      },
    )
    for (let i = 0; i < 3; i++) expect(await send(right)).to.equal(0x88)
    await start({ failures: 1, seconds: 60 }, { upstreams: [{ host: '127.0.0.1', port: 1 }] })
    for (let i = 0; i < 3; i++) expect(await send(right)).to.equal(0x88)
  })

  it('forgets old failures', async () => {
    await start({ failures: 2, within: 0.3, seconds: 60 })
    for (let i = 0; i < 3; i++) {
      expect(await send(wrong)).to.equal(0x86)
      await sleep(350)
    }
    expect(await send(right)).to.equal(0)
    // The period begins with the first failure, and later ones don't extend it.
    await start({ failures: 3, within: 0.6, seconds: 60 })
    for (let i = 0; i < 3; i++) {
      if (i > 0) await sleep(400)
      expect(await send(wrong)).to.equal(0x86)
    }
    expect(await send(right)).to.equal(0)
  })

  it('counts the failures of any period, not only of those that begin with a first failure', () => {
    const bans = new Bans({ failures: 10, within: 60, seconds: 60 })
    const times = [0, 55, 56, 57, 58, 59, 61, 62, 63, 64]
    expect(times.map((time) => bans.fail('a', time * 1000))).to.deep.equal(Array(10).fill(false))
    expect(bans.fail('a', 65_000)).to.equal(true)
    expect(bans.has('a')).to.equal(true)
  })

  it('outlives a reload, unless that ends all bans', async () => {
    const ban = { failures: 1, seconds: 60 }
    await start(ban)
    expect(await send(wrong)).to.equal(0x86)
    await gateway!.gateway.reload(configOf(configWith(ban)))
    expect(await send(right)).to.equal('closed')
    await gateway!.gateway.reload(configOf(configWith(null)))
    expect(await send(right)).to.equal(0)
  })

  it('counts the clients behind a proxy, not the proxy', async () => {
    await start(
      { failures: 1, seconds: 60 },
      { listeners: [{ port: 0, proxyProtocol: { trusted: ['127.0.0.1'] } }] },
    )
    port = gateway!.port()
    const from = (address: string, bytes: Uint8Array) =>
      Buffer.concat([Buffer.from(`PROXY TCP4 ${address} 10.9.9.9 1 1\r\n`), bytes])
    expect(await send(from('10.0.0.1', wrong))).to.equal(0x86)
    expect(await send(from('10.0.0.1', right))).to.equal('closed')
    expect(await send(from('10.0.0.2', right))).to.equal(0)
    // The proxy's own connections, such as health checks, and clients that the proxy doesn't know.
    const unknown = (bytes: Uint8Array) => Buffer.concat([Buffer.from('PROXY UNKNOWN\r\n'), bytes])
    for (let i = 0; i < 3; i++) expect(await send(unknown(wrong))).to.equal(0x86)
    expect(await send(unknown(right))).to.equal(0)
    // A client with the address of the proxy is banned, but not the proxy.
    for (let i = 0; i < 2; i++) await send(from('127.0.0.1', wrong))
    expect(await send(from('127.0.0.1', right))).to.equal('closed')
    expect(await send(unknown(right))).to.equal(0)
  })

  it('also applies to connections that are older', async () => {
    await start({ failures: 2, seconds: 60 })
    const older = Array.from({ length: 10 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await until(() => gateway!.gateway.open.total === 10)
    const answers: (number | undefined)[] = []
    for (const socket of older) {
      socket.write(answers.length < 5 ? wrong : right)
      answers.push(
        await new Promise<number | undefined>((resolve) => {
          socket.once('data', (chunk: Buffer) => resolve(chunk[3]))
          socket.once('close', () => resolve(undefined))
        }),
      )
    }
    expect(answers).to.deep.equal([0x86, 0x86, ...Array(8).fill(0x8a)])
    for (const socket of older) socket.destroy()
  })

  it('also applies to credentials that are being checked', async () => {
    const module = { file: folder.write('slow.mjs', SLOW) }
    await start({ failures: 1, seconds: 60 }, { authentication: { module } })
    const guesses = await Promise.all([send(wrong), send(right), send(right)])
    expect(guesses).to.deep.equal([0x86, 0x8a, 0x8a])
  })

  it('counts credentials that the broker refuses', async () => {
    const refusing = await FakeBroker.reading((packet, socket) => {
      socket.end(connack(packet, packet.userName === 'alice' ? 0x86 : 0x88)!.bytes)
    })
    await start({ failures: 2, seconds: 60 }, { upstreams: [upstreamOf(refusing)], authentication: {} })
    for (let i = 0; i < 3; i++) expect(await send(connectAs('bob', 'x'))).to.equal(0x88)
    for (let i = 0; i < 2; i++) expect(await send(wrong)).to.equal(0x86)
    await until(async () => (await send(wrong)) === 'closed')
    // Even if the client says that it takes no packet as large as the CONNACK.
    const props = [property.maximumPacketSize(4)]
    const tiny = (decode(wrong) as v5.ConnectPacket).with({ props }).bytes
    await start({ failures: 2, seconds: 60 }, { upstreams: [upstreamOf(refusing)], authentication: {} })
    for (let i = 0; i < 2; i++) expect(await send(tiny)).to.equal('closed')
    await until(() => gateway!.report.lines.some((line) => line.includes('banned for')))
    refusing.close()
  })

  it('also applies to credentials that a broker is checking', async () => {
    const waiting = new Map<string, () => void>()
    const slow = await FakeBroker.reading((packet, socket) => {
      const password = `${packet.password}`
      const answer = connack(packet, password === 'secret' ? 0 : 0x86)!.bytes
      waiting.set(password, () => socket.write(answer))
    })
    await start({ failures: 1, seconds: 60 }, { upstreams: [upstreamOf(slow)], authentication: {} })
    const clients = [wrong, right].map((bytes) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(bytes)
      return socket
    })
    await until(() => waiting.size === 2)
    for (const [i, [password, code]] of [['guess', 0x86] as const, ['secret', 0x8a] as const].entries()) {
      waiting.get(password)!()
      const [chunk] = await once(clients[i]!, 'data')
      expect(chunk[3]).to.equal(code)
      // A failure counts although its connection is still open.
      await until(() => gateway!.report.lines.some((line) => line.includes('banned for')))
    }
    for (const client of clients) client.destroy()
    slow.close()
  })
})
