import { PropertyId } from 'mqtt-connect-packet'
import { bodyStart, type Connection } from '../connection.ts'
import { DISCONNECT, PINGRESP, pingreq, publish, SUBACK, subscribe, versions } from '../packets.ts'
import { type Finding, noAnswer, notTested, passed, violates } from '../result.ts'
import { hexCode, type Trial, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { connackOf } from './connack.ts'

/* Limits that a 5.0 server must state in its CONNACK, and enforce for wills and subscriptions. */

/** The codes of a DISCONNECT after a PUBLISH whose QoS the server doesn't support, or that may be about anything. */
const reasons = [0, 0x80, 0x81, 0x82, 0x83, 0x9b]

const PUBACK = 4
const PUBREC = 5

export const limitCases: readonly Case[] = [
  ...inEach(versions, 'connack.every-qos', { '5.0': 'MQTT-3.2.2-9' }, async (trial) => {
    const { connection, maximum } = await connected(trial)
    if (maximum < 2) return passed(`The CONNACK says that the maximum QoS is ${maximum}.`)
    const topic = unique()
    connection.send(Buffer.concat([publish(trial.version, { topic, payload: '0' }), pingreq]))
    if ((await connection.packet(PINGRESP, trial.timeout)) === undefined)
      return notTested('The server takes no PUBLISH.')
    for (const [qos, type] of [
      [1, PUBACK],
      [2, PUBREC],
    ] as const) {
      connection.send(publish(trial.version, { topic, payload: `${qos}`, qos, messageId: qos }))
      if ((await connection.packet(type, trial.timeout)) !== undefined) continue
      if (!connection.closed) return notTested(`The server does not answer a PUBLISH with QoS ${qos}.`)
      const last = connection.frames.at(-1)!
      const code = last[0]! >> 4 === DISCONNECT ? (last[bodyStart(last)!] ?? 0) : undefined
      return code === undefined || reasons.includes(code)
        ? violates(`The server takes no PUBLISH with QoS ${qos}, but its CONNACK has no maximum QoS.`)
        : notTested(`The server refused a PUBLISH with QoS ${qos} for a different reason: ${hexCode(code)}.`)
    }
    return passed('The CONNACK has no maximum QoS, and the server takes every QoS.')
  }),
  ...inEach(versions, 'connack.subscribes-with-any-qos', { '5.0': 'MQTT-3.2.2-10' }, async (trial) => {
    const { connection, maximum } = await connected(trial)
    if (maximum === 2) return passed('The CONNACK has no maximum QoS.')
    const topic = unique()
    // Ends the case if the server doesn't let this client subscribe at all.
    await trial.watch(topic)
    connection.send(subscribe(trial.version, 1, topic, 2))
    const frame = await connection.packet(SUBACK, trial.timeout)
    if (frame !== undefined && frame.at(-1)! < 0x80)
      return passed('The server granted a subscription with QoS 2.')
    if (frame === undefined && !connection.closed) {
      if (!(await trial.ping(connection)) && !connection.closed)
        return noAnswer(`The server did not answer a SUBSCRIBE within ${trial.timeout} ms.`)
    }
    const how = frame === undefined ? 'did not answer it' : `refused it with ${hexCode(frame.at(-1)!)}`
    return violates(
      `The maximum QoS is ${maximum}. A subscription with QoS 2 is valid, but the server ${how}.`,
    )
  }),
  ...inEach(versions, 'connack.refuses-will-qos', { '5.0': 'MQTT-3.2.2-12' }, async (trial) => {
    const { maximum } = await connected(trial)
    if (maximum === 2) return passed('The CONNACK has no maximum QoS.')
    const qos = (maximum + 1) as 1 | 2
    return refusesWill(trial, { qos }, `QoS ${qos}. Its maximum QoS is ${maximum}`)
  }),
  ...inEach(versions, 'connack.refuses-will-retain', { '5.0': 'MQTT-3.2.2-13' }, async (trial) => {
    const { connection } = await trial.connect()
    if (connackOf(connection).property(PropertyId.retainAvailable) !== 0)
      return passed('The CONNACK does not say that the server has no retained messages.')
    return refusesWill(trial, { retain: true }, 'will retain, but it has no retained messages')
  }),
]

async function connected(trial: Trial): Promise<{ connection: Connection; maximum: number }> {
  const { connection } = await trial.connect()
  return { connection, maximum: connackOf(connection).property(PropertyId.maximumQos) ?? 2 }
}

/** Checks that the server refuses a will beyond its limits. */
async function refusesWill(
  trial: Trial,
  will: { readonly qos?: 1 | 2; readonly retain?: boolean },
  what: string,
): Promise<Finding> {
  const packet = trial.packet({ clientId: unique(), will: { topic: unique(), message: 'w', ...will } })
  const { connection, answer } = await trial.offer(packet)
  trial.reported = connection
  return answer?.code === 0
    ? violates(`The server accepted a will with ${what}.`)
    : passed('The server refused a will that is beyond its limits.')
}
