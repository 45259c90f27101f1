import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import mqtt from 'mqtt-packet'
import { fromMqttPacket, toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import * as lib from '../../lib/packets/index.ts'
import { hex } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'
import { codeBlocks, table } from './document.ts'
import { parsed } from './mqtt-packet.ts'
import type { ConnackPacket, ConnectPacket } from './packets.ts'

type Packet = ConnectPacket | ConnackPacket | lib.DisconnectPacket | lib.v5.AuthPacket

const { property, v3_1, v3_1_1, v5 } = lib

/** Evaluates an expression of the document, with these names and the library's. */
function evaluate(expression: string, names: object = {}): unknown {
  const all = { ...lib, fromMqttPacket, toMqttPacket, mqtt, ...names }
  const isStatement = expression.startsWith('for ')
  const body = isStatement ? expression : `return (${expression})`
  return new Function(...Object.keys(all), body)(...Object.values(all))
}

const will = { topic: 't', message: 'm', qos: 1 as const, retain: true }
const shared = { keepAlive: 60, clientId: 'c', will, userName: 'u', password: 'p' }
const userProperties = [
  property.userProperty('once', '1'),
  property.userProperty('twice', '1'),
  property.userProperty('twice', '2'),
]

/** A packet of each version with every field that the document mentions. */
const packets: Readonly<Record<string, Packet>> = {
  'CONNECT 3.1': new v3_1.ConnectPacket({ cleanSession: true, ...shared, bridge: true }),
  'CONNECT 3.1.1': new v3_1_1.ConnectPacket({ cleanSession: false, ...shared }),
  'CONNECT 5.0': new v5.ConnectPacket({
    cleanStart: true,
    ...shared,
    will: { ...will, props: [property.willDelayInterval(5), property.payloadFormatIndicator(1)] },
    props: [
      property.receiveMaximum(10),
      property.requestProblemInformation(0),
      property.requestResponseInformation(1),
      ...userProperties,
    ],
  }),
  'CONNACK 3.1': new v3_1.ConnackPacket({ returnCode: 5 }),
  'CONNACK 3.1.1': new v3_1_1.ConnackPacket({ sessionPresent: true, returnCode: 0 }),
  'CONNACK 5.0': new v5.ConnackPacket({
    sessionPresent: false,
    reasonCode: 0x87,
    props: [
      property.maximumQos(1),
      property.retainAvailable(0),
      property.wildcardSubscriptionAvailable(1),
      property.subscriptionIdentifierAvailable(0),
      property.sharedSubscriptionAvailable(1),
      ...userProperties,
    ],
  }),
  'AUTH 5.0': new v5.AuthPacket({
    reasonCode: 0x18,
    props: [
      property.authenticationMethod('SCRAM-SHA-1'),
      property.authenticationData('client-first'),
      property.reasonString('go on'),
      ...userProperties,
    ],
  }),
  'DISCONNECT 3.1': new v3_1.DisconnectPacket(),
  'DISCONNECT 3.1.1': new v3_1_1.DisconnectPacket(),
  'DISCONNECT 5.0': new v5.DisconnectPacket({
    reasonCode: 0x9c,
    props: [
      property.sessionExpiryInterval(10),
      property.serverReference('other.example'),
      property.reasonString('moved'),
      ...userProperties,
    ],
  }),
}

/** The packets that a row applies to: `all`, `5.0`, `CONNECT`, `CONNECT 3.1, 3.1.1`, `AUTH, DISCONNECT 5.0`. */
function packetsOf(cell: string): [string, Packet][] {
  const types = cell.match(/[A-Z]{2,}/g) ?? ['']
  const versions = cell.match(/\d\.[\d.]*\d/g) ?? ['']
  return Object.entries(packets).filter(
    ([name]) =>
      types.some((type) => name.startsWith(type)) &&
      versions.some((version) => name.endsWith(` ${version}`) || version === ''),
  )
}

describe('docs/interop.md, names side by side', () => {
  for (const [cell, theirs, ours] of table('names')) {
    it(`${cell}: ${theirs} is ${ours}`, () => {
      const subjects = packetsOf(cell!)
      expect(subjects).not.to.be.empty
      for (const [name, packet] of subjects) {
        const object = parsed(packet.bytes, packet.protocolVersion)
        const value = evaluate(theirs!, { object })
        expect(value, name).not.to.equal(undefined)
        expect(evaluate(ours!, { packet }), name).to.deep.equal(value)
      }
    })
  }

  it('has all members and all properties with another name or type', () => {
    const text = table('names')
      .map(([, theirs]) => theirs)
      .join('\n')
    for (const packet of Object.values(packets)) {
      const { retain, qos, dup, length, topic, payload, properties, ...members } = toMqttPacket(packet)
      for (const name of Object.keys(members)) expect(text).to.include(`object.${name}`)
      for (const name of Object.keys(properties ?? {})) expect(text).to.include(`properties.${name}`)
    }
  })
})

/** The packet that a cell describes: in hex, or as user properties and the names of other properties. */
function packetOf(cell: string, first: string): ConnectPacket | ConnackPacket {
  if (/^[0-9a-f]+$/.test(cell)) {
    const code = /allow: \['(.*)'\]/.exec(first)?.[1] as lib.RelaxableCode | undefined
    const allow = ['protocol-mqtt-3-1' as const, ...(code ? [code] : [])]
    const version = { '20': 3, e0: 5 }[cell.slice(0, 2)] as 3 | 5 | undefined
    const options = version === undefined ? { allow } : { protocolVersion: version }
    return lib.decode(hex(cell), options) as ConnectPacket | ConnackPacket
  }
  const props = cell.split(' ').map((word) => {
    const [key, value] = word.split('=')
    return value === undefined ? property.receiveMaximum(1) : property.userProperty(key!, value)
  })
  return new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', props })
}

describe('docs/interop.md, what a conversion loses', () => {
  for (const [what, before, after] of table('losses')) {
    it(what!, () => {
      const packet = packetOf(before!, what!)
      const { protocolVersion } = packet
      const again = () => fromMqttPacket(toMqttPacket(packet), { protocolVersion })
      if (/^[a-z]+-/.test(after!)) expect(thrown(again)).to.include({ code: after })
      else expect(again().bytes.toString('hex')).to.equal(packetOf(after!, what!).bytes.toString('hex'))
      expect(after).not.to.equal(before)
    })
  }
})

describe('docs/interop.md, moving from mqtt-packet', () => {
  const packet = packets['CONNECT 3.1.1']!
  const object = parsed(packet.bytes, 4)

  /** Runs a cell, and returns its result along with whatever it writes to `stream` and adds to `ids`. */
  async function run(code: string): Promise<object> {
    const stream = new PassThrough()
    const ids: string[] = []
    const value = evaluate(code, { packet, object, stream, ids, chunk: packet.bytes })
    await new Promise(setImmediate)
    const written = stream.read() as Buffer | null
    return {
      value: Buffer.isBuffer(value) ? value.toString('hex') : '',
      written: written?.toString('hex'),
      ids,
    }
  }

  for (const [theirs, ours] of table('calls')) {
    it(`${theirs} is ${ours}`, async () => {
      const result = await run(theirs!)
      expect(result).not.to.deep.equal({ value: '', written: undefined, ids: [] })
      expect(await run(ours!)).to.deep.equal(result)
    })
  }
})

describe('docs/interop.md, objects that are written differently', () => {
  /** Claims of the document about what `generate` writes, each as a check of the bytes. */
  const claims: Readonly<Record<string, (hex: string) => boolean>> = {
    'level 3 under MQTT': (text) => text.startsWith('00044d51545403', 4),
    'level 5 under MQIsdp': (text) => text.startsWith('00064d514973647005', 4),
    broken: (text) => text.length / 2 !== 2 + Number(`0x${text.slice(2, 4)}`),
    'left out silently': (text) => text === '100d00044d5154540402000000' + '0163',
    'written as 0': (text) => text === '100d00044d5154540402000000' + '0163',
    'written as false': (text) => text === '100d00044d5154540400000000' + '0163',
    'written as U+FFFD': (text) => text.endsWith('0003efbfbd'),
    written: (text) => text.length / 2 === 2 + Number(`0x${text.slice(2, 4)}`),
    'sets the will retain flag': (text) => text.startsWith('26', 18),
    'written twice': (text) => text.includes('210001210002'),
    'written as a string': (text) => text.includes('26000161000131'),
    'writes no packet': (text) => text === '',
    'written as 0, "connection accepted"': (text) => text === '20020000',
    'written with the return code': (text) => text === '20020000',
  }

  for (const [literal, theirs, ours] of table('objects')) {
    it(`${literal}: ${theirs}, here ${ours}`, () => {
      const object = evaluate(literal!) as mqtt.IConnectPacket
      if (theirs === 'throws') expect(() => mqtt.generate(object)).to.throw(Error)
      else expect(claims[theirs!]!(mqtt.generate(object).toString('hex'))).to.equal(true)
      const convert = () => fromMqttPacket(evaluate(literal!) as mqtt.IConnectPacket)
      if (ours === 'written') expect(convert().size).to.be.greaterThan(2)
      else expect(thrown(convert)).to.include({ code: ours })
    })
  }
})

describe('docs/interop.md, the example', () => {
  it('runs', () => {
    const [code] = codeBlocks()
    const body = code!.replaceAll(/^import .*$/gm, '')
    const names = { ...lib, fromMqttPacket, toMqttPacket }
    const run = new Function(...Object.keys(names), `${body}\nreturn { packet, object }`)
    const { packet, object } = run(...Object.values(names)) as {
      packet: ConnectPacket
      object: mqtt.IConnectPacket
    }
    expect(packet.bytes).to.deep.equal(
      mqtt.generate({ cmd: 'connect', clientId: 'sensor-0042', keepalive: 60 }),
    )
    expect(object).to.include({ clientId: 'sensor-0042', keepalive: 60, clean: true, protocolVersion: 4 })
  })
})
