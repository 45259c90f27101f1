import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { MqttError, PropertyId } from '../../lib/packets/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { decodeFields, expectedFields, type FieldPacket, fieldsOf, kinds } from '../support/kinds.ts'
import { anyFields } from './anything.ts'
import { expectSurvives } from './rebuild.ts'

const binary: readonly number[] = [PropertyId.authenticationData, PropertyId.correlationData]

/** A property as the accessors return it: only user properties have a key, and binary data is a Buffer. */
function asRead({ id, key, value }: { id: number; key?: string; value: string }): object {
  if (id === PropertyId.userProperty) return { id, key, value }
  return { id, value: binary.includes(id) ? Buffer.from(value) : value }
}

interface WithProps {
  readonly props?: readonly never[]
  readonly will?: { readonly props: readonly never[] }
}

function withPropsAsRead(fields: WithProps): object {
  const { props, will } = fields
  return { ...fields, props: props?.map(asRead), will: will && { ...will, props: will.props.map(asRead) } }
}

const misuse = new Set(['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_OUT_OF_RANGE'])

/** Returns a packet, `forbidden` for an MqttError, or `misused`. */
function tryTo(build: () => FieldPacket): FieldPacket | 'forbidden' | 'misused' {
  try {
    return build()
  } catch (error) {
    if (error instanceof MqttError) return 'forbidden'
    const { code } = error as { code?: string }
    if (code !== undefined && misuse.has(code)) return 'misused'
    throw error
  }
}

for (const kind of kinds) {
  it(`any fields of a ${kind.name} make a packet that decodes to them, or one of the three kinds of error`, () => {
    const seen = { built: 0, forbidden: 0, misused: 0 }
    fc.assert(
      fc.property(anyFields[kind.name]!, (fields) => {
        const packet = tryTo(() => kind.build(fields))
        if (typeof packet === 'string') {
          seen[packet]++
          return
        }
        seen.built++
        const decoded = decodeFields(packet.bytes, kind.version)
        expect(fieldsOf(decoded)).to.deep.equal(withPropsAsRead(expectedFields(kind, fields)))
        expect(decoded.equals(packet)).to.equal(true)
        expectSurvives(decoded)
      }),
      { ...runs, numRuns: usual(kind.isConnect ? 1200 : 600) },
    )
    // Proves that all three outcomes occur.
    for (const [what, times] of Object.entries(seen)) {
      if (what === 'forbidden' || kind.isConnect) expect(times, what).to.be.greaterThan(usual(50))
      else expect(times, what).to.be.greaterThan(2)
    }
  })
}
