import { type Property, PropertyId, property } from 'mqtt-connect-packet'
import type { Connection } from '../connection.ts'
import { type Leaving, publish, versions } from '../packets.ts'
import { type Finding, notTested, passed, Stop, violates } from '../result.ts'
import { type Trial, unique, Watcher } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { connackOf } from './connack.ts'
import { needs } from './mortal.ts'
import { laterGets } from './will.ts'

/* Sessions are kept, expire and are discarded as they should be, and the CONNACK reports that correctly. */

const MINUTE = 60
/** Sessions with this interval never expire. */
const FOREVER = 0xffff_ffff

const PUBACK = 4

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The properties for a session of this duration in seconds. Before 5.0, Clean Session decides. */
function keeping(trial: Trial, seconds: number | undefined): { props?: readonly Property[] } {
  return trial.version.is5 && seconds !== undefined
    ? { props: [property.sessionExpiryInterval(seconds)] }
    : {}
}

/** Connects a client, subscribes, and leaves the session behind. */
async function leaveSession(
  trial: Trial,
  clean: boolean,
  seconds: number | undefined,
  qos: 0 | 1 = 1,
  leaving: Leaving = {},
): Promise<{ clientId: string; topic: string }> {
  const clientId = unique()
  const topic = unique()
  const { connection } = await trial.connect({ clientId, clean, ...keeping(trial, seconds) })
  if (seconds !== 0) trial.forget(clientId)
  checkExpiry(trial, connection)
  await trial.subscribe(connection, topic, trial.version, qos)
  await trial.leave(connection, leaving)
  return { clientId, topic }
}

/** Ends the case if the server's CONNACK sets a different expiry interval, which the standard allows. */
function checkExpiry({ version }: Trial, connection: Connection): void {
  const own = version.is5 ? connackOf(connection).property(PropertyId.sessionExpiryInterval) : undefined
  if (own !== undefined)
    throw new Stop(notTested(`The server announced that it keeps sessions for ${own} s.`))
}

/** Reconnects the client. Returns the CONNACK's Session Present, and whether the subscription still exists. */
async function comeBack(trial: Trial, clientId: string, topic: string, clean: boolean) {
  const { connection, answer } = await trial.connect({ clientId, clean, ...keeping(trial, MINUTE) })
  trial.reported = connection
  return { isPresent: answer.sessionPresent, isAlive: await trial.hasSubscription(connection, topic) }
}

const says = (isPresent: boolean): string => `The CONNACK says session present ${isPresent ? 1 : 0}`

const cleanDiscards = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-6', '5.0': 'MQTT-3.1.2-4' }
const queued = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-5', '5.0': 'MQTT-3.1.2-23' }
const resumed = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-4', '5.0': 'MQTT-3.1.2-5' }
const only5 = (clause: string) => ({ '5.0': clause })
const kept = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-4', '5.0': 'MQTT-3.1.2-23' }

export const sessionCases: readonly Case[] = [
  ...inEach(versions, 'session.clean-discards', cleanDiscards, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false, MINUTE)
    const { isAlive } = await comeBack(trial, clientId, topic, true)
    return isAlive
      ? violates('A subscription of the earlier session is still there after a clean start.')
      : passed('A clean start discarded the earlier session.')
  }),
  ...inEach(versions, 'session.kept', kept, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false, MINUTE)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? passed('The subscription was still there on the next connection.')
      : violates('The subscription was lost, although the session should be kept.')
  }),
  ...inEach(versions, 'session.kept-after-clean-start', only5('MQTT-3.1.2-23'), async (trial) => {
    const { clientId, topic } = await leaveSession(trial, true, MINUTE)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    if (isAlive) return passed('The subscription was still there on the next connection.')
    await needs(keepsSessions(trial), 'The server keeps no sessions: see session.kept.')
    return violates('A session that began with a clean start was lost, although its expiry interval is 60 s.')
  }),
  ...inEach(versions, 'session.kept-with-qos-0', kept, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false, MINUTE, 0)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? passed('A subscription with QoS 0 was still there on the next connection.')
      : violates('A subscription with QoS 0 was lost, although the session should be kept.')
  }),
  ...inEach(
    versions,
    'session.clean-is-not-kept',
    { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-6' },
    async (trial) => {
      const { clientId, topic } = await leaveSession(trial, true, MINUTE)
      const { isAlive } = await comeBack(trial, clientId, topic, false)
      return isAlive
        ? violates('A clean session was kept after its connection.')
        : passed('A clean session ended with its connection.')
    },
  ),
  ...inEach(versions, 'session.queues-messages', queued, queuesMessages),
  ...inEach(versions, 'session.survives-takeover', resumed, survivesTakeover),
  ...inEach(
    versions,
    'session.leaves-retained-messages',
    { '3.1.1': 'MQTT-3.1.2-7', '5.0': '4.1' },
    leavesRetained,
  ),
  ...inEach(versions, 'session.lasts-with-connection', only5('MQTT-4.1.0-1'), async (trial) => {
    const topic = unique()
    const { connection } = await trial.connect(keeping(trial, 1))
    await trial.subscribe(connection, topic)
    await sleep(3000)
    if (connection.closed) return notTested('The server closed the connection.')
    return (await trial.hasSubscription(connection, topic))
      ? passed('The session lasted while the client was connected.')
      : violates('A session with an expiry interval of 1 s ended while its client was connected.')
  }),
  ...inEach(versions, 'session.never-expires', only5('3.1.2.11.2'), async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false, FOREVER)
    await sleep(1000)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    if (isAlive) return passed('A session that never expires was there after a second.')
    await needs(keepsSessions(trial), 'The server keeps no sessions: see session.kept.')
    return violates(
      'A session with expiry interval 0xFFFFFFFF, which never expires, was lost within a second.',
    )
  }),
  ...inEach(versions, 'session.expiry-shortened-by-disconnect', only5('3.14.2.2.2'), async (trial) => {
    const leaving = { sessionExpiryInterval: 0 }
    const { clientId, topic } = await leaveSession(trial, false, MINUTE, 1, leaving)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    if (!isAlive) return passed('The DISCONNECT with session expiry interval 0 ended the session.')
    const control = await leaveSession(trial, true, 0)
    const { isAlive: isKept } = await comeBack(trial, control.clientId, control.topic, false)
    return isKept
      ? notTested('Sessions do not end: see session.expires-with-connection.')
      : violates('A session was kept although the DISCONNECT has session expiry interval 0.')
  }),
  ...inEach(versions, 'session.expiry-lengthened-by-disconnect', only5('3.14.2.2.2'), async (trial) => {
    const leaving = { sessionExpiryInterval: MINUTE }
    const { clientId, topic } = await leaveSession(trial, false, 1, 1, leaving)
    await sleep(3000)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    if (isAlive) return passed('The session was kept for as long as the DISCONNECT says.')
    await needs(keepsSessions(trial), 'The server keeps no sessions: see session.kept.')
    return violates(
      'A session ended after the interval of the CONNECT, although the DISCONNECT has a longer one.',
    )
  }),
  ...inEach(versions, 'session.expires-with-connection', only5('MQTT-4.1.0-2'), async (trial) => {
    const { clientId, topic } = await leaveSession(trial, true, 0)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? violates('A session with expiry interval 0 was kept after its connection.')
      : passed('A session with expiry interval 0 ended with its connection.')
  }),
  ...inEach(versions, 'session.expires-without-interval', only5('MQTT-4.1.0-2'), async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false, undefined)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? violates('A session without an expiry interval was kept after its connection.')
      : passed('A session without an expiry interval ended with its connection.')
  }),
  ...inEach(versions, 'session.expires', { '5.0': 'MQTT-4.1.0-2' }, async (trial) => {
    // The session must be kept at first. If it isn't, session.kept reports that.
    const { clientId, topic } = await leaveSession(trial, false, 1)
    await sleep(trial.attempt === 1 ? 3000 : 12_000)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? violates(`A session with an expiry interval of 1 s was kept for ${trial.attempt === 1 ? 3 : 12} s.`)
      : passed('The session was gone after its expiry interval.')
  }),
  ...inEach(
    versions,
    'connack.session-present-new',
    { '3.1.1': 'MQTT-3.2.2-3', '5.0': 'MQTT-3.2.2-3' },
    async (trial) => {
      const clientId = unique()
      const { answer } = await trial.connect({ clientId, clean: false, ...keeping(trial, 0) })
      trial.forget(clientId)
      return judgePresent(answer.sessionPresent, false, 'for a client that has no session')
    },
  ),
  ...inEach(
    versions,
    'connack.session-present-kept',
    { '3.1.1': 'MQTT-3.2.2-2', '5.0': 'MQTT-3.2.2-3' },
    async (trial) => {
      const { clientId, topic } = await leaveSession(trial, false, MINUTE)
      const { isPresent, isAlive } = await comeBack(trial, clientId, topic, false)
      if (!isAlive) return notTested('The session was not kept: see session.kept.')
      return judgePresent(isPresent, true, 'although the session is there')
    },
  ),
  ...inEach(
    versions,
    'connack.session-present-clean',
    { '3.1.1': 'MQTT-3.2.2-1', '5.0': 'MQTT-3.2.2-2' },
    async (trial) => {
      const { clientId, topic } = await leaveSession(trial, false, MINUTE)
      const { isPresent, isAlive } = await comeBack(trial, clientId, topic, true)
      if (isAlive) return notTested('The session was not discarded: see session.clean-discards.')
      return judgePresent(isPresent, false, 'after a clean start')
    },
  ),
]

function judgePresent(isPresent: boolean, expected: boolean, when: string): Finding {
  const text = `${says(isPresent)} ${when}.`
  return isPresent === expected ? passed(`${says(isPresent)}, rightly.`) : violates(text)
}

/** True if the server keeps a session for a minute at all. */
async function keepsSessions(trial: Trial): Promise<boolean> {
  const { reported } = trial
  const { clientId, topic } = await leaveSession(trial, false, MINUTE)
  const { isAlive } = await comeBack(trial, clientId, topic, false)
  trial.reported = reported
  return isAlive
}

/** Publishes with QoS 1 and waits until the server has the message. */
async function publishSafely(trial: Trial, topic: string, payload: string): Promise<void> {
  const { connection } = await trial.connect()
  connection.send(publish(trial.version, { topic, payload, qos: 1 }))
  const puback = connection.packet(PUBACK, trial.timeout).then((frame) => frame !== undefined)
  await needs(puback, 'The server acknowledges no PUBLISH with QoS 1.')
}

/** Checks that a QoS 1 message for a client that is away arrives when the client comes back. */
async function queuesMessages(trial: Trial): Promise<Finding> {
  const clientId = unique()
  const topic = unique()
  const fields = { clientId, clean: false, ...keeping(trial, MINUTE) }
  const { connection } = await trial.connect(fields)
  trial.forget(clientId)
  checkExpiry(trial, connection)
  if ((await trial.subscribe(connection, topic, trial.version, 1)) < 1)
    return notTested('The server grants no subscription with QoS 1.')
  await publishSafely(trial, topic, 'control')
  const control = await new Watcher(trial, connection, trial.version).message(topic, trial.timeout, 'control')
  if (control?.qos !== 1) return notTested('The server delivers no messages with QoS 1.')
  connection.send(acknowledge(control.messageId!))
  await trial.leave(connection)
  await publishSafely(trial, topic, 'later')
  const { connection: back } = await trial.connect(fields)
  trial.reported = back
  const watcher = new Watcher(trial, back, trial.version)
  if ((await watcher.message(topic, trial.timeout, 'later')) !== undefined)
    return passed('The client got a message with QoS 1 that was published while it was away.')
  if (!(await trial.hasSubscription(back, topic)))
    return notTested('The session was not kept: see session.kept.')
  if ((await watcher.message(topic, trial.grace, 'later')) !== undefined)
    return passed('The client got a message with QoS 1 that was published while it was away, after others.')
  return violates('The client did not get a message with QoS 1 that was published while it was away.')
}

function acknowledge(messageId: number): Buffer {
  return Buffer.of(PUBACK << 4, 2, messageId >> 8, messageId & 0xff)
}

/** Checks that a client that takes over its own session still finds it. */
async function survivesTakeover(trial: Trial): Promise<Finding> {
  const clientId = unique()
  const topic = unique()
  const { connection } = await trial.connect({ clientId, clean: false, ...keeping(trial, MINUTE) })
  trial.forget(clientId)
  checkExpiry(trial, connection)
  await trial.subscribe(connection, topic, trial.version, 1)
  const { isAlive } = await comeBack(trial, clientId, topic, false)
  if (isAlive) return passed('The session went on with the connection that took over.')
  await needs(keepsSessions(trial), 'The server keeps no sessions: see session.kept.')
  return violates('The session was lost when the client connected again before its old connection had ended.')
}

/** Checks that a retained message stays when the session of its publisher ends. */
async function leavesRetained(trial: Trial): Promise<Finding> {
  const topic = unique()
  const { connection } = await trial.connect()
  connection.send(publish(trial.version, { topic, payload: 'kept', retain: true }))
  await needs(laterGets(trial, topic, 'kept'), 'The server keeps no retained messages.')
  await trial.leave(connection)
  const isThere = (await laterGets(trial, topic, 'kept')) || (await laterGets(trial, topic, 'kept'))
  const { connection: cleaner } = await trial.connect()
  cleaner.send(publish(trial.version, { topic, payload: '', retain: true }))
  await trial.leave(cleaner)
  return isThere
    ? passed('A retained message was there after the session of its publisher.')
    : violates('A retained message was deleted with the session of its publisher.')
}
