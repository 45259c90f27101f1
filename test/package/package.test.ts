import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type BuildOptions, build } from 'esbuild'
import { install, manifest, manifestOf, type Packed, pack, root, temporaryFolder } from './installed.ts'
import { importsOf, typesOf } from './resolution.ts'

/** Tests the package as users get it: the tarball, installed into a project. */
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
    for (const [path, entry] of Object.entries(manifest.exports)) {
      if (typeof entry === 'string') continue
      const own = join(installed, (entry as { default: string }).default).replace(/\.js$/, '.d.ts')
      const found = typesOf(`${manifest.name}${path.slice(1)}`, join(project, 'index.ts'))
      expect([...found], path).to.deep.equal([own])
    }
    for (const path of paths.filter((path) => path.endsWith('.d.ts'))) {
      for (const specifier of importsOf(join(installed, path)))
        expect([...typesOf(specifier, join(installed, path))], path).not.to.include(undefined)
    }
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

  it('has no script that npm would run, or warn about, during installation', () => {
    const { scripts = {} } = manifestOf(installed)
    expect(scripts).not.to.have.any.keys('preinstall', 'install', 'postinstall', 'prepare')
  })

  it('has what is built, the README and the license, but no sources, no maps and no other documents', () => {
    const documents = /^(README\.md|LICENSE|package\.json)$/
    const files = Object.values(manifest.exports)
      .flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry as Record<string, string>)))
      .map((path) => path.replace('./', ''))
    const programs = ['dist/core.js', 'dist/cli/mqtt-connect-packet.js', ...files]
    const built = paths.filter((path) => !documents.test(path) && !path.endsWith('.d.ts'))
    expect(built.sort()).to.deep.equal([...new Set(programs)].filter((path) => path.endsWith('.js')).sort())
    expect(paths).to.include.members([...files, 'README.md', 'LICENSE'])
    const mapped = paths.filter((path) =>
      /sourceMappingURL/.test(readFileSync(join(installed, path), 'utf8')),
    )
    expect(mapped).to.deep.equal([])
  })

  it('has no declarations but those that its public types need', () => {
    const declarations = paths.filter((path) => path.endsWith('.d.ts'))
    const text = declarations.map((path) => readFileSync(join(installed, path), 'utf8')).join('\n')
    for (const internal of [
      'interface Observer',
      'class Policy',
      'interface Entry',
      'errorRow',
      'class Rows',
    ])
      expect(text).not.to.contain(internal)
    for (const docstring of ['Decodes exactly one packet.', 'The client identifier'])
      expect(text).to.contain(docstring)
  })

  it('keeps the names of functions and classes, and short lines, for the traces of errors', () => {
    const code = `
      const { decode, v5 } = require('${manifest.name}')
      console.log(v5.ConnectPacket.name)
      new v5.ConnectPacket({ cleanStart: 1 })`
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--eval', code], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(stdout).to.equal('ConnectPacket\n')
    expect(stderr).to.match(/at checkBoolean .*at new ConnectPacket /s)
    for (const line of stderr.split('\n')) expect(line.length, line).to.be.below(550)
  })

  it('can be loaded under each of its sub-paths, with import and with require', () => {
    const paths = Object.keys(manifest.exports).map((path) => `${manifest.name}${path.slice(1)}`)
    /** The exported names of each sub-path. */
    const load = (how: string): Record<string, string> => {
      const code = `(async () => {
        const found = {}
        for (const path of ${JSON.stringify(paths)}) {
          const all = ${how}
          found[path] = Object.keys(all.default ?? all).filter((name) => name !== '__esModule').sort().join()
        }
        console.log(JSON.stringify(found))
      })()`
      // Silences Node 20's warnings about JSON modules and about `require()` of modules.
      const args = ['--no-warnings', '--eval', code]
      return JSON.parse(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }))
    }
    const imported = load("await import(path, path.endsWith('.json') ? { with: { type: 'json' } } : {})")
    expect(Object.keys(imported)).to.deep.equal(paths)
    for (const [path, names] of Object.entries(imported)) expect(names, path).not.to.equal('')
    expect(load('require(path)')).to.deep.equal(imported)
  })

  /** Bundles this code for a browser. */
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

  for (const name of ['packets', 'explain', 'testing']) {
    it(`has ./${name} for browsers in one file that imports nothing`, async () => {
      const { inputs } = await bundle(`export * from '${manifest.name}/${name}'`)
      const path = manifest.exports[`./${name}`] as { browser: string }
      const own = join('node_modules', manifest.name, path.browser)
      expect(inputs.filter((path) => path !== '<stdin>' && !path.endsWith(own))).to.deep.equal([])
      const text = readFileSync(join(installed, path.browser), 'utf8')
      expect(text).not.to.match(/\bimport\s*["'{*(]|\brequire\(|(?<!["'])\bfrom\s*["']/)
    })
  }

  it('has packets that a browser can run', async () => {
    const { text } = await bundle(`export * from '${manifest.name}/packets'`, {
      format: 'iife',
      globalName: 'library',
    })
    const code = `${text}
      const { v5, property, decode } = library
      const will = { topic: 't', message: 'm' }
      const props = [property.userProperty('k', 'v')]
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'ключ', password: 'p', props, will })
      const again = decode(new Uint8Array(packet.bytes))
      if (again.password.toString() !== 'p' || again.constBufferSequence().length < 10) throw new Error('not the same');
      \`\${again}\``
    expect(runInContext(code, createContext({ TextDecoder, TextEncoder }))).to.equal(
      'v5::connect{cid:ключ,ka:1,cs:1,pw:*****,will:{topic:t,message:m,qos:at_most_once,retain:no},ps:[{id:user_property,key:k,val:v}]}',
    )
  })

  describe('its size', () => {
    /** The size of this code bundled for browsers, minified and compressed. */
    async function bundledSize(code: string): Promise<number> {
      const { text } = await bundle(code, { minify: true })
      return gzipSync(text, { level: 9 }).length
    }

    it('is less than 24 KB for all of ./packets, minified and compressed', async () => {
      expect(await bundledSize(`export * from '${manifest.name}/packets'`)).to.be.below(24_000)
    })

    it('is at most 200 kB for the tarball', () => {
      expect(statSync(packed.path).size).to.be.below(200_000)
    })
  })
})

function testedTypeScript(version: string): string {
  return `test/package/types/typescript-${version}`
}
