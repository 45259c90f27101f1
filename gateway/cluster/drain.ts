/*
 * `npm run drain --workspace gateway -- [--clients N] [--without]`: runs HAProxy, three gateways and mosquitto, with clients
 * that all have a will and publish with QoS 1. Restarts the gateways one by one with `drain.notify` and `drain.discardWills`,
 * or without them, and prints how many wills were published and what became of the messages. Exits with 1 if a will was
 * published or a message lost.
 */
import mqtt from 'mqtt'
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { Folder, sleep } from '../test/support.ts'
import { Cluster, clientsOf, inTurns, Results, settled } from './cluster.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: { clients: { type: 'string', default: '3000' }, without: { type: 'boolean', default: false } },
})
const isOn = !values.without

const folder = new Folder()
const results = new Results()
const cluster = await Cluster.start(folder, ['one'], {
  delay: 3,
  perSecond: 200,
  ...(isOn && { notify: true, discardWills: true }),
})
const wills: string[] = []
const watcher = await mqtt.connectAsync(`mqtt://127.0.0.1:${cluster.brokerPorts[0]}`)
watcher.on('message', (topic) => wills.push(topic))
await watcher.subscribeAsync('wills/#', { qos: 1 })

const clients = clientsOf(cluster, Number(values.clients), { hasWill: true })
await inTurns(clients, 50, (client) => client.start())
results.add('clients with a will', clients.filter(({ served }) => served).length)
for (const client of clients) {
  client.startCounting()
  client.publishRegularly(2000)
}
await sleep(3000)

const started = performance.now()
for (const i of cluster.gateways.keys()) {
  const exitCode = await cluster.restartGateway(i)
  await settled(clients, 60)
  results.check(`gateway ${i + 1} restarted: exit code`, exitCode, exitCode === 0)
}
results.add('seconds for the rolling restart', ((performance.now() - started) / 1000).toFixed(0))
const unserved = clients.filter(({ served }) => !served).length
results.check('clients not served afterwards', unserved, unserved === 0)
results.add(
  'reconnects',
  sum(({ reconnects }) => reconnects),
)
for (const version of [4, 5] as const) {
  const endings: Record<string, number> = {}
  for (const client of clients.filter(({ kind }) => kind.version === version))
    for (const [code, count] of Object.entries(client.endings)) endings[code] = (endings[code] ?? 0) + count
  const text = Object.entries(endings).map(([code, count]) => `${code}: ${count}`)
  results.add(
    `DISCONNECT before the end of a connection, ${version === 4 ? 'MQTT 3.1.1' : 'MQTT 5.0'}`,
    text.join(', '),
  )
}

for (const client of clients) client.stopPublishing()
const deadline = performance.now() + 20_000
const outstanding = () => sum((client) => client.outstanding)
while (outstanding() > 0 && performance.now() < deadline) await sleep(200)
results.add(
  'QoS 1 messages published',
  sum(({ published }) => published),
)
results.check('QoS 1 messages that did not come back', outstanding(), outstanding() === 0)
results.check('wills published', wills.length, wills.length === 0)

await watcher.endAsync()
for (const client of clients) client.end()
await cluster.stop()
folder.remove()
process.exit(results.print())

function sum(count: (client: (typeof clients)[number]) => number): number {
  return clients.reduce((total, client) => total + count(client), 0)
}
