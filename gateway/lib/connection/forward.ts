import { refuse } from 'mqtt-connect-packet'
import type { LimitName } from '../limit/limits.ts'
import { endSession } from './end-session.ts'
import { leaveEarly, stopHandshake } from './handshake.ts'
import { LINGER } from './idle.ts'
import { closeBroker, endBroker, resetBroker } from './leave-broker.ts'
import { part } from './part.ts'
import {
  type Answering,
  type Connecting,
  ended,
  type Forwarding,
  finishing,
  type Link,
  type Parting,
} from './steps.ts'

/** A step with a broker that reads. */
type Joined = Answering | Forwarding | Parting

export function toBroker({ client }: Link, { broker, tracked }: Forwarding, chunk: Buffer): void {
  tracked?.fromClient.push(chunk)
  if (!broker.write(chunk)) client.pause()
}

export function toClient({ client }: Link, { broker, tracked }: Forwarding, chunk: Buffer): void {
  tracked?.fromBroker.push(chunk)
  if (!client.write(chunk)) broker.pause()
}

export function resumeBroker(_link: Link, { broker }: Joined): void {
  broker.resume()
}

export function resumeClient({ client }: Link): void {
  client.resume()
}

/** `forwarding`: the broker reads again. The client's idle time restarts, because the client couldn't send until now. */
export function resumeIdleClient({ client }: Link, { idle }: Forwarding): void {
  idle.restart(performance.now())
  client.resume()
}

/** `forwarding`: the client ends its side. */
export function clientEnds({ client }: Link, step: Forwarding): void {
  step.session.end('client', client.fault?.message)
  step.idle.restart(performance.now())
  endBroker(step.broker, step.session)
}

/** `forwarding`: the broker ends its side. */
export function brokerEnds({ client }: Link, { session }: Forwarding): void {
  session.end('broker')
  client.end()
}

/** The client is gone, and nothing of what it has sent is left for the broker to read. */
export function leaveBroker(link: Link, step: Connecting | Answering): void {
  leaveEarly(link, step)
  link.reports.lingers(step.broker)
  resetBroker(step.broker)
}

/** `answering`: the client is gone. The broker may not have read yet what came after the CONNECT, and a reset would lose it. */
export function leaveAnswering(link: Link, step: Answering): void {
  if (step.mayMove || step.isAsked || link.client.errored) {
    leaveBroker(link, step)
    return
  }
  leaveEarly(link, step)
  step.broker.destroy()
}

/** The gateway ends the connection before the client has a session. */
export function stopConnecting(link: Link, step: Connecting | Answering, limit: LimitName | undefined): void {
  stopHandshake(link, step, limit)
  link.reports.lingers(step.broker)
  resetBroker(step.broker)
}

/** `forwarding`: the gateway stops. */
export function stopSession(link: Link, { broker, session }: Forwarding): void {
  link.become(ended)
  closeBroker(broker, session)
  endSession(link, session, 'stopped')
}

/** `forwarding`: the client is gone. */
export function leaveSession(link: Link, { broker, session }: Forwarding): void {
  const { errored, fault } = link.client
  link.become(ended)
  closeBroker(broker, session)
  if (fault) session.end('client', fault.message)
  endSession(link, session, 'client', errored)
}

/** `forwarding`: ends the connection of a client that is silent for too long, or whose credentials have expired. */
export function checkIdle(link: Link, step: Forwarding, now: number): void {
  const { client, peer } = link
  // A broker that doesn't close after the client's last byte would keep the connection for ever.
  const sending = client.readableEnded ? 'ended' : client.isPaused() ? 'held-back' : 'open'
  const progress = sending === 'ended' ? step.broker.bytesRead - step.broker.writableLength : peer.bytesRead
  if (Date.now() >= step.expiresAt) part(link, step, 'expired')
  else if (!step.idle.isOver(now, progress, sending)) {
    peer.probeIfSilent()
    step.upstream.probeIfSilent(step.broker)
  } else if (sending === 'ended') step.broker.destroy()
  else part(link, step, sending === 'open' ? 'idle' : 'stalled')
}

/** `forwarding`: the broker is gone. The client has limited time to read the rest, of which the operating system may hold megabytes. */
export function finish(link: Link, { broker, session }: Forwarding): void {
  link.become(finishing)
  endSession(link, session, 'broker', broker.errored)
  refuse(link.client, undefined, { linger: LINGER })
}
