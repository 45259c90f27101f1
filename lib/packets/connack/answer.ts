import { checkBoolean, namesOf, wrongValue } from '../../errors/misuse.ts'
import { type ConnectReasonCode, returnCodes } from '../../protocol/codes.ts'
import type { ProtocolVersion } from '../../protocol/version.ts'
import {
  type AnswerOptions,
  answerNames,
  answerProps,
  connackCodes,
  versionToAnswer,
} from '../answer-props.ts'
import type { ConnectPacket } from '../connect/any-version.ts'
import type * as v5Connect from '../connect/v5.ts'
import { classes } from '../formats.ts'
import { ownOptions } from '../options.ts'
import { type Property, property } from '../properties.ts'
import type { ConnackPacket } from './any-version.ts'
import type * as v5 from './v5.ts'

/**
 * The options of `connack`. All of them but `sessionPresent` are new in MQTT 5.0, so they're ignored for clients of earlier
 * versions.
 *
 * @example
 * const options: ConnackOptions = { reasonString: 'unknown device', userProperties: [['region', 'eu']] }
 * connack(packet, ConnectReasonCode.notAuthorized, options)
 */
export interface ConnackOptions extends AnswerOptions {
  /** True if the server has a session for this client; only with `ConnectReasonCode.success`. Ignored in 3.1. Default false. */
  readonly sessionPresent?: boolean | undefined
  /** The client identifier that the server has assigned. Default none. */
  readonly assignedClientId?: string | undefined
  /** The keep alive that the client must use, in seconds, 0 to 65,535. Default none: the client's own. */
  readonly serverKeepAlive?: number | undefined
}

const optionNames: readonly string[] = namesOf<ConnackOptions>({
  sessionPresent: true,
  assignedClientId: true,
  serverKeepAlive: true,
  ...answerNames,
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
 * @param to the CONNECT, or the protocol version. If it's `undetermined`, as in errors about bytes without a version, the result is
 *   `undefined`
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
  to: ConnectPacket | Exclude<ProtocolVersion, 0>,
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
    throw wrongValue(
      'reasonCode',
      'a reason code of MQTT 5.0: one of ConnectReasonCode, also for 3.1 and 3.1.1',
    )
  const options = ownOptions(given, optionNames)
  const { sessionPresent = false, assignedClientId, serverKeepAlive } = options
  checkBoolean('sessionPresent', sessionPresent)
  if (version === undefined) return undefined
  const Packet = classes[version.name].ConnackPacket as new (fields: object) => ConnackPacket
  if (version.hasProperties) {
    const props: Property[] = []
    if (assignedClientId !== undefined) props.push(property.assignedClientIdentifier(assignedClientId))
    if (serverKeepAlive !== undefined) props.push(property.serverKeepAlive(serverKeepAlive))
    return new Packet({ sessionPresent, reasonCode, props: answerProps(options, props) })
  }
  const returnCode = returnCodes.get(reasonCode)
  if (returnCode === undefined) return undefined
  return new Packet({ sessionPresent: sessionPresent && version.hasSession, returnCode })
}
