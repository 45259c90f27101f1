import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { PacketDecoder, v3_1_1, v5 } from '../../lib/index.ts'

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

  /** Starts a block that listens, and waits until it does. */
  async function start(code: string, ports: Record<number, number>, port: number): Promise<() => string> {
    child = spawn(process.execPath, [file(code, ports)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
    })
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

  it('has a front door recipe that rewrites the packet, passes on what follows and refuses what is malformed', async () => {
    const received: Buffer[] = []
    const broker = await listen((socket) => {
      socket.on('data', (chunk) => received.push(chunk))
      socket.once('data', () => socket.end('from the broker'))
    })
    const port = await freePort()
    await start(block('A front door'), { 1883: port, 1884: broker }, port)
    const both = Buffer.concat([v5Packet.bytes, Buffer.from('e000', 'hex')])
    expect(await answerTo(port, both)).to.equal(Buffer.from('from the broker').toString('hex'))
    expect(Buffer.concat(received).toString('hex')).to.contain(
      v5Packet.with({ clientId: 'tenant-1/c' }).bytes.toString('hex'),
    )
    expect(await answerTo(port, malformed(v5Packet))).to.equal('2003008100')
  })

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
    const printed = execFileSync(process.execPath, [join(root, 'dist/cli/mqtt-connect.js'), ...args], {
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
