/*
 * Lets Node run the TypeScript of lib and test by blanking out the types. Unlike a compiler's output, the code keeps its lines
 * and columns, so coverage reports refer to the source.
 *
 * The result is cached in node_modules/.cache. A test run starts some forty processes that need it, and loading the compiler
 * and blanking out the library's types would take each of them half a second.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const compiler = '@swc/wasm-typescript'
const { version } = createRequire(import.meta.url)(`${compiler}/package.json`)
const cache = new URL('../../node_modules/.cache/strip-types/', import.meta.url)

if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const source = await stripped(await readFile(fileURLToPath(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}

async function stripped(source) {
  const kept = new URL(createHash('sha256').update(version).update(source).digest('hex'), cache)
  try {
    return await readFile(kept)
  } catch {
    const { transformSync } = await import(compiler)
    const { code } = transformSync(source, { mode: 'strip-only' })
    // Another process may read the file at any time, so it's renamed only once it's complete.
    const own = new URL(`${kept}.${process.pid}`)
    await mkdir(cache, { recursive: true })
    await writeFile(own, code)
    await rename(own, kept)
    return code
  }
}
