import { decode, PropertyId, property, v5 } from 'mqtt-connect-packet'
import type { Connection } from '../connection.ts'
import { answerOf, CONNACK, versions } from '../packets.ts'
import { differs, type Finding, notTested, passed, Stop, violates } from '../result.ts'
import { type Trial, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { framesOf } from './observations.ts'

/* The contents of the CONNACK: Session Present, the assigned client id, and the server's limits. */

/** The CONNACK of a 5.0 server. Ends the case if it's invalid, because the observations report that. */
export function connackOf(connection: Connection): v5.ConnackPacket {
  try {
    const packet = decode(framesOf(connection, CONNACK)[0]!, { protocolVersion: 5 })
    if (packet instanceof v5.ConnackPacket) return packet
  } catch {
    // Reported elsewhere.
  }
  throw new Stop(notTested('The CONNACK is invalid.'))
}

/** Connects without a client id, so that the server assigns one. */
async function assigned(
  trial: Trial,
  seconds = 0,
): Promise<Finding | { connection: Connection; id: string }> {
  const props = seconds === 0 ? [] : [property.sessionExpiryInterval(seconds)]
  const { connection, answer } = await trial.offer(trial.packet({ clientId: '', props }))
  if (answer === undefined || answer.code !== 0)
    return notTested('The server accepts no empty client ids, as it may.')
  const id = connackOf(connection).property(PropertyId.assignedClientIdentifier)
  return id === undefined
    ? violates('The server accepted an empty client id, but its CONNACK has no assigned client identifier.')
    : { connection, id }
}

const accepted = { '3.1': '3.2', '3.1.1': '3.2', '5.0': '3.2' }

/** Cases that make the server send CONNACKs, for the rules about all CONNACKs. */
export const connackProviders: readonly Case[] = [
  ...inEach(versions, 'connack.accepts', accepted, async (trial) => {
    const { connection } = await trial.connect(
      trial.version.is5 ? { props: [property.maximumPacketSize(40)] } : {},
    )
    // A second CONNACK would come soon.
    await connection.until(() => framesOf(connection, CONNACK).length > 1, trial.grace)
    return passed('The server accepted a CONNECT.')
  }),
  ...inEach(versions, 'connack.refuses', accepted, async (trial) => {
    const clientId = unique()
    await trial.connect({
      clientId,
      clean: false,
      ...(trial.version.is5 && { props: [property.sessionExpiryInterval(60)] }),
    })
    trial.forget(clientId)
    const { bytes } = trial.packet({ clientId, clean: false })
    const connection = await trial.open()
    trial.reported = connection
    connection.announced = {}
    const invalid = Buffer.from(bytes)
    // This is the protocol level, which follows the name.
    invalid[bytes[1]! < 128 ? 4 + bytes.readUInt16BE(2) : 5 + bytes.readUInt16BE(3)] = 0x7f
    connection.send(invalid)
    const frame = await connection.packet(CONNACK, trial.timeout)
    if (frame === undefined) return notTested('The server sends no CONNACK to a client that it refuses.')
    if (answerOf(frame).code === 0)
      return notTested('The server accepts a protocol level that does not exist.')
    return passed('The server refused a CONNECT.')
  }),
]

const only5 = (clause: string) => ({ '5.0': clause })

export const connackCases: readonly Case[] = [
  ...connackProviders,
  ...inEach(versions, 'connack.assigned-client-id', only5('MQTT-3.2.2-16'), async (trial) => {
    const first = await assigned(trial)
    if (!('id' in first)) return first
    const another = await assigned(trial)
    if (!('id' in another)) return another
    return first.id === another.id || first.id === ''
      ? violates('The server assigned the same client identifier to two clients.')
      : passed('The server assigned a different client identifier to each of two clients.')
  }),
  ...inEach(versions, 'connack.assigned-client-id-works', only5('MQTT-3.1.3-7'), async (trial) => {
    const topic = unique()
    const first = await assigned(trial, 60)
    if (!('id' in first)) return first.verdict === 'violates' ? notTested(first.text) : first
    trial.forget(first.id)
    if (await isKept(trial, first.connection, first.id, topic))
      return passed('The client came back to its session with the client identifier that it was given.')
    const clientId = unique()
    const { connection } = await trial.connect({ clientId, props: [property.sessionExpiryInterval(60)] })
    trial.forget(clientId)
    return (await isKept(trial, connection, clientId, unique()))
      ? violates('A client that came back with its assigned client identifier did not find its session.')
      : notTested('The server keeps no session: see session.kept.')
  }),
  ...inEach(versions, 'connack.no-assigned-client-id', only5('3.2.2.3.7'), async (trial) => {
    const { connection } = await trial.connect()
    return connackOf(connection).property(PropertyId.assignedClientIdentifier) === undefined
      ? passed('The server assigned no other client identifier.')
      : differs('The CONNACK has an assigned client identifier, although the client has one of its own.')
  }),
]

/** True if a client finds its subscription when it comes back. */
async function isKept(
  trial: Trial,
  connection: Connection,
  clientId: string,
  topic: string,
): Promise<boolean> {
  await trial.subscribe(connection, topic, trial.version, 1)
  await trial.leave(connection)
  const props = [property.sessionExpiryInterval(60)]
  const { connection: later } = await trial.connect({ clientId, clean: false, props })
  trial.reported = later
  return trial.hasSubscription(later, topic)
}
