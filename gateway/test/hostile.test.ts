import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { connack, MqttError, readConnect, v3_1_1, v5 } from 'mqtt-connect-packet'
import { mutateBytes } from '../../fuzz/bytes.ts'
import { Random } from '../../fuzz/random.ts'
import { connectClient, FakeBroker, Running, sleep, until, upstreamOf } from './support.ts'

/*
 * Peers that attack. `HOSTILE=full` runs the numbers of gateway/BENCHMARK.md. The default is a tenth of them, to keep the tests
 * short.
 */
const { HOSTILE } = process.env
const full = HOSTILE === 'full'
const CONNECTIONS = full ? 10_000 : 600
const BAD = full ? 3000 : 180
const HANDSHAKES = full ? 20_000 : 1500
const SEED = 20_261_122

const connects = [
  new v3_1_1.ConnectPacket({
    cleanSession: true,
    keepAlive: 60,
    clientId: 'hostile',
    userName: 'u',
    password: 'p',
  }),
  new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 60,
    clientId: 'hostile',
    will: { topic: 't', message: 'm' },
  }),
].map(({ bytes }) => bytes)
const connacks = ['20020000', '2003000000', '20020005', '20060000032100ff', 'f002188000'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

function openFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
}

describe('gateway: hostile peers', function () {
  this.timeout(full ? 600_000 : 60_000)
  let gateway: Running
  let broker: FakeBroker
  let answer: (socket: Socket) => void

  beforeEach(async () => {
    answer = async (socket) => {
      const packet = await readConnect(socket).catch(() => undefined)
      if (packet) socket.write(connack(packet, 0)!.bytes)
      socket.resume()
    }
    broker = await FakeBroker.start((socket) => answer(socket))
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      limits: { handshakeTimeout: 2 },
      route: { connackTimeout: 3, health: { interval: null } },
    })
  })

  afterEach(() => {
    gateway.close()
    broker.close()
  })

  /** Open files and timers once the gateway has released all connections. */
  async function atRest(): Promise<{ files: number; timers: number }> {
    await until(() => gateway.gateway.open.total === 0 && gateway.gateway.open.pending === 0)
    await until(() => broker.sockets.every(({ destroyed }) => destroyed))
    broker.sockets.length = 0
    await sleep(50)
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    return { files: openFiles(), timers }
  }

  async function backTo(before: { files: number; timers: number }): Promise<void> {
    let now = await atRest()
    for (let tries = 0; tries < 100 && (now.files > before.files || now.timers > before.timers); tries++) {
      await sleep(50)
      now = await atRest()
    }
    expect(now.files).to.be.at.most(before.files)
    expect(now.timers).to.be.at.most(before.timers)
  }

  it(`serves ${CONNECTIONS - BAD} clients while ${BAD} stall, send a byte a second, or send random bytes`, async () => {
    await connectClient(gateway.port()).then((client) => client.endAsync(true))
    const before = await atRest()
    const random = new Random(SEED, 0)
    const bad: Socket[] = []
    const closed: Promise<unknown>[] = []
    for (let i = 0; i < BAD; i++) {
      const socket = connect(gateway.port(), '127.0.0.1')
        .on('error', () => {})
        .resume()
      closed.push(new Promise((resolve) => socket.once('close', resolve)))
      bad.push(socket)
      if (i % 3 === 0) socket.write(connects[0]!.subarray(0, random.int(0, 10)))
      else if (i % 3 === 1) trickle(socket, connects[1]!)
      else socket.write(Buffer.from(Array.from({ length: random.int(1, 100) }, () => random.int(0, 255))))
      if (i % 100 === 0) await sleep(1)
    }
    let served = 0
    for (let i = 0; i < CONNECTIONS - BAD; i += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, CONNECTIONS - BAD - i) }, async () => {
          const socket = connect(gateway.port(), '127.0.0.1')
          socket.write(connects[0]!)
          const [bytes] = await once(socket, 'data')
          if (bytes.toString('hex') === '20020000') served++
          socket.resetAndDestroy()
        }),
      )
    }
    expect(served).to.equal(CONNECTIONS - BAD)
    await Promise.all(closed)
    await backTo(before)
  })

  it(`survives ${HANDSHAKES} mutated CONNECT packets, and forwards none that is not valid`, async () => {
    const before = await atRest()
    let invalid = 0
    answer = async (socket) => {
      const packet = await readConnect(socket).catch((error) => error as Error)
      if (!(packet instanceof Error)) socket.write(connack(packet, 0)!.bytes)
      // A client may leave before its CONNECT has been forwarded.
      else if (packet instanceof MqttError && packet.code !== 'packet-incomplete') invalid++
      socket.resume()
    }
    await strike(HANDSHAKES, (random) => {
      const bytes = mutateBytes(random, random.pick(connects), random.pick(connects))
      return random.oneIn(4) ? mutateBytes(random, bytes, random.pick(connects)) : bytes
    })
    expect(invalid).to.equal(0)
    expect(await gateway.metric('invalid_total')).to.be.above(HANDSHAKES / 10)
    expect(await gateway.metric('forwarded_total')).to.be.above(HANDSHAKES / 50)
    await backTo(before)
  })

  it(`survives ${HANDSHAKES} mutated answers of a broker, and brokers that die or never answer`, async () => {
    const before = await atRest()
    const random = new Random(SEED, 1)
    answer = (socket) => {
      socket.resume()
      const fate = random.int(0, 19)
      if (fate === 0) return
      if (fate === 1) socket.resetAndDestroy()
      else if (fate === 2) socket.end()
      else socket.write(mutateBytes(random, random.pick(connacks), random.pick(connacks)))
    }
    const answers = await strike(HANDSHAKES, (own) => own.pick(connects))
    // An answer must begin like a CONNACK or an AUTH. Some clients get none.
    for (const bytes of answers) if (bytes.length > 0) expect([0x20, 0xf0]).to.include(bytes[0])
    expect(await gateway.metric('unserved_total')).to.be.above(HANDSHAKES / 40)
    await backTo(before)
  })

  /** Connects clients that send something and soon leave. Resolves with the bytes that each of them has received. */
  async function strike(count: number, bytesOf: (random: Random) => Uint8Array): Promise<Buffer[]> {
    const answers: Buffer[] = []
    let next = 0
    const worker = async () => {
      while (next < count) {
        const random = new Random(SEED, 2 + next++)
        const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
        const received: Buffer[] = []
        const closed = new Promise((resolve) => socket.once('close', resolve))
        socket.on('data', (chunk) => received.push(chunk))
        socket.write(bytesOf(random))
        await Promise.race([
          closed,
          once(socket, 'data').catch(() => {}),
          sleep(random.pick([0, 5, 30, 300])),
        ])
        if (random.oneIn(2)) socket.resetAndDestroy()
        else socket.end()
        await Promise.race([closed, sleep(50)])
        socket.destroy()
        answers.push(Buffer.concat(received))
      }
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    return answers
  }

  it('keeps little of what a broker sends before its CONNACK while the client does not read', async () => {
    // An AUTH with 16,000 bytes of authentication data.
    const auth = Buffer.concat([Buffer.from('f08b7d18887d1500024142163e80', 'hex'), Buffer.alloc(16_000)])
    const many = Buffer.concat(Array(10).fill(auth))
    let taken = 0
    answer = (socket) => {
      const more = () => {
        taken += many.length
        if (taken < 64 << 20 && !socket.destroyed) socket.write(many, more)
      }
      socket.once('data', more)
    }
    const socket = connect(gateway.port(), '127.0.0.1')
      .on('error', () => {})
      .pause()
    socket.write(connects[1]!)
    const { open } = gateway.gateway
    let kept = 0
    const keptNow = () => open.all()[0]?.socket.writableLength ?? 0
    // On a busy machine it takes a while until the operating system takes no more.
    await until(() => keptNow() > 0)
    for (const end = performance.now() + 1000; performance.now() < end; await sleep(10)) {
      kept = Math.max(kept, keptNow())
    }
    expect(taken).to.be.above(1 << 20)
    expect(kept).to.be.within(1, 1 << 20)
    socket.destroy()
    await until(() => open.total === 0)
  })

  it('keeps little of what a client sends while the broker does not read', async () => {
    answer = (socket) => {
      socket.once('data', () => {
        socket.write(connacks[1]!)
        socket.pause()
      })
    }
    const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
    socket.write(connects[1]!)
    await once(socket, 'data')
    const chunk = Buffer.alloc(1 << 20)
    let taken = 0
    const end = performance.now() + 1000
    while (performance.now() < end) {
      const flushed = await Promise.race([
        new Promise<boolean>((resolve) => socket.write(chunk, () => resolve(true))),
        sleep(300).then(() => false),
      ])
      if (!flushed) break
      taken += chunk.length
    }
    // Covers the kernel's buffers on both connections, and the gateway's high-water marks.
    expect(taken).to.be.below(32 << 20)
    socket.destroy()
    for (const one of broker.sockets) one.resume()
    await until(() => gateway.gateway.open.total === 0)
  })
})

/** Sends one byte per second. */
function trickle(socket: Socket, bytes: Uint8Array): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at >= bytes.length) clearInterval(timer)
    else socket.write(bytes.subarray(at, ++at))
  }, 1000)
  socket.once('close', () => clearInterval(timer))
}
