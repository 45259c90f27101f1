import { build } from '../../codec/encode.ts'
import { checkBoolean, namesOf, wrongValue } from '../../errors/misuse.ts'
import { type ConnectReasonCode, returnCodes } from '../../protocol/codes.ts'
import type { ProtocolVersion } from '../../protocol/version.ts'
import { answerProps, connackCodes, versionToAnswer } from '../answer-props.ts'
import type { ConnectPacket } from '../connect/formats.ts'
import type * as v5Connect from '../connect/v5.ts'
import { ownOptions } from '../options.ts'
import type { Property } from '../properties.ts'
import { type ConnackPacket, connackFormats } from './formats.ts'
import type * as v5 from './v5.ts'

/**
 * The options of `connack`. All of them but `sessionPresent` are new in MQTT 5.0, so they're ignored for clients of earlier
 * versions.
 *
 * @example
 * const options: ConnackOptions = { reasonString: 'unknown device', userProperties: [['region', 'eu']] }
 * connack(packet, ConnectReasonCode.notAuthorized, options)
 */
export interface ConnackOptions {
  /** True if the server has a session for this client; only with `ConnectReasonCode.success`. Ignored in 3.1. Default false. */
  readonly sessionPresent?: boolean | undefined
  /** The client identifier that the server has assigned. Default none. */
  readonly assignedClientId?: string | undefined
  /** The keep alive that the client must use, in seconds, 0 to 65,535. Default none: the client's own. */
  readonly serverKeepAlive?: number | undefined
  /** The reason in words, for the person who diagnoses a problem. Default none. */
  readonly reasonString?: string | undefined
  /** Another server for the client: `broker-2.example:1883`. Default none. */
  readonly serverReference?: string | undefined
  /** User properties, as pairs of key and value, in order. Default none. */
  readonly userProperties?: Iterable<readonly [key: string, value: string]> | undefined
  /** Any further properties, in order. Default none. */
  readonly props?: readonly Property[] | undefined
}

const optionNames: readonly string[] = namesOf<ConnackOptions>({
  sessionPresent: true,
  assignedClientId: true,
  serverKeepAlive: true,
  reasonString: true,
  serverReference: true,
  userProperties: true,
  props: true,
})

/**
 * The CONNACK for a client, in the version of its CONNECT. For MQTT 3.1 and 3.1.1 the reason code becomes a return code:
 *
 * | reason code of 5.0 | return code |
 * |---|---|
 * | 0x00 success | 0 accepted |
 * | 0x84 unsupported protocol version | 1 unacceptable protocol version |
 * | 0x85 client identifier not valid | 2 identifier rejected |
 * | 0x88 server unavailable, 0x89 server busy, 0x97 quota exceeded, 0x9C use another server, 0x9D server moved, 0x9F connection rate exceeded | 3 server unavailable |
 * | 0x86 bad user name or password | 4 bad user name or password |
 * | 0x87 not authorized, 0x8A banned, 0x8C bad authentication method | 5 not authorized |
 * | all others | none: the result is `undefined`, just close the connection |
 *
 * @param to the CONNECT, or the protocol version
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet
 * @throws MqttError if the contents break a rule, for example `session-present-with-error`
 * @example
 * const answer = connack(packet, ConnectReasonCode.notAuthorized, { reasonString: 'unknown device' })
 * const props = [property.receiveMaximum(10), property.sessionExpiryInterval(3600)]
 * const accepted = connack(packet, ConnectReasonCode.success, { props })
 */
export function connack(
  to: v5Connect.ConnectPacket | typeof ProtocolVersion.v5,
  reasonCode: ConnectReasonCode,
  options?: ConnackOptions,
): v5.ConnackPacket
export function connack(
  to: ConnectPacket | ProtocolVersion,
  reasonCode: typeof ConnectReasonCode.success,
  options?: ConnackOptions,
): ConnackPacket
export function connack(
  to: ConnectPacket | ProtocolVersion,
  reasonCode: ConnectReasonCode,
  options?: ConnackOptions,
): ConnackPacket | undefined
export function connack(
  to: ConnectPacket | ProtocolVersion,
  reasonCode: ConnectReasonCode,
  given: ConnackOptions = {},
): ConnackPacket | undefined {
  const version = versionToAnswer(to)
  if (!connackCodes.has(reasonCode))
    throw wrongValue('reasonCode', 'one of ConnectReasonCode, which is translated for 3.1 and 3.1.1')
  const options = ownOptions(given, optionNames)
  const { sessionPresent = false } = options
  checkBoolean('sessionPresent', sessionPresent)
  const format = connackFormats[version.name]
  if (version.hasProperties) {
    return format.create(build(format, { sessionPresent, reasonCode, props: answerProps(options) }))
  }
  const returnCode = returnCodes.get(reasonCode)
  if (returnCode === undefined) return undefined
  return format.create(build(format, { sessionPresent: sessionPresent && version.hasSession, returnCode }))
}
