import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import fc from 'fast-check'
import { runs } from '../support/arbitraries.ts'
import { R3 } from '../support/reference.ts'
import { cli, misuse, root } from './support.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function run(...args: string[]): ChildProcessWithoutNullStreams {
  const file = 'lib/cli/mqtt-connect-packet.ts'
  return spawn(process.execPath, ['--import', './test/support/strip-types.mjs', file, ...args], { cwd: root })
}

function exactly(line: string): RegExp {
  return new RegExp(`^${line.replace(/[^\w ]/g, '\\$&')}$`)
}

describe('mqtt-connect-packet', () => {
  it('answers a full disk with one line and exit code 2', async function () {
    if (!existsSync('/dev/full')) this.skip()
    const file = 'lib/cli/mqtt-connect-packet.ts'
    const args = ['--import', './test/support/strip-types.mjs', file]
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [...args, '--version'], {
      cwd: root,
      stdio: ['ignore', full, 'pipe'],
    })
    const [message, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    expect([code, message]).to.deep.equal([
      2,
      'mqtt-connect-packet: ENOSPC: no space left on device, write\n',
    ])
    const silent = spawn(process.execPath, [...args, 'decode'], {
      cwd: root,
      stdio: ['ignore', 'ignore', full],
    })
    expect((await once(silent, 'exit'))[0]).to.equal(2)
    closeSync(full)
  })

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
      // Skips examples that need a file or another tool. They have their own tests.
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
      [['--explain'], 'unknown option --explain: use --help, --version'],
      [['--hepl'], 'unknown option --hepl: did you mean --help?'],
      [['explain', '--protcol', '5', '10'], 'unknown option --protcol: did you mean --protocol?'],
      [['explain', '--scret=hunter2'], 'unknown option --scret: did you mean --secrets?'],
      [
        ['explain', '-x\u009b'],
        'unknown option -x: use --file, --protocol, --allow, --connection, --secrets, --json, --help',
      ],
      [['encode', '--clientid', 'a'], 'unknown option --clientid: did you mean --client-id?'],
      [['encode', '--toString'], /^unknown option --toString: use --protocol, /],
      [['explain', '--allow', '--json'], "Option '--allow' argument is ambiguous"],
    ] as const) {
      expect(await misuse(args)).to.match(typeof line === 'string' ? exactly(line) : line)
    }
  })

  it('answers with a line that no terminal acts on, whatever the arguments are', async () => {
    const control = fc.constantFrom(
      '\n',
      '\r',
      '\x1b[2J',
      '\x7f',
      '\x9b',
      '\u2028',
      '\u202e',
      '\u200f',
      '\ufeff',
      '\0',
    )
    const hostile = fc.tuple(fc.string({ maxLength: 5 }), control).map(([text, bad]) => `${text}${bad}`)
    const command = fc.constantFrom('explain', 'encode', '--', '')
    const option = fc.constantFrom(
      '',
      '--',
      '--protocol=',
      '--allow=',
      '--file=',
      '--property=',
      '--keep-alive=',
      '--property=a=',
    )
    await fc.assert(
      fc.asyncProperty(command, option, hostile, async (name, prefix, text) => {
        const { code, stderr } = await cli([name, `${prefix}${text}`])
        expect(code).to.equal(2)
        expect(stderr).to.match(/^mqtt-connect-packet: [^\p{C}\p{Zl}\p{Zp}]+\n$/u)
      }),
      { ...runs, numRuns: 300 },
    )
  })

  it('is a program: reads stdin, writes stdout, and ends with its exit code', async () => {
    const child = run('explain', '--json')
    child.stdin.end(R3.replace(/^10/, '11'))
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    expect([code, stderr]).to.deep.equal([1, ''])
    expect(JSON.parse(stdout).error.code).to.equal('fixed-header-flags')
  })

  it('ends quietly when the reader of its output goes', async () => {
    const child = run('explain', R3)
    child.stdout.destroy()
    const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([stderr, ...ended]).to.deep.equal(['', 0, null])
  })

  it('is what package.json names as bin: a script of Node', () => {
    expect(manifest.bin).to.deep.equal({ 'mqtt-connect-packet': 'dist/cli/mqtt-connect-packet.js' })
    const source = readFileSync(join(root, 'lib/cli/mqtt-connect-packet.ts'), 'utf8')
    expect(source.split('\n')[0]).to.equal('#!/usr/bin/env node')
  })
})
