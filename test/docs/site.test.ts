import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import { errorTable } from '../../lib/errors/error-table.ts'
import { apiSections } from '../../scripts/api-document.ts'
import { PLAYGROUND, sources } from '../../site/documents.ts'
import { headingsOf, mapLinks, withAlerts } from '../../site/markdown.ts'
import { type Item, sidebarsOf, topItems } from '../../site/navigation.ts'
import { type Page, siteOf } from '../../site/pages.ts'
import { documents, read, root } from './documents.ts'

const { pages, files } = siteOf(read)
const paths = pages.map(({ path }) => path)
const sidebars = sidebarsOf(pages)

/** The pages linked in a list of the navigation. */
function linked(items: readonly Item[]): string[] {
  return items.flatMap(({ link, target, items: inner = [] }) => [
    ...(link === undefined || target !== undefined ? [] : [link.slice(1).replace(/(^|\/)$/, '$1index')]),
    ...linked(inner),
  ])
}

/** The links outside code blocks, found by a simpler method than the site's. */
function addresses(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return Array.from(
    prose.matchAll(/\]\(([^)]*)\)|\b(?:src|href)="([^"]*)"/g),
    ([, inText, inHtml]) => inText ?? inHtml!,
  )
}

function anchorsOf({ markdown }: Page): string[] {
  return Array.from(markdown.matchAll(/^#+ .* \{#(\S+)\}$/gm), ([, anchor]) => anchor!)
}

describe('the site', () => {
  it('has each document once, in its navigation', () => {
    const shown = sources.map(({ file }) => file)
    expect(shown.filter((file) => file.endsWith('.md'))).to.have.members(documents)
    expect(new Set(shown)).to.have.lengthOf(shown.length)
    expect(linked(sidebars['/']!)).to.include.members(sources.map(({ page }) => page))
  })

  it('has each recipe', () => {
    const named = Array.from(read('README.md').matchAll(/\]\((examples\/.*?)\)/g), ([, file]) => file)
    expect(sources.map(({ file }) => file)).to.include.members(named)
  })

  it('has each page in its navigation, and nothing else', () => {
    expect(new Set(paths)).to.have.lengthOf(paths.length)
    expect(linked(Object.values(sidebars).flat())).to.include.members(paths)
    expect(paths).to.include.members([...linked(Object.values(sidebars).flat()), ...linked(topItems)])
  })

  it('has a page for each code of an error, which the page opens, and for each section of the API', () => {
    for (const code of Object.keys(errorTable)) {
      const { markdown } = pages.find(({ path }) => path === `errors/${code}`)!
      expect(markdown).to.include(`# ${code} {#${code}}\n`)
      expect(markdown).to.include(`href="../${PLAYGROUND}#error=${code}"`)
    }
    for (const { title, entries } of apiSections()) {
      const page = pages.find((one) => one.path.startsWith('api/') && one.title === title)!
      expect(anchorsOf(page)).to.have.lengthOf(entries.length + 1)
    }
  })

  it('loses no heading and no line of a document that it cuts', () => {
    for (const file of ['docs/api.md', 'docs/errors.md']) {
      const own = pages.filter((page) => page.file === file)
      const anchors = headingsOf(read(file)).map(({ anchor }) => anchor)
      expect(own.flatMap(anchorsOf)).to.deep.equal(anchors)
      const prose = read(file)
        .split('\n')
        .filter((line) => line !== '' && !/^#|\]\(|Warning:/.test(line))
      const shown = new Set(own.flatMap(({ markdown }) => markdown.split('\n')))
      expect(prose.filter((line) => !shown.has(line))).to.deep.equal([])
    }
  })

  for (const page of pages.filter(({ file }) => file.endsWith('.md')))
    it(`has only links that lead somewhere: ${page.path}`, () => {
      for (const address of addresses(page.markdown)) {
        if (/^https?:/.test(address)) continue
        const [file = '', anchor] = address.split('#')
        const target = file === '' ? `${page.path}.md` : posix.join(posix.dirname(page.path), file)
        if (target === PLAYGROUND) continue
        if (address.startsWith('/')) {
          expect(files).to.include(address.slice(1))
          continue
        }
        const found = pages.find(({ path }) => `${path}.md` === target)
        expect(found, address).not.to.equal(undefined)
        if (anchor !== undefined) expect(anchorsOf(found!), address).to.include(anchor)
      }
    })

  it("copies only files that a browser shows or saves, and that VitePress doesn't treat as pages", () => {
    for (const file of files) {
      expect(existsSync(join(root, file)), file).to.equal(true)
      expect(file).to.match(/\.(svg|json)$/)
    }
  })

  it('replaces addresses, names of documents, and nothing in code', () => {
    const text = [
      'See [a.md](a.md), [a text that',
      'goes on](a.md#b) and `[code](a.md)` ![p](p.svg) <img src="q.svg">',
      '```md',
      '[code](a.md)',
      '```',
    ].join('\n')
    const mapped = mapLinks(
      text,
      (address) => `<${address}>`,
      () => 'Title',
    )
    expect(mapped.split('\n')).to.deep.equal([
      'See [Title](<a.md>), [a text that',
      'goes on](<a.md#b>) and `[code](a.md)` ![p](<p.svg>) <img src="<q.svg>">',
      '```md',
      '[code](a.md)',
      '```',
    ])
  })

  it('shows warnings as warnings', () => {
    expect(withAlerts('> **Warning:** Stop.')).to.equal('> [!WARNING]\n> Stop.')
    expect(pages.filter(({ markdown }) => markdown.includes('> [!WARNING]')).length).to.be.above(1)
  })
})
