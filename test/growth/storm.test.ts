import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..', '..')

interface Storm {
  connections: number
  storm: Record<string, { served: number; cpu_seconds: number; rate: number }>
  abuse_size: { connections: number }
  abuse: Record<string, { abused: { served: number }; open_after: number; resources_after: string[] }>
  promises: { what: string; met: boolean; gates: boolean }[]
}

describe('the storm', function () {
  this.timeout(120_000)

  it('serves every connection, and every good one among bad ones, and then holds nothing', () => {
    const loader = join(root, 'test', 'support', 'strip-types.mjs')
    const args = ['--import', loader, join(root, 'benchmark', 'storm', 'run.ts'), '--smoke', '--json']
    const env = { ...process.env, NODE_V8_COVERAGE: '' } // It is not the library that is looked at here.
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    })
    const { connections, storm, abuse_size, abuse, promises } = JSON.parse(output) as Storm
    expect(storm).to.have.all.keys('decoder', 'readConnect', 'mqtt-packet', 'bare')
    for (const [kind, { served, cpu_seconds, rate }] of Object.entries(storm)) {
      expect(served, kind).to.equal(connections)
      expect(cpu_seconds, kind).to.be.above(0)
      expect(rate, kind).to.be.above(0)
    }
    for (const kind of ['decoder', 'readConnect']) {
      expect(abuse[kind]?.abused.served, kind).to.equal(abuse_size.connections)
      expect(abuse[kind]?.open_after, kind).to.equal(0)
      expect(abuse[kind]?.resources_after, kind).to.include('TCPServerWrap').but.not.include('TCPSocketWrap')
    }
    expect(promises.filter(({ gates }) => gates)).to.have.lengthOf(12)
    expect(promises.filter(({ gates, met }) => gates && !met)).to.deep.equal([])
  })
})
