/*
 * Lets Node run the TypeScript of lib and test by blanking out the types. Unlike a compiler's output, the code keeps its lines
 * and columns, so coverage reports refer to the source.
 *
 * The result is cached in node_modules/.cache. A test run starts some forty processes that need it, and loading the compiler
 * and blanking out the library's types would take each of them half a second.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const compiler = '@swc/wasm-typescript'
const { version } = createRequire(import.meta.url)(`${compiler}/package.json`)
const cache = new URL('../../node_modules/.cache/strip-types/', import.meta.url)

if (isMainThread) register(import.meta.url)

/**
 * Names a TypeScript file next to another one without asking Node, which looks at the files and the packages around it for each
 * import, and takes a quarter of the time of loading the library for that.
 */
export function resolve(specifier, context, nextResolve) {
  if (specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.endsWith('.ts'))
    return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
  return nextResolve(specifier, context)
}

/** Reads synchronously, because this thread has nothing else to do, and each turn through the thread pool costs more than the reading. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const source = await stripped(readFileSync(fileURLToPath(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}

async function stripped(source) {
  const kept = new URL(createHash('sha256').update(version).update(source).digest('hex'), cache)
  try {
    return readFileSync(kept)
  } catch {
    const { transformSync } = await import(compiler)
    const { code } = transformSync(source, { mode: 'strip-only' })
    // Another process may read the file at any time, so it's renamed only once it's complete.
    const own = new URL(`${kept}.${process.pid}`)
    mkdirSync(cache, { recursive: true })
    writeFileSync(own, code)
    renameSync(own, kept)
    return code
  }
}
