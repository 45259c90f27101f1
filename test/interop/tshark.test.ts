import { expect } from 'chai'
import fc from 'fast-check'
import { decode } from '../../lib/packets/index.ts'
import { dissect, pcap, type Segment, type TsharkField, tsharkVersion } from './capture.ts'
import { table } from './document.ts'
import { type ConnackPacket, type ConnectPacket, connectPacket, handshake, SEED } from './packets.ts'
import { connackFields, connectFields, type Field } from './tshark-fields.ts'

const HANDSHAKES = 1000
const CHANGED = 2000

/** One packet of a capture, as read by this library and by tshark. */
interface Reading {
  readonly packet: ConnectPacket | ConnackPacket
  /** True if the connection's CONNECT has the bridge bit. */
  readonly isBridge: boolean
  readonly ours: readonly Field[]
  readonly theirs: readonly TsharkField[]
}

/** Valid CONNECT packets with changed bytes. In MQTT 3.1, this includes flags without a meaning. */
function changedConnects(): ConnectPacket[] {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 2 })
  const samples = fc.sample(fc.tuple(connectPacket, changes), { seed: SEED, numRuns: CHANGED })
  return samples.flatMap(([packet, list]) => {
    const bytes = Buffer.from(packet.bytes)
    // Changes only bytes after the protocol level: flags, keep alive and payload.
    for (const [at, value] of list) bytes[9 + (at % (bytes.length - 9))] = value
    try {
      return [decode(bytes, { allow: ['protocol-mqtt-3-1', 'protocol-bridge-level'] }) as ConnectPacket]
    } catch {
      return []
    }
  })
}

/**
 * Reads all packets with tshark. Each handshake is one connection, because a CONNACK's version comes from the CONNECT before
 * it.
 */
function readings(): Reading[] {
  const handshakes = fc.sample(handshake, { seed: SEED, numRuns: HANDSHAKES })
  const connections = [...handshakes, ...changedConnects().map((connect) => [connect] as const)]
  const packets = connections.flatMap(([connect, connack], connection) => {
    const isBridge = connect.protocolVersion !== 5 && connect.bridge
    const first = {
      connection,
      from: 'client' as const,
      packet: connect,
      isBridge,
      ours: connectFields(connect),
    }
    if (connack === undefined) return [first]
    const second = {
      connection,
      from: 'server' as const,
      packet: connack,
      isBridge,
      ours: connackFields(connack),
    }
    return [first, second]
  })
  const segments = packets.map(
    ({ connection, from, packet }): Segment => ({ connection, from, payload: packet.bytes }),
  )
  const dissected = dissect(pcap(segments))
  expect(dissected).to.have.lengthOf(packets.length)
  return packets.map((packet, i) => ({ ...packet, theirs: dissected[i]! }))
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** True if tshark reports the same value. Strings with control characters are skipped, because tshark escapes them. */
function shows({ show }: TsharkField, value: Field['value']): boolean {
  if (typeof value === 'number') return Number(show) === value
  if (typeof value === 'string') return !isPlain(value) || show === value
  return value === undefined || show.replaceAll(':', '') === value.toString('hex')
}

/** The bytes that tshark reports for a value. For a content type, they include the length. */
function contentOf({ name, hex }: TsharkField): string {
  return name === 'mqtt.property.content_type' ? hex.slice(4) : hex
}

const WARNING = '_ws.expert.message'

/** The known differences in one packet, by tshark's field. Any other difference fails the test. */
function differences({ packet, isBridge, ours, theirs }: Reading): Set<string> {
  const found = new Set<string>()
  let expected = ours
  if (isBridge && packet.type === 0x20) {
    expected = afterUnknownVersion(ours)
    found.add('mqtt.connack.reason_code')
  }
  for (const { show } of theirs.filter(({ name }) => name === WARNING)) {
    const hasZero = ours.some(({ value }) => Buffer.isBuffer(value) && value.includes(0))
    if (!hasZero || show !== 'Trailing stray characters') expect.fail(`${show}: ${packet}`)
    found.add(WARNING)
  }
  const fields = theirs.filter(({ name }) => name !== WARNING)
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(' ')
  if (names(fields) !== names(expected)) expect(names(fields), `${packet}`).to.equal(names(expected))
  for (const [i, { name, value }] of expected.entries()) {
    const field = fields[i]!
    if (
      typeof value !== 'number' &&
      value !== undefined &&
      contentOf(field) !== Buffer.from(value).toString('hex')
    ) {
      expect.fail(`${name} has the bytes ${field.hex} in ${packet}`)
    }
    if (shows(field, value)) continue
    if (isIgnoredFlag(name, packet)) {
      found.add('mqtt.conflags')
      continue
    }
    const isRawLength = name === 'mqtt.property_len' && Number(field.show) === Number(`0x${field.hex}`)
    if (!Buffer.isBuffer(value) && !isRawLength) expect.fail(`${name} is ${field.show} in ${packet}`)
    found.add(name)
  }
  return found
}

/** True if MQTT 3.1 gives the flag no meaning in this packet. */
function isIgnoredFlag(name: string, packet: ConnectPacket | ConnackPacket): boolean {
  if (packet.protocolVersion !== 3 || packet.type !== 0x10) return false
  const ignored = ['mqtt.conflags', 'mqtt.conflag.reserved']
  if (packet.will === undefined) ignored.push('mqtt.conflag.qos', 'mqtt.conflag.retain')
  if (packet.userName === undefined) ignored.push('mqtt.conflag.uname')
  if (packet.password === undefined) ignored.push('mqtt.conflag.passwd')
  return ignored.includes(name)
}

/** A CONNACK after a CONNECT whose version tshark doesn't know. */
function afterUnknownVersion(fields: readonly Field[]): Field[] {
  const before = fields.filter(({ name }) => !/conack/.test(name))
  const at = (name: string) => fields.find((field) => field.name === `mqtt.conack.${name}`)?.value ?? 0
  return [
    ...before,
    { name: 'mqtt.conack.flags', value: at('flags') },
    { name: 'mqtt.conack.flags.reserved', value: at('flags.reserved') },
    { name: 'mqtt.conack.flags.sp', value: at('flags.sp') },
    { name: 'mqtt.connack.reason_code', value: at('val') },
  ]
}

const tshark = tsharkVersion()

describe('tshark and we', () => {
  const title = `read the same fields in over ${2 * HANDSHAKES} packets, except as docs/tshark.md says`
  if (tshark === undefined) {
    it.skip(`${title}: tshark is not installed`)
    return
  }

  it(title, () => {
    const found = new Set(readings().flatMap((reading) => [...differences(reading)]))
    const documented = table('tshark', 'tshark').map(([field]) => field)
    // Other versions of tshark may have fewer differences.
    if (tshark.startsWith('TShark 4.0.')) expect([...found]).to.have.members(documented)
    else expect(documented).to.include.members([...found])
  }).timeout(60_000)
})
