import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { Limits } from '../lib/limit/limits.ts'
import { configOf } from './support.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const NAMES = 300

describe('gateway: memory of limits', function () {
  this.timeout(60_000)
  const rate = { perSecond: 0.001, burst: 1 }
  const base = { cleanStart: true, keepAlive: 0 } as const
  const cases = {
    perClientId: (i: number) => new v5.ConnectPacket({ ...base, clientId: `${'x'.repeat(60_000)}${i}` }),
    perUser: (i: number) =>
      new v5.ConnectPacket({ ...base, clientId: '', userName: `${'x'.repeat(60_000)}${i}` }),
  }
  for (const [name, packetOf] of Object.entries(cases)) {
    it(`${name} remembers long names without keeping them, and tells them apart`, () => {
      const client = { network: '127.0.0.1', isProxy: false }
      const limits = new Limits(configOf({ limits: { [name]: rate } }))
      collectGarbage()
      const before = process.memoryUsage().heapUsed
      for (let i = 0; i < NAMES; i++) expect(limits.client(packetOf(i), client)).to.equal(undefined)
      collectGarbage()
      expect(process.memoryUsage().heapUsed - before).to.be.below((NAMES * 60_000) / 8)
      for (let i = 0; i < NAMES; i += 30) expect(limits.client(packetOf(i), client)).to.match(/-rate$/)
    })
  }
})
