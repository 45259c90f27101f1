import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { connack, readConnect } from 'mqtt-connect-packet'
import { GatewayProgram } from './gateway-program.ts'
import { FakeBroker, Folder, needs, refusalCode, sleep, upstreamOf } from './support.ts'

describe('gateway: the program in trouble', function () {
  this.timeout(40_000)
  const folder = new Folder()
  let broker: FakeBroker
  let program: GatewayProgram | undefined

  before(async () => {
    broker = await FakeBroker.start(async (socket) => {
      const packet = await readConnect(socket).catch(() => undefined)
      if (packet) socket.write(connack(packet, 0)!.bytes)
    })
  })

  afterEach(() => {
    program?.process.kill('SIGKILL')
    program = undefined
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  function run(config: object): GatewayProgram {
    const text = JSON.stringify({ upstreams: [upstreamOf(broker)], ...config })
    program = new GatewayProgram('--config', folder.write('gateway.json', text))
    return program
  }

  describe('without file descriptors', () => {
    before(function () {
      if (process.platform !== 'linux') this.skip()
      needs(this, 'prlimit')
    })

    const setLimit = (most: number) =>
      execFileSync('prlimit', ['--pid', `${program!.process.pid}`, `--nofile=${most}:`])
    const health = { failures: 1, timeout: 1, interval: 1000 }

    it('blames itself and not the broker', async () => {
      const port = await run({ listeners: [{ port: 0 }], route: { health } }).port()
      expect(await refusalCode(port, { protocolVersion: 5 })).to.equal('accepted')
      await sleep(500)
      // One is left for the client, none for the connection to the broker. Linux gives out the lowest number.
      const used = new Set(readdirSync(`/proc/${program!.process.pid}/fd`).map(Number))
      let lowest = 0
      while (used.has(lowest)) lowest++
      setLimit(lowest + 1)
      expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(0x88)
      await program!.printed(/no connection to a broker: the gateway has no file descriptor left/)
      expect(program!.output).not.to.contain('does not answer')
    })

    it('does not take a broker for down because it cannot ask it', async () => {
      const route = { health: { ...health, interval: 0.1 } }
      const port = await run({ listeners: [{ port: 0 }], route }).port()
      setLimit(3)
      await sleep(1000)
      setLimit(1024)
      expect(await refusalCode(port)).to.equal('accepted')
      expect(program!.output).not.to.contain('does not answer')
    })
  })
})
