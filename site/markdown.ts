/*
 * What the site has to know of Markdown: headings with the anchors that code hosts give them, and links.
 */

export interface Heading {
  /** The line that the heading is on. */
  readonly line: number
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** The lines of a document, each with whether it is in a block of code. */
function linesOf(markdown: string): { text: string; isCode: boolean }[] {
  let fence = ''
  return markdown.split('\n').map((text) => {
    const [, mark = ''] = /^ *(`{3,})/.exec(text) ?? []
    const isCode = fence !== '' || mark !== ''
    if (fence === '') fence = mark
    else if (mark === fence) fence = ''
    return { text, isCode }
  })
}

/** All headings. Equal anchors are numbered, as code hosts number them. */
export function headingsOf(markdown: string): Heading[] {
  const seen = new Map<string, number>()
  return linesOf(markdown).flatMap(({ text: whole, isCode }, line) => {
    const [, marks, text] = /^(#+) (.*)$/.exec(isCode ? '' : whole) ?? []
    if (marks === undefined || text === undefined) return []
    const plain = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(plain) ?? 0
    seen.set(plain, count + 1)
    return { line, level: marks.length, text, anchor: count === 0 ? plain : `${plain}-${count}` }
  })
}

/** The same text with each line outside of blocks of code replaced. */
function mapProse(markdown: string, replace: (line: string) => string): string {
  return linesOf(markdown)
    .map(({ text, isCode }) => (isCode ? text : replace(text)))
    .join('\n')
}

/** Code, which is left alone; the end of a link, with its text if that is the name of a document; an address in HTML. */
const link = /(`+)(?!`).*?(?<!`)\1(?!`)|(\[[\w/-]+\.md)?\]\(([^()\s]+)\)|(?<=\b(?:src|href)=")[^"]+(?=")/g

/** The same text with each address replaced, and each text of a link that is only the name of a document. */
export function mapLinks(
  markdown: string,
  replace: (address: string) => string,
  titleOf: (address: string) => string | undefined,
): string {
  return mapProse(markdown, (line) =>
    line.replaceAll(link, (found, mark?: string, name?: string, address?: string) => {
      if (mark !== undefined) return found
      if (address === undefined) return replace(found)
      const title = name === undefined ? undefined : titleOf(address)
      return `${title === undefined ? (name ?? '') : `[${title}`}](${replace(address)})`
    }),
  )
}

/** Quotations that warn as the boxes that VitePress shows. */
export function withAlerts(markdown: string): string {
  return mapProse(markdown, (line) => line.replace(/^> \*\*Warning:\*\* /, '> [!WARNING]\n> '))
}
