import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { property, v5 } from 'mqtt-connect-packet'
import { exchange, FakeBroker, Folder, freePort, until, upstreamOf } from './support.ts'

/** The gateway's program. The environment may name an older build to test. */
const { GATEWAY } = process.env
const program = GATEWAY ?? join(import.meta.dirname, '..', 'dist', 'main.js')

/** The complete lines about a CONNECT. Other lines are about ends of sessions. */
function connects(text: string): { packet: { keepAlive: number; clientId: string } }[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line)).filter(({ packet }) => packet !== undefined)
}

describe('gateway: a log that nobody reads', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: ChildProcess | undefined
  let fifo = -1

  before(async () => {
    broker = await FakeBroker.answering((_packet, socket) => socket.end())
  })

  afterEach(() => {
    gateway?.kill('SIGKILL')
    if (fifo >= 0) closeSync(fifo)
    fifo = -1
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  it('that is read slowly has whole lines, with 2 workers', async function () {
    if (process.platform === 'win32') this.skip()
    const path = join(folder.path, 'slow-log')
    execFileSync('mkfifo', [path])
    fifo = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    const port = await freePort()
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      workers: 2,
      log: { format: 'text' },
    }
    const file = folder.write('slow.json', JSON.stringify(config))
    const own = openSync(path, 'w')
    gateway = spawn(process.execPath, [program, '--config', file], { stdio: ['ignore', own, 'pipe'] })
    closeSync(own)
    let log = ''
    /** Reads less than a line. */
    const read = () => {
      const buffer = Buffer.alloc(3000)
      try {
        log += buffer.toString('latin1', 0, readSync(fifo, buffer))
        return true
      } catch {
        return false
      }
    }
    await until(() => read() && /Listening on/.test(log))
    // The lines exceed the size up to which the system writes into a pipe at once, and the pipe is full most of the time.
    const props = Array.from({ length: 20 }, () =>
      property.userProperty('forged: '.repeat(30), 'refused: '.repeat(30)),
    )
    const { bytes } = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 0,
      clientId: 'x'.repeat(250),
      props,
    })
    const clients = Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let i = 0; i < 10; i++) await exchange(port, bytes)
      }),
    )
    // Each client has a line for its CONNECT and one for its session.
    await until(() => {
      read()
      return log.split('\n').length > 400
    })
    await clients
    const lines = log.split('\n').slice(0, -1)
    expect(lines.filter((line) => !/^\d{4}-\d\d-\d\dT/.test(line))).to.deep.equal([])
  })

  for (const workers of [1, 2]) {
    it(`stops neither the service nor SIGTERM, with ${workers} worker${workers > 1 ? 's' : ''}`, async function () {
      if (process.platform === 'win32') this.skip()
      const path = join(folder.path, `log-${workers}`)
      execFileSync('mkfifo', [path])
      // Opened for reading too, because opening would otherwise wait for a reader. Nothing is ever read.
      fifo = openSync(path, constants.O_RDWR)
      const port = await freePort()
      const config = folder.write(
        'gateway.json',
        JSON.stringify({ listeners: [{ port }], upstreams: [upstreamOf(broker)], workers }),
      )
      let output = ''
      gateway = spawn(process.execPath, [program, '--config', config], { stdio: ['ignore', fifo, 'pipe'] })
      gateway.stderr?.on('data', (text) => (output += text))
      await until(() => /Listening on/.test(output))
      // Each takes 1.5 KB of the pipe's 64 KB.
      const { bytes } = new v5.ConnectPacket({
        cleanStart: true,
        keepAlive: 0,
        clientId: '\u200b'.repeat(300),
      })
      for (let i = 0; i < 80; i++) {
        expect((await exchange(port, bytes)).toString('hex'), `client ${i}`).to.equal('2003000000')
      }
      gateway.kill('SIGTERM')
      await until(() => gateway?.exitCode !== null || gateway.signalCode !== null)
      expect(gateway.exitCode).to.equal(0)
    })
  }

  it('is written again as soon as somebody reads', async function () {
    if (process.platform === 'win32') this.skip()
    const port = await freePort()
    const config = folder.write(
      'gateway.json',
      JSON.stringify({ listeners: [{ port }], upstreams: [upstreamOf(broker)], log: { sessions: false } }),
    )
    gateway = spawn(process.execPath, [program, '--config', config], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    gateway.stderr?.on('data', (text) => (output += text))
    await until(() => /Listening on/.test(output))
    const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '\u200b'.repeat(300) })
    for (let i = 0; i < 60; i++) await exchange(port, bytes)
    let written = ''
    gateway.stdout?.on('data', (text) => (written += text))
    await until(() => connects(written).length === 60)
    for (const { packet } of connects(written)) expect(packet.keepAlive).to.equal(0)
  })

  it('is written again when a new reader follows one that has left', async function () {
    if (process.platform === 'win32') this.skip()
    const path = join(folder.path, 'log-readers')
    execFileSync('mkfifo', [path])
    const port = await freePort()
    const config = folder.write(
      'gateway.json',
      JSON.stringify({ listeners: [{ port }], upstreams: [upstreamOf(broker)], log: { sessions: false } }),
    )
    const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const end = openSync(path, constants.O_WRONLY)
    gateway = spawn(process.execPath, [program, '--config', config], { stdio: ['ignore', end, 'pipe'] })
    closeSync(end)
    let output = ''
    gateway.stderr?.on('data', (text) => (output += text))
    await until(() => /Listening on/.test(output))
    const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
    closeSync(first)
    await exchange(port, bytes)
    await exchange(port, bytes)
    fifo = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    expect((await exchange(port, bytes)).toString('hex')).to.equal('2003000000')
    const line = Buffer.alloc(1000)
    expect(connects(line.toString('utf8', 0, readSync(fifo, line)))[0]?.packet.clientId).to.equal('c')
  })
})
