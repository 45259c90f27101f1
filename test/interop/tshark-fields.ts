import { type Property, PropertyId, type Will } from '../../lib/packets/index.ts'
import type { ConnackPacket, ConnectPacket } from './packets.ts'

/* The fields that tshark must report for a packet, from the packet's accessors, with tshark's names and in wire order. */

/** An expected field under tshark's name: a number, a string or binary data. */
export interface Field {
  /** `mqtt.clientid` */
  readonly name: string
  /** `undefined` if the field only contains other fields. */
  readonly value: number | string | Buffer | undefined
}

const field = (name: string, value?: Field['value']): Field => ({ name: `mqtt.${name}`, value })
const bit = (set: unknown): number => (set ? 1 : 0)

/** A string or binary data with its length prefix. */
function prefixed(name: string, value: string | Buffer): Field[] {
  return [field(`${name}_len`, Buffer.byteLength(value)), field(name, value)]
}

function header(type: number, { size }: ConnectPacket | ConnackPacket): Field[] {
  const remainingLength = size < 0x82 ? size - 2 : size - 3
  return [
    field('hdrflags', type << 4),
    field('msgtype', type),
    field('hdr_reserved', 0),
    field('len', remainingLength),
  ]
}

export function connectFields(packet: ConnectPacket): Field[] {
  const { protocolVersion, will, userName, password } = packet
  const name = protocolVersion === 3 ? 'MQIsdp' : 'MQTT'
  const clean = protocolVersion === 5 ? packet.cleanStart : packet.cleanSession
  const bridge = protocolVersion === 5 ? false : packet.bridge
  const flags = [
    bit(userName !== undefined),
    bit(password),
    bit(will?.retain),
    will?.qos ?? 0,
    bit(will),
    bit(clean),
    0,
  ]
  const shifts = [7, 6, 5, 3, 2, 1, 0]
  const flagNames = ['uname', 'passwd', 'retain', 'qos', 'willflag', 'cleansess', 'reserved']
  return [
    ...header(1, packet),
    field('proto_len', name.length),
    field('protoname', name),
    field('ver', bridge ? protocolVersion + 0x80 : protocolVersion),
    field(
      'conflags',
      flags.reduce((all, flag, i) => all + (flag << shifts[i]!), 0),
    ),
    ...flags.map((flag, i) => field(`conflag.${flagNames[i]}`, flag)),
    field('kalive', packet.keepAlive),
    ...(protocolVersion === 5 ? propertyFields('properties', packet.props) : []),
    ...prefixed('clientid', packet.clientId),
    ...(will ? willFields(will, protocolVersion === 5) : []),
    ...(userName === undefined ? [] : prefixed('username', userName)),
    ...(password === undefined ? [] : prefixed('passwd', password)),
  ]
}

function willFields({ topic, message, props }: Will, hasProperties: boolean): Field[] {
  const [length, content] = prefixed('willmsg', message)
  return [
    ...(hasProperties ? propertyFields('will_properties', props) : []),
    ...prefixed('willtopic', topic),
    length!,
    content!,
  ]
}

export function connackFields(packet: ConnackPacket): Field[] {
  const { protocolVersion, sessionPresent } = packet
  const present = bit(sessionPresent)
  const code =
    protocolVersion === 5
      ? field('connack.reason_code', packet.reasonCode)
      : field('conack.val', packet.returnCode)
  return [
    ...header(2, packet),
    // MQTT 3.1 has a reserved byte and no flags.
    ...(protocolVersion === 3 ? [] : [field('conack.flags', present)]),
    field('conack.flags.reserved', 0),
    ...(protocolVersion === 3 ? [] : [field('conack.flags.sp', present)]),
    code,
    ...(protocolVersion === 5 ? propertyFields('properties', packet.props) : []),
  ]
}

function propertyFields(name: string, props: readonly Property[]): Field[] {
  const fields = props.flatMap((item) => [field('property_id', item.id), ...valueFields(item)])
  const size = props.reduce((sum, item) => sum + sizeOf(item), 0)
  return [field(name), field('property_len', size), ...fields]
}

const fourBytes: readonly number[] = [
  PropertyId.sessionExpiryInterval,
  PropertyId.maximumPacketSize,
  PropertyId.willDelayInterval,
  PropertyId.messageExpiryInterval,
]
const twoBytes: readonly number[] = [
  PropertyId.receiveMaximum,
  PropertyId.topicAliasMaximum,
  PropertyId.serverKeepAlive,
]

/** The encoded size of a property. MQTT 5.0 section 2.2.2.2. */
function sizeOf(item: Property): number {
  if ('key' in item) return 1 + 2 + Buffer.byteLength(item.key) + 2 + Buffer.byteLength(item.value)
  if (typeof item.value !== 'number') return 1 + 2 + Buffer.byteLength(item.value)
  return 1 + (fourBytes.includes(item.id) ? 4 : twoBytes.includes(item.id) ? 2 : 1)
}

function valueFields(item: Property): Field[] {
  if ('key' in item) return [...prefixed('prop_key', item.key), ...prefixed('prop_value', item.value)]
  if (item.id === PropertyId.maximumQos) return [field('property.max_qos', item.value)]
  if (item.id === PropertyId.contentType) return [field('property.content_type', item.value)]
  return typeof item.value === 'number'
    ? [field('prop_number', item.value)]
    : prefixed('prop_string', item.value)
}
