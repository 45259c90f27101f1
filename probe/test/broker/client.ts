import type { Socket } from 'node:net'
import {
  type ConnectPacket,
  ControlPacketType,
  decode,
  type MqttError,
  PropertyId,
} from 'mqtt-connect-packet'
import mqttPacket from 'mqtt-packet'
import type { Switch } from '../switches.ts'
import type { Broker } from './broker.ts'
import { authOf, connectPacketOf, sizeOf } from './bytes.ts'
import { errorAnswer, farewell, greeting, hasLimits, methodOf, objection, refusal } from './greeting.ts'
import { type Message, Session } from './session.ts'
import { willDelay, willMessage } from './will.ts'
import { Writer } from './writer.ts'

/** A packet after the CONNECT, as parsed by mqtt-packet. */
interface Later {
  readonly cmd: string
  readonly messageId: number
  readonly subscriptions: readonly { topic: string; qos: number }[]
  readonly unsubscriptions: readonly string[]
  readonly topic: string
  readonly payload: Buffer
  readonly qos: number
  readonly retain: boolean
  readonly reasonCode?: number
  readonly properties?: { readonly sessionExpiryInterval?: number }
}

/** The broker's side of one connection. */
export class Client {
  session = new Session()
  readonly #broker: Broker
  readonly #socket: Socket
  #packet: ConnectPacket | undefined
  #writer: Writer | undefined
  #id = ''
  #pending: Buffer = Buffer.alloc(0)
  #keepAlive: NodeJS.Timeout | undefined
  #isOver = false
  #reading: Promise<void> = Promise.resolve()
  /** Taken from the client's DISCONNECT. */
  #expiry: number | undefined

  constructor(broker: Broker, socket: Socket) {
    this.#broker = broker
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#reading = this.#reading.then(async () => {
        if (broker.delay > 0) await new Promise((resolve) => setTimeout(resolve, broker.delay))
        this.#receive(chunk)
      })
    })
    for (const event of ['end', 'error', 'close']) {
      socket.on(event, () => void this.#reading.then(() => this.#end(true)))
    }
  }

  readonly #is = (broken: Switch): boolean => this.#broker.broken === broken

  get #is5(): boolean {
    return this.#packet?.protocolVersion === 5
  }

  deliver(message: Message): void {
    const bytes = this.#writer!.publish(message)
    if (this.#writer!.fits(bytes) || this.#is('ignores-maximum-packet-size')) this.#send(bytes)
    else if (this.#is('closes-instead-of-dropping')) this.#end(true, 0x95)
  }

  get #interval(): number | undefined {
    return this.#writer?.property(PropertyId.sessionExpiryInterval)
  }

  #send(bytes: Uint8Array): void {
    if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(bytes)
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return
    if (this.#is('wants-whole-packets') && this.#packet === undefined && chunk.length < 4) {
      this.#end(true)
      return
    }
    let rest = Buffer.concat([this.#pending, chunk])
    for (let size = sizeOf(rest); size <= rest.length && !this.#isClosed; size = sizeOf(rest)) {
      const frame = rest.subarray(0, size)
      rest = rest.subarray(size)
      this.#frame(frame)
      if (this.#packet === undefined || frame[0] !== 0x10) continue
      if (this.#is('drops-what-comes-with-connect')) rest = rest.subarray(rest.length)
      // Keeps only the DISCONNECT, so everything that the client sent before it is lost.
      if (this.#is('drops-message-before-disconnect') && rest.at(-2) === 0xe0) rest = rest.subarray(-2)
    }
    if (rest.length >= 5 && sizeOf(rest) === Number.POSITIVE_INFINITY) this.#refuse(undefined, rest)
    this.#pending = rest
  }

  get #isClosed(): boolean {
    return this.#isOver && !this.#is('processes-rejected-data')
  }

  #frame(frame: Buffer): void {
    const type = frame[0]! & 0xf0
    if (this.#isOver) {
      if (type === ControlPacketType.publish) this.#later(frame)
      return
    }
    const isFirst = this.#packet === undefined
    if (type === ControlPacketType.connect && (isFirst || this.#is('accepts-second-connect'))) {
      this.#connect(frame)
      return
    }
    if (isFirst) {
      if (!this.#is('answers-before-connect') || type === 0) {
        this.#end(true)
        return
      }
      if (type === ControlPacketType.pingreq) this.#send(Buffer.from('d000', 'hex'))
      return
    }
    const code = this.#errorOf(frame)
    if (code === undefined) this.#later(frame)
    else if (`overlooks-disconnect-${code}` === this.#broker.broken && type === 0xe0) this.#end(false)
    else if (`later-${code}` !== this.#broker.broken || type === 0xe0)
      this.#end(true, type === ControlPacketType.connect ? 0x82 : 0x81)
  }

  /** The error in a packet after the CONNECT. */
  #errorOf(frame: Buffer): string | undefined {
    if (frame[0]! >> 4 === 1) return 'second-connect'
    // Types that only servers send, and AUTH, which a client without a method must not send.
    if ([2, 9, 11, 13, 15].includes(frame[0]! >> 4)) return 'wrong-sender'
    try {
      decode(frame, { protocolVersion: this.#packet!.protocolVersion, from: 'client' })
      return undefined
    } catch (error) {
      return (error as MqttError).code
    }
  }

  /** Handles a CONNECT, or bytes that resemble one. */
  #connect(frame: Buffer): void {
    let packet: ConnectPacket
    const allow = ['protocol-mqtt-3-1'] as const
    try {
      packet = decode(frame, { allow }) as ConnectPacket
    } catch (error) {
      const { code, protocolLevel = 4, protocolName } = error as MqttError
      if (`accepts-${code}` !== this.#broker.broken) {
        if (this.#is('dies') && code === 'will-qos') {
          this.#broker.die()
          return
        }
        this.#refuse(error as MqttError, frame)
        return
      }
      const level = protocolName === 'MQIsdp' ? 3 : protocolLevel > 4 ? 5 : 4
      packet = connectPacketOf(level)
    }
    const method = methodOf(packet)
    if (method !== undefined && this.#is('auth-without-method')) this.#send(Buffer.from('f0021800', 'hex'))
    if (method !== undefined && method.length < 100 && this.#is('auth-code')) this.#send(authOf(0x19, method))
    const why = objection(this.#is, packet)
    if (why === undefined) this.#accept(packet)
    else {
      const bytes = this.#is('terse') ? undefined : refusal(this.#is, packet, why)
      if (bytes !== undefined) this.#send(bytes)
      this.#end(true)
    }
  }

  #refuse(error: MqttError | undefined, frame: Buffer): void {
    const level = error?.protocolName === 'MQTT' ? error.protocolLevel : undefined
    const answer = this.#is('terse') ? undefined : errorAnswer(this.#is, error, level)
    if (answer !== undefined) {
      this.#send(answer)
      if (this.#is('stays-open-after-refusal') && answer[3] !== 0) {
        this.#isOver = true
        return
      }
    }
    if (frame.length > 0 && this.#is('processes-rejected-data')) {
      this.#isOver = true
      this.#packet = connectPacketOf(level === 5 ? 5 : 4)
      this.#writer = new Writer(this.#is, this.#packet)
      setTimeout(() => this.#socket.end(), 20)
      return
    }
    this.#end(true)
  }

  /** The session's key for a client id. */
  #idOf(clientId: string): string {
    if (this.#is('ignores-case-of-client-ids')) return clientId.toLowerCase()
    return this.#is('shortens-client-ids') ? clientId.slice(0, 22) : clientId
  }

  #accept(packet: ConnectPacket): void {
    this.#packet = packet
    this.#writer = new Writer(this.#is, packet)
    const isClean = packet.protocolVersion === 5 ? packet.cleanStart : packet.cleanSession
    const isEmpty = packet.clientId === ''
    const assigned = this.#is('assigns-one-client-id') ? 'same' : `assigned${this.#broker.nextId()}`
    this.#id = isEmpty ? assigned : this.#idOf(packet.clientId)
    const { clients, sessions } = this.#broker
    const earlier = clients.get(this.#id)
    if (earlier !== this && !this.#is('does-not-take-over')) earlier?.takeOver()
    if (earlier !== undefined && this.#is('forgets-session-at-takeover')) sessions.delete(this.#id)
    if (this.#is('forgets-assigned-ids') && packet.clientId.startsWith('assigned')) sessions.delete(this.#id)
    const kept = sessions.get(this.#id)
    kept?.resume()
    if (!this.#is('keeps-delayed-will')) kept?.cancelWill()
    const isResumed = kept !== undefined && (!isClean || this.#is('clean-start-keeps'))
    this.session = isResumed ? kept : new Session()
    sessions.set(this.#id, this.session)
    clients.set(this.#id, this)
    const isPresent =
      (isResumed && !isClean && !this.#is('session-never-present')) ||
      (isClean && this.#is('session-present-after-clean-start') && sessions.size > 0) ||
      (!isClean && this.#is('session-always-present'))
    this.#greet(isPresent, isEmpty && this.#is5 ? this.#id : undefined)
    if (this.#is('forgets-queue')) this.session.queue.length = 0
    for (const message of this.session.queue.splice(0)) this.deliver(message)
    this.#restartKeepAlive()
    if (this.#is('expires-while-connected')) this.#expire()
    if (this.#is('closes-after-keep-alive-0') && packet.keepAlive === 0) this.#end(true)
  }

  #greet(isPresent: boolean, assigned: string | undefined): void {
    const early = { topic: 'early', payload: 'early', qos: 0, retain: false }
    if (this.#is('publishes-before-connack')) this.deliver(early)
    if (this.#is('auth-unasked') && this.#is5) this.#send(authOf(0x18, 'm'))
    const bytes = greeting(this.#is, { packet: this.#packet!, isPresent, assigned })
    this.#send(bytes)
    if (this.#is('connack-twice')) this.#send(bytes)
  }

  /** Drops the subscriptions after the interval, even though the client is connected. */
  #expire(): void {
    const seconds = this.#interval ?? 0
    const expire = () => !this.#isOver && this.session.subscriptions.clear()
    if (seconds > 0 && seconds < 60) setTimeout(expire, seconds * 1000)
  }

  #restartKeepAlive(): void {
    clearTimeout(this.#keepAlive)
    const seconds = this.#packet?.keepAlive ?? 0
    if (seconds === 0 || this.#is('ignores-keep-alive')) return
    const factor = this.#is('keep-alive-too-short') ? 0.5 : 1.5
    const end = () => this.#end(!this.#is('no-will-after-keep-alive'), 0x8d)
    this.#keepAlive = setTimeout(end, seconds * factor * 1000)
  }

  /** Handles a packet after the CONNECT. */
  #later(frame: Buffer): void {
    this.#restartKeepAlive()
    const parser = mqttPacket.parser({ protocolVersion: this.#packet!.protocolVersion })
    parser.on('error', () => this.#end(true, 0x81))
    parser.on('packet', (packet) => this.#process(packet as never))
    parser.parse(frame)
  }

  #process(packet: Later): void {
    const { messageId, cmd } = packet
    const only = ['pingreq', 'disconnect']
    if (this.#is('handshake-only') && !only.includes(cmd)) return
    if (this.#is('closes-on-other-packets') && !only.includes(cmd)) {
      this.#end(true, 0x83)
      return
    }
    if (cmd === 'pingreq' && !this.#is('answers-no-pingreq')) this.#send(Buffer.from('d000', 'hex'))
    if (cmd === 'subscribe') this.#subscribe(packet)
    if (cmd === 'unsubscribe') {
      for (const topic of packet.unsubscriptions) this.session.subscriptions.delete(topic)
      this.#acknowledge({ cmd: 'unsuback', messageId, granted: packet.unsubscriptions.map(() => 0) })
    }
    if (cmd === 'publish') this.#publish(packet)
    if (cmd === 'disconnect') this.#disconnect(packet)
  }

  #acknowledge(packet: object): void {
    this.#send(this.#writer!.acknowledge(packet))
  }

  #subscribe({ messageId, subscriptions }: Later): void {
    const most = hasLimits(this.#is) ? 0 : 1
    const granted = subscriptions.map(({ topic, qos }) => {
      if (this.#is('refuses-subscription-above-maximum-qos') && qos > most) return 0x9b
      this.session.subscriptions.set(this.#topicOf(topic), Math.min(qos, most))
      return Math.min(qos, most)
    })
    this.#acknowledge({ cmd: 'suback', messageId, granted })
    for (const { topic } of subscriptions) {
      const kept = this.#broker.retained.get(topic)
      if (kept !== undefined) this.deliver({ ...kept, qos: 0 })
    }
  }

  #topicOf(topic: string): string {
    return this.#is('strips-bom') ? topic.replace(/^\ufeff/, '') : topic
  }

  #publish({ messageId, topic, payload, qos, retain }: Later): void {
    if (qos > 1 && this.#is('closes-on-qos-2')) {
      this.#end(true, 0x9b)
      return
    }
    const isKept = retain && !hasLimits(this.#is)
    this.#broker.publish({ topic, payload, qos: Math.min(qos, 1), retain: isKept, from: this.#id })
    if (qos > 0) this.#acknowledge({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId, reasonCode: 0 })
  }

  #disconnect({ reasonCode = 0, properties }: Later): void {
    const expiry = properties?.sessionExpiryInterval
    const hadNone = (this.#interval ?? 0) === 0
    if (expiry !== undefined && expiry > 0 && hadNone && !this.#is('accepts-expiry-after-none')) {
      this.#end(true, 0x82)
      return
    }
    if (!this.#is('ignores-expiry-of-disconnect')) this.#expiry = expiry
    const keepsWill =
      (reasonCode === 4 && !this.#is('ignores-disconnect-with-will')) ||
      (reasonCode >= 0x80 && !this.#is('no-will-after-disconnect-with-error')) ||
      this.#is('publishes-will-after-disconnect')
    this.#end(keepsWill)
  }

  takeOver(): void {
    this.#end(!this.#is('no-will-at-takeover'), 0x8e)
  }

  /** Ends the connection. In 5.0, a reason code is sent in a DISCONNECT first. */
  #end(keepsWill: boolean, reasonCode?: number): void {
    if (this.#isOver && this.#socket.writableEnded) return
    const wasOver = this.#isOver
    this.#isOver = true
    clearTimeout(this.#keepAlive)
    const isStaying = reasonCode !== undefined && this.#sayWhy(reasonCode)
    if (!isStaying) this.#socket.end()
    this.#socket.resume()
    if (wasOver || this.#packet === undefined || this.#broker.clients.get(this.#id) !== this) return
    this.#broker.clients.delete(this.#id)
    const isError = reasonCode === 0x81 || reasonCode === 0x82
    this.#leaveSession(keepsWill && !(isError && this.#is('no-will-after-protocol-error')))
  }

  /** Sends a DISCONNECT. Returns true if the connection stays open nevertheless. */
  #sayWhy(code: number): boolean {
    if (this.#packet === undefined || this.#is('terse')) return false
    if (!this.#is5) {
      if (this.#is('disconnects-before-5.0')) this.#send(Buffer.from('e000', 'hex'))
      return false
    }
    this.#send(farewell(this.#is, this.#packet, code))
    if (this.#is('sends-after-disconnect')) this.#send(Buffer.from('d000', 'hex'))
    return this.#is('stays-open-after-disconnect')
  }

  #leaveSession(keepsWill: boolean): void {
    const packet = this.#packet!
    const { sessions, retained } = this.#broker
    const { session } = this
    const isKept = packet.protocolVersion !== 5 && !packet.cleanSession
    const inConnect = this.#interval
    const asked = this.#expiry ?? inConnect ?? (isKept ? 0xffff_ffff : 0)
    const outlives =
      asked === 0 ? this.#is('session-outlives-connection') : this.#is('session-outlives-interval')
    const overflows = this.#is('expiry-overflows') && packet.protocolVersion === 5 && asked > 2 ** 31 / 1000
    const isMistaken =
      this.#is('takes-clean-start-for-clean-session') && packet.protocolVersion === 5 && packet.cleanStart
    const expiry =
      this.#is('forgets-sessions') || overflows || isMistaken ? 0 : outlives ? 0xffff_ffff : asked
    const forget = (): void => {
      if (sessions.get(this.#id) !== session) return
      if (!this.#is('will-delay-outlives-session')) session.publishWill()
      sessions.delete(this.#id)
      if (!this.#is('deletes-retained-with-session')) return
      for (const [topic, { from }] of retained) if (from === this.#id) retained.delete(topic)
    }
    this.#prepareWill(keepsWill)
    if (expiry === 0) forget()
    else session.expireLater(expiry, forget)
  }

  #prepareWill(keepsWill: boolean): void {
    const packet = this.#packet!
    const will = packet.will ?? this.#broker.earlierWill(this.#id)
    if (will === undefined || !keepsWill || this.#is('publishes-no-wills')) return
    this.#broker.earlierWills.set(this.#id, will)
    const message = willMessage(this.#is, will)
    const publish = (): void => {
      this.#broker.publish({ ...message, topic: this.#topicOf(message.topic) })
      if (this.#is('publishes-will-twice')) this.#broker.publish(message)
    }
    const delay = willDelay(this.#is, will)
    if (delay > 0) this.session.willLater(delay, publish)
    else publish()
  }
}
