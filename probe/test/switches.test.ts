import { expect } from 'chai'
import type { Result, VersionLabel } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { resultsOf } from './support.ts'
import { type Switch, slowSwitches, switches } from './switches.ts'

/* Proves that the probe finds faults: a broker breaks one clause at a time, and the probe must report exactly that clause. */

/** Brokers tested at the same time. A run spends most of its time waiting. */
const CONCURRENCY = 24

/** The newest version with the switch's rule. Testing a switch in all versions would take six times as long. */
function versionOf(name: Switch): VersionLabel {
  return (['5.0', '3.1.1', '3.1'] as const).find((label) => switches[name]![label] !== undefined)!
}

describe('the probe', function () {
  this.timeout(300_000)

  describe('reports exactly the clause that a broker breaks', () => {
    const found = new Map<Switch, Result[]>()

    before(async () => {
      // The slowest ones start first, so that none of them runs alone at the end.
      const names = [...new Set([...slowSwitches, ...Object.keys(switches)])]
      const next = async (): Promise<void> => {
        for (let name = names.shift(); name !== undefined; name = names.shift()) {
          found.set(
            name,
            await resultsOf(new Broker(name), {
              protocol: [versionOf(name)],
              slow: slowSwitches.includes(name),
            }),
          )
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, next))
    })

    it('for more than 140 ways to break one', () => {
      expect(found.size).to.be.greaterThan(140)
    })

    for (const [name, expected] of Object.entries(switches)) {
      it(`${name} (${versionOf(name)})`, () => {
        const violations = found.get(name)!.filter(({ verdict }) => verdict === 'violates')
        const clauses = new Set(violations.map(({ clause }) => clause))
        expect([...clauses], violations.map(({ id }) => id).join()).to.have.members([
          ...expected[versionOf(name)]!,
        ])
      })
    }
  })
})
