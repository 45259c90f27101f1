import type { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { Format, type FormatFacts, type PropertyValues } from '../../lib/codec/context.ts'
import { build } from '../../lib/codec/encode.ts'
import { checkFormAndRemainingLength } from '../../lib/codec/fixed-header.ts'
import { check, locate } from '../../lib/codec/layout.ts'
import { readProperties } from '../../lib/codec/properties.ts'
import { propertyList } from '../../lib/codec/property-list.ts'
import { codeRule } from '../../lib/codec/rules.ts'
import { copyProperties } from '../../lib/codec/write-properties.ts'
import { Fault } from '../../lib/errors/fault.ts'
import { MqttError } from '../../lib/index.ts'
import { type CodeRow, reasonCodesIn, reasonCodeTable } from '../../lib/protocol/codes.ts'
import { ControlPacketType } from '../../lib/protocol/control-packet-type.ts'
import { type PropertyRow, propertyRows } from '../../lib/protocol/property-table.ts'
import { type Version, v5 } from '../../lib/protocol/version.ts'
import { hex } from '../support/reference.ts'

/*
 * A made-up MQTT 6, with one more property and one more reason code. Each takes one row, which names the first version that has
 * it. Everything else is the library's own code and tables, so those two rows are enough to accept both in version 6 and to
 * refuse them in 5.0.
 */

// The casts are needed because the library's types list all versions, so that a table without a row for a version doesn't
// compile.
const v6 = { ...v5, level: 6, name: 'v5', label: '6.0' } as unknown as Version

const SHARD = 0x2b
const TOO_FAR_AWAY = 0xa3

const rows: ReadonlyMap<string, PropertyRow> = new Map<string, PropertyRow>([
  ...propertyRows,
  ['shard', { id: SHARD, type: 'twoByteInteger', in: { disconnect: 6 }, since: 6 }],
])
const codes: Readonly<Record<string, CodeRow>> = {
  ...reasonCodeTable,
  tooFarAway: { code: TOO_FAR_AWAY, disconnect: 'server', since: 6 },
}

interface Fields {
  readonly reasonCode: number
  readonly props: readonly { id: number; value: unknown }[]
}

/** The layout of a version's DISCONNECT. */
function disconnectOf(version: Version) {
  const code = { name: 'reasonCode', section: '3.14.2.1', codes: reasonCodesIn('disconnect', version, codes) }
  const listFacts = { path: 'props', owner: 'a DISCONNECT', section: '3.14.2.2' } as const
  const list = propertyList('disconnect', version, listFacts, rows)
  const facts: FormatFacts<Buffer, { code: number; props: PropertyValues }> = {
    type: ControlPacketType.disconnect,
    version,
    layout: [
      {
        kind: 'code',
        field: code,
        rule: codeRule(code, 'disconnect-code', 'MQTT-3.14.2-1'),
        value: (contents) => contents.code,
      },
      { kind: 'properties', field: list, value: (contents) => contents.props },
    ],
    names: ['reasonCode', 'props'],
    read: ({ reasonCode, props }: Fields) => ({
      code: reasonCode,
      props: copyProperties(props as never, list),
    }),
    create: (bytes) => bytes,
  }
  return { code, list, format: new Format<Buffer>(facts) }
}

/** Reads the bytes in this version, and returns the properties or the fault. */
function read(version: Version, bytes: Buffer): unknown {
  const { format, list } = disconnectOf(version)
  const context = format.context(new Set())
  const start = checkFormAndRemainingLength(context, bytes)
  if (start instanceof Fault) return start.code
  const fault = check(context, bytes, start, format)
  if (fault !== undefined) return `${fault.code} ${fault.field} ${fault.offset} [${fault.clause}]`
  return readProperties(bytes, locate(bytes, format.places[list.name]), list)
}

function built(version: Version, fields: Fields): string {
  try {
    return build(disconnectOf(version).format, fields).toString('hex')
  } catch (error) {
    if (error instanceof MqttError) return error.code
    throw error
  }
}

describe('a made-up version 6 with one more property and one more reason code', () => {
  const shard = { id: SHARD, value: 7 }

  it('accepts the property and the code, and names the code', () => {
    const bytes = hex('e0 05 a3 03 2b 0007')
    expect(read(v6, bytes)).to.deep.equal([shard])
    expect(built(v6, { reasonCode: TOO_FAR_AWAY, props: [shard] })).to.equal(bytes.toString('hex'))
    expect(disconnectOf(v6).code.codes.names[TOO_FAR_AWAY]).to.equal('tooFarAway')
  })

  it('checks them like all others', () => {
    expect(read(v6, hex('e0 08 00 06 2b 0007 2b 0007'))).to.match(/^property-twice props\.shard 7 /)
    expect(read(v6, hex('e0 04 00 02 2b 00'))).to.match(/^property-past-end props\.shard 5 /)
    expect(read(v6, hex('e0 02 a4 00'))).to.match(/^disconnect-code reasonCode 2 /)
  })

  it('leaves 5.0 as it is: it knows neither', () => {
    expect(read(v5, hex('e0 05 00 03 2b 0007'))).to.match(/^property-unknown props 4 /)
    expect(read(v5, hex('e0 02 a3 00'))).to.match(/^disconnect-code reasonCode 2 /)
    expect(built(v5, { reasonCode: 0, props: [shard] })).to.equal('property-unknown')
    expect(built(v5, { reasonCode: TOO_FAR_AWAY, props: [] })).to.equal('disconnect-code')
    expect(disconnectOf(v5).code.codes.names[TOO_FAR_AWAY]).to.equal(undefined)
  })

  it('has everything that 5.0 has', () => {
    const known = ({ list, code }: ReturnType<typeof disconnectOf>) => [
      list.rules.flatMap((rule) => (rule?.allowed ? [rule.name] : [])),
      code.codes.names.filter((name) => name !== undefined),
    ]
    const [five, six] = [known(disconnectOf(v5)), known(disconnectOf(v6))]
    expect(six[0]).to.have.members([...five[0]!, 'shard'])
    expect(six[1]).to.have.members([...five[1]!, 'tooFarAway'])
  })
})
