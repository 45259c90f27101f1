import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { GatewayProgram } from './gateway-program.ts'
import { FakeBroker, Folder, freePort, needs, refusalCode, sleep, until, upstreamOf } from './support.ts'

describe('gateway: the program in trouble', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let program: GatewayProgram | undefined

  before(async () => {
    broker = await FakeBroker.answering()
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

    const setLimit = (most: number, hardLimit: number | '' = '') =>
      execFileSync('prlimit', ['--pid', `${program!.process.pid}`, `--nofile=${most}:${hardLimit}`])
    const health = { failures: 1, timeout: 1, interval: 1000 }

    it('blames itself and not the broker', async () => {
      const port = await run({ listeners: [{ port: 0 }], route: { health } }).port()
      expect(await refusalCode(port, { protocolVersion: 5 })).to.equal('accepted')
      await sleep(500)
      // Leaves one file descriptor for the client and none for the connection to the broker. Linux always assigns the lowest
      // free number.
      const used = new Set(readdirSync(`/proc/${program!.process.pid}/fd`).map(Number))
      let lowest = 0
      while (used.has(lowest)) lowest++
      setLimit(lowest + 1)
      expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(0x88)
      await program!.printed(/the gateway has no file descriptor left/)
      expect(program!.output).not.to.contain('does not answer')
    })

    it('does not mark a broker down because it cannot ask it', async () => {
      const route = { health: { ...health, interval: 0.1 } }
      const port = await run({ listeners: [{ port: 0 }], route }).port()
      setLimit(3)
      await sleep(1000)
      setLimit(1024)
      expect(await refusalCode(port)).to.equal('accepted')
      expect(program!.output).not.to.contain('does not answer')
    })

    for (const [what, size] of [
      ['', undefined],
      [', with an authentication service', 20],
    ] as const) {
      it(`refuses connections in time, because a worker that cannot take one would get no more${what}`, async () => {
        const service = createHttpServer((request, response) => {
          request.resume().on('end', () => response.end('{"result":"allow"}'))
        }).listen(0, '127.0.0.1')
        await once(service, 'listening')
        const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
        const authentication = size && { http: { url, concurrency: size } }
        // Nothing but the limit closes a connection.
        const limits = { handshakeTimeout: 120 }
        run({ listeners: [{ port: await freePort() }], workers: 2, authentication, limits })
        // Before the workers start. At its start, Node raises the soft limit to the hard one.
        setLimit(256, 256)
        const port = await program!.port()
        const sockets: Socket[] = []
        let closed = 0
        const open = () => {
          const socket = connect(port, '127.0.0.1').on('error', () => {})
          socket.on('close', () => closed++).resume()
          sockets.push(socket)
          return once(socket, 'connect')
        }
        for (let i = 0; i < 400; i++) await open()
        const room = 2 * Math.floor((256 - 128 - 2 * (1 + (size ?? 0))) / 2)
        const isFull = () => sockets.length - closed === room
        // A worker that hardly ran until now may still have room.
        await until(() => {
          if (sockets.length - closed < room) open().catch(() => {})
          return isFull()
        })
        await sleep(300)
        expect(isFull(), `${sockets.length} opened, ${closed} closed, room for ${room}`).to.equal(true)
        for (const socket of sockets) socket.destroy()
        await until(() => closed === sockets.length)
        for (let i = 0; i < 10; i++) expect(await refusalCode(port)).to.equal('accepted')
        program!.process.kill('SIGTERM')
        expect((await program!.end()).output).to.match(/"limits":\{"descriptors":/)
        service.close()
      })
    }

    it('goes on without a worker that cannot be replaced, and replaces it later', async () => {
      const port = await run({ listeners: [{ port: await freePort() }], workers: 2 }).port()
      const { pid } = program!.process
      const workers = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
      setLimit(3)
      const [first] = workers()
      process.kill(Number(first), 'SIGKILL')
      await program!.printed(/A worker can't be started, so the gateway tries again: /)
      expect(workers()).to.have.length(1)
      setLimit(1024)
      expect(await refusalCode(port)).to.equal('accepted')
      await until(() => workers().length === 2)
      program!.process.kill('SIGTERM')
      expect((await program!.end()).code).to.equal(0)
    })
  })

  describe('that gets SIGHUP while it starts', () => {
    for (const workers of [1, 2]) {
      it(`goes on, and reloads once it has started: ${workers} ${workers === 1 ? 'process' : 'workers'}`, async () => {
        const loading = join(folder.path, `loading-${workers}-`)
        // Every process that loads this module records that, and then blocks for a while.
        const text = `require('node:fs').writeFileSync(${JSON.stringify(loading)} + process.pid, '')
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
          module.exports = () => ({ result: 'allow' })`
        const file = folder.write(`slow-${workers}.cjs`, text)
        const isLoading = () =>
          readdirSync(folder.path).filter((name) => name.startsWith(`loading-${workers}-`)).length === workers
        run({ listeners: [{ port: await freePort() }], workers, authentication: { module: { file } } })
        await until(isLoading)
        program!.signalGroup('SIGHUP')
        const port = await program!.port()
        await program!.printed(/The configuration has been reloaded/)
        expect(await refusalCode(port)).to.equal('accepted')
        expect(program!.output).not.to.contain('has ended')
      })
    }
  })

  it('ends with SIGTERM even if a worker hangs', async function () {
    if (process.platform !== 'linux') this.skip()
    const port = await run({ listeners: [{ port: await freePort() }], workers: 2 }).port()
    const { pid } = program!.process
    const [hanging] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    expect(await refusalCode(port)).to.equal('accepted')
    process.kill(hanging!, 'SIGSTOP')
    try {
      program!.process.kill('SIGTERM')
      await until(() => program!.process.exitCode !== null)
      expect(program!.process.exitCode).to.equal(0)
      expect(program!.output).to.contain('A worker hangs and is killed')
    } finally {
      if (program!.process.exitCode === null) process.kill(hanging!, 'SIGKILL')
    }
  })

  it('ends with SIGTERM even if a worker hangs before it listens', async function () {
    if (process.platform !== 'linux') this.skip()
    await run({ listeners: [{ port: await freePort() }], workers: 2 }).port()
    const { pid } = program!.process
    const workers = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    const before = workers()
    process.kill(before[0]!, 'SIGKILL')
    let hanging: number | undefined
    await until(() => {
      hanging = workers().find((worker) => !before.includes(worker))
      // Before that, it's still a copy of the primary, which waits for it.
      return (
        hanging !== undefined && readFileSync(`/proc/${hanging}/environ`, 'utf8').includes('NODE_UNIQUE_ID')
      )
    })
    // A new process needs much longer than this to load its modules.
    process.kill(hanging!, 'SIGSTOP')
    try {
      program!.process.kill('SIGTERM')
      await until(() => program!.process.exitCode !== null)
      expect(program!.process.exitCode).to.equal(0)
    } finally {
      if (program!.process.exitCode === null) process.kill(hanging!, 'SIGKILL')
    }
  })

  it('ends with SIGTERM even if no worker has got to the end of its module yet', async function () {
    if (process.platform !== 'linux') this.skip()
    const file = folder.write('endless.mjs', "console.log('module begins')\nfor (;;) {}\n")
    run({ listeners: [{ port: await freePort() }], workers: 2, authentication: { module: { file } } })
    const { pid } = program!.process
    await program!.printed(/module begins/)
    const [worker] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    program!.process.kill('SIGTERM')
    try {
      expect((await program!.end()).code).to.equal(0)
      await until(() => !existsSync(`/proc/${worker}`))
    } finally {
      if (existsSync(`/proc/${worker}`)) program!.signalGroup('SIGKILL')
    }
  })

  it('shows the metrics of all workers while one of them hangs', async function () {
    if (process.platform !== 'linux') this.skip()
    const [port, admin] = [await freePort(), await freePort()]
    await run({ listeners: [{ port }], admin: { port: admin }, workers: 2 }).port()
    const { pid } = program!.process
    const [hanging] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    const scrape = async () => {
      const response = await fetch(`http://127.0.0.1:${admin}/metrics`)
      const text = await response.text()
      const value = (name: string) =>
        Number(new RegExp(`^mqtt_gateway_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1])
      return { status: response.status, total: value('connections_total'), silent: value('workers_silent') }
    }
    for (let i = 0; i < 4; i++) expect(await refusalCode(port)).to.equal('accepted')
    expect(await scrape()).to.include({ status: 200, total: 4 })
    process.kill(hanging!, 'SIGSTOP')
    try {
      // The metrics are computed anew then.
      await sleep(200)
      for (let i = 0; i < 2; i++) expect(await scrape()).to.deep.equal({ status: 200, total: 4, silent: 1 })
    } finally {
      process.kill(hanging!, 'SIGCONT')
    }
    await until(async () => (await scrape()).silent === 0)
    process.kill(hanging!, 'SIGKILL')
    await program!.printed(/has ended/)
    expect(await scrape()).to.include({ status: 200, silent: 0 })
  })
})
