import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { shareOf } from '../lib/limit/shares.ts'
import { GatewayProgram } from './gateway-program.ts'
import { configOf, FakeBroker, Folder, freePort, sleep, until, upstreamOf } from './support.ts'

const WORKERS = 4

describe('gateway: limits that workers share', function () {
  this.timeout(40_000)
  const folder = new Folder()
  const sockets: Socket[] = []
  let broker: FakeBroker
  let program: GatewayProgram | undefined

  before(async () => {
    broker = await FakeBroker.answering()
  })

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    program?.process.kill('SIGKILL')
    program = undefined
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  async function start(limits: object): Promise<number> {
    const port = await freePort()
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], workers: WORKERS, limits }
    program = new GatewayProgram('--config', folder.write('gateway.json', JSON.stringify(config)))
    await program.port()
    return port
  }

  /** Of 24 connections, how many are still open after what they receive, if anything. */
  async function admitted(port: number, bytes: Uint8Array): Promise<number> {
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
      expect(await admitted(await start(limits), sent)).to.equal(WORKERS)
    })
  }

  it('are rounded down', () => {
    const limits = { open: 11, openPerAddress: 7, total: { perSecond: 2, burst: 6 } }
    const share = shareOf(configOf({ limits }).limits, WORKERS)
    expect(share).to.deep.include({ open: 2, openPerAddress: 1, pending: 2500, perUser: null })
    expect(share.total).to.deep.equal({ perSecond: 0.5, burst: 1 })
  })

  it('are refused in a reload if those that run could not share them', async () => {
    const port = await start({})
    // With fewer workers it would be valid.
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], limits: { openPerAddress: 1 } }
    folder.write('gateway.json', JSON.stringify(config))
    program!.process.kill('SIGHUP')
    await program!.printed(/stays as it was: limits\.openPerAddress: 1 cannot be shared by 4 workers/)
  })
})
