import type { Vector } from 'mqtt-connect-packet/testing'
import type { Version } from '../packets.ts'
import type { Finding } from '../result.ts'
import type { Trial } from '../trial.ts'

/** Something that is tested in one version. */
export interface Case {
  readonly id: string
  readonly version: Version
  readonly clause: string
  /** True if it takes long, so that it runs only on demand. */
  readonly isSlow?: boolean
  /** True if its packets are all valid, so that it can't be blamed for the server's end. */
  readonly isHarmless?: boolean
  readonly run: (trial: Trial) => Promise<Finding>
}

/** The clause of each version that has a rule. The document of 3.1 has only chapters. */
export type Clauses = Readonly<Partial<Record<Version['label'], string>>>

/** A case for each version that has a clause. */
export function inEach(
  versions: readonly Version[],
  id: string,
  clauses: Clauses,
  run: Case['run'],
  more: Pick<Case, 'isSlow' | 'isHarmless'> = { isHarmless: true },
): Case[] {
  return versions.flatMap((version) => {
    const clause = clauses[version.label]
    return clause === undefined ? [] : [{ id, version, clause, run, ...more }]
  })
}

/** Words as a part of an id: `will.topic` and `willTopic` become `will-topic`. */
export function slug(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The peculiarity of a packet, without the number and the version that make its name unique. */
export function titleOf({ name }: Vector): string {
  return name.replace(/( \(\d+\))? \([\d.]+\)$/, '')
}
