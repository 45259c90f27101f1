import { groups, PLAYGROUND, type Source } from './documents.ts'
import type { Page } from './pages.ts'

/*
 * The navigation of the site, in the shape that VitePress takes.
 */

export interface Item {
  readonly text: string
  readonly link?: string
  readonly target?: string
  readonly collapsed?: boolean
  readonly items?: Item[]
}

function linkTo(path: string): string {
  return `/${path.replace(/(^|\/)index$/, '$1')}`
}

function itemOf({ file, page, title }: Source, pages: readonly Page[]): Item {
  const own = { text: title, link: linkTo(page) }
  const parts = pages.filter((one) => one.file === file && one.path !== page)
  // The codes of errors have a sidebar of their own.
  if (parts.length === 0 || page === 'errors/index') return own
  return {
    ...own,
    collapsed: true,
    items: parts.map((part) => ({ text: part.title, link: linkTo(part.path) })),
  }
}

/** The sidebars, by the beginning of the path. */
export function sidebarsOf(pages: readonly Page[]): Record<string, Item[]> {
  const errors = pages.filter(({ path }) => path.startsWith('errors/'))
  return {
    '/errors/': [
      { text: 'All documents', link: '/' },
      {
        text: 'Errors',
        items: errors.map(({ path, title }) => ({
          text: path === 'errors/index' ? 'Overview' : title,
          link: linkTo(path),
        })),
      },
    ],
    '/': groups.map(({ title, sources }) => ({
      text: title,
      collapsed: title === 'Recipes',
      items: sources.map((source) => itemOf(source, pages)),
    })),
  }
}

export const topItems: Item[] = [
  { text: 'API', link: '/api/' },
  { text: 'Errors', link: '/errors/' },
  { text: 'Gateway', link: '/gateway/' },
  { text: 'Probe', link: '/probe/' },
  { text: 'Explain a packet', link: `/${PLAYGROUND}`, target: '_self' },
]
