import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { ConnectReasonCode as Reason, v3_1_1, v5 } from 'mqtt-connect-packet'
import { userLine } from '../lib/authenticate/users.ts'
import {
  connectClient,
  exchange,
  FakeBroker,
  Folder,
  freePort,
  needs,
  quickUserLine,
  Running,
  refusalCode,
  sleep,
  startMosquitto,
  until,
  upstreamOf,
} from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' })
const connect3 = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'c' })

/** A broker that accepts every client, in the client's version. */
function acceptAll(): Promise<FakeBroker> {
  return FakeBroker.start((socket) => {
    socket.once('data', (bytes) =>
      socket.write(Buffer.from(bytes[8] === 5 ? '2003000000' : '20020000', 'hex')),
    )
  })
}

describe('gateway: refusals that a client sees', () => {
  let broker: FakeBroker
  let gateway: Running | undefined
  const folder = new Folder()

  before(async () => {
    broker = await acceptAll()
  })

  afterEach(async () => {
    gateway?.close()
    await until(() => gateway?.gateway.open.total === 0 && gateway.gateway.open.pending === 0)
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  async function start(config: object = {}): Promise<number> {
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], ...config })
    return gateway.port()
  }

  it('answers a bridge of mosquitto so that it tries again as an ordinary client', async function () {
    needs(this, 'mosquitto')
    this.timeout(30_000)
    const port = await start()
    const bridge = ['connection b', `address 127.0.0.1:${port}`, 'topic # out', 'restart_timeout 1']
    const mosquitto = await startMosquitto(folder, bridge.join('\n'))
    try {
      await until(() => gateway!.gateway.open.all().some((peer) => peer!.connection?.isForwarded), 20_000)
      expect(gateway!.report.lines.join('\n')).to.include('refused protocolLevel: marks a bridge')
    } finally {
      await mosquitto.stop()
    }
  })

  it('answers an invalid CONNECT with the code of its error, and does not forward it', async () => {
    const port = await start()
    const before = broker.sockets.length
    const invalid = Buffer.from(connect5.bytes)
    invalid[9]! |= 0x01
    expect((await exchange(port, invalid)).toString('hex')).to.equal('2003008100')
    const level = Buffer.from(connect3.bytes)
    level[8] = 9
    expect((await exchange(port, level)).toString('hex')).to.equal('2003008400')
    expect(broker.sockets).to.have.length(before)
    expect(await gateway?.metric('invalid_total')).to.equal(2)
  })

  it('accepts a valid CONNECT that arrives byte by byte', async () => {
    const port = await start()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const byte of connect5.bytes) {
      socket.write(Buffer.of(byte))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const [answer] = await new Promise<Buffer[]>((resolve) =>
      socket.once('data', (bytes) => resolve([bytes])),
    )
    socket.destroy()
    expect(answer?.toString('hex')).to.equal('2003000000')
  })

  it('answers 0x95 to a CONNECT that is too large, before it has arrived', async () => {
    const port = await start({ limits: { packetSize: 1000 } })
    const large = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 1,
      clientId: 'c',
      password: Buffer.alloc(2000),
    })
    expect((await exchange(port, large.bytes.subarray(0, 500))).toString('hex')).to.match(/^(2003009500|)$/)
    expect(gateway?.report.lines.join()).to.contain('remainingLength')
  })

  it('closes a connection that does not complete its CONNECT in time', async () => {
    const port = await start({ limits: { handshakeTimeout: 0.1 } })
    const began = performance.now()
    await exchange(port, connect5.bytes.subarray(0, 5))
    expect(performance.now() - began).to.be.above(90)
    expect(gateway?.report.lines.join()).to.contain('refused')
  })

  it('counts a probe that connects and closes, and logs nothing', async () => {
    const port = await start()
    const probes = () => gateway?.metric('probes_total')
    connect(port, '127.0.0.1').end()
    await until(async () => (await probes()) === 1)
    const reset = connect(port, '127.0.0.1')
    await until(() => gateway?.gateway.open.pending === 1)
    reset.resetAndDestroy()
    await until(async () => (await probes()) === 2)
    expect(gateway?.report.lines).to.deep.equal([])
  })

  for (const version of [4, 5] as const) {
    const code = (for3: number, for5: number) => (version === 4 ? for3 : for5)

    it(`MQTT ${version}: answers that the server is unavailable without a broker`, async () => {
      const port = await start({ upstreams: [upstreamOf({ port: await freePort() })] })
      expect(await refusalCode(port, { protocolVersion: version })).to.equal(
        code(3, Reason.serverUnavailable),
      )
    })

    const broken: Readonly<Record<string, string>> = {
      'sends garbage': 'ffffffffffff',
      'sends another packet first': 'd000',
      'sends a malformed CONNACK': '200200ff',
      'closes at once': '',
    }
    for (const [what, hex] of Object.entries(broken)) {
      it(`MQTT ${version}: answers that the server is unavailable if the broker ${what}`, async () => {
        const bad = await FakeBroker.start((socket) =>
          socket.once('data', () => socket.end(Buffer.from(hex, 'hex'))),
        )
        const port = await start({ upstreams: [upstreamOf(bad)] })
        expect(await refusalCode(port, { protocolVersion: version })).to.equal(
          code(3, Reason.serverUnavailable),
        )
        bad.close()
      })
    }

    it(`MQTT ${version}: answers that the server is unavailable if the broker is silent`, async () => {
      const silent = await FakeBroker.start((socket) => socket.resume())
      const port = await start({ upstreams: [upstreamOf(silent)], route: { connackTimeout: 0.1 } })
      expect(await refusalCode(port, { protocolVersion: version })).to.equal(
        code(3, Reason.serverUnavailable),
      )
      await until(() => silent.sockets.every(({ destroyed }) => destroyed))
      silent.close()
    })

    it(`MQTT ${version}: answers that the rate is exceeded, per client id and per user, while others are served`, async () => {
      const once = { perSecond: 0.01, burst: 1 }
      const port = await start({ limits: { perClientId: once, perUser: once } })
      const one = await connectClient(port, { protocolVersion: version, clientId: 'one', username: 'u' })
      const exceeded = code(3, Reason.connectionRateExceeded)
      expect(await refusalCode(port, { protocolVersion: version, clientId: 'one' })).to.equal(exceeded)
      expect(await refusalCode(port, { protocolVersion: version, clientId: 'two', username: 'u' })).to.equal(
        exceeded,
      )
      expect(await refusalCode(port, { protocolVersion: version, clientId: 'three' })).to.equal('accepted')
      const lines = gateway?.report.lines.map((line) => line.split(' ')[0])
      expect(lines, 'none for those over a limit').to.deep.equal(['connect', 'connect'])
      await one.endAsync(true)
    })

    it(`MQTT ${version}: checks the users file`, async () => {
      const file = folder.write(
        'users',
        `# comment\n${await userLine('alice:x', 'right')}\n${await userLine('bob', '')}\n`,
      )
      const port = await start({ authentication: { users: { file, concurrency: 1, waiting: 1 } } })
      const as = (username: string | undefined, password: string | undefined) =>
        refusalCode(port, {
          protocolVersion: version,
          ...(username && { username }),
          ...(password && { password }),
        })
      expect(await as('alice:x', 'right')).to.equal('accepted')
      expect(await as('alice:x', 'right'), 'from the cache').to.equal('accepted')
      expect(await as('bob', undefined)).to.equal('accepted')
      const bad = code(4, Reason.badUserNameOrPassword)
      expect(await as('alice:x', 'wrong')).to.equal(bad)
      expect(await as('alice:x', undefined)).to.equal(bad)
      expect(await as('carol', 'right')).to.equal(bad)
      expect(await as(undefined, undefined)).to.equal(code(5, Reason.notAuthorized))
      const many = await Promise.all(Array.from({ length: 4 }, (_, i) => as('alice:x', `guess ${i}`)))
      expect(many.filter((result) => result === code(3, Reason.serverBusy))).to.have.length(2)
      expect(many.filter((result) => result === bad)).to.have.length(2)
    })
  }

  it('answers 0x8C to an authentication method that nothing checks, and forwards it if so configured', async () => {
    const file = folder.write('users', quickUserLine('alice', 'right'))
    const client = { protocolVersion: 5, properties: { authenticationMethod: 'SCRAM' } } as const
    const refusing = await start({ authentication: { users: { file } } })
    expect(await refusalCode(refusing, client)).to.equal(Reason.badAuthenticationMethod)
    gateway?.close()
    // Nobody answers at this URL, so a question would be a refusal.
    for (const check of [
      { users: { file } },
      { http: { url: 'http://127.0.0.1:1/' } },
      { jwt: { keys: 'http://127.0.0.1:1/' } },
    ]) {
      gateway?.close()
      const forwarding = await start({ authentication: { ...check, enhanced: 'forward' } })
      const token = { username: 'alice', password: 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA' }
      expect(await refusalCode(forwarding, client), JSON.stringify(check)).to.equal('accepted')
      expect(await refusalCode(forwarding, { ...client, ...token }), JSON.stringify(check)).to.equal(
        'accepted',
      )
      expect(await refusalCode(forwarding, { protocolVersion: 5 })).not.to.equal('accepted')
    }
  })

  it('answers 0x8C to an authentication method that nothing checks although the credentials are right', async () => {
    const file = folder.write('users', quickUserLine('alice', 'right'))
    const options = { protocolVersion: 5, username: 'alice', password: 'right' } as const
    const properties = { authenticationMethod: 'SCRAM' }
    const module = folder.write('any.cjs', 'module.exports = ({ userName }) => ({ result: userName })')
    const nobody = await start({ authentication: { users: { file } } })
    expect(await refusalCode(nobody, options)).to.equal('accepted')
    for (const authentication of [
      { users: { file } },
      { http: { url: 'http://127.0.0.1:1/' } },
      { module: { file: module }, http: { url: 'http://127.0.0.1:1/' } },
    ]) {
      gateway?.close()
      const port = await start({ authentication })
      const username = 'module' in authentication ? 'ignore' : 'alice'
      const code = await refusalCode(port, { ...options, username, properties })
      expect(code, JSON.stringify(authentication)).to.equal(Reason.badAuthenticationMethod)
    }
    gateway?.close()
    // A module receives the authentication method, so it may accept the client.
    const checking = await start({ authentication: { module: { file: module } } })
    expect(await refusalCode(checking, { ...options, username: 'allow', properties })).to.equal('accepted')
  })

  it('compares every byte of a password: zeros at the end make it a different one', async () => {
    const file = folder.write('users', quickUserLine('alice', 'right'))
    const port = await start({ authentication: { users: { file } } })
    const as = (password: string) =>
      refusalCode(port, { protocolVersion: 5, username: 'alice', password: Buffer.from(password) as never })
    for (const wrong of ['right\0', 'right\0\0', '\0', '\0right', 'right ']) {
      expect(await as(wrong), JSON.stringify(wrong)).to.equal(Reason.badUserNameOrPassword)
    }
    expect(await as('right')).to.equal('accepted')
    expect(await userLine('bob', 'right\0').catch(({ message }) => message)).to.equal(
      'A password must not end with U+0000',
    )
  })

  it('closes connections over the limits of an address without an answer', async () => {
    const port = await start({ limits: { openPerAddress: 1 } })
    const first = await connectClient(port)
    expect(await exchange(port, connect5.bytes)).to.have.length(0)
    await first.endAsync()
    await until(() => gateway?.gateway.open.total === 0)
    expect(await refusalCode(port)).to.equal('accepted')
    gateway?.close()

    const limited = await start({
      limits: { handshakeTimeout: 0.1, perAddress: { perSecond: 0.01, burst: 2 } },
    })
    const answers = [await exchange(limited), await exchange(limited), await exchange(limited)]
    expect(answers.map(({ length }) => length)).to.deep.equal([0, 0, 0])
    expect(await gateway?.metric('limited_total')).to.equal(1)
  })

  it('closes a client that is silent for 1.5 times its keep alive, and not one that sends', async () => {
    const port = await start()
    const began = performance.now()
    const silent = connect(port, '127.0.0.1').resume()
    silent.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 's' }).bytes)
    const sending = connect(port, '127.0.0.1').resume()
    sending.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 't' }).bytes)
    const timer = setInterval(() => sending.write(Buffer.from('c000', 'hex')), 400)
    await new Promise((resolve) => silent.once('end', resolve))
    expect(performance.now() - began).to.be.above(1400)
    expect(sending.destroyed || sending.readableEnded).to.equal(false)
    clearInterval(timer)
    for (const socket of [silent, sending]) socket.destroy()
  })

  it('gives a client that reads slowly all that the broker has sent before it closed', async () => {
    let sent = 5
    const writing = await FakeBroker.answering(async (_packet, socket) => {
      // Until the client's socket is full.
      while (gateway!.gateway.open.all()[0]!.socket.writableLength === 0) {
        socket.write(Buffer.alloc(16_000))
        sent += 16_000
        await sleep(1)
      }
      socket.end().resume()
    })
    const port = await start({ upstreams: [upstreamOf(writing)] })
    const client = connect(port, '127.0.0.1').pause()
    client.write(connect5.bytes)
    await until(() => gateway?.gateway.open.all()[0]?.connection?.isForwarded === true)
    await until(() => gateway?.gateway.open.all()[0]?.connection?.isForwarded === false)
    await sleep(1200)
    let received = 0
    client.on('data', ({ length }) => (received += length)).resume()
    await once(client, 'end')
    expect(received).to.equal(sent)
    client.destroy()
    writing.close()
  })

  it('does not keep a client forever that has ended and does not read, after the broker has left', async () => {
    const writing = await FakeBroker.answering((_packet, socket) => socket.write(Buffer.alloc(32 << 20)))
    const port = await start({ upstreams: [upstreamOf(writing)] })
    const client = connect(port, '127.0.0.1')
      .on('error', () => {})
      .pause()
    client.end(connect5.bytes)
    const { open } = gateway!.gateway
    await until(() => (open.all()[0]?.socket.writableLength ?? 0) > 0)
    mock.timers.enable({ apis: ['setTimeout'] })
    const [peer] = open.all()
    peer?.connection?.end('drained')
    // The broker doesn't close within its 30 seconds.
    peer?.check(performance.now() + 30_000)
    for (let turns = 0; turns < 10; turns++) await nextTurn()
    mock.timers.tick(30_000)
    mock.timers.reset()
    await until(() => open.total === 0)
    client.destroy()
    writing.close()
  })

  it('is seen by mosquitto_pub', async function () {
    needs(this, 'mosquitto_pub')
    const file = folder.write('users', quickUserLine('alice', 'right'))
    const port = await start({ authentication: { users: { file } } })
    const run = async (version: string) => {
      const child = spawn('mosquitto_pub', [
        '-h',
        '127.0.0.1',
        '-p',
        `${port}`,
        '-V',
        version,
        '-t',
        't',
        '-m',
        'm',
        '-u',
        'alice',
        '-P',
        'wrong',
      ])
      let output = ''
      child.stderr.on('data', (chunk) => {
        output += chunk
      })
      await new Promise((resolve) => child.once('close', resolve))
      return output
    }
    expect(await run('311')).to.contain('Connection Refused: bad user name or password')
    expect(await run('5')).to.contain('Bad User Name or Password')
  })
})
