import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { expect } from 'chai'

/** The layers from bottom to top. Layers in one row must not import each other. */
const layers = [
  ['protocol'],
  ['errors'],
  ['wire'],
  ['browser'],
  ['codec'],
  ['packets'],
  ['streams', 'explain', 'interop', 'testing'],
  ['element'],
  ['index.ts'],
  ['cli'],
]
/** The gateway's layers. A connection passes its stages in this order. */
const gatewayLayers = [
  ['settings', 'embedded'],
  ['listen'],
  ['limit'],
  ['authenticate'],
  ['rewrite'],
  ['route'],
  ['connection'],
  ['operate'],
  ['main.ts'],
]
const LONGEST_FILE = 400

/** Each file's text by its path, starting with the directory's name. */
type Sources = ReadonlyMap<string, string>

function sourcesOf(directory: string): Sources {
  const root = new URL(`../${directory}/`, import.meta.url)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const files = names.map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.ts'))
  return new Map(files.map((name) => [`${directory}/${name}`, readFileSync(new URL(name, root), 'utf8')]))
}

/** Everything that a file imports or re-exports, types included: paths for files, names for packages. */
function importsOf(path: string, source: string): string[] {
  const pattern = /\bfrom\s*(['"])([^'"\n]+)\1|\b(?:import|require)\s*\(?\s*(['"])([^'"\n]+)\3/g
  const specifiers = [...source.matchAll(pattern)].map((match) => (match[2] ?? match[4])!)
  return specifiers.map((one) => (one.startsWith('.') ? posix.join(posix.dirname(path), one) : one))
}

/** The import cycles, each as the list of its paths. */
function cycles(sources: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path) || !sources.has(path)) return
    for (const target of importsOf(path, sources.get(path)!)) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return found
}

const layerOf = (path: string): string => path.split('/')[1]!
const rankOf = (path: string): number => layers.findIndex((row) => row.includes(layerOf(path)))

/** The reason why a file of lib must not import the target, or `undefined` if it may. */
function objection(path: string, target: string): string | undefined {
  const layer = layerOf(path)
  if (target.startsWith('lib/')) {
    const versions = [path, target].map((file) => /^lib\/packets\/\w+\/(v\w+)\.ts$/.exec(file)?.[1])
    if (versions[0] && versions[1] && versions[0] !== versions[1]) return 'another version'
    return layerOf(target) === layer || rankOf(target) < rankOf(path) ? undefined : 'not further down'
  }
  if (/^(readable-stream|bl)\b/.test(target)) return layer === 'streams' ? undefined : 'a stream dependency'
  // Bundlers for browsers can replace only the bare name `buffer`.
  if (target === 'buffer') return undefined
  const isNode = target.startsWith('node:') || isBuiltin(target)
  return isNode && (layer === 'streams' || layer === 'cli') ? undefined : 'a module from outside'
}

/** The only files that may name a version: those of a single version, and the objects of all versions. */
const ownFile = /^lib\/(protocol\/version|packets(\/\w+)?\/v\w+)\.ts$/
const aVersion = `(?:'v|ProtocolVersion\\.v|(?:v3_1|v3_1_1|v5|0x8[345]|[345])\\b)`
const comparison = new RegExp(
  `\\b(?:version|protocolVersion|level|protocolLevel)(?:\\??\\.\\w+)?\\s*(?:[=!]==?|[<>]=?)\\s*${aVersion}` +
    `|\\bcase ProtocolVersion\\.|ProtocolVersion\\.v\\w+\\s*(?:[=!]==?|[<>])`,
  'g',
)

describe('the layout', () => {
  const lib = sourcesOf('lib')
  const gateway = sourcesOf('gateway/lib')

  it('has imports that point downwards, and stream and Node dependencies in their layers only', () => {
    const found: string[] = []
    let imports = 0
    for (const [path, source] of lib) {
      if (rankOf(path) < 0) found.push(`${path} is in no layer`)
      for (const target of importsOf(path, source)) {
        imports++
        const why = objection(path, target)
        if (why !== undefined) found.push(`${path} imports ${target}: ${why}`)
      }
    }
    expect(found).to.deep.equal([])
    expect(imports).to.be.greaterThan(200)
    expect(objection('lib/wire/a.ts', 'lib/packets/b.ts')).to.equal('not further down')
  })

  it('has imports in the gateway that point from later stages to earlier ones', () => {
    const rank = (path: string) => gatewayLayers.findIndex((row) => row.includes(path.split('/')[2]!))
    const found: string[] = []
    let imports = 0
    for (const [path, source] of gateway) {
      if (rank(path) < 0) found.push(`${path} is in no stage`)
      for (const target of importsOf(path, source)) {
        if (!target.startsWith('gateway/') && !target.startsWith('lib/')) continue
        imports++
        const isOwn = target.split('/')[2] === path.split('/')[2]
        if (!isOwn && (rank(target) < 0 || rank(target) >= rank(path)))
          found.push(`${path} imports ${target}`)
      }
    }
    expect(found).to.deep.equal([])
    expect(imports).to.be.greaterThan(100)
  })

  for (const directory of ['lib', 'benchmark', 'gateway/lib']) {
    it(`has no cycle of imports in ${directory}`, () => {
      expect(cycles(sourcesOf(directory))).to.deep.equal([])
    })
  }

  it('would show a cycle of imports', () => {
    const sources = ['lib/a.ts', 'lib/b.ts', 'lib/c.ts'].map((path, i) => [path, `import './${'bca'[i]}.ts'`])
    expect(cycles(new Map(sources as [string, string][]))).to.deep.equal([
      'lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts',
    ])
  })

  it('compares with a protocol version only where that version is defined', () => {
    const withoutComments = (source: string) => source.replace(/\/\*.*?\*\/|\/\/.*?$/gms, '')
    const found = Array.from(lib, ([path, source]) => [path, withoutComments(source).match(comparison)])
    expect(found.filter(([path, matches]) => matches && !ownFile.test(`${path}`))).to.deep.equal([])
    for (const line of [
      'if (version === v5)',
      'level >= 5',
      "version.name === 'v3_1'",
      'case ProtocolVersion.v5:',
    ]) {
      expect(line, line).to.match(new RegExp(comparison))
    }
  })

  it(`has no file of more than ${LONGEST_FILE} lines, except for tables that a script writes`, () => {
    const more = ['gateway/test', 'gateway/cluster', 'gateway/benchmark'].flatMap((folder) => [
      ...sourcesOf(folder),
    ])
    const byHand = [...lib, ...gateway, ...more].filter(
      ([, source]) => !source.includes('`npm run docs` writes this file'),
    )
    const lengths = Array.from(byHand, ([path, source]) => ({ path, lines: source.split('\n').length - 1 }))
    expect(lengths.filter(({ lines }) => lines > LONGEST_FILE)).to.deep.equal([])
  })
})
