import { refuse } from 'mqtt-connect-packet'
import { endSession } from './end-session.ts'
import { LINGER } from './idle.ts'
import { type Ending, type LastPackets, lastPackets } from './last-packets.ts'
import { ended, type Forwarding, type Link, type Parting } from './steps.ts'

/*
 * Ends a session at the gateway's request without cutting a packet in two. The broker comes first. The client gets its DISCONNECT once the broker
 * has sent its last packets and closed its connection. The client therefore gets the acknowledgement of everything that the broker has received, and its
 * next CONNECT can't overtake the DISCONNECT.
 */

/** `forwarding`: begins to part. If neither option was on at the CONNECT, the connections are just closed, unless the client has ended its side. */
export function part(link: Link, { broker, session, tracked }: Forwarding, ending: Ending): void {
  session.end(ending)
  // If the client has ended its side, maybe behind its own DISCONNECT, that may still be on its way to the broker.
  const hasEnded = !broker.writable
  if (tracked === undefined && !hasEnded) {
    broker.destroy()
    return
  }
  const last = tracked ? lastPackets(link.drain, ending, tracked) : NOTHING
  const step: Parting = {
    name: 'parting',
    broker,
    tracked,
    session,
    ending,
    last,
    isUntilBrokerCloses: hasEnded || last.toBroker !== undefined,
    isBrokerTold: hasEnded || last.toBroker === undefined,
    isClientTold: false,
    deadline: performance.now() + (hasEnded ? LINGER : PATIENCE),
  }
  link.become(step)
  if (tracked?.fromClient.isReached) tellBroker(link, step)
  tellClientAtBoundary(link, step)
}

const NOTHING: LastPackets = { toClient: undefined, toBroker: undefined }

/**
 * Passes on the rest of the client's current packet, and discards later ones. Discarded messages aren't acknowledged, so the client sends
 * those with QoS 1 and 2 again if the session is kept. Messages with QoS 0 are lost.
 */
export function passRest(link: Link, step: Parting, chunk: Buffer): void {
  if (step.isBrokerTold || step.tracked === undefined) return
  const { fromClient } = step.tracked
  const size = fromClient.pushToBoundary(chunk)
  if (!step.broker.write(chunk.subarray(0, size))) link.client.pause()
  if (fromClient.isReached) tellBroker(link, step)
}

/** Sends the broker its last packet. If the client has ended in the middle of a packet, just ends the connection to the broker. */
export function tellBroker(_link: Link, step: Parting): void {
  const { broker, last, tracked } = step
  if (step.isBrokerTold) return
  step.isBrokerTold = true
  if (tracked?.fromClient.mayContinue) broker.write(last.toBroker!)
  broker.end()
  // A busy broker has other packets to read before the DISCONNECT. If the connection were reset meanwhile, the broker would publish the will.
  step.deadline = performance.now() + LINGER
}

/** If the broker gets the client's DISCONNECT or another one, passes on everything until it closes. Otherwise, passes on bytes up to its next packet boundary. */
export function passLast(link: Link, step: Parting, chunk: Buffer): void {
  const { broker, tracked } = step
  let size = chunk.length
  if (step.isUntilBrokerCloses) tracked?.fromBroker.push(chunk)
  else if (tracked) size = tracked.fromBroker.pushToBoundary(chunk)
  if (link.client.writable && !link.client.write(chunk.subarray(0, size))) broker.pause()
  tellClientAtBoundary(link, step)
}

function tellClientAtBoundary(link: Link, step: Parting): void {
  if (!step.isUntilBrokerCloses && step.tracked?.fromBroker.isReached) tellClient(link, step)
}

/** The broker has closed, or there's no more time. */
export function tellClient(link: Link, step: Parting): void {
  if (step.isClientTold) return
  step.isClientTold = true
  const { broker, last, tracked } = step
  broker.destroy()
  // It may have megabytes to read first, and if the connection were closed while it sends anything, the rest would be lost.
  refuse(link.client, tracked?.fromBroker.mayContinue ? last.toClient : undefined, { linger: LINGER })
  report(link, step)
  if (link.client.closed) link.become(ended)
}

function report(link: Link, { ending, session, tracked, isUntilBrokerCloses }: Parting): void {
  if (tracked) {
    const { fromClient, fromBroker } = tracked
    const isCut = !fromBroker.isReached || (isUntilBrokerCloses && !fromClient.isReached)
    link.reports.parted(ending, isCut ? 'cut' : 'between-packets')
  }
  endSession(link, session, ending)
}

/** The client is gone. */
export function leave(link: Link, step: Parting): void {
  const { broker } = step
  if (step.isClientTold) {
    link.become(ended)
  } else if (step.isBrokerTold && step.isUntilBrokerCloses) {
    report(link, step)
    link.become(ended)
    // Closing the connection while bytes arrive would reset it, and the broker might never read the DISCONNECT.
    broker.resume()
    // Deadlines are checked only as long as the client is there.
    const timer = setTimeout(() => broker.destroy(), LINGER).unref()
    broker.once('close', () => clearTimeout(timer))
    link.reports.lingers(broker)
  } else {
    tellClient(link, step)
  }
}

/** The time in milliseconds that a session has to get to the end of its packets. */
const PATIENCE = 5000
