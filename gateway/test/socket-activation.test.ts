import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { v3_1_1 } from 'mqtt-connect-packet'
import { ConfigError } from '../lib/operate/config.ts'
import { inheritedSockets, keptSockets } from '../lib/operate/socket-activation.ts'
import { root } from './gateway-program.ts'
import { FakeBroker, Folder, freePort, needs, refusalCode, sleep, until, upstreamOf } from './support.ts'

describe('gateway: which sockets of systemd belong to which listener', () => {
  const listeners = [
    { name: 'one', host: '127.0.0.1', port: 1 },
    { host: '127.0.0.1', port: 2 },
    { name: 'three', host: '127.0.0.1', port: 3 },
  ]
  const socketsOf = (fds: number, names?: string, pid = 7) =>
    inheritedSockets(listeners, { LISTEN_PID: '7', LISTEN_FDS: `${fds}`, LISTEN_FDNAMES: names }, pid)

  it('follows from the order, if they have no names of listeners', () => {
    expect(socketsOf(3)).to.deep.equal([3, 4, 5])
    expect(socketsOf(2, 'mqtt.socket:mqtt.socket')).to.deep.equal([3, 4, undefined])
  })

  it('follows from the names, if one has that of a listener', () => {
    expect(socketsOf(2, 'three:one')).to.deep.equal([4, undefined, 3])
    expect(socketsOf(1, '127.0.0.1:2')).to.deep.equal([3, undefined, undefined])
  })

  it('is nothing without sockets, or if they are for another process', () => {
    expect(inheritedSockets(listeners, {})).to.deep.equal([undefined, undefined, undefined])
    expect(socketsOf(3, undefined, 8)).to.deep.equal([undefined, undefined, undefined])
  })

  it('follows from the order among those of the same name, as all sockets of one unit have', () => {
    const twins = ['0.0.0.0', '::'].map((host) => ({ name: 'mqtt', host, port: 1 }))
    const env = { LISTEN_PID: '7', LISTEN_FDS: '2', LISTEN_FDNAMES: 'mqtt:mqtt' }
    expect(inheritedSockets(twins, env, 7)).to.deep.equal([3, 4])
  })

  it('stays the same after a reload that moves, removes or adds listeners', () => {
    const [one, two, three] = listeners as [object, object, object] as typeof listeners
    const fds = [3, 4, undefined]
    expect(keptSockets(fds, listeners, [three!, two!, one!])).to.deep.equal([undefined, 4, 3])
    expect(keptSockets(fds, listeners, [two!])).to.deep.equal([4])
    expect(keptSockets(fds, listeners, [{ host: '::', port: 1 }, one!])).to.deep.equal([undefined, 3])
    const twins = [
      { host: '::', port: 0 },
      { host: '::', port: 0 },
    ]
    expect(keptSockets([3, 4], twins, twins)).to.deep.equal([3, 4])
  })

  it('is a mistake if one belongs to none', () => {
    expect(() => socketsOf(4)).to.throw(ConfigError, 'listeners: none is left for the socket 4 that')
    expect(() => socketsOf(2, 'one:four')).to.throw(
      ConfigError,
      'listeners: none is left for the socket four that',
    )
    expect(() => socketsOf(2, 'one:one')).to.throw(
      ConfigError,
      'listeners: none is left for the socket one that',
    )
  })
})

/**
 * Opens a socket and prints its port. For each line that it reads, it starts the gateway with that socket, and reports when the
 * gateway has ended.
 */
const systemd = `
import os, socket, subprocess, sys
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen(100)
s.set_inheritable(True)
print(s.getsockname()[1], flush=True)
for line in sys.stdin:
    env = { **os.environ, 'LISTEN_FDS': '1', 'LISTEN_FDNAMES': 'front' }
    p = subprocess.Popen(['sh', '-c', 'LISTEN_PID=$$ exec "$0" "$@"', *sys.argv[1:]], env=env, close_fds=False,
        preexec_fn=lambda: os.dup2(s.fileno(), 3))
    print('pid', p.pid, flush=True)
    p.wait()
    print('ended', flush=True)
`

describe('gateway: socket activation', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  const processes: ChildProcess[] = []

  before(async () => {
    broker = await FakeBroker.answering()
  })
  afterEach(() => {
    for (const one of processes.splice(0)) one.kill('SIGKILL')
  })
  after(() => {
    broker.close()
    folder.remove()
  })

  const write = (config: object) =>
    folder.write('gateway.json', JSON.stringify({ upstreams: [upstreamOf(broker)], ...config }))

  for (const workers of [1, 2]) {
    it(`keeps clients waiting while the gateway restarts, with ${workers} worker${workers > 1 ? 's' : ''}`, async function () {
      needs(this, 'python3')
      // The broker already uses this port, which is no conflict, because the gateway doesn't open it.
      const config = write({ listeners: [{ name: 'front', port: broker.port }], workers })
      const gateway = [process.execPath, join(root, 'gateway/dist/main.js'), '--config', config]
      const parent = spawn('python3', ['-c', systemd, ...gateway], { stdio: ['pipe', 'pipe', 'ignore'] })
      processes.push(parent)
      const lines: string[] = []
      createInterface({ input: parent.stdout! }).on('line', (line) => lines.push(line))
      await until(() => lines.length === 1)
      const port = Number(lines[0])
      const start = async () => {
        lines.length = 0
        parent.stdin!.write('\n')
        await until(() => lines.some((line) => line.startsWith('pid')), 20_000)
        return Number(lines.find((line) => line.startsWith('pid'))!.slice(4))
      }
      const first = await start()
      expect(await refusalCode(port)).to.equal('accepted')
      process.kill(first, 'SIGTERM')
      await until(() => lines.includes('ended'), 20_000)
      const client = connect(port, '127.0.0.1')
      client.write(new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' }).bytes)
      await once(client, 'connect')
      const second = await start()
      const [answer] = await once(client, 'data')
      expect(answer.toString('hex')).to.equal('20020000')
      client.destroy()
      process.kill(second, 'SIGTERM')
      await until(() => lines.includes('ended'), 20_000)
    })
  }

  it('ends with a clear line if systemd has opened a Unix socket', async function () {
    needs(this, 'systemd-socket-activate')
    const path = join(folder.path, 'socket')
    const gateway = [process.execPath, join(root, 'gateway/dist/main.js'), '--config', write({})]
    const program = spawn('systemd-socket-activate', ['-l', path, ...gateway], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    processes.push(program)
    let output = ''
    program.stderr!.on('data', (text) => (output += text))
    await until(() => output.includes(' as 3'))
    connect(path).on('error', () => {})
    await until(() => program.exitCode !== null)
    expect(output).to.contain("listeners[0]: the socket that systemd has opened isn't a TCP socket")
    expect(program.exitCode).to.equal(4)
  })

  it('works with systemd-socket-activate, and ends with the last worker, because only systemd has the sockets', async function () {
    needs(this, 'systemd-socket-activate', 'pgrep')
    const [one, two] = [await freePort(), await freePort()]
    const listeners = [
      { name: 'a', port: 1883 },
      { name: 'b', port: 1884, deny: ['127.0.0.1'] },
    ]
    const config = write({ listeners, workers: 2, log: { format: 'text' } })
    const sockets = ['-l', `127.0.0.1:${one}`, '-l', `127.0.0.1:${two}`, '--fdname=b:a']
    const gateway = [process.execPath, join(root, 'gateway/dist/main.js'), '--config', config]
    const program = spawn('systemd-socket-activate', [...sockets, ...gateway], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    processes.push(program)
    let output = ''
    for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (text) => (output += text))
    await until(() => output.includes(`:${two} as 4`))
    expect(await refusalCode(one)).not.to.equal('accepted')
    expect(await refusalCode(two)).to.equal('accepted')
    await until(() => output.split('forwarding to').length === 3, 20_000)
    const pgrep = spawn('pgrep', ['-P', `${program.pid}`])
    const [text] = await once(pgrep.stdout, 'data')
    for (const pid of String(text).trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
    await until(() => program.exitCode !== null)
    expect(program.exitCode).to.equal(1)
    expect(output).to.contain('The last worker has ended (SIGKILL), so the gateway ends too.')
  })

  it('keeps its sockets in the worker that replaces another one after a reload has moved and removed listeners', async function () {
    needs(this, 'systemd-socket-activate', 'pgrep')
    const ports = [await freePort(), await freePort(), await freePort()]
    const [open, denied, gone] = [{ port: 1883 }, { port: 1884, deny: ['127.0.0.1'] }, { port: 1885 }]
    const configWith = (...listeners: object[]) => write({ listeners, workers: 2, log: { format: 'text' } })
    const sockets = ports.flatMap((port) => ['-l', `127.0.0.1:${port}`])
    const gateway = [join(root, 'gateway/dist/main.js'), '--config', configWith(open, gone, denied)]
    const program = spawn('systemd-socket-activate', [...sockets, process.execPath, ...gateway], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    processes.push(program)
    let output = ''
    for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (text) => (output += text))
    await until(() => output.includes(`:${ports[2]} as 5`))
    expect(await refusalCode(ports[0]!)).to.equal('accepted')
    await until(() => output.split('forwarding to').length === 4, 20_000)
    configWith(denied, open)
    program.kill('SIGHUP')
    await until(() => output.split('has been reloaded').length === 3)
    const workers = async () => {
      const pgrep = spawn('pgrep', ['-P', `${program.pid}`])
      const [text] = await once(pgrep.stdout, 'data')
      return String(text).trim().split('\n').map(Number)
    }
    const before = await workers()
    process.kill(before[0]!, 'SIGKILL')
    await until(async () => (await workers()).some((pid) => !before.includes(pid)))
    // Connections go to the workers in turn, so both have had some once the new one listens.
    for (let i = 0; i < 20; i++) {
      expect(await refusalCode(ports[0]!)).to.equal('accepted')
      expect(await refusalCode(ports[2]!)).not.to.equal('accepted')
      await sleep(100)
    }
    program.kill('SIGTERM')
    await until(() => program.exitCode !== null)
    expect(output).not.to.include('none is left')
  })
})
