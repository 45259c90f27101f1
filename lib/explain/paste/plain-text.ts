/** A byte order mark, the colors of a terminal, and the sequence that grep writes after each. */
const INVISIBLE = /^\uFEFF|(?<!\r)(?!\s)\p{Cc}\[[\d;]*[mK]/gu

/** A text in which LF is the only end of a line, without what a terminal doesn't show. */
export function withoutInvisible(text: string): string {
  return withLines(text.replace(INVISIBLE, ''))
}

/** The CR at an end of a line. Some programs print several, or print it behind the LF. */
const WITH_LF = /(?<!\r)\r+(?=\n)|(?<=\n)\r+/g

/**
 * A text in which LF is the only end of a line, because a dot in a regular expression stops at any. Each character stays at its index, so
 * others become blanks.
 */
function withLines(text: string): string {
  return text.replace(WITH_LF, blanks).replace(/[\r\u2028\u2029]/g, '\n')
}

/** The numbers of the columns, which PowerShell's Format-Hex, HxD and radare2 print above a dump. */
const COLUMNS =
  /^(?:offset\(\w\))?\s*00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f(?:\s|$)|^- offset -\s(?:\s{0,3}[\da-f]){16,32}\s+[\da-f]{16}$/i
const AROUND_COLUMNS = /^(?:(?:label|path):.*|offset bytes\s.*|\[0x[\da-f]+\]> p\w .*|[- ]*)$/i
/** The maximum number of lines above the columns. */
const MOST_ABOVE = 8
const LONGEST_HEADING = 300
/** The offset of the first row below the columns. */
const OFFSET_BELOW = /^[\s-]*(?:0x)?0{8,16}h?:?\s/

/** A line of PowerShell 7: one space is between its bytes and their text, in which some characters stand for several bytes. */
const POWERSHELL_LINE = /(?<=^[\da-f]{16} .{47}) .{1,16}\s*$/gim

/** Replaces such a heading with blanks, so that each character stays at its index. */
function withoutHeading(text: string): string {
  let end = 0
  for (const line of text.split('\n', MOST_ABOVE)) {
    const content = line.slice(0, LONGEST_HEADING).trim()
    if (COLUMNS.test(content)) {
      const heading = text.slice(0, end + line.length)
      if (!OFFSET_BELOW.test(text.slice(heading.length, heading.length + LONGEST_HEADING))) return text
      const rest = text.slice(heading.length).replace(/^\n\s*-+ -+ -+\s*\n/, blanks)
      const lines = rest.split('\n').filter((row) => row.trim() !== '')
      const texts = /\soffset bytes\s/i.test(heading) ? (rest.match(POWERSHELL_LINE) ?? []) : []
      // A line without its text may have lost bytes, too.
      return blanks(heading) + (texts.length === lines.length ? rest.replace(POWERSHELL_LINE, blanks) : rest)
    }
    if (!AROUND_COLUMNS.test(content)) return text
    end += line.length + 1
  }
  return text
}

/** The lines and columns of the table in which Netty shows bytes. */
const TABLE_LINE = /^ *(?:\+-[-+]+\+|\|(?: {1,2}[\da-f]){16} \|) *$/gim
/** `READ: 4B`: 4 bytes, not 0x4b. */
const TABLE_SIZE = /(?<=(?:READ|WRITE): )\d+B$/gm
const TABLE_OFFSET = /^\|([\da-f]{8})\| (?=[\da-f]{2} )/gim

/** Makes a dump with offsets of such a table, in which each character stays at its index. */
function withoutTable(text: string): string {
  const rows = text.replace(TABLE_OFFSET, ' $1  ')
  return rows === text ? text : rows.replace(TABLE_LINE, blanks).replace(TABLE_SIZE, blanks)
}

/** Blanks for a text. Line breaks stay. */
function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** Markdown's inline code: one line between backticks. */
const INLINE_CODE = /^(\s*)`([^`\n]+)`(\s*)$/

/**
 * A text without what programs print around a dump: the numbers of the columns, the lines of a table, or the backticks of Markdown's inline
 * code. Each character stays at its index.
 */
export function withoutFrame(text: string): string {
  return withoutHeading(withoutTable(text.replace(INLINE_CODE, '$1 $2 $3')))
}

/** The index in a pasted text of a character in the text without invisible characters. */
export function positionIn(pasted: string, position: number): number {
  let at = position
  for (const { index, 0: removed } of pasted.matchAll(INVISIBLE)) if (index <= at) at += removed.length
  return at
}
