import { expect } from 'chai'
import { decode, type MqttError, property, v3_1_1, v5, Will } from '../../lib/index.ts'
import { encodeUnchecked } from '../../lib/testing/index.ts'
import { type Rule, versions } from '../conformance/rule.ts'
import { allRules } from '../conformance/rules/index.ts'
import { classOf, least, waysOf } from '../conformance/ways.ts'
import { expectMisuse } from '../support/thrown.ts'

/** Encodes a rule's fields without checking them. */
function unchecked({ version, type, fields }: Rule): Buffer {
  return encodeUnchecked(classOf(version, type) as unknown as typeof v5.ConnackPacket, {
    ...(least(version, type) as v5.ConnackPacketFields),
    ...fields,
  })
}

describe('encodeUnchecked', () => {
  it('writes the bytes of every rule that fields can break', () => {
    const rules = allRules.filter((rule) => waysOf(rule).includes('constructor') && !rule.options.allow)
    for (const rule of rules) {
      // An unknown property has no known encoding.
      if (rule.code !== 'property-unknown') {
        expect(unchecked(rule).toString('hex'), rule.what).to.equal(rule.bytes.toString('hex'))
      }
      const options = { protocolVersion: versions[rule.version].level }
      expect(() => decode(unchecked(rule), options))
        .to.throw()
        .with.property('code', rule.code)
    }
    expect(rules).to.have.lengthOf.above(200)
  })

  it('writes valid packets as their constructor does', () => {
    const fields = {
      cleanStart: true,
      keepAlive: 60,
      clientId: 'sensor-0042',
      will: new Will({ topic: 't', message: Buffer.from('m'), qos: 1 }),
      props: [property.receiveMaximum(10)],
    } as const
    expect(encodeUnchecked(v5.ConnectPacket, fields)).to.deep.equal(new v5.ConnectPacket(fields).bytes)
  })

  it('writes packets that are too large for shared memory', () => {
    const clientId = `${'a'.repeat(20_000)}\0`
    const bytes = encodeUnchecked(v3_1_1.ConnectPacket, { cleanSession: true, keepAlive: 0, clientId })
    expect(bytes.toString('utf8').endsWith(clientId)).to.equal(true)
  })

  it('accepts numbers that the types of a packet exclude', () => {
    const bytes = encodeUnchecked(v5.ConnackPacket, { sessionPresent: false, reasonCode: 0x01 })
    expect(bytes.toString('hex')).to.equal('2003000100')
  })

  it('refuses fields that cannot be written, as the constructor does', () => {
    const fields = { cleanStart: true, keepAlive: 60, clientId: 'c' }
    const encode = (changes: object) => () => encodeUnchecked(v5.ConnectPacket, { ...fields, ...changes })
    expectMisuse(encode({ keepAlive: 65_536 }), 'ERR_OUT_OF_RANGE', 'keepAlive')
    expectMisuse(encode({ clientId: 1 }), 'ERR_INVALID_ARG_TYPE', 'clientId')
    expectMisuse(encode({ clientid: 'c' }), 'ERR_INVALID_ARG_VALUE', "Unknown field 'clientid'")
  })

  it('shows none of the bytes in the error of a constructor', () => {
    try {
      new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'a\0', password: 'secret' })
      expect.fail('accepted')
    } catch (error) {
      expect(Reflect.ownKeys(error as MqttError)).not.to.include('bytes')
    }
  })
})
