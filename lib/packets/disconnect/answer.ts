import { build } from '../../codec/encode.ts'
import { namesOf, wrongValue } from '../../errors/misuse.ts'
import { type ConnectReasonCode, type DisconnectReasonCode, reasonCodeTable } from '../../protocol/codes.ts'
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
import { checked } from '../encoded-packet.ts'
import { ownOptions } from '../options.ts'
import { DisconnectPacket } from './v5.ts'

/**
 * The options of `disconnect`.
 *
 * @example
 * const options: DisconnectOptions = { serverReference: 'broker-2.example:1883' }
 * disconnect(packet, DisconnectReasonCode.useAnotherServer, options)
 */
export interface DisconnectOptions extends AnswerOptions {}

const optionNames: readonly string[] = namesOf<DisconnectOptions>(answerNames)

/** The codes that a server may send. */
const serverCodes: ReadonlySet<number> = new Set(
  Object.entries(reasonCodeTable).flatMap(([, row]) =>
    'disconnect' in row && (row.disconnect as string) !== 'client' ? [row.code] : [],
  ),
)

const { format } = DisconnectPacket.prototype
const fromServer = format.context(new Set(), 'server')

/**
 * The DISCONNECT with which a server ends a client's connection, after its CONNACK. MQTT 5.0 sections 3.14 and 4.13. The reason
 * code may be that of an `MqttError`: `refuse(socket, disconnect(packet, error.reasonCode))`. The result is `undefined` if there's
 * no such packet: before MQTT 5.0, if the version is `undetermined`, and for codes that only CONNACK has. The server then just closes the connection.
 *
 * @param to the client's CONNECT, or its protocol version
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid, such as a code that only a
 *   client sends
 * @throws RangeError `ERR_OUT_OF_RANGE` if a length does not fit its place in the packet
 * @throws MqttError if the contents break a rule, for example `wrong-sender` for a session expiry interval
 * @example
 * const goodbye = disconnect(packet, DisconnectReasonCode.serverShuttingDown, { reasonString: 'maintenance' })
 * if (goodbye) socket.write(goodbye.bytes)
 */
export function disconnect(
  to: v5Connect.ConnectPacket | typeof ProtocolVersion.v5,
  reasonCode: DisconnectReasonCode,
  options?: DisconnectOptions,
): DisconnectPacket
export function disconnect(
  to: ConnectPacket | ProtocolVersion,
  reasonCode: DisconnectReasonCode | ConnectReasonCode,
  options?: DisconnectOptions,
): DisconnectPacket | undefined
export function disconnect(
  to: ConnectPacket | ProtocolVersion,
  reasonCode: DisconnectReasonCode | ConnectReasonCode,
  given: DisconnectOptions = {},
): DisconnectPacket | undefined {
  const version = versionToAnswer(to)
  if (!serverCodes.has(reasonCode) && !connackCodes.has(reasonCode))
    throw wrongValue('reasonCode', 'a DisconnectReasonCode that a server sends, or a ConnectReasonCode')
  const options = ownOptions(given, optionNames)
  if (!version?.hasProperties || !serverCodes.has(reasonCode)) return undefined
  const bytes = build(format, { reasonCode, props: answerProps(options) }, fromServer)
  return new DisconnectPacket(bytes, checked)
}
