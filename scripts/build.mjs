/*
 * `npm run build`: compiles the library and the programs around it, and bundles what browsers load. With `--if-needed` it does
 * nothing unless a source is newer than the last build.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForBrowsers, bundleForNode, bundleGateway, bundleTesting } from './bundle.mjs'
import { keepPublicDeclarations } from './public-declarations.mjs'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist', '.built')
/** The workspaces that are programs, each with a tsconfig.json of its own. */
const programs = ['gateway', 'probe']
const sources = ['lib', ...programs.flatMap((name) => [`${name}/lib`, `${name}/tsconfig.json`])]
const scripts = ['build', 'bundle', 'public-declarations'].map((name) => `scripts/${name}.mjs`)
const settings = ['package.json', 'tsconfig.json', ...scripts]

/** Entry points with shared code. */
const shared = ['index', 'packets/index', 'streams/index', 'explain/index', 'interop/mqtt-packet']
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The declarations of the entry points, as paths in `dist`. */
function typesOf(exports) {
  return Object.values(exports).flatMap(({ types }) => types?.replace('./dist/', '') ?? [])
}

/** The latest change below a path, in milliseconds. */
function changedAt(path) {
  const own = statSync(path).mtimeMs
  if (!statSync(path).isDirectory()) return own
  return Math.max(own, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

function isBuilt() {
  const results = ['dist/index.js', ...programs.map((name) => `${name}/dist`)]
  if (!existsSync(stamp) || !results.every((path) => existsSync(join(root, path)))) return false
  const last = statSync(stamp).mtimeMs
  return [...sources, ...settings].every((path) => changedAt(join(root, path)) <= last)
}

/** Runs the compiler with one thread, because several check many things twice: they need up to twice the CPU time. */
async function tsc(...args) {
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const options = { cwd: root, stdio: 'inherit' }
  const [status] = await once(spawn(compiler, [...args, '--singleThreaded'], options), 'close')
  // The compiler has printed the errors.
  if (status !== 0) process.exit(status ?? 1)
}

/** Writes the declarations of the library, compiles the probe, and checks the gateway. */
async function compile() {
  await tsc('-p', '.', '--emitDeclarationOnly')
  keepPublicDeclarations(join(root, 'dist'), typesOf(manifest.exports))
  await Promise.all([tsc('-p', 'gateway', '--noEmit'), tsc('-p', 'probe')])
}

async function bundle() {
  await bundleForNode([...shared, 'cli/mqtt-connect-packet'], 'dist')
  await bundleTesting('dist')
  await bundleForBrowsers('element/mqtt-explain', 'dist')
  await bundleForBrowsers('packets/index', 'dist/browser')
  await bundleGateway()
}

if (process.argv.includes('--if-needed') && isBuilt()) process.exit()
for (const folder of ['.', ...programs]) rmSync(join(root, folder, 'dist'), { recursive: true, force: true })
// The compiler and the bundler write different files, so they run at the same time.
await Promise.all([compile(), bundle()])
writeFileSync(stamp, '')
