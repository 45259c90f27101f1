import { property } from 'mqtt-connect-packet'
import { publish, read, versions } from '../packets.ts'
import { differs, type Finding, notTested, passed, violates } from '../result.ts'
import { type Trial, unique, Watcher } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { arrivesAfterBreak, mortal, needsWills, text } from './mortal.ts'

/* The contents of the published will: the topic, the message, the QoS and the user properties of the CONNECT. */

const BOM = '\ufeff'

const message = { '3.1': '3.1', '3.1.1': '3.1.3.3', '5.0': '3.1.3.4' }

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => at))

export const willContentCases: readonly Case[] = [
  ...inEach(versions, 'will.message-of-any-bytes', message, (trial) => keepsMessage(trial, everyByte)),
  ...inEach(versions, 'will.empty-message', message, (trial) => keepsMessage(trial, Buffer.alloc(0))),
  ...inEach(versions, 'will.topic-with-bom', { '3.1.1': 'MQTT-1.5.3-3', '5.0': 'MQTT-1.5.4-3' }, keepsBom),
  ...inEach(versions, 'will.qos', { '3.1': '3.1', '3.1.1': '3.1.2.6', '5.0': '3.1.2.6' }, keepsQos),
  ...inEach(versions, 'will.user-properties', { '5.0': 'MQTT-3.1.3-10' }, keepsOrder),
]

async function keepsMessage(trial: Trial, bytes: Buffer): Promise<Finding> {
  const client = await mortal(trial, { message: bytes })
  if (await arrivesAfterBreak(trial, client, bytes)) return passed('The will was published as it is.')
  await needsWills(trial)
  return client.watcher.count(client.topic) > 1
    ? violates(`A will message of ${bytes.length} bytes was published as another.`)
    : violates(`A will with a message of ${bytes.length} bytes was not published.`)
}

/** Checks that U+FEFF at the start of a string is kept. */
async function keepsBom(trial: Trial): Promise<Finding> {
  const plain = unique()
  const topic = `${BOM}${plain}`
  const client = await mortal(trial, { topic })
  await trial.subscribe(client.watcher.connection, plain)
  client.connection.destroy()
  if ((await client.watcher.message(topic, trial.timeout, text)) !== undefined)
    return passed('The topic still had its U+FEFF.')
  await needsWills(trial)
  if ((await client.watcher.message(topic, trial.grace, text)) !== undefined)
    return passed('The topic still had its U+FEFF.')
  return (await client.watcher.message(plain, 0, text)) === undefined
    ? violates('A will whose topic begins with U+FEFF was not published.')
    : violates('A will whose topic begins with U+FEFF was published without that character.')
}

/** Checks that a QoS 1 will is delivered with QoS 1, if any message is. */
async function keepsQos(trial: Trial): Promise<Finding> {
  const topic = unique()
  const { connection } = await trial.connect()
  if ((await trial.subscribe(connection, topic, trial.version, 1)) < 1)
    return notTested('The server grants no subscription with QoS 1.')
  const watcher = new Watcher(trial, connection, trial.version)
  const { connection: publisher } = await trial.connect()
  publisher.send(publish(trial.version, { topic, payload: 'control', qos: 1 }))
  const control = await trial.timed(watcher.message(topic, trial.timeout, 'control'))
  if (control?.qos !== 1) return notTested('The server delivers no messages with QoS 1.')
  const { connection: client } = await trial.connect({ will: { topic, message: text, qos: 1 } })
  trial.reported = client
  client.destroy()
  const will = await watcher.message(topic, trial.timeout, text)
  if (will === undefined) return notTested('The will was not published: see will.published.')
  return will.qos === 1
    ? passed('The will was published with QoS 1.')
    : violates(`A will with QoS 1 was published with QoS ${will.qos}.`)
}

/** Checks that user properties are published in the order of the CONNECT. */
async function keepsOrder(trial: Trial): Promise<Finding> {
  const pairs = [
    ['second', '1'],
    ['first', '2'],
    ['second', '3'],
  ] as const
  const client = await mortal(trial, {
    props: pairs.map(([name, value]) => property.userProperty(name, value)),
  })
  if (!(await arrivesAfterBreak(trial, client))) {
    await needsWills(trial)
    return violates('A will with user properties was not published.')
  }
  const { frames } = client.watcher.connection
  const packets = frames.map((frame) => read(trial.version, frame) as Published | undefined)
  const own = packets.find((one) => one?.topic === client.topic && `${one.payload}` === text)
  const found = own?.properties?.userProperties
  if (found === undefined)
    return differs('The will was published without its user properties, which is against MQTT-3.3.2-17.')
  // mqtt-packet groups user properties by name, but keeps the order of names and of values.
  const isSame = JSON.stringify(found) === JSON.stringify({ second: ['1', '3'], first: '2' })
  return isSame
    ? passed('The user properties of the will were published in their order.')
    : violates('The user properties of the will were published in another order, or changed.')
}

interface Published {
  readonly topic?: string
  readonly payload?: Buffer
  readonly properties?: { readonly userProperties?: object }
}
