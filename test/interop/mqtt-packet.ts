import mqttPacket from 'mqtt-packet'

/** The result of mqtt-packet's parser: one packet, or the reason why there isn't exactly one. */
export type Parsed = { packet: mqttPacket.Packet; error?: never } | { packet?: never; error: string }

/** @param protocolVersion needed by its parser to read a CONNACK */
export function parse(bytes: Buffer, protocolVersion: number): Parsed {
  const packets: mqttPacket.Packet[] = []
  const errors: string[] = []
  const parser = mqttPacket.parser({ protocolVersion })
  parser.on('packet', (packet) => packets.push(packet))
  parser.on('error', (error) => errors.push(error.message))
  let left: number
  try {
    // A copy, so that the result can't depend on the bytes after it.
    left = parser.parse(Buffer.from(bytes))
  } catch (error) {
    return { error: `throws ${error}` }
  }
  if (errors.length > 0) return { error: errors[0]! }
  if (packets.length !== 1 || left > 0) return { error: 'not exactly one packet' }
  return { packet: packets[0]! }
}

/** The packet that mqtt-packet parses. Throws if there's none. */
export function parsed(bytes: Buffer, protocolVersion: number): mqttPacket.Packet {
  const { packet, error } = parse(bytes, protocolVersion)
  if (error !== undefined) throw new Error(`mqtt-packet: ${error}: ${bytes.toString('hex')}`)
  return packet
}
