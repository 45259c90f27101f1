import { allRules } from './rules/index.ts'
import { byTitle, expectRefused } from './ways.ts'

describe('what decode, PacketDecoder, explain and constructors refuse', () => {
  for (const [title, rules] of byTitle(allRules)) {
    it(title, async () => {
      for (const rule of rules) await expectRefused(rule)
    })
  }
})
