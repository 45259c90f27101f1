import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { v3_1_1 } from 'mqtt-connect-packet'
import { type Transport, USER } from './contenders.ts'

/** The address to connect to. */
export interface Target {
  readonly port: number
  readonly transport: Transport
  readonly ca: string
}

const PROXY_LINE = 'PROXY TCP4 203.0.113.9 192.0.2.1 40000 1883\r\n'
const DISCONNECT = Buffer.from('e000', 'hex')
let nextClient = 0

/** Opens a connection and resolves on its CONNACK. */
export async function open({ port, transport, ca }: Target): Promise<Socket> {
  const clientId = `bench-${nextClient++}`
  const { bytes } = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 600, clientId, ...USER })
  const socket =
    transport === 'TLS'
      ? connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' })
      : connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(transport === 'PROXY' ? Buffer.concat([Buffer.from(PROXY_LINE), bytes]) : bytes)
  const [answer] = await once(socket, 'data')
  if (answer.toString('hex') !== '20020000')
    throw new Error(`Expected a CONNACK, got ${answer.toString('hex')}`)
  socket.on('error', () => {})
  return socket
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.resume()
  socket.end(DISCONNECT)
  await closed
}

/** CPU milliseconds of all threads of a process. */
function cpu(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'),
  )
  return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
}

function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Opens and closes connections, several at a time. Returns CPU milliseconds per connection, and connections per second. */
export async function connections(
  target: Target,
  pid: number | undefined,
  count: number,
): Promise<{ cpu: number; rate: number }> {
  const before = pid === undefined ? 0 : cpu(pid)
  const start = performance.now()
  let left = count
  const worker = async () => {
    while (left-- > 0) await close(await open(target))
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  const seconds = (performance.now() - start) / 1000
  return { cpu: pid === undefined ? Number.NaN : (cpu(pid) - before) / count, rate: count / seconds }
}

/** Milliseconds from connecting to the CONNACK, for one connection at a time. */
export async function handshakes(target: Target, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    const socket = await open(target)
    times.push(performance.now() - start)
    await close(socket)
  }
  return times
}

/** Opens a client that subscribes to its own topic. */
async function subscribed(target: Target): Promise<{ socket: Socket; topic: Buffer }> {
  const socket = await open(target)
  const topic = Buffer.from(`bench/${nextClient++}`)
  const length = Buffer.of(0, topic.length)
  socket.write(Buffer.concat([Buffer.of(0x82, 5 + topic.length, 0, 1), length, topic, Buffer.of(0)]))
  await once(socket, 'data')
  return { socket, topic: Buffer.concat([length, topic]) }
}

function publish(topic: Buffer, payload: Buffer): Buffer {
  let size = topic.length + payload.length
  const header = [0x30]
  do {
    header.push((size & 0x7f) | (size > 0x7f ? 0x80 : 0))
    size >>>= 7
  } while (size > 0)
  return Buffer.concat([Buffer.from(header), topic, payload])
}

/** Milliseconds from publishing a short message to receiving it. */
export async function messages(target: Target, count: number): Promise<number[]> {
  const { socket, topic } = await subscribed(target)
  const message = publish(topic, Buffer.alloc(64))
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    socket.write(message)
    let received = 0
    while (received < message.length) received += (await once(socket, 'data'))[0].length
    times.push(performance.now() - start)
  }
  await close(socket)
  return times
}

/** Throughput of 1 MB messages to the broker and back, several at a time, in megabytes per second. */
export async function throughput(target: Target, count: number): Promise<number> {
  const { socket, topic } = await subscribed(target)
  const message = publish(topic, Buffer.alloc(1 << 20))
  const start = performance.now()
  let received = 0
  let sent = 0
  await new Promise<void>((resolve) => {
    const send = () => {
      while (sent < count && sent * message.length - received < 4 * message.length) {
        socket.write(message)
        sent++
      }
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received >= count * message.length) resolve()
      else send()
    })
    send()
  })
  const seconds = (performance.now() - start) / 1000
  await close(socket)
  return count / seconds
}

export async function idleMemory(target: Target, pid: number, count: number): Promise<number> {
  // Measured after the first connections, because some of their allocations remain.
  const before = memory(pid)
  const sockets: Socket[] = []
  for (let i = 0; i < count; i += 20)
    sockets.push(...(await Promise.all(Array.from({ length: 20 }, () => open(target)))))
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const after = memory(pid)
  await Promise.all(sockets.map(close))
  return (after - before) / count
}

export function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
