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

/** All cases and observations that `only` can select. */
const selectable = [...allCases, ...observations]

export function knownCases(): { id: string; version: VersionLabel; clause: string; isSlow: boolean }[] {
  return selectable.map((one) => ({
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

/** The names that select it: its id, its clause, and the groups that it's in. */
function namesOf({ id, clause }: Named): string[] {
  const groups = [...id.matchAll(/\./g)].map(({ index }) => id.slice(0, index))
  return [...groups, id, clause]
}

/** The versions that have something with this name, by name. */
const versionsByName = new Map<string, Set<VersionLabel>>()
for (const one of selectable) {
  for (const name of namesOf(one)) {
    versionsByName.set(name, (versionsByName.get(name) ?? new Set()).add(one.version.label))
  }
}

/** @throws UsageError if a name in `only` selects nothing, so that a typo doesn't look like a server without faults */
export function selectionOf({ only = [], protocol, slow = false }: ProbeOptions): Selection {
  const labels = protocol ?? versions.map(({ label }) => label)
  for (const name of only) checkName(name, labels)
  const names = new Set(only)
  const isWanted = (one: Case | Observation): boolean =>
    labels.includes(one.version.label) && (only.length === 0 || namesOf(one).some((name) => names.has(name)))
  const wanted = allCases.filter((one) => isWanted(one) && (slow || only.length > 0 || one.isSlow !== true))
  const watched = observations.filter(isWanted)
  const observed = new Set(watched.map(({ version }) => version))
  const helpers = providers.filter((one) => observed.has(one.version) && !wanted.includes(one))
  return { cases: [...wanted, ...helpers], helpers: new Set(helpers), observations: watched }
}

function checkName(name: string, labels: readonly VersionLabel[]): void {
  const found = [...(versionsByName.get(name) ?? [])]
  if (found.some((version) => labels.includes(version))) return
  if (found.length > 0) {
    throw new UsageError(
      `'${name}' names only cases of MQTT ${found.join(' and ')}, but the run is for ${labels.join(' and ')}.`,
    )
  }
  const own = selectable.filter(({ version }) => labels.includes(version.label))
  const groups = own.map(({ id }) => id.split('.')[0]!)
  const hint = suggestion(name, [...groups, ...own.flatMap(({ id, clause }) => [id, clause])])
  throw new UsageError(
    `No case has the id, group or clause '${name}'.${hint || ' --list shows all of them.'}`,
  )
}
