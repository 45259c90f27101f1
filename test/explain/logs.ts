import { readFileSync } from 'node:fs'
import { readDamaged } from '../../lib/explain/paste/damaged.ts'
import type { Paste } from '../../lib/explain/paste/paste.ts'

/** One text of logs.txt: its title, and the expected readings by `readPaste`, one per line. */
export interface Log {
  readonly title: string
  readonly found: readonly string[]
  readonly text: string
}

const [, ...sections] = readFileSync(new URL('logs.txt', import.meta.url), 'utf8').split(/^=== /m)

export const logs: readonly Log[] = sections.map((section) => {
  const [title = '', ...lines] = section.trimEnd().split('\n')
  const start = lines.findIndex((line) => !line.startsWith('→ '))
  return {
    title,
    found: lines.slice(0, start).map((line) => line.slice(2)),
    text: lines.slice(start).join('\n'),
  }
})

/** Describes a paste in the format of logs.txt. */
export function wordsOf(paste: Paste, text: string): string[] {
  if (paste.problem !== undefined) {
    const { problem, position } = paste
    const place = position === undefined ? '' : ` at ${position}`
    const { readings = [] } = readDamaged(text, paste) ?? {}
    const known = readings.map(
      ({ bytes, rest = [] }) => ` (${[bytes.toString('hex'), ...rest].join(' ').trim()})`,
    )
    return [`refused${place}: ${problem}${known.join('')}`]
  }
  return paste.readings.map(({ form, bytes, direction, ignored }) => {
    const rest = ignored.length === 0 ? '' : `, without ${ignored.join(' and ')}`
    return `${direction === undefined ? '' : `${direction} `}${bytes.toString('hex')} from ${form}${rest}`
  })
}
