import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { GatewayProgram, root } from './gateway-program.ts'
import { FakeBroker, Folder, freePort, sleep, until, upstreamOf } from './support.ts'

const CLIENTS = 300
/** Their log lines, about 450 bytes each, exceed the buffer of a pipe (208 KiB on Linux) and what its paused reader takes in. */
const MANY_CLIENTS = 900

describe('gateway: the last lines of its log', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let sockets: Socket[] = []

  before(async () => {
    broker = await FakeBroker.answering()
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(() => {
    broker.close()
    folder.remove()
  })

  /** Opens sessions that stay open. */
  async function open(port: number, clients = CLIENTS): Promise<void> {
    sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(
      sockets.map(async (socket, i) => {
        const clientId = `${i}-${'x'.repeat(200)}`
        socket.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId }).bytes)
        await once(socket, 'data')
      }),
    )
  }

  const write = async (more: object = {}) => {
    const port = await freePort()
    const drain = { perSecond: 20, timeout: 1 }
    const text = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      drain,
      log: { connects: false },
      ...more,
    }
    return { port, config: folder.write('gateway.json', JSON.stringify(text)) }
  }

  function endings(output: string): Record<string, number> {
    const lines = output.split('\n').filter((line) => line.includes('"session"'))
    const all = lines.map((line) => JSON.parse(line).session as { ending: string; clientId: string })
    expect(new Set(all.map(({ clientId }) => clientId)).size, 'one line each').to.equal(all.length)
    return Object.fromEntries(
      [...new Set(all.map(({ ending }) => ending))].map((ending) => [
        ending,
        all.filter((session) => session.ending === ending).length,
      ]),
    )
  }

  for (const [what, more] of Object.entries({
    'closing TCP': {},
    'DISCONNECT packets': { drain: { perSecond: 20, timeout: 1, notify: true, discardWills: true } },
    'two workers': { workers: 2 },
  })) {
    it(`are about every session left at the end of the drain, with ${what}`, async () => {
      const { port, config } = await write(more)
      const program = new GatewayProgram('--config', config)
      await program.port()
      await open(port)
      program.process.kill('SIGTERM')
      await sleep(300)
      // The second signal has no effect.
      program.process.kill('SIGTERM')
      const { code, output } = await program.end()
      expect(code).to.equal(0)
      const { drained = 0, stopped = 0, ...others } = endings(output)
      expect(others).to.deep.equal({})
      expect(drained).to.be.within(10, 60)
      expect(drained + stopped).to.equal(CLIENTS)
    })
  }

  for (const [what, { isDraining = false, workers = 1 }] of Object.entries({
    ends: {},
    'ends during a drain': { isDraining: true },
    'ends in a terminal, which sends it to all processes': { workers: 2 },
  } as Record<string, { isDraining?: boolean; workers?: number }>)) {
    it(`are about every session that SIGINT ${what}`, async () => {
      const { port, config } = await write({ drain: { perSecond: 20, timeout: 60 }, workers })
      const program = new GatewayProgram('--config', config)
      await program.port()
      await open(port)
      if (isDraining) {
        program.process.kill('SIGTERM')
        await sleep(300)
      }
      program.signalGroup('SIGINT')
      // A worker gets the signal of the primary process some time after its own.
      for (let i = 0; workers > 1 && i < 10; i++) {
        await sleep(3)
        program.signalGroup('SIGINT')
      }
      const { code, output } = await program.end()
      expect(code).to.equal(0)
      const { drained = 0, stopped = 0 } = endings(output)
      expect(drained + stopped).to.equal(CLIENTS)
      expect(drained > 0).to.equal(isDraining)
    })
  }

  it('reach a reader that is slow', async () => {
    const { port, config } = await write()
    const program = new GatewayProgram('--config', config)
    await program.port()
    await open(port, MANY_CLIENTS)
    program.process.stdout!.pause()
    program.process.kill('SIGINT')
    // After two seconds the program would give up.
    await sleep(700)
    expect(program.process.exitCode).to.equal(null)
    program.process.stdout!.resume()
    const { output } = await program.end()
    expect(endings(output)).to.deep.equal({ stopped: MANY_CLIENTS })
  })

  it('reach a file', async () => {
    const { port, config } = await write()
    const path = join(folder.path, 'log')
    const args = ['gateway/dist/main.js', '--config', config]
    const process = spawn(globalThis.process.execPath, args, {
      cwd: root,
      stdio: ['ignore', openSync(path, 'w'), 'pipe'],
    })
    try {
      await once(process.stderr!, 'data')
      await open(port)
      process.kill('SIGINT')
      await until(() => process.exitCode !== null)
      expect(endings(readFileSync(path, 'utf8'))).to.deep.equal({ stopped: CLIENTS })
    } finally {
      process.kill('SIGKILL')
    }
  })
})
