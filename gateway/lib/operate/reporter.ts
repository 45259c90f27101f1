import { type ConnectPacket, ConnectReasonCode, MqttError } from 'mqtt-connect-packet'
import type { Ending, Outcome } from '../connection/last-packets.ts'
import type { Refusal, Reports } from '../connection/reports.ts'
import type { Session } from '../connection/session.ts'
import { LimitLog } from '../limit/limit-log.ts'
import type { Handshake } from '../listen/accepted.ts'
import type { Peer } from '../listen/peer.ts'
import type { Log } from './log.ts'
import { denialReason, type Metrics } from './metrics.ts'

/** What happens to connections, for the log and the metrics. */
export class Reporter implements Reports {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #limitLog: LimitLog
  readonly #onFailure: (peer: Peer) => void

  /** @param onFailure is called for each client with wrong credentials or an invalid CONNECT */
  constructor(log: Log, metrics: Metrics, onFailure: (peer: Peer) => void) {
    this.#onFailure = onFailure
    this.#log = log
    this.#metrics = metrics
    this.#limitLog = new LimitLog((line) => log.warn(line))
  }

  // Before a byte of MQTT.

  accepted({ listener }: Peer): void {
    this.#metrics.connections.inc({ listener })
  }

  limited(limit: string, { address, listener }: Peer): void {
    this.#metrics.limited.inc({ listener, limit })
    this.#limitLog.report(limit, address)
  }

  failedHandshake(stage: Handshake, { address, listener }: Peer, reason: string): void {
    this.#metrics.failedHandshakes.inc({ listener, stage })
    this.#log.info(`${address}: refused in the ${stage} handshake: ${reason}`)
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
    this.#log.refused(peer, refusal.error, refusal.answered)
    if (isFailure(refusal)) this.#onFailure(peer)
  }

  forwarded(_peer: Peer, { name }: { readonly name: string }): void {
    this.#metrics.forwarded.inc({ upstream: name })
  }

  joined({ acceptedAt }: Peer): void {
    this.#metrics.handshakeSeconds.observe((performance.now() - acceptedAt) / 1000)
  }

  parted(ending: Ending, outcome: Outcome): void {
    this.#metrics.parted.inc({ ending, outcome })
  }

  sessionEnded(peer: Peer, session: Session, cause?: Error): void {
    const { upstream, ending = 'broker' } = session
    this.#metrics.sessionsEnded.inc({ listener: peer.listener, upstream, ending })
    this.#log.sessionEnded(peer, session, cause)
  }

  #count({ listener }: Peer, { by, error, limit, answered }: Refusal): void {
    const { invalid, failedHandshakes, limited, denied, unserved } = this.#metrics
    if (by === 'limit') limited.inc({ listener, limit: limit! })
    else if (by === 'authentication') denied.inc({ listener, reason: denialReason(answered!.reasonCode!) })
    else if (by === 'rewriting') denied.inc({ listener, reason: by })
    else if (by === 'no-broker' || by === 'no-connack' || by === 'connack-size')
      unserved.inc({ listener, reason: by })
    else if (error instanceof MqttError) invalid.inc({ listener, code: error.code })
    else failedHandshakes.inc({ listener, stage: 'connect' })
  }
}

/** Whether the client is to blame, rather than the gateway, a service or the network. */
function isFailure({ by, error, answered }: Refusal): boolean {
  if (by === 'connect') return error instanceof MqttError && error.code !== 'packet-incomplete'
  const { serverBusy, serverUnavailable } = ConnectReasonCode
  const code = answered?.reasonCode
  return by === 'authentication' && code !== serverBusy && code !== serverUnavailable
}
