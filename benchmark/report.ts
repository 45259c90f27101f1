/* Shared by the benchmarks: statistics, tables, and the description of the machine. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The quantile of the values. Between two values, the upper one. */
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

/** One row of a table: its cells by column heading. */
export type Row = Readonly<Record<string, string | number>>

/** Formats rows as aligned text, with all columns but the first right-aligned. */
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
