/* Runs all tests of the playground in one process, because each process starts a browser and builds the page. */
import { readdirSync } from 'node:fs'

for (const name of readdirSync(import.meta.dirname)) {
  if (name.endsWith('.test.ts')) await import(`./${name}`)
}
