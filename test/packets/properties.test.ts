import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { type Property, PropertyId, property } from '../../lib/packets/index.ts'
import { buildV5, decodeV5 } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse, expectRefusal, thrown } from '../support/thrown.ts'

type Name = keyof typeof property
type Place = 'connect' | 'will'

interface Example {
  readonly name: Name
  readonly id: number
  readonly place: Place
  /** The property made by its factory, with its encoding. */
  readonly values: readonly (readonly [Property, string])[]
}

const U32 = 0xffffffff

/** The properties of MQTT 5.0 section 2.2.2.2, with values at the edges of each type. */
const examples: readonly Example[] = [
  {
    name: 'sessionExpiryInterval',
    id: 0x11,
    place: 'connect',
    values: [
      [property.sessionExpiryInterval(0), '11 00000000'],
      [property.sessionExpiryInterval(U32), '11 ffffffff'],
    ],
  },
  {
    name: 'receiveMaximum',
    id: 0x21,
    place: 'connect',
    values: [
      [property.receiveMaximum(1), '21 0001'],
      [property.receiveMaximum(65535), '21 ffff'],
    ],
  },
  {
    name: 'maximumPacketSize',
    id: 0x27,
    place: 'connect',
    values: [
      [property.maximumPacketSize(1), '27 00000001'],
      [property.maximumPacketSize(U32), '27 ffffffff'],
    ],
  },
  {
    name: 'topicAliasMaximum',
    id: 0x22,
    place: 'connect',
    values: [
      [property.topicAliasMaximum(0), '22 0000'],
      [property.topicAliasMaximum(65535), '22 ffff'],
    ],
  },
  {
    name: 'requestResponseInformation',
    id: 0x19,
    place: 'connect',
    values: [
      [property.requestResponseInformation(0), '19 00'],
      [property.requestResponseInformation(1), '19 01'],
    ],
  },
  {
    name: 'requestProblemInformation',
    id: 0x17,
    place: 'connect',
    values: [
      [property.requestProblemInformation(0), '17 00'],
      [property.requestProblemInformation(1), '17 01'],
    ],
  },
  {
    name: 'userProperty',
    id: 0x26,
    place: 'connect',
    values: [
      [property.userProperty('', ''), '26 0000 0000'],
      [property.userProperty('k', '€'), '26 0001 6b 0003 e282ac'],
    ],
  },
  {
    name: 'authenticationMethod',
    id: 0x15,
    place: 'connect',
    values: [
      [property.authenticationMethod(''), '15 0000'],
      [property.authenticationMethod('é'), '15 0002 c3a9'],
    ],
  },
  {
    name: 'authenticationData',
    id: 0x16,
    place: 'connect',
    values: [
      [property.authenticationData(''), '16 0000'],
      [property.authenticationData(new Uint8Array([0, 255])), '16 0002 00ff'],
    ],
  },
  {
    name: 'willDelayInterval',
    id: 0x18,
    place: 'will',
    values: [
      [property.willDelayInterval(0), '18 00000000'],
      [property.willDelayInterval(U32), '18 ffffffff'],
    ],
  },
  {
    name: 'payloadFormatIndicator',
    id: 0x01,
    place: 'will',
    values: [
      [property.payloadFormatIndicator(0), '01 00'],
      [property.payloadFormatIndicator(1), '01 01'],
    ],
  },
  {
    name: 'messageExpiryInterval',
    id: 0x02,
    place: 'will',
    values: [
      [property.messageExpiryInterval(0), '02 00000000'],
      [property.messageExpiryInterval(U32), '02 ffffffff'],
    ],
  },
  {
    name: 'contentType',
    id: 0x03,
    place: 'will',
    values: [
      [property.contentType(''), '03 0000'],
      [property.contentType('a'), '03 0001 61'],
    ],
  },
  {
    name: 'responseTopic',
    id: 0x08,
    place: 'will',
    values: [
      [property.responseTopic('/'), '08 0001 2f'],
      [property.responseTopic('r/😀'), '08 0006 722f f09f9880'],
    ],
  },
  {
    name: 'correlationData',
    id: 0x09,
    place: 'will',
    values: [
      [property.correlationData(''), '09 0000'],
      [property.correlationData(Buffer.from([0x80])), '09 0001 80'],
    ],
  },
]

const method = property.authenticationMethod('m')

/** Puts a property where it belongs, and reads it back from the bytes. */
function roundTrip(place: Place, item: Property): { bytes: Buffer; read: Property } {
  const needsMethod = item.id === PropertyId.authenticationData
  const props = needsMethod ? [item, method] : [item]
  const packet = buildV5(place === 'connect' ? { props } : { will: { topic: 't', message: '', props } })
  const decoded = decodeV5(packet.bytes)
  const read = (place === 'connect' ? decoded.props : decoded.will!.props)[0]!
  return { bytes: packet.bytes, read }
}

describe('property', () => {
  it('has a factory for the fifteen properties of a CONNECT and no other', () => {
    expect(Object.keys(property).sort()).to.deep.equal(examples.map(({ name }) => name).sort())
  })

  for (const { name, id, place, values } of examples) {
    it(`${name} has the id of the standard`, () => {
      expect(PropertyId[name]).to.equal(id)
      for (const [item] of values) expect(item.id).to.equal(id)
    })

    it(`${name} goes through the bytes unchanged at both ends of its range`, () => {
      for (const [item, encoded] of values) {
        const { bytes, read } = roundTrip(place, item)
        expect(bytes.includes(hex(encoded)), `${encoded} in ${bytes.toString('hex')}`).to.equal(true)
        expect(read).to.deep.equal(item)
      }
    })

    const both = name === 'userProperty'
    const [here, there] = place === 'connect' ? ['CONNECT', 'a will'] : ['a will', 'CONNECT']

    it(`${name} may stand in ${both ? `${here} and in ${there}` : `${here}, not in ${there}`}`, () => {
      const other = place === 'connect' ? 'will' : 'connect'
      const item = values[0]![0]
      const field = `${other === 'will' ? 'will.props' : 'props'}.${name}`
      if (both) expect(roundTrip(other, item).read).to.deep.equal(item)
      else expectRefusal(() => roundTrip(other, item), 'property-not-allowed-here', field)
    })

    it(`${name} may stand ${both ? 'any number of times' : 'once'}`, () => {
      const twice = values.map(([item]) => item)
      const props = name === 'authenticationData' ? [method, ...twice] : twice
      const build = () =>
        buildV5(place === 'connect' ? { props } : { will: { topic: 't', message: '', props } })
      if (both) expect(decodeV5(build().bytes).props).to.deep.equal(props)
      else if (place === 'connect') expectRefusal(build, 'property-twice', `props.${name}`)
      else expectRefusal(build, 'will-property-twice', `will.props.${name}`)
    })
  }

  it('takes a plain object for what a factory makes', () => {
    const props = [
      { id: 0x21, value: 5 },
      { id: 0x26, key: 'k', value: 'v' },
    ] as const
    expect(
      buildV5({ props }).equals(
        buildV5({ props: [property.receiveMaximum(5), property.userProperty('k', 'v')] }),
      ),
    ).to.equal(true)
  })

  it('gives binary data as a Buffer, from a string or from bytes', () => {
    const fromText = property.correlationData('é')
    const fromBytes = property.correlationData(new Uint8Array([0xc3, 0xa9]))
    expect(Buffer.isBuffer(fromText.value) && Buffer.isBuffer(fromBytes.value)).to.equal(true)
    expect(fromText).to.deep.equal(fromBytes)
  })
})

describe('four byte properties', () => {
  for (const value of [0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]) {
    it(`keep ${value} as an unsigned number`, () => {
      const packet = decodeV5(
        buildV5({
          props: [property.sessionExpiryInterval(value), property.maximumPacketSize(value)],
          will: {
            topic: 't',
            message: '',
            props: [property.willDelayInterval(value), property.messageExpiryInterval(value)],
          },
        }).bytes,
      )
      const values = [...packet.props, ...packet.will!.props].map((item) => item.value)
      expect(values).to.deep.equal([value, value, value, value])
    })
  }
})

describe('the order of properties', () => {
  it('is kept for user properties with equal keys and equal pairs', () => {
    const pairs = [
      ['b', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '0'],
      ['', ''],
      ['a', ''],
    ] as const
    const props = pairs.map(([key, value]) => property.userProperty(key, value))
    const packet = decodeV5(buildV5({ props, will: { topic: 't', message: '', props } }).bytes)
    expect(packet.props).to.deep.equal(props)
    expect(packet.will?.props).to.deep.equal(props)
  })

  it('is kept among properties of all kinds, whichever comes first', () => {
    const props = [
      property.userProperty('z', '1'),
      property.authenticationData('d'),
      property.topicAliasMaximum(0),
      property.userProperty('a', '2'),
      property.authenticationMethod('m'),
      property.sessionExpiryInterval(1),
    ]
    for (const order of [props, props.toReversed()]) {
      expect(decodeV5(buildV5({ props: order }).bytes).props).to.deep.equal(order)
    }
  })
})

describe('property factories refuse misuse', () => {
  const bad = (name: Name, ...values: unknown[]) =>
    (property[name] as (...values: unknown[]) => Property)(...values)

  for (const { name } of examples) {
    it(`${name} of the wrong type`, () => {
      for (const wrong of [undefined, null, true, {}, []]) {
        const error = thrown(() => bad(name, wrong, wrong))
        expect(error, `${error}`)
          .to.be.instanceOf(TypeError)
          .and.to.have.property('code', 'ERR_INVALID_ARG_TYPE')
        expect(error.message).to.include(`${name}: expected `)
      }
    })
  }

  for (const [name, max] of [
    ['sessionExpiryInterval', U32],
    ['receiveMaximum', 65535],
    ['maximumPacketSize', U32],
    ['topicAliasMaximum', 65535],
    ['requestResponseInformation', 255],
    ['requestProblemInformation', 255],
    ['willDelayInterval', U32],
    ['payloadFormatIndicator', 255],
    ['messageExpiryInterval', U32],
  ] as const) {
    it(`${name} that does not fit its type`, () => {
      const { place } = examples.find((example) => example.name === name)!
      const path = `${place === 'connect' ? 'props' : 'will.props'}.${name}`
      for (const wrong of [-1, max + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -(2 ** 32)]) {
        expectMisuse(() => bad(name, wrong), 'ERR_OUT_OF_RANGE', path)
      }
    })
  }

  it('strings and binary data of over 65,535 bytes', () => {
    const long = 'é'.repeat(32768)
    expectMisuse(() => property.authenticationMethod(long), 'ERR_OUT_OF_RANGE', 'props.authenticationMethod')
    expectMisuse(() => property.userProperty(long, ''), 'ERR_OUT_OF_RANGE', 'props.userProperty')
    expectMisuse(() => property.userProperty('', long), 'ERR_OUT_OF_RANGE', 'props.userProperty')
    expectMisuse(() => property.correlationData(long), 'ERR_OUT_OF_RANGE', 'will.props.correlationData')
    expectMisuse(() => property.contentType(long), 'ERR_OUT_OF_RANGE', 'will.props.contentType')
  })

  it('binary data with a lone surrogate', () => {
    expectMisuse(
      () => property.authenticationData('\ud800'),
      'ERR_INVALID_ARG_VALUE',
      'props.authenticationData',
    )
  })
})
