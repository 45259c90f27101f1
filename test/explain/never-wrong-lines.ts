/*
 * Logs that have lost or gained something in one of their lines, on their way through a terminal, a chat or a web page.
 */

/** How a log may write the bytes of one line. */
const notations: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  'hex with spaces': (bytes) => bytes.map(hex).join(' '),
  'hex with colons': (bytes) => bytes.map(hex).join(':'),
  'hex without spaces': (bytes) => bytes.map(hex).join(''),
  '0x and commas': (bytes) => bytes.map((byte) => `0x${hex(byte)}`).join(', '),
  'a list': (bytes) => `[${bytes.join(', ')}]`,
  'a binary of Erlang': (bytes) => `<<${bytes.join(',')}>>`,
  'a Buffer': (bytes) => `<Buffer ${bytes.map(hex).join(' ')}>`,
  'a string': (bytes) => `"${bytes.map((byte) => `\\x${hex(byte)}`).join('')}"`,
  "Python's bytes": (bytes) => `b'${bytes.map((byte) => `\\x${hex(byte)}`).join('')}'`,
}

/** What a log may have before the bytes of each line. */
const beginnings = ['', 'TX: ', '> ', '12:34:56.789 ', 'app | ']

/**
 * What may happen to the text of a line, before which the log's beginning stays. A number more or less isn't among them, because the
 * result may be a log of other bytes.
 */
const damages: Readonly<Record<string, (body: string) => string>> = {
  'a word after it': (body) => `${body}wifi`,
  'a word before it': (body) => `wifi${body}`,
  'a word and a space before it': (body) => `wifi ${body}`,
  'a letter for a digit': (body) => body.replace(/[01](?=\D*$)/, (digit) => (digit === '0' ? 'O' : 'l')),
  'a digit that is shown as ?': (body) => body.replace(/\d(?=\D*$)/, '?'),
  'dots at its end': (body) => `${body}...`,
  'dots instead of its end': (body) => `${body.slice(0, -2)}…`,
  'dots instead of it': () => '...',
  'stars around it': (body) => `**${body}**`,
  'backticks around it': (body) => `\`${body}\``,
  'quotes around it': (body) => `"${body.replaceAll('\\', '\\\\')}"`,
  'parentheses around it': (body) => `(${body})`,
  'a tag after it': (body) => `${body}</pre>`,
  'a bar after it': (body) => `${body} | ok`,
  'a comment after it': (body) => `${body} // last`,
  'entities of HTML in it': (body) =>
    body.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll(' ', '&nbsp;'),
  'a control character in it': (body) => `\u001b[1m${body}`,
}

/** What may happen to a whole line. */
const damagesOfLines: Readonly<Record<string, (line: string, next: string) => string>> = {
  'a note on its repetition instead of it': () => 'last message repeated 2 times',
  'a mark of quotation before it': (line) => `>${line}`,
  'a letter before it': (line) => `x${line}`,
  'dots and a number instead of it': () => '... 2 lines more',
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** A damaged log with its bytes before the damage. */
export interface DamagedLog {
  readonly what: string
  readonly text: string
  readonly bytes: string
}

/** Logs of these bytes with a number of bytes in each line, with each damage in the first, the second and the last line. */
export function* damagedLogs(packet: Uint8Array, size: number): Generator<DamagedLog> {
  const chunks: number[][] = []
  for (let at = 0; at < packet.length; at += size) chunks.push([...packet.subarray(at, at + size)])
  const bytes = [...packet].map(hex).join('')
  for (const [notation, write] of Object.entries(notations)) {
    const bodies = chunks.map(write)
    for (const beginning of beginnings) {
      const lines = bodies.map((body) => beginning + body)
      for (const at of [0, 1, lines.length - 1]) {
        const where = `${notation} after "${beginning}", line ${at + 1} of ${lines.length}`
        for (const [damage, change] of Object.entries(damages)) {
          const changed = lines.with(at, beginning + change(bodies[at]!))
          yield { what: `${where}: ${damage}`, text: changed.join('\n'), bytes }
        }
        for (const [damage, change] of Object.entries(damagesOfLines)) {
          const changed = lines.with(at, change(lines[at]!, lines[at + 1] ?? ''))
          yield { what: `${where}: ${damage}`, text: changed.join('\n'), bytes }
        }
      }
    }
  }
}
