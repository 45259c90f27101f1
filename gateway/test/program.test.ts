import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { v3_1_1 } from 'mqtt-connect-packet'
import { parseUsers, userLine } from '../lib/authenticate/users.ts'
import { explain, start } from '../lib/operate/command.ts'
import { jsonSchema } from '../lib/operate/schema.ts'
import { GatewayProgram, outputOf, root } from './gateway-program.ts'
import {
  connectClient,
  exchange,
  FakeBroker,
  Folder,
  freePort,
  refusalCode,
  sleep,
  until,
  upstreamOf,
} from './support.ts'

describe('gateway: the program', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const programs: GatewayProgram[] = []
  let broker: FakeBroker

  before(async () => {
    broker = await FakeBroker.answering()
  })

  afterEach(() => {
    for (const program of programs.splice(0)) program.process.kill('SIGKILL')
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  function run(...args: readonly string[]): GatewayProgram {
    const program = new GatewayProgram(...args)
    programs.push(program)
    return program
  }

  function configFile(config: unknown, name = 'gateway.json'): string {
    return folder.write(name, typeof config === 'string' ? config : JSON.stringify(config))
  }

  const status = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status

  it('has a clear line and its own exit code for each start-up mistake', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const file = (config: unknown, name: string) => ['--config', configFile(config, `${name}.json`)]
    const pem = folder.write('no.pem', 'no')
    const cases: readonly (readonly [args: string[], code: number, output: RegExp])[] = [
      [['--no-such-option'], 2, /no-such-option(.|\n)*--config FILE/],
      [['user', '--hlep'], 2, /^Unknown option '--hlep'/],
      [['--config', 'x', '--port', '1'], 2, /--port cannot be combined with --config/],
      [['--check'], 2, /^--check needs --config FILE/],
      [file({ authentication: { users: { file: '.' } } }, 'folder'), 3, /: is a folder$/],
      [['--config', join(folder.path, 'missing.json')], 3, /^\S+missing\.json: there is no such file$/],
      [file({ authentication: { users: { file: 'nobody' } } }, 'users'), 3, /nobody: there is no such file/],
      [
        file({ listeners: [{ tls: { certificates: [{ certificate: pem, key: pem }] } }] }, 'tls'),
        3,
        /no\.pem: has no certificate in PEM that can be read$/,
      ],
      [file({ authentication: { jwt: { keys: pem } } }, 'jwt'), 3, /no\.pem: is not a JWKS/],
      [
        file({ upstreams: [{ host: 'broker', tls: { authorities: pem } }] }, 'authorities'),
        3,
        /no\.pem: has no certificate in PEM/,
      ],
      [file('{\n', 'syntax'), 4, /syntax\.json is not JSON: line 2, column 1: expected a name/],
      [file({ limits: { open: 0 }, x: 1 }, 'invalid'), 4, /^limits\.open: .*\nx: there is no such option$/],
      [file({ listeners: [{ port }] }, 'taken'), 5, /^Port \d+ on 127\.0\.0\.1 is taken: /],
      [
        file({ listeners: [{ host: '192.0.2.1' }] }, 'foreign'),
        6,
        /^Cannot listen on 192\.0\.2\.1:1883: this machine doesn't have the address$/,
      ],
      [
        file({ listeners: [{ port: 0 }], admin: { port }, upstreams: [upstreamOf(broker)] }, 'admin'),
        5,
        /is taken/,
      ],
    ]
    for (const [args, code, output] of cases) {
      const [text, exitCode] = explain(await start(args).catch((error) => error))
      expect(text, args.join(' ')).to.match(output)
      expect(exitCode, args.join(' ')).to.equal(code)
    }
    const inWorkers = { listeners: [{ port }], workers: 2, upstreams: [upstreamOf(broker)] }
    const ended = await run('--config', configFile(inWorkers, 'workers.json')).end()
    expect(ended.output).to.match(/^Port \d+ on 127\.0\.0\.1 is taken/)
    expect(ended.code).to.equal(5)
    // Constructed, because a lookup without a resolver takes long to fail.
    const unknown = { code: 'ENOTFOUND', syscall: 'getaddrinfo' }
    expect(explain(Object.assign(new Error('getaddrinfo ENOTFOUND no.such.host'), unknown))).to.deep.equal([
      'Cannot listen: getaddrinfo ENOTFOUND no.such.host',
      6,
    ])
    const [badName, noPassword, dashed] = await Promise.all([
      run('user', '#a').end('secret\n'),
      run('user', 'a').end('\n'),
      run('user', '--', '--help').end('secret\n'),
    ])
    expect(badName)
      .to.include({ code: 2 })
      .and.property('output')
      .to.match(/^A user name has no line breaks/)
    expect(noPassword)
      .to.include({ code: 2 })
      .and.property('output')
      .to.match(/^The password is missing/)
    // Prints the help, and doesn't create a user called `--help`.
    expect(await outputOf('user', '--help')).to.match(/^A gateway that .*\n\n {2}mqtt-/)
    expect(dashed)
      .to.include({ code: 0 })
      .and.property('output')
      .to.match(/^--help:scrypt:/)
    taken.close()
  })

  it('checks and prints configurations, and prints the schema that is in the package', async () => {
    const path = configFile({ rewrite: { password: 'secret' } })
    const check = await run('--config', path, '--check').end()
    expect(check).to.deep.equal({ code: 0, output: 'The configuration is valid.\n' })
    const module = folder.write(
      'timer.mjs',
      'setInterval(() => {}, 1000); export default () => ({ allow: true })',
    )
    const withModule = configFile({ authentication: { module: { file: module } } }, 'timer.json')
    expect(await run('--config', withModule, '--check').end()).to.deep.equal(check)
    const print = await outputOf('--config', path, '--print-config')
    expect(JSON.parse(print)).to.deep.include({ workers: 1 })
    expect(print).not.to.contain('secret')
    expect(JSON.parse(await outputOf('--print-schema'))).to.deep.equal(jsonSchema())
    const stored = readFileSync(join(root, 'gateway', 'gateway.schema.json'), 'utf8')
    expect(JSON.parse(stored)).to.deep.equal(jsonSchema())
  })

  it('hashes the bytes of a password, whatever they are', async () => {
    // Neither UTF-8 nor without a line break.
    const bytes = Buffer.from('p\xe4ss\rdef\xff\xfe', 'latin1')
    const { output } = await run('user', 'a\u2028b').end(Buffer.concat([bytes, Buffer.from('\r\nmore\n')]))
    const [user] = parseUsers(output, 'users')
    expect(user?.[0]).to.equal('a\u2028b')
    expect((await user![1].derive(bytes)).equals(user![1].hash)).to.equal(true)
  })

  it('serves nobody with a configuration that is refused, because a listener can not have its port', async () => {
    const taken = createServer().listen({ host: 'localhost', port: 0 })
    await once(taken, 'listening')
    const [port, added] = [await freePort(), await freePort()]
    folder.write('users', '')
    const config = {
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: 'users' } },
      route: { health: { interval: null } },
    }
    const program = run('--config', configFile({ ...config, listeners: [{ port }] }, 'refused.json'))
    await program.port()
    const { port: other } = taken.address() as AddressInfo
    const listeners = [{ port }, { port: added, authentication: {} }, { host: 'localhost', port: other }]
    configFile({ ...config, listeners }, 'refused.json')
    let isOver = false
    const before = broker.sockets.length
    const knock = async () => {
      while (!isOver) {
        const socket = connect(added, '127.0.0.1').on('error', () => {})
        setTimeout(() => socket.destroy(), 300)
        socket.write(new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'a' }).bytes)
        await new Promise((resolve) => socket.on('close', resolve))
      }
    }
    const clients = Array.from({ length: 20 }, knock)
    for (let reloads = 1; reloads <= 20; reloads++) {
      program.process.kill('SIGHUP')
      await until(() => (program.output.match(/stays as it was/g) ?? []).length === reloads)
      await sleep(30)
    }
    isOver = true
    program.process.kill('SIGTERM')
    taken.close()
    await Promise.all([...clients, program.end()])
    expect(broker.sockets.length).to.equal(before)
  })

  it('prints a line for the users file, reloads on SIGHUP, and keeps the last good configuration', async () => {
    const { output, code } = await run('user', 'alice').end('pass word\n')
    expect(code).to.equal(0)
    folder.write('users', output)
    const port = await freePort()
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: 'users' } },
    }
    const program = run('--config', configFile(config, 'live.json'))
    await program.port()
    const as = (username: string, password: string) => refusalCode(port, { username, password })
    expect(await as('alice', 'pass word')).to.equal('accepted')
    expect(await as('bob', 'secret')).to.equal(4)
    const open = await connectClient(port, { username: 'alice', password: 'pass word' })
    folder.write('users', await userLine('bob', 'secret'))
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded/)
    expect(await as('bob', 'secret')).to.equal('accepted')
    expect(await as('alice', 'pass word')).to.equal(4)
    // With each worker counting for itself, a user could connect once per worker.
    const limits = { perUser: { perSecond: 0.001, burst: 2 } }
    configFile({ ...config, limits, workers: 2, admin: {}, log: {} }, 'live.json')
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded\. What changes only with a restart: admin, workers\./)
    expect(await as('bob', 'secret')).to.equal('accepted')
    configFile('{', 'live.json')
    program.process.kill('SIGHUP')
    await program.printed(/The configuration stays as it was: \S+live\.json is not JSON/)
    expect(await as('bob', 'secret')).to.equal('accepted')
    expect(open.connected).to.equal(true)
    await open.endAsync(true)
    expect(program.output)
      .to.contain('"packet"')
      .and.not.to.match(/pass word|secret/)
  })

  it('serves with several workers, sums their metrics, replaces one that ends, and drains on SIGTERM', async () => {
    const [port, admin] = [await freePort(), await freePort()]
    const config = {
      listeners: [{ port }],
      upstreams: [upstreamOf(broker)],
      admin: { port: admin },
      drain: { delay: 0.5, perSecond: 100 },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'workers.json'))
    await program.port()
    const clients = await Promise.all([1, 2, 3, 4].map((i) => connectClient(port, { clientId: `c${i}` })))
    await exchange(port, Buffer.from('c000', 'hex'))
    let metrics = ''
    const readMetrics = async () => {
      metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text()
    }
    // The client sees its connection close before the gateway has counted the end.
    await until(async () => {
      await readMetrics()
      return /^mqtt_gateway_connections_open\{listener="[\d.:]+"\} 4$/m.test(metrics)
    })
    expect(metrics).to.match(/^mqtt_gateway_connections_total\{listener="[\d.:]+"\} 5$/m)
    expect(metrics).to.match(/^mqtt_gateway_forwarded_total\{upstream="[\d.:]+"\} 4$/m)
    expect(metrics).to.match(/^mqtt_gateway_invalid_total\{listener="[\d.:]+",code="not-connect"\} 1$/m)
    if (process.platform === 'linux')
      for (const name of ['process_open_fds', 'process_max_fds'])
        expect(metrics).to.match(RegExp(`^${name} \\d+$`, 'm'))
    // Workers report the state of brokers five times a second.
    await until(async () => (await status(admin, '/readyz')) === 200)
    expect(
      await Promise.all(['/healthz', '/readyz', '/other'].map((path) => status(admin, path))),
    ).to.deep.equal([200, 200, 404])

    const { pid } = program.process
    const workers = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    if (process.platform === 'linux') {
      const before = workers()
      process.kill(Number(before[0]), 'SIGKILL')
      await program.printed(/A worker has ended \(SIGKILL\) and is replaced/)
      await until(() => workers().length === 2 && !workers().includes(before[0]!))
      expect(await refusalCode(port)).to.equal('accepted')
      // A client doesn't wait until the gateway has counted its end, nor the gateway until its other clients know theirs.
      await until(async () => {
        await readMetrics()
        const left = clients.filter(({ connected }) => connected).length
        return RegExp(`^mqtt_gateway_connections_open\\{.*\\} ${left}$`, 'm').test(metrics)
      })
      expect(metrics, 'sums over ended workers, too').to.match(/^mqtt_gateway_connections_total\{.*\} 6$/m)
      expect(metrics).to.match(/^mqtt_gateway_handshake_seconds_count 5$/m)
    }

    configFile('{ invalid', 'workers.json')
    program.process.kill('SIGHUP')
    await program.printed(/The configuration stays as it was: /)
    if (process.platform === 'linux') {
      const before = workers()
      for (const worker of before) process.kill(Number(worker), 'SIGKILL')
      await until(() => workers().length === 2 && !before.some((worker) => workers().includes(worker)))
      await until(async () => (await refusalCode(port)) === 'accepted', 10_000)
      expect(program.output).not.to.contain('A worker has ended (4)')
      clients.push(await connectClient(port, { clientId: 'c5' }))
    }

    configFile({ ...config, limits: { packetSize: 10 } }, 'workers.json')
    program.process.kill('SIGHUP')
    // A worker that has just started begins with the new configuration, or reloads it.
    const bothRefuse = async () =>
      (await refusalCode(port)) === 'closed' && (await refusalCode(port)) === 'closed'
    await until(bothRefuse, 20_000)

    program.process.kill('SIGTERM')
    await until(async () => (await status(admin, '/readyz')) === 503)
    expect(await status(admin, '/healthz')).to.equal(200)
    expect(clients.some(({ connected }) => connected)).to.equal(true)
    expect((await program.end()).code).to.equal(0)
    for (const client of clients) client.end(true)
  })

  it('takes brokers from a reload after starting with the embedded one, and goes back to it', async () => {
    const port = await freePort()
    const config = { listeners: [{ port }] }
    const program = run('--config', configFile(config, 'embedded.json'))
    await program.port()
    expect(await refusalCode(port)).to.equal('accepted')
    configFile({ ...config, upstreams: [{ host: '127.0.0.1', port: 1 }] }, 'embedded.json')
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded/)
    expect(await refusalCode(port)).to.equal(3)
    configFile(config, 'embedded.json')
    program.process.kill('SIGHUP')
    await program.printed(/has been reloaded(.|\n)*has been reloaded/)
    expect(await refusalCode(port)).to.equal('accepted')
  })

  it('serves and ends if its log cannot be written', async function () {
    if (process.platform !== 'linux') this.skip()
    const port = await freePort()
    const path = configFile({ listeners: [{ port }], upstreams: [upstreamOf(broker)] }, 'full.json')
    const full = openSync('/dev/full', 'w')
    const args = ['gateway/dist/main.js', '--config', path]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', full, 'ignore'] })
    try {
      await until(async () => (await refusalCode(port)) === 'accepted')
      for (let i = 0; i < 5; i++) expect(await refusalCode(port)).to.equal('accepted')
      child.kill('SIGTERM')
      await until(() => child.exitCode !== null)
      expect(child.exitCode).to.equal(0)
    } finally {
      child.kill('SIGKILL')
      closeSync(full)
    }
  })

  it('drains when all its processes get SIGTERM', async () => {
    const port = await freePort()
    const config = { listeners: [{ port }], upstreams: [upstreamOf(broker)], drain: { delay: 1 }, workers: 2 }
    const program = run('--config', configFile(config, 'group.json'))
    await program.port()
    const client = await connectClient(port)
    const began = performance.now()
    program.signalGroup('SIGTERM')
    await once(client as never, 'close')
    expect(performance.now() - began).to.be.above(900)
    expect((await program.end()).code).to.equal(0)
    client.end(true)
  })

  it('ends on SIGTERM while none of its workers runs', async function () {
    if (process.platform !== 'linux') this.skip()
    const config = {
      listeners: [{ port: 0 }],
      upstreams: [upstreamOf(broker)],
      admin: { port: await freePort() },
      workers: 2,
    }
    const program = run('--config', configFile(config, 'dead.json'))
    await program.port()
    const { pid } = program.process
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const worker of workers) process.kill(Number(worker), 'SIGKILL')
    await program.printed(/has ended(.|\n)*has ended/)
    program.process.kill('SIGTERM')
    await until(() => program.process.exitCode !== null)
    expect(program.process.exitCode).to.equal(0)
  })
})
