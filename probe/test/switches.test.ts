import { expect } from 'chai'
import { knownCases, type Result, type VersionLabel } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { resultsOf } from './support.ts'
import { type Switch, slowSwitches, switches } from './switches.ts'

/*
 * Proves that the probe finds faults: a broker breaks one clause at a time, and the probe must report exactly that clause. `npm run
 * switches` asks that of all cases in all versions, which takes minutes. Here, most switches meet only the cases about the same things.
 */

/** Brokers tested at the same time. A run spends most of its time waiting. */
const CONCURRENCY = 24

/** The newest version with the switch's rule. Testing a switch in all versions would take six times as long. */
function versionOf(name: Switch): VersionLabel {
  return (['5.0', '3.1.1', '3.1'] as const).find((label) => switches[name]![label] !== undefined)!
}

const known = knownCases()
const groupOf = (id: string): string => id.split('.')[0]!

/** Only some refusals show that a broker breaks this clause, so its switches meet some of all cases, not only of their groups. */
const SHOWN_BY_REFUSALS = 'MQTT-3.14.0-1'

/** Of the other cases about the same things, a switch meets one in `SOME`, and the next switch meets the next ones. */
const SOME = 8

/**
 * The cases that test a switch's clauses, and some others of their groups, which must find nothing. Of the invalid CONNECTs, which are
 * more than all others together, only those that break these clauses. Empty for all cases, which only the first switch meets,
 * because they take as long as those of fifty others.
 */
function casesFor(name: Switch, at: number): string[] {
  const version = versionOf(name)
  const clauses = switches[name]![version]!
  if (at === 0) return []
  const all = known.filter((one) => one.version === version && (!one.isSlow || slowSwitches.includes(name)))
  const own = all.filter(({ clause }) => clauses.includes(clause))
  const groups = new Set(own.map(({ id }) => groupOf(id)).filter((group) => group !== 'connect'))
  const others = clauses.includes(SHOWN_BY_REFUSALS) ? all : all.filter(({ id }) => groups.has(groupOf(id)))
  const some = others.filter((_, i) => (i + at) % SOME === 0)
  return [...new Set([...own, ...some].map(({ id }) => id))]
}

describe('the probe', function () {
  this.timeout(300_000)

  describe('reports exactly the clause that a broker breaks', () => {
    const found = new Map<Switch, Result[]>()

    before(async () => {
      // The slowest ones start first, so that none of them runs alone at the end.
      const all = Object.keys(switches)
      const names = [...new Set([...slowSwitches, ...all])]
      const next = async (): Promise<void> => {
        for (let name = names.shift(); name !== undefined; name = names.shift()) {
          found.set(
            name,
            await resultsOf(new Broker(name), {
              protocol: [versionOf(name)],
              only: casesFor(name, all.indexOf(name)),
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
