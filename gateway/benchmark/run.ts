/*
 * `npm run benchmark --workspace gateway -- [--scale N]`: compares the gateway with a direct connection, a proxy that inspects
 * nothing, and HAProxy, all in one run in front of the same mosquitto.
 */
import { connect } from 'node:net'
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { FakeBroker, type Program, startMosquitto } from '../test/support.ts'
import { Contenders, type Name, names, type Transport, transports } from './contenders.ts'
import { invalidPackets } from './invalid-packets.ts'
import {
  connections,
  handshakes,
  idleMemory,
  messages,
  quantile,
  type Target,
  throughput,
} from './measure.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: { scale: { type: 'string', default: '1' } },
})
const scale = Number(values.scale)
const many = (count: number) => Math.max(20, Math.round(count * scale))
const ROUNDS = 24

interface Result {
  cpu: number[]
  rate: number[]
  handshake: number[]
  message: number[]
  throughput: number[]
  memory: number
}

const contenders = new Contenders()
const broker = await startMosquitto(
  contenders.folder,
  'max_connections -1\nmax_inflight_messages 0\nset_tcp_nodelay true',
)
const results = new Map<string, Result>()
const median = (list: readonly number[]) => quantile(list, 0.5)

for (const transport of transports) {
  const running = new Map<Name, Program | undefined>()
  for (const name of names) running.set(name, await contenders.start(name, transport, broker.port))
  const measured = names.filter(
    (name) => running.get(name) !== undefined || (name === 'direct' && transport === 'TCP'),
  )
  const resultOf = (name: Name): Result => {
    const key = `${name} ${transport}`
    const empty = { cpu: [], rate: [], handshake: [], message: [], throughput: [], memory: Number.NaN }
    if (!results.has(key)) results.set(key, empty)
    return results.get(key)!
  }
  const targetOf = (name: Name): Target => ({
    port: running.get(name)?.port ?? broker.port,
    transport,
    ca: contenders.authority.pem,
  })
  for (const name of measured) await connections(targetOf(name), undefined, many(300))
  for (const name of measured) {
    const pid = running.get(name)?.process.pid
    if (pid !== undefined) resultOf(name).memory = await idleMemory(targetOf(name), pid, many(1000))
  }
  // Warms up the hot code first.
  for (const name of measured) await connections(targetOf(name), undefined, many(1000))
  // Contenders take turns, so that disturbances hit all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of measured) {
      const result = resultOf(name)
      const target = targetOf(name)
      const { cpu, rate } = await connections(target, running.get(name)?.process.pid, many(500))
      result.cpu.push(cpu)
      result.rate.push(rate)
      result.handshake.push(...(await handshakes(target, many(75))))
      result.message.push(...(await messages(target, many(250))))
      result.throughput.push(await throughput(target, many(60)))
    }
  }
  for (const program of running.values()) await program?.stop()
}
await broker.stop()
printSpeed()
await printInvalid()
contenders.folder.remove()
process.exit()

function printSpeed(): void {
  const cell = (value: number, digits: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits))
  const columns =
    'CPU ms/connection | connections/s | handshake p50, p99 ms | message p50, p99 ms | 1 MB messages/s | memory/connection kB'
  console.log(`| transport | | ${columns} |\n|---|---|---|---|---|---|---|---|`)
  for (const [key, { cpu, rate, handshake, message, throughput: through, memory }] of results) {
    const transport = key.split(' ').at(-1)
    const pair = (list: number[]) => `${cell(quantile(list, 0.5), 3)}, ${cell(quantile(list, 0.99), 2)}`
    const cells = [
      cell(median(cpu), 3),
      cell(median(rate), 0),
      pair(handshake),
      pair(message),
      cell(median(through), 0),
      cell(memory / 1000, 1),
    ]
    console.log(`| ${transport} | ${key.slice(0, -(transport!.length + 1))} | ${cells.join(' | ')} |`)
  }
  const of = (name: Name, transport: Transport) => results.get(`${name} ${transport}`)!
  const target = (what: string, value: number, most: number) =>
    console.log(
      `${what}: ${value.toFixed(2)}, target at most ${most}: ${value <= most ? 'reached' : 'missed'}`,
    )
  const [own, bare] = [of('gateway', 'TCP'), of('bare Node proxy', 'TCP')]
  console.log()
  target('CPU, TCP, gateway / bare proxy', median(own.cpu) / median(bare.cpu), 1.25)
  target(
    'CPU, TLS, gateway / HAProxy',
    median(of('gateway', 'TLS').cpu) / median(of('HAProxy', 'TLS').cpu),
    1.6,
  )
  target(
    'time of 1 MB messages, gateway / bare proxy',
    median(bare.throughput) / median(own.throughput),
    1.05,
  )
  target('message latency, gateway / bare proxy', median(own.message) / median(bare.message), 1.05)
  target('memory, gateway / bare proxy', own.memory / bare.memory, 1.2)
}

async function printInvalid(): Promise<void> {
  let reached = 0
  const fake = await FakeBroker.start((socket) => {
    socket.once('data', () => reached++)
    socket.resume()
  })
  const compared = ['bare Node proxy', 'HAProxy', 'gateway'] as const
  const programs = await Promise.all(compared.map((name) => contenders.start(name, 'TCP', fake.port)))
  console.log(`\n| invalid packet | ${compared.join(' | ')} |\n|---|---|---|---|`)
  const forwarded = compared.map(() => 0)
  for (const [what, bytes] of Object.entries(invalidPackets)) {
    const cells: string[] = []
    for (const [i, program] of programs.entries()) {
      reached = 0
      const answer = await answerTo(program!.port, bytes)
      if (reached > 0) forwarded[i]! += 1
      cells.push(reached > 0 ? 'forwarded' : answer === '' ? 'closed' : `answered ${answer}`)
    }
    console.log(`| ${what} | ${cells.join(' | ')} |`)
  }
  console.log(
    `| forwarded | ${forwarded.map((count) => `${count} of ${Object.keys(invalidPackets).length}`).join(' | ')} |`,
  )
  for (const program of programs) await program?.stop()
  fake.close()
}

/** The answer that arrives within a short time. The gateway's health checks are seconds apart, so they don't interfere. */
async function answerTo(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    answer += chunk.toString('hex')
  })
  socket.write(bytes)
  await new Promise((resolve) => {
    socket.once('close', resolve)
    setTimeout(resolve, 300)
  })
  socket.destroy()
  return answer
}
