import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type BuildOptions, build } from 'esbuild'
import { install, manifest, manifestOf, type Packed, pack, root, temporaryFolder } from './installed.ts'

const KIB = 1024

/** The package as its users get it: the tarball, installed into a project of its own. */
describe('the package', function () {
  this.timeout(60_000)
  const project = temporaryFolder()
  const installed = join(project, 'node_modules', manifest.name)
  let packed: Packed
  let paths: string[]

  before(() => {
    packed = pack(project)
    paths = packed.files.map(({ path }) => path)
    install(packed.path, project)
  })

  after(() => rmSync(project, { recursive: true, force: true }))

  function runs(tool: string, ...args: string[]): string {
    try {
      const program = join(root, 'node_modules', '.bin', tool)
      return execFileSync(program, args, { cwd: installed, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      return expect.fail((error as { stdout: string }).stdout)
    }
  }

  it('passes publint', () => {
    expect(runs('publint', 'run', packed.path, '--strict')).to.contain('All good!')
  })

  it('has types that resolve wherever its modules do', () => {
    runs('attw', packed.path, '--profile', 'esm-only')
  })

  it('has only exact versions, and a lockfile without download addresses', () => {
    const workspaces = ['.', 'gateway', 'probe', 'playground', ...['5.4', '5.9'].map(testedTypeScript)]
    for (const workspace of workspaces) {
      const { dependencies, devDependencies } = manifestOf(join(root, workspace))
      for (const version of Object.values({ ...dependencies, ...devDependencies })) {
        expect(version, workspace).to.match(/^(\d+\.\d+\.\d+|file:.*|\*)$/)
      }
    }
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.to.match(/"resolved": "\w+:/)
  })

  describe('its files', () => {
    it('are the sources, what is built from them, and the documents', () => {
      const documents =
        /^(docs\/[\w-]+\.(md|svg)|[A-Z]+\.md|examples\/[\w-]+\.ts|benchmark\/results\.svg|(benchmark|fuzz)\/README\.md|LICENSE|package\.json)$/
      const modules = paths
        .filter((path) => /^lib\/.*(?<!\.d)\.ts$/.test(path))
        .map((path) => path.slice(4, -3))
      const built = modules.flatMap((name) =>
        // The element is one file: a page can load it without a bundler.
        name.startsWith('element/')
          ? [`dist/${name}.d.ts`, `dist/${name}.d.ts.map`]
          : [`dist/${name}.js`, `dist/${name}.js.map`, `dist/${name}.d.ts`, `dist/${name}.d.ts.map`],
      )
      const expected = new Set([...built, 'dist/element/mqtt-explain.js', 'lib/streams/readable-stream.d.ts'])
      for (const name of modules) expected.add(`lib/${name}.ts`)
      expect(modules.length).to.be.greaterThan(50)
      expect(paths.filter((path) => !expected.has(path) && !documents.test(path))).to.deep.equal([])
      expect([...expected].filter((path) => !paths.includes(path))).to.deep.equal([])
      expect(paths).to.include.members(['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    })

    it('map each module and each declaration to its TypeScript', () => {
      for (const path of paths.filter((path) => path.endsWith('.map'))) {
        const { sources } = JSON.parse(readFileSync(join(installed, path), 'utf8')) as { sources: string[] }
        for (const source of sources) {
          const target = join(installed, dirname(path), source)
          expect(existsSync(target), `${path}: ${source}`).to.equal(true)
          expect(relative(installed, target)).to.match(/^lib\//)
        }
      }
    })

    it('let an editor go from a declaration to its definition', () => {
      const lines = readFileSync(join(installed, 'dist/streams/packet-decoder.d.ts'), 'utf8').split('\n')
      const line = lines.findIndex((text) => text.includes('class PacketDecoder'))
      const map = new SourceMap(
        JSON.parse(readFileSync(join(installed, 'dist/streams/packet-decoder.d.ts.map'), 'utf8')),
      )
      const entry = map.findEntry(line, lines[line]!.indexOf('PacketDecoder')) as {
        originalSource: string
        originalLine: number
      }
      const source = readFileSync(join(installed, 'dist/streams', entry.originalSource), 'utf8').split('\n')
      expect(source[entry.originalLine]).to.contain('export class PacketDecoder')
    })
  })

  it('can be loaded under each of its sub-paths, with import and with require', () => {
    const paths = Object.keys(manifest.exports).map((path) => `${manifest.name}${path.slice(1)}`)
    /** The names that each sub-path exports. */
    const load = (how: string): Record<string, string> => {
      const code = `(async () => {
        const found = {}
        for (const path of ${JSON.stringify(paths)}) {
          const all = ${how}
          found[path] = Object.keys(all.default ?? all).filter((name) => name !== '__esModule').sort().join()
        }
        console.log(JSON.stringify(found))
      })()`
      // The warnings of Node 20 about JSON modules and about require() of modules.
      const args = ['--no-warnings', '--eval', code]
      return JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }))
    }
    const imported = load("await import(path, path.endsWith('.json') ? { with: { type: 'json' } } : {})")
    expect(Object.keys(imported)).to.deep.equal(paths)
    for (const [path, names] of Object.entries(imported)) expect(names, path).not.to.equal('')
    expect(load('require(path)')).to.deep.equal(imported)
  })

  /** What a bundler makes of this code for a browser. */
  async function bundle(contents: string, options: BuildOptions = {}) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
      ...options,
    })
    return { text: outputFiles![0]!.text, inputs: Object.keys(metafile!.inputs) }
  }

  it('has packets that a browser can run with nothing but the buffer package', async () => {
    const { text, inputs } = await bundle(`export * from '${manifest.name}/packets'`, {
      format: 'iife',
      globalName: 'library',
      nodePaths: [join(root, 'node_modules')],
    })
    const foreign = inputs.filter((path) => !path.includes(`${manifest.name}/dist/`) && path !== '<stdin>')
    for (const path of foreign) expect(path).to.match(/node_modules\/(buffer|base64-js|ieee754)\//)
    const code = `${text}
      const { v5, property, decode } = library
      const will = { topic: 't', message: 'm' }
      const props = [property.userProperty('k', 'v')]
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'ключ', password: 'p', props, will })
      const again = decode(new Uint8Array(packet.bytes))
      if (again.password.toString() !== 'p' || again.constBufferSequence().length < 10) throw new Error('not the same');
      \`\${again}\``
    expect(runInContext(code, createContext({}))).to.equal(
      'v5::connect{cid:ключ,ka:1,cs:1,pw:*****,will:{topic:t,message:m,qos:at_most_once,retain:no},ps:[{id:user_property,key:k,val:v}]}',
    )
  })

  describe('its size', () => {
    /** The bytes of a bundle without `buffer`, minified and compressed. */
    async function bundledSize(code: string): Promise<number> {
      const { text } = await bundle(code, { minify: true, external: ['buffer'] })
      return gzipSync(text, { level: 9 }).length
    }

    it('is at most 20 KiB for all of ./packets, minified and compressed', async () => {
      expect(await bundledSize(`export * from '${manifest.name}/packets'`)).to.be.below(20 * KIB)
    })

    it('is at most 18 KiB for decode alone, and next to nothing for a table', async () => {
      expect(await bundledSize(`export { decode } from '${manifest.name}/packets'`)).to.be.below(18 * KIB)
      // Without `sideEffects` in package.json the bundle would contain everything.
      expect(await bundledSize(`export { ControlPacketType } from '${manifest.name}/packets'`)).to.be.below(
        KIB,
      )
    })

    it('is at most 370 KiB for the tarball: sources, maps, documents and recipes included', () => {
      expect(statSync(packed.path).size).to.be.below(370 * KIB)
    })
  })
})

function testedTypeScript(version: string): string {
  return `test/package/types/typescript-${version}`
}
