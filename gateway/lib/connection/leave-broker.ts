import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Session } from './session.ts'

/*
 * The side that closes a TCP connection first keeps its port for a minute, and a gateway has 28,232 of them for each broker by default. So clients
 * without a session must not make the gateway close first, or one that connects often could keep out all others.
 */

/** Ends a connection to a broker on which the client has no session. A reset keeps no port. */
export function resetBroker(broker: Socket): void {
  // Only a plain connection can be reset. One that the broker has ended keeps no port, and Node ends it by itself then. If it were reset meanwhile,
  // Node would never close it.
  if (broker.writableEnded || broker instanceof TLSSocket) {
    broker.destroy()
    return
  }
  if (broker.connecting) {
    // The broker may have accepted it, but Node resets it only once it knows that.
    const timer = setTimeout(() => broker.destroy(), CONNECTING_TIME).unref()
    broker.once('close', () => clearTimeout(timer))
  }
  broker.resetAndDestroy()
}

/** Ends the gateway's side because the client has ended its own. */
export function endBroker(broker: Socket, { refusedWith }: Session): void {
  if (refusedWith === undefined) broker.end()
  else resetBroker(broker)
}

/** Ends a session's connection to its broker at once. */
export function closeBroker(broker: Socket, { refusedWith }: Session): void {
  if (refusedWith === undefined) broker.destroy()
  else resetBroker(broker)
}

/** The time in milliseconds in which a broker may accept a connection that isn't needed any more. */
const CONNECTING_TIME = 1000
