import { property } from 'mqtt-connect-packet'
import type { Connection } from '../connection.ts'
import { type ConnectFields, publish, versions } from '../packets.ts'
import { type Finding, notTested, passed, Stop, violates } from '../result.ts'
import { type Trial, unique, type Watcher } from '../trial.ts'
import { type Case, inEach } from './case.ts'

/* The will: published when a connection breaks, delayed and discarded as asked. */

const text = 'the will'

type WillFields = NonNullable<ConnectFields['will']>

/** A client with a will, and another that watches the will's topic. */
async function mortal(
  trial: Trial,
  more: Partial<WillFields> = {},
  fields: Partial<ConnectFields> = {},
): Promise<{ connection: Connection; watcher: Watcher; topic: string; clientId: string }> {
  const topic = unique()
  const clientId = unique()
  const watcher = await trial.watch(topic)
  const will = { topic, message: text, ...more }
  const { connection } = await trial.connect({ clientId, will, ...fields })
  trial.reported = connection
  return { connection, watcher, topic, clientId }
}

/** Whether the will arrives. If it doesn't, another message must, because the server may only be slow. */
async function arrives(trial: Trial, watcher: Watcher, topic: string, more = 0): Promise<boolean> {
  if ((await watcher.message(topic, trial.timeout + more, text)) !== undefined) return true
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, text)) !== undefined
}

/** Whether the will doesn't arrive, although a later message does. */
async function staysAway(trial: Trial, watcher: Watcher, topic: string): Promise<boolean> {
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, text)) === undefined
}

const published = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-8', '5.0': 'MQTT-3.1.2-8' }
const discarded = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-10', '5.0': 'MQTT-3.1.2-10' }
const delay = 2

export const willCases: readonly Case[] = [
  ...inEach(versions, 'will.published', published, async (trial) => {
    const { connection, watcher, topic } = await mortal(trial)
    connection.destroy()
    return (await arrives(trial, watcher, topic))
      ? passed('The will was published.')
      : violates('The will was not published after the connection broke.')
  }),
  ...inEach(versions, 'will.discarded', discarded, async (trial) => {
    const { connection, watcher, topic } = await mortal(trial)
    await trial.leave(connection)
    return (await staysAway(trial, watcher, topic))
      ? passed('The will was discarded.')
      : violates('The will was published although the client had sent a DISCONNECT.')
  }),
  ...inEach(versions, 'will.disconnect-with-will', { '5.0': '3.14.2.1' }, async (trial) => {
    const { connection, watcher, topic } = await mortal(trial)
    await trial.leave(connection, 4)
    if (await arrives(trial, watcher, topic)) return passed('The will was published.')
    await needsWills(trial)
    return violates(
      'The will was not published after a DISCONNECT with code 4, disconnect with will message.',
    )
  }),
  ...inEach(versions, 'will.delayed', { '5.0': 'MQTT-3.1.2-8' }, async (trial) => {
    const { connection, watcher, topic, clientId } = await mortal(
      trial,
      { props: [property.willDelayInterval(delay)] },
      { props: [property.sessionExpiryInterval(60)] },
    )
    const start = performance.now()
    connection.destroy()
    const isThere = await arrives(trial, watcher, topic, delay * 1000)
    const seconds = (performance.now() - start) / 1000
    if (!isThere) return willIsMissing(trial)
    if (seconds > delay - 0.6) return passed(`The will was published after ${seconds.toFixed(1)} s.`)
    await needs(
      hasSession(trial, clientId),
      'The session was not kept, and with it ends the delay: see session.kept.',
    )
    return violates(`The will was published after ${seconds.toFixed(1)} s. Its delay interval is ${delay} s.`)
  }),
  ...inEach(versions, 'will.delay-ends-with-session', { '5.0': 'MQTT-3.1.2-8' }, async (trial) => {
    const will = { props: [property.willDelayInterval(60)] }
    const { connection, watcher, topic, clientId } = await mortal(trial, will)
    connection.destroy()
    if (await arrives(trial, watcher, topic)) return passed('The will was published when the session ended.')
    await needsWills(trial)
    if (await hasSession(trial, clientId)) {
      return notTested('The session did not end: see session.expires-with-connection.')
    }
    return violates('The will was not published when the session ended, before its delay interval.')
  }),
  ...inEach(versions, 'will.delay-cancelled', { '5.0': 'MQTT-3.1.3-9' }, async (trial) => {
    const { connection, watcher, topic, clientId } = await mortal(
      trial,
      { props: [property.willDelayInterval(delay)] },
      { props: [property.sessionExpiryInterval(60)] },
    )
    const start = performance.now()
    connection.destroy()
    trial.forget(clientId)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await trial.connect({ clientId, clean: false, props: [property.sessionExpiryInterval(60)] })
    if (performance.now() - start > delay * 700) {
      return notTested('The server is too slow to tell whether the client came back in time.')
    }
    if ((await watcher.message(topic, 0, text)) !== undefined) {
      return notTested('The will was published before the client came back: see will.delayed.')
    }
    await new Promise((resolve) => setTimeout(resolve, delay * 1000 + trial.grace))
    return (await staysAway(trial, watcher, topic))
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

/** Whether a client comes back to a session. */
async function hasSession(trial: Trial, clientId: string): Promise<boolean> {
  const { reported } = trial
  const { connection, answer } = await trial.connect({ clientId, clean: false })
  await trial.leave(connection)
  trial.reported = reported
  return answer.sessionPresent
}

async function willIsMissing(trial: Trial): Promise<Finding> {
  await needsWills(trial)
  return violates(`The will was not published. Its delay interval is ${delay} s.`)
}

/** A server that publishes no wills at all is not blamed for each kind of will. */
async function needsWills(trial: Trial): Promise<void> {
  const { reported } = trial
  const { connection, watcher, topic } = await mortal(trial)
  trial.reported = reported
  connection.destroy()
  await needs(arrives(trial, watcher, topic), 'The server publishes no wills: see will.published.')
}

async function needs(condition: Promise<boolean>, text: string): Promise<void> {
  if (!(await condition)) throw new Stop(notTested(text))
}

/** Whether a will is retained exactly if it says so: a client that subscribes later gets it. */
async function retained(trial: Trial, retain: boolean): Promise<Finding> {
  const control = unique()
  const { connection: publisher } = await trial.connect()
  publisher.send(publish(trial.version, { topic: control, payload: 'kept', retain: true }))
  const { connection, watcher, topic } = await mortal(trial, { retain })
  await needs(laterGets(trial, control, 'kept'), 'The server keeps no retained messages.')
  publisher.send(publish(trial.version, { topic: control, payload: '', retain: true }))
  connection.destroy()
  await needs(arrives(trial, watcher, topic), 'The will was not published: see will.published.')
  const isKept = await laterGets(trial, topic, text)
  if (isKept) publisher.send(publish(trial.version, { topic, payload: '', retain: true }))
  if (isKept === retain) return passed(retain ? 'The will was retained.' : 'The will was not retained.')
  return violates(
    retain ? 'The will was not retained, but says so.' : 'The will was retained, but does not say so.',
  )
}

async function laterGets(trial: Trial, topic: string, payload: string): Promise<boolean> {
  const watcher = await trial.watch(topic)
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, payload)) !== undefined
}
