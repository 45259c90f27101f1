import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result, Summary } from '../lib/index.ts'
import { reportPicture } from './picture.ts'
import { type Target, targets } from './targets.ts'
import { listeners } from './transports.ts'

/*
 * `npm run brokers`: writes docs/brokers.md and probe/report.svg. It needs Mosquitto, RabbitMQ, ejabberd and HAProxy from Debian,
 * and takes about six minutes. With the argument `picture` it only writes the picture. With part of a name it runs the matching
 * targets, and prints their report cards.
 */

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'probe/dist/main.js')

interface Card {
  readonly target: Target
  readonly version: string
  readonly results: readonly Result[]
  readonly summary: Summary
  readonly seconds: number
}

type Run = Pick<Card, 'results' | 'summary' | 'seconds'>

async function runOf(url: string, options: readonly string[]): Promise<Run> {
  const start = performance.now()
  const lines = await output(url, '--json', ...options)
  const results = lines.slice(0, -1) as Result[]
  const { summary } = lines.at(-1) as { summary: Summary }
  return { results, summary, seconds: (performance.now() - start) / 1000 }
}

async function cardOf(target: Target, options = ['--slow']): Promise<Card> {
  const { port, stop } = await target.start()
  try {
    const run = await runOf(`mqtt://127.0.0.1:${port}`, [...options, ...(target.options ?? [])])
    return { target, version: target.version(), ...run }
  } finally {
    stop()
  }
}

/** The run times of Mosquitto, over each transport. */
async function runTimes(): Promise<string> {
  const { all, stop } = await listeners()
  const rows: string[] = []
  try {
    for (const { name, url, options } of all) {
      const { results, summary, seconds } = await runOf(url, options)
      rows.push(`| ${name} | ${results.length} | ${summary.violates} | ${seconds.toFixed(0)} s |`)
    }
  } finally {
    stop()
  }
  return `| transport | cases | violates | time |
|---|--:|--:|--:|
${rows.join('\n')}`
}

function output(...args: string[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 2 ** 30 }, (_, out, errors) => {
      if (errors === '')
        resolve(
          out
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        )
      else reject(new Error(errors))
    })
  })
}

const versions = ['3.1', '3.1.1', '5.0'] as const

/** The versions that a server supports. */
function known({ results }: Card): string {
  const tested = versions.filter((label) =>
    results.some(({ version, verdict }) => version === label && verdict === 'passed'),
  )
  return tested.join(', ')
}

function overview(cards: readonly Card[]): string {
  const rows = cards.map((card) => {
    const { target, version, summary, seconds } = card
    const counts = [
      summary.passed,
      summary.violates,
      summary.differs,
      summary['no-answer'],
      summary['not-tested'],
    ]
    return `| [${target.name}](#${anchor(target.name)}) | ${version} | ${known(card)} | ${counts.join(' | ')} | ${seconds.toFixed(0)} s |`
  })
  return `| server | version | MQTT | passed | violates | differs | no answer | not tested | time |
|---|---|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}`
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** The violations by clause and group, each with the smallest packet that triggers it. */
function violations({ results }: Card): string {
  const found = new Map<string, Result[]>()
  for (const result of results.filter(({ verdict }) => verdict === 'violates')) {
    const key = `${result.version} ${result.clause} ${result.id.split('.')[0]}${result.clause.startsWith('MQTT') ? '' : result.id.split('.')[1]}`
    found.set(key, [...(found.get(key) ?? []), result])
  }
  if (found.size === 0) return 'No violation was found.'
  const rows = [...found.values()].map((own) => {
    const smallest = own.toSorted((a, b) => a.sent.length - b.sent.length)[0]!
    const { clause, version, id, text, sent, received } = smallest
    const shown = received === '' ? 'nothing' : `\`${cut(received)}\``
    return `| ${clause} | ${version} | ${own.length} | ${text.replaceAll('|', '\\|')} | \`${id}\` | \`${cut(sent)}\` | ${shown} |`
  })
  return `| clause | MQTT | cases | what happened | case | sent | received |
|---|---|--:|---|---|---|---|
${rows.join('\n')}`
}

function cut(hex: string): string {
  return hex.length > 150 ? `${hex.slice(0, 150)}…` : hex
}

/** The other verdicts, listing each reason once. */
function others({ results }: Card): string {
  const lines = (['differs', 'no-answer', 'not-tested'] as const).flatMap((verdict) => {
    const counts = new Map<string, number>()
    for (const { text } of results.filter((one) => one.verdict === verdict)) {
      // Merges reasons that differ only in a measured time.
      const reason = text.replace(/after \d+\.\d s/, 'late')
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    return [...counts].map(
      ([text, count]) => `- ${verdict}, ${count} ${count === 1 ? 'case' : 'cases'}: ${text}`,
    )
  })
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`
}

function cardText(card: Card): string {
  const { target, version } = card
  const notes = (target.notes ?? []).map((note) => `${note}\n`).join('')
  const options = (target.options ?? []).map((option) => ` ${option}`).join('')
  return `## ${target.name}

${version}. Started with \`${target.how}\`, tested with \`mqtt-connect-probe mqtt://127.0.0.1:PORT --json --slow${options}\`.
${notes}
${violations(card)}${others(card)}
`
}

/** Draws the README's picture from a run of its own, because its last line shows the run's duration. */
async function writePicture(): Promise<void> {
  const { results, seconds } = await cardOf(targets[0]!, ['--protocol', '5'])
  writeFileSync(join(root, 'probe/report.svg'), reportPicture(results, seconds))
}

if (process.argv[2] === 'picture') {
  await writePicture()
  process.exit()
}

const chosen = targets.filter(({ name }) =>
  name.toLowerCase().includes((process.argv[2] ?? '').toLowerCase()),
)
const cards: Card[] = []
for (const target of chosen) {
  process.stderr.write(`${target.name}\n`)
  cards.push(await cardOf(target))
}
const isWhole = process.argv[2] === undefined
const transports = isWhole ? await runTimes() : ''
const { version } = JSON.parse(readFileSync(join(root, 'probe/package.json'), 'utf8'))
const text = `# How brokers treat the handshake

\`npm run brokers\` wrote this file on ${new Date().toISOString().slice(0, 10)} with version ${version} of the probe (\`probe/\` in the repository), on Node
${process.version} and ${execName()}. All servers ran on one machine with their defaults, unless noted otherwise.

A _violation_ breaks a MUST of the standard: for example, the server accepted a packet that it must refuse. It's neither a
bug report nor a security advisory. Most servers are lenient on purpose, because devices in the field send such packets, and many
of these versions are older than their projects' current releases. _Differs_ means that the standard leaves the choice to the
server, but we recommend something else. Cases are counted, not weighted: a server that doesn't check UTF-8 in a single field
has dozens of violations. Each row shows the smallest packet of its cases. To see that packet explained, run the probe with \`--only\`
and the case. We welcome corrections, above all about our own gateway.

${overview(cards)}

These runs used \`--slow\`, which includes the keep-alive cases. The next table has runs against Mosquitto without \`--slow\`, over each
transport:

${transports}

${cards.map(cardText).join('\n')}`

if (isWhole) {
  writeFileSync(join(root, 'docs/brokers.md'), text)
  await writePicture()
} else process.stdout.write(text)
process.exit()

function execName(): string {
  const [, name = 'Linux'] = /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  return name
}
