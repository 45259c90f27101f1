import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import type { Fields } from '../../fuzz/reference.ts'
import { type Property, PropertyId, propertyName } from '../../lib/packets/index.ts'
import { propertyRows } from '../../lib/protocol/property-table.ts'
import { runs } from '../support/arbitraries.ts'
import { kinds } from '../support/kinds.ts'

/* Compares encodings: mqtt-packet must write the same bytes from the same fields. */

/** The names that mqtt-packet spells differently. */
const names: Readonly<Record<string, string>> = {
  maximumQos: 'maximumQoS',
  subscriptionIdentifierAvailable: 'subscriptionIdentifiersAvailable',
}

/** Properties in mqtt-packet's shape, with user properties grouped by key. */
function propertiesOf(props: readonly Property[] = []): object {
  const pairs: Record<string, string[]> = {}
  const properties: Record<string, unknown> = {}
  for (const item of props) {
    if ('key' in item) {
      pairs[item.key] = [...(pairs[item.key] ?? []), item.value]
      Object.assign(properties, { userProperties: pairs })
    } else {
      const name = propertyName(item.id)!
      const isBoolean = propertyRows.get(name)!.type === 'byte' && item.id !== PropertyId.maximumQos
      properties[names[name] ?? name] = isBoolean ? item.value === 1 : item.value
    }
  }
  return properties
}

/** Properties in the only order that mqtt-packet can write, with keys whose order an object preserves. */
function inTheirOrder(props: readonly Property[] | undefined): Property[] | undefined {
  if (props === undefined) return undefined
  const pairs = props.flatMap((item) => ('key' in item ? [{ ...item, key: `k${item.key}` }] : []))
  const keys = [...new Set(pairs.map(({ key }) => key))]
  const grouped = keys.flatMap((key) => pairs.filter((pair) => pair.key === key))
  const at = props.findIndex(({ id }) => id === PropertyId.userProperty)
  const before = props.slice(0, Math.max(at, 0))
  const others = props.slice(Math.max(at, 0)).filter((item) => !('key' in item))
  return [...before, ...grouped, ...others]
}

function theirPacket(version: 3 | 4 | 5, fields: Fields): mqttPacket.Packet {
  const { will, userName, password, bridge, props } = fields
  const properties = version === 5 ? { properties: propertiesOf(props) } : {}
  if (fields.returnCode !== undefined || fields.reasonCode !== undefined) {
    const { sessionPresent = false, returnCode, reasonCode } = fields
    return {
      cmd: 'connack',
      sessionPresent,
      returnCode,
      reasonCode,
      ...properties,
    } as mqttPacket.IConnackPacket
  }
  const packet = {
    cmd: 'connect',
    protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
    protocolVersion: version,
    bridgeMode: bridge,
    clean: fields.cleanSession ?? fields.cleanStart,
    keepalive: fields.keepAlive,
    clientId: fields.clientId,
    username: userName,
    password: password === undefined ? undefined : Buffer.from(password as Uint8Array),
    will: will && {
      topic: will.topic,
      payload: Buffer.from(will.message as Uint8Array),
      qos: will.qos,
      retain: will.retain,
      ...(version === 5 && { properties: propertiesOf(will.props) }),
    },
    ...properties,
  }
  return packet as unknown as mqttPacket.Packet
}

/** True for packets that mqtt-packet can't write. */
function isBeyondThem({ keepAlive, clientId, cleanStart, userName, password }: Fields): boolean {
  if (keepAlive === undefined) return false
  return (clientId === '' && cleanStart === false) || (password !== undefined && userName === undefined)
}

for (const { name, version, fields, build } of kinds) {
  it(`mqtt-packet writes the bytes of any ${name}`, () => {
    let compared = 0
    const theirFields = (fields as fc.Arbitrary<Fields>).map(({ will, props, ...rest }) => ({
      ...rest,
      ...(props && { props: inTheirOrder(props) }),
      ...(will && { will: { ...will, props: inTheirOrder(will.props) } }),
    }))
    fc.assert(
      fc.property(theirFields, (some) => {
        if (isBeyondThem(some as Fields)) return
        const theirs = mqttPacket.generate(theirPacket(version, some as Fields), {
          protocolVersion: version,
        })
        expect(build(some).bytes.toString('hex')).to.equal(Buffer.from(theirs).toString('hex'))
        compared++
      }),
      runs,
    )
    expect(compared).to.be.greaterThan(runs.numRuns / 2)
  })
}
