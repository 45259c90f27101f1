/*
 * Lets Node run the TypeScript of lib and test with the types blanked out. Unlike a compiler's output the code keeps
 * its lines and columns, so that the coverage report is about what is written.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const { transformSync } = await import('@swc/wasm-typescript')
  const source = await readFile(fileURLToPath(url), 'utf8')
  return { format: 'module', source: transformSync(source, { mode: 'strip-only' }).code, shortCircuit: true }
}
