import type { Vector } from 'mqtt-connect-packet/testing'
import type { Version } from '../packets.ts'
import type { Finding } from '../result.ts'
import type { Trial } from '../trial.ts'

/** A test in one version. */
export interface Case {
  readonly id: string
  readonly version: Version
  readonly clause: string
  /** True if the case takes long, so it runs only on demand. */
  readonly isSlow?: boolean
  /** True if all packets of the case are valid, so it can't be blamed if the server dies. */
  readonly isHarmless?: boolean
  readonly run: (trial: Trial) => Promise<Finding>
}

/** The clause of each version that has a rule. MQTT 3.1 has no numbered statements, only sections. */
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

/** The description of a packet, without the number and the version that make its name unique. */
export function titleOf({ name }: Vector): string {
  return name.replace(/( \(\d+\))? \([\d.]+\)$/, '')
}
