import { expect } from 'chai'
import { usual } from '../../test/support/arbitraries.ts'
import { knownCases } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { resultsOf } from './support.ts'
import { modest } from './switches.ts'

describe('probe', function () {
  this.timeout(60_000)

  for (const [at, name] of modest.entries()) {
    it(`finds nothing on a broker that does only the minimum: ${name}`, async () => {
      // A broker meets half of the cases, and the next broker the others, or all of them with `ALL_RUNS=1`.
      const known = knownCases().filter(({ version }) => version !== '3.1')
      const ids = [...new Set(known.map(({ id }) => id))]
      const only = ids.filter((_, i) => (i + at) % (2 / usual(2)) === 0)
      const results = await resultsOf(new Broker(name), { protocol: ['3.1.1', '5.0'], only, timeout: 1000 })
      expect(results.filter(({ verdict }) => verdict === 'violates')).to.deep.equal([])
      const passed = results.filter(({ verdict }) => verdict === 'passed')
      expect(passed.length).to.be.above(results.length / 2)
    })
  }
})
