/*
 * `npm test`: builds, and then runs the tests of programs and, one after the other, everything else at the same time, because programs
 * wait for much of their time. All parts run, even if one of them fails. The output of each is printed in one piece when it ends.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const rows = [['test:programs'], ['typecheck', 'lint', 'test:library']]

const failed = []

/** Runs a script of package.json. npm has put the programs of the packages into the path. */
function run(name) {
  return new Promise((resolve) => {
    const output = []
    const child = spawn(scripts[name], { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.once('close', (code) => {
      if (code !== 0) failed.push(name)
      process.stdout.write(`\n> ${name}\n> ${scripts[name]}\n\n`)
      process.stdout.write(Buffer.concat(output))
      resolve()
    })
  })
}

async function runInOrder(names) {
  for (const name of names) if (!isStopped) await run(name)
}

// A terminal and `timeout` send the signal to the children, too. What these have printed is shown once they have ended.
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopped = true))

try {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-needed'], { stdio: 'inherit' })
} catch {
  // The build has printed why.
  process.exit(1)
}
await Promise.all(rows.map(runInOrder))
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
