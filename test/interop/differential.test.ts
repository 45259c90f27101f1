import { expect } from 'chai'
import fc from 'fast-check'
import { toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { ControlPacketType, decode, MqttError } from '../../lib/packets/index.ts'
import { usual } from '../support/arbitraries.ts'
import { hex } from '../support/reference.ts'
import { bothRefuse, refused } from './differences.ts'
import { table } from './document.ts'
import { parse } from './mqtt-packet.ts'
import { type ConnackPacket, type ConnectPacket, connackPacket, connectPacket, SEED } from './packets.ts'

type Version = 3 | 4 | 5

/** Decodes with this library: any version of CONNECT, as mqtt-packet does, or a CONNACK of one version. */
function ours(bytes: Buffer, protocolVersion: Version): ConnectPacket | ConnackPacket | MqttError {
  const isConnect = bytes[0]! >> 4 === ControlPacketType.connect >> 4
  const allow = ['protocol-mqtt-3-1', 'protocol-bridge-level'] as const
  try {
    const packet = decode(bytes, isConnect ? { allow } : { protocolVersion })
    // The mutations keep the packet type.
    return packet as ConnectPacket | ConnackPacket
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** The documented clauses per code that we refuse and mqtt-packet accepts, from docs/interop.md. */
const documented = new Map(table('refused').map(([code, clauses]) => [code!, clauses!.split(', ')]))
const onlyWeAccept = new Set(table('accepted').map(([, message]) => message!))

/** True if docs/interop.md lists the clause. It leaves out the clauses of MQTT 3.1. */
function isDocumented({ code, clause, protocolVersion }: MqttError): boolean {
  const clauses = documented.get(code)
  return (
    clauses?.includes(clause) || (clauses !== undefined && protocolVersion === 3 && /^3\.[12]$/.test(clause))
  )
}

type Outcome = 'both accept' | 'both refuse' | 'we alone accept' | 'another framing' | MqttError['code']

/** Compares both libraries on some bytes, and fails if docs/interop.md doesn't list the difference. */
function compare(bytes: Buffer, version: Version): Outcome {
  const mine = ours(bytes, version)
  const theirs = parse(bytes, version)
  const about = bytes.toString('hex')
  if (mine instanceof MqttError) {
    const { code, clause } = mine
    // mqtt-packet parses streams, so it waits for the rest, or starts the next packet.
    if (code === 'packet-incomplete' || code === 'more-than-one-packet') return 'another framing'
    if (theirs.error !== undefined) return 'both refuse'
    if (!isDocumented(mine)) expect.fail(`only mqtt-packet accepts ${about}: ${code} [${clause}]`)
    return code
  }
  if (theirs.error !== undefined) {
    expect(mine.protocolVersion, about).to.equal(3)
    expect(onlyWeAccept, about).to.include(theirs.error)
    return 'we alone accept'
  }
  expect(withoutLoss(toMqttPacket(mine)), about).to.deep.equal(withoutLoss({ ...theirs.packet }, mine))
  return 'both accept'
}

/** Removes values that mqtt-packet reads wrongly: empty user property values, and session present in MQTT 3.1. */
function withoutLoss(object: object, packet?: ConnectPacket | ConnackPacket): object {
  const copy = structuredClone(object) as ReturnType<typeof toMqttPacket>
  if (packet?.type === ControlPacketType.connack && packet.protocolVersion === 3) {
    Object.assign(copy, { sessionPresent: false })
  }
  for (const properties of [copy.properties, 'will' in copy ? copy.will?.properties : undefined]) {
    const user = properties?.userProperties ?? {}
    for (const [key, value] of Object.entries(user)) {
      const values = [value].flat().filter((one) => one !== '')
      Object.defineProperty(user, key, { value: values, enumerable: true })
    }
  }
  return copy
}

const anyPacket = fc.oneof(connectPacket, connackPacket)

describe('mqtt-packet and we', () => {
  it('differ on bytes that were changed only as docs/interop.md says, and agree on the fields of the rest', () => {
    const seen = new Map<string, number>()
    const byte = fc.oneof(fc.nat({ max: 255 }), fc.nat({ max: 5 }), fc.constantFrom(0x83, 0x84, 0x85))
    const changes = fc.array(fc.tuple(fc.nat(), byte), { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(anyPacket, changes, (packet, list) => {
        const bytes = Buffer.from(packet.bytes)
        // Keeps the first byte, because this library decodes only the fixed header of other packets.
        for (const [at, value] of list) bytes[1 + (at % (bytes.length - 1))] = value
        const outcome = compare(bytes, packet.protocolVersion)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }),
      { seed: SEED, numRuns: usual(4000) },
    )
    expect(seen.get('both accept')).to.be.greaterThan(usual(500))
    expect(seen.get('both refuse')).to.be.greaterThan(usual(1000))
    expect(seen.get('client-id-not-utf8')).to.be.greaterThan(usual(100))
    expect(seen.get('connack-code')).to.be.greaterThan(usual(100))
    expect(seen.get('we alone accept')).to.be.greaterThan(10)
  })
})

describe('docs/interop.md, bytes that are refused now', () => {
  it('has a row for each example, and an example for each row', () => {
    expect([...documented.keys()]).to.have.members([...new Set(refused.map(({ code }) => code))])
  })

  for (const [code, clauses] of documented) {
    it(`${code}: mqtt-packet accepts it, and we name ${clauses.join(' and ')}`, () => {
      const examples = refused.filter((example) => example.code === code)
      const found = examples.map(({ bytes, version }) => {
        expect(parse(bytes, version).error, bytes.toString('hex')).to.equal(undefined)
        const error = ours(bytes, version) as MqttError
        expect(error.code, bytes.toString('hex')).to.equal(code)
        return error.clause
      })
      expect([...new Set(found)]).to.have.members(clauses)
    })
  }
})

describe('docs/interop.md, errors', () => {
  const rows = table('messages')

  it('has a row for each message', () => {
    expect(rows.map(([message]) => message).slice(0, -1)).to.have.members(Object.keys(bothRefuse))
  })

  for (const [message, code] of rows) {
    it(`${message} is ${code}`, () => {
      const version = message!.includes('connack') ? 4 : 5
      const bytes = bothRefuse[message!] ?? hex('100d')
      const expected = message!.startsWith('none') ? 'not exactly one packet' : message
      expect(parse(bytes, version).error).to.equal(expected)
      expect((ours(bytes, version) as MqttError).code).to.equal(code)
    })
  }
})

describe('docs/interop.md, bytes that are accepted now', () => {
  for (const [bytes, message] of table('accepted')) {
    it(`${message}: not in MQTT 3.1`, () => {
      expect(parse(hex(bytes!), 3).error).to.equal(message)
      expect(ours(hex(bytes!), 3)).to.include({ protocolVersion: 3 })
    })
  }
})
