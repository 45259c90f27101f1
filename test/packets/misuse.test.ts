import { expect } from 'chai'
import { v3_1, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { buildV3, buildV3_1, buildV5, decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'

const long = 'é'.repeat(32768)
const longBytes = new Uint8Array(65536)
const integers = [-1, 65536, 1.5, Number.NaN, Number.POSITIVE_INFINITY]
const will = { topic: 't', message: 'm' }

interface Case {
  /** Path of the field. Its values replace the field itself. */
  readonly field: string
  /** Each causes a TypeError with ERR_INVALID_ARG_TYPE. */
  readonly wrongType: readonly unknown[]
  /** Each causes a RangeError with ERR_OUT_OF_RANGE. */
  readonly outOfRange: readonly unknown[]
  /** Each causes an MqttError: the value, the code, and the field in the error if it's a different one. */
  readonly invalid: readonly (readonly [unknown, string, string?])[]
}

/** Refused in the same way by both versions. */
const common: readonly Case[] = [
  {
    field: 'keepAlive',
    wrongType: [undefined, null, '60', true, 60n, {}, new Date()],
    outOfRange: integers,
    invalid: [],
  },
  {
    field: 'clientId',
    wrongType: [undefined, null, 42, new Uint8Array(1), {}, ['c']],
    outOfRange: [long],
    invalid: [
      ['a\0b', 'client-id-nul'],
      ['\ud800', 'client-id-not-utf8'],
      ['a\udfff', 'client-id-not-utf8'],
    ],
  },
  {
    field: 'userName',
    wrongType: [null, 42, new Uint8Array(1), {}, false],
    outOfRange: [long],
    invalid: [
      ['\0', 'user-name-nul'],
      ['u\ud83d', 'user-name-not-utf8'],
    ],
  },
  {
    field: 'password',
    wrongType: [null, 42, {}, [1, 2], new Uint16Array(2), new ArrayBuffer(2)],
    outOfRange: [long, longBytes],
    invalid: [],
  },
  { field: 'will', wrongType: [null, 'topic', 1, true], outOfRange: [], invalid: [] },
  {
    field: 'will.topic',
    wrongType: [undefined, null, 42, new Uint8Array(1)],
    outOfRange: [long],
    invalid: [
      ['', 'will-topic-empty'],
      ['a/+', 'will-topic-wildcard'],
      ['#', 'will-topic-wildcard'],
      ['a\0', 'will-topic-nul'],
      ['\udc00', 'will-topic-not-utf8'],
    ],
  },
  {
    field: 'will.message',
    wrongType: [undefined, null, 42, {}, [1], new DataView(new ArrayBuffer(1))],
    outOfRange: [long, longBytes],
    invalid: [],
  },
  {
    field: 'will.qos',
    wrongType: [null, '1', true, {}],
    outOfRange: [-1, 4, 0.5, Number.NaN],
    invalid: [[3, 'will-qos', 'connectFlags']],
  },
  { field: 'will.retain', wrongType: [null, 0, 1, 'true', {}], outOfRange: [], invalid: [] },
]

const onlyV3: readonly Case[] = [
  { field: 'cleanSession', wrongType: [undefined, null, 0, 1, 'true'], outOfRange: [], invalid: [] },
  { field: 'bridge', wrongType: [null, 0, 1, 'true'], outOfRange: [], invalid: [] },
]

const onlyV5: readonly Case[] = [
  { field: 'cleanStart', wrongType: [undefined, null, 0, 1, 'true'], outOfRange: [], invalid: [] },
  {
    field: 'props',
    wrongType: [null, {}, 'x', 5, new Set(), [null], [undefined], [5], [{}], [{ id: '17', value: 1 }]],
    outOfRange: [[{ id: 128, value: 1 }], [{ id: -1, value: 1 }], [{ id: 1.5, value: 1 }]],
    invalid: [
      [[{ id: 0, value: 1 }], 'property-unknown'],
      [[{ id: 0x7f, value: 1 }], 'property-unknown'],
      [[{ id: 0x16, value: 'x' }], 'authentication-data-without-method', 'props.authenticationData'],
    ],
  },
  number('props', 'receiveMaximum', 0x21, 0xffff, [[0, 'receive-maximum-zero']]),
  number('props', 'sessionExpiryInterval', 0x11, 0xffffffff, []),
  number('props', 'maximumPacketSize', 0x27, 0xffffffff, [[0, 'maximum-packet-size-zero']]),
  number('props', 'topicAliasMaximum', 0x22, 0xffff, []),
  number('props', 'requestResponseInformation', 0x19, 0xff, [
    [2, 'request-response-information'],
    [255, 'request-response-information'],
  ]),
  number('props', 'requestProblemInformation', 0x17, 0xff, [[2, 'request-problem-information']]),
  text('props', 'authenticationMethod', 0x15, []),
  {
    field: 'props.authenticationData',
    wrongType: wrongItems(0x16, [null, undefined, 1, {}]),
    outOfRange: [[{ id: 0x16, value: long }]],
    invalid: [],
  },
  {
    field: 'props.userProperty',
    wrongType: [[{ id: 0x26, key: 'k' }], [{ id: 0x26, value: 'v' }], [{ id: 0x26, key: 1, value: 'v' }]],
    outOfRange: [[{ id: 0x26, key: long, value: '' }], [{ id: 0x26, key: '', value: long }]],
    invalid: [
      [[{ id: 0x26, key: '\0', value: '' }], 'user-property-nul'],
      [[{ id: 0x26, key: '', value: '\0' }], 'user-property-nul'],
      [[{ id: 0x26, key: '\ud800', value: '' }], 'user-property-not-utf8'],
      [[{ id: 0x26, key: '', value: '\ud800' }], 'user-property-not-utf8'],
    ],
  },
  {
    field: 'will.props',
    wrongType: [{}, 'x', 5, [null], [5], [{}]],
    outOfRange: [[{ id: 128, value: 1 }]],
    invalid: [[[{ id: 0x7f, value: 1 }], 'property-unknown']],
  },
  number('will.props', 'willDelayInterval', 0x18, 0xffffffff, []),
  number('will.props', 'payloadFormatIndicator', 0x01, 0xff, [[2, 'payload-format-indicator']]),
  number('will.props', 'messageExpiryInterval', 0x02, 0xffffffff, []),
  text('will.props', 'contentType', 0x03, []),
  text('will.props', 'responseTopic', 0x08, [
    ['', 'response-topic-empty'],
    ['a/+/b', 'response-topic-wildcard'],
    ['a/#', 'response-topic-wildcard'],
  ]),
  {
    field: 'will.props.correlationData',
    wrongType: wrongItems(0x09, [null, undefined, 1, {}]),
    outOfRange: [[{ id: 0x09, value: longBytes }]],
    invalid: [],
  },
]

function wrongItems(id: number, values: readonly unknown[]): unknown[] {
  return values.map((value) => [{ id, value }])
}

function number(place: string, name: string, id: number, max: number, invalid: [number, string][]): Case {
  return {
    field: `${place}.${name}`,
    wrongType: wrongItems(id, [undefined, null, '1', 1n, true, {}]),
    outOfRange: wrongItems(id, [-1, max + 1, 0.5, Number.NaN]),
    invalid: invalid.map(([value, code]) => [[{ id, value }], code] as const),
  }
}

function text(place: string, name: string, id: number, invalid: [string, string][]): Case {
  const always: [string, string][] = [
    ['a\0', 'property-nul'],
    ['a\ud800b', 'property-not-utf8'],
  ]
  return {
    field: `${place}.${name}`,
    wrongType: wrongItems(id, [undefined, null, 1, new Uint8Array(1), {}]),
    outOfRange: wrongItems(id, [long]),
    invalid: [...invalid, ...always].map(([value, code]) => [[{ id, value }], code] as const),
  }
}

type Build = (changes: object) => unknown

/** Sets the value at a path. A property is put into its list. */
function changesFor(path: string, value: unknown): object {
  const [first, second] = path.split('.') as [string, string?]
  return first === 'will' && second !== undefined
    ? { will: { ...will, [second]: value } }
    : { [first]: value }
}

for (const { name, level, Packet, build, cases } of [
  {
    name: 'v3_1',
    level: 3,
    Packet: v3_1.ConnectPacket,
    build: buildV3_1 as Build,
    cases: [...onlyV3, ...common],
  },
  {
    name: 'v3_1_1',
    level: 4,
    Packet: v3_1_1.ConnectPacket,
    build: buildV3 as Build,
    cases: [...onlyV3, ...common],
  },
  { name: 'v5', level: 5, Packet: v5.ConnectPacket, build: buildV5 as Build, cases: [...onlyV5, ...common] },
]) {
  describe(`${name}.ConnectPacket refuses`, () => {
    for (const { field, wrongType, outOfRange, invalid } of cases) {
      it(`a ${field} of the wrong type with a TypeError`, () => {
        for (const value of wrongType) {
          expectMisuse(() => build(changesFor(field, value)), 'ERR_INVALID_ARG_TYPE', field)
        }
      })

      if (outOfRange.length > 0) {
        it(`a ${field} out of range with a RangeError`, () => {
          for (const value of outOfRange) {
            expectMisuse(() => build(changesFor(field, value)), 'ERR_OUT_OF_RANGE', field)
          }
        })
      }

      if (invalid.length > 0) {
        it(`a ${field} with contents that MQTT forbids with an MqttError`, () => {
          for (const [value, code, named = field] of invalid) {
            const error = expectRefusal(() => build(changesFor(field, value)), code, named)
            expect(error.protocolVersion).to.equal(level)
          }
        })
      }
    }

    it('a password or will message with a lone surrogate with a TypeError, because no check would see it', () => {
      const code = 'ERR_INVALID_ARG_VALUE'
      expectMisuse(() => build({ userName: 'u', password: 'a\ud800' }), code, 'password')
      expectMisuse(() => build({ will: { ...will, message: '\udc00\ud800' } }), code, 'will.message')
    })

    it('anything but an object in place of its fields with a TypeError', () => {
      for (const fields of [undefined, null, 'fields', 7, true]) {
        expectMisuse(
          () => new (Packet as new (fields: never) => object)(fields as never),
          'ERR_INVALID_ARG_TYPE',
          'fields',
        )
      }
    })
  })
}

describe('will properties', () => {
  it('are refused in a will before 5.0, except for an empty list', () => {
    const props = [{ id: 3, value: 'json' }] as const
    for (const given of [{ ...will, props }, new Will({ ...will, props })]) {
      expectMisuse(() => buildV3({ will: given }), 'ERR_INVALID_ARG_VALUE', 'will.props')
    }
    expect(buildV3({ will: { ...will, props: [] } }).will?.props).to.deep.equal([])
  })

  it('are refused in a will before 5.0 if they are not a list', () => {
    for (const props of [null, {}, 5, 'x']) {
      const build = () => buildV3({ will: { ...will, props: props as never } })
      expectMisuse(build, 'ERR_INVALID_ARG_TYPE', 'will.props')
    }
  })

  it('are refused in a will of 5.0 if they are null', () => {
    const build = () => buildV5({ will: { ...will, props: null as never } })
    expectMisuse(build, 'ERR_INVALID_ARG_TYPE', 'will.props')
  })

  it('are refused with advice if they are not properties', () => {
    for (const item of [
      null,
      5,
      {},
      { userProperty: { region: 'eu' } },
      { id: 'receiveMaximum', value: 1 },
    ]) {
      const build = () => buildV5({ props: [item as never] })
      expectMisuse(build, 'ERR_INVALID_ARG_TYPE', 'props')
      expect(build).to.throw('props: must be properties, such as property.userProperty(key, value)')
    }
  })
})

describe('a packet longer than its Remaining Length can say', () => {
  it('is refused with a RangeError before any memory is taken for it', () => {
    const largest = { id: 0x26, key: 'k'.repeat(65535), value: 'v'.repeat(65535) } as const
    const props = new Array(2048).fill(largest)
    expectMisuse(() => buildV5({ props }), 'ERR_OUT_OF_RANGE', 'remainingLength')
  })
})

describe('Will refuses', () => {
  it('invalid fields, before any packet is built', () => {
    expectMisuse(() => new Will(undefined as never), 'ERR_INVALID_ARG_TYPE', 'will')
    expectMisuse(() => new Will({ ...will, qos: 4 as never }), 'ERR_OUT_OF_RANGE', 'will.qos')
    expectMisuse(() => new Will({ ...will, message: 5 as never }), 'ERR_INVALID_ARG_TYPE', 'will.message')
    expectMisuse(() => new Will({ ...will, message: '\ud800' }), 'ERR_INVALID_ARG_VALUE', 'will.message')
    expectMisuse(() => new Will({ ...will, props: [5 as never] }), 'ERR_INVALID_ARG_TYPE', 'will.props')
    expectMisuse(
      () => new Will({ ...will, Qos: 1 } as never),
      'ERR_INVALID_ARG_VALUE',
      "Unknown field 'will.Qos'",
    )
  })
})

describe('after a refusal', () => {
  it('packets are built and decoded as if there had been none', () => {
    for (const { field, wrongType, outOfRange, invalid } of [...common, ...onlyV5]) {
      for (const value of [...wrongType, ...outOfRange, ...invalid.map(([content]) => content)]) {
        expect(() => buildV5(changesFor(field, value)), field).to.throw()
      }
      expect(decodeV5(hex(R5)).with({}).bytes.toString('hex')).to.equal(R5)
      expect(decodeV3(hex(R3)).with({}).bytes.toString('hex')).to.equal(R3)
    }
  })
})
