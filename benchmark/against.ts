/*
 * `npm run bench -- --against COMMIT`: times this library beside the one of an earlier commit, which is built in a temporary folder.
 * Both take turns, each measurement in a process of its own.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machine, median } from './report.ts'

/** Target per subject: our time divided by the earlier commit's. */
const targets: Readonly<Record<string, number>> = {
  'decode R3': 1.1,
  'decode R5': 1.1,
  'read R3': 1.1,
  'read R5': 1.1,
  'encode R3': 1.3,
  'encode R5': 1.3,
}
/** Targets within this library: time with these options divided by the time of `decode` without options. */
const beside: Readonly<Record<string, number>> = { 'options R5': 1.15, 'alias R5': 1.05 }

const root = join(import.meta.dirname, '..')
const loader = join(root, 'test', 'support', 'strip-types.mjs')

/** Builds a commit and returns the path of its entry point. */
function build(commit: string, folder: string): string {
  const archive = execFileSync('git', ['archive', commit, 'lib', 'package.json', 'tsconfig.json'], {
    cwd: root,
    maxBuffer: 1e9,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder, '--noCheck'], { stdio: 'inherit' })
  return join(folder, 'dist', 'index.js')
}

function nanoseconds(entry: string, key: string): number {
  const worker = join(import.meta.dirname, 'against-worker.ts')
  return Number(
    execFileSync(process.execPath, ['--import', loader, worker, entry, key], { encoding: 'utf8' }),
  )
}

/** Prints a table, and returns true if all targets are met. */
export function compareWith(commit: string, rounds: number): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'against-'))
  try {
    const ours = join(root, 'dist', 'index.js')
    const theirs = build(commit, folder)
    console.log(`${machine()}; least of ${rounds} processes each, and the median of their ratios\n`)
    let reached = true
    const line = (key: string, time: number, other: number, ratio: number, target: number): void => {
      const missed = ratio > target ? '  missed' : ''
      reached &&= missed === ''
      console.log(
        `${key.padEnd(10)} ${time.toFixed(1).padStart(8)} ns  ${other.toFixed(1).padStart(8)} ns  ${ratio.toFixed(2)}  (${target})${missed}`,
      )
    }
    const times = new Map<string, number[]>()
    for (const [key, target] of Object.entries(targets)) {
      const mine: number[] = []
      const others: number[] = []
      for (let round = 0; round < rounds; round++) {
        mine.push(nanoseconds(ours, key))
        others.push(nanoseconds(theirs, key))
      }
      times.set(key, mine)
      const ratio = median(mine.map((time, round) => time / others[round]!))
      line(key, Math.min(...mine), Math.min(...others), ratio, target)
    }
    console.log('\nbeside decode without options:')
    for (const [key, target] of Object.entries(beside)) {
      const plain = times.get(`decode ${key.split(' ')[1]}`)!
      const mine = plain.map(() => nanoseconds(ours, key))
      const ratio = median(mine.map((time, round) => time / plain[round]!))
      line(key, Math.min(...mine), Math.min(...plain), ratio, target)
    }
    return reached
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
