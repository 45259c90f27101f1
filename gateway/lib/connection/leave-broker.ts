import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Session } from './session.ts'

/*
 * The side that closes a TCP connection first keeps its port for a minute, and a gateway has 28,232 of them for each broker by default. So clients
 * without a session must not make the gateway close first, or one that connects often could keep out all others.
 */

/** Ends a connection to a broker on which the client has no session. A reset keeps no port. */
export function resetBroker(broker: Socket): void {
  // Only a plain connection can be reset. One that isn't open yet keeps no port, nor does one that the broker has ended, which Node ends by itself
  // then. If it were reset meanwhile, Node would never close it.
  if (broker.connecting || broker.writableEnded || broker instanceof TLSSocket) broker.destroy()
  else broker.resetAndDestroy()
}

/** Ends the gateway's side because the client has ended its own. */
export function endBroker(broker: Socket, { refusedWith }: Session): void {
  if (refusedWith === undefined) broker.end()
  else resetBroker(broker)
}
