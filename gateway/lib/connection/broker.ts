import {
  type ConnackPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  type MqttError,
  PropertyId,
  ProtocolVersion,
  refuse,
} from 'mqtt-connect-packet'
import { ownProblem } from '../route/upstream.ts'
import { CauseError, causeOf, LeftError } from '../settings/causes.ts'
import { endSession } from './end-session.ts'
import { fit } from './fit.ts'
import { Idle } from './idle.ts'
import { resetBroker } from './leave-broker.ts'
import { departureOf, refuseClient, refuseOverLimit } from './refuse-client.ts'
import { codeOf, Session } from './session.ts'
import {
  type Answering,
  type Choice,
  type Connecting,
  type Deciding,
  ended,
  type Link,
  parserOf,
} from './steps.ts'
import { Tracked } from './tracked.ts'

/** Connects to the next broker of the choice. If none is left, the client is refused because of `failure`. */
export function connectNext(link: Link, choice: Choice, tried: number, failure: string): void {
  const { client, peer, stages } = link
  if (client.destroyed) return
  const upstream = choice.upstreams[tried]
  if (upstream === undefined) {
    refuseClient(link, choice.packet, { by: 'no-broker', error: new Error(failure) })
    return
  }
  const patience = client.readableEnded ? HALF_OPEN_TIME : stages.config.route.connectTimeout * 1000
  const deadline = performance.now() + patience
  const broker = upstream
    .open(peer)
    // The error is in `errored` when the socket closes.
    .on('error', () => {})
    .on(upstream.readyEvent, () => link.happen('brokerReady', undefined))
    .on('drain', () => link.happen('brokerDrain', undefined))
    .on('end', () => link.happen('brokerEnd', undefined))
    .on('close', () => link.happen('brokerClose', undefined))
  link.become({ name: 'connecting', choice, tried: tried + 1, upstream, broker, deadline })
}

/** The client ends its side. Most such clients have left, so the checks and the broker get little time. */
export function hurry(_link: Link, step: Deciding | Connecting | Answering): void {
  step.deadline = Math.min(step.deadline, performance.now() + HALF_OPEN_TIME)
}

/** `answering`: the client ends its side. The broker isn't told before its CONNACK (see leave-broker.ts), and has time for what came after the CONNECT. */
export function hurryAnswer(link: Link, step: Answering): void {
  if (step.mayMove) hurry(link, step)
}

/** `connecting`: the broker takes too long. Once its connection is closed, the next broker is tried. */
export function giveUpConnecting({ client, stages }: Link, { broker }: Connecting): void {
  const { connectTimeout } = stages.config.route
  if (client.readableEnded) client.destroy()
  else broker.destroy(new CauseError(`didn't accept the connection within ${connectTimeout} s`))
}

/** `connecting`: no connection to the broker. */
export function connectFailed(link: Link, { broker, choice, tried, upstream }: Connecting): void {
  const own = broker.errored && ownProblem(broker.errored)
  if (own) {
    connectNext(link, choice, tried, own)
    return
  }
  const cause = broker.errored ? causeOf(broker.errored) : 'closed the connection'
  upstream.connectFailed(broker, cause)
  connectNext(link, choice, tried, `${upstream.title} ${cause}`)
}

/** `connecting`: sends the CONNECT. */
export function sendConnect(link: Link, step: Connecting): void {
  const { choice, tried, upstream, broker } = step
  const { bytes, protocolVersion } = choice.rewritten.packet
  const options = { protocolVersion, from: 'server', maximumPacketSize: LARGEST_ANSWER } as const
  const parser = parserOf(link.stages, options)
  const { connackTimeout } = link.stages.config.route
  const patience = link.client.readableEnded ? HALF_OPEN_TIME : connackTimeout * 1000
  const deadline = performance.now() + patience
  const tracked = Tracked.of(link.stages.config.drain, choice.packet)
  link.become({
    name: 'answering',
    choice,
    tried,
    upstream,
    broker,
    parser,
    tracked,
    mayMove: true,
    isAsked: false,
    failure: undefined,
    deadline,
  })
  link.reports.forwarded(link.peer, upstream)
  broker.write(bytes)
  broker.on('data', (chunk: Buffer) => link.happen('brokerData', chunk))
  link.client.resume()
}

/** `answering`: passes on what the client sends after its CONNECT. */
export function passEarly({ client }: Link, step: Answering, chunk: Buffer): void {
  step.mayMove = false
  step.isAsked = false
  step.tracked?.fromClient.push(chunk)
  if (!step.broker.write(chunk)) client.pause()
}

/** `answering`: passes on the broker's AUTH packets (5.0 only), its CONNACK, which may be changed, and the bytes after that. */
export function readAnswer(link: Link, step: Answering, chunk: Buffer): void {
  const { parser, broker, choice } = step
  try {
    for (const packet of parser.push(chunk)) {
      if (packet.type === ControlPacketType.connack) {
        passConnack(link, step, packet as ConnackPacket, chunk.subarray(chunk.length - parser.pending))
        return
      }
      if (packet.type !== ControlPacketType.auth) {
        fail(step, 'sent another packet before its CONNACK')
        return
      }
      step.mayMove = false
      step.isAsked = true
      if (!link.client.write(packet.bytes)) broker.pause()
    }
  } catch (error) {
    const { bytes, message } = error as MqttError
    if (choice.packet.protocolVersion === ProtocolVersion.v5 && bytes?.equals(OLD_REFUSAL))
      passConnack(link, step, connack(ProtocolVersion.v5, UNSUPPORTED)!, Buffer.alloc(0))
    else fail(step, `sent no valid CONNACK: ${message}`)
  }
}

/** The broker doesn't answer as it should. Once its connection is closed, the next broker is tried. */
function fail(step: Answering, failure: string): void {
  step.failure = failure
  resetBroker(step.broker)
}

const UNSUPPORTED = ConnectReasonCode.unsupportedProtocolVersion
/** The answer of a broker that doesn't know 5.0 to a CONNECT of 5.0, in the format that it knows [MQTT-3.1.2-2]. */
const OLD_REFUSAL = connack(ProtocolVersion.v3_1_1, UNSUPPORTED)!.bytes

/** Passes on the broker's CONNACK, which may be changed, and the bytes after it. */
function passConnack(link: Link, step: Answering, packet: ConnackPacket, rest: Buffer): void {
  const { broker, choice, tracked } = step
  // Otherwise, passwords sent before the ban would still be answered.
  if (link.stages.limits.isBanned(link.peer)) {
    refuseOverLimit(link, choice.packet, 'banned')
    resetBroker(broker)
    return
  }
  link.reports.answered(link.peer, codeOf(packet))
  const changed = choice.rewritten.answer?.(packet) ?? packet
  const fitting = fit(changed, choice.packet)
  if (fitting === undefined) {
    drop(link, step, changed)
    return
  }
  link.client.write(fitting.bytes)
  if (rest.length > 0) link.client.write(rest)
  tracked?.fromBroker.push(rest)
  join(link, step, fitting)
}

/** `answering`: the broker takes too long, or the client that it has asked. */
export function giveUpAnswering(link: Link, step: Answering): void {
  const { connackTimeout } = link.stages.config.route
  if (link.client.readableEnded) {
    link.client.destroy()
  } else if (step.isAsked) {
    const error = new LeftError(`the client didn't answer the broker's AUTH within ${connackTimeout} s`)
    refuseClient(link, step.choice.packet, { by: 'client', error }, ConnectReasonCode.notAuthorized)
    resetBroker(step.broker)
  } else {
    fail(step, `sent no CONNACK within ${connackTimeout} s`)
  }
}

/** `answering`: the broker closes without a CONNACK. */
export function answerFailed(link: Link, step: Answering): void {
  const { broker, choice, mayMove, tried, upstream, failure: known } = step
  const failure = `${upstream.title} ${known ?? failureOf(broker)}`
  if (mayMove && tried < choice.upstreams.length) {
    // Nothing is lost if the next broker gets the CONNECT.
    link.client.pause()
    connectNext(link, choice, tried, failure)
  } else if (link.client.readableEnded && !mayMove && !broker.errored && !known) {
    // The client has left, perhaps with a DISCONNECT, so the broker may not be to blame.
    refuseClient(link, choice.packet, departureOf(link.client))
  } else {
    refuseClient(link, choice.packet, { by: 'no-connack', error: new Error(failure) })
  }
}

/** Begins the session: from now on all bytes pass unchanged. */
function join(link: Link, step: Answering, answer: ConnackPacket): void {
  const { broker, choice, tracked, upstream } = step
  const { bytesRead } = link.peer
  const now = performance.now()
  const keepAlive = answer.property(PropertyId.serverKeepAlive) ?? choice.packet.keepAlive
  const session = new Session(choice, upstream, answer, now)
  link.become({
    name: 'forwarding',
    upstream,
    broker,
    tracked,
    session,
    idle: new Idle(keepAlive, bytesRead, now),
    expiresAt: choice.expiresAt,
    deadline: now + CHECK_INTERVAL,
  })
  // An accepted connection isn't enough, because even a broker that hangs accepts connections.
  upstream.report(true)
  if (answer.accepted) link.peer.join()
  link.reports.joined(link.peer)
  if (link.client.readableEnded) link.happen('clientEnd', undefined)
}

/** Closes both connections without a CONNACK, because none fits the client. A refusal still counts as one, for bans too. */
function drop(link: Link, step: Answering, answer: ConnackPacket): void {
  const { broker, choice, upstream } = step
  link.become(ended)
  if (answer.accepted) {
    const error = new Error(`the CONNACK of ${upstream.title} exceeds the client's Maximum Packet Size`)
    const { clientId } = choice.packet
    link.reports.refused(link.peer, { by: 'connack-size', error, answered: { clientId } })
  } else {
    endSession(link, new Session(choice, upstream, answer, performance.now()), 'refused')
  }
  resetBroker(broker)
  refuse(link.client)
}

/** The reason why there is no CONNACK. */
function failureOf({ errored }: Answering['broker']): string {
  const cause = errored ? causeOf(errored) : 'closed the connection'
  return cause.endsWith('the connection') ? `${cause} before its CONNACK` : cause
}

/** The interval in milliseconds after which an overdue step is checked again. */
export const CHECK_INTERVAL = 1000

/**
 * The time in milliseconds for which a client that has ended its side may wait for the checks, and then for a broker. Such a client may
 * still read its CONNACK, but most have left.
 */
const HALF_OPEN_TIME = 1000

/** The largest CONNACK or AUTH packet of a broker, in bytes. */
const LARGEST_ANSWER = 65_536
