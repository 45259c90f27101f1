import { expect } from 'chai'
import { decode, MqttError } from '../../lib/index.ts'
import { byte, type Rule, versions } from './rule.ts'
import { allRules } from './rules/index.ts'

/**
 * Identifies a row of the conformance table and a field. Rules about an identifier's length share one key, because any
 * property's can be too long.
 */
function keyOf(
  { code, clause, field }: { code: string; clause: string; field: string },
  version: number,
): string {
  const isIdentifier = code === 'variable-byte-integer-not-shortest' && field.includes('props')
  return `${code} ${clause} ${isIdentifier ? field.replace(/props.*/, 'props') : field} ${version}`
}

/** A random generator that returns the same numbers on every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Changes, removes or adds one or two bytes in a rule's packet. */
function mutated({ bytes }: Rule, below: (limit: number) => number): Buffer {
  let all = [...bytes]
  for (let times = 1 + below(2); times > 0; times--) {
    const at = below(all.length)
    const value = [0, 1, 2, 0x23, 0x7f, 0x80, 0xff, below(256)][below(8)]!
    all = [all.slice(0, at), [[value], [], [all[at]!, value]][below(3)]!, all.slice(at + 1)].flat()
  }
  // Mostly corrects the Remaining Length, because nothing else is read if it's wrong.
  if (all.length > 2 && all.length < 130 && below(4) > 0) all[1] = all.length - 2
  return Buffer.from(all)
}

describe('the tables of rules', () => {
  it('have every code, clause and field with which mutated packets are refused', () => {
    const known = new Set(allRules.map((rule) => keyOf(rule, versions[rule.version].level)))
    const below = random(20140529)
    const seen = new Set<string>()
    const unknown = new Map<string, string>()
    for (let run = 0; run < 40_000; run++) {
      const rule = allRules[below(allRules.length)]!
      const { level } = versions[rule.version]
      const bytes = mutated(rule, below)
      try {
        decode(bytes, { protocolVersion: level })
      } catch (error) {
        if (!(error instanceof MqttError)) throw error
        const key = keyOf(error, level)
        seen.add(key)
        if (!known.has(key)) unknown.set(key, [...bytes].map(byte).join(''))
      }
    }
    expect(Object.fromEntries(unknown)).to.deep.equal({})
    expect(seen.size).to.be.greaterThan(known.size / 2)
  })
})
