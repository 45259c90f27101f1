/** The maximum width of a text in columns. A character that may be wide counts as two. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += widthOf(character)
  return columns
}

/** Characters below U+1100, the first Hangul letter, are never wide. */
function widthOf(character: string): number {
  return character.codePointAt(0)! < 0x1100 || character === '…' ? 1 : 2
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(columns - columnsOf(text))
}

/** Breaks a text into lines of at most that many columns, after a space if there is one in the second half of the line. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line: string[] = []
  let used = 0
  for (const character of text) {
    const width = widthOf(character)
    if (used + width > columns) {
      const space = line.lastIndexOf(' ') + 1
      const keep = character !== ' ' && space > line.length / 2 ? space : line.length
      lines.push(line.slice(0, keep).join('').trimEnd())
      line = line.slice(keep)
      used = columnsOf(line.join(''))
      if (character === ' ' && line.length === 0) continue
    }
    line.push(character)
    used += width
  }
  return [...lines, line.join('')]
}
