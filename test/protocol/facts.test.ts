import { createRequire } from 'node:module'
import { expect } from 'chai'
import mqtt from 'mqtt'
import {
  ConnectReasonCode,
  ConnectReturnCode,
  ControlPacketType,
  PropertyId,
  ProtocolVersion,
  propertyName,
  reasonCodeName,
} from '../../lib/index.ts'
import { controlPacketName } from '../../lib/protocol/control-packet-type.ts'
import { propertyRows } from '../../lib/protocol/property-table.ts'

/* Compares the standards' numbers with those in MQTT.js and mqtt-packet. */

/** mqtt-packet's tables, which have no types. */
const constants: {
  readonly types: Readonly<Record<number, string>>
  readonly properties: Readonly<Record<string, number>>
  readonly propertiesTypes: Readonly<Record<string, string>>
} = createRequire(import.meta.url)('mqtt-packet/constants.js')

/** The names that mqtt-packet spells differently. */
const spelling: Readonly<Record<string, string>> = {
  userProperties: 'userProperty',
  maximumQoS: 'maximumQos',
  subscriptionIdentifiersAvailable: 'subscriptionIdentifierAvailable',
}

const types: Readonly<Record<string, string>> = {
  byte: 'byte',
  int8: 'byte',
  int16: 'twoByteInteger',
  int32: 'fourByteInteger',
  var: 'variableByteInteger',
  string: 'utf8String',
  binary: 'binaryData',
  pair: 'utf8StringPair',
}

/** Every reason code of MQTT 5.0, table 2-6, and no other number. */
const reasonCodes = [
  ...[0x00, 0x01, 0x02, 0x04, 0x10, 0x11, 0x18, 0x19, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88],
  ...[0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99],
  ...[0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2],
]

describe('reasonCodeName', () => {
  it('knows every reason code of 5.0, whichever packet has it, and no other number', () => {
    const known = Array.from({ length: 256 }, (_, code) => code).filter((code) => reasonCodeName(code))
    expect(known).to.deep.equal(reasonCodes)
    expect(reasonCodeName(0x92)).to.equal('packetIdentifierNotFound')
  })
})

describe('the numbers of the standards', () => {
  it('name each property by its identifier', () => {
    const theirs = Object.entries(constants.properties).map(([name, id]) => [spelling[name] ?? name, id])
    expect(Object.entries(PropertyId)).to.have.deep.members(theirs)
    for (const [name, id] of theirs) expect(propertyName(Number(id))).to.equal(name)
    for (const id of [0, 0x04, 0x7f, 0x80, -1, 1.5]) expect(propertyName(id)).to.equal(undefined)
  })

  it('give each property its type', () => {
    const theirs = Object.entries(constants.propertiesTypes).map(([name, type]) => [
      spelling[name] ?? name,
      types[type],
    ])
    const ours = Array.from(propertyRows, ([name, { type }]) => [name, type])
    expect(ours).to.have.deep.members(theirs)
  })

  it('number the control packet types by the high nibble', () => {
    for (const [name, type] of Object.entries(ControlPacketType)) {
      expect(constants.types[type >> 4]).to.equal(name)
      expect(controlPacketName(type)).to.equal(name.toUpperCase())
    }
    expect(Object.keys(ControlPacketType)).to.have.lengthOf(15)
    expect(controlPacketName(0)).to.equal(undefined)
  })

  it('number the reason codes of a CONNACK', () => {
    const words = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
    for (const [name, code] of Object.entries(ConnectReasonCode)) {
      if (code === ConnectReasonCode.success) continue
      const theirs = (mqtt.ReasonCodes as Record<number, string>)[code]
      expect(theirs && words(theirs), name).to.equal(words(name))
    }
  })

  it('number the versions and the return codes', () => {
    expect(ProtocolVersion).to.deep.equal({ undetermined: 0, v3_1: 3, v3_1_1: 4, v5: 5 })
    expect(Object.values(ConnectReturnCode)).to.deep.equal([0, 1, 2, 3, 4, 5])
  })
})
