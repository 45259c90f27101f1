import mqttPacket from 'mqtt-packet'

/** What mqtt-packet's parser says of bytes: the one packet that they are, or why they are none. */
export type Parsed = { packet: mqttPacket.Packet; error?: never } | { packet?: never; error: string }

/** @param protocolVersion what its parser must know to read a CONNACK */
export function parse(bytes: Buffer, protocolVersion: number): Parsed {
  const packets: mqttPacket.Packet[] = []
  const errors: string[] = []
  const parser = mqttPacket.parser({ protocolVersion })
  parser.on('packet', (packet) => packets.push(packet))
  parser.on('error', (error) => errors.push(error.message))
  let left: number
  try {
    // A copy: what it reads must not depend on what comes after it.
    left = parser.parse(Buffer.from(bytes))
  } catch (error) {
    return { error: `throws ${error}` }
  }
  if (errors.length > 0) return { error: errors[0]! }
  if (packets.length !== 1 || left > 0) return { error: 'not exactly one packet' }
  return { packet: packets[0]! }
}

/** The packet that mqtt-packet reads; fails if there is none. */
export function parsed(bytes: Buffer, protocolVersion: number): mqttPacket.Packet {
  const { packet, error } = parse(bytes, protocolVersion)
  if (error !== undefined) throw new Error(`mqtt-packet: ${error}: ${bytes.toString('hex')}`)
  return packet
}
