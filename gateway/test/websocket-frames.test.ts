import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { Random } from '../../fuzz/random.ts'
import { FakeBroker, Running, until, upstreamOf } from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const CONNACK = Buffer.from('2003000000', 'hex')

describe('gateway: WebSocket frames', function () {
  this.timeout(60_000)
  let received: Buffer[] = []
  let broker: FakeBroker
  let gateway: Running

  before(async () => {
    broker = await FakeBroker.start((socket) => {
      socket.on('data', (bytes) => received.push(bytes)).once('data', () => socket.write(CONNACK))
    })
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: [{ port: 0, websocket: {} }],
    })
  })

  beforeEach(() => {
    received = []
  })

  after(() => {
    gateway.close()
    broker.close()
  })

  /** A client whose frames are written by the test. `head` is sent together with the request. */
  async function open(
    head: Uint8Array = Buffer.alloc(0),
  ): Promise<{ socket: Socket; answers: () => Buffer }> {
    const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
    const request =
      'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n'
    socket.write(Buffer.concat([Buffer.from(request), head]))
    let all: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      all = Buffer.concat([all, bytes])
    })
    await until(() => all.includes('\r\n\r\n'))
    return { socket, answers: () => all.subarray(all.indexOf('\r\n\r\n') + 4) }
  }

  it('give the same bytes however they are cut, masked, mixed with pings and split into chunks', async () => {
    for (let seed = 0; seed < 30; seed++) {
      received = []
      const random = new Random(20_261_123, seed)
      const bytes = Buffer.concat([connect5, Buffer.alloc(200_000, `${seed} is a payload. `)])
      const frames: Buffer[] = []
      const pings: Buffer[] = []
      let isFirst = true
      for (let at = 0; at < bytes.length; ) {
        const size = random.pick([0, 1, 2, 125, 126, 127, 1000, 65_535, 65_536, 70_000])
        const contents = bytes.subarray(at, at + size)
        at += contents.length
        const isFinal = random.oneIn(2) || at === bytes.length
        frames.push(frame((isFinal ? 0x80 : 0) | (isFirst ? 2 : 0), contents, random))
        isFirst = isFinal
        // Only a few, so that the answers to all of them fit.
        if (!random.oneIn(3) || pings.length > 20) continue
        pings.push(Buffer.alloc(random.int(0, 125), `${at}`))
        frames.push(frame(0x89, pings.at(-1)!, random))
      }
      const wire = Buffer.concat(frames)
      const withRequest = random.oneIn(2) ? random.int(0, 200) : 0
      const { socket, answers } = await open(wire.subarray(0, withRequest))
      for (let at = withRequest; at < wire.length; ) {
        const size = random.pick([1, 2, 7, 100, 70_000])
        socket.write(wire.subarray(at, at + size))
        at += size
        if (random.oneIn(10)) await new Promise((resolve) => setImmediate(resolve))
      }
      const expected = [...pings.map((ping) => answer(0x8a, ping)), answer(0x82, CONNACK)]
      const length = expected.reduce((sum, one) => sum + one.length, 0)
      await until(() => answers().length >= length)
      await until(() => received.reduce((sum, one) => sum + one.length, 0) >= bytes.length)
      expect(Buffer.concat(received).equals(bytes), `seed ${seed}`).to.equal(true)
      expect(answers()).to.have.length(length)
      for (const pong of expected) expect(answers().includes(pong), `seed ${seed}`).to.equal(true)
      socket.destroy()
    }
  })

  const broken = 'broke the rules of WebSocket: '
  const text = 'sent a text message instead of a binary one'
  const invalid: Readonly<Record<string, readonly [hex: string, status: number, reason: string]>> = {
    'a frame without a mask': ['8202c000', 1002, broken],
    'a reserved bit': ['c28000000000', 1002, broken],
    'a reserved opcode of data': ['838000000000', 1002, broken],
    'a reserved opcode of control': ['8b8000000000', 1002, broken],
    'a continuation of nothing': ['808000000000', 1002, broken],
    'a new message within another': ['028000000000828000000000', 1002, broken],
    'half a control frame': ['098000000000', 1002, broken],
    'a control frame that is too long': ['89fe007e00000000', 1002, broken],
    'an impossible length': ['82ffffffffffffffffff00000000', 1009, broken],
    'a text message': ['818000000000', 1003, text],
    'the begin of a text message': ['018000000000', 1003, text],
    'a status that no client may send': ['88820000000003ed', 1002, broken],
  }
  for (const [what, [hex, status, reason]] of Object.entries(invalid)) {
    it(`end the connection with ${status} for ${what}, and what follows is not forwarded`, async () => {
      const { socket, answers } = await open()
      socket.write(Buffer.concat([frame(0x82, connect5)]))
      await until(() => answers().length === CONNACK.length + 2)
      const before = frame(0x82, Buffer.from('c000', 'hex'))
      const after = frame(0x82, Buffer.from('e000', 'hex'))
      socket.write(Buffer.concat([before, Buffer.from(hex, 'hex'), after]))
      await once(socket, 'close')
      expect(
        answers()
          .subarray(CONNACK.length + 2, CONNACK.length + 4)
          .toString('hex'),
      ).to.equal('8802')
      expect(answers().readUInt16BE(CONNACK.length + 4)).to.equal(status)
      expect(Buffer.concat(received).subarray(connect5.length).toString('hex')).to.equal('c000')
      await until(() => gateway.gateway.open.total === 0)
      const { ending, cause } = gateway.report.sessions.at(-1)!
      expect(ending).to.equal('client')
      expect(cause).to.contain(`the client ${reason}`)
    })

    it(`are refused with a reason in the log for ${what} before the CONNECT and in the middle of it`, async () => {
      for (const before of [Buffer.alloc(0), frame(0x82, connect5.subarray(0, 4))]) {
        const { length } = gateway.report.lines
        await open(Buffer.concat([before, Buffer.from(hex, 'hex')]))
        await until(() => gateway.report.lines.length > length)
        expect(gateway.report.lines[length]).to.contain(`refused the client ${reason}`)
      }
    })
  }

  it('give the broker all that came before a close frame', async () => {
    const { socket } = await open()
    socket.write(
      Buffer.concat([frame(0x82, connect5), frame(0x82, Buffer.of(0xe0, 0)), frame(0x88, Buffer.of(3, 232))]),
    )
    await once(socket, 'close')
    expect(Buffer.concat(received).equals(Buffer.concat([connect5, Buffer.of(0xe0, 0)]))).to.equal(true)
  })
})

/** A client's frame. */
function frame(first: number, contents: Uint8Array, random?: Random): Buffer {
  const { length } = contents
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  header[0] = first
  header[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (header.length === 4) header.writeUInt16BE(length, 2)
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2)
  const mask = Buffer.from([0, 1, 2, 3].map(() => random?.int(0, 255) ?? 0))
  return Buffer.concat([header, mask, contents.map((byte, i) => byte ^ mask[i & 3]!)])
}

/** The gateway's frame. */
function answer(first: number, contents: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(first, contents.length), contents])
}
