import { Buffer } from 'buffer'
import { correctionOf } from '../../lib/explain/corrections.ts'
import type { PacketExplanation } from '../../lib/explain/index.ts'
import { explain } from '../../lib/explain/index.ts'
import { announce, button, copyText, create } from './dom.ts'
import type { Explained } from './explained.ts'
import { formats } from './formats.ts'
import { explainOptions, readWithoutRules } from './read-as.ts'
import { hiddenIndices } from './secrets.ts'

/** Of more bytes than this, only the beginnings and the ends are compared. */
const MOST_COMPARED = 1_000

/** The packet as the sender meant it, with the differences, if the correction is certain. */
export function correctionView(
  { stream, as }: Explained,
  { error, rows }: PacketExplanation,
  shows: boolean,
  open: (bytes: Uint8Array) => void,
): Node[] {
  const start = rows[0]?.offset ?? 0
  const all = Buffer.from(stream.bytes).subarray(start)
  const size = rows.reduce((sum, { length }) => sum + length, 0)
  const correction = correctionOf(all, size, error!, explainOptions(as).protocolVersion)
  if (correction === undefined) return []
  const before = all.subarray(0, Math.max(size, Math.min(all.length, correction.bytes.length)))
  const hiddenBefore = hiddenIndices(readWithoutRules(before, as, shows))
  const hidden = hiddenIndices(explain(correction.bytes, explainOptions(as, shows)))
  const digits = (byte: number): string => byte.toString(16).padStart(2, '0')
  const old = Array.from(before, digits)
  const corrected = Array.from(correction.bytes, digits)
  const parts: Node[] = []
  for (const { kind, from, to } of changes(old, corrected)) {
    const list = kind === 'del' ? old : corrected
    const stars = kind === 'del' ? hiddenBefore : hidden
    const text = list.slice(from, to).map((byte, i) => (stars.has(from + i) ? '**' : byte))
    const element =
      kind === 'same' ? document.createTextNode(text.join(' ')) : create(kind, {}, text.join(' '))
    parts.push(element, document.createTextNode(' '))
  }
  return [
    create(
      'div',
      { className: 'offer correction' },
      create('h3', {}, 'Corrected packet'),
      create('p', {}, `In it, ${correction.text}.`),
      create('p', {}, create('code', { className: 'difference' }, ...parts)),
      create(
        'p',
        { className: 'group' },
        button('Copy it', () => {
          const hex = formats.hex(correction.bytes.map((byte, i) => (hidden.has(i) ? 0x2a : byte)))
          void copyText(hex).then(() => announce('Copied the corrected packet, with stars for secrets.'))
        }),
        button('Explain it', () => open(correction.bytes)),
      ),
    ),
  ]
}

interface Change {
  readonly kind: 'same' | 'del' | 'ins'
  /** The indices: in the old bytes for `del`, in the new ones otherwise. */
  readonly from: number
  readonly to: number
}

/** The changes from one list to another, by their longest common subsequence. */
export function changes(old: readonly string[], next: readonly string[]): Change[] {
  const table = old.length > MOST_COMPARED || next.length > MOST_COMPARED ? undefined : lengths(old, next)
  const found: Change[] = []
  const add = (kind: Change['kind'], at: number): void => {
    const last = found.at(-1)
    if (last?.kind === kind && last.to === at) found[found.length - 1] = { ...last, to: at + 1 }
    else found.push({ kind, from: at, to: at + 1 })
  }
  let i = 0
  let j = 0
  while (i < old.length || j < next.length) {
    if (old[i] === next[j]) {
      add('same', j)
      i++
      j++
    } else if (
      j >= next.length ||
      (i < old.length && (table?.[i + 1]?.[j] ?? 0) >= (table?.[i]?.[j + 1] ?? 0))
    ) {
      add('del', i++)
    } else add('ins', j++)
  }
  return found
}

function lengths(old: readonly string[], next: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(next.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      table[i]![j] =
        old[i] === next[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
    }
  }
  return table
}
