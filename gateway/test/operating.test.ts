import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { connack, readConnect } from 'mqtt-connect-packet'
import { GatewayProgram } from './gateway-program.ts'
import { FakeBroker, Folder, freePort, needs, refusalCode, upstreamOf } from './support.ts'

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
    const all = {
      upstreams: [upstreamOf(broker)],
      route: { health: { interval: 0.2, failures: 1 } },
      ...config,
    }
    program = new GatewayProgram('--config', folder.write('gateway.json', JSON.stringify(all)))
    return program
  }

  it('blames itself and not the broker if it has no file descriptor left', async function () {
    if (process.platform !== 'linux') this.skip()
    needs(this, 'prlimit')
    const { process: child } = run({ listeners: [{ port: await freePort() }] })
    const port = await program!.port()
    expect(await refusalCode(port, { protocolVersion: 5 })).to.equal('accepted')
    await new Promise((resolve) => setTimeout(resolve, 500))
    // One is left for the client, none for the connection to the broker. Linux gives out the lowest number.
    const used = new Set(readdirSync(`/proc/${child.pid}/fd`).map(Number))
    let limit = 0
    for (let free = 0; free < 1; limit++) if (!used.has(limit)) free++
    const setLimit = (most: number) => execFileSync('prlimit', ['--pid', `${child.pid}`, `--nofile=${most}:`])
    setLimit(limit)
    expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(0x88)
    await program!.printed(/no connection to a broker: the gateway has no file descriptor left/)
    // For some health checks too.
    setLimit(limit - 1)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    setLimit(1024)
    expect(await refusalCode(port, { protocolVersion: 5 })).to.equal('accepted')
    expect(program!.output).not.to.contain('does not answer')
  })
})
