import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { type ExplanationRow, explain } from '../../lib/explain/index.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../../lib/protocol/limits.ts'
import {
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeVariableByteInteger,
} from '../../lib/wire/integers.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { type FieldPacket, isFieldPacket, kinds } from '../support/kinds.ts'
import { allThatIsSaid, halves, SECRET } from './support.ts'

/** A valid CONNECT with this password, in any version. */
const withPassword: fc.Arbitrary<FieldPacket> = fc
  .constantFrom(...kinds.filter(({ isConnect }) => isConnect))
  .chain(({ fields, build, version }) =>
    fields.map((each) => {
      const { userName } = each as { userName?: string }
      return build({ ...each, password: SECRET, userName: version === 5 ? userName : (userName ?? 'joe') })
    }),
  )

/**
 * The parts of a packet before its password: part of a field, one field or several, each as its first byte and the byte after
 * it.
 */
function partsOf(packet: FieldPacket): [start: number, end: number][] {
  const { protocolVersion } = packet
  const { rows } = explain(packet.bytes, { protocolVersion, allow: ['protocol-bridge-level'], secrets: true })
  const end = ({ offset, length }: ExplanationRow): number => offset + length
  const before = rows.slice(2, -2)
  return before.flatMap((row, i) =>
    before.slice(i, i + 6).map((last): [number, number] => [row.offset, end(last)]),
  )
}

/** The packet without these bytes. `isFixed` corrects its Remaining Length. */
function without({ bytes }: FieldPacket, [start, end]: [number, number], isFixed: boolean): Buffer {
  const bodyAt = variableByteIntegerEnd(bytes, 1, bytes.length)
  const body = Buffer.concat([bytes.subarray(bodyAt, start), bytes.subarray(end)])
  if (!isFixed) return Buffer.concat([bytes.subarray(0, bodyAt), body])
  const header = Buffer.alloc(1 + variableByteIntegerLength(body.length))
  header[0] = bytes[0]!
  writeVariableByteInteger(header, 1, Math.min(body.length, MAX_VARIABLE_BYTE_INTEGER))
  return Buffer.concat([header, body])
}

/** Expects the password to be hidden, unless the packet is valid and the password's bytes belong to another field. */
function expectHidden(bytes: Buffer, protocolVersion: FieldPacket['protocolVersion']): void {
  for (const version of [protocolVersion, 0] as const) {
    const explanation = explain(bytes, { protocolVersion: version, allow: ['protocol-bridge-level'] })
    const said = allThatIsSaid(explanation)
    if (!halves.some((half) => said.includes(half))) continue
    const isAnotherField = explanation.packets.some(
      ({ packet }) => packet !== undefined && isFieldPacket(packet) && `${packet}`.includes(SECRET),
    )
    if (!isAnotherField) expect.fail(`the password is shown of ${bytes.toString('hex')}\n${explanation}`)
  }
}

describe('explain hides the password of a CONNECT', () => {
  it('that lacks a field, with the Remaining Length as it was or fixed up', function () {
    this.timeout(60_000)
    fc.assert(
      fc.property(withPassword, fc.nat(), fc.boolean(), (packet, which, isFixed) => {
        const parts = partsOf(packet)
        expectHidden(without(packet, parts[which % parts.length]!, isFixed), packet.protocolVersion)
      }),
      { ...runs, numRuns: usual(1500) },
    )
  })

  it('that ends with the password, whose length is one too small', () => {
    // 5 bytes are missing, so the password's last byte could be the first byte of a length.
    const bytes = Buffer.from('102200044d51545404c2008500066465766a6f65000868756e742d53454352', 'hex')
    expectHidden(bytes, 4)
  })
})

describe('explain hides the end of a text password', () => {
  it('whose length counts characters instead of bytes, in front of any other packet', () => {
    for (const password of ['тайна1', 'Карта-b4', 'а', '密码7', 'château 3x'])
      for (const next of [
        '820800010003612f6200',
        'c000',
        '300500036162637a',
        '100e00044d5154540402003c00026162',
        '',
      ]) {
        const characters = [...password].length
        const head = Buffer.from('00044d51545404c2003c000161000175', 'hex')
        const size = head.length + 2 + characters
        const connect = Buffer.concat([
          Buffer.of(0x10, size),
          head,
          Buffer.of(0, characters),
          Buffer.from(password),
        ])
        const start = connect.length - Buffer.byteLength(password)
        const { rows } = explain(Buffer.concat([connect, Buffer.from(next, 'hex')]))
        const shown = rows.flatMap(({ offset, hex }) =>
          hex.split(' ').flatMap((pair, i) => (pair === '**' ? [] : [offset + i])),
        )
        const leaked = shown.filter((at) => at >= start && at < connect.length)
        expect(leaked, `${password} ${next}`).to.deep.equal([])
      }
  })
})
