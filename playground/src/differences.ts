import type { Explanation, ExplanationRow } from '../../lib/explain/index.ts'

/** One packet of a comparison. */
export interface Side {
  readonly bytes: Uint8Array
  readonly explanation: Explanation
}

/** A field of one packet, of the other, or of both. */
export interface Difference {
  readonly field: string
  readonly a: ExplanationRow | undefined
  readonly b: ExplanationRow | undefined
  readonly isSame: boolean
}

/** The fields of two packets side by side, in the order of the first packet. Length prefixes and identifiers are left out. */
export function differencesOf(a: Side, b: Side): Difference[] {
  const rowsA = keyed(a.explanation)
  const rowsB = keyed(b.explanation)
  const found: Difference[] = []
  const taken = new Set<string>()
  const add = (key: string): void => {
    if (taken.has(key)) return
    taken.add(key)
    const [one, other] = [rowsA.get(key), rowsB.get(key)]
    const isSame = one !== undefined && other !== undefined && contentOf(a, one) === contentOf(b, other)
    found.push({ field: (one ?? other)!.field, a: one, b: other, isSame })
  }
  const keysB = [...rowsB.keys()]
  let next = 0
  for (const key of rowsA.keys()) {
    const at = keysB.indexOf(key)
    // Fields that only the second packet has go before the next common field.
    if (at >= 0) while (next <= at) add(keysB[next++]!)
    add(key)
  }
  for (const key of keysB) add(key)
  return found
}

/** The rows by field, and by occurrence for fields that a packet has more than once. */
function keyed({ rows }: Explanation): Map<string, ExplanationRow> {
  const byKey = new Map<string, ExplanationRow>()
  const times = new Map<string, number>()
  for (const row of rows) {
    const { field, part } = row
    if (part === 'id' || part?.endsWith('length')) continue
    const name = `${field} ${part === 'key' ? 'key' : ''}`
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    byKey.set(`${name} ${time}`, row)
  }
  return byKey
}

function contentOf({ bytes }: Side, { offset, length }: ExplanationRow): string {
  return bytes.subarray(offset, offset + length).join()
}
