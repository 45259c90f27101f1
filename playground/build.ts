import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = import.meta.dirname

/** Writes the page as static files, which work from any path. */
export async function buildPlayground(directory: string = join(here, 'dist')): Promise<void> {
  await mkdir(directory, { recursive: true })
  await cp(join(here, 'index.html'), join(directory, 'index.html'))
  await build({
    absWorkingDir: here,
    entryPoints: { playground: 'src/main.ts', style: 'src/playground.css' },
    entryNames: '[name]',
    bundle: true,
    minify: true,
    // Not a module: browsers load modules only from a server.
    format: 'iife',
    target: 'es2023',
    outdir: directory,
    logLevel: 'warning',
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildPlayground()
  console.log(`The page is in ${join(here, 'dist')}.`)
}
