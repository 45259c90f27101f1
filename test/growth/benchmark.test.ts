import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { barChart } from '../../benchmark/chart.ts'
import { documents, lastRun, withResults } from '../../benchmark/results.ts'
import { comparisons } from '../../benchmark/subjects.ts'

const root = join(import.meta.dirname, '..', '..')

describe('the benchmark', function () {
  this.timeout(60_000)

  for (const [key, { subject }] of Object.entries(comparisons)) {
    it(`does the same on both sides of ${key}`, async () => {
      for (const side of ['ours', 'peer'] as const) await subject(side).check()
    })
  }

  it('prints times and memory as one object', () => {
    const loader = join(root, 'test', 'support', 'strip-types.mjs')
    const program = join(root, 'benchmark', 'run.ts')
    const args = ['--import', loader, program, '--smoke', '--json', 'decode/C3', 'memory/kept']
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const results = JSON.parse(output) as Record<string, Record<string, number>>
    expect(results).to.have.all.keys('decode/C3', 'memory/kept')
    expect(results['decode/C3']).to.include.keys('ours_ns', 'peer_ns', 'ratio')
    expect(results['memory/kept']).to.include.keys('bytes', 'limit')
  })

  for (const [file, text] of documents) {
    it(`has its last full run in ${relative(root, file)} as it wrote it`, () => {
      const document = readFileSync(file, 'utf8')
      expect(withResults(document, text(lastRun()))).to.equal(document)
    })
  }

  it('has the chart of its last full run', () => {
    const { results, machine } = lastRun()
    const chart = join(root, 'benchmark', 'results.svg')
    expect(barChart(results, machine)).to.equal(readFileSync(chart, 'utf8'))
  })
})
