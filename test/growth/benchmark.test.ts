import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { barChart } from '../../benchmark/chart.ts'
import { documents, lastRun, withResults } from '../../benchmark/results.ts'

const root = join(import.meta.dirname, '..', '..')

describe('the benchmark', function () {
  this.timeout(120_000)

  it('checks both sides of each key, and prints their times as one object', () => {
    const loader = join(root, 'test', 'support', 'strip-types.mjs')
    const args = ['--import', loader, join(root, 'benchmark', 'run.ts'), '--smoke', '--json']
    const env = { ...process.env, NODE_V8_COVERAGE: '' } // It is not the library that is looked at here.
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    })
    const results = JSON.parse(output) as Record<string, Record<string, number>>
    expect(results).to.include.keys(
      'decode/R3',
      'read/R5',
      'encode/R3',
      'connection/R5',
      'pipe/R5',
      'encoder/R5',
      'reject/R5',
      'limit/R5',
    )
    for (const [key, row] of Object.entries(results)) {
      if (key.startsWith('memory/')) expect(row, key).to.include.keys('bytes', 'limit')
      else expect(row, key).to.include.keys('ours_ns', 'peer_ns', 'ratio')
    }
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
