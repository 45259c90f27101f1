import { fstatSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import sonicBoom from 'sonic-boom'

/** The maximum number of queued bytes. */
const MOST_WAITING = 16 * 1024 * 1024

/** After this many milliseconds without progress, the reader is considered gone. */
const PATIENCE = 2000

export interface Output {
  write(line: string): void
  /** Resolves once everything has been written, or if nobody reads. Call it before the process ends. */
  written(): Promise<void>
}

/** Standard output. If writing fails, as on a full disk or while nobody reads, lines are lost, and the gateway keeps running. */
export function standardOutput(): Output {
  return isPipe() ? pipe() : file()
}

/** True if several processes that write to it at the same time could break each other's lines, because a pipe takes a part of a line if it's full. */
export function isPipe(): boolean {
  try {
    const stat = fstatSync(1)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    // File descriptor 1 is closed.
    return false
  }
}

/**
 * Uses Node's non-blocking writes. A blocking thread, as for files, would keep the process from ending for as long as nobody reads.
 */
function pipe(): Output {
  const { stdout } = process
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  return {
    write(line: string) {
      if (stdout.writableLength < MOST_WAITING) stdout.write(line)
    },
    async written() {
      let left = Number.POSITIVE_INFINITY
      for (let waited = 0; stdout.writableLength > 0 && waited < PATIENCE; waited += 10) {
        if (stdout.writableLength < left) waited = 0
        left = stdout.writableLength
        await setTimeout(10)
      }
    },
  }
}

/** For errors: the reader has left, but another one may come. */
function ignore(): void {}

/** Writes in Node's background threads, because a full or slow disk must not stop the gateway. */
function file(): Output {
  const sink = new sonicBoom.SonicBoom({ fd: 1, sync: false, minLength: 0, maxLength: MOST_WAITING })
  let works = true
  sink.on('error', () => {
    works = false
  })
  process.on('exit', () => {
    // After an error, the last write would be tried again for ever.
    if (works) sink.flushSync()
  })
  return { write: (line) => void sink.write(line), written: async () => {} }
}
