import { expect } from 'chai'
import fc from 'fast-check'
import mqttPacket, { type IAuthPacket, type IDisconnectPacket } from 'mqtt-packet'
import {
  type AuthInput,
  type AuthObject,
  type DisconnectInput,
  type DisconnectObject,
  fromMqttPacket,
  toMqttPacket,
} from '../../lib/interop/mqtt-packet.ts'
import { type Property, property, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { authFieldsV5, disconnectFieldsV5, runs, usual } from '../support/arbitraries.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'
import { parsed } from './mqtt-packet.ts'

/* Compares AUTH and DISCONNECT in mqtt-packet's shape with mqtt-packet itself. */

/**
 * True if the object can keep the properties' order. It can't if user properties are mixed with others or repeat a key, or if a
 * key begins with a digit.
 */
function isKept(props: readonly Property[] = []): boolean {
  const keys = props.flatMap((one) => ('key' in one ? [one.key] : []))
  const first = props.findIndex((one) => 'key' in one)
  if (first >= 0 && props.slice(first, first + keys.length).some((one) => !('key' in one))) return false
  return new Set(keys).size === keys.length && !keys.some((key) => /^\d/.test(key))
}

const disconnect = disconnectFieldsV5
  .filter(({ props }) => isKept(props))
  .map((fields) => new v5.DisconnectPacket(fields))
const auth = authFieldsV5.filter(({ props }) => isKept(props)).map((fields) => new v5.AuthPacket(fields))

/** The object without prototypes and classes, for comparisons. */
function plain(object: object): object {
  return { ...structuredClone({ ...object }) }
}

describe('toMqttPacket', () => {
  for (const [name, packets] of [
    ['AUTH', auth],
    ['DISCONNECT', disconnect],
  ] as const) {
    it(`gives the object that mqtt-packet reads in the bytes of a 5.0 ${name}, member by member`, () => {
      fc.assert(
        fc.property(packets as fc.Arbitrary<v5.AuthPacket | v5.DisconnectPacket>, (packet) => {
          const theirs = parsed(packet.bytes, 5)
          const ours = toMqttPacket(packet)
          expect(plain(ours)).to.deep.equal(plain(theirs))
          expect(Object.keys(ours)).to.deep.equal(Object.keys({ ...theirs }))
        }),
        { ...runs, numRuns: usual(200) },
      )
    })

    it(`and fromMqttPacket gives the ${name} again, byte by byte`, () => {
      fc.assert(
        fc.property(packets as fc.Arbitrary<v5.AuthPacket | v5.DisconnectPacket>, (packet) => {
          const options = { protocolVersion: 5 } as const
          for (const object of [
            toMqttPacket(packet),
            parsed(packet.bytes, 5) as AuthInput | DisconnectInput,
          ]) {
            expect(fromMqttPacket(object, options).bytes.toString('hex')).to.equal(
              packet.bytes.toString('hex'),
            )
          }
        }),
        { ...runs, numRuns: usual(200) },
      )
    })
  }

  it('gives the object of a DISCONNECT before 5.0, which has no members of its own', () => {
    for (const [packet, level] of [
      [new v3_1.DisconnectPacket(), 3],
      [new v3_1_1.DisconnectPacket(), 4],
    ] as const) {
      const object = toMqttPacket(packet)
      expect(plain(object)).to.deep.equal(plain(parsed(packet.bytes, level)))
      const again = fromMqttPacket(object, { protocolVersion: level })
      expect(again.constructor).to.equal(packet.constructor)
      expect(again.equals(packet)).to.equal(true)
    }
  })
})

describe('fromMqttPacket', () => {
  it('gives the bytes that mqtt-packet writes for an AUTH', () => {
    const data = Buffer.from('client-first')
    for (const input of [
      { cmd: 'auth', reasonCode: 0x18, properties: { authenticationMethod: 'm', authenticationData: data } },
      { cmd: 'auth', reasonCode: 0x19, properties: { authenticationMethod: 'm', reasonString: 'r' } },
      {
        cmd: 'auth',
        reasonCode: 0,
        properties: { authenticationMethod: '', userProperties: { a: 'b', c: ['d', 'e'] } },
      },
    ] satisfies AuthInput[]) {
      const theirs = mqttPacket.generate(input as IAuthPacket, { protocolVersion: 5 })
      expect(fromMqttPacket(input).bytes).to.deep.equal(theirs)
    }
  })

  it('gives the bytes that mqtt-packet writes for a DISCONNECT with properties', () => {
    for (const input of [
      {
        cmd: 'disconnect',
        reasonCode: 0x8b,
        properties: { reasonString: 'maintenance', serverReference: 'other' },
      },
      {
        cmd: 'disconnect',
        reasonCode: 4,
        properties: { sessionExpiryInterval: 60, userProperties: { a: 'b' } },
      },
    ] satisfies DisconnectInput[]) {
      const theirs = mqttPacket.generate(input as IDisconnectPacket, { protocolVersion: 5 })
      expect(fromMqttPacket(input).bytes).to.deep.equal(theirs)
    }
  })

  it('leaves out what is not needed: mqtt-packet writes the reason code 0, and a property length without properties', () => {
    for (const [input, ours, theirs] of [
      [{ cmd: 'disconnect', reasonCode: 0 }, 'e000', 'e0020000'],
      [{ cmd: 'disconnect', reasonCode: 0x8b }, 'e0018b', 'e0028b00'],
    ] as const) {
      expect(fromMqttPacket(input).bytes.toString('hex')).to.equal(ours)
      const bytes = mqttPacket.generate(input as IDisconnectPacket, { protocolVersion: 5 })
      expect(bytes.toString('hex')).to.equal(theirs)
    }
  })

  it('takes a DISCONNECT with a reason code or properties as 5.0, and one without as 3.1.1', () => {
    expect(fromMqttPacket({ cmd: 'disconnect' })).to.be.instanceOf(v3_1_1.DisconnectPacket)
    expect(fromMqttPacket({ cmd: 'disconnect' }, { protocolVersion: 3 })).to.be.instanceOf(
      v3_1.DisconnectPacket,
    )
    expect(fromMqttPacket({ cmd: 'disconnect' }, { protocolVersion: 5 })).to.be.instanceOf(
      v5.DisconnectPacket,
    )
    expect(fromMqttPacket({ cmd: 'disconnect', reasonCode: 0 })).to.be.instanceOf(v5.DisconnectPacket)
    const input = { cmd: 'disconnect', properties: { reasonString: 'r' } } as const
    expect(
      fromMqttPacket(input).equals(new v5.DisconnectPacket({ props: [property.reasonString('r')] })),
    ).to.equal(true)
  })

  it('refuses what the standard forbids, with the error of decoding', () => {
    const props = { authenticationMethod: 'm' }
    const action = (input: AuthInput | DisconnectInput) => () => fromMqttPacket(input)
    expectRefusal(action({ cmd: 'auth', reasonCode: 1, properties: props }), 'auth-code', 'reasonCode', 2)
    expectRefusal(
      action({ cmd: 'auth', reasonCode: 0x18 }),
      'authentication-method-missing',
      'propertyLength',
      3,
    )
    expectRefusal(action({ cmd: 'disconnect', reasonCode: 1 }), 'disconnect-code', 'reasonCode', 2)
    const foreign = { cmd: 'disconnect', properties: { contentType: 'text/plain' } } as DisconnectInput
    expectRefusal(action(foreign), 'property-not-allowed-here', 'props.contentType')
  })

  it('refuses misuse', () => {
    const auth = { cmd: 'auth', reasonCode: 0x18, properties: { authenticationMethod: 'm' } } as const
    expectMisuse(
      () => fromMqttPacket(auth, { protocolVersion: 4 }),
      'ERR_INVALID_ARG_VALUE',
      'options.protocolVersion',
    )
    expectMisuse(() => fromMqttPacket({ cmd: 'auth' } as never), 'ERR_INVALID_ARG_TYPE', 'reasonCode')
    expect(() => fromMqttPacket({ ...auth, clientId: 'c' } as never))
      .to.throw(TypeError, "Unknown field 'clientId'")
      .with.property('code', 'ERR_INVALID_ARG_VALUE')
    const late = { cmd: 'disconnect', reasonCode: 0 } as const
    expectMisuse(() => fromMqttPacket(late, { protocolVersion: 4 }), 'ERR_INVALID_ARG_VALUE', 'reasonCode')
    const absent = { cmd: 'disconnect', reasonCode: null } as const
    expectMisuse(() => fromMqttPacket(absent as never), 'ERR_INVALID_ARG_TYPE', 'reasonCode')
    const withProps = { cmd: 'disconnect', properties: { reasonString: 'r' } } as const
    expectMisuse(
      () => fromMqttPacket(withProps, { protocolVersion: 4 }),
      'ERR_INVALID_ARG_VALUE',
      'properties',
    )
  })
})

describe('the types of AUTH and DISCONNECT', () => {
  it('fit those of mqtt-packet in both directions', () => {
    type Fits<One, Other> = One extends Other ? true : false
    type Names<Of extends { properties?: unknown }> = keyof NonNullable<Of['properties']>
    const all: [
      Fits<AuthObject, IAuthPacket>,
      Fits<DisconnectObject, IDisconnectPacket>,
      Fits<IAuthPacket, AuthInput>,
      Fits<IDisconnectPacket, DisconnectInput>,
      Fits<AuthObject, AuthInput>,
      Fits<DisconnectObject, DisconnectInput>,
      Fits<Names<IAuthPacket>, Names<AuthObject>>,
      Fits<Names<IDisconnectPacket>, Names<DisconnectObject>>,
    ] = [true, true, true, true, true, true, true, true]
    expect(all).not.to.include(false)
  })
})
