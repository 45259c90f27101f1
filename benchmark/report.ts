/* What the benchmarks share: how figures are summed up, and what they were taken on. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that this share of the values lies below; of two in the middle the upper one. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

export function round3(value: number): number {
  return Number(value.toPrecision(3))
}

function version(name: string): string {
  const path = join(import.meta.dirname, '..', 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(path, 'utf8')).version
}

export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, V8 ${process.versions.v8}, mqtt-packet ${version('mqtt-packet')}`
}

/** A row of a table: the cells by the heads. */
export type Row = Readonly<Record<string, string | number>>

/** Rows as aligned text. All columns except the first are aligned to the right. */
export function table(rows: readonly Row[]): string {
  const heads = Object.keys(rows[0] ?? {})
  const lines = [heads, ...rows.map((row) => heads.map((head) => `${row[head]}`))]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n')
}
