import { expect } from 'chai'
import * as allFields from '../../lib/codec/fields.ts'
import { type ErrorCode, errorRow, errorTable } from '../../lib/errors/error-table.ts'
import { bitFields } from '../../lib/explain/bit-fields.ts'
import { formats } from '../../lib/packets/formats.ts'
import { propertyRows } from '../../lib/protocol/property-table.ts'
import { type Clause, clauseOf, versions } from '../../lib/protocol/version.ts'

/** The id of a normative statement, or the number of a section. */
const CLAUSE = /^(MQTT-)?\d+(\.\d+)+(-\d+)?$/

describe('the clause of an error', () => {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const withoutClause = codes.filter((code) => errorRow(code).clause === undefined)
  const types = formats.flatMap((table, type) => (table.v5 === undefined ? [] : [type << 4]))

  it('is never empty, for any code, version and packet type', () => {
    let clauses = 0
    for (const version of versions) {
      for (const type of [undefined, ...types]) {
        const own = type === undefined ? undefined : formats[type >> 4]?.[version.name]?.clauses
        for (const code of codes) {
          const clause: Clause | undefined = own?.[code] ?? errorRow(code).clause
          if (clause === undefined) continue
          expect(clauseOf(clause, version, type), `${code} ${version.label} ${type}`).to.match(CLAUSE)
          clauses++
        }
      }
    }
    expect(types).to.deep.equal([0x10, 0x20, 0xe0, 0xf0])
    expect(clauses).to.equal(versions.length * 5 * (codes.length - withoutClause.length))
  })

  it("is the section of the field for a body that isn't allowed and for a property's value", () => {
    const refusals = Array.from(propertyRows.values(), ({ refusal }) => refusal ?? [])
    expect(withoutClause).to.have.members(['body-not-allowed', ...refusals.flat()])
  })

  it('is never empty for any field and property of any layout, and for those of any packet', () => {
    for (const { section } of Object.values(allFields))
      for (const version of versions) expect(clauseOf(section, version)).to.match(CLAUSE)
    let fields = 0
    for (const table of formats) {
      for (const version of versions) {
        const format = table[version.name]
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
