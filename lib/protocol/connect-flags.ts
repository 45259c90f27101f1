/** The bits of the connect flags byte. MQTT 3.1.1 and MQTT 5.0, section 3.1.2.3. */
export const ConnectFlag = {
  reserved: 0x01,
  clean: 0x02,
  will: 0x04,
  willQos: 0x18,
  willRetain: 0x20,
  password: 0x40,
  userName: 0x80,
} as const

/** The number of bits to the right of the two will QoS bits. */
export const WILL_QOS_SHIFT = 3
