import { property } from 'mqtt-connect-packet'
import { bodyStart } from '../connection.ts'
import {
  answerOf,
  CONNACK,
  DISCONNECT,
  PINGRESP,
  PUBLISH,
  pingreq,
  publish,
  read,
  SUBACK,
  subscribe,
  unsubscribe,
  versions,
} from '../packets.ts'
import { differs, type Finding, noAnswer, notTested, passed, violates } from '../result.ts'
import { announce, hexCode, type Trial, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { closesAfter } from './invalid.ts'

/* What a server does with a connection after the handshake. */

const second = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.0-2', '5.0': 'MQTT-3.1.0-2' }
const takeover = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.4-2', '5.0': 'MQTT-3.1.4-3' }
const rejected = { '3.1.1': 'MQTT-3.1.4-5', '5.0': 'MQTT-3.1.4-6' }
const keepAlive = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.2-24', '5.0': 'MQTT-3.1.2-22' }
const ping = { '3.1': '3.12', '3.1.1': 'MQTT-3.12.4-1', '5.0': 'MQTT-3.12.4-1' }

const SESSION_TAKEN_OVER = 0x8e

export const connectionCases: readonly Case[] = [
  ...inEach(versions, 'connection.second-connect', second, async (trial) => {
    const packet = trial.packet({ clientId: unique() })
    const { connection, answer } = await trial.ask(packet)
    if (answer?.code !== 0) return notTested('The server did not accept the first CONNECT.')
    // The CONNACK of the second must not be counted against another rule.
    connection.announced = undefined
    return closesAfter(trial, connection, packet.bytes, 'a second CONNECT')
  }),
  ...inEach(versions, 'connection.takeover', takeover, async (trial) => {
    const clientId = unique()
    const { connection } = await trial.connect({ clientId })
    await trial.connect({ clientId })
    if (!(await connection.ended(trial.timeout))) {
      return violates('The first connection stayed open when a second client with its id connected.')
    }
    const last = connection.frames.at(-1)!
    const code = last[0]! >> 4 === DISCONNECT ? last[bodyStart(last)!] : undefined
    if (!trial.version.is5 || code === SESSION_TAKEN_OVER) return passed('The first connection was closed.')
    const how = code === undefined ? 'without a DISCONNECT' : `with ${hexCode(code)}`
    return differs(
      `The first connection was closed ${how}. Expected a DISCONNECT with code 0x8E, session taken over.`,
    )
  }),
  ...inEach(versions, 'connection.rejected-data', rejected, async (trial) => {
    const { bytes } = trial.packet({ clientId: unique() })
    const level = bytes.indexOf('MQTT') + 4
    // Two reasons to refuse the CONNECT, in case the server overlooks one of them.
    for (const [at, value] of [
      [level + 1, bytes[level + 1]! | 1],
      [level, 0x7f],
    ] as const) {
      const topic = unique()
      const watcher = await trial.watch(topic)
      const invalid = Buffer.from(bytes)
      invalid[at] = value
      const connection = await trial.open()
      trial.reported = connection
      connection.send(Buffer.concat([invalid, publish(trial.version, { topic, payload: 'rejected' })]))
      const frame = await connection.packet(CONNACK, trial.timeout)
      if (frame !== undefined && answerOf(frame).code === 0) continue
      if (frame === undefined && !connection.closed) {
        return noAnswer('The server did not answer an invalid CONNECT.')
      }
      await watcher.sync(topic)
      return (await watcher.message(topic, trial.grace, 'rejected')) === undefined
        ? passed('The server processed nothing after the CONNECT that it refused.')
        : violates('The server processed a PUBLISH after a CONNECT that it refused.')
    }
    return notTested('The server accepts invalid CONNECT packets.')
  }),
  ...inEach(
    versions,
    'connection.request-problem-information',
    { '5.0': 'MQTT-3.1.2-29' },
    problemInformation,
  ),
  ...inEach(versions, 'connection.maximum-packet-size', { '5.0': 'MQTT-3.1.2-24' }, async (trial) => {
    const topic = unique()
    const { connection } = await trial.connect({ props: [property.maximumPacketSize(100)] })
    await trial.subscribe(connection, topic)
    const { connection: publisher } = await trial.connect()
    publisher.send(publish(trial.version, { topic, payload: 'x'.repeat(200) }))
    publisher.send(publish(trial.version, { topic, payload: 'small' }))
    const isLarge = (frame: Buffer): boolean => frame.length > 100
    await connection.until(() => connection.frames.some((frame) => frame[0]! >> 4 === PUBLISH), trial.timeout)
    await connection.until(() => connection.frames.some(isLarge), trial.grace)
    const large = connection.frames.find(isLarge)
    if (large !== undefined) {
      return violates(`The server sent a packet of ${large.length} bytes. The client accepts at most 100.`)
    }
    if (connection.closed) return differs('The server closed the connection instead of dropping the message.')
    return connection.frames.some((frame) => frame[0]! >> 4 === PUBLISH)
      ? passed('The server did not send a message that is too large for the client.')
      : noAnswer('No message arrived.')
  }),
  ...inEach(
    versions,
    'keep-alive.ends',
    keepAlive,
    async (trial) => {
      const { connection, answer: _ } = await trial.connect({ keepAlive: SECONDS })
      const start = performance.now()
      const seconds = serverKeepAlive(connection.frames[0]!, trial)
      if (seconds > 4 * SECONDS) return notTested(`The server asks for a keep alive of ${seconds} s.`)
      const isEnded = await connection.ended((1.5 * seconds + TOLERANCE) * 1000)
      const after = ((performance.now() - start) / 1000).toFixed(1)
      if (!isEnded)
        return violates(
          `A client with a keep alive of ${seconds} s was silent for ${after} s, and still connected.`,
        )
      return Number(after) > 1.5 * seconds + 2
        ? differs(`The connection ended after ${after} s. Keep alive: ${seconds} s.`)
        : passed(`The connection ended after ${after} s. Keep alive: ${seconds} s.`)
    },
    { isSlow: true, isHarmless: true },
  ),
  ...inEach(
    versions,
    'keep-alive.not-early',
    ping,
    async (trial) => {
      const { connection } = await trial.connect({ keepAlive: SECONDS })
      for (let count = 1; count <= 3; count++) {
        await connection.ended(SECONDS * 750)
        if (connection.closed) return violates('The server closed a connection whose client kept it alive.')
        connection.send(pingreq)
        const answers = () => connection.frames.filter((frame) => frame[0]! >> 4 === PINGRESP).length >= count
        if ((await connection.until(answers, trial.timeout)) === undefined && !connection.closed) {
          return noAnswer(`There was no PINGRESP within ${trial.timeout} ms.`)
        }
      }
      return passed('The connection lasted while the client kept it alive.')
    },
    { isSlow: true, isHarmless: true },
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
    { isSlow: true, isHarmless: true },
  ),
]

/** The keep alive that is tested, in seconds, and how much later a server may look at its clocks. */
const SECONDS = 6
const TOLERANCE = 7

/** The keep alive that holds: the server may choose another. */
function serverKeepAlive(connack: Buffer, { version }: Trial): number {
  const packet = read(version, connack) as { properties?: { serverKeepAlive?: number } } | undefined
  return packet?.properties?.serverKeepAlive ?? SECONDS
}

/** Packets that must have neither a reason string nor user properties if the client doesn't want them. */
async function problemInformation(trial: Trial): Promise<Finding> {
  const { version } = trial
  const packet = trial.packet({ clientId: unique(), props: [property.requestProblemInformation(0)] })
  const { connection, answer } = await trial.ask(packet)
  if (answer?.code !== 0) return notTested('The server did not accept the CONNECT.')
  announce(connection, packet)
  const topic = unique()
  connection.send(
    Buffer.concat([
      subscribe(version, 1, topic),
      // A topic filter that the server may have something to say about.
      subscribe(version, 2, `$share/${topic}/${topic}`),
      publish(version, { topic, payload: 'one', qos: 1, messageId: 3 }),
      publish(version, { topic: `${topic}/none`, payload: 'two', qos: 2, messageId: 4 }),
      unsubscribe(version, 5, topic),
      unsubscribe(version, 6, `${topic}/none`),
      pingreq,
    ]),
  )
  await connection.packet(PINGRESP, trial.timeout)
  await connection.ended(trial.grace)
  const answers = connection.frames.filter((frame) => frame[0]! >> 4 >= 4 && frame[0]! >> 4 <= 11)
  for (const frame of answers) {
    const found = read(version, frame) as { cmd: string; properties?: object } | undefined
    const names = Object.keys(found?.properties ?? {}).filter((name) =>
      /^(reasonString|userProperties)$/.test(name),
    )
    if (names.length > 0) {
      return violates(
        `A ${found!.cmd.toUpperCase()} has ${names.join(' and ')}, although request problem information is 0.`,
      )
    }
  }
  return answers.some((frame) => frame[0]! >> 4 === SUBACK)
    ? passed(`None of ${answers.length} packets has a reason string or user properties.`)
    : notTested('The server answered no packet.')
}
