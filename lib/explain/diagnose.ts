import type { Buffer } from 'buffer'
import { fixedHeaderField, leftOverField } from '../codec/fields.ts'
import { connackDiagnoses, returnCodeReasons } from '../errors/connack-diagnoses.ts'
import { errorDiagnoses } from '../errors/diagnoses.ts'
import type { Diagnosis } from '../errors/diagnosis.ts'
import { foreignDiagnoses, type OtherBytes } from '../errors/foreign-diagnoses.ts'
import { copyOwn, hasMembers, isRevoked, wrongType } from '../errors/misuse.ts'
import type { MqttError } from '../errors/mqtt-error.ts'
import type { ConnackPacket } from '../packets/connack/any-version.ts'
import { ConnackPacketBase } from '../packets/connack/connack-packet.ts'
import { ConnectPacketBase } from '../packets/connect/connect-packet.ts'
import { type PacketVariant, policyOf } from '../packets/decode.ts'
import { isPacket } from '../packets/encoded-packet.ts'
import { FieldPacket } from '../packets/field-packet.ts'
import { jsonText } from '../packets/text.ts'
import { ConnectReasonCode, ConnectReturnCode } from '../protocol/codes.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { versionOf, versions } from '../protocol/version.ts'
import { readTwoByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import { asNewBuffer, isBytes } from '../wire/memory.ts'
import { additionIn } from './additions.ts'
import { isCapture } from './capture/signature.ts'
import { isMaskedConnect } from './capture/websocket.ts'
import { type Correction, correctionOf, hasOneByteLength } from './corrections.ts'
import { type ExplainOptions, explain, explainNext, optionsOf, type PacketExplanation } from './explain.ts'

/**
 * Explains in plain words what bytes, an error or a CONNACK mean for somebody whose client doesn't connect: the usual cause, and what
 * to do. Of several packets, it explains the first invalid one or, if all are valid, a CONNACK that refuses the client; so it does if only the
 * last packet is incomplete.
 *
 * @param subject bytes, of which only a protocol name is quoted; an error; or a CONNACK
 * @param options for reading the bytes, as in `explain`
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid; never because of the bytes
 * @example
 * diagnose(Buffer.from('20020005', 'hex')).headline // 'The server does not let this client in: not authorized.'
 */
export function diagnose(
  subject: Uint8Array | MqttError | ConnackPacket,
  options?: Omit<ExplainOptions, 'secrets'>,
): Diagnosis {
  if (isBytes(subject)) return ofBytes(asNewBuffer('bytes', subject), options)
  if (options !== undefined) policyOf(optionsOf(options))
  if (isMqttError(subject)) {
    const bytes = refusedBytes(subject)
    const other = bytes && otherBytes(bytes)
    return other
      ? foreignDiagnoses[other]
      : (inOtherVersion(subject, bytes, subject.protocolVersion) ?? ofError(subject, bytes))
  }
  const fields = fieldsOfConnack(subject)
  if (fields !== undefined) return ofConnack(fields)
  throw wrongType('subject', 'bytes, an MqttError or a ConnackPacket', subject)
}

/* Recognises errors and packets by their members, because in browsers `./packets` has its own copy of the classes. */

function isMqttError(subject: unknown): subject is MqttError {
  if (typeof subject !== 'object' || subject === null || isRevoked(subject)) return false
  if (!Object.hasOwn(subject, 'code')) return false
  const { name, code } = subject as MqttError
  return name === 'MqttError' && typeof code === 'string' && Object.hasOwn(errorDiagnoses, code)
}

/** What had arrived of the packet that an error refuses. */
function refusedBytes(error: MqttError): Buffer | undefined {
  try {
    const { bytes } = error
    return isBytes(bytes) ? asNewBuffer('bytes', bytes) : undefined
  } catch {
    // The object just has the prototype of an error.
    return undefined
  }
}

/** The fields with the code of a CONNACK. */
interface CodeFields {
  readonly returnCode?: number
  readonly reasonCode?: number
}

function fieldsOfConnack(subject: unknown): CodeFields | undefined {
  if (typeof subject !== 'object' || subject === null || isRevoked(subject)) return undefined
  try {
    const { type } = subject as ConnackPacket
    if (type !== ControlPacketType.connack || !hasMembers(subject, ['toFields'])) return undefined
    return copyOwn((subject as ConnackPacket).toFields())
  } catch {
    // The object just has the prototype of a packet.
    return undefined
  }
}

function ofBytes(bytes: Buffer, given: Omit<ExplainOptions, 'secrets'> = {}): Diagnosis {
  const options = optionsOf(given)
  const explanation = explainNext(bytes, options)
  const packets = explanation.packets.map((one) => copyOwn(one))
  const invalid = packets.find(({ error }) => error !== undefined)
  const connacks = packets.flatMap(({ packet }) => (isPacket(packet, ConnackPacketBase) ? [packet] : []))
  const answers = connacks.map((packet) => copyOwn<CodeFields>(packet.toFields()))
  const refusal = answers.find((fields) => codeName(fields) !== 'success')
  // Copies of a stream are often cut off, so an incomplete last packet says less than the answer before it.
  const isOnlyCut = invalid?.error?.code === 'packet-incomplete' && refusal !== undefined
  if (invalid !== undefined && !isOnlyCut) return ofInvalid(bytes, invalid, packets.length === 1, options)
  const answer = refusal ?? answers.at(0)
  if (answer === undefined) return ofValid(packets, explanation.rows.at(-1)!.field === leftOverField.name)
  return refusal === undefined && hasLongLength(connacks[0]!.bytes) ? longLength : ofConnack(answer)
}

function ofInvalid(
  all: Buffer,
  { error, rows }: PacketExplanation,
  isAlone: boolean,
  { protocolVersion }: Omit<ExplainOptions, 'secrets'>,
): Diagnosis {
  const bytes = all.subarray(rows[0]?.offset ?? 0)
  const other = otherBytes(all)
  if (other !== undefined) return foreignDiagnoses[other]
  if (hasOneByteLength(bytes)) return oneByteLength
  if (hasSwappedLength(bytes)) return swappedLength
  const added = bytes.length === all.length ? undefined : additionIn(bytes)
  if (added !== undefined) return added
  const size = rows.reduce((sum, { length }) => sum + length, 0)
  const correction = correctionOf(bytes, size, error!, protocolVersion)
  if (correction?.ofLength !== undefined) return ofLength(correction)
  const missing = missingIn(error!, bytes, size)
  if (missing !== undefined) return missing
  return (isAlone ? inOtherVersion(error!, bytes, protocolVersion) : undefined) ?? ofError(error!, bytes)
}

/** Recognises bytes that people mistake for MQTT, by their beginning. */
function otherBytes(bytes: Buffer): OtherBytes | undefined {
  const start = bytes.toString('latin1', 0, 5)
  if (isCapture(bytes)) return 'capture'
  if (start.startsWith('\x15\x03')) return 'tlsAlert'
  if (start === 'HTTP/') return 'httpAnswer'
  if (start.startsWith('SSH-')) return 'ssh'
  if (start.startsWith('AMQP')) return 'amqp'
  return isMaskedConnect(bytes) ? 'webSocket' : undefined
}

const oneByteLength: Diagnosis = {
  headline: 'The Remaining Length is written in one byte, but needs two.',
  cause:
    'A byte can hold a length up to 127, because its high bit means that another byte follows. Packets therefore work until a longer user name, password or will makes them larger.',
  fixes: [
    'In the client, write a length from 128 to 16,383 as two bytes: length % 128 + 128, then length / 128. For 140 that is 8c 01.',
  ],
}

/** True if the bytes of the protocol name's length are swapped. */
function hasSwappedLength(bytes: Buffer): boolean {
  const at = bytes[0] === ControlPacketType.connect ? variableByteIntegerEnd(bytes, 1, bytes.length) : -1
  if (at < 0 || bytes[at + 1] !== 0 || bytes[at] === 0) return false
  return versions.some(({ protocolName }) => {
    const end = at + 2 + protocolName.length
    return bytes[at] === protocolName.length && bytes.toString('latin1', at + 2, end) === protocolName
  })
}

const swappedLength: Diagnosis = {
  headline: 'The length of the protocol name has its two bytes in the wrong order.',
  cause:
    'In MQTT the high byte comes first, so the length of the name MQTT is 00 04. A program that just copies a number from memory writes 04 00 on most processors.',
  fixes: [
    'In the client, write the high byte first: length >> 8, then length & 255. Do the same for all other strings and the keep alive.',
  ],
}

const noBytes: Diagnosis = {
  headline: 'The connection ended before any byte arrived.',
  cause: 'That happens with port scans, with health checks, and if TLS or the WebSocket fails in the client.',
  fixes: ['Over WebSocket, check the subprotocol: mqtt, or mqttv3.1 for MQTT 3.1.'],
}

/** True if the Remaining Length takes more bytes than it needs, which only MQTT 5.0 forbids. */
function hasLongLength(bytes: Uint8Array): boolean {
  const end = variableByteIntegerEnd(bytes, 1, bytes.length)
  return end > 2 && bytes[end - 1] === 0
}

const longLength: Diagnosis = {
  headline: 'The server accepts the client, but writes the length of its answer in an unusual way.',
  cause:
    'The Remaining Length takes more bytes than necessary, for example 82 00 instead of 02. MQTT 3.1.1 allows that, but many clients expect exactly four bytes, and report a bad packet or wait for ever.',
  fixes: [
    "Report the bug to the server's maker: every client understands 20 02 00 00.",
    'Or use another client or server.',
  ],
}

function ofLength({ ofLength }: Correction): Diagnosis {
  return {
    headline: `The Remaining Length is ${ofLength}.`,
    cause:
      ofLength === 'too small'
        ? 'The packet has all its fields, but the Remaining Length, from the second byte on, counts fewer bytes. The receiver mistakes the rest for the next packet, and closes the connection.'
        : 'The packet has all its fields, but the Remaining Length, from the second byte on, counts more bytes. The receiver waits for the rest, or mistakes the next packet for it.',
    fixes: [
      'In the sender, count exactly the bytes after the Remaining Length: for each string, its bytes (not its characters) and the two bytes of its length.',
    ],
  }
}

/** The fields of the payload that a sender may have left out, in the order of a packet, with the flags that announce them. */
const payload: readonly (readonly [field: string, name: string, flag: number])[] = [
  ['clientId', 'client identifier', 0],
  ['will.topic', 'will topic', ConnectFlag.will],
  ['will.message', 'will message', ConnectFlag.will],
  ['userName', 'user name', ConnectFlag.userName],
  ['password', 'password', ConnectFlag.password],
]

/** The diagnosis of a packet that ends exactly where a field should begin. Fields after a missing one are taken for it. */
function missingIn({ code, field, offset }: MqttError, bytes: Buffer, size: number): Diagnosis | undefined {
  if (code !== 'field-past-end' || offset !== size) return undefined
  const flags = connectFlagsOf(bytes)
  const announced = payload.filter(([, , flag]) => flag === 0 || (flags & flag) !== 0)
  const found = announced.findIndex(([one]) => one === field)
  if (found < 0) return undefined
  const number = found === 0 ? '' : `${announced.length - found} of `
  return {
    headline: `The packet ends too early. Missing: ${number}${announced.map(([, name]) => name).join(', ')}.`,
    cause: 'The next field takes the place of a missing one.',
    fixes: errorDiagnoses[code].fixes,
  }
}

/** The diagnosis of an invalid CONNACK that is valid in another version. */
function inOtherVersion(
  { field }: MqttError,
  bytes: Buffer | undefined,
  asked: number | undefined,
): Diagnosis | undefined {
  const expected = asked === undefined ? undefined : versionOf(asked)
  if (bytes?.[0] !== ControlPacketType.connack || expected === undefined) return undefined
  // A CONNACK that no CONNACK may precede, or that a client has sent, isn't wrong in itself.
  if (field === fixedHeaderField.name) return undefined
  const { readings } = copyOwn(explain(bytes))
  const packet = readings?.[0]?.packet
  if (!isPacket(packet, FieldPacket) || packet.protocolVersion === asked) return undefined
  const found = versionOf(packet.protocolVersion)?.label
  return {
    headline: `This CONNACK is in MQTT ${found}, not in MQTT ${expected.label}.`,
    cause:
      "A server must answer in the version of the CONNECT, but one that doesn't support that version may use its own.",
    fixes: [`In the client, choose MQTT ${found}.`, 'Or update the server.'],
  }
}

/** @param bytes the refused packet, as far as it has arrived */
function ofError(error: MqttError, bytes: Buffer | undefined): Diagnosis {
  const { code, looksLike, protocolName, offset } = copyOwn(error)
  if (looksLike === 'http' && bytes !== undefined && !mayBeHttp(bytes)) return foreignDiagnoses.otherText
  if (looksLike !== undefined) return foreignDiagnoses[looksLike]
  if (code === 'packet-incomplete' && offset === 0) return noBytes
  const diagnosis = errorDiagnoses[code]
  if (code !== 'protocol-name' || protocolName === undefined) return diagnosis
  return { ...diagnosis, headline: `The protocol name is ${jsonText(protocolName)}, not "MQTT".` }
}

/** Enough for a request line of HTTP. */
const LONGEST_LINE = 8192

/** False if a line that begins with a method of HTTP doesn't go on as HTTP does: SIP, RTSP, NATS and memcached have some of them too. */
function mayBeHttp(bytes: Buffer): boolean {
  const [line = '', ...rest] = bytes.toString('latin1', 0, LONGEST_LINE).split('\n', 2)
  const version = line.split(' ')[2] ?? ''
  return rest.length > 0 ? version.startsWith('HTTP/') : 'HTTP/'.startsWith(version.slice(0, 5))
}

const names: ReadonlyMap<number, keyof typeof ConnectReasonCode> = new Map(
  Object.entries(ConnectReasonCode).map(([name, code]) => [code, name as keyof typeof ConnectReasonCode]),
)
const returnNames: ReadonlyMap<number, keyof typeof ConnectReasonCode> = new Map(
  Object.entries(ConnectReturnCode).map(([name, code]) => [
    code,
    returnCodeReasons[name as keyof typeof returnCodeReasons],
  ]),
)

function codeName({ returnCode, reasonCode }: CodeFields): keyof typeof ConnectReasonCode {
  const name = returnCode === undefined ? names.get(reasonCode!) : returnNames.get(returnCode)
  return name ?? 'unspecifiedError'
}

function ofConnack(fields: CodeFields): Diagnosis {
  return connackDiagnoses[codeName(fields)]
}

/** The finding for bytes without any fault. */
function ofValid(packets: readonly PacketExplanation[], hasMore: boolean): Diagnosis {
  const texts = packets.slice(0, 3).map(({ packet }) => nameOf(packet!))
  const more = packets.length - texts.length
  const number = `${hasMore ? 'more than ' : ''}${packets.length.toLocaleString('en')}`
  const list = `${texts.join(', ')}${more > 0 ? ` and ${hasMore ? 'others' : `${more} more`}` : ''}`
  const isConnect = packets[0]!.packet!.type === ControlPacketType.connect
  const decoded = packets.every(({ packet }) => isPacket(packet, FieldPacket))
  const one = decoded ? `a valid ${list}` : `${/^[AEIOU]/.test(list) ? 'an' : 'a'} ${list}`
  const what = packets.length === 1 ? `This is ${one}.` : `These are ${number} packets: ${list}.`
  const cause = decoded
    ? 'Nothing is wrong with these bytes.'
    : 'No error was found, but of packets other than CONNECT, CONNACK, AUTH and DISCONNECT, only the beginning is checked.'
  if (!isConnect) return { headline: what, cause, fixes: [] }
  return {
    headline: what,
    cause: `${cause} If the client doesn't connect, the server's answer says why.`,
    fixes: [
      ...(hasSwappedKeepAlive(packets[0]!.packet!)
        ? [
            'Check the keep alive: it is unusually long, maybe with its two bytes swapped. The high byte comes first.',
          ]
        : []),
      ...(hasStrayWillFlags(packets[0]!.packet!)
        ? [
            'Check the connect flags: will QoS or will retain is set, but there is no will. MQTT 3.1 allows that, but some servers, such as mosquitto 2, refuse it.',
          ]
        : []),
      'Look at the bytes that the server sends back: a CONNACK begins with 20.',
      "If the server closes the connection without an answer, read its log. AWS IoT does that if the policy doesn't allow the client identifier.",
      'Check that no other client has the same identifier, because the server would disconnect the older one.',
      ...(packets.length === 1
        ? [
            'If the client is written in C, check that it sends all these bytes: strlen stops at the first zero byte.',
          ]
        : []),
    ],
  }
}

/** Shorter keep alives are unusual. With swapped bytes, this one is over 20 minutes. */
const FEWEST_SECONDS = 5

function hasSwappedKeepAlive(packet: PacketVariant): boolean {
  const keepAlive = isPacket(packet, ConnectPacketBase) ? packet.keepAlive : 0
  return (keepAlive & 0xff) === 0 && keepAlive >> 8 >= FEWEST_SECONDS
}

/** Later versions forbid the flags of a will that isn't there. */
function hasStrayWillFlags(packet: PacketVariant): boolean {
  if (!isPacket(packet, ConnectPacketBase)) return false
  const flags = connectFlagsOf(packet.bytes)
  return (flags & ConnectFlag.will) === 0 && (flags & (ConnectFlag.willQos | ConnectFlag.willRetain)) !== 0
}

/** The connect flags of a CONNECT that is valid up to them. */
function connectFlagsOf(bytes: Uint8Array): number {
  const at = variableByteIntegerEnd(bytes, 1, bytes.length)
  return bytes[at + 2 + readTwoByteInteger(bytes, at) + 1]!
}

function nameOf(packet: PacketVariant): string {
  const version = isPacket(packet, FieldPacket) ? `MQTT ${versionOf(packet.protocolVersion)?.label} ` : ''
  return `${version}${controlPacketName(packet.type)}`
}
