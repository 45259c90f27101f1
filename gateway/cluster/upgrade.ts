/*
 * `npm run upgrade --workspace gateway -- [--delay SECONDS]`: runs HAProxy, three gateways and mosquitto. Restarts the gateways
 * one by one, as an upgrade does, while new clients keep connecting without ever retrying. Prints how many were served, and
 * exits with 1 if any wasn't. `--delay` is `drain.delay`, the time for HAProxy to find out that a gateway isn't ready: two
 * health checks, 500 ms apart.
 */
import { connect } from 'node:net'
import { readPacket, v3_1_1 } from 'mqtt-connect-packet'
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { Folder, sleep } from '../test/support.ts'
import { Cluster, Results } from './cluster.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: { delay: { type: 'string', default: '3' } },
})
/** Number of clients that connect concurrently. */
const AT_A_TIME = 20
/** Milliseconds until a client without an answer counts as refused. */
const PATIENCE = 5000
const accepted = '20020000'

const folder = new Folder()
const results = new Results()
const cluster = await Cluster.start(folder, ['one'], { delay: Number(values.delay), perSecond: 200 })
const refusals: string[] = []
let served = 0
let isOver = false

/** Connects once, and sends a DISCONNECT. */
async function connectOnce(clientId: string): Promise<void> {
  const socket = connect(cluster.port, '127.0.0.1')
  socket.on('error', () => {})
  try {
    socket.write(new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId }).bytes)
    const { bytes } = await readPacket(socket, { signal: AbortSignal.timeout(PATIENCE) })
    const answer = Buffer.from(bytes).toString('hex')
    if (answer === accepted) served++
    else refusals.push(answer)
    socket.end(Buffer.from('e000', 'hex'))
  } catch (error) {
    refusals.push((error as Error).message)
    socket.destroy()
  }
}

async function connectAllTheTime(of: number): Promise<void> {
  for (let i = 0; !isOver; i++) {
    await connectOnce(`client-${of}-${i}`)
    await sleep(20)
  }
}

// HAProxy needs this long to find out that all gateways are ready.
await sleep(3000)
const clients = Array.from({ length: AT_A_TIME }, (_, i) => connectAllTheTime(i))
await sleep(1000)
for (const i of cluster.gateways.keys()) {
  const exitCode = await cluster.restartGateway(i)
  results.check(`gateway ${i + 1} restarted: exit code`, exitCode, exitCode === 0)
  // Until HAProxy routes clients to it again.
  await sleep(2000)
}
isOver = true
await Promise.all(clients)
results.check('clients served', served, served > 1000)
results.check('clients refused', refusals.length, refusals.length === 0)
for (const reason of new Set(refusals)) results.add('refused', reason)

await cluster.stop()
folder.remove()
process.exit(results.print())
