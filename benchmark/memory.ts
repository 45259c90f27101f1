import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface MemoryResult {
  readonly bytes: number
  readonly limit: number
  readonly what: string
}

/** The subjects, each with its limit in bytes. */
export const memoryLimits = {
  'memory/idle': { limit: 1536, what: 'an idle PacketDecoder' },
  'memory/kept': { limit: 1024, what: 'an R5 kept that came out of a stream, in a 64 KiB chunk with others' },
  'memory/props': { limit: 65_536, what: 'decoding 1 MB of user properties, over its bytes' },
} as const

/** Measures each key in its own process, with `count` objects kept. */
export function measureMemory(
  keys: readonly string[],
  loader: string,
  count: number,
): Record<string, MemoryResult> {
  return Object.fromEntries(
    keys.map((key) => {
      const row = memoryLimits[key as keyof typeof memoryLimits]
      const worker = join(import.meta.dirname, 'memory-worker.ts')
      const output = execFileSync(
        process.execPath,
        ['--import', loader, '--expose-gc', worker, key, `${count}`],
        {
          encoding: 'utf8',
        },
      )
      return [key, { bytes: Number(output), ...row }]
    }),
  )
}
