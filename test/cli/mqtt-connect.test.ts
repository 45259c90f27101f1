import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { R3 } from '../support/reference.ts'
import { cli, root } from './support.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('mqtt-connect', function () {
  this.timeout(60_000)

  it('prints help for itself and for each command: examples, no line over 100 columns, exit code 0', async () => {
    for (const args of [['--help'], ['-h'], ['explain', '--help'], ['encode', '-h']]) {
      const { code, stdout, stderr } = await cli(args)
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.include('Examples\n  ').and.to.include('\n  mqtt-connect ')
      for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(100)
    }
  })

  it('runs the examples of its help', async () => {
    const helps = await Promise.all(
      [['--help'], ['explain', '--help'], ['encode', '--help']].map((args) => cli(args)),
    )
    const examples = helps.flatMap(({ stdout }) => stdout.split('Examples\n')[1]!.trim().split('\n'))
    expect(examples).to.have.length.above(6)
    for (const example of examples) {
      // What needs a file or another tool is run by the tests of its own.
      if (/[|>]|--file|--help/.test(example)) continue
      const { code, stderr } = await cli(example.trim().split(' ').slice(1))
      expect([code, stderr], example).to.deep.equal([0, ''])
    }
  })

  it('prints the version of the package', async () => {
    for (const option of ['--version', '-v']) {
      expect(await cli([option])).to.include({ code: 0, stdout: `${manifest.version}\n` })
    }
  })

  it('tells misuse in one line, exit code 2', async () => {
    const cases = [
      [[], 'a command is missing: explain or encode'],
      [['decode'], "there is no command 'decode'"],
      [['de\ncode'], "there is no command 'de\\ncode'"],
      [['toString'], "there is no command 'toString'"],
      [['--explain'], "Unknown option '--explain'"],
      [['explain', '--hex', '10'], "Unknown option '--hex'"],
      [['explain', '--allow', '--json'], "Option '--allow' argument is ambiguous"],
    ] as const
    const check = async ([args, told]: readonly [readonly string[], string]) => {
      const { code, stdout, stderr } = await cli(args)
      expect([code, stdout], stderr).to.deep.equal([2, ''])
      expect(stderr)
        .to.equal(`mqtt-connect: ${stderr.slice(14, -1)}\n`)
        .and.to.include(told)
      expect(stderr.trim()).not.to.include('\n')
    }
    await Promise.all(cases.map(check))
  })

  it('ends quietly when the reader of its output goes', async () => {
    const child = spawn(
      process.execPath,
      ['--import', './test/support/strip-types.mjs', 'lib/cli/mqtt-connect.ts', 'explain', R3],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout.destroy()
    expect(await once(child, 'close')).to.deep.equal([0, null])
    expect(stderr).to.equal('')
  })

  it('is what package.json names as bin: a script of Node', () => {
    expect(manifest.bin).to.deep.equal({ 'mqtt-connect': 'dist/cli/mqtt-connect.js' })
    const source = readFileSync(join(root, 'lib/cli/mqtt-connect.ts'), 'utf8')
    expect(source.split('\n')[0]).to.equal('#!/usr/bin/env node')
    expect(manifest.exports['./explain'].default).to.equal('./dist/explain/index.js')
  })
})
