import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/interop.md', import.meta.url), 'utf8')

/** The rows of the table after `<!-- test: name -->` in docs/interop.md, without backticks. */
export function table(name: string): string[][] {
  const from = text.indexOf(`<!-- test: ${name} -->`)
  if (from < 0) throw new Error(`docs/interop.md has no table "${name}"`)
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
  return Array.from(text.matchAll(/^```js\n(.*?)^```/gms), ([, code]) => code!)
}
