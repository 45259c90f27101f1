import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { fuzz } from '../../fuzz/fuzz.ts'
import { errorTable } from '../../lib/errors/error-table.ts'
import * as library from '../../lib/index.ts'
import { brokenLibraries } from './broken.ts'

const root = join(import.meta.dirname, '..', '..')
const loader = join(root, 'test', 'support', 'strip-types.mjs')

/** The output and exit code of `npm run fuzz -- …`. */
function run(...args: string[]): { status: number; printed: string } {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  try {
    const args_ = ['--import', loader, 'fuzz/run.ts', ...args]
    return { status: 0, printed: execFileSync(process.execPath, args_, options) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, printed: stdout }
  }
}

describe('the fuzzer', function () {
  this.timeout(120_000)

  it('finds nothing, and reaches most rules', async () => {
    const seen = new Set<string>()
    const decode = ((bytes: Uint8Array, options?: library.DecodeOptions<2>) => {
      try {
        return library.decode(bytes, options)
      } catch (error) {
        if (error instanceof library.MqttError) seen.add(error.code)
        throw error
      }
    }) as typeof library.decode
    const { finding } = await fuzz({ ...library, decode }, { seed: 1, runs: 700 })
    if (finding !== undefined) expect.fail(`${finding.invariant}, --path ${finding.path}: ${finding.message}`)
    // Some rules belong to connections, so single packets can't break them.
    const missing = Object.keys(errorTable).filter((code) => !seen.has(code))
    expect(missing.length, `${missing}`).to.be.below(35)
  })

  for (const { fault, invariant, library: broken } of brokenLibraries) {
    it(`finds it if ${fault}, and again from the seed and the path`, async () => {
      const { finding } = await fuzz(broken, { seed: 3, runs: 3000 })
      expect(finding?.invariant, finding?.message).to.match(invariant)
      const again = await fuzz(broken, { seed: 3, runs: 3000, path: finding!.path })
      expect(again.finding?.input).to.deep.equal(finding!.input)
    })
  }

  it('stops when its time is over', async () => {
    const { runs, finding } = await fuzz(library, { seed: 1, runs: 1e9, time: 100 })
    expect(finding).to.equal(undefined)
    expect(runs).to.be.within(1, 10_000)
  })

  it('makes its inputs as small as it can', async () => {
    const planted = brokenLibraries.find(({ fault }) => fault === 'explain says that all is well')!
    const { finding } = await fuzz(planted.library, { seed: 3, runs: 3000 })
    const input = finding!.input as { bytes: { bytes: Buffer } }
    expect(input.bytes.bytes.length).to.be.below(20)
  })
})

describe('npm run fuzz', function () {
  this.timeout(120_000)

  it('prints the seed and a last line, and exits with 0 if it finds nothing', () => {
    const { status, printed } = run('--seed', '7', '--runs', '20')
    expect(printed).to.match(/^seed 7\nseed 7: 20 runs in [\d.]+ s, 0 finding\(s\)\n$/)
    expect(status).to.equal(0)
  })

  it('prints how to run a finding again, which finds it again, and exits with 1', () => {
    const first = run('--seed', '3', '--runs', '3000', '--library', 'test/fuzz/broken-library.ts')
    expect(first.status).to.equal(1)
    const [, bytes, command] =
      /\n(\d+ bytes: [0-9a-f]+)\n(?:.*\n)*again: npm run fuzz -- (.*)\n/.exec(first.printed) ?? []
    const again = run(...command!.split(' '))
    expect(again.status).to.equal(1)
    expect(again.printed).to.contain('FINDING decoder-').and.to.contain(bytes)
    expect(again.printed).to.match(/, 1 finding\(s\)\n$/)
  })

  it('refuses what is not a number', () => {
    expect(run('--seed', 'x').status).to.equal(2)
  })
})
