import { connect, type Socket } from 'node:net'
import { ControlPacketType, property, readPacket, v3_1_1, v5, Will } from 'mqtt-connect-packet'
import mqttPacket from 'mqtt-packet'

export interface Kind {
  readonly version: 4 | 5
  readonly isPersistent: boolean
  /** True if the client has a will, with the topic `wills/CLIENT-ID`. */
  readonly hasWill?: boolean
}

const WHICH = 'cluster/broker'
const RETRY = 500

/**
 * A client that reconnects forever and publishes to itself with QoS 1. It records what was acknowledged, and resends the rest
 * after reconnecting.
 */
export class Client {
  readonly clientId: string
  readonly kind: Kind
  /** True once the client is connected and subscribed, and knows its broker. */
  served = false
  broker: string | undefined
  reconnects = 0
  published = 0
  acknowledged = 0
  /** Number of disconnections by the reason code of the server's DISCONNECT; `none` counts those without one. */
  readonly endings: Record<string, number> = {}
  readonly #port: number
  readonly #isOnce: boolean
  readonly #topic: string
  #socket: Socket | undefined
  #isEnded = false
  #isPublishing = false
  #timer: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #next = 1
  #connected = 0
  #onServed: () => void = () => {}
  /** The key in `endings` for the current connection; `undefined` while there is none. */
  #ending: string | undefined
  /** Messages that the broker has acknowledged and the client hasn't received back. */
  readonly #expected = new Set<string>()
  readonly #received = new Set<string>()
  readonly #sent = new Map<number, string>()

  constructor(clientId: string, kind: Kind, port: number, isOnce: boolean = false) {
    this.clientId = clientId
    this.kind = kind
    this.#port = port
    this.#isOnce = isOnce
    this.#topic = `clients/${clientId}`
  }

  /** Retains a message with the broker's name, for clients that ask which broker they reached. */
  static async announce(port: number, name: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    socket.write(new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: '' }).bytes)
    socket.write(
      mqttPacket.generate({
        cmd: 'publish',
        topic: WHICH,
        payload: name,
        qos: 1,
        messageId: 1,
        retain: true,
        dup: false,
      }),
    )
    for (let type: number | undefined; type !== ControlPacketType.puback; )
      type = (await readPacket(socket)).type
    socket.destroy()
  }

  /** Resolves once the client is served. */
  start(): Promise<void> {
    const result = new Promise<void>((resolve) => {
      this.#onServed = resolve
    })
    this.#connect()
    return result
  }

  /** Connects without a session, and returns the name of the broker that this client id is routed to. */
  async whichBroker(): Promise<string | undefined> {
    await this.start()
    this.end()
    return this.broker
  }

  startCounting(): void {
    this.reconnects = 0
  }

  publishRegularly(interval: number): void {
    this.#isPublishing = true
    const publish = () => {
      if (this.#isPublishing) this.#publish()
    }
    setTimeout(() => {
      this.#timer = setInterval(publish, interval)
    }, Math.random() * interval)
  }

  stopPublishing(): void {
    this.#isPublishing = false
    clearInterval(this.#timer)
  }

  /**
   * Number of acknowledged messages that haven't come back. Those of a clean session don't count, because it rightly ends with
   * the connection.
   */
  missing(): number {
    return this.kind.isPersistent ? this.#expected.size : 0
  }

  /** Number of published messages that haven't come back, acknowledged or not, in any kind of session. */
  get outstanding(): number {
    return this.#sent.size + this.#expected.size
  }

  end(): void {
    this.#isEnded = true
    this.stopPublishing()
    clearTimeout(this.#retry)
    this.#socket?.end(Buffer.from('e000', 'hex'))
  }

  #connect(): void {
    const { clientId, kind } = this
    const socket = connect(this.#port, '127.0.0.1')
    this.#socket = socket
    // The parser only splits the bytes into packets; it needs the version for that.
    const parser = mqttPacket.parser({ protocolVersion: kind.version })
    parser.on('packet', (packet) => this.#receive(packet, socket))
    parser.on('error', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('data', (chunk) => parser.parse(chunk))
    // A client that only asks for its broker takes the client id over from the real client, so it must not retry forever.
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.served = false
      if (this.#isEnded) return
      if (this.#ending !== undefined) this.endings[this.#ending] = (this.endings[this.#ending] ?? 0) + 1
      this.#ending = undefined
      this.#retry = setTimeout(() => this.#connect(), RETRY + Math.random() * RETRY)
    })
    const isClean = !kind.isPersistent
    const fields = { topic: `wills/${clientId}`, message: clientId, qos: 1 } as const
    const will = kind.hasWill ? new Will(fields) : undefined
    const packet =
      kind.version === 4
        ? new v3_1_1.ConnectPacket({ cleanSession: isClean, keepAlive: 60, clientId, will })
        : new v5.ConnectPacket({
            cleanStart: isClean,
            keepAlive: 60,
            clientId,
            will,
            props: isClean ? [] : [property.sessionExpiryInterval(600)],
          })
    // No HAProxy in between, so the client sends the PROXY header that the gateway expects.
    if (this.#isOnce) socket.write('PROXY TCP4 127.0.0.1 127.0.0.1 40000 1883\r\n')
    socket.write(packet.bytes)
  }

  #receive(packet: mqttPacket.Packet, socket: Socket): void {
    if (packet.cmd === 'connack') {
      if ((packet.returnCode ?? packet.reasonCode) !== 0) {
        socket.destroy()
        return
      }
      if (this.#connected++ > 0) this.reconnects++
      this.#ending = 'none'
      const topics = this.#isOnce ? [WHICH] : [this.#topic, WHICH]
      this.#send({
        cmd: 'subscribe',
        messageId: 65_535,
        subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })),
      })
      for (const [messageId, payload] of this.#sent) this.#sendMessage(messageId, payload, true)
    } else if (packet.cmd === 'publish') {
      const payload = String(packet.payload)
      if (packet.qos === 1) this.#send({ cmd: 'puback', messageId: packet.messageId! })
      if (packet.topic === WHICH) {
        this.broker = payload
        this.served = true
        this.#onServed()
      } else {
        this.#received.add(payload)
        this.#expected.delete(payload)
      }
    } else if (packet.cmd === 'puback') {
      const payload = this.#sent.get(packet.messageId!)
      if (payload === undefined) return
      this.#sent.delete(packet.messageId!)
      this.acknowledged++
      if (!this.#received.has(payload)) this.#expected.add(payload)
    } else if (packet.cmd === 'disconnect') {
      this.#ending = `0x${(packet.reasonCode ?? 0).toString(16)}`
    }
  }

  #publish(): void {
    if (!this.served) return
    const messageId = (this.#next++ % 60_000) + 1
    const payload = `${this.clientId} ${this.#next}`
    this.published++
    this.#sent.set(messageId, payload)
    this.#sendMessage(messageId, payload, false)
  }

  #sendMessage(messageId: number, payload: string, dup: boolean): void {
    this.#send({ cmd: 'publish', topic: this.#topic, payload, qos: 1, messageId, dup, retain: false })
  }

  #send(packet: mqttPacket.Packet): void {
    this.#socket?.write(mqttPacket.generate(packet, { protocolVersion: this.kind.version }))
  }
}
