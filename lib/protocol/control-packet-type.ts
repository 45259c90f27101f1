/**
 * The control packet types, as in a packet's first byte: the standard's 1, CONNECT, is 0x10, and its 15, AUTH, is 0xf0. Type
 * 0 is reserved, and so is AUTH before MQTT 5.0. MQTT 3.1.1 section 2.2.1, MQTT 5.0 section 2.1.2.
 *
 * @example
 * packet.type === ControlPacketType.connect // true
 */
export const ControlPacketType = {
  /** CONNECT: a client asks for a connection. Section 3.1. */
  connect: 0x10,
  /** CONNACK: a server answers a CONNECT. Section 3.2. */
  connack: 0x20,
  /** PUBLISH: a message. Section 3.3. */
  publish: 0x30,
  /** PUBACK: acknowledges a PUBLISH with QoS 1. Section 3.4. */
  puback: 0x40,
  /** PUBREC: the first answer to a PUBLISH with QoS 2. Section 3.5. */
  pubrec: 0x50,
  /** PUBREL: the answer to a PUBREC. Section 3.6. */
  pubrel: 0x60,
  /** PUBCOMP: the answer to a PUBREL. Section 3.7. */
  pubcomp: 0x70,
  /** SUBSCRIBE: a client subscribes to topics. Section 3.8. */
  subscribe: 0x80,
  /** SUBACK: a server answers a SUBSCRIBE. Section 3.9. */
  suback: 0x90,
  /** UNSUBSCRIBE: a client unsubscribes from topics. Section 3.10. */
  unsubscribe: 0xa0,
  /** UNSUBACK: a server answers an UNSUBSCRIBE. Section 3.11. */
  unsuback: 0xb0,
  /** PINGREQ: a client keeps its connection alive. Section 3.12. */
  pingreq: 0xc0,
  /** PINGRESP: a server answers a PINGREQ. Section 3.13. */
  pingresp: 0xd0,
  /** DISCONNECT: the last packet of a connection. Section 3.14. */
  disconnect: 0xe0,
  /** AUTH: a step of enhanced authentication, since MQTT 5.0. Section 3.15. */
  auth: 0xf0,
} as const

export type ControlPacketType = (typeof ControlPacketType)[keyof typeof ControlPacketType]

/** The standard's name: `PUBLISH` for `ControlPacketType.publish`. `undefined` for the reserved type 0. */
export function controlPacketName(type: number): string | undefined {
  return names.get(type)
}

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(ControlPacketType).map(([name, type]) => [type, name.toUpperCase()]),
)

/** The sizes in bytes of packets that are complete without a body. */
export const sizesWithoutBody: ReadonlyMap<ControlPacketType, number> = new Map([
  [ControlPacketType.pingreq, 2],
  [ControlPacketType.pingresp, 2],
  [ControlPacketType.disconnect, 2],
  [ControlPacketType.auth, 2],
  [ControlPacketType.puback, 4],
  [ControlPacketType.pubrec, 4],
  [ControlPacketType.pubrel, 4],
  [ControlPacketType.pubcomp, 4],
])
