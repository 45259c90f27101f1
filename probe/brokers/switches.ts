import { writeFileSync } from 'node:fs'
import { probe, type VersionLabel } from '../lib/index.ts'
import { Broker } from '../test/broker/broker.ts'
import { slowSwitches, switches } from '../test/switches.ts'

/*
 * Writes probe/SWITCHES.md: for each clause, what the probe reports in every version if a broker breaks that clause. Takes
 * about five minutes.
 */

const labels: readonly VersionLabel[] = ['3.1', '3.1.1', '5.0']
const CONCURRENCY = 8
const rows = new Map<string, string>()
let exact = 0

async function test(name: string): Promise<void> {
  const broker = new Broker(name)
  const found = new Map(labels.map((label) => [label, new Map<string, number>()]))
  let count = 0
  for await (const result of probe(await broker.start(), { slow: slowSwitches.includes(name) })) {
    count++
    if (result.verdict !== 'violates') continue
    const clauses = found.get(result.version)!
    clauses.set(result.clause, (clauses.get(result.clause) ?? 0) + 1)
  }
  broker.close()
  const isExact = labels.every((label) => {
    const expected = switches[name]![label] ?? []
    const own = found.get(label)!
    return own.size === expected.length && expected.every((clause) => own.has(clause))
  })
  if (isExact) exact++
  const cells = labels.map((label) =>
    Array.from(found.get(label)!, ([clause, cases]) => `${clause} (${cases})`).join(', '),
  )
  rows.set(name, `| \`${name}\` | ${cells.join(' | ')} | ${isExact ? 'yes' : '**no**'} | ${count} |`)
}

const names = Object.keys(switches)
const waiting = [...names]
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await test(name)
  }),
)

const text = `# What the probe reports if a broker breaks one clause

Each row is a run of the probe against the broker in \`probe/test/broker/\` with one switch on. It shows the violated clauses in each version, with
the number of cases. _Exact_ means that the switch breaks exactly these clauses, which is so for ${exact} of ${names.length} switches. \`npm run switches\`
generates this file.

| switch | 3.1 | 3.1.1 | 5.0 | exact | cases run |
|---|---|---|---|---|--:|
${names.map((name) => rows.get(name)).join('\n')}
`
writeFileSync(new URL('../SWITCHES.md', import.meta.url), text)
process.exit(exact === names.length ? 0 : 1)
