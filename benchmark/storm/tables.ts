import type { AbuseResults, AbuseSize } from './abuse.ts'
import type { Promised } from './promises.ts'
import type { StormResults, StormSize } from './storm.ts'

/** Rows of cells, the first row the heads; all columns but the first are set to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return rows.map(line).join('\n')
}

export function stormTable(results: StormResults, size: StormSize): string {
  const heads = [
    'server',
    'served',
    'conn/s',
    'spread',
    'CPU s',
    'spread',
    'conn/CPU s',
    'peak MiB',
    'client busy',
    'chunks',
  ]
  const rows = Object.entries(results).map(([kind, row]) => [
    kind,
    `${row.served}`,
    `${row.rate}`,
    `${row.rate_min}–${row.rate_max}`,
    `${row.cpu_seconds}`,
    `${row.cpu_min}–${row.cpu_max}`,
    `${row.capacity}`,
    `${row.peak_mib}`,
    `${Math.round(100 * row.client_load)} %`,
    row.chunks > 0 ? `${row.chunks}` : '',
  ])
  return `Storm: ${size.connections} connections a round, ${size.open} open at once, median of ${size.rounds} rounds\n${table([heads, ...rows])}`
}

export function abuseTable(results: AbuseResults, size: AbuseSize): string {
  const heads = [
    'server',
    'served',
    'median ms',
    'normal',
    'p99 ms',
    'normal',
    'max ms',
    'normal',
    'bad beside',
    'left',
    'gone after',
    'KiB more',
  ]
  const rows = Object.entries(results).map(([kind, row]) => [
    kind,
    `${row.abused.served}`,
    `${row.abused.median}`,
    `${row.normal.median}`,
    `${row.abused.p99}`,
    `${row.normal.p99}`,
    `${row.abused.max}`,
    `${row.normal.max}`,
    `${row.open_beside}`,
    `${row.open_after}`,
    `${row.gone_after} s`,
    `${Math.round((row.memory_after - row.memory_before) / 1024)}`,
  ])
  return `Abuse: ${size.connections} good ones among ${size.connections} that stall, ${size.connections} that drip and ${size.connections} that send random bytes; deadline ${size.deadline} ms\n${table([heads, ...rows])}`
}

export function promiseTable(promises: readonly Promised[]): string {
  const rows = promises.map(({ what, got, met, gates }) => [
    met ? 'met' : gates ? 'FAILED' : 'missed',
    `${what}: ${got}`,
  ])
  return rows.map(([state, text]) => `${state?.padEnd(6)}  ${text}`).join('\n')
}
