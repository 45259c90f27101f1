import { expect } from 'chai'
import { Upstream } from '../lib/route/upstream.ts'
import { configOf } from './support.ts'

describe('gateway: a broker that is marked down', () => {
  it('comes back without health checks, because clients try a broker again after ten seconds', () => {
    const down = { name: 'a', host: '127.0.0.1', port: 1 }
    const { upstreams, route } = configOf({ upstreams: [down], route: { health: { interval: null } } })
    const clock = { now: 0 }
    const { now } = performance
    performance.now = () => clock.now
    try {
      const upstream = new Upstream(upstreams[0]!)
      upstream.startChecks(route.health)
      const isTriedAt = (seconds: number) => {
        clock.now = seconds * 1000
        return upstream.isWorthTrying
      }
      for (let i = 0; i < 2; i++) upstream.report(false)
      expect([0, 9.9, 10, 11].map(isTriedAt)).to.deep.equal([false, false, true, true])
      expect(upstream.healthy, 'for the metrics').to.equal(false)
      // A client has tried it again.
      upstream.report(false)
      expect([12, 20.9, 21].map(isTriedAt)).to.deep.equal([false, false, true])
      upstream.report(true)
      expect(isTriedAt(0)).to.equal(true)
    } finally {
      performance.now = now
    }
  })
})
