import { property } from 'mqtt-connect-packet'
import { publish, versions } from '../packets.ts'
import { type Finding, notTested, passed, violates } from '../result.ts'
import { type Trial, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import {
  arrives,
  arrivesAfterBreak,
  hasSession,
  mortal,
  mortalWithDelay,
  needs,
  needsWills,
  staysAway,
  text,
} from './mortal.ts'

/* The will is published when the connection breaks, and delayed or discarded as the client asked. */

const published = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-8', '5.0': 'MQTT-3.1.2-8' }
const discarded = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-10', '5.0': 'MQTT-3.1.2-10' }
const absent = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-12', '5.0': 'MQTT-3.1.2-10' }
const only5 = (clause: string) => ({ '5.0': clause })

/** The delay that is tested, and one that overflows some timers, in seconds. */
const DELAY = 2
const LONGEST = 0xffff_ffff

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const willCases: readonly Case[] = [
  ...inEach(versions, 'will.published', published, async (trial) => {
    const client = await mortal(trial)
    return (await arrivesAfterBreak(trial, client))
      ? passed('The will was published.')
      : violates('The will was not published after the connection broke.')
  }),
  ...inEach(versions, 'will.discarded', discarded, async (trial) => {
    const client = await mortal(trial)
    await trial.leave(client.connection)
    return (await staysAway(trial, client))
      ? passed('The will was discarded.')
      : violates('The will was published although the client had sent a DISCONNECT.')
  }),
  ...inEach(versions, 'will.once', discarded, async (trial) => {
    const client = await mortal(trial)
    await needs(arrivesAfterBreak(trial, client), 'The will was not published: see will.published.')
    await client.watcher.sync(client.topic)
    await sleep(trial.grace)
    const count = client.watcher.count(client.topic, text)
    return count === 1
      ? passed('The will was published once.')
      : violates(`The will was published ${count} times.`)
  }),
  ...inEach(versions, 'will.not-of-earlier-connection', absent, async (trial) => {
    const keeping = trial.version.is5 ? { props: [property.sessionExpiryInterval(60)] } : {}
    const client = await mortal(trial, {}, { clean: false, ...keeping })
    const { clientId, topic, watcher } = client
    trial.forget(clientId)
    client.connection.destroy()
    await needs(arrives(trial, client), 'The will was not published: see will.published.')
    const before = watcher.count(topic, text)
    const { connection } = await trial.connect({ clientId, clean: false, ...keeping })
    trial.reported = connection
    connection.destroy()
    // By the time the server handles the end of a later connection, it has handled the end of the first.
    const other = await mortal(trial)
    other.connection.destroy()
    await needs(arrives(trial, other), 'The will was not published: see will.published.')
    await watcher.sync(topic)
    await sleep(trial.grace)
    return watcher.count(topic, text) === before
      ? passed('A connection without a will ended without one.')
      : violates('When a connection without a will ended, the will of an earlier connection was published.')
  }),
  ...inEach(versions, 'will.after-protocol-error', published, async (trial) => {
    const client = await mortal(trial)
    // This packet type is reserved in every version.
    client.connection.send(Buffer.of(0, 0))
    await needs(
      client.connection.ended(trial.timeout),
      'The server does not close the connection after an invalid packet: see packet.reserved-packet-type.',
    )
    if (await arrives(trial, client)) return passed('The will was published.')
    await needsWills(trial)
    return violates(
      'The will was not published when the server closed the connection after an invalid packet.',
    )
  }),
  ...inEach(versions, 'will.at-takeover', published, async (trial) => {
    const client = await mortal(trial)
    await trial.connect({ clientId: client.clientId })
    await needs(
      client.connection.ended(trial.timeout),
      'The first connection stayed open: see connection.takeover.',
    )
    if (await arrives(trial, client)) return passed('The will was published.')
    await needsWills(trial)
    return violates('The will was not published when a second client with its id took over.')
  }),
  ...inEach(versions, 'will.delayed', only5('MQTT-3.1.2-8'), async (trial) => {
    const client = await mortalWithDelay(trial, DELAY)
    const start = performance.now()
    client.connection.destroy()
    const isThere = await arrives(trial, client, DELAY * 1000)
    const seconds = (performance.now() - start) / 1000
    if (!isThere) {
      await needsWills(trial)
      return violates(`The will was not published. Its delay interval is ${DELAY} s.`)
    }
    if (seconds > DELAY - 0.6) return passed(`The will was published after ${seconds.toFixed(1)} s.`)
    await needs(
      hasSession(trial, client.clientId),
      'The session was not kept, and with it ends the delay: see session.kept.',
    )
    return violates(`The will was published after ${seconds.toFixed(1)} s. Its delay interval is ${DELAY} s.`)
  }),
  ...inEach(versions, 'will.delayed-long', only5('MQTT-3.1.2-8'), async (trial) => {
    const client = await mortalWithDelay(trial, LONGEST)
    client.connection.destroy()
    trial.forget(client.clientId)
    await sleep(1000)
    if (await staysAway(trial, client)) return passed('The will was not published at once.')
    await needs(
      hasSession(trial, client.clientId),
      'The session was not kept, and with it ends the delay: see session.kept.',
    )
    const control = await mortalWithDelay(trial, 60)
    control.connection.destroy()
    trial.forget(control.clientId)
    await sleep(1000)
    await needs(staysAway(trial, control), 'The server delays no wills: see will.delayed.')
    return violates(`The will was published within a second. Its delay interval is ${LONGEST} s.`)
  }),
  ...inEach(versions, 'will.delay-ends-with-session', only5('MQTT-3.1.2-8'), async (trial) => {
    const client = await mortal(trial, { props: [property.willDelayInterval(60)] })
    client.connection.destroy()
    if (await arrives(trial, client)) return passed('The will was published when the session ended.')
    await needsWills(trial)
    if (await hasSession(trial, client.clientId)) {
      return notTested('The session did not end: see session.expires-with-connection.')
    }
    return violates('The will was not published when the session ended, before its delay interval.')
  }),
  ...inEach(versions, 'will.delay-cancelled', only5('MQTT-3.1.3-9'), async (trial) => {
    const client = await mortalWithDelay(trial, DELAY)
    const { clientId, watcher, topic } = client
    const start = performance.now()
    client.connection.destroy()
    trial.forget(clientId)
    await sleep(100)
    await trial.connect({ clientId, clean: false, props: [property.sessionExpiryInterval(60)] })
    if (performance.now() - start > DELAY * 700) {
      return notTested('The server is too slow to tell whether the client came back in time.')
    }
    if ((await watcher.message(topic, 0, text)) !== undefined) {
      return notTested('The will was published before the client came back: see will.delayed.')
    }
    await sleep(DELAY * 1000 + trial.grace)
    return (await staysAway(trial, client))
      ? passed('The will was discarded, because the client came back in time.')
      : violates('The will was published although the client came back before its delay interval.')
  }),
  ...inEach(
    versions,
    'will.retained',
    { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-17', '5.0': 'MQTT-3.1.2-15' },
    (trial) => retained(trial, true),
  ),
  ...inEach(
    versions,
    'will.not-retained',
    { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-16', '5.0': 'MQTT-3.1.2-14' },
    (trial) => retained(trial, false),
  ),
]

/** Checks that a will is retained if and only if it asks for that: a client that subscribes later then gets it. */
async function retained(trial: Trial, retain: boolean): Promise<Finding> {
  const control = unique()
  const { connection: publisher } = await trial.connect()
  publisher.send(publish(trial.version, { topic: control, payload: 'kept', retain: true }))
  const client = await mortal(trial, { retain })
  const { topic } = client
  await needs(laterGets(trial, control, 'kept'), 'The server keeps no retained messages.')
  publisher.send(publish(trial.version, { topic: control, payload: '', retain: true }))
  client.connection.destroy()
  await needs(arrives(trial, client), 'The will was not published: see will.published.')
  // The server may store it a little later than it publishes it.
  const isKept = (await laterGets(trial, topic, text)) || (retain && (await laterGets(trial, topic, text)))
  if (isKept) publisher.send(publish(trial.version, { topic, payload: '', retain: true }))
  if (isKept === retain) return passed(retain ? 'The will was retained.' : 'The will was not retained.')
  return violates(
    retain ? 'The will was not retained, but says so.' : 'The will was retained, but does not say so.',
  )
}

/** True if a client that subscribes now gets a message that was published before. */
export async function laterGets(trial: Trial, topic: string, payload: string): Promise<boolean> {
  const watcher = await trial.watch(topic)
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, payload)) !== undefined
}
