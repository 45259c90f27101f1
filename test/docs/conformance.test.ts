import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type ErrorCode, errorRow, errorTable } from '../../lib/errors/error-table.ts'
import {
  type ConformanceTest,
  conformanceDocument,
  conformanceTests,
} from '../../scripts/conformance-document.ts'
import { faultExamples } from '../support/faults.ts'

const text = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')

/** The clauses of the standards that a CONNECT can break, and those that say what it need not fear. */
const clauses = {
  '3.1.1': [
    ...['MQTT-1.5.3-1', 'MQTT-1.5.3-2', 'MQTT-1.5.3-3', 'MQTT-2.2.2-1', 'MQTT-2.2.2-2'],
    ...['MQTT-3.1.0-1', 'MQTT-3.1.0-2', 'MQTT-3.1.2-1', 'MQTT-3.1.2-2', 'MQTT-3.1.2-3', 'MQTT-3.1.2-13'],
    ...['MQTT-3.1.2-14', 'MQTT-3.1.2-15', 'MQTT-3.1.2-22', 'MQTT-3.1.3-4', 'MQTT-3.1.3-8', 'MQTT-3.1.3-10'],
    ...['MQTT-3.1.3-11', 'MQTT-3.1.4-1', 'MQTT-4.7.1-1', 'MQTT-4.7.3-1', '2.2.1', '2.2.3', '3.1.4', '4.8'],
  ],
  '5.0': [
    ...['MQTT-1.5.4-1', 'MQTT-1.5.4-2', 'MQTT-1.5.4-3', 'MQTT-1.5.5-1', 'MQTT-1.5.7-1', 'MQTT-2.1.3-1'],
    ...['MQTT-3.1.0-1', 'MQTT-3.1.0-2', 'MQTT-3.1.2-1', 'MQTT-3.1.2-2', 'MQTT-3.1.2-3', 'MQTT-3.1.2-11'],
    ...['MQTT-3.1.2-12', 'MQTT-3.1.2-13', 'MQTT-3.1.3-4', 'MQTT-3.1.3-11', 'MQTT-3.1.3-12', 'MQTT-3.1.4-1'],
    ...['MQTT-3.3.2-14', 'MQTT-4.7.0-1', 'MQTT-4.7.3-1', '1.5.5', '2.1.2', '2.2.2.2', '3.1.2.11', '3.1.3.2'],
    ...['3.1.2.11.3', '3.1.2.11.4', '3.1.2.11.6', '3.1.2.11.7', '3.1.2.11.10', '3.1.3.2.3', '3.1.4'],
    ...['3.2.2.2'],
  ],
} as const

/** The rows of one version's table: the whole title of a test, and its code. */
function rowsOf(version: string): { title: string; clause: string; code: string }[] {
  const section = text.slice(text.indexOf(`\n## MQTT ${version}\n`) + 1)
  const end = section.indexOf('\n## ')
  return [...section.slice(0, end).matchAll(/^\| (\S+) +\| (.*?) +\| (\S+) +\|$/gm)]
    .map(([, clause, rest, code]) => ({ title: `${clause} ${rest}`, clause: clause!, code: code! }))
    .filter(({ clause }) => /\d/.test(clause))
}

describe('docs/conformance.md', function () {
  this.timeout(30_000)
  let tests: readonly ConformanceTest[]

  before(() => {
    tests = conformanceTests()
  })

  it('is what npm run docs writes', () => {
    expect(text).to.equal(conformanceDocument(tests))
  })

  for (const version of ['3.1.1', '5.0'] as const) {
    it(`names each test of a clause of ${version} that there is, and no other`, () => {
      const real = tests.filter(({ clause, versions }) => clause !== undefined && versions.includes(version))
      expect(real).to.have.lengthOf.above(80)
      const named = rowsOf(version).map(({ title }) => title)
      expect(named.sort()).to.deep.equal(real.map(({ title }) => title).sort())
    })

    it(`has a test for each clause of ${version} that can be broken`, () => {
      const tested = new Set(rowsOf(version).map(({ clause }) => clause))
      expect(clauses[version].filter((clause) => !tested.has(clause))).to.deep.equal([])
    })

    it(`has a test of each code with the clause that the error table has for ${version}`, () => {
      const key = version === '3.1.1' ? 'v3_1_1' : 'v5'
      const rows = rowsOf(version)
      for (const code of Object.keys(errorTable) as ErrorCode[]) {
        const shown = faultExamples.filter((example) => example.code === code)
        if (shown.length > 0 && !shown.some((one) => one.version === (version === '3.1.1' ? 4 : 5))) continue
        const { clause } = errorRow(code)
        const expected = typeof clause === 'string' ? clause : clause[key]
        expect(
          rows.some((row) => row.code === code && row.clause === expected),
          `${code} [${expected}] (${version})`,
        ).to.equal(true)
      }
    })
  }

  it('names each test that is about no single clause, and no other', () => {
    const section = text.slice(text.indexOf('\n## Beyond single clauses\n'))
    const named = [...section.matchAll(/^\| (\S+\.test\.ts) +\| (.*?) +\|$/gm)].map((row) => row.slice(1, 3))
    const real = tests.filter(({ clause }) => clause === undefined)
    expect(real).to.have.lengthOf.above(30)
    expect(named.sort()).to.deep.equal(
      real.map(({ file, subject, title }) => [file, `${subject}: ${title}`]).sort(),
    )
  })

  it('has no two tests of one title, and no clause without a version', () => {
    const titles = tests.map(({ subject, title }) => `${subject}: ${title}`)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).to.deep.equal([])
    const without = tests.filter(({ clause, versions }) => clause !== undefined && versions.length === 0)
    expect(without).to.deep.equal([])
  })
})
