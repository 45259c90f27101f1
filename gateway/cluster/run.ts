/*
 * `npm run cluster --workspace gateway -- [--clients N]`: three gateways that share nothing, behind HAProxy, in front of three
 * mosquittos, with thousands of clients. While they publish, a broker and a gateway are killed, and a gateway is drained and
 * restarted. Exits with 1 if anything happens that must not.
 */
import { join } from 'node:path'
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { Folder, freePort, Program, sleep, startMosquitto } from '../test/support.ts'
import { Client, type Kind } from './client.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: { clients: { type: 'string', default: '3000' } },
})
const CLIENTS = Number(values.clients)
const BROKERS = ['one', 'two', 'three']
const gatewayProgram = join(import.meta.dirname, '..', 'dist', 'main.js')

const folder = new Folder()
const findings: string[] = []
const rows: (readonly [what: string, result: string])[] = []
const check = (what: string, result: string | number, holds: boolean) => {
  console.error(`${(performance.now() / 1000).toFixed(0)} s: ${what}: ${result}`)
  rows.push([what, `${result}`])
  if (!holds) findings.push(`${what}: ${result}`)
}

// Each mosquitto says which it is in a retained message.
const mosquittoPorts = await Promise.all(BROKERS.map(() => freePort()))
const mosquittoOptions = 'max_connections -1\nmax_queued_messages 0\nmax_inflight_messages 0\n'
const startBroker = async (i: number) => {
  const broker = await startMosquitto(folder, mosquittoOptions, mosquittoPorts[i]!)
  await Client.announce(mosquittoPorts[i]!, BROKERS[i]!)
  return broker
}
const brokers = [await startBroker(0), await startBroker(1), await startBroker(2)]

const gatewayPorts = await Promise.all([0, 1, 2].map(() => freePort()))
const adminPorts = await Promise.all([0, 1, 2].map(() => freePort()))
const startGateway = async (i: number) => {
  const config = {
    listeners: [{ port: gatewayPorts[i], proxyProtocol: { trusted: ['127.0.0.1'] } }],
    upstreams: BROKERS.map((name, n) => ({ name, host: '127.0.0.1', port: mosquittoPorts[n] })),
    route: { health: { interval: 1, timeout: 1, failures: 2 }, connectTimeout: 2 },
    admin: { port: adminPorts[i] },
    log: { connects: false },
    drain: { delay: 3, perSecond: 200 },
  }
  const file = folder.write(`gateway-${i}.json`, JSON.stringify(config))
  return await Program.start(adminPorts[i]!, process.execPath, gatewayProgram, '--config', file)
}
const gateways = [await startGateway(0), await startGateway(1), await startGateway(2)]

const front = await freePort()
const servers = gatewayPorts.map(
  (port, i) =>
    ` server gateway${i} 127.0.0.1:${port} send-proxy-v2 check port ${adminPorts[i]} inter 500 rise 1 fall 2`,
)
const haproxyConfig = `global
 maxconn 8000
defaults
 mode tcp
 timeout connect 2s
 timeout client 300s
 timeout server 300s
 retries 3
 option redispatch
listen front
 bind 127.0.0.1:${front}
 balance roundrobin
 option httpchk GET /readyz
${servers.join('\n')}
`
const haproxy = await Program.start(front, 'haproxy', '-f', folder.write('haproxy.cfg', haproxyConfig), '-db')

// Half of the clients have a persistent session; half speak MQTT 5.0.
const kinds: readonly Kind[] = [
  { version: 4, isPersistent: false },
  { version: 5, isPersistent: false },
  { version: 4, isPersistent: true },
  { version: 5, isPersistent: true },
]
const clients = Array.from(
  { length: CLIENTS },
  (_, i) => new Client(`device-${i}`, kinds[i % kinds.length]!, front),
)
const started = performance.now()
await inTurns(clients, 50, (client) => client.start())
check(
  'clients served at first',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
rows.push(['seconds to connect them', ((performance.now() - started) / 1000).toFixed(1)])
const home = new Map(clients.map((client) => [client, client.broker]))
const spread = BROKERS.map((name) => clients.filter(({ broker }) => broker === name).length)
check('clients of each broker', spread.join(', '), Math.min(...spread) > (CLIENTS / 3) * 0.8)

// Each gateway sends a client id to the same broker.
let elsewhere = 0
const sample = clients.slice(0, 150)
for (const port of gatewayPorts) {
  await inTurns(sample, 10, async (client) => {
    const probe = new Client(client.clientId, { version: 4, isPersistent: false }, port, true)
    if ((await probe.whichBroker()) !== client.broker) elsewhere++
  })
}
check('sampled client ids that another gateway sends elsewhere', elsewhere, elsewhere === 0)
// The samples took over the sessions of clients, which have come back by now.
await settled(30)
for (const client of clients) client.startCounting()
for (const client of clients) client.publishRegularly(5000)
await sleep(3000)

// A broker dies: only its clients move, and those with a persistent session wait for it.
const victim = 1
await brokers[victim]!.stop()
// Until all have noticed.
await sleep(2000)
const isOfVictim = (client: Client) => home.get(client) === BROKERS[victim]
const isClean = ({ kind }: Client) => !kind.isPersistent
await settledAll(
  clients.filter((client) => !isOfVictim(client) || isClean(client)),
  40,
)
const moved = clients.filter((client) => client.served && client.broker !== home.get(client))
check(
  'broker killed: its clean clients that moved',
  `${moved.length} of ${clients.filter((client) => isOfVictim(client) && isClean(client)).length}`,
  moved.length === clients.filter((client) => isOfVictim(client) && isClean(client)).length,
)
check(
  'broker killed: other clients that moved',
  moved.filter((client) => !isOfVictim(client)).length,
  moved.every(isOfVictim),
)
const disturbed = clients.filter((client) => !isOfVictim(client) && client.reconnects > 0).length
check('broker killed: other clients that had to reconnect', disturbed, disturbed === 0)
const waiting = clients.filter((client) => isOfVictim(client) && !isClean(client))
check(
  'broker killed: its persistent clients that wait',
  `${waiting.filter(({ served }) => !served).length} of ${waiting.length}`,
  waiting.every(({ served }) => !served),
)
brokers[victim] = await startBroker(victim)
await settled(60)
check(
  'broker back: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
const strayed = waiting.filter((client) => client.broker !== home.get(client)).length
check('broker back: persistent clients on another broker', strayed, strayed === 0)

// A gateway dies: its clients come back through the others, to the same brokers.
const placed = new Map(clients.map((client) => [client, client.broker]))
const strays = () =>
  clients.filter((client) => client.broker !== home.get(client) && client.broker !== placed.get(client))
    .length
for (const client of clients) client.startCounting()
gateways[0]!.process.kill('SIGKILL')
await sleep(1000)
await settled(60)
check(
  'gateway killed: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
rows.push([
  'gateway killed: clients that reconnected',
  `${clients.filter(({ reconnects }) => reconnects > 0).length}`,
])
check('gateway killed: clients on a third broker', strays(), strays() === 0)
gateways[0] = await startGateway(0)
await sleep(2000)

// A gateway is drained and restarted.
for (const client of clients) client.startCounting()
gateways[1]!.process.kill('SIGTERM')
while (gateways[1]!.process.exitCode === null) await sleep(50)
check('gateway drained: exit code', gateways[1]!.process.exitCode ?? -1, gateways[1]!.process.exitCode === 0)
gateways[1] = await startGateway(1)
await settled(60)
check(
  'gateway drained: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
const reconnects = clients.map((client) => client.reconnects)
rows.push(['gateway drained: clients that reconnected', `${reconnects.filter((count) => count > 0).length}`])
check(
  'gateway drained: reconnects of one client at most',
  Math.max(...reconnects),
  Math.max(...reconnects) <= 1,
)
check('gateway drained: clients on a third broker', strays(), strays() === 0)

// No acknowledged message may be lost: each goes to the client's own subscription.
for (const client of clients) client.stopPublishing()
const deadline = performance.now() + 30_000
const missing = () => clients.reduce((sum, client) => sum + client.missing(), 0)
while (missing() > 0 && performance.now() < deadline) await sleep(200)
rows.push(['messages acknowledged', `${clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0)}`])
check('acknowledged messages lost, persistent sessions', missing(), missing() === 0)

console.log(`| | |\n|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`)
for (const finding of findings) console.log(`FINDING ${finding}`)
for (const client of clients) client.end()
for (const program of [haproxy, ...gateways, ...brokers]) await program.stop()
folder.remove()
process.exit(findings.length > 0 ? 1 : 0)

async function settled(seconds: number): Promise<void> {
  await settledAll(clients, seconds)
}

async function settledAll(some: readonly Client[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (some.some(({ served }) => !served) && performance.now() < end) await sleep(100)
}

async function inTurns<T>(
  list: readonly T[],
  atATime: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < list.length) await act(list[next++]!)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}
