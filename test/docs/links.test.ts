import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import { manifest } from '../package/installed.ts'
import { blocks, documents, read, root } from './documents.ts'

/** The npm scripts that a document may name: the project's, and those of its own workspace. */
function scriptsFor(document: string): object {
  const own = `${posix.dirname(document)}/package.json`
  const manifests = existsSync(join(root, own)) ? ['package.json', own] : ['package.json']
  return Object.assign({}, ...manifests.map((path) => JSON.parse(read(path)).scripts))
}

function links(document: string): string[] {
  const prose = document.replaceAll(/^```.*?^```/gms, '')
  const markdown = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, address]) => address!)
  const html = Array.from(prose.matchAll(/\b(?:src|href)="([^"]+)"/g), ([, address]) => address!)
  return [...markdown, ...html]
}

/** The anchors that code hosts give to headings. Duplicates are numbered. */
function anchors(document: string): string[] {
  const prose = document.replaceAll(/^```.*?^```/gms, '')
  const all = Array.from(prose.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return all.map((anchor, i) => {
    const number = all.slice(0, i).filter((before) => before === anchor).length
    return number === 0 ? anchor : `${anchor}-${number}`
  })
}

/** True if npm packs the file: it always packs three, and what `files` lists. */
function isPacked(path: string): boolean {
  const always = ['README.md', 'LICENSE', 'package.json']
  return [...always, ...manifest.files].some((one) => path === one || path.startsWith(`${one}/`))
}

describe('links', () => {
  for (const path of documents) {
    it(`of ${path} lead to files and headings that exist, and that are in the package if it is`, () => {
      for (const link of links(read(path))) {
        if (/^https?:/.test(link)) continue
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : posix.join(posix.dirname(path), file)
        expect(existsSync(join(root, target)), link).to.equal(true)
        // npm's site takes the pictures of a README from the repository.
        if (isPacked(path) && !target.endsWith('.svg')) expect(isPacked(target), link).to.equal(true)
        if (anchor !== undefined) expect(anchors(read(target)), link).to.include(anchor)
      }
    })

    it(`of ${path} to code name files and npm scripts that exist`, () => {
      const text = read(path)
      for (const [, name] of text.matchAll(
        /`((?:lib|test|examples|benchmark|docs|fuzz|scripts|gateway|playground|probe)\/[\w./-]+)`/g,
      )) {
        // Relative to the root or, in a workspace's document, to its folder.
        const places = [root, join(root, posix.dirname(path))]
        expect(
          places.some((place) => existsSync(join(place, name!))),
          name,
        ).to.equal(true)
      }
      for (const [, script] of text.matchAll(/npm run (?:-s )?([\w:-]+)/g))
        expect(scriptsFor(path)).to.have.property(script!)
    })
  }
})

function dedented(code: string): string {
  const lines = code.split('\n')
  const indentation = Math.min(...lines.filter((line) => line !== '').map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(indentation)).join('\n')
}

/** True if the file contains this code, with any indentation. */
function hasExcerpt(file: string, code: string): boolean {
  const lines = file.split('\n')
  const count = code.split('\n').length
  return lines.some((_, i) => dedented(lines.slice(i, i + count).join('\n')) === code)
}

describe('TypeScript in documents', () => {
  // test/docs/api.test.ts runs the examples of the API, and the probe's README has an API of its own.
  for (const path of documents.filter((one) => one !== 'docs/api.md' && one !== 'probe/README.md')) {
    for (const [i, code] of blocks(read(path), 'ts').entries()) {
      it(`is an excerpt of a recipe: ${path}, block ${i + 1}`, () => {
        // The recipe that the line above the block names first.
        const above = read(path).slice(0, read(path).indexOf(code)).trimEnd().split('\n').slice(0, -1)
        const line = above.findLast((one) => one !== '') ?? ''
        const [recipe = ''] = /examples\/[\w-]+\.ts/.exec(line) ?? []
        expect(hasExcerpt(read(recipe), code.trimEnd()), recipe).to.equal(true)
      })
    }
  }
})
