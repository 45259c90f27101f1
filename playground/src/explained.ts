import { type Diagnosis, diagnose, type PacketExplanation } from '../../lib/explain/index.ts'
import {
  type ExplainedStream,
  explainStreams,
  type Outcome,
  outcomeOf,
  type Stream,
} from '../../lib/explain/streams.ts'
import { choiceOf, explainOptions, type ReadAs } from './read-as.ts'

/** The bytes of one direction, and what they are. */
export interface Explained extends ExplainedStream {
  /** The options for reading them: a server's bytes are read in the version of the client's CONNECT. */
  readonly as: ReadAs
}

/** Explains the streams of a connection. */
export function explained(streams: readonly Stream[], as: ReadAs): Explained[] {
  return explainStreams(streams, explainOptions(as)).map((one) => ({
    ...one,
    as: { ...as, version: choiceOf(one.options.protocolVersion ?? 0) },
  }))
}

/** The first packet with an error. */
export function errorIn({ explanation }: Explained): PacketExplanation | undefined {
  return explanation.packets.find(({ error }) => error !== undefined)
}

export function diagnosisOf({ stream, options }: Explained): Diagnosis {
  const { protocolVersion, allow } = options
  return diagnose(stream.bytes, { protocolVersion, allow })
}

/** The worst outcome of several packets. */
export function worst(packets: readonly PacketExplanation[]): Outcome {
  const found = new Set(packets.map(outcomeOf))
  return (['bad', 'refused', 'good', 'unknown'] as const).find((one) => found.has(one)) ?? 'unknown'
}
