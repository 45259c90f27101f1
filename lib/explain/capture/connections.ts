import { asBuffer } from '../../wire/memory.ts'
import { explain } from '../explain.ts'
import { beginsConnect } from '../paste/looks-like-packet.ts'
import type { Stream } from '../streams.ts'
import { framesIn } from './frames.ts'
import { type Connection, connectionsOf } from './reassembly.ts'
import { ipIn, type Segment, segmentIn } from './segments.ts'
import { unwrapped } from './websocket.ts'

/** A connection in a capture that carries MQTT. */
export interface MqttConnection {
  /** `192.0.2.7:50123 → 192.0.2.1:1883 (WebSocket)` */
  readonly name: string
  /** The bytes of the client, and those of the server, if any. */
  readonly streams: readonly Stream[]
  /** Descriptions of what was left out. */
  readonly ignored: readonly string[]
}

/**
 * The MQTT connections in a capture file, pcap or pcapng.
 *
 * @throws RangeError if it isn't a capture file
 */
export function connectionsIn(file: Uint8Array): MqttConnection[] {
  const connections = connectionsOf(segmentsIn(file)).map(fromClient)
  // Where one client sends a CONNECT, a client that sends something else may be the one with the problem.
  const servers = new Set(
    connections.filter(({ fromOpener }) => beginsMqtt(mqttOf(fromOpener))).map(({ other }) => other),
  )
  return connections.flatMap((connection) => mqttIn(connection, servers) ?? [])
}

/** The bytes that would be MQTT: those of a WebSocket's binary messages, or else all. */
function mqttOf(bytes: Uint8Array): Uint8Array {
  return unwrapped(bytes)?.bytes ?? bytes
}

/** The connection with the client as its opener. Without its first segments, ports decide who has opened it, and they can mislead. */
function fromClient(connection: Connection): Connection {
  const { opener, other, fromOpener, fromOther } = connection
  if (beginsMqtt(mqttOf(fromOpener)) || !beginsMqtt(mqttOf(fromOther))) return connection
  return { ...connection, opener: other, other: opener, fromOpener: fromOther, fromOther: fromOpener }
}

/** The reason why a capture shows no MQTT. */
export function withoutMqtt(file: Uint8Array): string {
  const frames = Array.from(framesIn(file))
  if (frames.length === 0) return 'it is a capture file without packets'
  const others = frames.filter((frame) => ipIn(frame) === undefined).length
  const unread = `${others} of its ${frames.length} frames have no IP that can be read: Wi-Fi, a tunnel or another protocol`
  const haveText = connectionsOf(segmentsIn(file)).some(
    ({ fromOpener }) => (unwrapped(fromOpener)?.text.length ?? 0) > 0,
  )
  if (haveText)
    return 'it is a capture file without MQTT: its WebSockets have messages of text, and MQTT needs binary ones'
  return others > 0
    ? `it is a capture file without MQTT that can be read. ${unread}`
    : 'it is a capture file without MQTT. TLS, as on port 8883, hides what it carries'
}

function* segmentsIn(file: Uint8Array): Generator<Segment> {
  for (const frame of framesIn(file)) {
    const segment = segmentIn(frame)
    if (segment !== undefined) yield segment
  }
}

/** The MQTT in a connection, or `undefined` if there is none. */
function mqttIn(
  { opener, other, fromOpener, fromOther, hasGap }: Connection,
  servers: ReadonlySet<string>,
): MqttConnection | undefined {
  const sides = [unwrapped(fromOpener), unwrapped(fromOther)]
  const isWebSocket = sides[0] !== undefined
  const server = isWebSocket ? (sides[1]?.bytes ?? new Uint8Array(0)) : fromOther
  const isToServer = servers.has(other) || mqttPorts.test(other)
  const binary = sides[0]?.bytes ?? fromOpener
  const isText = binary.length === 0 && servers.has(other)
  const client = isText ? (sides[0]?.text ?? binary) : binary
  // A capture may have one direction only.
  const bytes = client.length > 0 ? client : server
  if (bytes.length === 0 || isEncrypted(bytes, other) || !(isToServer || beginsMqtt(client))) return undefined
  const both: readonly Stream[] = [
    { from: 'client', bytes: client },
    { from: 'server', bytes: server },
  ]
  const kind = isText ? ' (WebSocket, but its messages are text)' : isWebSocket ? ' (WebSocket)' : ''
  return {
    name: `${opener} → ${other}${kind}`,
    streams: both.filter(({ bytes }) => bytes.length > 0),
    ignored: [
      ...new Set(sides.flatMap((side) => side?.ignored ?? [])),
      ...(hasGap ? ['bytes after a gap in the capture'] : []),
    ],
  }
}

const mqttPorts = /:(1883|8883)$/

/** TLS hides its contents, so there is nothing to explain. On other ports, it's a mistake. */
function isEncrypted(bytes: Uint8Array, to: string): boolean {
  return bytes[0] === 0x16 && to.endsWith(':8883')
}

/** True if a client begins with a CONNECT. */
function beginsMqtt(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x10) return false
  // A capture may have only the beginning of each packet.
  if (beginsConnect(asBuffer('bytes', bytes))) return true
  const { packet, error } = explain(bytes, { allow: ['protocol-mqtt-3-1'] })
  return packet !== undefined || error.protocolName !== undefined
}
