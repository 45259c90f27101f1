import { decode, MqttError, PropertyId, v5 } from 'mqtt-connect-packet'
import { vectors } from 'mqtt-connect-packet/testing'
import type { Announced, Connection } from '../connection.ts'
import { AUTH, answerOf, CONNACK, DISCONNECT, type Version, versions } from '../packets.ts'
import { hexCode } from '../trial.ts'
import type { Clauses } from './case.ts'

/* Rules about everything that the server sends. They're checked on all connections of the run, and reported at its end. */

/** A rule about everything that the server sends, on any connection. */
export interface Observation {
  readonly id: string
  readonly version: Version
  readonly clause: string
  /** The packet type that the rule is about. If the server never sent one, the rule is reported as not tested. */
  readonly type: number
  /** True if the fault is a connection that stays open, because a slow server may just close it later. */
  readonly isAboutEnd?: boolean
  /** The fault on a connection, or `undefined` if there is none. */
  readonly fault: (connection: Connection) => string | undefined
}

/** The packet types whose form is checked, with their names in messages. */
const groups: ReadonlyMap<number, string> = new Map([
  [CONNACK, 'connack'],
  [DISCONNECT, 'disconnect'],
  [AUTH, 'auth'],
])

const typeOf = (frame: Buffer): number => frame[0]! >> 4

export function framesOf({ frames }: Connection, type: number): Buffer[] {
  return frames.filter((frame) => typeOf(frame) === type)
}

/** The error of a packet. If the server can't know the version, a CONNACK may have the form of 3.1.1 or of 5.0. */
export function errorOf(
  frame: Buffer,
  { level }: Version,
  announced: Announced | undefined,
): MqttError | undefined {
  const shape = frame.length === 4 ? Math.min(level, 4) : 5
  const protocolVersion = announced?.protocolVersion ?? (shape as 3 | 4 | 5)
  try {
    decode(frame, { protocolVersion, from: 'server' })
    return undefined
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** The form of CONNACK, DISCONNECT and AUTH: a rule for each error of the table that these packets can have. */
function formRules(): Observation[] {
  const known = new Map<string, Observation>()
  for (const { from, code, clause, bytes, protocolVersion } of vectors) {
    const type = bytes.length === 0 ? 0 : typeOf(bytes)
    const group = groups.get(type)
    if (code === undefined || group === undefined) continue
    // Frames are whole packets, and decoded without a size limit, so these errors can't occur.
    if (['packet-incomplete', 'more-than-one-packet', 'packet-too-large'].includes(code)) continue
    if (from === 'client' && (code === 'wrong-sender' || code === 'reserved-packet-type')) continue
    const version = versions.find(({ level }) => level === protocolVersion)!
    const key = `${type} ${code} ${clause} ${version.label}`
    if (known.has(key)) continue
    const id = `${group}.${code}`
    const isAlone = ![...known.values()].some((one) => one.id === id && one.version === version)
    known.set(key, {
      id: isAlone ? id : `${id}.${clause.toLowerCase()}`,
      ...{ version, clause, type },
      fault(connection) {
        for (const frame of framesOf(connection, type)) {
          const error = errorOf(frame, version, connection.announced)
          if (error?.code !== code || error.clause !== clause) continue
          return `The ${group.toUpperCase()} is invalid: ${error.message}.`
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
  type = CONNACK,
  isAboutEnd = false,
): Observation[] {
  return versions.flatMap((version): Observation[] => {
    const clause = clauses[version.label]
    if (clause === undefined) return []
    return [{ id, version, clause, type, isAboutEnd, fault: (connection) => fault(connection, version) }]
  })
}

/** A 5.0 packet, if it's valid. The rules about its form report the faults of an invalid one. */
function validPacket(frame: Buffer | undefined): v5.ConnackPacket | v5.AuthPacket | undefined {
  if (frame === undefined) return undefined
  try {
    const packet = decode(frame, { protocolVersion: 5, from: 'server' })
    return packet instanceof v5.ConnackPacket || packet instanceof v5.AuthPacket ? packet : undefined
  } catch {
    return undefined
  }
}

/** The authentication methods of the server's packets and of the CONNECT. */
function methods(
  connection: Connection,
): { asked: string | undefined; given: readonly string[] } | undefined {
  const { announced } = connection
  if (announced?.protocolVersion !== 5) return undefined
  const packets = [...framesOf(connection, CONNACK), ...framesOf(connection, AUTH)].map(validPacket)
  const given = packets.flatMap((packet) => packet?.property(PropertyId.authenticationMethod) ?? [])
  return { asked: announced.authenticationMethod, given }
}

const connackRules: readonly Observation[] = [
  ...observed(
    'connack.first',
    { '3.1': '3.2', '3.1.1': 'MQTT-3.2.0-1', '5.0': 'MQTT-3.2.0-1' },
    ({ frames, announced }, { is5 }) => {
      const type = typeOf(frames[0]!)
      // A server that can't know the version may assume 5.0.
      const mayBe5 = is5 || announced?.protocolVersion === undefined
      if (type === CONNACK || (mayBe5 && (type === AUTH || type === DISCONNECT))) return undefined
      return `The first packet of the server has type ${type}. It must be a CONNACK.`
    },
  ),
  ...observed('connack.once', { '3.1': '3.2', '3.1.1': '3.2', '5.0': 'MQTT-3.2.0-2' }, (connection) => {
    const count = framesOf(connection, CONNACK).length
    return count > 1 ? `The server sent ${count} CONNACK packets on one connection.` : undefined
  }),
  ...observed(
    'connack.closes-after-refusal',
    { '3.1': '3.2', '3.1.1': 'MQTT-3.2.2-5', '5.0': 'MQTT-3.2.2-7' },
    (connection) => {
      const [frame] = framesOf(connection, CONNACK)
      if (frame === undefined || answerOf(frame).code === 0 || connection.closed) return undefined
      return `The server did not close the connection after a CONNACK with ${hexCode(answerOf(frame).code)}.`
    },
    CONNACK,
    true,
  ),
  ...observed('connack.response-information', { '5.0': 'MQTT-3.1.2-28' }, (connection) => {
    if (connection.announced?.requestsResponseInformation !== false) return undefined
    const packet = validPacket(framesOf(connection, CONNACK)[0])
    return packet?.property(PropertyId.responseInformation as never) === undefined
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

const disconnectRules: readonly Observation[] = [
  ...observed(
    'disconnect.not-before-connack',
    { '5.0': 'MQTT-3.14.0-1' },
    ({ frames }) => {
      const at = frames.findIndex((frame) => typeOf(frame) === DISCONNECT)
      const isAccepted = frames
        .slice(0, at)
        .some((one) => typeOf(one) === CONNACK && answerOf(one).code < 0x80)
      return at < 0 || isAccepted
        ? undefined
        : 'The server sent a DISCONNECT without a CONNACK that accepts the client.'
    },
    DISCONNECT,
  ),
  ...observed(
    'disconnect.last',
    { '5.0': 'MQTT-3.14.4-1' },
    ({ frames }) => {
      const at = frames.findIndex((frame) => typeOf(frame) === DISCONNECT)
      const next = at < 0 ? undefined : frames[at + 1]
      return next && `The server sent a packet of type ${typeOf(next)} after its DISCONNECT.`
    },
    DISCONNECT,
  ),
  ...observed(
    'disconnect.closes',
    { '5.0': 'MQTT-3.14.4-2' },
    (connection) =>
      framesOf(connection, DISCONNECT).length > 0 && !connection.closed
        ? 'The server did not close the connection after its DISCONNECT.'
        : undefined,
    DISCONNECT,
    true,
  ),
]

const authRules: readonly Observation[] = [
  ...observed('auth.not-asked', { '5.0': 'MQTT-4.12.0-6' }, (connection) => {
    const found = methods(connection)
    if (found === undefined || found.asked !== undefined) return undefined
    if (framesOf(connection, AUTH).length > 0)
      return 'The server sent an AUTH, although the CONNECT has no authentication method.'
    return found.given.length > 0
      ? 'The CONNACK has an authentication method, although the CONNECT has none.'
      : undefined
  }),
  ...observed('auth.same-method', { '5.0': 'MQTT-4.12.0-5' }, (connection) => {
    const found = methods(connection)
    if (found?.asked === undefined) return undefined
    return found.given.some((one) => one !== found.asked)
      ? 'The authentication method of the server is not that of the CONNECT.'
      : undefined
  }),
]

export const observations: readonly Observation[] = [
  ...formRules(),
  ...connackRules,
  ...disconnectRules,
  ...authRules,
]
