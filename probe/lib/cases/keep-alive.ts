import type { Connection } from '../connection.ts'
import { read, versions } from '../packets.ts'
import { differs, type Finding, noAnswer, notTested, passed, Stop, violates } from '../result.ts'
import type { Trial } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { arrives, mortal, needsWills } from './mortal.ts'

/* Keep alive: a silent client is disconnected at 1.5 times its keep alive, and one that pings isn't. These cases are slow. */

/** The keep alive that is tested, and the tolerance for the server's timers, in seconds. */
const SECONDS = 6
const TOLERANCE = 7

const keepAlive = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-24', '5.0': 'MQTT-3.1.2-22' }
const ping = { '3.1': '3.12', '3.1.1': 'MQTT-3.12.4-1', '5.0': 'MQTT-3.12.4-1' }
const will = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-8', '5.0': 'MQTT-3.1.2-8' }
const slow = { isSlow: true, isHarmless: true }

/** The keep alive in force, in seconds, because the server may choose a different one. Ends the case if it's too long to test. */
function seconds(connection: Connection, { version }: Trial): number {
  const packet = read(version, connection.frames[0]!) as { properties?: { serverKeepAlive?: number } }
  const found = packet?.properties?.serverKeepAlive ?? SECONDS
  if (found > 0 && found <= 4 * SECONDS) return found
  throw new Stop(notTested(`The server asks for a keep alive of ${found} s.`))
}

/** Waits for the end of a silent client's connection. */
async function ending(trial: Trial): Promise<Finding> {
  const { connection } = await trial.connect({ keepAlive: SECONDS })
  trial.reported = connection
  const start = performance.now()
  const own = seconds(connection, trial)
  const isEnded = await connection.ended((1.5 * own + TOLERANCE) * 1000)
  const after = ((performance.now() - start) / 1000).toFixed(1)
  const what = `Keep alive: ${own} s.`
  // A server that is just slow to close doesn't answer any more packets.
  if (!isEnded && (await trial.ping(connection)))
    return violates(`A client was silent for ${after} s, and is still connected. ${what}`)
  if (!isEnded) return noAnswer(`The connection had not ended after ${after} s. ${what}`)
  return Number(after) > 1.5 * own + 2 + trial.latency / 1000
    ? differs(`The connection ended after ${after} s. ${what}`)
    : passed(`The connection ended after ${after} s. ${what}`)
}

export const keepAliveCases: readonly Case[] = [
  ...inEach(
    versions,
    'keep-alive.ends',
    keepAlive,
    async (trial) => {
      const first = await ending(trial)
      // A loaded server may be late once.
      return first.verdict === 'differs' ? ending(trial) : first
    },
    slow,
  ),
  ...inEach(
    versions,
    'keep-alive.publishes-will',
    will,
    async (trial) => {
      const client = await mortal(trial, {}, { keepAlive: SECONDS })
      const own = seconds(client.connection, trial)
      if (!(await client.connection.ended((1.5 * own + TOLERANCE) * 1000)))
        return notTested('The connection did not end: see keep-alive.ends.')
      if (await arrives(trial, client)) return passed('The will was published.')
      await needsWills(trial)
      return violates('The will was not published when the keep alive had ended the connection.')
    },
    slow,
  ),
  ...inEach(
    versions,
    'keep-alive.not-early',
    ping,
    async (trial) => {
      const { connection } = await trial.connect({ keepAlive: SECONDS })
      const own = seconds(connection, trial)
      for (let count = 1; count <= 3; count++) {
        const start = performance.now()
        await connection.ended(own * 750)
        const isAnswered = !connection.closed && (await trial.ping(connection))
        if (connection.closed) {
          // The longest time between two packets from the server's point of view.
          const longest = performance.now() - start + trial.latency
          return longest < own * 1500
            ? violates('The server closed a connection whose client kept it alive.')
            : notTested('The server is too slow to tell whether the client kept the connection alive.')
        }
        if (!isAnswered) return noAnswer(`There was no PINGRESP within ${trial.timeout} ms.`)
      }
      return passed('The connection lasted while the client kept it alive.')
    },
    slow,
  ),
  ...inEach(
    versions,
    'keep-alive.off',
    keepAlive,
    async (trial) => {
      const { connection } = await trial.connect({ keepAlive: 0 })
      return (await connection.ended(10_000))
        ? differs('The server closed a connection whose client had turned keep alive off.')
        : passed('The connection lasted for 10 s without a packet.')
    },
    slow,
  ),
]
