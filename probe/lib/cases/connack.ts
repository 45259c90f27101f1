import { decode, MqttError, PropertyId, property, v5 } from 'mqtt-connect-packet'
import { vectors } from 'mqtt-connect-packet/testing'
import type { Connection } from '../connection.ts'
import { AUTH, answerOf, CONNACK, DISCONNECT, type Version, versions } from '../packets.ts'
import { differs, type Finding, notTested, passed, Stop, violates } from '../result.ts'
import { hexCode, type Trial, unique } from '../trial.ts'
import { type Case, type Clauses, inEach } from './case.ts'

/* The CONNACK. Rules for every CONNACK are checked on all connections of the run, and reported at its end. */

/** A rule for whatever the server sends, on any connection. */
export interface Observation {
  readonly id: string
  readonly version: Version
  readonly clause: string
  /** What is wrong on a connection; `undefined` if nothing is. */
  readonly fault: (connection: Connection) => string | undefined
}

const connacks = (connection: Connection): Buffer[] =>
  connection.frames.filter((frame) => frame[0]! >> 4 === CONNACK)

/** The error of a CONNACK. If the server can't know the version, it may have the shape of 3.1.1 or of 5.0. */
function errorOf(frame: Buffer, { level }: Version, { announced }: Connection): MqttError | undefined {
  const shape = frame.length === 4 ? Math.min(level, 4) : 5
  try {
    decode(frame, { protocolVersion: announced?.protocolVersion ?? (shape as 3 | 4 | 5) })
    return undefined
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** Whether a CONNACK breaks a rule of the table of errors. */
function formRules(): Observation[] {
  const known = new Map<string, Observation>()
  for (const { from, code, clause, bytes, protocolVersion } of vectors) {
    if (from !== 'server' || code === undefined || bytes[0]! >> 4 !== CONNACK) continue
    // A packet that is not complete is no packet yet, and what follows it is the next.
    if (['packet-incomplete', 'more-than-one-packet', 'packet-too-large'].includes(code)) continue
    const version = versions.find(({ level }) => level === protocolVersion)!
    const key = `${code} ${clause} ${version.label}`
    if (known.has(key)) continue
    const isAlone = ![...known.values()].some(
      (one) => one.id === `connack.${code}` && one.version === version,
    )
    known.set(key, {
      id: isAlone ? `connack.${code}` : `connack.${code}.${clause.toLowerCase()}`,
      version,
      clause,
      fault(connection) {
        for (const frame of connacks(connection)) {
          const error = errorOf(frame, version, connection)
          if (error?.code === code && error.clause === clause)
            return `The CONNACK is invalid: ${error.message}.`
        }
        return undefined
      },
    })
  }
  return [...known.values()]
}

function observed(
  id: string,
  clauses: Clauses,
  fault: (connection: Connection, version: Version) => string | undefined,
): Observation[] {
  return versions.flatMap((version): Observation[] => {
    const clause = clauses[version.label]
    if (clause === undefined) return []
    return [{ id, version, clause, fault: (connection) => fault(connection, version) }]
  })
}

export const observations: readonly Observation[] = [
  ...formRules(),
  ...observed(
    'connack.first',
    { '3.1': '3.2', '3.1.1': 'MQTT-3.2.0-1', '5.0': 'MQTT-3.2.0-1' },
    ({ frames, announced }, { is5 }) => {
      const type = frames[0]![0]! >> 4
      // A server that can't know the version may take the client for one of 5.0.
      const mayBe5 = is5 || announced?.protocolVersion === undefined
      if (type === CONNACK || (mayBe5 && (type === AUTH || type === DISCONNECT))) return undefined
      return `The first packet of the server has type ${type}. It must be a CONNACK.`
    },
  ),
  ...observed('connack.before-disconnect', { '5.0': 'MQTT-3.14.0-1' }, ({ frames }) =>
    frames[0]![0]! >> 4 === DISCONNECT ? 'The server sent a DISCONNECT before a CONNACK.' : undefined,
  ),
  ...observed('connack.once', { '3.1': '3.2', '3.1.1': '3.2', '5.0': 'MQTT-3.2.0-2' }, (connection) => {
    const count = connacks(connection).length
    return count > 1 ? `The server sent ${count} CONNACK packets on one connection.` : undefined
  }),
  ...observed(
    'connack.closes-after-refusal',
    { '3.1': '3.2', '3.1.1': 'MQTT-3.2.2-5', '5.0': 'MQTT-3.2.2-7' },
    (connection) => {
      const [frame] = connacks(connection)
      if (frame === undefined || answerOf(frame).code === 0 || connection.closed) return undefined
      return `The server did not close the connection after a CONNACK with ${hexCode(answerOf(frame).code)}.`
    },
  ),
  ...observed('connack.response-information', { '5.0': 'MQTT-3.1.2-28' }, (connection, version) => {
    if (connection.announced?.requestsResponseInformation !== false) return undefined
    const [frame] = connacks(connection)
    if (frame === undefined || errorOf(frame, version, connection) !== undefined) return undefined
    return propertyOf(connection, version, PropertyId.responseInformation) === undefined
      ? undefined
      : 'The CONNACK has response information, which the client did not ask for.'
  }),
  ...observed('connack.maximum-packet-size', { '5.0': 'MQTT-3.1.2-24' }, ({ frames, announced }) => {
    const maximum = announced?.maximumPacketSize
    const large = maximum === undefined ? undefined : frames.find((frame) => frame.length > maximum)
    return (
      large && `The server sent a packet of ${large.length} bytes. The client accepts at most ${maximum}.`
    )
  }),
]

function propertyOf(
  connection: Connection,
  { level }: Version,
  id: typeof PropertyId.responseInformation | typeof PropertyId.assignedClientIdentifier,
): string | undefined {
  try {
    const packet = decode(connacks(connection)[0]!, { protocolVersion: level })
    return packet instanceof v5.ConnackPacket ? packet.property(id) : undefined
  } catch {
    // What is wrong with it is reported by the rule that it breaks.
    throw new Stop(notTested('The CONNACK is invalid.'))
  }
}

async function assignedId(trial: Trial): Promise<Finding | string> {
  const { connection, answer } = await trial.ask(trial.packet({ clientId: '' }))
  if (answer === undefined || answer.code !== 0)
    return notTested('The server accepts no empty client ids, as it may.')
  const id = propertyOf(connection, trial.version, PropertyId.assignedClientIdentifier)
  return (
    id ??
    violates('The server accepted an empty client id, but its CONNACK has no assigned client identifier.')
  )
}

export const connackCases: readonly Case[] = [
  ...inEach(versions, 'connack.assigned-client-id', { '5.0': 'MQTT-3.2.2-16' }, async (trial) => {
    const first = await assignedId(trial)
    if (typeof first !== 'string') return first
    const another = await assignedId(trial)
    if (typeof another !== 'string') return another
    return first === another || first === ''
      ? violates('The server assigned the same client identifier to two clients.')
      : passed('The server assigned a different client identifier to each of two clients.')
  }),
  ...inEach(versions, 'connack.no-assigned-client-id', { '5.0': '3.2.2.3.7' }, async (trial) => {
    const { connection } = await trial.connect()
    return propertyOf(connection, trial.version, PropertyId.assignedClientIdentifier) === undefined
      ? passed('The server assigned no other client identifier.')
      : differs('The CONNACK has an assigned client identifier, although the client has one of its own.')
  }),
  // They bring CONNACKs for the rules that hold for all of them.
  ...inEach(versions, 'connack.accepts', { '3.1': '3.2', '3.1.1': '3.2', '5.0': '3.2' }, async (trial) => {
    const { connection } = await trial.connect(
      trial.version.is5 ? { props: [property.maximumPacketSize(40)] } : {},
    )
    // A second CONNACK would come soon.
    await connection.until(() => connacks(connection).length > 1, trial.grace)
    return passed('The server accepted a CONNECT.')
  }),
  ...inEach(versions, 'connack.refuses', { '3.1': '3.2', '3.1.1': '3.2', '5.0': '3.2' }, async (trial) => {
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
    // The protocol level, which is after the name.
    invalid[bytes[1]! < 128 ? 4 + bytes.readUInt16BE(2) : 5 + bytes.readUInt16BE(3)] = 0x7f
    connection.send(invalid)
    const frame = await connection.packet(CONNACK, trial.timeout)
    if (frame === undefined) return notTested('The server sends no CONNACK to a client that it refuses.')
    if (answerOf(frame).code === 0)
      return notTested('The server accepts a protocol level that does not exist.')
    return passed('The server refused a CONNECT.')
  }),
]
