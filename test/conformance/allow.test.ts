import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { errorTable, relaxableCodes } from '../../lib/errors/error-table.ts'
import {
  bufferToPacketVariant,
  type ErrorCode,
  type RelaxableCode,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { connect3 } from '../support/faults.ts'
import { fieldsOfV3, fieldsOfV5 } from '../support/packets.ts'
import { expectMisuse, refusal } from '../support/thrown.ts'
import { type Relaxed, relaxedCases } from './allow-cases.ts'
import { allWays, byTitle, decodeBy, refusalBy, versionName, type Way } from './refusal.ts'

type Connect = v3_1_1.ConnectPacket | v5.ConnectPacket

async function accept(way: Way, { bytes }: Relaxed, allow: readonly RelaxableCode[]): Promise<Connect> {
  const packet = await decodeBy[way](bytes, { protocolVersion: 0, allow })
  if (packet instanceof v3_1_1.ConnectPacket || packet instanceof v5.ConnectPacket) return packet
  throw new Error(`expected a CONNECT, got ${packet}`)
}

function fieldsOf(packet: Connect): object {
  return packet instanceof v5.ConnectPacket ? fieldsOfV5(packet) : fieldsOfV3(packet)
}

/** Expects the packet to read as it should, in all its forms. */
function expectReadsBack(packet: Connect, { bytes, version, fields, text }: Relaxed): void {
  expect(packet.protocolVersion).to.equal(version)
  expect(packet.bytes.toString('hex')).to.equal(bytes.toString('hex'))
  expect(packet.size).to.equal(bytes.length)
  expect(fieldsOf(packet)).to.deep.equal(fields)
  expect(packet.toString()).to.equal(text)
  const components = packet.constBufferSequence()
  expect(Buffer.concat(components).toString('hex')).to.equal(bytes.toString('hex'))
  expect(packet.numOfConstBufferSequence).to.equal(components.length)
}

for (const code of relaxableCodes) {
  const others = [...relaxableCodes].filter((other) => other !== code)
  const cases = relaxedCases.filter((one) => one.code === code)

  describe(code, () => {
    for (const [title, sameTitle] of byTitle(cases)) {
      const [{ version, rebuilt: isRebuilt }] = sameTitle as [Relaxed]

      it(`${title} is accepted if allow names it, and only then (${versionName(version)})`, async () => {
        for (const relaxed of sameTitle) {
          for (const way of allWays) {
            for (const allow of [undefined, [], others]) {
              const error = await refusalBy(way, relaxed.bytes, { protocolVersion: 0, allow })
              expect([error.code, error.clause], way).to.deep.equal([code, relaxed.clause])
            }
            for (const allow of [[code], [...relaxableCodes]]) {
              expectReadsBack(await accept(way, relaxed, allow), relaxed)
            }
          }
        }
      })

      if (isRebuilt !== undefined) {
        it(`${title} is gone when the packet is built again (${versionName(version)})`, async () => {
          for (const relaxed of sameTitle) {
            const again = (await accept('bufferToPacketVariant', relaxed, [code])).with({})
            expect(again.bytes.toString('hex')).to.equal(relaxed.rebuilt!.toString('hex'))
            expect(fieldsOf(again)).to.deep.equal(relaxed.fields)
          }
        })
      } else {
        it(`${title} is refused when the packet is built again (${versionName(version)})`, async () => {
          for (const relaxed of sameTitle) {
            const packet = await accept('bufferToPacketVariant', relaxed, [code])
            const error = refusal(() => packet.with({}))
            expect([error.code, error.clause]).to.deep.equal([code, relaxed.clause])
          }
        })
      }
    }
  })
}

describe('allow', () => {
  it('has an example in each version for every code that it takes', () => {
    const shown = (version: number) =>
      new Set(relaxedCases.filter((one) => one.version === version).map(({ code }) => code))
    const only = (codes: readonly string[]) => [...relaxableCodes].filter((code) => !codes.includes(code))
    const fiveOnly = [
      'variable-byte-integer-not-shortest',
      'request-response-information',
      'request-problem-information',
      'payload-format-indicator',
      'response-topic-empty',
      'response-topic-wildcard',
    ]
    expect([...shown(4)].sort()).to.deep.equal(only(fiveOnly).sort())
    expect([...shown(5)].sort()).to.deep.equal(only(['password-without-user-name', 'client-id-empty']).sort())
  })

  it('takes no other code', () => {
    const strict = (Object.keys(errorTable) as ErrorCode[]).filter(
      (code) => !relaxableCodes.has(code as RelaxableCode),
    )
    expect(strict).to.have.lengthOf.above(30)
    for (const code of strict) {
      const allow = [code as RelaxableCode]
      expectMisuse(
        () => bufferToPacketVariant(relaxedCases[0]!.bytes, 0, { allow }),
        'ERR_INVALID_ARG_VALUE',
        `allow: ${code}`,
      )
    }
  })

  it('relaxes several rules at once, and no rule but those that it names', async () => {
    const named = ['connect-flags-reserved', 'will-retain-without-will', 'client-id-empty'] as const
    const flags = connect3('21', '0000')
    for (const way of allWays) {
      const packet = (await decodeBy[way](flags, {
        protocolVersion: 0,
        allow: named,
      })) as v3_1_1.ConnectPacket
      expect([packet.clientId, packet.cleanSession]).to.deep.equal(['', false])
      for (const missing of named) {
        const allow = named.filter((code) => code !== missing)
        const error = await refusalBy(way, flags, { protocolVersion: 0, allow })
        expect(error.code).to.equal(missing)
      }
    }
  })

  it('of a wildcard does not hide what is not UTF-8 behind it', async () => {
    const bytes = connect3('06', '0001 61 0002 2bff 0001 61')
    for (const way of allWays) {
      const options = { protocolVersion: 0, allow: ['will-topic-wildcard'] } as const
      const error = await refusalBy(way, bytes, options)
      expect([error.code, error.offset]).to.deep.equal(['will-topic-not-utf8', 18])
    }
  })
})
