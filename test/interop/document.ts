import { readFileSync } from 'node:fs'

const interop = read('interop')

function read(name: string): string {
  return readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
}

/** The rows of the table after `<!-- test: name -->` in a document, without backticks. Default: docs/interop.md. */
export function table(name: string, document?: string): string[][] {
  const text = document === undefined ? interop : read(document)
  const from = text.indexOf(`<!-- test: ${name} -->`)
  if (from < 0) throw new Error(`The document has no table "${name}"`)
  const lines = text.slice(text.indexOf('\n|', from) + 1).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(2, end).map(cells)
}

function cells(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''))
}

/** The JavaScript blocks of docs/interop.md. */
export function codeBlocks(): string[] {
  return Array.from(interop.matchAll(/^```js\n(.*?)^```/gms), ([, code]) => code!)
}
