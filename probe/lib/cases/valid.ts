import { type ConnectPacket, ControlPacketType, decode, PropertyId } from 'mqtt-connect-packet'
import { type Vector, vectors } from 'mqtt-connect-packet/testing'
import type { Connection } from '../connection.ts'
import {
  type Answer,
  answerOf,
  CONNACK,
  disconnect,
  isUnavailable,
  publish,
  SUBACK,
  subscribe,
  versions,
} from '../packets.ts'
import { type Finding, noAnswer, notTested, passed, Stop, violates } from '../result.ts'
import { announce, hexCode, type Trial, unique } from '../trial.ts'
import { type Case, inEach, slug, titleOf } from './case.ts'
import { connackOf } from './connack.ts'
import { hasMethod, judgeRefusal } from './refusals.ts'

/* Valid packets: the server must accept them, within limits that the standard leaves to it. */

function packetOf(vector: Vector): ConnectPacket {
  const packet = decode(vector.bytes, { protocolVersion: vector.protocolVersion })
  if (packet.type !== ControlPacketType.connect) throw new Error(vector.name)
  return packet
}

/** True if the library's constructor would write the packet in the same bytes. */
function isUsual(packet: ConnectPacket): boolean {
  return packet.with({}).equals(packet)
}

/** The packet with the credentials of the run, and with a unique client id if the id doesn't matter. */
function adapted(vector: Vector, { setting: { userName, password } }: Trial): ConnectPacket {
  const packet = packetOf(vector)
  if (!isUsual(packet)) return packet
  const own = packet.clientId === 'a' ? packet.with({ clientId: unique() }) : packet
  const isAnonymous = own.userName === undefined && own.password === undefined
  return isAnonymous && userName !== undefined ? own.with({ userName, password }) : own
}

function validCases(): Case[] {
  const own = vectors.filter(
    ({ code, from, bytes }) =>
      from === 'client' && code === undefined && bytes[0] === ControlPacketType.connect,
  )
  return own.map((vector): Case => {
    const version = versions.find(({ level }) => level === vector.protocolVersion)!
    const id = `accept.${slug(vector.name.replace(/ \([^)]*\)$/, ''))}`
    return { id, version, clause: vector.clause, run: (trial) => accepts(trial, vector) }
  })
}

async function accepts(trial: Trial, vector: Vector): Promise<Finding> {
  const packet = adapted(vector, trial)
  return trial.alone(packet.clientId, () => acceptsPacket(trial, packet, vector))
}

async function acceptsPacket(trial: Trial, packet: ConnectPacket, vector: Vector): Promise<Finding> {
  const { connection, answer } = await trial.offer(packet)
  const refused = { packet, title: titleOf(vector), isUnusual: !isUsual(packet) }
  if (answer === undefined)
    return judgeRefusal(trial, { ...refused, code: undefined, when: 'without a CONNACK' })
  if (answer.code !== 0) return judgeRefusal(trial, { ...refused, code: answer.code })
  if (hasMethod(packet) && connackOf(connection).property(PropertyId.authenticationMethod) === undefined) {
    return violates('The server accepted the client, but ignored its authentication method.', 'MQTT-4.12.0-1')
  }
  await trial.ping(connection)
  if (connection.closed)
    return judgeRefusal(trial, { ...refused, code: undefined, when: 'after the CONNACK' })
  const keeps = packet.protocolVersion === 5 && (packet.property(PropertyId.sessionExpiryInterval) ?? 0) > 0
  connection.send(disconnect(trial.version, keeps ? { sessionExpiryInterval: 0 } : {}))
  return passed('The server accepted the packet.')
}

const transport = { '3.1': '3.1', '3.1.1': '4.2', '5.0': '4.2' }
const together = { '3.1': '3.1', '3.1.1': '3.1.4', '5.0': '3.1.4' }

const waysToSend: readonly Case[] = [
  ...inEach(versions, 'accept.byte-by-byte', transport, async (trial) => {
    const packet = trial.packet({ clientId: unique() })
    const connection = await trial.open()
    announce(connection, packet)
    for (const byte of packet.bytes) {
      connection.send(Buffer.of(byte))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const answer = await answerTo(trial, connection)
    if (answer?.code === 0) return passed('The server accepted the packet.')
    return violates('The server did not accept a CONNECT that arrives byte by byte.')
  }),
  ...inEach(versions, 'accept.with-subscribe', together, async (trial) => {
    const packet = trial.packet({ clientId: unique() })
    const connection = await trial.open()
    announce(connection, packet)
    connection.send(Buffer.concat([packet.bytes, subscribe(trial.version, 1, unique())]))
    const answer = await answerTo(trial, connection)
    if (answer?.code !== 0) {
      return violates('The server did not accept a CONNECT that arrives together with a SUBSCRIBE.')
    }
    if ((await trial.timed(connection.packet(SUBACK, trial.timeout))) !== undefined)
      return passed('The server answered both packets.')
    // Find out if the server rejects the SUBSCRIBE itself or only its early arrival, and if it has processed the SUBSCRIBE.
    await trial.watch(unique())
    if (!(await trial.ping(connection)) && !connection.closed)
      return noAnswer(`There was no SUBACK within ${trial.timeout} ms.`)
    return (await connection.packet(SUBACK, trial.grace)) === undefined
      ? violates('The server did not answer a SUBSCRIBE that arrived together with the CONNECT.')
      : passed('The server answered both packets.')
  }),
  ...inEach(versions, 'accept.with-publish-and-disconnect', together, async (trial) => {
    const topic = unique()
    const watcher = await trial.watch(topic)
    const packet = trial.packet({ clientId: unique() })
    const connection = await trial.open()
    trial.reported = connection
    announce(connection, packet)
    const message = publish(trial.version, { topic, payload: 'in passing' })
    connection.send(Buffer.concat([packet.bytes, message, disconnect(trial.version)]))
    if ((await watcher.message(topic, trial.timeout, 'in passing')) !== undefined)
      return passed('The server published a message that arrived together with CONNECT and DISCONNECT.')
    // A server that is just slow closes the connection once it has processed the packets.
    if (!(await connection.ended(trial.timeout)))
      return noAnswer(`The server did not close the connection within ${trial.timeout} ms.`)
    await watcher.sync(topic)
    return (await watcher.message(topic, trial.grace, 'in passing')) !== undefined
      ? passed('The server published a message that arrived together with CONNECT and DISCONNECT.')
      : violates('The server did not publish a message that arrived together with CONNECT and DISCONNECT.')
  }),
]

/** The CONNACK; `undefined` if the server closed the connection. Ends the case if the server is silent or busy. */
async function answerTo(trial: Trial, connection: Connection): Promise<Answer | undefined> {
  const frame = await trial.timed(connection.packet(CONNACK, trial.timeout))
  if (frame === undefined && !connection.closed)
    throw new Stop(noAnswer(`There was no CONNACK within ${trial.timeout} ms.`))
  if (frame !== undefined && isUnavailable(trial.version, frame))
    throw new Stop(notTested(`The server refused the packet, as it may: ${hexCode(answerOf(frame).code)}.`))
  return frame && answerOf(frame)
}

export const acceptCases: readonly Case[] = [...validCases(), ...waysToSend]
