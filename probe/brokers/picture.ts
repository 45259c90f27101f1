import type { Result } from '../lib/index.ts'
import { painter, report } from '../lib/report.ts'

/*
 * probe/report.svg, the picture in the README of the probe: the report of a real run, shortened.
 */

// Each part has a fixed position, because the reader's monospaced font is unknown. The panel is dark in both colour schemes.
const FONT_SIZE = 12
const CHARACTER = 7.25
const LINE = 17
const MARGIN = 14
const COLUMNS = 112

const GROUND = '#0d1117'
const BORDER = '#6e7681'
const TEXT = '#e6edf3'
/** Colours by ANSI code. */
const colours: Readonly<Record<string, string>> = {
  1: '#ffffff',
  2: '#9198a1',
  31: '#ffa198',
  32: '#7ee787',
  33: '#e3b341',
  35: '#d2a8ff',
}

const ESCAPE = String.fromCharCode(0x1b)

const SHOWN = 3

export function reportPicture(results: readonly Result[], seconds: number): string {
  const url = 'mqtt://127.0.0.1:1883'
  const sections = report(url, results, seconds, painter(true)).trimEnd().split('\n\n')
  const isViolation = (section: string): boolean => section.includes('violates') && section.includes('sent ')
  const violations = sections.filter(isViolation)
  const rest = sections.slice(-3)
  const more = violations.length - SHOWN
  const shown = [...violations.slice(0, SHOWN), ...(more > 0 ? [`… and ${more} more`] : []), ...rest]
  const lines = [`$ npx mqtt-connect-probe ${url} --protocol 5`, '', ...shown.join('\n\n').split('\n')]
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN)
  const height = lines.length * LINE + 2 * MARGIN
  const texts = lines.map((line, row) => lineText(line, row)).filter((text) => text !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
  <title>A report of mqtt-connect-probe</title>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${GROUND}" stroke="${BORDER}"/>
${texts.join('\n')}
</svg>
`
}

/** Draws one line of the terminal, each part in its colour. */
function lineText(line: string, row: number): string {
  let column = 0
  let colour = TEXT
  const parts: string[] = []
  const y = MARGIN + (row + 1) * LINE - 4
  for (const part of line.split(new RegExp(`(${ESCAPE}\\[\\d+m)`))) {
    const code = new RegExp(`^${ESCAPE}\\[(\\d+)m$`).exec(part)?.[1]
    if (code !== undefined) {
      colour = colours[code] ?? TEXT
      continue
    }
    const text = part.slice(0, Math.max(COLUMNS - column, 0))
    const isCut = text.length < part.length
    const shown = isCut ? `${text.slice(0, -1)}…` : text
    if (shown.trim() !== '') {
      const x = (MARGIN + column * CHARACTER).toFixed(1)
      parts.push(`<text x="${x}" y="${y}" fill="${colour}" xml:space="preserve">${escaped(shown)}</text>`)
    }
    column += part.length
  }
  return parts.join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
