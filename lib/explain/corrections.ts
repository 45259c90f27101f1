import { Buffer } from 'buffer'
import type { Policy } from '../codec/context.ts'
import type { ErrorCode } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { copyOwn } from '../errors/misuse.ts'
import type { MqttError } from '../errors/mqtt-error.ts'
import { decodePacket, policyOf } from '../packets/decode.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { BRIDGE_BIT, ProtocolVersion, versions } from '../protocol/version.ts'
import { readTwoByteInteger, readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import { chains } from './further-packets.ts'

/**
 * The packet that an invalid one was meant to be, if a single small change makes it valid. Every correction is decoded before
 * it's offered.
 */
export interface Correction {
  readonly bytes: Buffer
  /** The change in words, without contents of the packet. */
  readonly text: string
  /** True if only the Remaining Length was wrong. */
  readonly ofLength: 'too small' | 'too large' | undefined
}

/** The members of the error that attempts need. */
type Mistake = Pick<MqttError, 'offset' | 'protocolName'>

/** A correction to try. `undefined` if it doesn't apply to the packet. */
type Attempt = (bytes: Buffer, error: Mistake) => readonly [Buffer, string] | undefined

/** A copy with one byte changed. */
function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  copy[at] = value
  return copy
}

function cleared(mask: number, text: string): Attempt {
  return (bytes, { offset }) => [changed(bytes, offset, bytes[offset]! & ~mask), text]
}

const willBits = ConnectFlag.willQos | ConnectFlag.willRetain

const attempts: { readonly [Code in ErrorCode]?: Attempt } = {
  'connect-flags-reserved': cleared(ConnectFlag.reserved, 'bit 0 of the connect flags is cleared'),
  'will-qos-without-will': cleared(willBits, 'the will QoS is 0, because there is no will'),
  'will-retain-without-will': cleared(willBits, 'the will retain flag is cleared, because there is no will'),
  'protocol-bridge-level': cleared(BRIDGE_BIT, "the bridge's bit of the protocol level is cleared"),
  'protocol-level': (bytes, { offset, protocolName }) =>
    protocolName === 'MQTT' && bytes[offset] === ProtocolVersion.v3_1
      ? [changed(bytes, offset, ProtocolVersion.v3_1_1), 'the protocol level is 4, that of MQTT 3.1.1']
      : undefined,
  'protocol-name': (bytes, { offset, protocolName }) => {
    const name = ['MQTT', 'MQIsdp'].find((one) => one.toLowerCase() === protocolName?.toLowerCase())
    if (name === undefined) return undefined
    let copy = bytes
    for (let i = 0; i < name.length; i++) copy = changed(copy, offset + 2 + i, name.charCodeAt(i))
    return [copy, `the protocol name is ${name}`]
  },
  'bytes-left-over': announced,
  'client-id-nul': withoutTerminator,
  'user-name-nul': withoutTerminator,
  'will-topic-nul': withoutTerminator,
}

/** Sets the flag of the user name or the password, if the bytes after the last field are that field. */
function announced(bytes: Buffer, { offset, protocolName }: Mistake): readonly [Buffer, string] | undefined {
  const left = bytes.length - offset
  if (protocolName === undefined || left < 2) return undefined
  const flagsAt = variableByteIntegerEnd(bytes, 1, bytes.length) + 2 + protocolName.length + 1
  const flags = bytes[flagsAt]!
  const first = 2 + readTwoByteInteger(bytes, offset)
  const isOne = first === left
  const isTwo = first + 2 <= left && first + 2 + readTwoByteInteger(bytes, offset + first) === left
  const hasName = (flags & ConnectFlag.userName) !== 0
  if (isOne && hasName) {
    return [changed(bytes, flagsAt, flags | ConnectFlag.password), 'the password flag is set']
  }
  if (isTwo && !hasName) {
    const both = flags | ConnectFlag.userName | ConnectFlag.password
    return [changed(bytes, flagsAt, both), 'the user name flag and the password flag are set']
  }
  return undefined
}

/** Removes the zero byte at the end of a string. */
function withoutTerminator(bytes: Buffer, { offset }: Mistake): readonly [Buffer, string] | undefined {
  const bodyAt = variableByteIntegerEnd(bytes, 1, bytes.length)
  for (let at = offset - 3; at >= bodyAt; at--) {
    const length = readTwoByteInteger(bytes, at)
    if (at + 2 + length !== offset + 1) continue
    const fixed = changed(changed(bytes, at, (length - 1) >> 8), at + 1, (length - 1) & 0xff)
    const body = joined(fixed.subarray(bodyAt, offset), fixed.subarray(offset + 1))
    return [framed(bytes[0]!, body), 'the zero byte at the end of the string is removed']
  }
  return undefined
}

/**
 * The correction of an invalid packet, if one is certain.
 *
 * @param all the packet and all bytes after it
 * @param size the number of bytes that are explained as the packet
 */
export function correctionOf(
  all: Buffer,
  size: number,
  error: MqttError,
  protocolVersion?: ProtocolVersion,
): Correction | undefined {
  const rules = policyOf({ protocolVersion, allow: ['protocol-mqtt-3-1'], from: undefined })
  if (hasOneByteLength(all)) {
    const bytes = framed(all[0]!, all.subarray(2, 2 + all[1]!))
    const text = 'the Remaining Length takes two bytes'
    return decodePacket(bytes, rules, 2) instanceof Fault ? undefined : { bytes, text, ofLength: undefined }
  }
  const withLength = correctedLength(all, error, rules)
  if (withLength !== undefined) return withLength
  const known = Object.hasOwn(attempts, error.code) ? attempts[error.code] : undefined
  const attempt = known?.(all.subarray(0, size), copyOwn(error))
  if (attempt === undefined || decodePacket(attempt[0], rules, 2) instanceof Fault) return undefined
  return { bytes: attempt[0], text: attempt[1], ofLength: undefined }
}

/**
 * True if a CONNECT has a Remaining Length above 127 in a single byte: the protocol name follows it immediately, as if one byte
 * were enough for such a length.
 */
export function hasOneByteLength(bytes: Buffer): boolean {
  if (bytes[0] !== ControlPacketType.connect || (bytes[1] ?? 0) < 0x80) return false
  return versions.some(({ header }) => header.subarray(0, -1).every((byte, i) => bytes[2 + i] === byte))
}

const lengthErrors: ReadonlySet<ErrorCode> = new Set([
  'packet-incomplete',
  'field-past-end',
  'property-past-end',
  'bytes-left-over',
])

/** The packet with another Remaining Length, provided all its fields are there and fit it. */
function correctedLength(all: Buffer, { code, field }: MqttError, rules: Policy): Correction | undefined {
  const bodyAt = variableByteIntegerEnd(all, 1, all.length)
  if (!lengthErrors.has(code) || bodyAt < 0 || (all[0]! & 0xf0) !== ControlPacketType.connect)
    return undefined
  // Without the lengths of the fields, no correction is certain.
  if (field === 'protocolName') return undefined
  const declared = readVariableByteInteger(all, 1, bodyAt)
  const body = all.subarray(bodyAt)
  const whole = decodePacket(framed(all[0]!, body), rules, 2)
  let size = body.length
  if (whole instanceof Fault) {
    if (whole.code !== 'bytes-left-over') return undefined
    size = whole.offset - (framed(all[0]!, body).length - body.length)
    // The remaining bytes must be packets, and not a field whose flag is missing.
    if (body.length - size < 2 || !chains(all, bodyAt + size)) return undefined
  }
  const bytes = framed(all[0]!, body.subarray(0, size))
  if (decodePacket(bytes, rules, 2) instanceof Fault) return undefined
  const ofLength = size > declared ? 'too small' : 'too large'
  return { bytes, text: 'the Remaining Length counts the bytes of all fields', ofLength }
}

/** A packet with the right Remaining Length. */
function framed(first: number, body: Buffer): Buffer {
  const header = [first]
  let rest = body.length
  do {
    const more = rest >> 7
    header.push((rest & 0x7f) | (more > 0 ? 0x80 : 0))
    rest = more
  } while (rest > 0)
  return joined(Uint8Array.from(header), body)
}

function joined(first: Uint8Array, second: Uint8Array): Buffer {
  const bytes = Buffer.alloc(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
