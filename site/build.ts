import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildPlayground } from '../playground/build.ts'
import { withDiagrams } from './diagrams.ts'
import { PLAYGROUND } from './documents.ts'
import { siteOf } from './pages.ts'

/*
 * `npm run site [-- DIRECTORY]`: writes the documents as pages, adds the playground, and lets VitePress make a site of them.
 */

const here = import.meta.dirname
const root = join(here, '..')
/** What VitePress reads. */
const generated = join(here, 'generated')
const publicFiles = join(generated, 'public')

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const directory = resolve(process.argv[2] ?? join(here, 'dist'))
// VitePress and what it needs are not installed with the project, because they are as much as all else.
if (!existsSync(join(here, 'node_modules'))) run('npm', 'ci', '--ignore-scripts')
rmSync(generated, { recursive: true, force: true })
const { pages, files } = siteOf((file) => readFileSync(join(root, file), 'utf8'))
for (const { path, markdown } of pages) {
  const text = await withDiagrams(markdown, path, (file, svg) => write(join(publicFiles, file), svg))
  write(join(generated, `${path}.md`), text)
}
for (const file of files) cpSync(join(root, file), join(publicFiles, file))
await buildPlayground(join(publicFiles, dirname(PLAYGROUND)))
run(
  process.execPath,
  join('node_modules', 'vitepress', 'bin', 'vitepress.js'),
  'build',
  '--outDir',
  directory,
)
// VitePress's page needs files beside it, but a server shows it at any depth.
cpSync(join(here, 'not-found.html'), join(directory, '404.html'))
console.log(`The site is in ${directory}, and works from any path.`)
