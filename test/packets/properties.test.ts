import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { type Property, PropertyId, property, v5, type WillFields } from '../../lib/packets/index.ts'
import { decodeFields } from '../support/kinds.ts'
import { buildV5, decodeV5 } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse, expectRefusal, thrown } from '../support/thrown.ts'

type Name = keyof typeof property
type List = 'connect' | 'will' | 'connack'

const lists: readonly List[] = ['connect', 'will', 'connack']
const U32 = 0xffffffff

/** For each property: the lists that may contain it, and its smallest and largest values with their encoding. */
const examples: { readonly [One in Name]: readonly [readonly List[], ...(readonly [Property, string])[]] } = {
  sessionExpiryInterval: [
    ['connect', 'connack'],
    [property.sessionExpiryInterval(0), '11 00000000'],
    [property.sessionExpiryInterval(0x80000000), '11 80000000'],
    [property.sessionExpiryInterval(U32), '11 ffffffff'],
  ],
  receiveMaximum: [
    ['connect', 'connack'],
    [property.receiveMaximum(1), '21 0001'],
    [property.receiveMaximum(65535), '21 ffff'],
  ],
  maximumPacketSize: [
    ['connect', 'connack'],
    [property.maximumPacketSize(1), '27 00000001'],
    [property.maximumPacketSize(U32), '27 ffffffff'],
  ],
  topicAliasMaximum: [
    ['connect', 'connack'],
    [property.topicAliasMaximum(0), '22 0000'],
    [property.topicAliasMaximum(65535), '22 ffff'],
  ],
  requestResponseInformation: [
    ['connect'],
    [property.requestResponseInformation(0), '19 00'],
    [property.requestResponseInformation(1), '19 01'],
  ],
  requestProblemInformation: [
    ['connect'],
    [property.requestProblemInformation(0), '17 00'],
    [property.requestProblemInformation(1), '17 01'],
  ],
  userProperty: [
    ['connect', 'will', 'connack'],
    [property.userProperty('', ''), '26 0000 0000'],
    [property.userProperty('k', '€'), '26 0001 6b 0003 e282ac'],
  ],
  authenticationMethod: [
    ['connect', 'connack'],
    [property.authenticationMethod(''), '15 0000'],
    [property.authenticationMethod('é'), '15 0002 c3a9'],
  ],
  authenticationData: [
    ['connect', 'connack'],
    [property.authenticationData(''), '16 0000'],
    [property.authenticationData(new Uint8Array([0, 255])), '16 0002 00ff'],
  ],
  willDelayInterval: [
    ['will'],
    [property.willDelayInterval(0), '18 00000000'],
    [property.willDelayInterval(U32), '18 ffffffff'],
  ],
  payloadFormatIndicator: [
    ['will'],
    [property.payloadFormatIndicator(0), '01 00'],
    [property.payloadFormatIndicator(1), '01 01'],
  ],
  messageExpiryInterval: [
    ['will'],
    [property.messageExpiryInterval(0), '02 00000000'],
    [property.messageExpiryInterval(U32), '02 ffffffff'],
  ],
  contentType: [['will'], [property.contentType(''), '03 0000'], [property.contentType('a'), '03 0001 61']],
  responseTopic: [
    ['will'],
    [property.responseTopic('/'), '08 0001 2f'],
    [property.responseTopic('r/😀'), '08 0006 722f f09f9880'],
  ],
  correlationData: [
    ['will'],
    [property.correlationData(''), '09 0000'],
    [property.correlationData(Buffer.from([0x80])), '09 0001 80'],
  ],
  assignedClientIdentifier: [['connack'], [property.assignedClientIdentifier('a'), '12 0001 61']],
  serverKeepAlive: [
    ['connack'],
    [property.serverKeepAlive(0), '13 0000'],
    [property.serverKeepAlive(65535), '13 ffff'],
  ],
  responseInformation: [['connack'], [property.responseInformation('a'), '1a 0001 61']],
  serverReference: [['connack'], [property.serverReference('a'), '1c 0001 61']],
  reasonString: [['connack'], [property.reasonString('a'), '1f 0001 61']],
  maximumQos: [['connack'], [property.maximumQos(0), '24 00'], [property.maximumQos(1), '24 01']],
  retainAvailable: [
    ['connack'],
    [property.retainAvailable(0), '25 00'],
    [property.retainAvailable(1), '25 01'],
  ],
  wildcardSubscriptionAvailable: [['connack'], [property.wildcardSubscriptionAvailable(1), '28 01']],
  subscriptionIdentifierAvailable: [['connack'], [property.subscriptionIdentifierAvailable(1), '29 01']],
  sharedSubscriptionAvailable: [['connack'], [property.sharedSubscriptionAvailable(1), '2a 01']],
}

const names = Object.keys(examples) as Name[]
const method = property.authenticationMethod('m')

/** A packet with these properties in this list. */
function build(list: List, props: readonly Property[]): v5.ConnectPacket | v5.ConnackPacket {
  if (list === 'connack') return new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props })
  return buildV5(list === 'connect' ? { props } : { will: { topic: 't', message: '', props } })
}

/** Decodes the packet, and returns the properties of this list. */
function readBack(list: List, packet: v5.ConnectPacket | v5.ConnackPacket): readonly Property[] {
  const decoded = decodeFields(packet.bytes, 5) as v5.ConnectPacket
  return list === 'will' ? decoded.will!.props : decoded.props
}

describe('property', () => {
  it('has a factory for each property that a CONNECT, its will or a CONNACK may have', () => {
    expect(Object.keys(property).sort()).to.deep.equal([...names].sort())
  })

  for (const name of names) {
    const [allowed, ...values] = examples[name]
    const item = values[0]![0]
    const isUserProperty = name === 'userProperty'

    it(`${name} is encoded and read back at both ends of its range`, () => {
      for (const [one, wire] of values) {
        expect(one.id).to.equal(PropertyId[name])
        for (const list of allowed) {
          const packet = build(list, name === 'authenticationData' ? [one, method] : [one])
          expect(packet.bytes.includes(hex(wire)), wire).to.equal(true)
          expect(readBack(list, packet)[0]).to.deep.equal(one)
        }
      }
    })

    it(`${name} may occur ${isUserProperty ? 'any number of times' : 'once'}, in ${allowed.join(' and ')} only`, () => {
      for (const list of lists) {
        const field = `${list === 'will' ? 'will.props' : 'props'}.${name}`
        const twice = [item, item, method].slice(0, name === 'authenticationData' ? 3 : 2)
        const code = list === 'will' ? 'will-property-twice' : 'property-twice'
        if (!allowed.includes(list))
          expectRefusal(() => build(list, [item]), 'property-not-allowed-here', field)
        else if (isUserProperty) expect(readBack(list, build(list, twice))).to.deep.equal(twice)
        else expectRefusal(() => build(list, twice), code, field)
      }
    })

    it(`${name} of the wrong type, or out of range, is misuse`, () => {
      const make = property[name] as (...values: unknown[]) => Property
      for (const wrong of [undefined, null, true, {}, []]) {
        const error = thrown(() => make(wrong, wrong))
        expect(error).to.have.property('code', 'ERR_INVALID_ARG_TYPE')
        expect(error.message).to.match(new RegExp(`^(will\\.)?props\\.${name}: must be `))
      }
      const long = 'é'.repeat(32768)
      const tooLarge = typeof item.value === 'number' ? [-1, U32 + 1, 0.5, Number.NaN] : [long]
      for (const wrong of tooLarge) {
        expect(thrown(() => make(wrong, ''))).to.have.property('code', 'ERR_OUT_OF_RANGE')
        expect(thrown(() => make(wrong, wrong))).to.be.instanceOf(RangeError)
      }
    })
  }

  it('makes plain objects, which may be written out instead', () => {
    const props = [
      { id: 0x21, value: 5 },
      { id: 0x26, key: 'k', value: 'v' },
    ] as const
    expect([property.receiveMaximum(5), property.userProperty('k', 'v')]).to.deep.equal(props)
    expect(buildV5({ props }).props).to.deep.equal(props)
  })

  it('gives binary data as a Buffer, from a string or from bytes, and refuses lone surrogates', () => {
    const fromText = property.correlationData('é')
    const fromBytes = property.correlationData(new Uint8Array([0xc3, 0xa9]))
    expect(Buffer.isBuffer(fromText.value) && Buffer.isBuffer(fromBytes.value)).to.equal(true)
    expect(fromText).to.deep.equal(fromBytes)
    const make = () => property.authenticationData('\ud800')
    expectMisuse(make, 'ERR_INVALID_ARG_VALUE', 'props.authenticationData')
  })
})

describe('the order of properties', () => {
  it('is kept, among properties of all kinds and among equal user properties', () => {
    const props = [
      property.userProperty('b', '1'),
      property.authenticationData('d'),
      property.userProperty('a', '2'),
      property.topicAliasMaximum(0),
      property.userProperty('b', '1'),
      property.authenticationMethod('m'),
      property.userProperty('b', '0'),
      property.sessionExpiryInterval(1),
      property.userProperty('', ''),
    ]
    for (const order of [props, props.toReversed()]) {
      expect(readBack('connect', build('connect', order))).to.deep.equal(order)
      expect(readBack('connack', build('connack', order))).to.deep.equal(order)
    }
  })
})

describe('authentication data', () => {
  const allow = ['variable-byte-integer-not-shortest'] as const
  const code = 'authentication-data-without-method'

  it('needs a method before or after it', () => {
    const data = property.authenticationData('d')
    for (const list of ['connect', 'connack'] as const) {
      expect(readBack(list, build(list, [method, data]))).to.have.lengthOf(2)
      expect(readBack(list, build(list, [data, method]))).to.have.lengthOf(2)
      expectRefusal(() => build(list, [data]), code, 'props.authenticationData')
    }
  })

  it('needs a method also if its identifier is not in the shortest form, where that is allowed', () => {
    for (const data of ['96000001 64', '9680000001 64', '9680800000 01 64']) {
      const withProps = (props: string) => {
        const body = `0004 4d515454 05 02 0000 ${hex(props).length.toString(16).padStart(2, '0')} ${props} 0001 63`
        return hex(`10 ${hex(body).length.toString(16)} ${body}`)
      }
      expectRefusal(() => decodeV5(withProps(data)), allow[0], 'props.authenticationData', 13)
      expectRefusal(() => decodeFields(withProps(data), 5, allow), code, 'props.authenticationData', 13)
      const packet = decodeFields(withProps(`${data} 15 0001 6d`), 5, allow)
      expect(packet.property(PropertyId.authenticationData)).to.deep.equal(Buffer.from('d'))
      expect(JSON.stringify(packet)).to.include('"authenticationData","redacted":true}')
    }
  })
})

describe('property() and userProperties()', () => {
  const props = [
    property.userProperty('a', '1'),
    property.receiveMaximum(7),
    property.userProperty('b', '2'),
    property.userProperty('a', '3'),
    property.topicAliasMaximum(0),
  ]
  const will: WillFields = {
    topic: 't',
    message: 'm',
    props: [property.contentType('x'), ...props.slice(0, 1)],
  }

  for (const packet of [
    build('connect', props),
    build('connack', props),
    decodeV5(buildV5({ props, will }).bytes),
  ]) {
    it(`read the properties of a ${packet.constructor.name}`, () => {
      expect(packet.property(PropertyId.receiveMaximum)).to.equal(7)
      expect(packet.property(PropertyId.topicAliasMaximum)).to.equal(0)
      expect(packet.property(PropertyId.maximumPacketSize)).to.equal(undefined)
      expect(packet.userProperties('a')).to.deep.equal(['1', '3'])
      expect([packet.userProperties('c'), packet.userProperties('')]).to.deep.equal([[], []])
      const misused = () => packet.property(PropertyId.userProperty as never)
      expectMisuse(misused, 'ERR_INVALID_ARG_VALUE', 'id')
      expectMisuse(() => packet.property('receiveMaximum' as never), 'ERR_INVALID_ARG_TYPE', 'id')
      expectMisuse(() => packet.userProperties(undefined as never), 'ERR_INVALID_ARG_TYPE', 'key')
    })
  }

  it('read the properties of a will', () => {
    const decoded = decodeV5(buildV5({ props, will }).bytes).will!
    expect(decoded.property(PropertyId.contentType)).to.equal('x')
    expect(decoded.property(PropertyId.willDelayInterval)).to.equal(undefined)
    expect(decoded.userProperties('a')).to.deep.equal(['1'])
  })
})
