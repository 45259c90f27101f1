import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { WebSocket } from 'ws'
import { Authority } from './certificates.ts'
import { FakeBroker, Folder, Running, sleep, until, upstreamOf } from './support.ts'

const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const CHUNKS = 30
const RECORDS = 2000

interface Client {
  send(bytes: Uint8Array): void
  close(): void
}

/** A connection whose bytes can be held back, and sent as one chunk. */
class HeldBack extends Duplex {
  readonly #socket: Socket
  #held: Buffer[] | undefined

  constructor(socket: Socket) {
    super()
    this.#socket = socket.on('data', (chunk) => this.push(chunk))
  }

  hold(): void {
    this.#held = []
  }

  release(): void {
    this.#socket.write(Buffer.concat(this.#held ?? []))
    this.#held = undefined
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#held) this.#held.push(chunk)
    else this.#socket.write(chunk)
    done()
  }
}

async function overStream(stream: Duplex, readyEvent: string): Promise<Client> {
  await once(
    stream.on('error', () => {}),
    readyEvent,
  )
  return { send: (bytes) => stream.write(bytes), close: () => stream.destroy() }
}

async function overWebSocket(port: number): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt').on('error', () => {})
  await once(socket, 'open')
  return { send: (bytes) => socket.send(bytes), close: () => socket.terminate() }
}

const transports: Readonly<Record<string, (port: number) => Promise<Client>>> = {
  TCP: (port) => overStream(connect({ port, host: '127.0.0.1', noDelay: true }), 'connect'),
  TLS: (port) =>
    overStream(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }), 'secureConnect'),
  WebSocket: overWebSocket,
}

describe('gateway: reading ahead while a client waits for its check', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const asked: ServerResponse[] = []
  const service = createServer((request, response) => {
    request.resume().on('end', () => asked.push(response))
  })
  let received: Buffer = Buffer.alloc(0)
  let broker: FakeBroker
  let running: Running

  before(async () => {
    broker = await FakeBroker.start((socket) => {
      socket.on('data', (bytes) => {
        received = Buffer.concat([received, bytes])
      })
    })
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const { certificate, key } = new Authority(folder).issue('localhost')
    running = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: [
        { name: 'TCP', port: 0 },
        { name: 'TLS', port: 0, tls: { certificates: [{ certificate, key }] } },
        { name: 'WebSocket', port: 0, websocket: {} },
      ],
      authentication: {
        http: { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`, timeout: 60 },
      },
    })
  })

  after(() => {
    running.close()
    service.closeAllConnections()
    service.close()
    broker.close()
    folder.remove()
  })

  for (const [i, [name, open]] of Object.entries(transports).entries()) {
    it(`stops after one chunk, even of a single byte, and loses nothing: ${name}`, async () => {
      received = Buffer.alloc(0)
      const client = await open(running.port(i))
      client.send(packet)
      await until(() => asked.length === 1)
      const [peer] = running.gateway.open.all()
      const sent: Buffer[] = []
      const send = () => {
        sent.push(Buffer.of(sent.length))
        client.send(sent.at(-1)!)
      }
      // Each of the streams on the way holds a chunk: the socket, and the WebSocket.
      for (let chunk = 0; chunk < (name === 'WebSocket' ? 2 : 1); chunk++) {
        const before = peer!.bytesRead
        send()
        await until(() => peer!.bytesRead > before)
      }
      const ahead = peer!.bytesRead
      while (sent.length < CHUNKS) {
        send()
        await sleep(10)
      }
      expect(peer!.bytesRead).to.equal(ahead)
      asked.pop()!.end('{"result":"allow"}')
      const all = Buffer.concat([packet, ...sent])
      await until(() => received.length >= all.length)
      expect(received.toString('hex')).to.equal(all.toString('hex'))
      client.close()
      await until(() => running.gateway.open.total === 0)
    })
  }

  it('joins the TLS records of one chunk, because each would take some 350 bytes while the client waits', async () => {
    received = Buffer.alloc(0)
    const socket = connect(running.port(1), '127.0.0.1').on('error', () => {})
    const wire = new HeldBack(socket)
    const client = connectTls({ socket: wire, rejectUnauthorized: false }).on('error', () => {})
    await once(client, 'secureConnect')
    client.write(packet)
    await until(() => asked.length === 1)
    const [peer] = running.gateway.open.all()
    const pieces: Buffer[] = []
    peer!.stream.on('data', (piece: Buffer) => pieces.push(piece))
    const before = peer!.bytesRead
    wire.hold()
    for (let i = 0; i < RECORDS; i++)
      await new Promise<void>((done) => client.write(Buffer.of(i), () => done()))
    wire.release()
    await until(() => peer!.bytesRead > before)
    asked.pop()!.end('{"result":"allow"}')
    const all = Buffer.concat([packet, Buffer.from(Array.from({ length: RECORDS }, (_, i) => i))])
    await until(() => received.length >= all.length)
    expect(received.toString('hex')).to.equal(all.toString('hex'))
    // The network may divide what was sent as one chunk.
    expect(pieces.length).to.be.below(10)
    socket.destroy()
    await until(() => running.gateway.open.total === 0)
  })
})
