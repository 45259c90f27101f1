import { type ConnectPacket, MqttError } from 'mqtt-connect-packet'
import { outcomeOf, type Refusal, type RefusalOutcome } from '../connection/reports.ts'
import type { Session } from '../connection/session.ts'
import type { LimitSummary } from '../limit/limit-log.ts'
import type { Peer } from '../listen/peer.ts'
import { cutLine, cutMessage, cutValues, escapeInvisible } from './log-line.ts'
import type { Config } from './schema.ts'
import { recordOf, sessionText } from './session-record.ts'
import { type Output, standardOutput } from './standard-output.ts'

/** Advice on protocols that often reach an MQTT port by mistake. */
const hints: Readonly<Record<NonNullable<MqttError['looksLike']>, string>> = {
  tls: 'looks like TLS: is the client set to mqtts? This port speaks MQTT without TLS.',
  http: 'looks like HTTP: is it a browser, or a client set to ws? This port speaks MQTT over TCP, without WebSocket.',
  'proxy-v1':
    'looks like the PROXY protocol, version 1: switch it off in the load balancer, or on in this listener.',
  'proxy-v2':
    'looks like the PROXY protocol, version 2: switch it off in the load balancer, or on in this listener.',
}

/** The gateway's log. Packets in it show no credentials. */
export interface Log {
  connect(peer: Peer, packet: ConnectPacket): void
  refused(peer: Peer, refusal: Refusal): void
  limited(summary: LimitSummary): void
  sessionEnded(peer: Peer, session: Session): void
  info(message: string): void
  warn(message: string): void
  /** Prints lines that a worker has made. */
  pass(lines: string): void
  /** Resolves once everything has been written, or if nobody reads. Call it before the process ends. */
  written(): Promise<void>
}

function remoteOf({ address, port }: Peer): string {
  return `${shown(address)}:${port}`
}

function shown(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

/** The outcomes in the text format. The filter for fail2ban depends on them. */
const outcomes: Readonly<Record<RefusalOutcome, string>> = {
  refused: 'refused',
  unserved: 'not served',
  left: 'left',
}

/** `127.0.0.9: 214 connections refused in 10 s: address-rate 200, address-open 14` */
function limitText({ address, connections, seconds, limits, clientId, isOwnFault }: LimitSummary): string {
  const whose = address === undefined ? 'Other addresses' : shown(address)
  const outcome = outcomes[isOwnFault ? 'refused' : 'unserved']
  const counts = Object.entries(limits).map(([limit, count]) => `${limit} ${count}`)
  const example = clientId === undefined ? '' : `, clientId=${JSON.stringify(clientId)}`
  const noun = connections === 1 ? 'connection' : 'connections'
  return `${whose}: ${connections} ${noun} ${outcome} in ${seconds} s: ${counts.join(', ')}${example}`
}

/** The reason for a refusal, in one line. */
export function reasonOf(error: Error): string {
  if (!(error instanceof MqttError)) return error.message
  return error.looksLike ? hints[error.looksLike] : `${error.message} [${error.code}, ${error.clause}]`
}

/** The levels in JSON, with pino's numbers, which tools know. */
const INFO = 30
const WARN = 40

/** Logs to standard output, as one JSON object per line, or as text. In JSON, lines about a connection have `remote`, and `packet` or `error`. */
export function createLog(
  { format, connects, sessions, timestamps }: Config['log'],
  destination?: Pick<Output, 'write'>,
): Log {
  const sink: Output = destination
    ? { write: (line) => destination.write(line), written: async () => {} }
    : standardOutput()
  const written = () => sink.written()
  const pass = (lines: string) => sink.write(lines)
  if (format === 'text') {
    const stamp = () => (timestamps ? `${new Date().toISOString()} ` : '')
    const printCut = (line: string) => sink.write(`${stamp()}${cutLine(line)}\n`)
    return {
      connect: (peer, packet) => connects && printCut(`${remoteOf(peer)} ${packet}`),
      refused: (peer, refusal) =>
        printCut(`${remoteOf(peer)} ${outcomes[outcomeOf(refusal)]}: ${reasonOf(refusal.error)}`),
      limited: (summary) => printCut(limitText(summary)),
      sessionEnded: (peer, session) =>
        sessions && printCut(`${remoteOf(peer)} ${sessionText(recordOf(peer, session))}`),
      info: printCut,
      warn: printCut,
      pass,
      written,
    } as Log
  }
  const printFields = (level: number, fields: object) =>
    sink.write(`${escapeInvisible(JSON.stringify({ level, time: Date.now(), ...fields }))}\n`)
  const logger = {
    info: (fields: object) => printFields(INFO, fields),
    warn: (fields: object) => printFields(WARN, fields),
  }
  return {
    connect(peer, packet) {
      if (connects) logger.info({ remote: remoteOf(peer), packet: cutValues(packet.toJSON()) })
    },
    refused(peer, refusal) {
      const { by, error, answered } = refusal
      const { clientId, reasonCode } = answered ?? {}
      const shown = error instanceof MqttError ? error.toJSON() : { message: error.message, reasonCode }
      const outcome = outcomeOf(refusal)
      logger.warn({
        remote: remoteOf(peer),
        outcome,
        by,
        ...(cutValues({ clientId, error: shown }) as object),
      })
    },
    limited({ address, isOwnFault, ...counts }) {
      const outcome: RefusalOutcome = isOwnFault ? 'refused' : 'unserved'
      const remote = address === undefined ? 'others' : shown(address)
      logger.warn({ remote, outcome, by: 'limit', ...counts })
    },
    sessionEnded(peer, session) {
      if (!sessions) return
      logger.info({ remote: remoteOf(peer), session: recordOf(peer, session) })
    },
    info: (message) => logger.info({ msg: cutMessage(message) }),
    warn: (message) => logger.warn({ msg: cutMessage(message) }),
    pass,
    written,
  } as Log
}
