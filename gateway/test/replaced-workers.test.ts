import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { userLine } from '../lib/authenticate/users.ts'
import { GatewayProgram } from './gateway-program.ts'
import { FakeBroker, Folder, freePort, refusalCode, sleep, until, upstreamOf } from './support.ts'

describe('gateway: a worker that crashes', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const programs: GatewayProgram[] = []
  let broker: FakeBroker

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    broker = await FakeBroker.answering()
  })

  afterEach(() => {
    for (const program of programs.splice(0)) program.process.kill('SIGKILL')
  })

  after(() => {
    broker?.close()
    folder.remove()
  })

  function run(...args: readonly string[]): GatewayProgram {
    const program = new GatewayProgram(...args)
    programs.push(program)
    return program
  }

  const childrenOf = ({ process: { pid } }: GatewayProgram): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

  /** The primary process loads no modules, so it doesn't notice that one is missing. */
  const missingModule = { authentication: { module: { file: 'missing.cjs' } } }
  const configFile = (config: unknown, name: string) => folder.write(name, JSON.stringify(config))

  it('replaces a worker with the configuration in force, even if only the workers refuse the new one', async function () {
    if (process.platform !== 'linux') this.skip()
    const port = await freePort()
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], workers: 2 }
    const program = run('--config', configFile(config, 'refused.json'))
    await program.port()
    configFile({ ...config, ...missingModule, limits: { packetSize: 10 } }, 'refused.json')
    program.process.kill('SIGHUP')
    await until(() => program.output.split('The configuration stays as it was: ').length >= 3)
    const workers = () => childrenOf(program)
    const before = workers()
    for (const worker of before) process.kill(worker, 'SIGKILL')
    await until(() => workers().length === 2 && !before.some((worker) => workers().includes(worker)))
    await until(async () => (await refusalCode(port)) === 'accepted', 10_000)
    expect(program.output).not.to.match(/A worker has ended \(\d\)/)
  })

  for (const [reason, hosts] of [
    ['a port was taken', ['127.0.0.1']],
    ['two new listeners had the same address', ['127.0.0.1', 'localhost']],
  ] as const) {
    it(`is replaced after a reload that failed because ${reason}, and one that succeeded`, async function () {
      if (process.platform !== 'linux' || (await lookup('localhost')).address !== '127.0.0.1') this.skip()
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const [port, second] = [await freePort(), (taken.address() as AddressInfo).port]
      if (hosts.length > 1) taken.close()
      const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], workers: 2 }
      const program = run('--config', configFile(config, 'taken.json'))
      await program.port()
      const added = hosts.map((host) => ({ host, port: second }))
      configFile({ ...config, listeners: [{ port }, ...added] }, 'taken.json')
      program.process.kill('SIGHUP')
      await program.printed(/The configuration stays as it was: .*EADDRINUSE/)
      taken.close()
      configFile({ ...config, listeners: [{ port }, { port: second }] }, 'taken.json')
      program.process.kill('SIGHUP')
      await until(() => program.output.split('has been reloaded').length === 3)
      const [first] = childrenOf(program)
      process.kill(first!, 'SIGKILL')
      await until(() => childrenOf(program).length === 2 && !childrenOf(program).includes(first!))
      await sleep(3000)
      expect(program.output).not.to.match(/A worker has ended \(\d\)/)
      expect(await refusalCode(second)).to.equal('accepted')
    })
  }

  it('replaces a worker with the users of the last reload, whatever their file has become since', async function () {
    if (process.platform !== 'linux') this.skip()
    const port = await freePort()
    const users = folder.write('workers-users', await userLine('ann', 'secret'))
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: users } },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'workers-users.json'))
    await program.port()
    const workers = () => childrenOf(program)
    const replaceAll = async () => {
      const before = workers()
      for (const worker of before) process.kill(worker, 'SIGKILL')
      await until(() => workers().length === 2 && !before.some((worker) => workers().includes(worker)))
      await until(
        async () => typeof (await login('ann')) === 'number' || (await login('ann')) === 'accepted',
        10_000,
      )
    }
    const login = (username: string) => refusalCode(port, { username, password: 'secret' })

    folder.write('workers-users', 'no user file')
    await replaceAll()
    for (let i = 0; i < 4; i++) expect(await login('ann')).to.equal('accepted')

    folder.write('workers-users', await userLine('bob', 'secret'))
    program.process.kill('SIGHUP')
    await until(() => program.output.split('has been reloaded').length === 3)
    folder.write('workers-users', await userLine('ann', 'secret'))
    await replaceAll()
    for (let i = 0; i < 4; i++) expect(await login('bob')).to.equal('accepted')
    for (let i = 0; i < 4; i++) expect(await login('ann')).to.equal(4)
    expect(program.output).not.to.contain('A worker has ended (3)')
  })

  it('has a replacement with the new users, although it has started while the others were about to load them', async () => {
    const port = await freePort()
    const users = folder.write('new-users', await userLine('ann', 'secret'))
    const block = folder.write(
      'block.cjs',
      `module.exports = ({ userName }) => {
         if (userName === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)
         return { result: 'ignore' }
       }`,
    )
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      authentication: { module: { file: block }, users: { file: users } },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'new-users.json'))
    await program.port()
    const workers = () => childrenOf(program)
    const login = (username: string) => refusalCode(port, { username, password: 'secret' })
    expect(await login('ann')).to.equal('accepted')

    process.kill(workers()[0]!, 'SIGKILL')
    await program.printed(/A worker has ended/)
    // The other worker is busy, so its reload comes after the start of the replacement.
    void login('block')
    await sleep(500)
    folder.write('new-users', await userLine('bob', 'secret'))
    program.process.kill('SIGHUP')
    // Only the primary process reads the file. The replacement has started with the old users, and gets the new ones later.
    await sleep(500)
    folder.write('new-users', 'no user file')
    // A replacement that starts later begins with the new users.
    await until(async () => (await login('ann')) === 4 && (await login('ann')) === 4, 20_000)
    await sleep(1000)
    for (let i = 0; i < 4; i++) expect(await login('ann')).to.equal(4)
    for (let i = 0; i < 4; i++) expect(await login('bob')).to.equal('accepted')
  })

  it('has a replacement with the users of the last reload, also after two reloads of which the first took longer', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const users = folder.write('twice-users', await userLine('ann', 'secret'))
    const configWith = (...ports: readonly number[]) => ({
      listeners: ports.map((each) => ({ port: each })),
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: users } },
      workers: 2,
    })
    const program = run('--config', configFile(configWith(port), 'twice.json'))
    await program.port()
    configFile(configWith(port, other), 'twice.json')
    program.process.kill('SIGHUP')
    await sleep(15)
    program.process.kill('SIGHUP')
    await until(() => program.output.split('has been reloaded').length >= 3)
    await sleep(1000)
    folder.write('twice-users', 'no user file')
    const [first] = childrenOf(program)
    process.kill(first!, 'SIGKILL')
    await until(() => childrenOf(program).length === 2 && !childrenOf(program).includes(first!))
    await sleep(2000)
    expect(program.output.split('A worker has ended')).to.have.length(2)
  })

  it('has a replacement with the users of a reload that came while no worker listened', async () => {
    const port = await freePort()
    const users = folder.write('no-worker', await userLine('ann', 'secret'))
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: users } },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'no-worker.json'))
    await program.port()
    for (const worker of childrenOf(program)) process.kill(worker, 'SIGKILL')
    await until(() => childrenOf(program).length === 0)
    folder.write('no-worker', await userLine('bob', 'secret'))
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded, and workers that start will have it/)
    const login = (username: string) => refusalCode(port, { username, password: 'secret' })
    await until(() => childrenOf(program).length === 2)
    await until(async () => (await login('bob')) === 'accepted', 10_000)
    for (let i = 0; i < 4; i++) expect(await login('ann')).to.equal(4)
  })

  it('gets the configuration in force if none can start with one that came while no worker listened', async () => {
    const port = await freePort()
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], workers: 2 }
    const program = run('--config', configFile(config, 'no-start.json'))
    await program.port()
    for (const worker of childrenOf(program)) process.kill(worker, 'SIGKILL')
    await until(() => program.output.split('A worker has ended (SIGKILL)').length === 3)
    configFile({ ...config, ...missingModule }, 'no-start.json')
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded, and workers that start will have it/)
    await program.printed(/A worker can't start with the reloaded configuration/)
    await until(async () => (await refusalCode(port, {}).catch(() => 'not yet')) === 'accepted', 10_000)
  })

  it('is replaced although its module has crashed after a reload, because the primary process does not load modules', async () => {
    const port = await freePort()
    const file = folder.write(
      'crash.cjs',
      `const { writeFileSync } = require('node:fs')
       writeFileSync(${JSON.stringify(folder.path)} + '/crash-' + process.pid, '')
       module.exports = ({ userName }) => {
         if (userName === 'crash') setTimeout(() => { throw new Error('boom') })
         return { result: 'allow' }
       }`,
    )
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      authentication: { module: { file } },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'crash.json'))
    await program.port()
    program.process.kill('SIGHUP')
    await until(() => program.output.split('has been reloaded').length === 3)
    const loaded = readdirSync(folder.path).filter((name) => name.startsWith('crash-'))
    expect(loaded).to.have.members(childrenOf(program).map((pid) => `crash-${pid}`))
    await refusalCode(port, { username: 'crash' })
    await program.printed(/A worker has ended \(1\) and is replaced/)
    await until(async () => (await refusalCode(port, { username: 'ann' })) === 'accepted', 10_000)
  })

  it('is replaced although the others have not started yet', async () => {
    const port = await freePort()
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], workers: 2 }
    const program = run('--config', configFile(config, 'early.json'))
    await until(() => childrenOf(program).length === 2)
    const [first, second] = childrenOf(program) as [number, number]
    // A child that is stopped before it has its own environment would stop its parent, too.
    await until(() => readFileSync(`/proc/${second}/environ`, 'utf8').includes('NODE_UNIQUE_ID'))
    process.kill(second, 'SIGSTOP')
    // On a busy machine, the stopped worker may have started already. It doesn't answer, and the next client gets the other one.
    await until(async () => (await Promise.race([refusalCode(port), sleep(1000)])) === 'accepted', 20_000)
    process.kill(first, 'SIGKILL')
    await sleep(100)
    process.kill(second, 'SIGCONT')
    await program.printed(/A worker has ended \(SIGKILL\) and is replaced/)
    await until(() => childrenOf(program).length === 2)
    await program.port()
  })
})
