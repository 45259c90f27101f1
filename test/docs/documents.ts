import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '..', '..')

/** All documents, by their paths from the project's root. */
export const documents: readonly string[] = [
  '',
  'docs/',
  'benchmark/',
  'fuzz/',
  'gateway/',
  'playground/',
  'probe/',
]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}${name}`))
  .filter((path) => path.endsWith('.md'))

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** A document's code blocks in one language. */
export function blocks(document: string, language: string): string[] {
  return Array.from(
    document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')),
    ([, code]) => code!,
  )
}
