import { refuse } from 'mqtt-connect-packet'
import { LINGER } from './idle.ts'
import { part } from './part.ts'
import { type Answering, type Connecting, ended, type Forwarding, type Link, type Parting } from './steps.ts'

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

/** `forwarding`: the client had no chance to send until now. */
export function resumeIdleClient({ client }: Link, { idle }: Forwarding): void {
  idle.restart(performance.now())
  client.resume()
}

export function endBroker(_link: Link, { broker }: Joined): void {
  broker.end()
}

export function endClient({ client }: Link): void {
  client.end()
}

/** The client is gone. */
export function leaveBroker(link: Link, { broker }: Connecting | Joined): void {
  link.become(ended)
  broker.destroy()
}

/** `forwarding`: ends the connection of a client that is silent for too long, or whose credentials have expired. */
export function checkIdle(link: Link, step: Forwarding, now: number): void {
  const { client, peer } = link
  // A broker that doesn't close after the client's last byte would keep the connection for ever.
  const sending = client.readableEnded ? 'ended' : client.isPaused() ? 'held-back' : 'open'
  if (Date.now() >= step.expiresAt) part(link, step, 'expired')
  else if (!step.idle.isOver(now, peer.bytesRead, sending)) return
  else if (sending === 'ended') step.broker.destroy()
  else part(link, step, sending === 'open' ? 'idle' : 'stalled')
}

/** `forwarding`: the broker is gone. The client may still read what is left, but not for ever. */
export function finish(link: Link): void {
  const { client } = link
  link.become(ended)
  const isReading = client.readableEnded || client.writableLength > 0
  refuse(client, undefined, { linger: isReading ? LINGER : undefined })
}
