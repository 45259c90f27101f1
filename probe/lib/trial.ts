import type { ConnectPacket } from 'mqtt-connect-packet'
import { PropertyId } from 'mqtt-connect-packet'
import { Connection } from './connection.ts'
import type { Pace } from './pace.ts'
import {
  type Answer,
  answerOf,
  CONNACK,
  type ConnectFields,
  connectPacket,
  DISCONNECT,
  disconnect,
  type Leaving,
  type Message,
  PINGRESP,
  PUBLISH,
  pingreq,
  publish,
  read,
  SUBACK,
  subscribe,
  type Version,
} from './packets.ts'
import { noAnswer, notTested, Stop } from './result.ts'
import type { Target } from './target.ts'

/** The facts that all cases of a run share. */
export interface Setting {
  readonly target: Target
  /** The time to wait for an answer, in milliseconds. */
  readonly timeout: number
  readonly userName?: string | undefined
  readonly password?: string | undefined
  readonly pace: Pace
  /** The end of the latest case that uses a client id alone, by client id. */
  readonly turns: Map<string, Promise<void>>
}

const run = Math.floor(Math.random() * 36 ** 5).toString(36)
let count = 0

/** A unique name. It can be a client id, because it has at most 23 letters and digits, which every server accepts. */
export function unique(): string {
  return `probe${run}x${(count++).toString(36)}`
}

/** One run of one case, with its connections. */
export class Trial {
  readonly connections: Connection[] = []
  /** The connection whose bytes are reported: the first, unless the case sets a different one. */
  reported: Connection | undefined
  readonly #cleanings: (() => Promise<void>)[] = []

  readonly setting: Setting
  readonly version: Version
  /** 1, or 2 if a violation is being confirmed, with longer timeouts. */
  readonly attempt: number

  constructor(setting: Setting, version: Version, attempt: number) {
    this.setting = setting
    this.version = version
    this.attempt = attempt
  }

  /** The time to wait for something that must arrive, in milliseconds. */
  get timeout(): number {
    return this.setting.timeout * this.attempt
  }

  /** The reason why a violation isn't certain: the server may not have processed the packets that the case needs. */
  doubt: string | undefined

  /** The server's longest response time in this trial, in milliseconds. */
  #latency = 0

  /** The server's longest response time in this trial and in its latest answers, in milliseconds. */
  get latency(): number {
    return Math.max(this.#latency, this.setting.pace.longest)
  }

  /** The time to wait for something once everything else has arrived, in milliseconds. Longer if the server is slow. */
  get grace(): number {
    return Math.max(300, 2 * this.latency) * this.attempt
  }

  /** True if the server normally answers fast enough that silence for the whole timeout is significant. */
  get isPrompt(): boolean {
    return 4 * this.latency < this.timeout
  }

  /** Waits for an answer, and records the response time. */
  async timed<Value>(answer: Promise<Value>): Promise<Value> {
    const start = performance.now()
    const found = await answer
    const milliseconds = performance.now() - start
    if (found === undefined || found === false) return found
    this.#latency = Math.max(this.#latency, milliseconds)
    this.setting.pace.note(milliseconds)
    return found
  }

  /** Runs `act` while no other case uses this client id, because a second client with it would take over. */
  async alone<Value>(clientId: string, act: () => Promise<Value>): Promise<Value> {
    const { turns } = this.setting
    const turn = (turns.get(clientId) ?? Promise.resolve()).then(act)
    const over = turn.then(
      () => undefined,
      () => undefined,
    )
    turns.set(clientId, over)
    try {
      return await turn
    } finally {
      if (turns.get(clientId) === over) turns.delete(clientId)
    }
  }

  async open(): Promise<Connection> {
    const connection = await Connection.open(this.setting.target, this.timeout)
    this.connections.push(connection)
    this.reported ??= connection
    return connection
  }

  /** A CONNECT of the case's version, with the credentials of the run. */
  packet(fields: ConnectFields, version: Version = this.version): ConnectPacket {
    const { userName, password } = this.setting
    return connectPacket(version, { userName, password, ...fields })
  }

  /**
   * Opens a connection and sends a CONNECT. Resolves with the CONNACK; `undefined` if there is none.
   *
   * @param types the types of the packets that end the wait
   */
  async ask(
    packet: ConnectPacket,
    types: readonly number[] = [CONNACK],
  ): Promise<{ connection: Connection; answer: Answer | undefined }> {
    const connection = await this.open()
    announce(connection, packet)
    connection.send(packet.bytes)
    const isAnswer = (frame: Buffer): boolean => types.includes(frame[0]! >> 4)
    await this.timed(connection.until(() => connection.frames.find(isAnswer), this.timeout))
    const frame = connection.frames.find((one) => one[0]! >> 4 === CONNACK)
    return { connection, answer: frame && answerOf(frame) }
  }

  /** As `ask`, for a CONNECT that the server may refuse. Ends the case if the server does nothing. */
  async offer(packet: ConnectPacket): Promise<{ connection: Connection; answer: Answer | undefined }> {
    const { connection, answer } = await this.ask(packet)
    if (answer !== undefined || connection.closed) return { connection, answer }
    throw new Stop(noAnswer(`There was no CONNACK within ${this.timeout} ms.`))
  }

  /** As `ask`, for connections that the case needs. Ends the case if the server refuses. */
  async connect(
    fields: Partial<ConnectFields> = {},
    version: Version = this.version,
  ): Promise<{ connection: Connection; answer: Answer }> {
    const clientId = fields.clientId ?? unique()
    const { connection, answer } = await this.ask(this.packet({ ...fields, clientId }, version))
    if (answer === undefined) {
      throw new Stop(
        connection.closed
          ? notTested('The server closed a connection that the case needs, without a CONNACK.')
          : noAnswer(`There was no CONNACK within ${this.timeout} ms on a connection that the case needs.`),
      )
    }
    if (answer.code !== 0) {
      throw new Stop(notTested(`The server refused a CONNECT that the case needs: ${hexCode(answer.code)}.`))
    }
    return { connection, answer }
  }

  /** Connects a client that receives the messages of a topic. */
  async watch(topic: string, version: Version = this.version): Promise<Watcher> {
    const { connection } = await this.connect({}, version)
    await this.subscribe(connection, topic, version)
    return new Watcher(this, connection, version)
  }

  /** Resolves with the granted QoS. */
  async subscribe(
    connection: Connection,
    topic: string,
    version: Version = this.version,
    qos: 0 | 1 = 0,
  ): Promise<number> {
    const before = connection.frames.filter((frame) => frame[0]! >> 4 === SUBACK).length
    connection.send(subscribe(version, before + 1, topic, qos))
    const answered = () => connection.frames.filter((frame) => frame[0]! >> 4 === SUBACK)[before]
    const frame = await this.timed(connection.until(answered, this.timeout))
    if (frame === undefined) throw new Stop(notTested('The server does not answer a SUBSCRIBE.'))
    if (frame.at(-1)! >= 0x80) {
      throw new Stop(notTested(`The server refuses a subscription: ${hexCode(frame.at(-1)!)}.`))
    }
    return frame.at(-1)!
  }

  /**
   * True if a client still has a subscription from an earlier connection. The client publishes to itself: first to that topic, then to a
   * topic that it subscribes to now. When the second message has arrived, the first one should have arrived too.
   */
  async hasSubscription(connection: Connection, topic: string): Promise<boolean> {
    const other = unique()
    await this.subscribe(connection, other)
    connection.send(publish(this.version, { topic, payload: 'first' }))
    connection.send(publish(this.version, { topic: other, payload: 'second' }))
    const watcher = new Watcher(this, connection, this.version)
    if ((await this.timed(watcher.message(other, this.timeout))) === undefined) {
      throw new Stop(notTested('The server does not deliver a message to its own publisher.'))
    }
    return (await watcher.message(topic, this.grace)) !== undefined
  }

  /**
   * True if the server answers a PINGREQ, which also proves that it has processed everything before it. Sends nothing after a DISCONNECT
   * from the server.
   */
  async ping(connection: Connection): Promise<boolean> {
    if (connection.frames.some((frame) => frame[0]! >> 4 === DISCONNECT)) return false
    const count = () => connection.frames.filter((frame) => frame[0]! >> 4 === PINGRESP).length
    const before = count()
    connection.send(pingreq)
    return (await this.timed(connection.until(() => count() > before, this.timeout))) === true
  }

  /** Ends a connection with a DISCONNECT, and waits until the server has processed that. */
  async leave(connection: Connection, leaving: Leaving = {}): Promise<void> {
    connection.send(disconnect(this.version, leaving))
    connection.endSending()
    if (!(await this.timed(connection.ended(this.timeout)))) {
      this.doubt = `The server did not close a connection within ${this.timeout} ms after a DISCONNECT.`
    }
    connection.destroy()
  }

  /** Ends the sessions of these clients after the case. */
  forget(clientId: string): void {
    this.#cleanings.push(async () => {
      const { connection } = await this.connect({ clientId })
      await this.leave(connection)
    })
  }

  async close(): Promise<void> {
    for (const clean of this.#cleanings) await clean().catch(() => undefined)
    for (const connection of this.connections) connection.destroy()
  }
}

/** Records the settings in a CONNECT that affect the server's packets. */
export function announce(connection: Connection, packet: ConnectPacket): void {
  const { protocolVersion } = packet
  if (packet.protocolVersion !== 5) {
    connection.announced = { protocolVersion, requestsResponseInformation: false }
    return
  }
  const maximumPacketSize = packet.property(PropertyId.maximumPacketSize)
  const authenticationMethod = packet.property(PropertyId.authenticationMethod)
  connection.announced = {
    protocolVersion,
    ...(maximumPacketSize !== undefined && { maximumPacketSize }),
    ...(authenticationMethod !== undefined && { authenticationMethod }),
    requestsResponseInformation: packet.property(PropertyId.requestResponseInformation) === 1,
  }
}

/** The messages that a client receives. */
export class Watcher {
  readonly trial: Trial
  readonly connection: Connection
  readonly version: Version

  constructor(trial: Trial, connection: Connection, version: Version) {
    this.trial = trial
    this.connection = connection
    this.version = version
  }

  #messages(topic: string, payload?: string | Buffer): Message[] {
    return this.connection.frames.flatMap((frame): Message[] => {
      if (frame[0]! >> 4 !== PUBLISH) return []
      const found = read(this.version, frame) as Message | undefined
      const isIt =
        found?.topic === topic &&
        (payload === undefined || Buffer.from(payload).equals(Buffer.from(found.payload)))
      return isIt ? [found] : []
    })
  }

  /** The first message of a topic; `undefined` if none arrives in time. */
  message(topic: string, milliseconds: number, payload?: string | Buffer): Promise<Message | undefined> {
    return this.connection.until(() => this.#messages(topic, payload)[0], milliseconds)
  }

  /** The number of messages of a topic so far. */
  count(topic: string, payload?: string | Buffer): number {
    return this.#messages(topic, payload).length
  }

  /**
   * Publishes to the topic and waits for that message, so that everything published before it has arrived too. Ends the case if the server
   * is too slow.
   */
  async sync(topic: string): Promise<void> {
    const payload = unique()
    const { connection } = await this.trial.connect({}, this.version)
    connection.send(publish(this.version, { topic, payload }))
    if ((await this.trial.timed(this.message(topic, this.trial.timeout, payload))) === undefined) {
      throw new Stop(noAnswer(`A message did not arrive within ${this.trial.timeout} ms.`))
    }
  }
}

export function hexCode(code: number): string {
  return code < 0x80 ? `code ${code}` : `code 0x${code.toString(16).toUpperCase()}`
}

/** The bytes with an x for each byte of the password of the run, so that no report contains it. */
export function hidePassword(bytes: Buffer, { userName, password }: Setting): Buffer {
  if (userName === undefined || password === undefined) return bytes
  // Look for both together, as in a CONNECT, so that no other bytes are taken for a short password.
  const before = prefixed(userName)
  const secret = Buffer.concat([before, prefixed(password)])
  const hidden = Buffer.from(bytes)
  for (let at = hidden.indexOf(secret); at >= 0; at = hidden.indexOf(secret, at + 1)) {
    hidden.fill('x', at + before.length + 2, at + secret.length)
  }
  return hidden
}

/** A string with its length prefix, as in a packet. */
export function prefixed(text: string): Buffer {
  const content = Buffer.from(text)
  return Buffer.concat([Buffer.of(content.length >> 8, content.length & 0xff), content])
}
