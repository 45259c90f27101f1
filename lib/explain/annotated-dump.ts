import { copyOwn } from '../errors/misuse.ts'
import type { ExplanationBits } from './bits.ts'
import { columnsOf, padded, wrapped } from './columns.ts'
import type { FoundRows } from './read-rows.ts'
import type { ExplanationRow } from './rows.ts'
import { lastNotes, type Note, notesOn, skippedNotes } from './summary.ts'
import { words } from './value-text.ts'

const COLUMNS = 100
const GAP = '  '
const BYTES_A_LINE = 8
/** The minimum number of columns before the text of a note. */
const LABEL = 9

/** One line of the table: a mark, and the columns. */
type Line = readonly [mark: string, at: string, hex: string, field: string, value: string, clause: string]

const header: Line = ['', 'byte', 'hex', 'field', 'value', 'clause']

/** Each packet's rows as a table with the notes on the packet below it. Several packets are numbered. */
export function annotatedDump(found: FoundRows): string {
  const { packets, rest } = found
  const last = packets.at(-1)!
  const blocks = packets.flatMap((packet) => {
    const { number, start } = packet
    const title = packets.length === 1 ? [] : [`packet ${number} of ${last.number}, from byte ${start}`]
    const notes = packets.length === 1 ? [...notesOn(packet), ...lastNotes(found)] : notesOn(packet)
    const rows = rest?.field === 'notRead' && packet === last ? [...packet.rows, rest] : packet.rows
    const block = [...title, ...tableOf(rows), '', ...noteLines(notes)].join('\n').trimEnd()
    return [...noteLines(skippedNotes(packet)), block]
  })
  if (packets.length > 1) blocks.push(noteLines(lastNotes(found)).join('\n'))
  return blocks.filter((block) => block !== '').join('\n\n')
}

function tableOf(rows: readonly ExplanationRow[]): string[] {
  const lines = [header, ...rows.flatMap(linesOf)]
  const width = (column: 1 | 2 | 3 | 4 | 5): number =>
    lines.reduce((widest, line) => Math.max(widest, columnsOf(line[column])), 0)
  const [at, field, clause] = [width(1), width(3), width(5)]
  const hex = Math.min(width(2), 3 * BYTES_A_LINE - 1)
  // The remaining width for the values.
  const value = Math.min(width(4), COLUMNS - (2 + at + hex + field + clause + 4 * GAP.length))

  const text: string[] = []
  for (const [mark, offset, hexOfLine, ...rest] of lines) {
    const hexLines = wrapped(hexOfLine, hex)
    const valueLines = wrapped(rest[1], value)
    for (let i = 0; i < Math.max(hexLines.length, valueLines.length); i++) {
      const first = i === 0
      const cells = [
        `${first ? mark.padEnd(2) : GAP}${(first ? offset : '').padStart(at)}`,
        padded(hexLines.at(i) ?? '', hex),
        padded(first ? rest[0] : '', field),
        padded(valueLines.at(i) ?? '', value),
        first ? rest[2] : '',
      ]
      text.push(cells.join(GAP).trimEnd())
    }
  }
  return text
}

function noteLines(notes: readonly Note[]): string[] {
  const width = notes.reduce((widest, [label]) => Math.max(widest, label.length + GAP.length), LABEL)
  return notes.flatMap(([label, text]) =>
    wrapped(text, COLUMNS - width).map((line, i) => (i === 0 ? label : '').padEnd(width) + line),
  )
}

function linesOf(row: ExplanationRow): Line[] {
  const { offset, hex, field, part, value, clause, bits = [], fault } = copyOwn(row)
  const line: Line = [fault ? '>' : '', `${offset}`, hex, label(field, part), value, clause]
  return [line, ...bits.map((each) => bitsLine(each, Number.parseInt(hex, 16)))]
}

/** The field in words. The parts of a property are indented below it. */
function label(field: string, part: ExplanationRow['part']): string {
  if (part !== undefined && /^(will\.)?props\b/.test(field))
    return part === 'id' ? '  property' : `    ${part}`
  if (field === 'props' || field === 'will.props') return '  properties'
  const name = words(field.replace('.', ' '))
  return part === undefined ? name : `${name} ${part}`
}

/** Bits, with dots in place of all other bits: `...0 1...` */
function bitsLine({ bits, name, value, clause }: ExplanationBits, byte: number): Line {
  const [high, low = high] = bits.split('-').map(Number) as [number, number?]
  let picture = ''
  for (let bit = 7; bit >= 0; bit--) {
    picture += bit <= high && bit >= low ? (byte >> bit) & 1 : '.'
    if (bit === 4) picture += ' '
  }
  return ['', '', picture, `  ${name}`, value, clause]
}
