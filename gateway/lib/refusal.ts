import { ConnectReasonCode, MqttError } from 'mqtt-connect-packet'
import { TemplateError } from './template.ts'

/** A client that is refused, and what to answer. */
export class Refusal extends Error {
  readonly reasonCode: ConnectReasonCode
  constructor(reasonCode: ConnectReasonCode, reason: string) {
    super(reason)
    this.reasonCode = reasonCode
  }
}

/** What to answer to a client whose CONNECT was valid. */
export function codeOf(error: Error): ConnectReasonCode {
  if (error instanceof Refusal || error instanceof MqttError) return error.reasonCode
  if (error instanceof TemplateError) return ConnectReasonCode.notAuthorized
  return ConnectReasonCode.serverUnavailable
}
