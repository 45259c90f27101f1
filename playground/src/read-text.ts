import { Buffer } from 'buffer'
import { explain } from '../../lib/explain/index.ts'
import { beginsConnect } from '../../lib/explain/paste/looks-like-packet.ts'
import type { Reading } from '../../lib/explain/paste/paste.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { ControlPacketType } from '../../lib/packets/index.ts'
import { unwrapped } from './capture/websocket.ts'
import { outcomeOf, outcomeWords } from './explained.ts'
import { asTheySay, explainOptions } from './read-as.ts'
import type { Choice, Problem, Stream } from './stream.ts'

/** The ways to read a text, or why there is none. */
export function readText(text: string): readonly Choice[] | Problem {
  const paste = readPaste(text)
  if (paste.problem !== undefined) return paste
  const { readings, parts } = paste
  const all = readings.map(withoutFrames)
  if (parts !== undefined && readings.length > 1) {
    const { form, ignored } = all[0]!
    return [{ label: form, streams: sidesOf(all), ignored }]
  }
  return all.map((reading) => ({
    label: labelOf(reading),
    streams: [{ from: undefined, bytes: reading.bytes }],
    ignored: reading.ignored,
  }))
}

/** The MQTT in the frames of a WebSocket, if the bytes are that. */
function withoutFrames(reading: Reading): Reading {
  const bytes = unwrapped(reading.bytes)
  if (bytes === undefined || bytes.length === 0) return reading
  return { ...reading, bytes: Buffer.from(bytes), ignored: [...reading.ignored, 'the WebSocket frames'] }
}

/** Both directions, the client first: it begins with a CONNECT. Without one, the side whose log it is is taken for the client. */
function sidesOf(readings: readonly Reading[]): Stream[] {
  const client =
    readings.find(({ bytes }) => beginsConnect(bytes)) ??
    readings.find(({ bytes }) => bytes[0] !== ControlPacketType.connack) ??
    readings[0]!
  return [client, ...readings.filter((one) => one !== client)].map((one) => ({
    from: one === client ? 'client' : 'server',
    bytes: one.bytes,
  }))
}

/** `hex, 20 bytes: CONNECT, valid` */
function labelOf({ form, bytes }: Reading): string {
  const [first] = explain(bytes, explainOptions(asTheySay)).packets
  const size = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`
  return `${form}, ${size}: ${first?.rows[0]?.value ?? 'nothing'}, ${outcomeWords[outcomeOf(first!)]}`
}
