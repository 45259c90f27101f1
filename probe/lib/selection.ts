import { authCases, authProviders } from './cases/auth.ts'
import type { Case } from './cases/case.ts'
import { connackCases, connackProviders } from './cases/connack.ts'
import { connectionCases, connectionProviders } from './cases/connection.ts'
import { disconnectCases, disconnectProviders } from './cases/disconnect.ts'
import { invalidCases } from './cases/invalid.ts'
import { keepAliveCases } from './cases/keep-alive.ts'
import { limitCases } from './cases/limits.ts'
import { type Observation, observations } from './cases/observations.ts'
import { sessionCases } from './cases/session.ts'
import { acceptCases } from './cases/valid.ts'
import { willCases } from './cases/will.ts'
import { willContentCases } from './cases/will-contents.ts'
import { suggestion, UsageError } from './errors.ts'
import type { ProbeOptions } from './options.ts'
import { versions } from './packets.ts'
import type { VersionLabel } from './result.ts'

/* All cases, and the selection for a run. */

const allCases: readonly Case[] = [
  ...connackCases,
  ...limitCases,
  ...acceptCases,
  ...connectionCases,
  ...authCases,
  ...sessionCases,
  ...willCases,
  ...willContentCases,
  ...disconnectCases,
  ...keepAliveCases,
  ...invalidCases,
]

/** Cases that make the server send the packets that the observations are about. */
const providers: readonly Case[] = [
  ...connackProviders,
  ...connectionProviders,
  ...authProviders,
  ...disconnectProviders,
]

/** All cases that `only` can select. */
export function knownCases(): { id: string; version: VersionLabel; clause: string; isSlow: boolean }[] {
  return [...allCases, ...observations].map((one) => ({
    ...{ id: one.id, version: one.version.label, clause: one.clause },
    isSlow: (one as Case).isSlow === true,
  }))
}

export interface Selection {
  readonly cases: readonly Case[]
  /** Cases that run only because they give the observations something to observe. They have no result. */
  readonly helpers: ReadonlySet<Case>
  readonly observations: readonly Observation[]
}

type Named = Readonly<{ id: string; clause: string }>

function isNamed(name: string, { id, clause }: Named): boolean {
  return name === clause || name === id || id.startsWith(`${name}.`)
}

/** @throws UsageError if a name in `only` selects nothing, so that a typo doesn't look like a server without faults */
export function selectionOf({ only = [], protocol, slow = false }: ProbeOptions): Selection {
  const labels = protocol ?? versions.map(({ label }) => label)
  for (const name of only) checkName(name, labels)
  const isNamedByOne = (one: Named): boolean => only.some((name) => isNamed(name, one))
  const isWanted = (one: Case | Observation): boolean =>
    labels.includes(one.version.label) && (only.length === 0 || isNamedByOne(one))
  const wanted = allCases.filter((one) => isWanted(one) && (slow || only.length > 0 || one.isSlow !== true))
  const watched = observations.filter(isWanted)
  const observed = new Set(watched.map(({ version }) => version))
  const helpers = providers.filter((one) => observed.has(one.version) && !wanted.includes(one))
  return { cases: [...wanted, ...helpers], helpers: new Set(helpers), observations: watched }
}

function checkName(name: string, labels: readonly VersionLabel[]): void {
  const known = knownCases()
  const found = known.filter((one) => isNamed(name, one))
  if (found.some(({ version }) => labels.includes(version))) return
  const others = [...new Set(found.map(({ version }) => version))]
  if (others.length > 0) {
    throw new UsageError(
      `'${name}' names only cases of MQTT ${others.join(' and ')}, but the run is for ${labels.join(' and ')}.`,
    )
  }
  const own = known.filter(({ version }) => labels.includes(version))
  const groups = own.map(({ id }) => id.split('.')[0]!)
  const hint = suggestion(name, [...groups, ...own.flatMap(({ id, clause }) => [id, clause])])
  throw new UsageError(
    `No case has the id, group or clause '${name}'.${hint || ' --list shows all of them.'}`,
  )
}
