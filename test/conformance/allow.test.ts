import { expect } from 'chai'
import { type ErrorCode, errorTable, relaxableCodes } from '../../lib/errors/error-table.ts'
import { decode, MqttError, type RelaxableCode } from '../../lib/index.ts'
import { connect, isNameless, packet, type Rule, versions } from './rule.ts'
import { allRules } from './rules/index.ts'
import { accepting, build, decodeStream, expectRefused, least, plain } from './ways.ts'

/** Left out here, because `accepted.test.ts` tests it with every MQTT 3.1 packet. */
const ofVersion = 'protocol-mqtt-3-1'

/**
 * Packets that break one rule that `allow` can relax. Levels of another version are left out, because only a packet's own level
 * can carry the bridge bit.
 */
const relaxed = allRules.filter(({ code, version, known: [name, level] }) => {
  const own = versions[version]
  return (
    code !== 'protocol-bridge-level' || (name === own.name && level === (own.level | 0x80) && level < 0x85)
  )
})

/** Decodes with relaxed rules, and expects the same from `decode` and from a decoder. */
async function accept(
  { bytes, version, type, options: { allow: more = [] } }: Rule,
  allow: readonly string[],
) {
  const options = { ...accepting(version, [...allow, ...more]), protocolVersion: versions[version].level }
  const isLater = isNameless(type)
  const first = isLater ? packet(connect('02 K % A'), version).bytes : Buffer.alloc(0)
  const all = Buffer.concat([first, bytes])
  const { packets, error } = await decodeStream(all, { ...options, connection: isLater })
  if (error !== undefined) throw error
  const found = decode(bytes, options)
  expect(packets.at(-1)?.equals(found)).to.equal(true)
  expect(found.bytes.toString('hex')).to.equal(bytes.toString('hex'))
  if (!('toFields' in found)) throw new Error(`not decoded: ${found}`)
  return found
}

for (const code of relaxableCodes) {
  if (code === ofVersion) continue
  const rules = relaxed.filter((rule) => rule.code === code)

  describe(`allow: ${code}`, () => {
    it('accepts such packets, which read as they were sent', async () => {
      for (const rule of rules) {
        const { version, type, fields, reads } = rule
        const expected = { ...least(version, type), ...(fields ?? reads) }
        for (const allow of [[code], [...relaxableCodes]]) {
          const found = plain((await accept(rule, allow)).toFields())
          const bridge = code === 'protocol-bridge-level' ? { bridge: true } : {}
          expect(found).to.deep.equal(plain({ ...found, ...expected, ...bridge }))
        }
      }
    })

    it('does not accept them without the code, whichever others there are', async () => {
      const allow = [...relaxableCodes].filter((other) => other !== code && !other.startsWith('protocol-'))
      for (const rule of rules) await expectRefused({ ...rule, options: { ...rule.options, allow } })
    })

    it('does not relax constructors', async () => {
      for (const rule of rules) {
        const found = await accept(rule, [code])
        const rebuild = () => build(rule.version, rule.type, found.toFields())
        // Examples that break two rules have no fields of their own.
        if (rule.fields !== undefined || rule.options.allow !== undefined) {
          expect(rebuild, rule.bytes.toString('hex')).to.throw(MqttError).with.property('code', code)
        } else {
          expect(plain(rebuild().toFields())).to.deep.equal(plain(found.toFields()))
        }
      }
    })
  })
}

describe('allow', () => {
  it('takes no other code', () => {
    const strict = (Object.keys(errorTable) as ErrorCode[]).filter(
      (code) => !relaxableCodes.has(code as RelaxableCode),
    )
    expect(strict.length + relaxableCodes.size).to.equal(Object.keys(errorTable).length)
    for (const code of strict) {
      expect(() => decode(Buffer.from('c000', 'hex'), { allow: [code as RelaxableCode] }))
        .to.throw(TypeError, `allow: ${code}: `)
        .with.property('code', 'ERR_INVALID_ARG_VALUE')
    }
  })

  it('relaxes several rules at once, and only those that it names', () => {
    const { bytes } = packet(connect('21 K 0000'), 'v3_1_1')
    const named = ['connect-flags-reserved', 'will-retain-without-will', 'client-id-empty'] as const
    expect(decode(bytes, { allow: named })).to.have.property('clientId', '')
    for (const missing of named) {
      const allow = named.filter((code) => code !== missing)
      expect(() => decode(bytes, { allow }))
        .to.throw(MqttError)
        .with.property('code', missing)
    }
  })

  it('of a missing method does not hide that only a server sends the code of an AUTH without a body', () => {
    const allow = ['authentication-method-missing'] as const
    const bytes = Buffer.from('f000', 'hex')
    expect(decode(bytes, { protocolVersion: 5, allow, from: 'server' })).to.have.property('reasonCode', 0)
    expect(() => decode(bytes, { protocolVersion: 5, allow, from: 'client' }))
      .to.throw(MqttError)
      .that.includes({ code: 'wrong-sender', clause: 'MQTT-3.15.2-1', field: 'reasonCode', offset: 1 })
  })

  it('of a wildcard does not hide invalid UTF-8 after it', () => {
    const { bytes, mark } = packet(connect('06 K A 0002 2b>ff A'), 'v3_1_1')
    expect(() => decode(bytes, { allow: ['will-topic-wildcard'] }))
      .to.throw(MqttError)
      .that.includes({ code: 'will-topic-not-utf8', offset: mark })
  })

  it('of an unknown version needs both codes for a bridge of MQTT 3.1', () => {
    const { bytes } = packet('10 L 0006 4d5149736470 83 02 K A', 'v3_1')
    const codeWith = (...allow: RelaxableCode[]) => {
      try {
        return decode(bytes, { allow }).type
      } catch (error) {
        return (error as MqttError).code
      }
    }
    expect(codeWith()).to.equal('protocol-bridge-level')
    expect(codeWith('protocol-mqtt-3-1')).to.equal('protocol-bridge-level')
    expect(codeWith('protocol-bridge-level')).to.equal('protocol-mqtt-3-1')
    expect(codeWith('protocol-mqtt-3-1', 'protocol-bridge-level')).to.equal(0x10)
  })
})
