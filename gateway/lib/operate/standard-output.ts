import { fstatSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'

/** How much of the log may wait to be written, in bytes. */
const MOST_WAITING = 16 * 1024 * 1024

/** Standard output. If it can't be written, as on a full disk or while nobody reads, lines are lost, and the gateway goes on. */
export function standardOutput(): DestinationStream {
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
function pipe(): DestinationStream {
  const { stdout } = process
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  return {
    write(line: string) {
      if (stdout.writableLength < MOST_WAITING) stdout.write(line)
    },
  }
}

/** The reader has left. Another one may come. */
function ignore(): void {}

function file(): DestinationStream {
  const sink = pino.destination({ fd: 1, sync: false, minLength: 0, maxLength: MOST_WAITING })
  sink.on('error', () => {
    // At the end of the process it would try again for ever.
    sink.flushSync = () => {}
  })
  return sink
}
