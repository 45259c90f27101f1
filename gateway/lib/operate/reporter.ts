import type { Socket } from 'node:net'
import { type ConnectPacket, ConnectReasonCode, ConnectReturnCode, MqttError } from 'mqtt-connect-packet'
import type { Ending, Outcome } from '../connection/last-packets.ts'
import { outcomeOf, type Refusal, type Reports } from '../connection/reports.ts'
import type { Session } from '../connection/session.ts'
import { LimitLog } from '../limit/limit-log.ts'
import type { LimitName } from '../limit/limits.ts'
import type { OpenConnections } from '../limit/open-connections.ts'
import type { Peer } from '../listen/peer.ts'
import type { Log } from './log.ts'
import { denialReason, type Metrics } from './metrics.ts'

/** Reports on connections, for the log and the metrics. */
export class Reporter implements Reports {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #limitLog: LimitLog
  readonly #open: OpenConnections
  readonly #onFailure: (peer: Peer) => void

  /** @param onFailure is called for each client with wrong credentials or an invalid CONNECT */
  constructor(log: Log, metrics: Metrics, open: OpenConnections, onFailure: (peer: Peer) => void) {
    this.#open = open
    this.#onFailure = onFailure
    this.#log = log
    this.#metrics = metrics
    this.#limitLog = new LimitLog((summary) => log.limited(summary))
  }

  // Before a byte of MQTT.

  accepted({ listener }: Peer): void {
    this.#metrics.connections.inc({ listener })
  }

  limited(limit: LimitName, peer: Peer): void {
    this.#metrics.limited.inc({ listener: peer.listener, limit })
    this.#limitLog.report(limit, peer)
  }

  probe({ listener }: Peer): void {
    this.#metrics.probes.inc({ listener })
  }

  // From the CONNECT on.

  connect(peer: Peer, packet: ConnectPacket): void {
    this.#log.connect(peer, packet)
  }

  refused(peer: Peer, refusal: Refusal): void {
    this.#count(peer, refusal)
    // A single line, because a refusal must cost less than the connection it prevents.
    if (refusal.limit) this.#limitLog.report(refusal.limit, peer, refusal.answered?.clientId)
    else this.#log.refused(peer, refusal)
    if (isFailure(refusal)) this.#onFailure(peer)
  }

  forwarded(_peer: Peer, { name }: { readonly name: string }): void {
    this.#metrics.forwarded.inc({ upstream: name })
  }

  /** A failure counts at once, because the broker decides when the connection ends. */
  answered(peer: Peer, code: number): void {
    if (wrongCredentials.has(code)) this.#onFailure(peer)
  }

  joined({ acceptedAt }: Peer): void {
    this.#metrics.handshakeSeconds.observe((performance.now() - acceptedAt) / 1000)
  }

  parted(ending: Ending, outcome: Outcome): void {
    this.#metrics.parted.inc({ ending, outcome })
  }

  lingers(broker: Socket): void {
    this.#open.linger(broker)
  }

  sessionEnded(peer: Peer, session: Session): void {
    const { upstream, ending = 'broker' } = session
    this.#metrics.sessionsEnded.inc({ listener: peer.listener, upstream, ending })
    this.#log.sessionEnded(peer, session)
  }

  /** Prints what has not been printed yet. */
  close(): void {
    this.#limitLog.flush()
  }

  #count({ listener }: Peer, { by, error, limit, answered }: Refusal): void {
    const { invalid, failedHandshakes, limited, denied, unserved } = this.#metrics
    if (by === 'limit') limited.inc({ listener, limit: limit! })
    else if (by === 'authentication') denied.inc({ listener, reason: denialReason(answered!.reasonCode!) })
    else if (by === 'rewriting') denied.inc({ listener, reason: by })
    else if (by === 'no-broker' || by === 'no-connack' || by === 'connack-size')
      unserved.inc({ listener, reason: by })
    else if (by === 'proxy' || by === 'tls' || by === 'websocket')
      failedHandshakes.inc({ listener, stage: by })
    else if (by !== 'connect') return
    else if (error instanceof MqttError) invalid.inc({ listener, code: error.code })
    else failedHandshakes.inc({ listener, stage: 'connect' })
  }
}

/** The codes with which brokers refuse credentials: the return codes before MQTT 5.0, and the reason codes. */
const wrongCredentials: ReadonlySet<number> = new Set([
  ...[ConnectReturnCode.badUserNameOrPassword, ConnectReturnCode.notAuthorized],
  ...[ConnectReasonCode.badUserNameOrPassword, ConnectReasonCode.notAuthorized],
])

/** True if the refusal counts towards a ban. */
function isFailure(refusal: Refusal): boolean {
  if (outcomeOf(refusal) !== 'refused') return false
  return refusal.by === 'authentication' || (refusal.by === 'connect' && refusal.error instanceof MqttError)
}
