import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { expect } from 'chai'

/** The layers from the bottom up; those in one row may not know each other. */
const layers = [
  ['protocol'],
  ['errors'],
  ['wire'],
  ['packets'],
  ['streams', 'explain', 'interop'],
  ['index.ts'],
  ['cli'],
]
const LONGEST_FILE = 400

type Sources = ReadonlyMap<string, string>

/** The specifiers of all imports and re-exports, of types too. */
function specifiers(source: string): string[] {
  const pattern = /\bfrom\s*(['"])([^'"\n]+)\1|\b(?:import|require)\s*\(?\s*(['"])([^'"\n]+)\3/g
  return [...source.matchAll(pattern)].map((match) => (match[2] ?? match[4])!)
}

/** What breaks the layout in these sources; their paths begin below lib. */
function violations(sources: Sources): string[] {
  const found: string[] = []
  for (const [path, source] of sources) {
    const lines = source.split('\n').length - 1
    if (lines > LONGEST_FILE) found.push(`${path} has ${lines} lines`)
    if (rankOf(path) < 0) found.push(`${path} is in no layer`)
    for (const specifier of specifiers(source)) {
      const fault = specifier.startsWith('.') ? inside(path, specifier) : outside(path, specifier)
      if (fault !== undefined) found.push(`${path} imports ${specifier}: ${fault}`)
    }
  }
  return found
}

function layerOf(path: string): string {
  return path.split('/')[0]!
}

function rankOf(path: string): number {
  return layers.findIndex((row) => row.includes(layerOf(path)))
}

/** The fault of an import of another file of lib. */
function inside(path: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier)
  if (target.startsWith('..')) return 'outside lib'
  const versions = [path, target].map((file) => /^packets\/(v3_1_1|v5)\//.exec(file)?.[1])
  if (versions[0] && versions[1] && versions[0] !== versions[1]) return 'the other version'
  if (layerOf(target) === layerOf(path)) return undefined
  return rankOf(target) >= 0 && rankOf(target) < rankOf(path) ? undefined : 'not further down'
}

/** The fault of an import of a package or of a module of Node. */
function outside(path: string, specifier: string): string | undefined {
  const layer = layerOf(path)
  const name = specifier.split('/')[0]!
  if (name === 'mqtt-connect-packet') return 'the package itself'
  if (name === 'readable-stream' || name === 'bl')
    return layer === 'streams' ? undefined : 'a stream dependency'
  // `buffer` is the one name that a bundle for browsers can give to its packets.
  if (specifier === 'buffer') return undefined
  const isNode = specifier.startsWith('node:') || isBuiltin(specifier)
  return isNode && layer !== 'streams' && layer !== 'cli' ? 'a module of Node' : undefined
}

function sourcesOf(directory: URL): Sources {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return new Map(
    files.map((name) => [name.replaceAll('\\', '/'), readFileSync(new URL(name, directory), 'utf8')]),
  )
}

describe('the layout of lib', () => {
  const sources = sourcesOf(new URL('../lib/', import.meta.url))

  it('is read: all layers that exist, and their imports', () => {
    for (const path of ['protocol/limits.ts', 'wire/scan.ts', 'packets/v5/connect-packet.ts', 'index.ts']) {
      expect(sources.has(path), path).to.equal(true)
    }
    expect(specifiers(sources.get('packets/v5/connect-packet.ts')!)).to.include.members([
      'buffer',
      '../../wire/scan.ts',
      '../will.ts',
    ])
    expect(specifiers(sources.get('index.ts')!)).to.include('./streams/index.ts')
  })

  it('has imports that point down only, no stream or Node dependency in the wrong place, no long file', () => {
    expect(violations(sources)).to.deep.equal([])
  })
})

describe('the check of the layout', () => {
  const check = (path: string, source: string) => violations(new Map([[path, source]]))

  for (const [path, source] of [
    ['protocol/a.ts', "import { b } from '../errors/b.ts'"],
    ['errors/a.ts', "import type { B } from '../wire/b.ts'"],
    ['wire/a.ts', "export { b } from '../packets/b.ts'"],
    ['packets/a.ts', "import { b } from '../streams/b.ts'"],
    ['packets/a.ts', "export * from '../index.ts'"],
    ['packets/v5/a.ts', "import { b } from '../v3_1_1/b.ts'"],
    ['packets/v3_1_1/a.ts', "export * as b from '../v5/index.ts'"],
    ['streams/a.ts', "import { b } from '../explain/b.ts'"],
    ['explain/a.ts', "import { b } from '../interop/b.ts'"],
    ['interop/a.ts', "import { b } from '../streams/b.ts'"],
    ['interop/a.ts', "import { b } from '../index.ts'"],
    ['index.ts', "import { b } from './cli/b.ts'"],
    ['streams/a.ts', "import { b } from '../cli/b.ts'"],
    ['wire/a.ts', "import { b } from '../other/b.ts'"],
    ['other/a.ts', ''],
    ['cli/a.ts', "import { b } from '../../test/b.ts'"],
    ['packets/a.ts', "import { Transform } from 'readable-stream'"],
    ['explain/a.ts', "import BufferList from 'bl'"],
    ['cli/a.ts', "import BufferList from 'bl/BufferList.js'"],
    ['packets/a.ts', "import { Buffer } from 'node:buffer'"],
    ['packets/a.ts', "import type { Socket } from 'node:net'"],
    ['explain/a.ts', "import { inspect } from 'util'"],
    ['interop/a.ts', "import 'node:fs'"],
    ['wire/a.ts', "const fs = await import('node:fs')"],
    ['wire/a.ts', "const fs = require('fs')"],
    ['wire/a.ts', "type Socket = import('node:net').Socket"],
    ['explain/a.ts', "import { v5 } from 'mqtt-connect-packet'"],
    ['packets/a.ts', "import {\n  b,\n  c,\n} from\n  '../streams/b.ts'"],
    ['packets/a.ts', 'import { b } from "../streams/b.ts"'],
    ['wire/a.ts', '\n'.repeat(401)],
  ] as const) {
    it(`finds in ${path}: ${source.trim().replaceAll(/\s+/g, ' ') || 'a wrong place or length'}`, () => {
      expect(check(path, source)).to.have.lengthOf(1)
    })
  }

  for (const [path, source] of [
    ['errors/a.ts', "import { b } from '../protocol/b.ts'"],
    ['packets/a.ts', "import { b } from '../wire/b.ts'\nimport type { c } from '../protocol/c.ts'"],
    ['packets/a.ts', "import { b } from './v5/b.ts'\nexport * from './v3_1_1/index.ts'"],
    ['packets/v5/a.ts', "import { b } from '../b.ts'\nimport { c } from './c.ts'"],
    ['streams/a.ts', "import { Transform } from 'readable-stream'\nimport bl from 'bl'"],
    ['streams/a.ts', "import type { Socket } from 'node:net'\nimport { b } from '../packets/index.ts'"],
    ['explain/a.ts', "import { Buffer } from 'buffer'\nBuffer.from('../streams/b.ts')"],
    ['index.ts', "export * from './streams/index.ts'\nexport * from './explain/index.ts'"],
    [
      'cli/a.ts',
      "import { b } from '../index.ts'\nimport c from '../packets/c.ts'\nimport fs from 'node:fs'",
    ],
    ['wire/a.ts', '\n'.repeat(400)],
  ] as const) {
    it(`lets pass in ${path}: ${source.trim().replaceAll(/\s+/g, ' ') || 'a file just short enough'}`, () => {
      expect(check(path, source)).to.deep.equal([])
    })
  }
})
