/*
 * `npm run cluster --workspace gateway -- [--clients N]`: runs three independent gateways behind HAProxy and in front of three
 * mosquittos, with thousands of clients. While they publish, a broker and a gateway are killed, and a gateway is drained and
 * restarted. Exits with 1 if a requirement is violated.
 */
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { Folder, sleep } from '../test/support.ts'
import { Client } from './client.ts'
import { Cluster, clientsOf, inTurns, Results, settled } from './cluster.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: { clients: { type: 'string', default: '3000' } },
})
const CLIENTS = Number(values.clients)
const BROKERS = ['one', 'two', 'three']

const folder = new Folder()
const results = new Results()
const check = results.check.bind(results)
const cluster = await Cluster.start(folder, BROKERS, { delay: 3, perSecond: 200 })
const { gateways, brokers, gatewayPorts } = cluster
const clients = clientsOf(cluster, CLIENTS)
const started = performance.now()
await inTurns(clients, 50, (client) => client.start())
check(
  'clients served at first',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
results.add('seconds to connect them', ((performance.now() - started) / 1000).toFixed(1))
const home = new Map(clients.map((client) => [client, client.broker]))
const spread = BROKERS.map((name) => clients.filter(({ broker }) => broker === name).length)
check('clients of each broker', spread.join(', '), Math.min(...spread) > (CLIENTS / 3) * 0.8)

// Every gateway must route a client id to the same broker.
let elsewhere = 0
const sample = clients.slice(0, 150)
for (const port of gatewayPorts) {
  await inTurns(sample, 10, async (client) => {
    const probe = new Client(client.clientId, { version: 4, isPersistent: false }, port, true)
    if ((await probe.whichBroker()) !== client.broker) elsewhere++
  })
}
check('sampled client ids that another gateway sends elsewhere', elsewhere, elsewhere === 0)
// The samples took over some clients' sessions, so those clients had to reconnect.
await settled(clients, 30)
for (const client of clients) client.startCounting()
for (const client of clients) client.publishRegularly(5000)
await sleep(3000)

// A broker dies. Only its clients move, except those with a persistent session: they wait until it's back.
const victim = 1
await brokers[victim]!.stop()
// Gives all gateways time to mark it down.
await sleep(2000)
const isOfVictim = (client: Client) => home.get(client) === BROKERS[victim]
const isClean = ({ kind }: Client) => !kind.isPersistent
await settled(
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
await cluster.startBroker(victim)
await settled(clients, 60)
check(
  'broker back: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
const strayed = waiting.filter((client) => client.broker !== home.get(client)).length
check('broker back: persistent clients on another broker', strayed, strayed === 0)

// A gateway dies. Its clients reconnect through the others, and reach the same brokers.
const placed = new Map(clients.map((client) => [client, client.broker]))
const strays = () =>
  clients.filter((client) => client.broker !== home.get(client) && client.broker !== placed.get(client))
    .length
for (const client of clients) client.startCounting()
gateways[0]!.process.kill('SIGKILL')
await sleep(1000)
await settled(clients, 60)
check(
  'gateway killed: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
results.add(
  'gateway killed: clients that reconnected',
  clients.filter(({ reconnects }) => reconnects > 0).length,
)
check('gateway killed: clients on a third broker', strays(), strays() === 0)
await cluster.startGateway(0)
await sleep(2000)

for (const client of clients) client.startCounting()
const exitCode = await cluster.restartGateway(1)
check('gateway drained: exit code', exitCode, exitCode === 0)
await settled(clients, 60)
check(
  'gateway drained: clients served',
  clients.filter(({ served }) => served).length,
  clients.every(({ served }) => served),
)
const reconnects = clients.map((client) => client.reconnects)
results.add('gateway drained: clients that reconnected', reconnects.filter((count) => count > 0).length)
check(
  'gateway drained: reconnects of one client at most',
  Math.max(...reconnects),
  Math.max(...reconnects) <= 1,
)
check('gateway drained: clients on a third broker', strays(), strays() === 0)

// No acknowledged message may be lost, because each goes to its sender's own subscription.
for (const client of clients) client.stopPublishing()
const deadline = performance.now() + 30_000
const missing = () => clients.reduce((sum, client) => sum + client.missing(), 0)
while (missing() > 0 && performance.now() < deadline) await sleep(200)
results.add(
  'messages acknowledged',
  clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
)
check('acknowledged messages lost, persistent sessions', missing(), missing() === 0)

for (const client of clients) client.end()
await cluster.stop()
folder.remove()
process.exit(results.print())
