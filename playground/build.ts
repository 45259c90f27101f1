import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { minify } from 'terser'
import { errorDiagnoses } from '../lib/errors/diagnoses.ts'
import type { ErrorCode } from '../lib/errors/error-table.ts'
import { diagnose, explain } from '../lib/explain/index.ts'
import { vectors } from '../lib/testing/vectors.ts'
import { withShortStyles } from '../scripts/short-styles.mjs'
import type { ErrorExamples } from './src/error-examples.ts'
import { choiceOf, explainOptions, type VersionChoice } from './src/read-as.ts'

const here = import.meta.dirname

/**
 * For each error code the first vector that has it, of 3.1.1 if there is one. Codes that depend on the connection or on the
 * receiver's options have none.
 */
export function errorExamples(): ErrorExamples {
  const found = new Map<string, readonly [hex: string, version?: string]>()
  const newest = (version: number): number => (version === 4 ? 2 : version === 5 ? 1 : 0)
  const sorted = vectors.toSorted((a, b) => newest(b.protocolVersion) - newest(a.protocolVersion))
  for (const { code, bytes, protocolVersion, options } of sorted) {
    if (code === undefined || found.has(code) || options !== undefined || bytes.length > 200) continue
    const version = choiceOf(protocolVersion)
    const hex = bytes.toString('hex')
    if (isAbout(code, bytes, version)) found.set(code, version === '3.1.1' ? [hex] : [hex, version])
  }
  return Object.fromEntries(found)
}

/** Whether the page says of these bytes what it says of the error. */
function isAbout(code: ErrorCode, bytes: Uint8Array, version: VersionChoice): boolean {
  const options = explainOptions({ version, allow: [] })
  const { headline } = diagnose(bytes, options)
  const isSame = headline === errorDiagnoses[code].headline || code === 'protocol-name'
  return isSame && explain(bytes, options).error?.code === code
}

/** As in the library's own files for browsers. The package `buffer` would be a tenth of the page. */
const forBrowsers: Plugin = {
  name: 'for browsers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^buffer$|\/(shared-memory|unrolled)\.ts$/ }, ({ path }) => ({
      path: join(here, '..', 'lib', 'browser', `${basename(path, '.ts')}.ts`),
    }))
    // The styles of the element are in a string, which esbuild doesn't minify by itself.
    onLoad({ filter: /\/element\/styles\.ts$/ }, async ({ path }) => ({
      contents: await withShortStyles(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** Writes the page as static files, which work from any path. */
export async function buildPlayground(directory: string = join(here, 'dist')): Promise<void> {
  await mkdir(directory, { recursive: true })
  const html = await readFile(join(here, 'index.html'), 'utf8')
  await writeFile(join(directory, 'index.html'), html.replace(/\n\s+/g, '\n'))
  await build({
    absWorkingDir: here,
    entryPoints: { playground: 'src/main.ts', style: 'src/playground.css', offline: 'src/offline.ts' },
    entryNames: '[name]',
    bundle: true,
    minify: true,
    define: { ERROR_EXAMPLES: JSON.stringify(errorExamples()) },
    plugins: [forBrowsers],
    // Not a module: browsers load modules only from a server.
    format: 'iife',
    target: 'es2023',
    outdir: directory,
    logLevel: 'warning',
  })
  // Makes the compressed page 3 % smaller. A second pass would take longer, and make it larger.
  const script = join(directory, 'playground.js')
  const { code } = await minify(await readFile(script, 'utf8'), { ecma: 2020, compress: { passes: 1 } })
  await writeFile(script, code!)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildPlayground()
  console.log(`The page is in ${join(here, 'dist')}.`)
}
