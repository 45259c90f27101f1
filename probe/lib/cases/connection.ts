import { property } from 'mqtt-connect-packet'
import { bodyStart, type Connection } from '../connection.ts'
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
import { differs, type Finding, noAnswer, notTested, passed, Stop, violates } from '../result.ts'
import { announce, hexCode, type Trial, unique, Watcher } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { closesAfter } from './invalid.ts'

/* The server's behaviour on a connection after the handshake. */

const second = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.0-2', '5.0': 'MQTT-3.1.0-2' }
const takeover = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.4-2', '5.0': 'MQTT-3.1.4-3' }
const rejected = { '3.1.1': 'MQTT-3.1.4-5', '5.0': 'MQTT-3.1.4-6' }
const ping = { '3.1': '3.12', '3.1.1': 'MQTT-3.12.4-1', '5.0': 'MQTT-3.12.4-1' }

const ids = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.3-2', '5.0': 'MQTT-3.1.3-2' }

const SESSION_TAKEN_OVER = 0x8e

/** The Maximum Packet Size of the client, in bytes. A CONNACK needs 5, and more if it states the server's limits. */
const SMALL = 20

/** Cases that tempt the server to send a long reason string. */
export const connectionProviders: readonly Case[] = inEach(
  versions,
  'connection.small-packets',
  { '5.0': 'MQTT-3.1.2-24' },
  async (trial) => {
    const small = property.maximumPacketSize(SMALL)
    const clientId = unique()
    await trial.ask(trial.packet({ clientId, props: [small, property.authenticationMethod('p')] }))
    for (let count = 0; count < 2; count++) {
      const { connection } = await trial.ask(trial.packet({ clientId, props: [small] }))
      // This packet type is reserved. The second client has taken over the first one's session by then.
      if (count === 1) connection.send(Buffer.of(0, 0))
    }
    for (const connection of trial.connections) await connection.ended(trial.grace)
    const isLarge = ({ length }: Buffer): boolean => length > SMALL
    const guilty = trial.connections.find(({ frames }) => frames.some(isLarge))
    const large = guilty?.frames.find(isLarge)
    trial.reported = guilty ?? trial.connections[0]
    return large === undefined
      ? passed(`No packet of the server was larger than ${SMALL} bytes.`)
      : violates(`The server sent a packet of ${large.length} bytes. The client accepts at most ${SMALL}.`)
  },
  {},
)

export const connectionCases: readonly Case[] = [
  ...connectionProviders,
  ...inEach(versions, 'connection.ping', ping, async (trial) => {
    const { connection } = await trial.connect()
    if (await trial.ping(connection)) return passed('The server answered a PINGREQ.')
    if (connection.closed) return violates('The server closed the connection after a PINGREQ.')
    // Once a server that is just slow answers a later packet, it has processed this one.
    await trial.subscribe(connection, unique())
    return (await connection.packet(PINGRESP, trial.grace)) === undefined
      ? violates('The server did not answer a PINGREQ, but a packet after it.')
      : noAnswer(`There was no PINGRESP within ${trial.timeout} ms.`)
  }),
  ...inEach(versions, 'connection.distinguishes-clients', ids, async (trial) => {
    // 23 letters and digits, which every server accepts.
    const common = unique().padEnd(22, '0')
    const others: Connection[] = []
    for (const clientId of [`${common}a`, `${common}b`, `${common}A`, common]) {
      others.push((await trial.connect({ clientId })).connection)
    }
    for (const connection of others) await trial.ping(connection)
    return others.some(({ closed }) => closed)
      ? violates(
          'The server took a client for another one whose id differs in its last character, or its case.',
        )
      : passed('Clients whose ids differ in one character, or in its case, are different clients.')
  }),
  ...inEach(versions, 'connection.distinguishes-empty-ids', { '3.1.1': 'MQTT-3.1.3-6' }, async (trial) => {
    const connections: Connection[] = []
    for (let count = 0; count < 2; count++) {
      const { connection, answer } = await trial.offer(trial.packet({ clientId: '' }))
      if (answer?.code !== 0) return notTested('The server accepts no empty client ids, as it may.')
      await trial.ping(connection)
      connections.push(connection)
    }
    return (await connections[0]!.ended(trial.grace))
      ? violates('The server took two clients with an empty id for one.')
      : passed('Two clients with an empty id are different clients.')
  }),
  ...inEach(versions, 'connection.second-connect', second, async (trial) => {
    const packet = trial.packet({ clientId: unique() })
    const { connection, answer } = await trial.offer(packet)
    if (answer?.code !== 0) return notTested('The server did not accept the first CONNECT.')
    // The CONNACK for the second CONNECT must not count as a violation of a different rule.
    connection.announced = undefined
    return closesAfter(trial, connection, packet.bytes, 'a second CONNECT')
  }),
  ...inEach(versions, 'connection.second-connect-at-once', second, async (trial) => {
    const { bytes } = trial.packet({ clientId: unique() })
    const connection = await trial.open()
    return closesAfter(trial, connection, Buffer.concat([bytes, bytes]), 'a second CONNECT')
  }),
  ...inEach(versions, 'connection.takeover', takeover, async (trial) => {
    const clientId = unique()
    const { connection } = await trial.connect({ clientId })
    await trial.connect({ clientId })
    const isEnded = await trial.timed(connection.ended(trial.timeout))
    if (!isEnded && (await trial.ping(connection)))
      return violates('The first connection stayed open when a second client with its id connected.')
    const last = connection.frames.at(-1)!
    const code = last[0]! >> 4 === DISCONNECT ? last[bodyStart(last)!] : undefined
    if (!connection.closed && code !== undefined)
      return notTested('The server sent a DISCONNECT, but did not close: see disconnect.closes.')
    if (!connection.closed)
      return noAnswer(`The server did not close the first connection within ${trial.timeout} ms.`)
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
    if (connection.closed)
      return notTested('The server closed the connection: see connection.drops-too-large.')
    return connection.frames.some((frame) => frame[0]! >> 4 === PUBLISH)
      ? passed('The server did not send a message that is too large for the client.')
      : noAnswer('No message arrived.')
  }),
  ...inEach(versions, 'connection.drops-too-large', { '5.0': 'MQTT-3.1.2-25' }, async (trial) => {
    const topic = unique()
    const { connection } = await trial.connect({ props: [property.maximumPacketSize(100)] })
    await trial.subscribe(connection, topic)
    const other = await trial.watch(topic)
    const { connection: publisher } = await trial.connect()
    publisher.send(publish(trial.version, { topic, payload: 'x'.repeat(200) }))
    publisher.send(publish(trial.version, { topic, payload: 'small' }))
    if ((await trial.timed(other.message(topic, trial.timeout, 'small'))) === undefined)
      return noAnswer(`A message did not arrive within ${trial.timeout} ms.`)
    const watcher = new Watcher(trial, connection, trial.version)
    if ((await watcher.message(topic, trial.timeout, 'small')) !== undefined)
      return passed('The client received the message after one that is too large for it.')
    if (connection.closed)
      return violates('The server closed the connection instead of dropping a message that is too large.')
    // The server may just be slow.
    if (!(await trial.ping(connection))) return noAnswer(`There was no message within ${trial.timeout} ms.`)
    return (await watcher.message(topic, trial.grace, 'small')) === undefined
      ? violates('After a message that is too large for it, the client received no other.')
      : passed('The client received the message after one that is too large for it.')
  }),
  ...inEach(versions, 'connection.no-topic-alias', { '5.0': 'MQTT-3.1.2-27' }, async (trial) => {
    const used = await aliases(trial)
    return used.length === 0
      ? passed('The server used no topic aliases.')
      : violates(`The server used topic alias ${Math.max(...used)}. The client accepts none.`)
  }),
  ...inEach(versions, 'connection.topic-alias-maximum', { '5.0': 'MQTT-3.1.2-26' }, async (trial) => {
    const used = await aliases(trial, 1)
    return used.every((alias) => alias === 1)
      ? passed(`The server used ${used.length === 0 ? 'no topic aliases' : 'no other topic alias than 1'}.`)
      : violates(`The server used topic alias ${Math.max(...used)}. The client accepts 1 at most.`)
  }),
]

/** Checks that packets have neither a reason string nor user properties if the client forbids them. */
async function problemInformation(trial: Trial): Promise<Finding> {
  const { version } = trial
  const packet = trial.packet({ clientId: unique(), props: [property.requestProblemInformation(0)] })
  const { connection, answer } = await trial.offer(packet)
  if (answer?.code !== 0) return notTested('The server did not accept the CONNECT.')
  announce(connection, packet)
  const topic = unique()
  connection.send(
    Buffer.concat([
      subscribe(version, 1, topic),
      // The server may explain its answer to this topic filter.
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

/** The topic aliases of the messages that a client receives: two in each of three topics. */
async function aliases(trial: Trial, maximum?: number): Promise<number[]> {
  const props = maximum === undefined ? [] : [property.topicAliasMaximum(maximum)]
  const { connection } = await trial.connect({ props })
  const topics = [unique(), unique(), unique()]
  for (const topic of topics) await trial.subscribe(connection, topic)
  const { connection: publisher } = await trial.connect()
  const packets = [...topics, ...topics].map((topic) => publish(trial.version, { topic, payload: 'x' }))
  publisher.send(Buffer.concat(packets))
  const messages = (): Buffer[] => connection.frames.filter((frame) => frame[0]! >> 4 === PUBLISH)
  await connection.until(() => messages().length >= packets.length, trial.timeout)
  if (messages().length === 0) throw new Stop(notTested('The server delivers no messages.'))
  return messages().flatMap((frame) => {
    const found = read(trial.version, frame) as { properties?: { topicAlias?: number } } | undefined
    return found?.properties?.topicAlias ?? []
  })
}
