import { Buffer } from 'buffer'
import { hasPackets, holdsBytes } from './held-bytes.ts'
import { type Direction, otherLines, type Part, type Readings, readingsOfParts } from './paste.ts'
import { unreadable } from './unreadable.ts'

/** The line before a block of bytes, with their direction and their position in the stream. */
const HEADER = /([<>]) \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d+ +length=(\d{1,9}) from=(\d{1,9}) to=\d+\s*$/m
/** A line of bytes. With -v, their text follows after two spaces. */
const BYTES = /^((?: [\da-f]{2})+)(?: {2}.*)?\s*$/

/** A line of socat's own log, as -d -d writes it. */
const OWN_LINE = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d socat\[\d+\] [A-Z] /

/** True if the text is the output of socat -x, with or without -v. */
export function isSocat(text: string): boolean {
  return HEADER.test(text)
}

/** The bytes that socat has forwarded. Each block contains their number and position. */
export function readSocat(text: string): Readings {
  // All lines of a quotation begin with a sign, and those of a container with its name.
  const [, margin = ''] = /^(.*?)[<>] \d{4}\//m.exec(text) ?? []
  const bareMargin = margin.trimEnd()
  const blocks: { direction: Direction; pairs: string[] }[] = []
  const sizes = { sent: 0, received: 0 }
  let missing = 0
  const others: string[] = []
  let start = 0
  for (const whole of text.split('\n')) {
    const isInside = whole.startsWith(margin) || whole === bareMargin
    const line = isInside ? whole.slice(margin.length) : whole
    const header = HEADER.exec(line)
    const [, sign, length, from] = header ?? []
    if (header !== null && header.index > 0) throw unreadable('a line is not one of socat', start)
    const [, pairs] = missing > 0 ? (BYTES.exec(line) ?? []) : []
    if (sign !== undefined) {
      const direction = sign === '>' ? 'sent' : 'received'
      if (from === '0' && sizes[direction] > 0) throw unreadable('it has more than one connection', start)
      if (missing > 0 || Number(from) !== sizes[direction])
        throw unreadable('bytes have been left out of it', start)
      missing = Number(length)
      sizes[direction] += missing
      blocks.push({ direction, pairs: [] })
    } else if (pairs !== undefined) {
      missing -= pairs.length / ' 00'.length
      if (missing < 0) throw unreadable('a line is not one of socat', start)
      blocks.at(-1)!.pairs.push(pairs)
    } else if (/^(?:-+)?\s*$/.test(line)) {
      // Between blocks.
    } else if (missing > 0 || BYTES.test(line) || / length=\d+ from=\d/.test(line) || holdsBytes(line))
      throw unreadable('a line is not one of socat', start)
    else others.push(line)
    start += whole.length + 1
  }
  if (missing > 0) throw unreadable('bytes have been left out of it')
  if (hasPackets(others.join('\n'))) throw unreadable('its other lines have packets, too')
  const parts = blocks.map(
    ({ direction, pairs }): Part => ({
      direction,
      bytes: Buffer.from(pairs.join('').replaceAll(' ', ''), 'hex'),
    }),
  )
  const ignored = ['the lines before bytes', ...otherLines(others.length)]
  return readingsOfParts(
    'lines of socat',
    parts,
    ignored,
    others.every((line) => OWN_LINE.test(line)),
  )
}
