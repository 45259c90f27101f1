import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { GatewayProgram, root } from './gateway-program.ts'
import { Folder, needs, until } from './support.ts'

/** Prints each datagram as a line of JSON. In Python, because Node can't open such sockets. */
const receive = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('"bound"', flush=True)
while True:
    print(json.dumps(s.recv(4096).decode()), flush=True)
`

describe('gateway: systemd', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const processes: ChildProcess[] = []

  before(function () {
    needs(this, 'python3', 'systemd-notify')
  })
  afterEach(() => {
    for (const one of processes.splice(0)) one.kill('SIGKILL')
  })
  after(() => folder.remove())

  /** Starts a program as systemd does. */
  async function start(
    name: string,
    config: object,
    socket = join(folder.path, `${name}.socket`),
    PATH?: string,
  ) {
    const states: string[] = []
    const receiver = spawn('python3', ['-c', receive, join(folder.path, `${name}.socket`)])
    processes.push(receiver)
    let text = ''
    receiver.stdout.on('data', (chunk) => {
      text += chunk
      const lines = text.split('\n')
      states.splice(0, states.length, ...lines.slice(1, -1).map((line) => JSON.parse(line) as string))
    })
    await once(receiver.stdout, 'data')
    const file = join(folder.path, `${name}.json`)
    folder.write(`${name}.json`, JSON.stringify(config))
    const { PATH: own } = process.env
    Object.assign(process.env, { NOTIFY_SOCKET: socket, PATH: PATH ?? own })
    const program = new GatewayProgram('--config', file)
    Object.assign(process.env, { PATH: own })
    Reflect.deleteProperty(process.env, 'NOTIFY_SOCKET')
    processes.push(program.process)
    /** The states so far, without barriers, with which systemd-notify asks if they have been read. */
    const told = () =>
      states.filter((state) => !state.startsWith('BARRIER')).map((state) => state.split('\n')[0]!)
    return { program, states, told, file: `${name}.json` }
  }

  const config = { listeners: [{ port: 0 }], upstreams: [{ host: '127.0.0.1', port: 9 }] }
  for (const workers of [1, 2]) {
    it(`is told when the gateway listens, reloads and stops, with ${workers} process${workers > 1 ? 'es' : ''}`, async () => {
      const { program, states, told, file } = await start(`gateway-${workers}`, { ...config, workers })
      await until(() => told().length === 1)
      expect(program.output).to.match(/Listening on/)

      const before = process.hrtime.bigint() / 1000n
      program.process.kill('SIGHUP')
      await until(() => told().length === 3)
      const [, time] = /^MONOTONIC_USEC=(\d+)$/m.exec(states.find((state) => state.includes('RELOADING'))!)!
      expect(Number(time)).to.be.within(Number(before), Number(before) + 5e6)

      folder.write(file, '{')
      program.process.kill('SIGHUP')
      await until(() => told().length === 5)
      await program.printed(/The configuration stays as it was/)

      program.process.kill('SIGTERM')
      expect((await program.end()).code).to.equal(0)
      await until(() => told().length === 6)
      expect(told()).to.deep.equal([
        'READY=1',
        'RELOADING=1',
        'READY=1',
        'RELOADING=1',
        'READY=1',
        'STOPPING=1',
      ])
    })
  }

  const obstacles: Readonly<Record<string, () => { socket?: string; PATH?: string }>> = {
    'nobody listens': () => ({ socket: join(folder.path, 'nobody') }),
    'systemd-notify is not installed': () => ({ PATH: folder.path }),
    // Node throws this failure, instead of passing it to the callback.
    'systemd-notify is a link to itself': () => {
      const bin = join(folder.path, 'bin')
      mkdirSync(bin)
      symlinkSync('systemd-notify', join(bin, 'systemd-notify'))
      return { PATH: bin }
    },
  }
  for (const [what, make] of Object.entries(obstacles)) {
    it(`does not stop the gateway if it can't be notified because ${what}`, async () => {
      const { socket, PATH } = make()
      const { program, told } = await start(`deaf ${what}`.replaceAll(' ', '-'), config, socket, PATH)
      await program.port()
      await program.printed(/systemd-notify could not send READY=1/)
      program.process.kill('SIGHUP')
      await program.printed(/systemd-notify could not send RELOADING=1/)
      program.process.kill('SIGTERM')
      expect((await program.end()).code).to.equal(0)
      expect(told()).to.deep.equal([])
    })
  }

  it('accepts the unit file', function () {
    needs(this, 'systemd-analyze')
    const unit = readFileSync(join(root, 'gateway', 'mqtt-connect-gateway.service'), 'utf8')
    const here = unit
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/mqtt-connect-gateway', root)
      .replace('User=mqtt-gateway', 'User=root')
    const path = folder.write('gateway.service', here)
    const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    })
    expect({ stdout, stderr, status }).to.deep.equal({ stdout: '', stderr: '', status: 0 })
    expect(unit)
      .to.match(/^Type=notify$/m)
      .and.to.match(/^NotifyAccess=all$/m)
  })
})
