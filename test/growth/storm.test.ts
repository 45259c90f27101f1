import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { kinds, ours } from '../../benchmark/storm/child.ts'

const root = join(import.meta.dirname, '..', '..')

interface Report {
  readonly storm: { server: string; served: number; 'CPU µs': number }[]
  readonly abuse: { server: string; served: number; left: number }[]
  readonly checks: { what: string; got: string; met: boolean; gates: boolean }[]
}

describe('the storm', function () {
  this.timeout(60_000)

  it('serves every connection, and every good one among bad ones, without leaking', () => {
    const loader = join(root, 'test', 'support', 'strip-types.mjs')
    const args = ['--import', loader, join(root, 'benchmark', 'storm', 'run.ts'), '--smoke', '--json']
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { storm, abuse, checks } = JSON.parse(output) as Report
    expect(storm.map(({ server }) => server)).to.deep.equal(kinds)
    expect(abuse.map(({ server }) => server)).to.deep.equal(ours)
    for (const row of storm) expect(row['CPU µs'], row.server).to.be.above(0)
    const gates = checks.filter(({ gates }) => gates)
    expect(gates).to.have.lengthOf(kinds.length + 4 * ours.length)
    expect(gates.filter(({ met }) => !met)).to.deep.equal([])
  })
})
