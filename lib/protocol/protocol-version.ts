/**
 * The protocol level byte of each MQTT version that this library knows; `undetermined` means: read it from
 * the packet. MQTT 3.1.1 section 3.1.2.2, MQTT 5.0 section 3.1.2.2.
 */
export const ProtocolVersion = {
  undetermined: 0,
  v3_1_1: 4,
  v5: 5,
} as const

export type ProtocolVersion = (typeof ProtocolVersion)[keyof typeof ProtocolVersion]
