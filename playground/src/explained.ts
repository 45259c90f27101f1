import {
  type Diagnosis,
  diagnose,
  type Explanation,
  explain,
  type PacketExplanation,
} from '../../lib/explain/index.ts'
import { ControlPacketType } from '../../lib/packets/index.ts'
import { choiceOf, explainOptions, type ReadAs } from './read-as.ts'
import type { Stream } from './stream.ts'

/** The bytes of one direction, and what they are. */
export interface Explained {
  readonly stream: Stream
  /** How they are read: what a server sends is read in the version of the client's CONNECT. */
  readonly as: ReadAs
  readonly explanation: Explanation
}

/** Explains the streams of a connection. */
export function explained(streams: readonly Stream[], as: ReadAs): Explained[] {
  let version = as.version
  return streams.map((stream) => {
    const readAs = stream.from === 'server' ? { ...as, version } : as
    const explanation = explain(stream.bytes, explainOptions(readAs))
    const { packet } = explanation
    if (as.version === '' && packet?.type === ControlPacketType.connect)
      version = choiceOf(packet.protocolVersion)
    return { stream, as: readAs, explanation }
  })
}

/** The stream that the verdict is about: one with an error, else the answers of the server. What is only cut comes last. */
export function decisive(all: readonly Explained[]): Explained | undefined {
  const codes = (one: Explained): (string | undefined)[] =>
    one.explanation.packets.map(({ error }) => error?.code)
  return (
    all.find((one) => codes(one).some((code) => code !== undefined && code !== 'packet-incomplete')) ??
    all.find(({ stream }) => stream.from === 'server') ??
    all.find((one) => errorIn(one) !== undefined) ??
    all[0]
  )
}

/** The first packet with an error. */
export function errorIn({ explanation }: Explained): PacketExplanation | undefined {
  return explanation.packets.find(({ error }) => error !== undefined)
}

export function diagnosisOf({ stream, as }: Explained): Diagnosis {
  const { protocolVersion, allow } = explainOptions(as)
  return diagnose(stream.bytes, { protocolVersion, allow })
}

export type Outcome = 'bad' | 'refused' | 'good' | 'unknown'

/** How a packet is, for its colour and its word. */
export function outcomeOf({ packet, error, rows }: PacketExplanation): Outcome {
  if (error !== undefined) return 'bad'
  if (rows.some(({ field }) => field === 'body')) return 'unknown'
  if (packet?.type !== ControlPacketType.connack || !('protocolVersion' in packet)) return 'good'
  const code = 'returnCode' in packet ? packet.returnCode : packet.reasonCode
  return code === 0 ? 'good' : 'refused'
}

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  bad: 'invalid',
  refused: 'valid, refuses the client',
  good: 'valid',
  unknown: 'not decoded',
}

/** The worst outcome of several packets. */
export function worst(packets: readonly PacketExplanation[]): Outcome {
  const found = new Set(packets.map(outcomeOf))
  return (['bad', 'refused', 'good', 'unknown'] as const).find((one) => found.has(one)) ?? 'unknown'
}
