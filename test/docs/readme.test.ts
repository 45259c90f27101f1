import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { PacketDecoder, v3_1_1, v5 } from '../../lib/index.ts'
import { type Broker, brokers, isInstalled } from '../support/brokers.ts'

const root = join(import.meta.dirname, '..', '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const documents = readdirSync(root)
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The first code block of a language behind a heading. */
function block(heading: string, language = 'js'): string {
  const section = readme.slice(readme.indexOf(`## ${heading}`))
  const code = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section)?.[1]
  expect(code, `a ${language} block under "${heading}"`).to.be.a('string')
  return code as string
}

/** The blocks are run as a user would run them: as modules that import the built package by its name. */
describe('README.md', function () {
  this.timeout(30_000)
  let folder: string
  let child: ChildProcess | undefined
  const servers: Server[] = []
  const open: Socket[] = []

  before(() => {
    folder = mkdtempSync(join(root, 'node_modules', '.readme-'))
  })

  afterEach(() => {
    child?.kill('SIGKILL')
    child = undefined
    for (const socket of open.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) server.close()
  })

  after(() => rmSync(folder, { recursive: true }))

  function file(code: string, ports: Record<number, number> = {}): string {
    const name = join(folder, `block-${Math.random().toString(36).slice(2)}.mjs`)
    writeFileSync(
      name,
      code
        .replace(/(listen|connect)\((\d+)\)/g, (_, call, port) => `${call}(${ports[port] ?? port})`)
        .replaceAll("'mqtt-connect-packet'", JSON.stringify(join(root, 'dist', 'index.js'))),
    )
    return name
  }

  function run(code: string): string {
    return execFileSync(process.execPath, [file(code)], { encoding: 'utf8', timeout: 20_000 })
  }

  /** Starts a block that listens, and waits until it does. Returns what it has printed since. */
  async function start(code: string, ports: Record<number, number>, port: number): Promise<() => string> {
    child = spawn(process.execPath, [file(code, ports)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (chunk) => {
        printed += chunk
      })
    }
    for (let tries = 0; tries < 400; tries++) {
      const socket = connect(port, '127.0.0.1')
      const up = await new Promise((resolve) => {
        socket.once('connect', () => resolve(true))
        socket.once('error', () => resolve(false))
      })
      socket.destroy()
      if (up) return () => printed
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('the block does not listen')
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  async function listen(listener: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      open.push(socket)
      listener(socket)
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async function freePort(): Promise<number> {
    const port = await listen(() => {})
    servers.pop()?.close()
    return port
  }

  /** Sends bytes and returns what comes back until the other side closes. */
  async function answerTo(port: number, bytes: Uint8Array): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.write(bytes)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return Buffer.concat(chunks).toString('hex')
  }

  /** A CONNECT whose reserved flag is set. */
  function malformed(packet: v3_1_1.ConnectPacket | v5.ConnectPacket): Buffer {
    const bytes = Buffer.from(packet.bytes)
    bytes[9] = (bytes[9] as number) | 1
    return bytes
  }
  const v5Packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
  const v3Packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })

  it('has a synopsis whose assertions hold', () => {
    const synopsis = block('Synopsis')
    expect(synopsis).to.contain('assert')
    run(synopsis)
  })

  it('has an error example whose assertions hold', () => {
    run(block('Errors'))
  })

  it('has a server recipe that answers real clients and malformed packets', async () => {
    const port = await freePort()
    const printed = await start(block('A server'), { 1883: port }, port)
    for (const protocolVersion of [4, 5] as const) {
      const client = await mqtt.connectAsync({
        port,
        host: '127.0.0.1',
        protocolVersion,
        clientId: `c${protocolVersion}`,
      })
      await client.endAsync()
    }
    expect(await answerTo(port, malformed(v5Packet))).to.equal('2003008100')
    expect(await answerTo(port, malformed(v3Packet))).to.equal('')
    expect(await answerTo(port, Buffer.from('GET / HTTP/1.1\r\n\r\n'))).to.equal('')
    expect(printed()).to.contain('v3_1_1::connect{cid:c4,').and.to.contain('v5::connect{cid:c5,')
  })

  it('has a front door recipe that rewrites the packet, passes on what follows, and refuses and reports what is malformed', async () => {
    const received: Buffer[] = []
    const broker = await listen((socket) => {
      socket.on('data', (chunk) => received.push(chunk))
      socket.once('data', () => socket.end('from the broker'))
    })
    const port = await freePort()
    const printed = await start(block('A front door'), { 1883: port, 1884: broker }, port)
    const both = Buffer.concat([v5Packet.bytes, Buffer.from('e000', 'hex')])
    expect(await answerTo(port, both)).to.equal(Buffer.from('from the broker').toString('hex'))
    expect(Buffer.concat(received).toString('hex')).to.contain(
      v5Packet.with({ clientId: 'tenant-1/c' }).bytes.toString('hex'),
    )
    expect(await answerTo(port, malformed(v5Packet))).to.equal('2003008100')
    await until(() => printed().includes('connectFlags: expected bit 0 to be 0, got 1'))
  })

  it('has a front door recipe that reports a broker that is not there', async () => {
    const port = await freePort()
    const printed = await start(block('A front door'), { 1883: port, 1884: await freePort() }, port)
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.on('error', () => {}) // It is closed, or reset.
    socket.write(v5Packet.bytes)
    await until(() => printed().includes('ECONNREFUSED'))
  })

  for (const name of ['mosquitto', 'aedes'] as const) {
    describe(`the front door recipe before ${name}`, () => {
      let broker: Broker
      let door: number
      const clients: mqtt.MqttClient[] = []

      before(function () {
        if (name === 'mosquitto' && !isInstalled('mosquitto')) {
          console.log('      skipped: mosquitto is not installed')
          this.skip()
        }
      })

      beforeEach(async () => {
        broker = await brokers[name](freePort)
        door = await freePort()
        await start(block('A front door'), { 1883: door, 1884: broker.port }, door)
      })

      afterEach(() => {
        for (const client of clients.splice(0)) client.end(true)
        broker.close()
      })

      async function mqttClient(
        port: number,
        clientId: string,
        protocolVersion: 4 | 5 = 4,
      ): Promise<mqtt.MqttClient> {
        const options = { host: '127.0.0.1', port, clientId, protocolVersion, reconnectPeriod: 0 }
        const client = await mqtt.connectAsync(options)
        clients.push(client)
        return client
      }

      /** The payload of the next message, or why there is none. */
      function nextMessage(client: mqtt.MqttClient): Promise<string> {
        return new Promise((resolve) => {
          client.once('message', (_topic, payload) => resolve(`${payload}`))
          client.once('close', () => resolve('disconnected'))
        })
      }

      it('keeps MQTT.js clients without a client id apart', async () => {
        const subscribers = [await mqttClient(door, '', 4), await mqttClient(door, '', 5)]
        for (const client of subscribers) await client.subscribeAsync('t')
        const messages = Promise.all(subscribers.map(nextMessage))
        await (await mqttClient(door, 'publisher')).publishAsync('t', 'hello', { qos: 1 })
        expect(await messages).to.deep.equal(['hello', 'hello'])
      })

      it('keeps mosquitto_sub clients without -i apart', async function () {
        if (!isInstalled('mosquitto_sub')) {
          console.log('      skipped: mosquitto_sub is not installed')
          this.skip()
        }
        const publisher = await mqttClient(broker.port, 'publisher')
        const results = [1, 2].map(async () => {
          const options = ['-h', '127.0.0.1', '-p', `${door}`, '-t', 'mosquitto_sub', '-C', '1', '-W', '10']
          const child = spawn('mosquitto_sub', options, { stdio: ['ignore', 'pipe', 'ignore'] })
          const chunks: Buffer[] = []
          for await (const chunk of child.stdout) chunks.push(chunk)
          return `${Buffer.concat(chunks)}`
        })
        await broker.subscribed(2)
        await publisher.publishAsync('mosquitto_sub', 'hello', { qos: 1 })
        expect(await Promise.all(results)).to.deep.equal(['hello\n', 'hello\n'])
      })

      it('loses nothing of a client that sends all it has, and ends', async () => {
        const subscriber = await mqttClient(broker.port, 'subscriber')
        await subscriber.subscribeAsync('t')
        const message = nextMessage(subscriber)
        const publishAndDisconnect = Buffer.from('320700017400016869e000', 'hex')
        const socket = connect(door, '127.0.0.1')
        open.push(socket)
        socket.end(Buffer.concat([v3Packet.bytes, publishAndDisconnect]))
        expect(await message).to.equal('hi')
      })
    })
  }

  it('has a client recipe that connects', async () => {
    const seen: unknown[] = []
    const port = await listen((socket) => {
      socket.pipe(new PacketDecoder()).on('data', (packet) => {
        seen.push(`${packet}`)
        socket.write(Uint8Array.of(0x20, 2, 0, 0))
      })
    })
    const name = file(block('A client'), { 1883: port })
    child = spawn(process.execPath, [name], { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
    })
    const [code] = await once(child, 'exit')
    expect(code).to.equal(0)
    expect(printed).to.equal('accepted\n')
    expect(seen).to.deep.equal([
      'v3_1_1::connect{cid:sensor-0042,ka:60,cs:1,un:device,pw:*****,will:{topic:sensor-0042/status,message:offline,qos:at_least_once,retain:yes}}',
    ])
  })

  it('shows the explanation that the command beside it prints', () => {
    const args = block('Explain a packet', 'sh').trim().split(' ').slice(2)
    const printed = execFileSync(process.execPath, [join(root, 'dist/cli/mqtt-connect-packet.js'), ...args], {
      encoding: 'utf8',
    })
    expect(block('Explain a packet', 'text')).to.equal(printed)
  })

  it('has no js block that no test runs', () => {
    expect(readme.match(/```js\n/g)).to.have.length(5)
  })

  it('names its two commands, and .ci/run calls the one that tests', () => {
    expect(readme).to.contain('npm ci && npm start').and.to.contain('npm cit')
    expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).to.match(/^npm cit /m)
  })
})

describe('the documents', () => {
  for (const [name, text] of documents) {
    it(`${name} names only npm scripts that exist`, () => {
      for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g)) {
        expect(manifest.scripts).to.have.property(script as string)
      }
    })

    it(`${name} links and points only to files that exist`, () => {
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      const paths = [...text.matchAll(/`((?:lib|test|examples|benchmark|docs)\/[\w./-]+)`/g)]
      for (const [, path] of [...links, ...paths]) {
        expect(existsSync(join(root, dirname(name), path as string)), path).to.equal(true)
      }
    })
  }
})
