import { type ConnectPacket, MqttError } from 'mqtt-connect-packet'
import { type DestinationStream, pino } from 'pino'
import type { Answered } from '../connection/reports.ts'
import type { Session } from '../connection/session.ts'
import type { Peer } from '../listen/peer.ts'
import { cutLine, cutValues, escapeInvisible } from './log-line.ts'
import type { Config } from './schema.ts'
import { recordOf, sessionText } from './session-record.ts'
import { standardOutput } from './standard-output.ts'

/** Advice for what often comes to an MQTT port by mistake. */
const hints: Readonly<Record<NonNullable<MqttError['looksLike']>, string>> = {
  tls: 'looks like TLS: is the client set to mqtts? This port speaks MQTT without TLS.',
  http: 'looks like HTTP: is it a browser, or a client set to ws? This port speaks MQTT over TCP, without WebSocket.',
  'proxy-v1':
    'looks like the PROXY protocol, version 1: switch it off in the load balancer, or on in this listener.',
  'proxy-v2':
    'looks like the PROXY protocol, version 2: switch it off in the load balancer, or on in this listener.',
}

/** What the gateway reports. Packets show no credentials. */
export interface Log {
  connect(peer: Peer, packet: ConnectPacket): void
  /** @param answered for a valid CONNECT: whose it was, and the reason code of any answer */
  refused(peer: Peer, error: Error, answered?: Answered): void
  /** @param cause the error of the connection that closed first */
  sessionEnded(peer: Peer, session: Session, cause?: Error): void
  info(message: string): void
  warn(message: string): void
}

function remoteOf({ address, port }: Peer): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** The reason of a refusal, in a line. */
export function reasonOf(error: Error): string {
  if (!(error instanceof MqttError)) return error.message
  return error.looksLike ? hints[error.looksLike] : `${error.message} [${error.code}, ${error.clause}]`
}

/** One JSON object a line, or text, on standard output. In JSON `remote`, and `packet` or `error`, belong to a connection. */
export function createLog(
  { format, connects, sessions, timestamps }: Config['log'],
  destination?: DestinationStream,
): Log {
  const sink = destination ?? standardOutput()
  const print = (line: string) => sink.write(`${escapeInvisible(line)}\n`)
  if (format === 'text') {
    const stamp = () => (timestamps ? `${new Date().toISOString()} ` : '')
    const printCut = (line: string) => print(`${stamp()}${cutLine(line)}`)
    return {
      connect: (peer, packet) => connects && printCut(`${remoteOf(peer)} ${packet}`),
      refused: (peer, error) => printCut(`${remoteOf(peer)} refused: ${reasonOf(error)}`),
      sessionEnded: (peer, session, cause) =>
        sessions && printCut(`${remoteOf(peer)} ${sessionText(recordOf(peer, session, cause))}`),
      info: printCut,
      warn: printCut,
    } as Log
  }
  const logger = pino({ base: null }, { write: (line) => print(line.trimEnd()) })
  return {
    connect(peer, packet) {
      if (connects) logger.info({ remote: remoteOf(peer), packet: cutValues(packet.toJSON()) })
    },
    refused(peer, error, answered) {
      const { clientId, reasonCode } = answered ?? {}
      const shown = error instanceof MqttError ? error.toJSON() : { message: error.message, reasonCode }
      logger.warn({ remote: remoteOf(peer), ...(cutValues({ clientId, error: shown }) as object) })
    },
    sessionEnded(peer, session, cause) {
      if (!sessions) return
      logger.info({ remote: remoteOf(peer), session: recordOf(peer, session, cause) })
    },
    info: (message) => logger.info(cutLine(message)),
    warn: (message) => logger.warn(cutLine(message)),
  } as Log
}
