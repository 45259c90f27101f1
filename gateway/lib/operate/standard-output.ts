import { fstatSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'

/** The number of bytes of the log that may be queued. */
const MOST_WAITING = 16 * 1024 * 1024

/** Milliseconds without progress after which nobody is expected to read any more. */
const PATIENCE = 2000

export interface Output extends DestinationStream {
  /** Resolves once everything has been written, or if nobody reads. Call it before the process ends. */
  written(): Promise<void>
}

/** Standard output. If it can't be written, as on a full disk or while nobody reads, lines are lost, and the gateway goes on. */
export function standardOutput(): Output {
  return isPipe() ? pipe() : file()
}

function isPipe(): boolean {
  try {
    const stat = fstatSync(1)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    // It's closed.
    return false
  }
}

/**
 * Node writes to pipes and sockets without blocking. A thread that blocks, as the one that writes files does, would keep the process from
 * ending for as long as nobody reads.
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

/** The reader has left. Another one may come. */
function ignore(): void {}

function file(): Output {
  const sink = pino.destination({ fd: 1, sync: false, minLength: 0, maxLength: MOST_WAITING })
  sink.on('error', () => {
    // At the end of the process it would try again for ever.
    sink.flushSync = () => {}
  })
  // pino writes the rest when the process exits.
  return { write: (line) => sink.write(line), written: async () => {} }
}
