/**
 * The control packet types, as the high half of a packet's first byte. Type 0 is reserved, and so is 15 (AUTH) before MQTT 5.0.
 * MQTT 3.1.1 section 2.2.1, MQTT 5.0 section 2.1.2.
 *
 * @example
 * packet.type === ControlPacketType.connect // true
 */
export const ControlPacketType = {
  connect: 0x10,
  connack: 0x20,
  publish: 0x30,
  puback: 0x40,
  pubrec: 0x50,
  pubrel: 0x60,
  pubcomp: 0x70,
  subscribe: 0x80,
  suback: 0x90,
  unsubscribe: 0xa0,
  unsuback: 0xb0,
  pingreq: 0xc0,
  pingresp: 0xd0,
  disconnect: 0xe0,
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
