import { type ConnectPacket, PropertyId, v5 } from 'mqtt-connect-packet'
import mqttPacket, { type Packet } from 'mqtt-packet'
import type { Is } from './greeting.ts'
import type { Message } from './session.ts'

/** Writes the packets after a CONNACK, within the limits that the CONNECT names. */
export class Writer {
  readonly #is: Is
  readonly #packet: ConnectPacket
  #messageId = 0
  #aliases = 0

  constructor(is: Is, packet: ConnectPacket) {
    this.#is = is
    this.#packet = packet
  }

  get #is5(): boolean {
    return this.#packet.protocolVersion === 5
  }

  /** A numeric property of the CONNECT. */
  property(
    id:
      | typeof PropertyId.maximumPacketSize
      | typeof PropertyId.sessionExpiryInterval
      | typeof PropertyId.topicAliasMaximum
      | typeof PropertyId.requestProblemInformation,
  ): number | undefined {
    return this.#packet instanceof v5.ConnectPacket ? this.#packet.property(id) : undefined
  }

  publish({ topic, payload, qos, retain, userProperties }: Message): Buffer {
    const topicAlias = this.#alias()
    const properties = { ...(topicAlias && { topicAlias }), ...(userProperties && { userProperties }) }
    const id = qos > 0 && { messageId: ++this.#messageId }
    const own = { cmd: 'publish', topic, payload, qos, retain, dup: false, ...id }
    return this.#generate({ ...own, ...(this.#is5 && { properties }) } as never)
  }

  #alias(): number | undefined {
    const maximum = this.property(PropertyId.topicAliasMaximum) ?? 0
    if (this.#is('topic-alias-unasked') && maximum === 0) return 1
    return this.#is('topic-alias-too-high') && maximum > 0 ? (++this.#aliases % 3) + 1 : undefined
  }

  acknowledge(packet: object): Buffer {
    const isWanted = this.property(PropertyId.requestProblemInformation) !== 0
    const talks = this.#is5 && !this.#is('terse') && (isWanted || this.#is('reason-string-unasked'))
    const properties = talks ? { reasonString: 'well done' } : {}
    return this.#generate({ ...packet, properties } as never)
  }

  fits(bytes: Buffer): boolean {
    return bytes.length <= (this.property(PropertyId.maximumPacketSize) ?? Number.POSITIVE_INFINITY)
  }

  #generate(packet: Packet): Buffer {
    return mqttPacket.generate(packet, { protocolVersion: this.#packet.protocolVersion })
  }
}
