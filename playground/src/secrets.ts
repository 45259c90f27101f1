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

/** Bytes to give away: those that may be a secret are replaced. */
export interface Masked {
  readonly bytes: Uint8Array
  /** The number of bytes that are replaced. */
  readonly count: number
  /** True if they're still explained alike: valid, or with the same error at the same byte. */
  readonly isAlike: boolean
}

/**
 * The bytes of a packet without what may be a secret. They are read without the rules that can be relaxed, so that more than the
 * bytes up to such an error is given away: the reader of a link can relax the rule too.
 */
export function masked(bytes: Uint8Array, as: ReadAs): Masked {
  const errors = errorsIn(explain(bytes, explainOptions(as)))
  const hidden = hiddenIndices(readWithoutRules(bytes, as))
  const filled = (fill: number): Uint8Array => bytes.map((byte, i) => (hidden.has(i) ? fill : byte))
  // After some errors lengths are hidden too. Another filling may leave the error what it is.
  for (const fill of [STAR, 0x00, 0xff, 0x01]) {
    const isAlike = errorsIn(explain(filled(fill), explainOptions(as))) === errors
    if (isAlike) return { bytes: filled(fill), count: hidden.size, isAlike }
  }
  return { bytes: filled(STAR), count: hidden.size, isAlike: false }
}

/** The errors of all packets, to be compared. */
function errorsIn({ packets }: Explanation): string {
  return packets.map(({ error }) => `${error?.code} ${error?.offset}`).join()
}

const TOKEN = /^(?:[\da-f]{2}|\*\*)$/i

/** Hex with `**` for each hidden byte. */
export function maskedHex(bytes: Uint8Array, hidden: ReadonlySet<number>): string {
  return Array.from(bytes, (byte, i) => (hidden.has(i) ? '**' : byte.toString(16).padStart(2, '0'))).join(' ')
}

/** The bytes of such hex, `undefined` if it is another text. The hidden bytes come back in their order. */
export function bytesOfMaskedHex(text: string, hidden: readonly number[]): Uint8Array | undefined {
  const tokens = text.trim().split(/\s+/)
  if (!tokens.includes('**') || !tokens.every((token) => TOKEN.test(token))) return undefined
  let next = 0
  return Uint8Array.from(tokens, (token) =>
    token === '**' ? (hidden[next++] ?? STAR) : Number.parseInt(token, 16),
  )
}

/**
 * The streams of a text that the page has written: one of such hex, or a line for each direction that begins with `>` or `<`.
 * `undefined` if it is another text by now, or has no stars.
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
