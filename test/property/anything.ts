import fc from 'fast-check'
import { type Property, PropertyId } from '../../lib/packets/index.ts'
import { codePoint } from '../support/code-point.ts'

/*
 * Arguments for constructors with the right types, but with contents that MQTT may forbid.
 */

/** Strings of all kinds, with U+0000, lone surrogates, wildcards and U+FEFF. A few are too long. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 4, arbitrary: fc.string({ unit: codePoint, maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '\0', 'a\0', '\ud800', 'a\udfff', '\udc00\ud800', '+', 'a/#', '\uFEFF'),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(65_535), 'é'.repeat(32_768), 'x'.repeat(65_536)) },
)

const anyBytes: fc.Arbitrary<Uint8Array | string> = fc.oneof(fc.uint8Array({ maxLength: 8 }), anyText)

const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(0, 1, 2, 255, 65_535, 65_536, 4_294_967_295) },
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 8 }) },
)

/** Any property, existing or not, with any value. */
const anyProperty: fc.Arbitrary<Property> = fc
  .record({
    id: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...Object.values(PropertyId)) },
      { weight: 1, arbitrary: fc.nat({ max: 0x7f }) },
    ),
    key: anyText,
    value: anyValue,
  })
  .map((item) => item as unknown as Property)

const anyProps = fc.option(fc.array(anyProperty, { maxLength: 2 }), { nil: undefined, freq: 3 })

const anyWill = fc.option(
  fc.record({
    topic: anyText,
    message: anyBytes,
    qos: fc.constantFrom(undefined, 0, 1, 2, 3) as fc.Arbitrary<0 | 1 | 2 | undefined>,
    retain: fc.constantFrom(undefined, false, true),
    props: anyProps,
  }),
  { nil: undefined, freq: 2 },
)

const common = {
  keepAlive: fc.nat({ max: 0xffff }),
  clientId: anyText,
  will: anyWill,
  userName: fc.option(anyText, { nil: undefined, freq: 2 }),
  password: fc.option(anyBytes, { nil: undefined, freq: 2 }),
}

const v3Fields = fc.record({
  ...common,
  cleanSession: fc.boolean(),
  bridge: fc.constantFrom(undefined, false, true),
})

const code = fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 0xff }), fc.constant(256))

/** Fields for each kind of packet, valid or invalid. */
export const anyFields: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'v3_1.ConnectPacket': v3Fields,
  'v3_1_1.ConnectPacket': v3Fields,
  'v5.ConnectPacket': fc.record({ ...common, cleanStart: fc.boolean(), props: anyProps }),
  'v3_1.ConnackPacket': fc.record({ sessionPresent: fc.boolean(), returnCode: code }),
  'v3_1_1.ConnackPacket': fc.record({ sessionPresent: fc.boolean(), returnCode: code }),
  'v5.ConnackPacket': fc.record({ sessionPresent: fc.boolean(), reasonCode: code, props: anyProps }),
}
