import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { casesOf, clausesDocument } from '../../scripts/clauses-document.ts'
import { clauses } from '../brokers/clauses.ts'
import { switches } from './switches.ts'

describe('probe/CLAUSES.md', () => {
  it('is what npm run docs writes', () => {
    const text = readFileSync(new URL('../CLAUSES.md', import.meta.url), 'utf8')
    expect(text).to.equal(clausesDocument())
  })

  for (const version of ['3.1.1', '5.0'] as const) {
    it(`names clauses of ${version} that have a case`, () => {
      const named = clauses[version].flatMap(([clause, , how]) => {
        if (how === undefined) return [clause]
        return typeof how === 'object' && 'as' in how ? [how.as] : []
      })
      expect(named.filter((clause) => casesOf(clause, version).length === 0)).to.deep.equal([])
    })

    it(`has each clause of ${version} that a switch breaks, once`, () => {
      const names = clauses[version].map(([clause]) => clause)
      expect(new Set(names).size).to.equal(names.length)
      const broken = Object.values(switches).flatMap((one) => one[version] ?? [])
      // Wills' contents and later packets belong to other chapters.
      const chapters = /^MQTT-(1\.5|2\.|3\.1\.|3\.2\.|3\.12|3\.14|3\.15|4\.8|4\.1\.|4\.12|4\.13)/
      const missing = broken.filter((clause) => chapters.test(clause) && !names.includes(clause))
      expect([...new Set(missing)]).to.deep.equal([])
    })
  }
})
