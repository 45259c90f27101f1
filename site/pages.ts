import { posix } from 'node:path'
import { PLAYGROUND, type Source, sources } from './documents.ts'
import { type Heading, headingsOf, mapLinks, withAlerts } from './markdown.ts'

/*
 * The pages of the site: the documents, with links to each other. Long documents are cut into pages.
 */

export interface Page {
  /** From the root of the site, without `.md`. */
  readonly path: string
  readonly title: string
  /** The document that the page comes from. */
  readonly file: string
  readonly markdown: string
}

export interface Site {
  readonly pages: readonly Page[]
  /** Files of the project that pages show or link to. They have the same paths in the site. */
  readonly files: readonly string[]
}

/** One page's share of a document. */
interface Part extends Omit<Page, 'markdown'> {
  readonly headings: readonly Heading[]
  readonly lines: readonly string[]
  /** The line of the document that is the first here. */
  readonly from: number
}

/** Documents that are cut at their headings, down to this level, and the folder of their pages. */
const cuts: Readonly<Record<string, { readonly level: number; readonly folder: string }>> = {
  'docs/api.md': { level: 2, folder: 'api' },
  'docs/errors.md': { level: 2, folder: 'errors' },
}

function partsOf({ file, page, title }: Source, text: string): Part[] {
  const lines = text.split('\n')
  const headings = headingsOf(text)
  const cut = cuts[file]
  const starts = headings.filter(({ level, line }) => cut !== undefined && line > 0 && level <= cut.level)
  const bounds = [0, ...starts.map(({ line }) => line), lines.length]
  return bounds.slice(0, -1).map((from, i) => {
    const start = starts[i - 1]
    const to = bounds[i + 1]!
    return {
      path: start === undefined ? page : `${cut!.folder}/${start.anchor}`,
      title: start === undefined ? title : start.text,
      file,
      headings: headings.filter(({ line }) => line >= from && line < to),
      lines: lines.slice(from, to),
      from,
    }
  })
}

/** A part's text. Its first heading becomes the title of the page, and the anchors stay those of the document. */
function textOf({ lines, headings, from }: Part): string {
  const text = [...lines]
  const top = headings[0]?.level ?? 1
  for (const { line, level, text: heading, anchor } of headings)
    text[line - from] = `${'#'.repeat(level - top + 1)} ${heading} {#${anchor}}`
  return withAlerts(text.join('\n')).trimEnd()
}

/** Whether a part is about one code of an `MqttError`. */
function isErrorCode({ file, path, headings }: Part): boolean {
  return file === 'docs/errors.md' && path !== 'errors/index' && headings[0]?.level === 2
}

/** A table of all codes, each with the first line of its page. */
function errorTable(parts: readonly Part[]): string {
  const rows = parts
    .filter(isErrorCode)
    .map(({ title, lines }) => `| [${title}](./${title}.md) | ${lines[2]?.replaceAll('|', '\\|')} |`)
  return `\n| code | meaning |\n|---|---|\n${rows.join('\n')}\n`
}

/** What only the site has. */
function extraOf(part: Part, parts: readonly Part[]): string {
  if (part.path === 'errors/index') return errorTable(parts)
  if (!isErrorCode(part)) return ''
  return `\n<a href="../${PLAYGROUND}#error=${part.title}" target="_self">Open this error in the page</a>\n`
}

/** A text that is not Markdown, as it is. */
function verbatimPage({ file, page, title }: Source, text: string): Page {
  const language = { '.ts': 'ts', '.service': 'ini' }[posix.extname(file)] ?? 'txt'
  const markdown = `${WITHOUT_OUTLINE}# ${title}\n\n\`${file}\`\n\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
  return { path: page, title, file, markdown }
}

/** For VitePress. */
const WITHOUT_OUTLINE = '---\naside: false\n---\n\n'

function matterOf({ file, headings }: Part): string {
  const isWide = sources.some((source) => source.file === file && source.isWide)
  return isWide || headings.length < 2 ? WITHOUT_OUTLINE : ''
}

/** The file that an address in a document leads to, and the anchor. */
function targetOf(file: string, address: string): readonly [target: string, anchor: string | undefined] {
  const [name = '', anchor] = address.split('#')
  return [name === '' ? file : posix.join(posix.dirname(file), name), anchor]
}

/** All pages, from the files of the project. */
export function siteOf(read: (file: string) => string): Site {
  const isDocument = ({ file }: Source) => file.endsWith('.md')
  const parts = sources.filter(isDocument).flatMap((source) => partsOf(source, read(source.file)))
  const others = sources.filter((source) => !isDocument(source))
  const files = new Set<string>()

  /** The address on a page for one in its document. */
  function addressOn({ path, file }: Part, address: string): string {
    if (/^\w+:/.test(address)) return address
    const [target, anchor] = targetOf(file, address)
    const page = sources.find((source) => source.file === target)?.page
    if (page === undefined) {
      files.add(target)
      return `/${target}`
    }
    const part = parts.find(
      (one) => one.file === target && one.headings.some((heading) => heading.anchor === anchor),
    )
    const to = part?.path ?? page
    const hash = anchor === undefined || anchor === part?.headings[0]?.anchor ? '' : `#${anchor}`
    if (to === path && hash !== '') return hash
    const relative = posix.relative(posix.dirname(path), `${to}.md`)
    return `${relative.startsWith('.') ? relative : `./${relative}`}${hash}`
  }

  const pages = parts.map((part) => {
    const text = mapLinks(
      textOf(part),
      (address) => addressOn(part, address),
      (address) => sources.find(({ file }) => file === targetOf(part.file, address)[0])?.title,
    )
    const { path, title, file } = part
    return { path, title, file, markdown: `${matterOf(part)}${text}\n${extraOf(part, parts)}` }
  })
  const verbatim = others.map((source) => verbatimPage(source, read(source.file)))
  return { pages: [...pages, ...verbatim], files: [...files].sort() }
}
