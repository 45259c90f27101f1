import { clauses, type Row } from '../probe/brokers/clauses.ts'
import { knownCases, type VersionLabel } from '../probe/lib/index.ts'
import { switches } from '../probe/test/switches.ts'

/* Writes probe/CLAUSES.md: the normative statements that the probe tests, and the reasons for leaving out the others. */

const known = knownCases()

export function casesOf(clause: string, version: VersionLabel): string[] {
  return known.filter((one) => one.clause === clause && one.version === version).map(({ id }) => id)
}

/** Names the cases of a clause. Numbers of cases that differ only in their bytes are left out. */
function casesText(clause: string, version: VersionLabel): string {
  const ids = [...new Set(casesOf(clause, version).map((id) => id.replace(/\.\d+$/, '')))]
  const shown = ids.slice(0, 3).map((id) => `\`${id}\``)
  return [...shown, ...(ids.length > 3 ? [`${ids.length - 3} more`] : [])].join(', ')
}

function switchesText(clause: string, version: VersionLabel): string {
  const names = Object.keys(switches).filter((name) => switches[name]![version]?.includes(clause))
  const shown = names.slice(0, 2).map((name) => `\`${name}\``)
  return [...shown, ...(names.length > 2 ? [`${names.length - 2} more`] : [])].join(', ')
}

function rowText([clause, says, how]: Row, version: VersionLabel): string {
  const cells = (tested: string, broken = '') => `| ${clause} | ${says} | ${tested} | ${broken} |`
  if (how === undefined) return cells(casesText(clause, version), switchesText(clause, version))
  if (how === 'client') return cells('not tested: binds the client')
  if ('not' in how) return cells(`not tested: ${how.not}`)
  const because = how.because === undefined ? '' : `: ${how.because}`
  return cells(`reported as ${how.as}${because}`)
}

/** Counts the tested statements, and the others by reason. */
function counts(rows: readonly Row[]): string {
  const ofClient = rows.filter(([, , how]) => how === 'client').length
  const untested = rows.filter(([, , how]) => how !== undefined && how !== 'client' && 'not' in how).length
  return `${rows.length} statements: ${rows.length - ofClient - untested} are tested, ${ofClient} bind the client, and ${untested} can't be tested.`
}

export function clausesDocument(): string {
  const sections = (['3.1.1', '5.0'] as const).map((version) => {
    const rows = clauses[version]
    return `## MQTT ${version}

${counts(rows)}

| clause | requirement | tested by | switch that breaks it |
|---|---|---|---|
${rows.map((row) => rowText(row, version)).join('\n')}
`
  })
  return `# Statements of the standards that the probe tests

The tables summarise the normative statements about opening and closing a connection: chapters 3.1, 3.2, 3.14 and 4.8 of MQTT 3.1.1, chapters 3.1,
3.2, 3.14, 3.15, 4.12 and 4.13 of MQTT 5.0, and what they need from other chapters, such as the rules for strings. The last column names switches
of [SWITCHES.md](SWITCHES.md).

MQTT 3.1 has no numbered statements. Its sections 3.1, 3.2 and 3.14 are tested with those cases of 3.1.1 that apply to 3.1, too.
\`mqtt-connect-probe --list\` prints all cases, including those of unnumbered statements.

\`npm run docs\` generates this file.

${sections.join('\n')}`
}
