import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import {
  type ConformanceTest,
  conformanceDocument,
  conformanceTests,
} from '../../scripts/conformance-document.ts'

const text = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')

/** The clauses about CONNECT, CONNACK, AUTH and DISCONNECT that need a test. */
const clauses = {
  '3.1': '2.1 2.4 3.1 3.2 3.14',
  '3.1.1': `MQTT-1.5.3-1 MQTT-1.5.3-2 MQTT-1.5.3-3 2.2.1 MQTT-2.2.2-1 MQTT-2.2.2-2 2.2.3 MQTT-2.3.1-1 MQTT-3.1.0-1
    MQTT-3.1.0-2 MQTT-3.1.2-1 MQTT-3.1.2-2 MQTT-3.1.2-3 MQTT-3.1.2-13 MQTT-3.1.2-14 MQTT-3.1.2-15 MQTT-3.1.2-22
    MQTT-3.1.3-4 MQTT-3.1.3-8 MQTT-3.1.3-10 MQTT-3.1.3-11 MQTT-3.1.4-1 3.1.4 3.2.1 3.2.2.1 3.2.2.3 MQTT-3.2.2-4
    MQTT-3.3.1-2 MQTT-3.3.1-4 3.14 MQTT-3.14.1-1 MQTT-4.7.1-1 MQTT-4.7.3-1 4.8`,
  '5.0': `MQTT-1.5.4-1 MQTT-1.5.4-2 MQTT-1.5.4-3 1.5.5 MQTT-1.5.5-1 MQTT-1.5.7-1 2.1.2 MQTT-2.1.3-1 2.1.4 MQTT-2.2.1-3
    2.2.2.2 MQTT-3.1.0-1 MQTT-3.1.0-2 MQTT-3.1.2-1 MQTT-3.1.2-2 MQTT-3.1.2-3 MQTT-3.1.2-11 MQTT-3.1.2-12 MQTT-3.1.2-13
    3.1.2.11 3.1.2.11.3 3.1.2.11.4 3.1.2.11.6 3.1.2.11.7 3.1.2.11.10 MQTT-3.1.3-4 MQTT-3.1.3-11 MQTT-3.1.3-12 3.1.3.2
    3.1.3.2.3 MQTT-3.1.4-1 3.1.4 3.2.1 3.2.2.2 MQTT-3.2.2-1 MQTT-3.2.2-6 MQTT-3.2.2-8 3.2.2.3 3.2.2.3.3 3.2.2.3.4
    3.2.2.3.5 3.2.2.3.6 3.2.2.3.11 3.2.2.3.12 3.2.2.3.13 MQTT-3.3.1-2 MQTT-3.3.1-4 MQTT-3.3.2-14 MQTT-3.14.1-1 3.14.2
    3.14.2.1 MQTT-3.14.2-1 MQTT-3.14.2-2 3.14.2.2 3.14.2.2.1 3.14.2.2.5 MQTT-3.15.1-1 3.15.2 3.15.2.1 MQTT-3.15.2-1 3.15.2.2
    4.12 MQTT-4.12.0-5 MQTT-4.7.0-1 MQTT-4.7.3-1`,
}

describe('docs/conformance.md', function () {
  this.timeout(60_000)
  let tests: readonly ConformanceTest[]

  before(() => {
    tests = conformanceTests()
  })

  it('is what npm run docs writes', () => {
    expect(text).to.equal(conformanceDocument(tests))
  })

  for (const [version, list] of Object.entries(clauses)) {
    it(`has one row for each clause of ${version}`, () => {
      const section = text.slice(text.indexOf(`\n## MQTT ${version}\n`) + 1)
      const rows = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^\| (\S*\d\S*) \|/gm)].map(
        ([, clause]) => clause!,
      )
      expect([...new Set(rows)]).to.deep.equal(rows)
      expect(rows).to.include.members(list.split(/\s+/))
    })
  }

  it('names each file of tests', () => {
    for (const file of new Set(tests.map((test) => test.file))) expect(text).to.include(file)
  })

  it('has no two tests with the same title', () => {
    const titles = tests.map(({ subject, title }) => `${subject} ${title}`)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).to.deep.equal([])
  })
})
