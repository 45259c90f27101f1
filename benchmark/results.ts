/* Writes the last full run into a chart, a table and a summary in the documents. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barChart } from './chart.ts'
import type { MemoryResult } from './memory.ts'
import { comparisons } from './subjects.ts'

export interface Result {
  ours_ns: number
  peer_ns: number
  /** mqtt-packet's time divided by ours. */
  ratio: number
  /** The smallest ratio of a single round; the largest follows. */
  ratio_min: number
  ratio_max: number
  target: number
}

export interface Run {
  readonly command: string
  readonly machine: string
  readonly rounds: number
  readonly results: Readonly<Record<string, Result>>
  readonly memory: Readonly<Record<string, MemoryResult>>
}

const START = '<!-- written by `npm run bench` -->\n'
const END = '<!-- to here -->\n'

/** The documents that quote a run, and the function that writes each one's text. */
export const documents: ReadonlyMap<string, (run: Run) => string> = new Map([
  [join(import.meta.dirname, 'README.md'), resultsText],
  [join(import.meta.dirname, '..', 'README.md'), summaryText],
])
const json = join(import.meta.dirname, 'results.json')

/** Saves a run as JSON, draws the chart, and updates the documents. */
export function writeRun(run: Run): void {
  writeFileSync(json, `${JSON.stringify(run, null, 2)}\n`)
  writeFileSync(join(import.meta.dirname, 'results.svg'), barChart(run.results, run.machine))
  for (const [file, text] of documents) {
    writeFileSync(file, withResults(readFileSync(file, 'utf8'), text(run)))
  }
}

export function lastRun(): Run {
  return JSON.parse(readFileSync(json, 'utf8'))
}

/** Replaces the text between a document's two markers. */
export function withResults(document: string, text: string): string {
  const start = document.indexOf(START) + START.length
  const end = document.indexOf(END)
  if (start < START.length || end < start) throw new Error('The document has no place for the results')
  return `${document.slice(0, start)}\n${text}\n${document.slice(end)}`
}

/** The README's two lines about speed. */
function summaryText({ machine, results }: Run): string {
  /** The range covers every figure of a kind. */
  const range = (kind: string): string => {
    const ratios = Object.entries(results)
      .filter(([key]) => key.startsWith(kind))
      .map(([, { ratio }]) => Math.floor(ratio))
      .sort((a, b) => a - b)
    return ratios[0] === ratios.at(-1) ? `${ratios[0]}` : `${ratios[0]} to ${ratios.at(-1)}`
  }
  // The build of V8 is noise here.
  const where = machine.replace(/ V8 [^,]+,/, '')
  return `Decoding is ${range('decode/')} times as fast as in mqtt-packet, partly because fields are read only when you ask for them. If you read all of
them, it's still ${range('read/')} times as fast. Building is ${range('encode/')} times as fast (${where}).
`
}

function resultsText({ command, machine, rounds, results, memory }: Run): string {
  const rows = Object.entries(results).map(([key, { ours_ns, peer_ns, ratio, ratio_min, ratio_max, target }]) => {
    const cells = [
      `\`${key}\``,
      comparisons[key]?.what ?? '',
      nanoseconds(ours_ns),
      nanoseconds(peer_ns),
      `${ratio}`,
      `${ratio_min}–${ratio_max}`,
      ratio < target ? `${target}, **missed**` : `${target}`,
    ]
    return `| ${cells.join(' | ')} |\n`
  })
  const kept = Object.values(memory).map(({ what, bytes, limit }) => {
    const held = bytes < 0 ? 'nothing' : `${bytes.toLocaleString('en')} bytes`
    return `${what} ${held} (at most ${limit.toLocaleString('en')}${bytes > limit ? ', **missed**' : ''})`
  })
  return `\`${command}\` on ${machine}; medians of ${rounds} rounds, and the ratios of single rounds as their spread:

| key | what | ours, ns | peer, ns | ratio | spread | at least |
|---|---|---|---|---|---|---|
${rows.join('')}
Memory: ${kept.join('; ')}.
`
}

function nanoseconds(time: number): string {
  return time.toLocaleString('en', { maximumSignificantDigits: 3 })
}
