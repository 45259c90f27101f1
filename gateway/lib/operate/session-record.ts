import type { Session, SessionEnding } from '../connection/session.ts'
import type { Peer } from '../listen/peer.ts'

/** The contents of the log line about a session that has ended. A field without a value is absent. */
export interface SessionRecord {
  readonly ending: SessionEnding
  readonly listener: string
  readonly upstream: string
  /** The code in the CONNACK, if it refused the client. */
  readonly reasonCode: number | undefined
  readonly clientId: string
  readonly brokerClientId: string | undefined
  readonly userName: string | undefined
  /** The time from the CONNACK to the end. */
  readonly seconds: number
  readonly bytesFromClient: number
  readonly bytesToClient: number
  /** The cause of the ending, in words. */
  readonly cause: string | undefined
}

/**
 * The code comes before the client's values. They can be so long that a line of text is cut in the middle of them, and fail2ban needs the code.
 *
 * A plain literal, because object spreads took most of the time of a log line.
 */
export function recordOf(peer: Peer, session: Session): SessionRecord {
  return {
    ending: session.ending ?? 'broker',
    listener: peer.listener,
    upstream: session.upstream,
    reasonCode: session.refusedWith,
    clientId: session.clientId,
    brokerClientId: session.brokerClientId,
    userName: session.userName,
    seconds: Math.round(performance.now() - session.startedAt) / 1000,
    bytesFromClient: peer.bytesRead,
    bytesToClient: peer.bytesWritten,
    cause: session.cause,
  }
}

/** `session ended: client, listener="127.0.0.1:1883", …` */
export function sessionText({ ending, ...fields }: SessionRecord): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined)
  const texts = shown.map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `session ended: ${ending}, ${texts.join(', ')}`
}
