import { asBuffer } from '../../wire/memory.ts'
import { explain } from '../explain.ts'
import { beginsConnect } from '../paste/looks-like-packet.ts'
import type { Stream } from '../streams.ts'
import { framesIn } from './frames.ts'
import { type Connection, connectionsOf } from './reassembly.ts'
import { type Segment, segmentIn } from './segments.ts'
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
  return connectionsOf(segmentsIn(file)).flatMap((connection) => mqttIn(connection) ?? [])
}

function* segmentsIn(file: Uint8Array): Generator<Segment> {
  for (const frame of framesIn(file)) {
    const segment = segmentIn(frame)
    if (segment !== undefined) yield segment
  }
}

/** The MQTT in a connection, or `undefined` if there is none. */
function mqttIn({ opener, other, fromOpener, fromOther, hasGap }: Connection): MqttConnection | undefined {
  const sides = [unwrapped(fromOpener), unwrapped(fromOther)]
  const isWebSocket = sides[0] !== undefined
  const client = sides[0]?.bytes ?? fromOpener
  const server = isWebSocket ? (sides[1]?.bytes ?? new Uint8Array(0)) : fromOther
  if (!isMqtt(client, other)) return undefined
  const both: readonly Stream[] = [
    { from: 'client', bytes: client },
    { from: 'server', bytes: server },
  ]
  return {
    name: `${opener} → ${other}${isWebSocket ? ' (WebSocket)' : ''}`,
    streams: both.filter(({ bytes }) => bytes.length > 0),
    ignored: [
      ...new Set(sides.flatMap((side) => side?.ignored ?? [])),
      ...(hasGap ? ['bytes after a gap in the capture'] : []),
    ],
  }
}

const mqttPorts = /:(1883|8883)$/

/** True if a client begins with a CONNECT, or sends anything at all to an MQTT port. */
function isMqtt(bytes: Uint8Array, to: string): boolean {
  // TLS hides its contents, so there is nothing to explain.
  if (bytes.length === 0 || (bytes[0] === 0x16 && to.endsWith(':8883'))) return false
  if (mqttPorts.test(to)) return true
  if (bytes[0] !== 0x10) return false
  // A capture may have only the beginning of each packet.
  if (beginsConnect(asBuffer('bytes', bytes))) return true
  const { packet, error } = explain(bytes, { allow: ['protocol-mqtt-3-1'] })
  return packet !== undefined || error.protocolName !== undefined
}
