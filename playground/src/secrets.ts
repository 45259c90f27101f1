import { hiddenBytes } from '../../lib/explain/hidden-bytes.ts'
import { type Explanation, explain } from '../../lib/explain/index.ts'
import type { Stream } from '../../lib/explain/streams.ts'
import { explainOptions, type ReadAs, readWithoutRules } from './read-as.ts'

/** The replacement for a hidden byte. The stars are as many as the password's bytes, so all lengths stay right. */
const STAR = 0x2a

/** The secrets that a dump shows: none, the possible ones in hex only, or all. */
export type SecretsShown = 'none' | 'bytes' | 'all'

export function setSecrets(dump: HTMLElement, secrets: SecretsShown): void {
  if (secrets === 'none') dump.removeAttribute('secrets')
  else dump.setAttribute('secrets', secrets === 'bytes' ? 'bytes' : '')
}

/** The indices of the bytes that an explanation hides. */
export function hiddenIndices({ rows }: Explanation): Set<number> {
  const indices = new Set<number>()
  for (const row of rows) {
    const isHidden = hiddenBytes(row)
    for (let i = 0; i < row.length; i++) if (isHidden(i)) indices.add(row.offset + i)
  }
  return indices
}

/** Bytes that can be shared, because possible secrets are replaced. */
export interface Masked {
  readonly bytes: Uint8Array
  /** The number of replaced bytes. */
  readonly count: number
  /** True if the explanation is still the same: valid, or with the same error at the same byte. */
  readonly isAlike: boolean
}

/**
 * The bytes of a packet without possible secrets. All rules that can be relaxed are relaxed, so the bytes after such an error can be shared
 * too: the reader of a link can relax the rule as well.
 */
export function masked(bytes: Uint8Array, as: ReadAs): Masked {
  const errors = errorsIn(explain(bytes, explainOptions(as)))
  const hidden = hiddenIndices(readWithoutRules(bytes, as))
  const filled = (fill: number): Uint8Array => bytes.map((byte, i) => (hidden.has(i) ? fill : byte))
  // After some errors, lengths are hidden too. Try different fill bytes until the error stays the same.
  for (const fill of [STAR, 0x00, 0xff, 0x01]) {
    const isAlike = errorsIn(explain(filled(fill), explainOptions(as))) === errors
    if (isAlike) return { bytes: filled(fill), count: hidden.size, isAlike }
  }
  return { bytes: filled(STAR), count: hidden.size, isAlike: false }
}

/** The errors of all packets, as a string to compare. */
function errorsIn({ packets }: Explanation): string {
  return packets.map(({ error }) => `${error?.code} ${error?.offset}`).join()
}

const TOKEN = /^(?:[\da-f]{2}|\*\*)$/i

/** Hex with `**` for each hidden byte. */
export function maskedHex(bytes: Uint8Array, hidden: ReadonlySet<number>): string {
  return Array.from(bytes, (byte, i) => (hidden.has(i) ? '**' : byte.toString(16).padStart(2, '0'))).join(' ')
}

/** Reverses `maskedHex`: fills in the hidden bytes in their order. `undefined` if the text is something else. */
export function bytesOfMaskedHex(text: string, hidden: readonly number[]): Uint8Array | undefined {
  const tokens = text.trim().split(/\s+/)
  if (!tokens.includes('**') || !tokens.every((token) => TOKEN.test(token))) return undefined
  let next = 0
  return Uint8Array.from(tokens, (token) =>
    token === '**' ? (hidden[next++] ?? STAR) : Number.parseInt(token, 16),
  )
}

/**
 * The streams of a masked text that the page has written: hex, or a line for each direction that begins with `>` or `<`. `undefined` if the
 * text has been changed, or has no stars.
 */
export function streamsOfMaskedHex(text: string, hidden: readonly number[]): Stream[] | undefined {
  const one = bytesOfMaskedHex(text, hidden)
  if (one !== undefined) return [{ bytes: one }]
  if (!text.includes('**')) return undefined
  const streams: Stream[] = []
  let used = 0
  for (const line of text.trim().split('\n')) {
    const [, sign, hex = ''] = /^([<>]) +(.*)$/.exec(line.trim()) ?? []
    const bytes = bytesOfMaskedHex(`${hex} **`, hidden.slice(used))?.subarray(0, -1)
    if (sign === undefined || bytes === undefined) return undefined
    streams.push({ from: sign === '>' ? 'client' : 'server', bytes })
    used += hex.match(/\*\*/g)?.length ?? 0
  }
  return streams
}
