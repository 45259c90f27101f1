import { expect } from 'chai'
import {
  type ConnectPacket,
  ControlPacketType,
  connack,
  decode,
  OpaquePacket,
  PropertyId,
  type ProtocolVersion,
  property,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'

/*
 * Calls that the compiler must accept or refuse. `npm run typecheck` runs these tests, because an unused @ts-expect-error is an
 * error.
 */

const anyConnect = (bytes: string): ConnectPacket => {
  const packet = decode(hex(bytes))
  if (packet.type === ControlPacketType.connect) return packet
  throw new Error(`${packet}`)
}

function unknown(name: string, call: () => unknown): void {
  expectMisuse(call, 'ERR_INVALID_ARG_VALUE', `Unknown field '${name}'`)
}

describe('the types', () => {
  it('of `with` on a CONNECT of unknown version accept only fields that all versions have', () => {
    const packet = anyConnect(R3)
    expect(packet.with({ clientId: 'c', keepAlive: 1, will: undefined, password: 'p' }).clientId).to.equal(
      'c',
    )
    // @ts-expect-error A version before 5.0 has no properties.
    unknown('props', () => packet.with({ props: [] }))
    // @ts-expect-error Its name depends on the version.
    unknown('cleanStart', () => packet.with({ cleanStart: true }))
    // @ts-expect-error Its name depends on the version.
    expect(packet.with({ cleanSession: true }).size).to.equal(50)
    // @ts-expect-error 5.0 has no bridge bit.
    expect(packet.with({ bridge: true }).size).to.equal(50)
    // @ts-expect-error A misspelt name.
    unknown('username', () => packet.with({ username: 'u' }))
  })

  it('of `with` accept the fields of a version once the packet is narrowed to it', () => {
    const packet = anyConnect(R5)
    if (packet.protocolVersion !== 5) throw new Error('not 5.0')
    expect(packet.with({ props: [], cleanStart: false }).props).to.deep.equal([])
    // @ts-expect-error That is the name before 5.0.
    unknown('cleanSession', () => packet.with({ cleanSession: true }))
    const old = anyConnect(R3)
    if (!(old instanceof v3_1_1.ConnectPacket)) throw new Error('not 3.1.1')
    expect(old.with({ cleanSession: true, bridge: true }).bridge).to.equal(true)
  })

  it('of `with` on a CONNACK depend on its version too', () => {
    const packet = connack(5 as ProtocolVersion, 0)!
    // @ts-expect-error It has a return code before 5.0.
    expect(packet.with({ reasonCode: 0x87 }).toString()).to.equal('v5::connack{rc:not_authorized,sp:0}')
    expect(
      new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0 }).with({ reasonCode: 0x87 }).reasonCode,
    ).to.equal(0x87)
  })

  it('of `property` follow from the id', () => {
    const packet = decode(hex(R5), { protocolVersion: 5 }) as v5.ConnectPacket
    const seconds: number | undefined = packet.property(PropertyId.sessionExpiryInterval)
    expect(seconds).to.equal(3600)
    // @ts-expect-error The value is a number.
    const text: string | undefined = packet.property(PropertyId.sessionExpiryInterval)
    expect(text).to.equal(3600)
    const data: Buffer | undefined = packet.property(PropertyId.authenticationData)
    expect(data).to.equal(undefined)
    // @ts-expect-error User properties may occur more than once.
    expectMisuse(() => packet.property(PropertyId.userProperty), 'ERR_INVALID_ARG_VALUE', 'id')
    // @ts-expect-error The value is a number.
    expectMisuse(() => property.receiveMaximum('1'), 'ERR_INVALID_ARG_TYPE', 'props.receiveMaximum')
  })

  it('of `decode` are narrowed by the class and by the type', () => {
    const packet = decode(hex('40020001'), { packetIdBytes: 2 })
    // @ts-expect-error It may be any packet.
    expect(packet.clientId).to.equal(undefined)
    if (!(packet instanceof OpaquePacket)) throw new Error(`${packet}`)
    const bytes: 2 = packet.packetIdBytes
    expect([bytes, packet.packetId]).to.deep.equal([2, 1])
  })

  it('of toFields are what the constructor accepts', () => {
    const packet = anyConnect(R5)
    if (!(packet instanceof v5.ConnectPacket)) throw new Error('not 5.0')
    expect(new v5.ConnectPacket({ ...packet.toFields(), clientId: 'c' }).clientId).to.equal('c')
    // @ts-expect-error These are fields of 5.0.
    expect(() => new v3_1_1.ConnectPacket(packet.toFields())).to.throw(TypeError)
  })

  it('of packets are read-only', () => {
    const packet = anyConnect(R3)
    const assign = () => {
      // @ts-expect-error A packet does not change.
      packet.clientId = 'x'
    }
    expect(assign).to.throw(TypeError)
    // @ts-expect-error Only the library creates it.
    expect(() => new OpaquePacket(hex('c000'), 0, 2)).to.throw(TypeError)
  })
})
