import { type Property, property } from 'mqtt-connect-packet'
import { versions } from '../packets.ts'
import { type Finding, notTested, passed, violates } from '../result.ts'
import { type Trial, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'

/* Sessions: what is kept, what is discarded, and what the CONNACK says about it. */

const MINUTE = 60

/** The properties of a session that is kept for so many seconds. Before 5.0 it is kept without clean session. */
function keeping(trial: Trial, seconds: number): { props?: readonly Property[] } {
  return trial.version.is5 ? { props: [property.sessionExpiryInterval(seconds)] } : {}
}

/** A client that has left a session with a subscription behind. */
async function leaveSession(
  trial: Trial,
  clean: boolean,
  seconds = MINUTE,
  qos: 0 | 1 = 1,
): Promise<{ clientId: string; topic: string }> {
  const clientId = unique()
  const topic = unique()
  const { connection } = await trial.connect({ clientId, clean, ...keeping(trial, seconds) })
  await trial.subscribe(connection, topic, trial.version, qos)
  await trial.leave(connection)
  if (seconds > 0) trial.forget(clientId)
  return { clientId, topic }
}

/** The client again: what the CONNACK says, and whether its subscription is still there. */
async function comeBack(trial: Trial, clientId: string, topic: string, clean: boolean) {
  const { connection, answer } = await trial.connect({ clientId, clean, ...keeping(trial, MINUTE) })
  trial.reported = connection
  return { isPresent: answer.sessionPresent, isAlive: await trial.hasSubscription(connection, topic) }
}

const says = (isPresent: boolean): string => `The CONNACK says session present ${isPresent ? 1 : 0}`

const cleanDiscards = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-6', '5.0': 'MQTT-3.1.2-4' }
const kept = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-4', '5.0': 'MQTT-3.1.2-23' }

export const sessionCases: readonly Case[] = [
  ...inEach(versions, 'session.clean-discards', cleanDiscards, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false)
    const { isAlive } = await comeBack(trial, clientId, topic, true)
    return isAlive
      ? violates('A subscription of the earlier session is still there after a clean start.')
      : passed('A clean start discarded the earlier session.')
  }),
  ...inEach(versions, 'session.kept', kept, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, false)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? passed('The subscription was still there on the next connection.')
      : violates('The subscription was lost, although the session should be kept.')
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
      const { clientId, topic } = await leaveSession(trial, true)
      const { isAlive } = await comeBack(trial, clientId, topic, false)
      return isAlive
        ? violates('A clean session was kept after its connection.')
        : passed('A clean session ended with its connection.')
    },
  ),
  ...inEach(versions, 'session.expires-with-connection', { '5.0': 'MQTT-4.1.0-2' }, async (trial) => {
    const { clientId, topic } = await leaveSession(trial, true, 0)
    const { isAlive } = await comeBack(trial, clientId, topic, false)
    return isAlive
      ? violates('A session with expiry interval 0 was kept after its connection.')
      : passed('A session with expiry interval 0 ended with its connection.')
  }),
  ...inEach(versions, 'session.expires', { '5.0': 'MQTT-4.1.0-2' }, async (trial) => {
    // It must be kept at first. If it isn't, session.kept says so.
    const { clientId, topic } = await leaveSession(trial, false, 1)
    await new Promise((resolve) => setTimeout(resolve, trial.attempt === 1 ? 3000 : 12_000))
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
      const { clientId, topic } = await leaveSession(trial, false)
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
      const { clientId, topic } = await leaveSession(trial, false)
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
