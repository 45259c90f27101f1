import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const program = fileURLToPath(new URL('runtime.mjs', import.meta.url))

/** The command of each runtime for a file that needs the network. */
const runtimes: readonly (readonly [command: string, ...args: string[]])[] = [
  ['node'],
  ['deno', 'run', '--no-remote', '--allow-net=127.0.0.1', '--allow-read', '--allow-env'],
  ['bun', 'run', '--no-install'],
]

describe('the built package in a runtime', () => {
  for (const [command, ...args] of runtimes) {
    it(`${command} reads, builds, explains, streams and answers`, async function () {
      const version = await run(command, ['--version']).catch(() => undefined)
      if (version === undefined) {
        console.log(`      skipped: ${command} is not installed`)
        this.skip()
      }
      const { stdout } = await run(command, [...args, program], { timeout: 20_000 })
      expect(stdout).to.equal('every part works\n')
    }).timeout(60_000)
  }
})
