import { explanationText } from '../lib/cli/explain-command.ts'
import { diagnose, explain } from '../lib/explain/index.ts'
import { v5 } from '../lib/packets/index.ts'

/* Draws docs/explain.svg, the picture at the top of the README: the output of `mqtt-connect-packet explain` for one packet. */

/** A CONNECT whose client id ends with U+0000. */
export function pictured(): Buffer {
  const { bytes } = new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 60,
    clientId: 'gw-0042?',
    userName: 'device',
    password: 's3cret',
  })
  const invalid = Buffer.from(bytes)
  invalid[invalid.indexOf('?')] = 0
  return invalid
}

export const command = 'npx mqtt-connect-packet explain --file connect.bin'

// Each column of text has a fixed position, because the reader's monospaced font is unknown. The panel is dark in both colour
// schemes.
const FONT_SIZE = 12
const CHARACTER = 7.25
const LINE = 17
const MARGIN = 14
const colours = {
  ground: '#0d1117',
  border: '#6e7681',
  text: '#e6edf3',
  dim: '#9198a1',
  hex: '#79c0ff',
  value: '#7ee787',
  error: '#ffa198',
}

/** The columns of the dump by the heading at their start, with their colours. The first one holds the error marker. */
const columns = [
  ['>', colours.error],
  ['byte', colours.dim],
  ['hex', colours.hex],
  ['field', colours.text],
  ['value', colours.value],
  ['clause', colours.dim],
] as const

export function explainPicture(): string {
  const bytes = pictured()
  const lines = explanationText(diagnose(bytes), explain(bytes)).split('\n')
  const table = lines.indexOf('') + 1
  const starts = columns.map(([name]) => Math.max(lines[table]!.indexOf(name), 0))
  const rows = lines.indexOf('', table)
  let isError = false
  const texts = [textAt(0, 0, colours.dim, '$'), textAt(0, 2, colours.text, command)]
  for (const [i, line] of lines.entries()) {
    if (i < table) {
      texts.push(textAt(i + 1, 0, i === 0 ? colours.error : colours.text, line))
      continue
    }
    if (i > rows) {
      texts.push(...summaryLine(i + 1, line))
      continue
    }
    // Long fields continue on lines without an offset.
    isError = line.startsWith('>') || (isError && line.slice(0, starts[2]).trim() === '')
    for (const [j, [, ownColour]] of columns.entries()) {
      const colour = i === table ? colours.dim : isError ? colours.error : ownColour
      texts.push(textAt(i + 1, starts[j]!, colour, line.slice(starts[j], starts[j + 1])))
    }
  }
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER + 2 * MARGIN)
  const height = (lines.length + 1) * LINE + 2 * MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
  <title>An annotated dump of a malformed MQTT CONNECT packet</title>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${colours.ground}" stroke="${colours.border}"/>
${texts.filter((text) => text !== '').join('\n')}
</svg>
`
}

/** A line below the dump: a key and its text. */
function summaryLine(row: number, line: string): string[] {
  const [, key = '', text = ''] = /^(\S*) *(.*)$/.exec(line) ?? []
  const colour = key === 'invalid' ? colours.error : key === 'answer' ? colours.value : colours.text
  return [textAt(row, 0, colours.dim, key), textAt(row, line.length - text.length, colour, text)]
}

function textAt(row: number, column: number, colour: string, text: string): string {
  const shown = text.trim()
  if (shown === '') return ''
  const x = MARGIN + (column + text.length - text.trimStart().length) * CHARACTER
  const y = MARGIN + row * LINE + FONT_SIZE
  const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `  <text x="${x.toFixed(1)}" y="${y}" fill="${colour}">${escaped}</text>`
}
