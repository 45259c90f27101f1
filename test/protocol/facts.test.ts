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
