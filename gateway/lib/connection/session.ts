import { type ConnackPacket, type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import { shortText } from '../settings/short-text.ts'
import type { Ending } from './last-packets.ts'

/**
 * The end of a session: the side that closed the connection first, or the gateway's reason for closing it. `refused` if the
 * broker's CONNACK refused the client, `stopped` if the gateway stopped first.
 */
export type SessionEnding = Ending | 'client' | 'broker' | 'refused' | 'stopped'

/** The endings in words, for the log. */
const causes: Readonly<Record<SessionEnding, string>> = {
  client: 'the client closed the connection',
  broker: 'the broker closed the connection',
  refused: 'the broker refused the client',
  drained: 'the gateway is stopping',
  moved: 'its upstream is draining or off',
  expired: 'the credentials have expired',
  idle: 'the client was silent for 1.5 times its keep alive',
  stalled: "the broker didn't read for five minutes",
  stopped: 'the gateway has stopped',
}

/** The facts that are known once the broker has the CONNECT. */
interface Known {
  readonly packet: ConnectPacket
  readonly userName: string | undefined
  readonly rewritten: { readonly packet: ConnectPacket }
}

/**
 * The values for the log line at the end of a session. They're short strings and numbers, so that an idle connection retains
 * neither packets nor up to 64 KB of names.
 */
export class Session {
  /** The client id that the client knows: its own, or the assigned one. */
  readonly clientId: string
  /** The client id that the broker knows; `undefined` if it's the same. */
  readonly brokerClientId: string | undefined
  /** The user name after authentication, which may have replaced it. */
  readonly userName: string | undefined
  readonly upstream: string
  /** The code in the CONNACK, if the broker refused the client. */
  readonly refusedWith: number | undefined
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
  #ending: SessionEnding | undefined
  #cause: string | undefined

  constructor(known: Known, upstream: { readonly name: string }, answer: ConnackPacket, now: number) {
    const sent = known.rewritten.packet.clientId
    const clientId = known.packet.clientId || answer.property(PropertyId.assignedClientIdentifier) || sent
    this.clientId = shortText(clientId)
    this.brokerClientId = sent === '' || sent === clientId ? undefined : shortText(sent)
    this.userName = known.userName && shortText(known.userName)
    this.upstream = upstream.name
    const code = codeOf(answer)
    this.refusedWith = code === 0 ? undefined : code
    this.startedAt = now
    if (code !== 0) this.end('refused', `${causes.refused}: ${inWords(answer.codeName)}`)
  }

  /** `undefined` until the first call of `end`. */
  get ending(): SessionEnding | undefined {
    return this.#ending
  }

  /** The cause of the ending, in words. */
  get cause(): string | undefined {
    return this.#cause
  }

  /** Records the ending. Only the first call counts, because later ones are consequences of it. */
  end(ending: SessionEnding, cause: string = causes[ending]): void {
    if (this.#ending !== undefined) return
    this.#ending = ending
    this.#cause = cause
  }
}

/** The reason code; before MQTT 5.0 the return code. */
export function codeOf(answer: ConnackPacket): number {
  return answer.protocolVersion === 5 ? answer.reasonCode : answer.returnCode
}

/** `notAuthorized` → `not authorized` */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}
