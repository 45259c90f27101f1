import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { MqttError, PropertyId, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { runs } from '../support/arbitraries.ts'
import { expectedV3, expectedV5 } from '../support/packets.ts'
import { anyFieldsV3, anyFieldsV5 } from './anything.ts'
import { type Connect, expectSurvives, fieldsOf, outcome } from './rebuild.ts'

const binary: readonly number[] = [PropertyId.authenticationData, PropertyId.correlationData]

/** A property as the accessors give it: a key only where there is one, binary data as a Buffer. */
function asRead({ id, key, value }: { id: number; key?: string; value: string }): object {
  if (id === PropertyId.userProperty) return { id, key, value }
  return { id, value: binary.includes(id) ? Buffer.from(value) : value }
}

/** Fields as the accessors give them, but for the properties, with those as they give them, too. */
function withProps<T extends { props?: object[]; will?: { props: object[] } }>(fields: T): T {
  const { props, will } = fields
  return {
    ...fields,
    ...(props && { props: props.map((item) => asRead(item as never)) }),
    ...(will && { will: { ...will, props: will.props.map((item) => asRead(item as never)) } }),
  }
}

const misuse = new Set(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_OUT_OF_RANGE'])

/** What becomes of fields: a packet, `undefined` if a rule of MQTT forbids it, or the code of the misuse. */
function tryTo(build: () => Connect): Connect | string | undefined {
  try {
    return build()
  } catch (error) {
    if (error instanceof MqttError) return undefined
    const { code } = error as { code?: string }
    if (code !== undefined && misuse.has(code)) return code
    throw error
  }
}

const versions = [
  {
    name: '3.1.1',
    attempts: anyFieldsV3.map((fields) => ({
      build: () => new v3_1_1.ConnectPacket(fields),
      expected: () => expectedV3(fields),
    })),
  },
  {
    name: '5.0',
    attempts: anyFieldsV5.map((fields) => ({
      build: () => new v5.ConnectPacket(fields),
      expected: () => expectedV5(fields),
    })),
  },
]

for (const { name, attempts } of versions) {
  describe(`any fields at all for ${name}`, () => {
    it('make a packet that decodes to equal fields, or one of the three kinds of error', () => {
      let built = 0
      let forbidden = 0
      let misused = 0
      fc.assert(
        fc.property(attempts, ({ build, expected }) => {
          const packet = tryTo(build)
          if (packet === undefined) {
            forbidden++
          } else if (typeof packet === 'string') {
            misused++
          } else {
            built++
            const decoded = outcome(packet.bytes)
            if (decoded instanceof MqttError) throw decoded
            expect(fieldsOf(decoded as Connect)).to.deep.equal(withProps(expected()))
            expect(decoded.equals(packet)).to.equal(true)
            expectSurvives(decoded as Connect)
          }
        }),
        { ...runs, numRuns: 2500 },
      )
      // Each of the three must have been seen often for this to mean something.
      for (const seen of [built, forbidden, misused]) expect(seen).to.be.greaterThan(80)
    })
  })
}
