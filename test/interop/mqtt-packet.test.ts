import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import { type Property, PropertyId, property, v3_1_1, v5, type WillFields } from '../../lib/packets/index.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import {
  buildV5,
  decodeV3,
  decodeV5,
  expectedV3,
  expectedV5,
  fieldsOfV3,
  fieldsOfV5,
} from '../support/packets.ts'

type Theirs = mqttPacket.IConnectPacket
type TheirProperties = Record<string, unknown> & { userProperties?: Record<string, string> }

/** Their properties that are booleans; ours are 0 or 1. */
const booleans = new Set([
  'requestResponseInformation',
  'requestProblemInformation',
  'payloadFormatIndicator',
])

/** The packet as the other library's parser reads it. */
function parsed(bytes: Buffer): Theirs {
  const packets: mqttPacket.Packet[] = []
  const parser = mqttPacket.parser()
  parser.on('packet', (packet) => packets.push(packet))
  parser.on('error', (error) => {
    throw error
  })
  parser.parse(bytes)
  expect(packets).to.have.lengthOf(1)
  expect(packets[0]!.cmd).to.equal('connect')
  return packets[0] as Theirs
}

/**
 * Properties in the other library's shape, which merges user properties into one object, so by distinct keys. The
 * order of the object's keys is the order in which it writes.
 */
function theirProperties(props: readonly Property[]): TheirProperties | undefined {
  if (props.length === 0) return undefined
  const theirs: TheirProperties = {}
  for (const item of props) {
    if (item.id === PropertyId.userProperty) {
      // Without a prototype, so that a key `__proto__` is a key like any other.
      theirs.userProperties ??= Object.create(null) as Record<string, string>
      theirs.userProperties[item.key] = item.value
    } else {
      const name = nameOf(item.id)
      theirs[name] = booleans.has(name) ? item.value === 1 : item.value
    }
  }
  return theirs
}

function nameOf(id: number): string {
  return Object.entries(PropertyId).find(([, value]) => value === id)![0]
}

/** The same properties as ours, in the order in which the other library writes them. */
function inTheirOrder(theirs: TheirProperties | undefined): Property[] {
  return Object.entries(theirs ?? {}).flatMap(([name, value]) => {
    if (name === 'userProperties') {
      return Object.entries(value as Record<string, string>).map(([key, text]) =>
        property.userProperty(key, text),
      )
    }
    const id = PropertyId[name as keyof typeof property]
    return [{ id, value: typeof value === 'boolean' ? Number(value) : value } as Property]
  })
}

function theirWill(will: WillFields | undefined, properties: TheirProperties | undefined): object {
  if (will === undefined) return {}
  const { topic, message, qos = 0, retain = false } = will
  const payload = Buffer.from(message as Uint8Array)
  return { will: { topic, payload, qos, retain, ...(properties !== undefined && { properties }) } }
}

/** What both versions have, in the other library's shape; absent fields are not even there. */
function theirCommon(fields: v3_1_1.ConnectPacketFields | v5.ConnectPacketFields) {
  const { keepAlive, clientId, userName, password } = fields
  return {
    cmd: 'connect' as const,
    protocolId: 'MQTT' as const,
    keepalive: keepAlive,
    clientId,
    ...(userName !== undefined && { username: userName }),
    ...(password !== undefined && { password: Buffer.from(password as Uint8Array) }),
  }
}

/** Pairs of equal packets, ours and theirs, of 3.1.1. */
const pairsV3 = fieldsV3.map((fields) => {
  const clean = fields.cleanSession
  const theirs = { ...theirCommon(fields), protocolVersion: 4, clean, ...theirWill(fields.will, undefined) }
  return { fields, theirs: theirs as Theirs }
})

/** Pairs of equal packets, ours and theirs, of 5.0: without what the other library refuses to write. */
const pairsV5 = fieldsV5.map((some) => {
  const properties = theirProperties(some.props ?? [])
  const willProperties = theirProperties(some.will?.props ?? [])
  const fields: v5.ConnectPacketFields = {
    ...some,
    cleanStart: some.cleanStart || some.clientId === '',
    password: some.userName === undefined ? undefined : some.password,
    props: inTheirOrder(properties),
    will: some.will && { ...some.will, props: inTheirOrder(willProperties) },
  }
  const theirs = {
    ...theirCommon(fields),
    protocolVersion: 5,
    clean: fields.cleanStart,
    ...(properties !== undefined && { properties }),
    ...theirWill(fields.will, willProperties),
  }
  return { fields, theirs: theirs as Theirs }
})

/** Compares what their parser read with what was meant, field by field, absent ones included. */
function expectTheirs(read: Theirs, meant: Theirs): void {
  for (const name of [
    'cmd',
    'protocolId',
    'protocolVersion',
    'clean',
    'keepalive',
    'clientId',
    'username',
  ] as const) {
    expect(read[name], name).to.equal(meant[name])
  }
  expect(read.password, 'password').to.deep.equal(meant.password)
  expect(read.will === undefined, 'will').to.equal(meant.will === undefined)
  for (const name of ['topic', 'payload', 'qos', 'retain'] as const) {
    expect(read.will?.[name], `will.${name}`).to.deep.equal(meant.will?.[name])
  }
  expectTheirProperties(read.properties, meant.properties, 'properties')
  expectTheirProperties(read.will?.properties, meant.will?.properties, 'will.properties')
}

function expectTheirProperties(read: object | undefined, meant: object | undefined, path: string): void {
  const [got, wanted] = [read ?? {}, meant ?? {}] as TheirProperties[]
  expect(Object.keys(got!).sort(), path).to.deep.equal(Object.keys(wanted!).sort())
  for (const [name, value] of Object.entries(wanted!)) {
    if (name !== 'userProperties') expect(got![name], `${path}.${name}`).to.deep.equal(value)
    else expect(Object.entries(got![name]!), `${path}.${name}`).to.deep.equal(Object.entries(value as object))
  }
}

describe('mqtt-packet and 3.1.1', () => {
  it('writes the same bytes as we do', () => {
    fc.assert(
      fc.property(pairsV3, ({ fields, theirs }) => {
        const { bytes } = new v3_1_1.ConnectPacket(fields)
        expect(bytes.toString('hex')).to.equal(mqttPacket.generate(theirs).toString('hex'))
      }),
      runs,
    )
  })

  it('writes what we read with equal fields', () => {
    fc.assert(
      fc.property(pairsV3, ({ fields, theirs }) => {
        expect(fieldsOfV3(decodeV3(mqttPacket.generate(theirs)))).to.deep.equal(expectedV3(fields))
      }),
      runs,
    )
  })

  it('reads what we write with equal fields', () => {
    fc.assert(
      fc.property(pairsV3, ({ fields, theirs }) => {
        expectTheirs(parsed(new v3_1_1.ConnectPacket(fields).bytes), theirs)
      }),
      runs,
    )
  })
})

describe('mqtt-packet and 5.0', () => {
  it('writes the same bytes as we do', () => {
    fc.assert(
      fc.property(pairsV5, ({ fields, theirs }) => {
        const { bytes } = new v5.ConnectPacket(fields)
        expect(bytes.toString('hex')).to.equal(mqttPacket.generate(theirs).toString('hex'))
      }),
      runs,
    )
  })

  it('writes what we read with equal fields', () => {
    fc.assert(
      fc.property(pairsV5, ({ fields, theirs }) => {
        expect(fieldsOfV5(decodeV5(mqttPacket.generate(theirs)))).to.deep.equal(expectedV5(fields))
      }),
      runs,
    )
  })

  it('reads what we write with equal fields', () => {
    fc.assert(
      fc.property(pairsV5, ({ fields, theirs }) => {
        expectTheirs(parsed(new v5.ConnectPacket(fields).bytes), theirs)
      }),
      runs,
    )
  })

  it('gathers repeated user property keys in arrays, where we keep their order', () => {
    const pairs = (...list: [string, string][]) =>
      list.map(([key, value]) => property.userProperty(key, value))
    const theirs: Theirs = {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clean: true,
      clientId: 'c',
      keepalive: 0,
      properties: { userProperties: { a: ['1', '3'], b: '2' } },
    }
    const gathered = buildV5({ props: pairs(['a', '1'], ['a', '3'], ['b', '2']) })
    expect(mqttPacket.generate(theirs)).to.deep.equal(gathered.bytes)
    expect(decodeV5(mqttPacket.generate(theirs)).props).to.deep.equal(gathered.props)

    const mixed = buildV5({ props: pairs(['a', '1'], ['b', '2'], ['a', '3']) })
    const { properties } = parsed(mixed.bytes)
    expect({ ...properties?.userProperties }).to.deep.equal({ a: ['1', '3'], b: '2' })
    expect(decodeV5(mixed.bytes).props).to.deep.equal(mixed.props)
  })
})
