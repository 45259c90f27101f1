import { type ConnackPacket, type ConnectPacket, PropertyId } from 'mqtt-connect-packet'

/**
 * The properties that a CONNACK can do without, in the order in which they're dropped. MQTT 5.0 sections 3.2.2.3.9 and
 * 3.2.2.3.10.
 */
const dispensable = [PropertyId.userProperty, PropertyId.reasonString] as const

/**
 * Makes a CONNACK fit the Maximum Packet Size of its client [MQTT-3.1.2-24].
 *
 * @returns `undefined` if it can't be made small enough
 */
export function fit(answer: ConnackPacket, client: ConnectPacket): ConnackPacket | undefined {
  if (client.protocolVersion !== 5 || answer.protocolVersion !== 5) return answer
  const most = client.property(PropertyId.maximumPacketSize) ?? Number.POSITIVE_INFINITY
  let fitting = answer
  for (const dropped of dispensable) {
    if (fitting.size <= most) break
    fitting = fitting.with({ props: fitting.props.filter(({ id }) => id !== dropped) })
  }
  return fitting.size <= most ? fitting : undefined
}
