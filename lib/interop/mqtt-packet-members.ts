import { wrongType, wrongValue } from '../errors/misuse.ts'
import type { EncodedPacket } from '../packets/encoded-packet.ts'
import type { Property } from '../packets/properties.ts'
import type { Version } from '../protocol/version.ts'
import { readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import type { PacketInput, PacketObject } from './mqtt-packet-objects.ts'
import { fromTheirProperties, toTheirProperties } from './mqtt-packet-properties.ts'

/* The members that all objects of mqtt-packet have. */

/** The members that mqtt-packet's parser sets on every packet, although none of these packets uses them. */
export const unused = {
  retain: true,
  qos: true,
  dup: true,
  length: true,
  topic: true,
  payload: true,
  messageId: true,
} as const

/** The members that the parser sets on every packet. */
export function packetMembers({ bytes }: EncodedPacket): PacketObject {
  const length = readVariableByteInteger(bytes, 1, variableByteIntegerEnd(bytes, 1, bytes.length))
  return { retain: false, qos: 0, dup: false, length, topic: null, payload: null }
}

export function propertiesMember(props: readonly Property[] = []): { properties?: object } {
  const properties = toTheirProperties(props)
  return properties === undefined ? {} : { properties }
}

/**
 * Members that these packets don't use must be absent or have the parser's default. A `topic` is most likely meant for
 * the will.
 */
export function checkUnused({ retain, qos, dup, length, topic, payload, messageId }: PacketInput): void {
  if ((retain ?? false) !== false) throw wrongValue('retain', 'false: that of the will is will.retain')
  if ((qos ?? 0) !== 0) throw wrongValue('qos', '0: that of the will is will.qos')
  if ((dup ?? false) !== false) throw wrongValue('dup', 'false')
  if ((topic ?? null) !== null) throw wrongValue('topic', 'null: that of the will is will.topic')
  if ((payload ?? null) !== null) throw wrongValue('payload', 'null: that of the will is will.payload')
  if (length !== undefined && typeof length !== 'number') throw wrongType('length', 'a number', length)
  if (messageId !== undefined && typeof messageId !== 'number')
    throw wrongType('messageId', 'a number', messageId)
}

/** The properties as a field. Packets before MQTT 5.0 have none. */
export function propsField(
  version: Version,
  path: string,
  properties: object | undefined,
): { props?: Property[] } {
  const props = fromTheirProperties(path, properties)
  if (version.hasProperties) return { props }
  if (props.length > 0) throw wrongValue(path, `absent in MQTT ${version.label}`)
  return {}
}
