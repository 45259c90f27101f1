import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { R3 } from '../support/reference.ts'
import { cli, misuse, root } from './support.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('mqtt-connect-packet', () => {
  it('prints help for itself and for each command: examples, no line over 100 columns, exit code 0', async () => {
    for (const args of [['--help'], ['-h'], ['explain', '--help'], ['encode', '-h']]) {
      const { code, stdout, stderr } = await cli(args)
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.include('Examples\n  ').and.to.include('\n  mqtt-connect-packet ')
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

  it('answers misuse with one line and exit code 2', async () => {
    for (const [args, line] of [
      [[], 'a command is missing: explain or encode'],
      [['decode'], 'unknown command decode: use explain or encode'],
      [['de\ncode'], 'unknown command "de\\ncode": use explain or encode'],
      [['toString'], 'unknown command toString: use explain or encode'],
      [['--explain'], "Unknown option '--explain'"],
      [['explain', '--hex', '10'], "Unknown option '--hex'"],
      [['explain', '--allow', '--json'], "Option '--allow' argument is ambiguous"],
    ] as const) {
      expect(await misuse(args)).to.equal(line)
    }
  })

  it('ends quietly when the reader of its output goes', async () => {
    const child = spawn(
      process.execPath,
      ['--import', './test/support/strip-types.mjs', 'lib/cli/mqtt-connect-packet.ts', 'explain', R3],
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
    expect(manifest.bin).to.deep.equal({ 'mqtt-connect-packet': 'dist/cli/mqtt-connect-packet.js' })
    const source = readFileSync(join(root, 'lib/cli/mqtt-connect-packet.ts'), 'utf8')
    expect(source.split('\n')[0]).to.equal('#!/usr/bin/env node')
  })
})
