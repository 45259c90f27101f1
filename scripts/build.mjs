/*
 * `npm run build`: compiles the library and the programs around it, and bundles what browsers load. With `--if-needed` it does
 * nothing unless a source is newer than the last build.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist', '.built')
/** The workspaces that are programs, each with a tsconfig.json of its own. */
const programs = ['gateway', 'probe']
const sources = ['lib', ...programs.flatMap((name) => [`${name}/lib`, `${name}/tsconfig.json`])]
const settings = ['package.json', 'tsconfig.json', 'tsconfig.js.json', 'scripts/build.mjs']

/** When something below a path was last changed, in milliseconds. */
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

function tsc(...args) {
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), args, { cwd: root, stdio: 'inherit' })
}

/** One file that imports nothing: `lib/element/buffer.ts` takes the place of the package `buffer`. */
async function bundle(entryPoints, outdir) {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outbase: 'lib',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    alias: { buffer: './lib/element/buffer.ts' },
    logLevel: 'warning',
  })
}

if (process.argv.includes('--if-needed') && isBuilt()) process.exit()
for (const folder of ['.', ...programs]) rmSync(join(root, folder, 'dist'), { recursive: true, force: true })
try {
  tsc('-p', '.', '--emitDeclarationOnly')
  tsc('-p', 'tsconfig.js.json')
  await bundle(['lib/element/mqtt-explain.ts'], 'dist')
  await bundle(['lib/packets/index.ts', 'lib/explain/index.ts', 'lib/testing/index.ts'], 'dist/browser')
  for (const program of programs) tsc('-p', program)
} catch (error) {
  // The compiler has said what is wrong.
  process.exit(error.status ?? 1)
}
writeFileSync(stamp, '')
