import { type Diagnosis, diagnose, type PacketExplanation } from '../../lib/explain/index.ts'
import {
  type ExplainedStream,
  explainStreams,
  type Outcome,
  outcomeOf,
  type Stream,
} from '../../lib/explain/streams.ts'
import { choiceOf, explainOptions, type ReadAs } from './read-as.ts'

/** The bytes of one direction, and their explanation. */
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

/** The diagnosis of the packets, except for a packet that contains a wrong character of the text. */
export function diagnosisOf({ stream, options, explanation }: Explained): Diagnosis {
  const { protocolVersion, allow, from } = options
  const { packet, error, rows } = explanation.packets.at(-1)!
  const start = rows[0]?.offset ?? 0
  const isOpen = packet === undefined && error === undefined
  const bytes = isOpen ? stream.bytes.subarray(0, start) : stream.bytes
  return isOpen && bytes.length === 0 ? onlyBefore : diagnose(bytes, { protocolVersion, allow, from })
}

const onlyBefore: Diagnosis = {
  headline: 'The text can be read only up to an invalid character.',
  cause:
    'The character is marked above. The bytes before it are explained below, and those after it are shown.',
  fixes: [
    'Look at the marked character: maybe a digit is missing, a zero is a letter O, or a character needs quotes.',
    'Correct it, or paste the bytes in another form.',
  ],
}

/** The worst outcome of several packets. */
export function worst(packets: readonly PacketExplanation[]): Outcome {
  const found = new Set(packets.map(outcomeOf))
  return (['bad', 'refused', 'good', 'unknown'] as const).find((one) => found.has(one)) ?? 'unknown'
}
