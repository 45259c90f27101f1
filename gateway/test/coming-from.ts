import { readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { v3_1_1, v5 } from 'mqtt-connect-packet'
import { blocks } from '../../test/docs/documents.ts'
import { root } from './gateway-program.ts'
import { type Folder, Program, sleep, startMosquitto } from './support.ts'

/*
 * Shared by the tests of COMING-FROM.md: brokers that read PROXY headers, and clients that are served or refused.
 */

/** The document's code blocks in one language. */
export function blocksOf(language: string): string[] {
  return blocks(readFileSync(join(root, 'gateway', 'COMING-FROM.md'), 'utf8'), language)
}

interface EquivalentPorts {
  readonly plain: number
  readonly tls: number
  readonly brokers: readonly [number, number]
}

/** Starts the gateway with a configuration of the document, at ports of this machine. */
export async function startEquivalent(
  folder: Folder,
  config: { listeners: object[]; upstreams: object[] },
  { plain, tls, brokers }: EquivalentPorts,
): Promise<Program> {
  for (const [i, port] of [plain, tls].entries())
    Object.assign(config.listeners[i]!, { host: '127.0.0.1', port })
  for (const [i, port] of brokers.entries()) Object.assign(config.upstreams[i]!, { host: '127.0.0.1', port })
  const file = folder.write('gateway.json', JSON.stringify(config))
  const main = join(root, 'gateway', 'dist', 'main.js')
  return await Program.start(plain, process.execPath, main, '--config', file)
}

/** A mosquitto behind a server that strips the PROXY header, which mosquitto wouldn't understand. */
export class Broker {
  readonly mosquitto: Program
  /** The client addresses in the headers, not including health checks, which have none. */
  readonly addresses: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(mosquitto: Program, port: number) {
    this.mosquitto = mosquitto
    this.#server = createServer((client) => this.#relay(client)).listen(port, '127.0.0.1')
  }

  static async start(folder: Folder, port: number): Promise<Broker> {
    return new Broker(await startMosquitto(folder), port)
  }

  #relay(client: Socket): void {
    this.#sockets.add(client)
    client.on('error', () => {})
    client.once('data', (first) => {
      const { end, address } = headerOf(first)
      if (address !== undefined) this.addresses.push(address)
      const broker = connect(this.mosquitto.port, '127.0.0.1')
      broker.on('error', () => client.destroy())
      broker.write(first.subarray(end))
      client.pipe(broker).pipe(client)
    })
  }

  async stop(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await this.mosquitto.stop()
  }
}

/** Finds the end of a PROXY header of version 1 or 2, and the client's address in it. */
function headerOf(bytes: Buffer): { readonly end: number; readonly address: string | undefined } {
  const [line, address] = /^PROXY TCP4 (\S+) .*?\r\n/.exec(bytes.toString('latin1')) ?? []
  if (line !== undefined) return { end: line.length, address }
  const end = 16 + bytes.readUInt16BE(14)
  return { end, address: bytes[12] === 0x21 ? [...bytes.subarray(16, 20)].join('.') : undefined }
}

export interface Attempt {
  readonly chunks: readonly Uint8Array[]
  readonly from?: string
  readonly tls?: boolean
}

/** Connects a client, and returns true if it's served. Also returns its CONNACK, or whatever else arrives before the end. */
export async function outcome(
  ports: Ports,
  { chunks, from = '127.0.0.1', tls }: Attempt,
): Promise<[string, string]> {
  const address = { port: tls ? ports.tls : ports.plain, host: '127.0.0.1', localAddress: from }
  const socket = tls ? connectTls({ ...address, ca: ports.ca, servername: 'localhost' }) : connect(address)
  socket.on('error', () => {})
  const received: Buffer[] = []
  const end = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.on('data', (chunk) => {
      received.push(chunk)
      resolve()
    })
  })
  for (const [i, chunk] of chunks.entries()) {
    // A pause, so that the previous chunk arrives alone.
    if (i > 0) await sleep(100)
    socket.write(chunk)
  }
  await end
  socket.destroy()
  const answer = Buffer.concat(received)
  return [answer[0] === 0x20 && answer[3] === 0 ? 'served' : 'refused', answer.toString('hex')]
}

export interface Ports {
  readonly plain: number
  readonly tls: number
  readonly ca: string
}

let clients = 0
export const clientId = () => `client-${++clients}`
export const connect4 = (id = clientId()) =>
  new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: id }).bytes
export const connect5 = (id = clientId()) =>
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: id }).bytes
export const invalidFlags = () => {
  const bytes = Buffer.from(connect4())
  bytes[9] = 0x01
  return bytes
}
