import { explain } from '../../../lib/explain/index.ts'
import { ControlPacketType } from '../../../lib/packets/index.ts'
import { explained, outcomeOf, outcomeWords } from '../explained.ts'
import { asTheySay, explainOptions } from '../read-as.ts'
import type { Choice, Stream } from '../stream.ts'
import { framesIn } from './frames.ts'
import { type Connection, connectionsOf } from './reassembly.ts'
import { type Segment, segmentIn } from './segments.ts'
import { unwrapped } from './websocket.ts'

/**
 * The MQTT connections in a capture file, each with what client and server sent.
 *
 * @throws RangeError if it is no capture file
 */
export function connectionsIn(file: Uint8Array): Choice[] {
  return connectionsOf(segmentsIn(file)).flatMap((connection) => choiceOf(connection) ?? [])
}

function* segmentsIn(file: Uint8Array): Generator<Segment> {
  for (const frame of framesIn(file)) {
    const segment = segmentIn(frame)
    if (segment !== undefined) yield segment
  }
}

/** A connection to choose, `undefined` if there is nothing like MQTT in it. */
function choiceOf(connection: Connection): Choice | undefined {
  const { fromOpener, fromOther } = connection
  const sides = [unwrapped(fromOpener), unwrapped(fromOther)]
  const isWebSocket = sides[0] !== undefined
  const client = sides[0] ?? fromOpener
  const server = isWebSocket ? (sides[1] ?? new Uint8Array(0)) : fromOther
  if (!isMqtt(client, connection.other)) return undefined
  const both: readonly Stream[] = [
    { from: 'client', bytes: client },
    { from: 'server', bytes: server },
  ]
  const streams = both.filter(({ bytes }) => bytes.length > 0)
  const ignored = [
    ...(isWebSocket ? ['the WebSocket frames'] : []),
    ...(connection.hasGap ? ['bytes after a gap in the capture'] : []),
  ]
  return { label: labelOf(connection, streams, isWebSocket), streams, ignored }
}

const mqttPorts = /:(1883|8883)$/

/** Whether a client begins with a CONNECT, or sends anything at all to a port of MQTT. */
function isMqtt(bytes: Uint8Array, to: string): boolean {
  // What TLS hides is nothing to explain.
  if (bytes.length === 0 || (bytes[0] === 0x16 && to.endsWith(':8883'))) return false
  if (mqttPorts.test(to)) return true
  const { packets } = explain(bytes, explainOptions(asTheySay))
  const [{ packet, error }] = packets as [(typeof packets)[number]]
  return (
    packet?.type === ControlPacketType.connect || (bytes[0] === 0x10 && error?.protocolName !== undefined)
  )
}

/** `192.0.2.7:50123 → 192.0.2.1:1883: CONNECT valid, CONNACK valid, refuses the client` */
function labelOf({ opener, other }: Connection, streams: readonly Stream[], isWebSocket: boolean): string {
  const all = explained(streams, asTheySay)
  const parts = all.map(({ explanation }) => {
    const [first] = explanation.packets
    return `${first?.rows[0]?.value ?? 'nothing'} ${outcomeWords[outcomeOf(first!)]}`
  })
  if (all.length === 1) parts.push('no answer')
  return `${opener} → ${other}${isWebSocket ? ' (WebSocket)' : ''}: ${parts.join(', ')}`
}
