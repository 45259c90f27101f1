import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/version.ts'
import { type ExplainOptions, type Explanation, explainNext, type PacketExplanation } from './explain.ts'
import { isDecoded } from './summary.ts'

/** The sender of bytes. */
export type Side = 'client' | 'server'

/** The bytes of one direction of a connection, or bytes whose direction is unknown. */
export interface Stream {
  readonly from?: Side | undefined
  readonly bytes: Uint8Array
  /** The rest of a text after a wrong character: each byte as two digits, or `??` if it can't be read. */
  readonly rest?: readonly string[]
}

/** The bytes of one direction, and their explanation. */
export interface ExplainedStream {
  readonly stream: Stream
  /** The options for reading them: a server's bytes are read in the version of the client's CONNECT. */
  readonly options: ExplainOptions
  readonly explanation: Explanation
}

/** Explains the directions of a connection. The client's must be first, because only a CONNECT contains the version. */
export function explainStreams(streams: readonly Stream[], options: ExplainOptions = {}): ExplainedStream[] {
  let known = options.protocolVersion ?? ProtocolVersion.undetermined
  /** Without a CONNECT, the sides of a log are a guess. */
  let isSure = false
  const isAsked = known !== ProtocolVersion.undetermined
  return streams.map((stream) => {
    const own: ExplainOptions =
      stream.from === 'server'
        ? { ...options, protocolVersion: known, ...(isSure && { from: 'server' }) }
        : options
    const explanation = explainNext(stream.bytes, own, stream.rest)
    const { packet } = explanation
    if (packet?.type === ControlPacketType.connect && 'protocolVersion' in packet) {
      isSure = true
      if (!isAsked) known = packet.protocolVersion
    }
    return { stream, options: own, explanation }
  })
}

/**
 * The stream that decides why a client doesn't connect: one with an error, or else the server's. Streams that are merely cut
 * short come last.
 */
export function decisive<Of extends ExplainedStream>(all: readonly Of[]): Of | undefined {
  const codes = (one: Of): (string | undefined)[] => one.explanation.packets.map(({ error }) => error?.code)
  return (
    all.find((one) => codes(one).some((code) => code !== undefined && code !== 'packet-incomplete')) ??
    all.find(({ stream }) => stream.from === 'server') ??
    all.find((one) => codes(one).some((code) => code !== undefined)) ??
    all[0]
  )
}

export type Outcome = 'bad' | 'refused' | 'good' | 'unknown'

/** The outcome of a packet. A CONNACK that refuses the client is valid, but not good news. */
export function outcomeOf({ packet, error }: PacketExplanation): Outcome {
  if (error !== undefined) return 'bad'
  if (packet === undefined || !isDecoded(packet)) return 'unknown'
  return 'accepted' in packet && !packet.accepted ? 'refused' : 'good'
}

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  bad: 'invalid',
  refused: 'valid, refuses the client',
  good: 'valid',
  unknown: 'not decoded',
}

/** `CONNECT valid, CONNACK valid, refuses the client`: the first packet of each stream. */
export function outcomesIn(all: readonly ExplainedStream[]): string {
  const parts = all.map(({ explanation }) => {
    const [first] = explanation.packets
    return `${first?.rows[0]?.value ?? 'nothing'} ${outcomeWords[outcomeOf(first!)]}`
  })
  if (all.length === 1 && all[0]!.stream.from === 'client') parts.push('no answer')
  return parts.join(', ')
}
