import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..', '..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Replaces the library's sources by the files published for browsers. */
const published: Plugin = {
  name: 'published',
  setup({ onResolve }) {
    onResolve({ filter: /\/lib\/\w+\/index\.ts$/ }, ({ path }) => ({
      path: join(root, exports[`./${path.split('/').at(-2)}`].browser),
    }))
  },
}

/** Bundles `test/package/in-browser.ts` for a browser, with the published files. */
export async function publishedInBrowser(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test', 'package', 'in-browser.ts')],
    plugins: [published],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]!.text
}
