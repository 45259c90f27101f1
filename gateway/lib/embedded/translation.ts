import { randomUUID } from 'node:crypto'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ConnectReturnCode,
  type PacketVariant,
  PropertyId,
  type ProtocolVersion,
} from 'mqtt-connect-packet'
import mqttPacket, { type IDisconnectPacket, type Packet } from 'mqtt-packet'

/*
 * Aedes speaks MQTT 3.1.1. Each packet of a client is decoded by itself and encoded again as MQTT 3.1.1, whatever version
 * the client speaks, so aedes never sees bytes that can't be decoded. MQTT 5.0 properties and subscription
 * options are dropped.
 */

/** The packets that a client may send after its CONNECT. AUTH is missing: MQTT 3.1.1 has no such packet. */
const sentByClients: ReadonlySet<string | undefined> = new Set([
  'publish',
  'puback',
  'pubrec',
  'pubrel',
  'pubcomp',
  'subscribe',
  'unsubscribe',
  'pingreq',
  'disconnect',
])

const reasonOfReturn: Readonly<Record<number, ConnectReasonCode>> = {
  [ConnectReturnCode.accepted]: ConnectReasonCode.success,
  [ConnectReturnCode.unacceptableProtocolVersion]: ConnectReasonCode.unsupportedProtocolVersion,
  [ConnectReturnCode.identifierRejected]: ConnectReasonCode.clientIdentifierNotValid,
  [ConnectReturnCode.serverUnavailable]: ConnectReasonCode.serverUnavailable,
  [ConnectReturnCode.badUserNameOrPassword]: ConnectReasonCode.badUserNameOrPassword,
  [ConnectReturnCode.notAuthorized]: ConnectReasonCode.notAuthorized,
}

/** Translates the packets of one connection, both ways. */
export class Translation {
  readonly #version: ProtocolVersion
  readonly #assignedId: string | undefined
  readonly #fromBroker = mqttPacket.parser({ protocolVersion: 4 })
  /** The next bytes for `toClient` to return. */
  #forClient: Buffer[] = []
  /** The largest packet that the client accepts, in bytes. */
  #maximumPacketSize: number = Number.POSITIVE_INFINITY
  /** True if the CONNECT asks for a session that outlives the connection. */
  #hasExpiry = false
  /** The next packets for `acknowledgements` to return. */
  #forBroker: Buffer[] = []
  /** The number of topics in each UNSUBSCRIBE, because an UNSUBACK of MQTT 3.1.1 doesn't contain it. */
  readonly #unsubscribed = new Map<number | undefined, number>()

  constructor(connect: ConnectPacket) {
    this.#version = connect.protocolVersion
    // Aedes would also choose an id, but MQTT 3.1.1 cannot tell the client which one.
    this.#assignedId = connect.protocolVersion === 5 && connect.clientId === '' ? randomUUID() : undefined
    this.#fromBroker.on('error', rethrow)
    this.#fromBroker.on('packet', (packet) => this.#receive(packet))
    if (connect.protocolVersion === 5) {
      this.#maximumPacketSize = connect.property(PropertyId.maximumPacketSize) ?? this.#maximumPacketSize
      this.#hasExpiry = (connect.property(PropertyId.sessionExpiryInterval) ?? 0) > 0
    }
  }

  /** The CONNECT as MQTT 3.1.1. */
  connect(connect: ConnectPacket): Buffer {
    const packet = decoded(connect.bytes, this.#version)
    if (packet.cmd !== 'connect') throw new Error('Expected a CONNECT')
    packet.protocolVersion = 4
    packet.clientId = this.#assignedId ?? packet.clientId
    if (packet.username === undefined) delete packet.password // MQTT 3.1.1 cannot express it.
    return encoded(packet, 4)
  }

  /**
   * A later packet of the client as MQTT 3.1.1; `undefined` if MQTT 3.1.1 can only close the connection instead.
   *
   * @throws Error if no client may send this packet, or if it is malformed
   */
  toBroker(received: PacketVariant): Buffer | undefined {
    const packet = decoded(received.bytes, this.#version)
    if (!sentByClients.has(packet.cmd)) throw new Error(`A client may not send ${packet.cmd}`)
    if (packet.cmd === 'disconnect' && this.#keepsWill(packet)) return undefined
    if (packet.cmd === 'unsubscribe') this.#unsubscribed.set(packet.messageId, packet.unsubscriptions.length)
    return encoded(packet, 4)
  }

  /**
   * True if the will must be published after a DISCONNECT. Only reason code 0 discards the will [MQTT-3.1.2-8], and a DISCONNECT that sets a
   * session expiry interval is invalid if the CONNECT had none (MQTT 5.0 section 3.14.2.2.2).
   */
  #keepsWill({ reasonCode = 0, properties }: IDisconnectPacket): boolean {
    return reasonCode !== 0 || ((properties?.sessionExpiryInterval ?? 0) > 0 && !this.#hasExpiry)
  }

  /** Translates the broker's bytes, which may begin and end in the middle of a packet, into bytes for the client. */
  toClient(chunk: Buffer): Buffer {
    if (this.#version !== 5) return chunk
    this.#fromBroker.parse(chunk)
    return Buffer.concat(this.#forClient.splice(0))
  }

  /**
   * The acknowledgement that the broker gets on behalf of the client if a message was too large for the client, as if it had been
   * delivered [MQTT-3.1.2-25].
   */
  acknowledgements(): Buffer {
    return Buffer.concat(this.#forBroker.splice(0))
  }

  #receive(received: Packet): void {
    const bytes = encoded(this.#answer(received), 5)
    if (received.cmd !== 'publish' || bytes.length <= this.#maximumPacketSize) {
      this.#forClient.push(bytes)
      return
    }
    const { messageId, qos } = received
    if (messageId === undefined || qos === 0) return
    // A PUBCOMP by itself ends the delivery. After a PUBREC, aedes would send the client a PUBREL.
    this.#forBroker.push(encoded({ cmd: qos === 1 ? 'puback' : 'pubcomp', messageId }, 4))
  }

  #answer(packet: Packet): Packet {
    if (packet.cmd === 'connack') {
      packet.reasonCode = reasonOfReturn[packet.returnCode ?? 0] ?? ConnectReasonCode.unspecifiedError
      packet.properties = this.#assignedId === undefined ? {} : { assignedClientIdentifier: this.#assignedId }
    } else if (packet.cmd === 'unsuback') {
      packet.granted = new Array(this.#unsubscribed.get(packet.messageId) ?? 1).fill(0)
      this.#unsubscribed.delete(packet.messageId)
    }
    return packet
  }
}

/**
 * Decodes exactly one packet. If the parser saw the following bytes, it could take them for a part of this packet, because
 * mqtt-packet looks at the end of its buffer, not at the Remaining Length.
 */
function decoded(bytes: Buffer, protocolVersion: ProtocolVersion): Packet {
  let found: Packet | undefined
  const parser = mqttPacket.parser({ protocolVersion })
  parser.on('error', rethrow)
  parser.on('packet', (packet) => {
    found = packet
  })
  parser.parse(bytes)
  if (found === undefined) throw new Error('Expected a whole packet')
  return found
}

/** As `mqttPacket.generate`, but throws errors, which `generate` emits where nobody can listen for them. */
function encoded(packet: Packet, protocolVersion: 4 | 5): Buffer {
  const chunks: Buffer[] = []
  const sink = {
    write: (chunk: Buffer | string) => chunks.push(Buffer.from(chunk as string)) > 0,
    destroy: rethrow,
  }
  mqttPacket.writeToStream(packet, sink as never, { protocolVersion })
  return Buffer.concat(chunks)
}

function rethrow(error: Error): never {
  throw error
}
