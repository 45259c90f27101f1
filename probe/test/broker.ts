import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  type ConnectPacket,
  ControlPacketType,
  connack,
  decode,
  type MqttError,
  type Property,
  PropertyId,
  property,
  v5,
} from 'mqtt-connect-packet'
import mqttPacket, { type Packet } from 'mqtt-packet'
import type { Switch } from './switches.ts'

/*
 * A small broker that treats the handshake as the standards demand, unless a switch breaks one clause. Topics are compared as
 * they are; messages have QoS 0.
 */

interface Session {
  readonly subscriptions: Set<string>
  timer?: NodeJS.Timeout | undefined
  /** Publishes a will that is delayed. */
  will?: { readonly timer: NodeJS.Timeout; publish(): void } | undefined
}

export class Broker {
  readonly sessions = new Map<string, Session>()
  readonly clients = new Map<string, Client>()
  readonly retained = new Map<string, Buffer | string>()
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    new Client(this, socket)
  })

  readonly broken: Switch | undefined
  readonly delay: number

  /** @param delay how long the broker thinks before it reads a chunk, in milliseconds */
  constructor(broken?: Switch, delay = 0) {
    this.broken = broken
    this.delay = delay
  }

  async start(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    for (const { timer, will } of this.sessions.values()) {
      clearTimeout(timer)
      clearTimeout(will?.timer)
    }
  }

  /** Takes a stream of any transport. */
  handle(socket: Socket): void {
    new Client(this, socket)
  }

  publish(topic: string, payload: Buffer | string, retain: boolean): void {
    if (retain) {
      if (payload.length > 0) this.retained.set(topic, payload)
      else this.retained.delete(topic)
    }
    for (const client of this.clients.values()) {
      if (client.session.subscriptions.has(topic)) client.deliver(topic, payload, false)
    }
  }

  die(): void {
    this.close()
  }
}

class Client {
  session: Session = { subscriptions: new Set() }
  readonly #broker: Broker
  readonly #socket: Socket
  #packet: ConnectPacket | undefined
  #id = ''
  #pending: Buffer = Buffer.alloc(0)
  #keepAlive: NodeJS.Timeout | undefined
  #isOver = false
  #reading: Promise<void> = Promise.resolve()

  constructor(broker: Broker, socket: Socket) {
    this.#broker = broker
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#reading = this.#reading.then(async () => {
        if (broker.delay > 0) await new Promise((resolve) => setTimeout(resolve, broker.delay))
        this.#receive(chunk)
      })
    })
    socket.on('end', () => void this.#reading.then(() => this.#end(true)))
    socket.on('error', () => void this.#reading.then(() => this.#end(true)))
    socket.on('close', () => void this.#reading.then(() => this.#end(true)))
  }

  #is(broken: Switch): boolean {
    return this.#broker.broken === broken
  }

  get #is5(): boolean {
    return this.#packet?.protocolVersion === 5
  }

  deliver(topic: string, payload: Buffer | string, retain: boolean): void {
    const bytes = this.#generate({ cmd: 'publish', topic, payload, qos: 0, retain, dup: false } as never)
    const maximum = this.#property(PropertyId.maximumPacketSize) ?? Number.POSITIVE_INFINITY
    if (bytes.length <= maximum || this.#is('ignores-maximum-packet-size')) this.#send(bytes)
  }

  #property(
    id: typeof PropertyId.maximumPacketSize | typeof PropertyId.sessionExpiryInterval,
  ): number | undefined {
    return this.#packet instanceof v5.ConnectPacket ? this.#packet.property(id) : undefined
  }

  #generate(packet: Packet): Buffer {
    return mqttPacket.generate(packet, { protocolVersion: this.#packet?.protocolVersion ?? 4 })
  }

  #send(bytes: Uint8Array): void {
    if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(bytes)
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver && !this.#is('processes-rejected-data')) return
    if (this.#is('wants-whole-packets') && this.#packet === undefined && chunk.length < 4) {
      this.#end(true)
      return
    }
    let rest = Buffer.concat([this.#pending, chunk])
    for (let size = sizeOf(rest); size <= rest.length && !this.#isClosed; size = sizeOf(rest)) {
      const frame = rest.subarray(0, size)
      rest = rest.subarray(size)
      this.#frame(frame)
      if (this.#packet !== undefined && this.#is('drops-what-comes-with-connect') && frame[0] === 0x10)
        rest = rest.subarray(rest.length)
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
    if (
      type === ControlPacketType.connect &&
      (this.#packet === undefined || this.#is('accepts-second-connect'))
    ) {
      this.#connect(frame)
      return
    }
    if (this.#packet === undefined) {
      if (!this.#is('answers-before-connect') || type === 0) {
        this.#end(true)
        return
      }
      if (type === ControlPacketType.pingreq) this.#send(Buffer.from('d000', 'hex'))
      return
    }
    try {
      decode(frame, { protocolVersion: this.#packet.protocolVersion })
    } catch (error) {
      const { code } = error as MqttError
      if (`later-${code}` === this.#broker.broken) return
      this.#end(true, 0x81)
      return
    }
    if (type === ControlPacketType.connect) {
      this.#end(true, 0x82)
      return
    }
    this.#later(frame)
  }

  /** A CONNECT, or what looks like one. */
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
    const why = this.#objection(packet)
    if (why !== undefined) {
      this.#answer(packet, why)
      return
    }
    this.#accept(packet)
  }

  /** Why a broken broker refuses a valid packet. */
  #objection(packet: ConnectPacket): number | undefined {
    if (this.#is('knows-its-clients') && (packet.userName !== 'u' || `${packet.password}` !== 'p'))
      return 0x87
    if (this.#is('refuses-5.0') && packet.protocolVersion === 5) return 0x84
    if (this.#is('refuses-long-client-ids') && packet.clientId.length > 22) return 0x85
    if (this.#is('refuses-empty-user-names') && packet.userName === '') return 0x80
    if (this.#is('refuses-wills-of-qos-2') && packet.will?.qos === 2) return 0x80
    if (this.#is('refuses-keep-alive-0') && packet.keepAlive === 0) return 0x80
    const props = packet.protocolVersion === 5 ? packet.props : []
    if (this.#is('refuses-user-properties') && props.some(({ id }) => id === PropertyId.userProperty))
      return 0x80
    return undefined
  }

  /** Sends a CONNACK that refuses, and closes. */
  #answer(packet: ConnectPacket, code: number): void {
    const bytes = connack(packet, code as 0x80)?.bytes
    if (bytes !== undefined) this.#send(bytes)
    this.#end(true)
  }

  #refuse(error: MqttError | undefined, frame: Buffer): void {
    const level = error?.protocolName === 'MQTT' ? error.protocolLevel : undefined
    let answer = error?.connack
    if (this.#is('answers-malformed-connects') && level === 4) answer ??= Buffer.from('20020003', 'hex')
    if (answer !== undefined && answer[3] !== 0) {
      answer = Buffer.from(answer)
      if (this.#is('session-present-with-error') && level !== 3) answer[2] = 1
      if (this.#is('unknown-code') && error?.protocolName === 'MQTT')
        answer[3] = answer.length === 4 ? 6 : 0x91
      if (this.#is('disconnects-before-connack') && level === 5) answer = Buffer.of(0xe0, 1, answer[3]!)
      this.#send(answer)
      if (this.#is('stays-open-after-refusal')) {
        this.#isOver = true
        return
      }
    }
    if (frame.length > 0 && this.#is('processes-rejected-data')) {
      this.#isOver = true
      this.#packet = connectPacketOf(level === 5 ? 5 : 4)
      setTimeout(() => this.#socket.end(), 20)
      return
    }
    this.#end(true)
  }

  #accept(packet: ConnectPacket): void {
    this.#packet = packet
    const isClean = packet.protocolVersion === 5 ? packet.cleanStart : packet.cleanSession
    const isAssigned = packet.clientId === ''
    this.#id = isAssigned
      ? this.#is('assigns-one-client-id')
        ? 'same'
        : `assigned${Math.random()}`
      : packet.clientId
    const earlier = this.#broker.clients.get(this.#id)
    if (earlier !== this && !this.#is('does-not-take-over')) earlier?.takeOver()
    const kept = this.#broker.sessions.get(this.#id)
    clearTimeout(kept?.timer)
    this.#cancelWill(kept)
    const isResumed = kept !== undefined && (!isClean || this.#is('clean-start-keeps'))
    this.session = isResumed ? kept : { subscriptions: new Set() }
    this.#broker.sessions.set(this.#id, this.session)
    this.#broker.clients.set(this.#id, this)
    this.#greet(isResumed && !(isClean && this.#is('clean-start-keeps')), isClean, isAssigned)
    this.#restartKeepAlive()
  }

  #cancelWill(session: Session | undefined): void {
    if (session?.will === undefined || this.#is('keeps-delayed-will')) return
    clearTimeout(session.will.timer)
    session.will = undefined
  }

  #greet(isResumed: boolean, isClean: boolean, isAssigned: boolean): void {
    const packet = this.#packet!
    const isPresent =
      (isResumed && !this.#is('session-never-present')) ||
      (isClean && this.#is('session-present-after-clean-start') && this.#broker.sessions.size > 0) ||
      (!isClean && this.#is('session-always-present'))
    const props: Property[] = []
    if (isAssigned && this.#is5 && !this.#is('does-not-assign-client-id'))
      props.push(property.assignedClientIdentifier(this.#id))
    if (this.#is('response-information-unasked') && this.#is5) props.push(property.responseInformation('r'))
    let bytes = connack(packet, 0, {
      sessionPresent: isPresent && packet.protocolVersion !== 3,
      ...(this.#is5 && { props }),
    })!.bytes
    // Written by hand, so without session present or an assigned client id.
    const isPlain = !isPresent && !isAssigned
    if (this.#is('acknowledge-flags') && packet.protocolVersion !== 3)
      bytes = changed(bytes, 2, bytes[2]! | 0x80)
    if (this.#is('connack-with-more-bytes'))
      bytes = Buffer.concat([Buffer.of(0x20, bytes.length - 1), bytes.subarray(2), Buffer.of(0)])
    if (this.#is('connack-flags')) bytes = changed(bytes, 0, 0x21)
    if (this.#is('connack-property-twice') && this.#is5 && isPlain)
      bytes = Buffer.from('2009000006210001210001', 'hex')
    if (this.#is('connack-property-of-connect') && this.#is5 && isPlain)
      bytes = Buffer.from('20050000021701', 'hex')
    if (this.#is('connack-receive-maximum-0') && this.#is5 && isPlain)
      bytes = Buffer.from('2006000003210000', 'hex')
    if (this.#is('publishes-before-connack')) this.deliver('early', 'early', false)
    this.#send(bytes)
    if (this.#is('connack-twice')) this.#send(bytes)
  }

  #restartKeepAlive(): void {
    clearTimeout(this.#keepAlive)
    const seconds = this.#packet?.keepAlive ?? 0
    if (seconds === 0 || this.#is('ignores-keep-alive')) return
    const factor = this.#is('keep-alive-too-short') ? 0.5 : 1.5
    this.#keepAlive = setTimeout(() => this.#end(true, 0x8d), seconds * factor * 1000)
  }

  /** A packet after the CONNECT. */
  #later(frame: Buffer): void {
    this.#restartKeepAlive()
    const parser = mqttPacket.parser({ protocolVersion: this.#packet!.protocolVersion })
    parser.on('error', () => this.#end(true, 0x81))
    parser.on('packet', (packet) => this.#process(packet as never))
    parser.parse(frame)
  }

  #process(packet: {
    cmd: string
    messageId: number
    subscriptions: { topic: string }[]
    unsubscriptions: string[]
    topic: string
    payload: Buffer
    qos: number
    retain: boolean
    reasonCode?: number
  }): void {
    const { messageId, cmd } = packet
    const wantsNone =
      this.#packet instanceof v5.ConnectPacket &&
      this.#packet.property(PropertyId.requestProblemInformation) === 0
    const talks = this.#is5 && (!wantsNone || this.#is('reason-string-unasked'))
    const properties = talks ? { reasonString: 'well done' } : {}
    if (cmd === 'pingreq') this.#send(Buffer.from('d000', 'hex'))
    if (cmd === 'subscribe') {
      for (const { topic } of packet.subscriptions) this.session.subscriptions.add(topic)
      const granted = packet.subscriptions.map(() => 0)
      this.#send(this.#generate({ cmd: 'suback', messageId, granted, properties } as never))
      for (const { topic } of packet.subscriptions) {
        const kept = this.#broker.retained.get(topic)
        if (kept !== undefined) this.deliver(topic, kept, true)
      }
    }
    if (cmd === 'unsubscribe') {
      for (const topic of packet.unsubscriptions) this.session.subscriptions.delete(topic)
      const granted = packet.unsubscriptions.map(() => 0)
      this.#send(this.#generate({ cmd: 'unsuback', messageId, granted, properties } as never))
    }
    if (cmd === 'publish') {
      this.#broker.publish(packet.topic, packet.payload, packet.retain)
      if (packet.qos > 0) {
        const answer = packet.qos === 1 ? 'puback' : 'pubrec'
        this.#send(this.#generate({ cmd: answer, messageId, reasonCode: 0, properties } as never))
      }
    }
    if (cmd === 'disconnect') this.#disconnect(packet.reasonCode ?? 0)
  }

  #disconnect(reasonCode: number): void {
    const keepsWill =
      (reasonCode === 4 && !this.#is('ignores-disconnect-with-will')) ||
      this.#is('publishes-will-after-disconnect')
    this.#end(keepsWill)
  }

  takeOver(): void {
    this.#end(true, 0x8e)
  }

  /** Ends the connection, with a DISCONNECT in 5.0 if there is a reason to tell. */
  #end(keepsWill: boolean, reasonCode?: number): void {
    if (this.#isOver && this.#socket.writableEnded) return
    const wasOver = this.#isOver
    this.#isOver = true
    clearTimeout(this.#keepAlive)
    if (reasonCode !== undefined && this.#is5 && this.#packet !== undefined)
      this.#send(Buffer.of(0xe0, 1, reasonCode))
    this.#socket.end()
    this.#socket.resume()
    if (wasOver || this.#packet === undefined || this.#broker.clients.get(this.#id) !== this) return
    this.#broker.clients.delete(this.#id)
    this.#leaveSession(keepsWill)
  }

  #leaveSession(keepsWill: boolean): void {
    const packet = this.#packet!
    const { sessions } = this.#broker
    const isKept = packet.protocolVersion !== 5 && !packet.cleanSession
    const asked = this.#property(PropertyId.sessionExpiryInterval) ?? (isKept ? Number.POSITIVE_INFINITY : 0)
    const outlives =
      asked === 0 ? this.#is('session-outlives-connection') : this.#is('session-outlives-interval')
    const expiry = this.#is('forgets-sessions') ? 0 : outlives ? Number.POSITIVE_INFINITY : asked
    const forget = (): void => {
      if (sessions.get(this.#id) !== this.session) return
      if (!this.#is('will-delay-outlives-session')) this.session.will?.publish()
      sessions.delete(this.#id)
    }
    this.#prepareWill(keepsWill)
    if (expiry === 0) forget()
    else if (expiry < 2 ** 20) this.session.timer = setTimeout(forget, expiry * 1000)
  }

  #prepareWill(keepsWill: boolean): void {
    const { will } = this.#packet!
    if (will === undefined || !keepsWill || this.#is('publishes-no-wills')) return
    const { session } = this
    const retain = (will.retain && !this.#is('will-not-retained')) || this.#is('will-always-retained')
    const publish = (): void => {
      clearTimeout(session.will?.timer)
      session.will = undefined
      this.#broker.publish(will.topic, will.message, retain)
    }
    const delay = this.#is('ignores-will-delay') ? 0 : (will.property(PropertyId.willDelayInterval) ?? 0)
    if (delay === 0) publish()
    else session.will = { timer: setTimeout(publish, Math.min(delay, 2 ** 20) * 1000), publish }
  }
}

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}

/** The size of the packet at the start of the bytes; infinite if it is not known. */
function sizeOf(bytes: Buffer): number {
  let length = 0
  for (let at = 1; at < Math.min(bytes.length, 5); at++) {
    length += (bytes[at]! & 0x7f) * 128 ** (at - 1)
    if (bytes[at]! < 0x80) return at + 1 + length
  }
  return Number.POSITIVE_INFINITY
}

/** A packet in place of one that can't be read. */
function connectPacketOf(level: number): ConnectPacket {
  const header = { 3: '00064d514973647003', 4: '00044d51545404', 5: '00044d51545405' }[level]!
  const rest = `${header}02003c${level === 5 ? '00' : ''}000178`
  const bytes = Buffer.from(`10${(rest.length / 2).toString(16).padStart(2, '0')}${rest}`, 'hex')
  return decode(bytes, { allow: ['protocol-mqtt-3-1'] }) as ConnectPacket
}
