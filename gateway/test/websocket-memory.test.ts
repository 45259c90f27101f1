import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { FakeBroker, Folder, refusalCode, sleep, until, upstreamOf } from './support.ts'

/*
 * Clients that open WebSockets and never complete a CONNECT, against a process with little memory. `HOSTILE=full` attacks with
 * 900 connections and 512 MB. The default is an eighth of both.
 */
const { HOSTILE, GATEWAY } = process.env
const full = HOSTILE === 'full'
const CONNECTIONS = full ? 900 : 112
const HEAP = full ? 512 : 64
/** If their answers or they themselves piled up, they'd take twice the memory that is allowed. */
const PINGS = full ? 20_000 : 10_000

/** The gateway's program. The environment may name an older build to measure. */
const program = GATEWAY ?? join(import.meta.dirname, '..', 'dist', 'main.js')

/** A CONNECT of almost the largest size, without its last byte. */
const incomplete = new v5.ConnectPacket({
  cleanStart: true,
  keepAlive: 60,
  clientId: 'x'.repeat(65_000),
}).bytes.subarray(0, -1)

const attacks: Readonly<Record<string, () => Buffer>> = {
  'send fragments of one byte': () =>
    Buffer.concat(
      [...incomplete.subarray(0, 16_000)].map((byte, i) => frame(i === 0 ? 2 : 0, Buffer.of(byte))),
    ),
  'send most of a message of 2 MiB': () =>
    frame(2, Buffer.concat([incomplete, Buffer.alloc(1_900_000)]), 2 << 20),
  'send a byte between many pings': () =>
    Buffer.concat(
      [...incomplete.subarray(0, 40)].flatMap((byte, i) => [
        frame(i === 0 ? 2 : 0, Buffer.of(byte)),
        pings(PINGS / 40),
      ]),
    ),
  'send pings and read no answer': () => pings(PINGS),
  'send pings after a refused request': () => pings(PINGS),
}

describe('gateway: memory of WebSockets before a CONNECT', function () {
  this.timeout(full ? 300_000 : 60_000)
  const folder = new Folder()
  const sockets: Socket[] = []
  let broker: FakeBroker
  let gateway: ChildProcess
  let output = ''
  let port = 0

  before(async () => {
    broker = await FakeBroker.answering()
  })

  beforeEach(async () => {
    const config = folder.write(
      'gateway.json',
      JSON.stringify({
        listeners: [{ port: 0, websocket: {} }],
        upstreams: [upstreamOf(broker)],
        limits: { handshakeTimeout: 300 },
        log: { connects: false },
      }),
    )
    output = ''
    gateway = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, program, '--config', config])
    for (const stream of [gateway.stdout, gateway.stderr]) stream?.on('data', (text) => (output += text))
    await until(() => /Listening on/.test(output))
    port = Number(/Listening on \S+:(\d+)/.exec(output)?.[1])
  })

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    if (gateway.exitCode === null && gateway.signalCode === null) {
      gateway.kill('SIGKILL')
      await once(gateway, 'exit')
    }
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  for (const [what, bytesOf] of Object.entries(attacks)) {
    it(`serves a client while ${CONNECTIONS} others ${what}, with a heap of ${HEAP} MB`, async function () {
      if (process.platform !== 'linux') this.skip()
      const before = peakMemory(gateway)
      const bytes = bytesOf()
      // Answers to pings pile up only if the client doesn't read them.
      const reads = !what.includes('read no answer')
      for (let i = 0; i < CONNECTIONS && gateway.exitCode === null; i++) {
        const socket = await upgrade(port, reads, what.includes('refused') ? 'x' : KEY)
        sockets.push(socket)
        socket.write(bytes)
        if (i % 10 === 0) await sleep(1)
      }
      await untilQuiet(gateway)
      const grown = peakMemory(gateway) - before
      if (full) console.log(`      ${Math.round(grown / CONNECTIONS)} KiB a connection, at the peak`)
      expect(gateway.signalCode ?? gateway.exitCode, output.slice(0, 300)).to.equal(null)
      const client = { protocol: 'ws', path: '/mqtt', protocolVersion: 4 } as const
      expect(await refusalCode(port, client)).to.equal('accepted')
      // Per connection 64 KiB for the packet and as much for Node, plus chunks that aren't collected yet.
      expect(grown).to.be.below(CONNECTIONS * 128 + 48 * 1024)
    })
  }
})

/** A client's frame with a mask of zeros. A larger `length` announces more contents than follow. */
function frame(opcode: number, contents: Uint8Array, length: number = contents.length): Buffer {
  const isFinal = opcode >= 8 || length !== contents.length
  const header = Buffer.alloc(length < 126 ? 6 : 14)
  header[0] = (isFinal ? 0x80 : 0) | opcode
  header[1] = 0x80 | (length < 126 ? length : 127)
  if (length >= 126) header.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([header, contents])
}

function pings(count: number): Buffer {
  const ping = frame(9, Buffer.alloc(125))
  return Buffer.alloc(count * ping.length, ping)
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='

async function upgrade(port: number, reads: boolean, key: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  socket.write(
    'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n`,
  )
  await Promise.race([once(socket, 'data').catch(() => {}), once(socket, 'close')])
  if (reads) socket.resume()
  else socket.pause()
  return socket
}

/** Waits until the process uses no CPU for a while, or has ended. */
async function untilQuiet(child: ChildProcess): Promise<void> {
  for (let last = -1, now = 0; last !== now && child.exitCode === null && child.signalCode === null; ) {
    last = now
    await sleep(500)
    try {
      now = Number(readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[13])
    } catch {
      return
    }
  }
}

function peakMemory(child: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
