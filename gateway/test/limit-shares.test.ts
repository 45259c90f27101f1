import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { shareOf } from '../lib/limit/shares.ts'
import { GatewayProgram } from './gateway-program.ts'
import { configOf, FakeBroker, Folder, freePort, sleep, until, upstreamOf } from './support.ts'

const WORKERS = 4

describe('gateway: limits that workers share', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const sockets: Socket[] = []
  let broker: FakeBroker
  let port: number
  let program: GatewayProgram | undefined

  before(async () => {
    broker = await FakeBroker.answering()
    port = await freePort()
  })

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  after(() => {
    program?.process.kill('SIGKILL')
    broker.close()
    folder.remove()
  })

  function configFile(config: object): string {
    const text = JSON.stringify({ listeners: [{ port }], upstreams: [upstreamOf(broker)], ...config })
    return folder.write('gateway.json', text)
  }

  /** Reloads the running program with these limits, because starting one takes a second. The first call starts it. */
  async function limit(limits: object): Promise<void> {
    const file = configFile({ workers: WORKERS, limits })
    if (program === undefined) {
      program = new GatewayProgram('--config', file)
      await program.port()
      return
    }
    const reloads = () => program!.output.split('has been reloaded').length
    const before = reloads()
    program.process.kill('SIGHUP')
    await until(() => reloads() === before + WORKERS)
  }

  /** Sends these bytes on 24 connections. Returns the number that stay open. */
  async function admitted(bytes: Uint8Array): Promise<number> {
    let open = 0
    let decided = 0
    for (let i = 0; i < 6 * WORKERS; i++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      open++
      socket.resume().once('close', () => {
        open--
        decided++
      })
      socket.write(bytes)
    }
    await until(() => decided >= 5 * WORKERS)
    await sleep(300)
    return open
  }

  const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c', userName: 'u' })
  const rate = { perSecond: 0.01, burst: WORKERS }
  const cases: Readonly<Record<string, readonly [limits: object, bytes: Uint8Array]>> = {
    openPerAddress: [{ openPerAddress: WORKERS + 3 }, bytes],
    pending: [{ pending: WORKERS }, bytes.subarray(0, 5)],
    perUser: [{ perUser: rate }, bytes],
  }
  for (const [name, [limits, sent]] of Object.entries(cases)) {
    it(`admit together no more than ${name} says, and as many if connections come evenly`, async () => {
      await limit(limits)
      expect(await admitted(sent)).to.equal(WORKERS)
    })
  }

  it('are rounded down', () => {
    const limits = { open: 11, openPerAddress: 7, total: { perSecond: 2, burst: 6 } }
    const share = shareOf(configOf({ limits }).limits, WORKERS)
    expect(share).to.deep.include({ open: 2, openPerAddress: 1, pending: 2500, perUser: null })
    expect(share.total).to.deep.equal({ perSecond: 0.5, burst: 1 })
  })

  it("are refused on a reload if the running workers can't share them", async () => {
    await limit({})
    // Valid with fewer workers.
    configFile({ limits: { openPerAddress: 1 } })
    program!.process.kill('SIGHUP')
    await program!.printed(/stays as it was: limits\.openPerAddress: 1 cannot be shared by 4 workers/)
  })
})
