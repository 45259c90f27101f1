import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Finding, fuzzInput } from '../../fuzz/fuzzer.ts'
import { MemoryWatch } from '../../fuzz/memory.ts'
import type { Library } from '../../fuzz/outcome.ts'
import { errorTable } from '../../lib/errors/error-table.ts'
import * as library from '../../lib/index.ts'
import { brokenLibraries } from './broken.ts'

const root = join(import.meta.dirname, '..', '..')
const loader = join(root, 'test', 'support', 'strip-types.mjs')

/** What `npm run fuzz -- …` prints, and the code that it exits with. */
function run(...args: string[]): { status: number; printed: string } {
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_V8_COVERAGE: '' }, // It is not the library that is looked at here.
      stdio: ['ignore', 'pipe', 'ignore'],
    }
    const printed = execFileSync(process.execPath, ['--import', loader, 'fuzz/run.ts', ...args], options)
    return { status: 0, printed }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, printed: stdout }
  }
}

/** How long the checks of one input may take where they are not meant to take long: this machine may be busy. */
const PATIENT = 5000

describe('the fuzzer', function () {
  this.timeout(60_000)

  for (const seed of [1, 20140529]) {
    it(`finds nothing in the first inputs of seed ${seed}`, async () => {
      for (let input = 0; input < 800; input++) {
        const finding = await fuzzInput(library, seed, input, PATIENT)
        if (finding !== undefined) expect.fail(`${finding.invariant}, input ${input}: ${finding.message}`)
      }
    })
  }

  it('comes to nearly every rule', async () => {
    const seen = new Set<string>()
    const watched: Library = {
      ...library,
      bufferToPacketVariant(...args) {
        try {
          return library.bufferToPacketVariant(...args)
        } catch (error) {
          if (error instanceof library.MqttError) seen.add(error.code)
          throw error
        }
      },
    }
    for (let input = 0; input < 2000; input++) await fuzzInput(watched, 5, input, PATIENT)
    const missing = Object.keys(errorTable).filter((code) => !seen.has(code))
    // These are of connections, not of single packets.
    expect(missing).to.include.members(['connect-timeout', 'not-connect', 'second-connect'])
    expect(missing.length, `${missing}`).to.be.at.most(13)
  })

  for (const { fault, invariant, library: broken } of brokenLibraries) {
    it(`finds it if ${fault}, and again from the seed and the number`, async () => {
      const longest = invariant === 'time-is-bounded' ? 200 : PATIENT
      let finding: Finding | undefined
      for (let input = 0; finding === undefined && input < 2000; input++) {
        finding = await fuzzInput(broken, 3, input, longest)
      }
      expect(finding?.invariant, finding?.message).to.equal(invariant)
      const again = await fuzzInput(broken, 3, finding?.input as number, longest)
      expect(again?.bytes).to.deep.equal(finding?.bytes)
      expect(again?.invariant).to.equal(invariant)
    })
  }

  it('finds memory that is never given back', () => {
    const held: Buffer[] = []
    const watch = new MemoryWatch(0)
    const seen = Array.from({ length: 12 }, () => {
      held.push(Buffer.alloc(4 * 1024 * 1024))
      return watch.look()
    })
    expect(held).to.have.length(12)
    expect(seen.at(-1)).to.match(/MiB are held/)
  })

  it('does not mind memory that is given back', () => {
    const watch = new MemoryWatch(0)
    for (let i = 0; i < 12; i++) {
      Buffer.alloc(4 * 1024 * 1024)
      expect(watch.look()).to.equal(undefined)
    }
  })

  it('makes the same input from the same seed and number, and others from others', async () => {
    const bytesOf = async (seed: number, input: number) => {
      const refusing = { ...library, bufferToPacketVariant: () => expect.fail() }
      return (await fuzzInput(refusing, seed, input, PATIENT))?.bytes?.toString('hex')
    }
    const seen = new Set<string | undefined>()
    for (let input = 0; input < 50; input++) {
      const bytes = await bytesOf(9, input)
      expect(await bytesOf(9, input)).to.equal(bytes)
      if (bytes !== undefined) seen.add(bytes)
    }
    expect(seen.size).to.be.greaterThan(35)
  })
})

describe('npm run fuzz', function () {
  this.timeout(60_000)

  it('prints the seed and a last line, and exits with 0 if it finds nothing', () => {
    const { status, printed } = run('--seed', '7', '--inputs', '20')
    expect(printed).to.match(/^seed 7\nseed 7: 20 inputs in [\d.]+ s, \d+ a second, 0 finding\(s\)\n$/)
    expect(status).to.equal(0)
  })

  it('prints how to run the input of a finding again, which finds it again, and exits with 1', () => {
    const broken = ['--library', 'test/fuzz/broken-library.ts']
    const first = run('--seed', '7', '--inputs', '400', ...broken)
    expect(first.status).to.equal(1)
    const [, bytes, command] =
      /\nbytes (\(\d+\): [0-9a-f]+)\nagain: npm run fuzz -- (.*)\n/.exec(first.printed) ?? []
    const again = run(...(command as string).split(' '))
    expect(again.status).to.equal(1)
    expect(again.printed).to.contain('FINDING decoder-gives-what-is-there').and.to.contain(`bytes ${bytes}`)
    expect(again.printed).to.contain(', 1 finding(s)')
  })

  it('refuses what is no number', () => {
    expect(run('--seed', 'x').status).to.equal(2)
  })
})
