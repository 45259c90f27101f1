import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect } from 'node:net'
import mqtt from 'mqtt'
import { ControlPacketType, v3_1_1 } from '../lib/index.ts'
import { Gateway, serveRealClient, type Usage } from '../test/support/gateway.ts'
import { type DemoInput, demoInput, keptSessions } from './demo-inputs.ts'
import { Random } from './random.ts'

/** Number of hostile clients connected at a time. */
const AT_A_TIME = 64
/** Milliseconds until the demo must have closed a connection that its client has ended. */
const LONGEST_CLOSE = 30_000
/** Milliseconds after the last connection until all files must be closed and all timers stopped. */
const SETTLING = 5000

export interface AttackResult {
  readonly connections: number
  /** Number of clients that got a CONNACK. */
  readonly accepted: number
  /** Number of clients that also got a later answer, which proves that their packets reached the broker. */
  readonly answered: number
  readonly before: Usage
  readonly after: Usage
  /** Violations, as sentences. */
  readonly findings: readonly string[]
}

/**
 * Starts the demo and connects hostile clients to it, while real clients of both versions stay connected.
 *
 * @param progress called after each connection
 * @throws Error if the demo ends
 */
export async function attackDemo(
  connections: number,
  seed: number,
  progress: (done: number) => void = () => {},
): Promise<AttackResult> {
  const gateway = new Gateway('--port', '0', '--no-sample')
  try {
    return await attack(gateway, connections, seed, progress)
  } catch (error) {
    // A demo that has just crashed refuses connections before its exit is reported here.
    if (gateway.alive) await Promise.race([once(gateway.process, 'exit'), delay(1000)])
    if (gateway.alive) throw error
    throw new Error(`The demo ended: ${gateway.stderr}`, { cause: error })
  } finally {
    gateway.kill()
  }
}

async function attack(
  gateway: Gateway,
  connections: number,
  seed: number,
  progress: (done: number) => void,
): Promise<AttackResult> {
  const port = await gateway.port()
  const findings: string[] = []
  // Warm-up: code loaded for the first clients of each version must not count as a leak.
  for (let input = 0; input < AT_A_TIME; input++) await strike(port, demoInput(new Random(seed, -2 - input)))
  await serveRealClient(port, 4)
  await serveRealClient(port, 5)
  const before = await gateway.usage()
  const bystanders = await Promise.all([4, 5].map((version) => bystander(port, version as 4 | 5, findings)))

  let next = 0
  let done = 0
  let accepted = 0
  let answered = 0
  const worker = async (): Promise<void> => {
    while (next < connections && gateway.alive) {
      const input = demoInput(new Random(seed, next++))
      const { closed, answer } = await strike(port, input)
      if (!closed) findings.push(`Not closed in time: ${shown(input)}`)
      if (answer[0] === ControlPacketType.connack) accepted++
      if (answer.length > 2 + (answer[1] ?? 0)) answered++
      progress(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  for (const version of [4, 5] as const) {
    await serveRealClient(port, version).catch((error) => findings.push(`A real client: ${error.message}`))
  }
  for (const client of bystanders) {
    client.removeAllListeners('close')
    await client.endAsync()
  }
  // The broker keeps these sessions. A clean connection with the same client id discards them.
  for (const clientId of keptSessions) await forget(port, clientId)
  const after = await gateway.settled(before, SETTLING)
  if (after.timers > before.timers) findings.push(`${after.timers - before.timers} timers were not stopped`)
  if (after.files > before.files) findings.push(`${after.files - before.files} files were not closed`)
  return { connections: done, accepted, answered, before, after, findings }
}

/** A well-behaved client, which must stay connected during the whole attack. */
async function bystander(port: number, protocolVersion: 4 | 5, findings: string[]): Promise<mqtt.MqttClient> {
  const options = { host: '127.0.0.1', port, protocolVersion, clientId: `bystander-${protocolVersion}` }
  const client = await mqtt.connectAsync({ ...options, keepalive: 5, reconnectPeriod: 0 })
  await client.subscribeAsync('bystander/#')
  client.on('close', () => findings.push(`The MQTT ${protocolVersion} bystander was disconnected`))
  return client
}

interface StrikeResult {
  readonly closed: boolean
  readonly answer: Buffer
}

/** Connects one hostile client and waits until its connection has closed. */
async function strike(port: number, { chunks, leaving }: DemoInput): Promise<StrikeResult> {
  const socket = connect(port, '127.0.0.1')
  const closed = once(socket, 'close').then(
    () => true,
    () => true, // a reset connection is closed too
  )
  const answer: Buffer[] = []
  socket.on('data', (chunk) => answer.push(chunk))
  for (const chunk of chunks) {
    if (socket.destroyed) break
    await new Promise<void>((resolve) => socket.write(chunk, () => resolve()))
  }
  if (leaving === 'wait') await Promise.race([closed, delay(20)])
  if (leaving === 'reset') socket.resetAndDestroy()
  else socket.end()
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), LONGEST_CLOSE)
  })
  const inTime = await Promise.race([closed, tooLong])
  clearTimeout(timer)
  socket.destroy()
  return { closed: inTime, answer: Buffer.concat(answer) }
}

async function forget(port: number, clientId: string): Promise<void> {
  const { bytes } = new v3_1_1.ConnectPacket({ clientId, cleanSession: true, keepAlive: 0 })
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  await once(socket, 'data')
  socket.destroy()
}

function shown({ version, chunks }: DemoInput): string {
  return `MQTT ${version}, ${Buffer.concat(chunks).toString('hex')}`
}

function delay(milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, false))
}
