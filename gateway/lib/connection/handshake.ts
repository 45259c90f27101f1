import { type ConnectPacket, ConnectReasonCode, MqttError } from 'mqtt-connect-packet'
import { authenticate } from '../authenticate/authenticate.ts'
import { type Allow, type Deny, deny } from '../authenticate/decision.ts'
import type { LimitName } from '../limit/limits.ts'
import { ClientFault, causeOf, LeftError } from '../settings/causes.ts'
import { connectNext } from './broker.ts'
import { departureOf, overLimit, refuseBytes, refuseClient, refuseOverLimit } from './refuse-client.ts'
import { listenerGone } from './reports.ts'
import { type Answering, type Connecting, type Deciding, ended, type Link, type Reading } from './steps.ts'

/** `reading`: reads the CONNECT. */
export function readConnect(link: Link, { parser }: Reading, chunk: Buffer): void {
  let packet: ConnectPacket | undefined
  try {
    packet = parser.push(chunk).next().value as ConnectPacket | undefined
  } catch (error) {
    refuseBytes(link, error as Error)
    return
  }
  if (packet === undefined) return
  link.become({ name: 'deciding', packet, deadline: Number.POSITIVE_INFINITY })
  link.peer.complete()
  link.client.pause()
  // The bytes after the CONNECT are for the broker.
  if (parser.pending > 0) link.client.unshift(chunk.subarray(chunk.length - parser.pending))
  // A reload applies to everybody whose CONNECT comes later.
  if (link.configure()) decide(link, packet)
  else refuseClient(link, packet, listenerGone(link.peer))
}

/** `reading`: the client ends its side, or the connection is closed. */
export function endEarly(link: Link, step: Reading): void {
  const { errored, fault } = link.client
  if (fault) {
    refuseBytes(link, fault, 'websocket')
    return
  }
  endIncomplete(
    link,
    step,
    step.parser.pending === 0,
    errored && new LeftError(`the client ${causeOf(errored)} in the middle of its CONNECT`),
  )
}

/** `reading`: the CONNECT takes too long. */
export function endLate(link: Link, step: Reading): void {
  const error = new Error("the client didn't complete its CONNECT in time")
  endIncomplete(link, step, link.peer.bytesRead === 0, error)
}

/** `reading`: the gateway ends the connection. */
export function abandon(link: Link, _step: Reading, limit: LimitName | undefined): void {
  link.become(ended)
  if (limit) link.reports.refused(link.peer, overLimit(limit))
}

function endIncomplete(link: Link, { parser }: Reading, isProbe: boolean, error: Error | null): void {
  if (isProbe) {
    // A port scan, or the health check of a load balancer.
    link.become(ended)
    link.reports.probe(link.peer)
    link.client.destroy()
    return
  }
  try {
    if (error) throw error
    // Throws an error if a packet has begun but isn't complete.
    parser.end()
  } catch (reason) {
    refuseBytes(link, reason as Error)
  }
}

/** Applies the limits, and starts authentication. */
function decide(link: Link, packet: ConnectPacket): void {
  const { peer, reports, stages } = link
  const { limits, checks } = stages
  attempt(link, packet, () => {
    const limit = limits.client(packet, peer)
    if (limit !== undefined) {
      refuseOverLimit(link, packet, limit)
      return
    }
    reports.connect(peer, packet)
    // Await only what takes time.
    if (checks.length === 0) {
      link.happen('decided', { allow: true })
      return
    }
    authenticate(checks, packet, peer)
      .catch(({ message }: Error) => deny(ConnectReasonCode.serverUnavailable, message))
      .then((decision) => link.happen('decided', decision))
  })
}

/** `deciding`: rewrites the CONNECT, chooses the brokers and connects to the first. */
export function follow(link: Link, { packet }: Deciding, decision: Allow | Deny): void {
  const { peer, stages } = link
  // Otherwise, passwords sent before the ban would still be answered.
  if (stages.limits.isBanned(peer)) {
    refuseOverLimit(link, packet, 'banned')
    return
  }
  if (!decision.allow) {
    const error = new Error(decision.reason)
    refuseClient(link, packet, { by: 'authentication', error }, decision.reasonCode)
    return
  }
  attempt(link, packet, () => {
    const rewritten = stages.rewriter.rewrite(packet, decision, peer)
    const { expiresAt = Number.POSITIVE_INFINITY } = decision
    const userName = decision.userName ?? packet.userName
    const names = { clientId: rewritten.clientId, userName }
    const upstreams = stages.router.choose(rewritten.packet, peer, names)
    connectNext(link, { packet, userName, rewritten, upstreams, expiresAt }, 0, 'no upstream is active')
  })
}

/**
 * Runs a stage, and refuses the client if the stage throws, for example because the client lacks a value for a template, or because its
 * name is too long for the rules.
 */
function attempt(link: Link, packet: ConnectPacket, act: () => void): void {
  try {
    act()
  } catch (error) {
    const { notAuthorized, serverUnavailable } = ConnectReasonCode
    const code = error instanceof ClientFault ? notAuthorized : serverUnavailable
    const reasonCode = error instanceof MqttError ? error.reasonCode : code
    refuseClient(link, packet, { by: 'rewriting', error: rewritingError(error as Error) }, reasonCode)
  }
}

/** The client's own packet is valid, so if the rewritten one isn't, the configuration is to blame. */
function rewritingError(error: Error): Error {
  if (error instanceof ClientFault) return error
  const rule = error instanceof MqttError ? ` [${error.code}, ${error.clause}]` : ''
  return new Error(`the CONNECT can't be rewritten: ${error.message}${rule}`)
}

/** `deciding`: the client has ended its side, and the decision takes too long. */
export function giveUpDeciding({ client }: Link): void {
  client.destroy()
}

/** The client has left before it has an answer. */
export function leaveEarly(link: Link, step: Deciding | Connecting | Answering): void {
  const { client, peer, reports } = link
  link.become(ended)
  const { clientId } = step.name === 'deciding' ? step.packet : step.choice.packet
  reports.refused(peer, { ...departureOf(client), answered: { clientId } })
}

/** The gateway ends the connection before the client has an answer. */
export function stopHandshake(
  link: Link,
  step: Deciding | Connecting | Answering,
  limit: LimitName | undefined,
): void {
  const packet = step.name === 'deciding' ? step.packet : step.choice.packet
  if (limit) refuseOverLimit(link, packet, limit)
  else refuseClient(link, packet, { by: 'stop', error: new Error('the gateway has stopped') })
}
