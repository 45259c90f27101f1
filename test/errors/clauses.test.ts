import { expect } from 'chai'
import { type ErrorCode, errorRow, errorTable } from '../../lib/errors/error-table.ts'
import { bitFields } from '../../lib/explain/bit-fields.ts'
import { formats } from '../../lib/packets/formats.ts'
import { type Clause, clauseOf, versions } from '../../lib/protocol/version.ts'

/** The id of a normative statement, or the number of a section. */
const CLAUSE = /^(MQTT-)?\d+(\.\d+)+(-\d+)?$/

describe('the clause of an error', () => {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const types = formats.flatMap((table, type) => (table?.v5 === undefined ? [] : [type << 4]))

  it('is never empty, for any code, version and packet type', () => {
    let clauses = 0
    for (const version of versions) {
      for (const type of [undefined, ...types]) {
        const own = type === undefined ? undefined : formats[type >> 4]?.[version.name]?.clauses
        for (const code of codes) {
          const clause: Clause | undefined = own?.[code] ?? errorRow(code).clause
          // The others take the section of their field, which the next test looks at.
          if (clause === undefined) continue
          expect(clauseOf(clause, version, type), `${code} ${version.label} ${type}`).to.match(CLAUSE)
          clauses++
        }
      }
    }
    expect(types).to.deep.equal([0x10, 0x20, 0xe0, 0xf0])
    expect(clauses).to.equal(versions.length * 5 * (codes.length - 11))
  })

  it('is never empty for any field and property of any layout', () => {
    let fields = 0
    for (const table of formats) {
      for (const version of versions) {
        const format = table?.[version.name]
        for (const { field } of format?.layout ?? []) {
          const rules =
            'rules' in field ? (field.rules as readonly ({ field: typeof field } | undefined)[]) : []
          for (const each of [field, ...rules.flatMap((rule) => rule?.field ?? [])]) {
            expect(clauseOf(each.section, version, format!.type), `${each.name} ${version.label}`).to.match(
              CLAUSE,
            )
            for (const { section } of bitFields.get(each) ?? [])
              expect(clauseOf(section, version)).to.match(CLAUSE)
            fields++
          }
        }
      }
    }
    expect(fields).to.be.greaterThan(100)
  })
})
