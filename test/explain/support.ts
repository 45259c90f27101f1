import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  bytesFromText,
  type ExplainOptions,
  type Explanation,
  type ExplanationRow,
  explain,
  type PacketExplanation,
} from '../../lib/explain/index.ts'
import { decode, MqttError, type PacketVariant } from '../../lib/packets/index.ts'
import { isFieldPacket } from '../support/kinds.ts'

export const SECRET = 'hunt-SECR'
/** Half a secret counts as a leak too. */
export const halves: readonly string[] = ['hunt', 'SECR'].flatMap((half) => [
  half,
  Buffer.from(half).toString('hex'),
])

/** Describes a gap or overlap between rows, which must cover the packet from first to last byte, or a fault in their bits. */
function gapIn(rows: readonly ExplanationRow[], size: number): string | undefined {
  let at = 0
  for (const [i, { offset, length, bits }] of rows.entries()) {
    if (offset !== at || length < 0) return `row ${i} is at ${offset}, not ${at}`
    at += length
    if (bits !== undefined && !coverOneByte(bits)) return `row ${i} does not have each bit once`
  }
  return at === size ? undefined : `the rows end at ${at}, not ${size}`
}

/** True if the bits from 7 to 0 are each covered once, and values in binary have a digit for every bit. */
function coverOneByte(bits: NonNullable<ExplanationRow['bits']>): boolean {
  let next = 7
  for (const [high, low = high] of bits.map((each) => each.bits.split('-').map(Number))) {
    if (high !== next) return false
    next = low! - 1
  }
  return next === -1
}

/** Returns the result of `decode` or the `MqttError` that it throws. Any other exception fails the test. */
function decoded(bytes: Uint8Array, { protocolVersion, allow }: ExplainOptions): PacketVariant | MqttError {
  try {
    return decode(bytes, { protocolVersion, allow })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** The first packet, if `decode` found more than one. */
function firstOf(bytes: Uint8Array, outcome: PacketVariant | MqttError): Uint8Array {
  const isMore = outcome instanceof MqttError && outcome.code === 'more-than-one-packet'
  return isMore ? bytes.subarray(0, outcome.offset) : bytes
}

/**
 * Expects the explanation of any bytes to agree with `decode`: it covers each byte once, and marks one row per error. Further
 * packets are explained as they would be alone, in the version of the CONNECT before them.
 */
export function expectAgreement(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const explanation = explain(bytes, options)
  const { packets, rows } = explanation
  const where = Buffer.from(bytes).toString('hex')
  expect(gapIn(rows, bytes.length), where).to.equal(undefined)
  expect(
    packets.flatMap((packet) => packet.rows),
    where,
  ).to.deep.equal(rows)
  expect(explanation.error, where).to.equal(packets[0]?.error)
  expect(explanation.packet, where).to.equal(packets[0]?.packet)
  const first = firstOf(bytes, decoded(bytes, options))
  expectOneAgreement(packets[0]!, first, options, where)
  return explanation
}

function expectOneAgreement(
  { packet, error, rows, readings }: PacketExplanation,
  bytes: Uint8Array,
  options: ExplainOptions,
  where: string,
): void {
  const outcome = decoded(bytes, options)
  const faulty = rows.filter(({ fault }) => fault)
  if (outcome instanceof MqttError) {
    expect(packet, where).to.equal(undefined)
    expect(error?.toJSON(), where).to.deep.equal(outcome.toJSON())
    const fields = faulty.map(({ field }) => field)
    expect(fields, where).to.deep.equal(bytes.length === 0 ? [] : [outcome.field])
    return
  }
  const fitting = versionsThatFit(bytes, options, outcome)
  if (fitting === undefined) {
    expect(readings, where).to.equal(undefined)
    expectPacket(packet, outcome, where)
  } else if (fitting.length === 0) {
    expect(error, where).to.be.instanceOf(MqttError)
    expect(faulty, where).to.have.length(1)
    return
  } else {
    expect(packet, where).to.equal(readings?.[0]?.packet)
    expect(readings, where).to.have.length(fitting.length)
    for (const [i, fits] of fitting.entries()) expectPacket(readings?.[i]?.packet, fits, where)
  }
  expect(error, where).to.equal(undefined)
  expect(faulty, where).to.deep.equal([])
  if (rows.some(({ field, offset }) => field === 'notRead' && offset < bytes.length))
    expect.fail(`not read: ${where}`)
}

function expectPacket(packet: PacketVariant | undefined, outcome: PacketVariant, where: string): void {
  if (packet?.constructor !== outcome.constructor) expect.fail(`another packet: ${where}`)
  expect(packet.bytes.equals(outcome.bytes), where).to.equal(true)
}

/** Explains a packet without a known version in each version that fits, newest first. */
function versionsThatFit(
  bytes: Uint8Array,
  options: ExplainOptions,
  outcome: PacketVariant,
): PacketVariant[] | undefined {
  if (isFieldPacket(outcome)) return undefined
  const asked = ([5, 4, 3] as const).map((protocolVersion) => decoded(bytes, { ...options, protocolVersion }))
  const isOpaque = asked.some((one) => !(one instanceof MqttError) && !isFieldPacket(one))
  if ((options.protocolVersion ?? 0) !== 0 || isOpaque) return undefined
  return asked.filter((one): one is PacketVariant => !(one instanceof MqttError))
}

/**
 * Everything that an explanation says in its rows, its JSON and, unless turned off, its text. The hex is repeated without
 * spaces.
 */
export function allThatIsSaid(explanation: Explanation, withText = true): string {
  const hexOfRows = explanation.rows.map(({ hex }) => hex.replaceAll(' ', '')).join('')
  const json = JSON.stringify(explanation)
  if (!withText) return `${hexOfRows}\n${json}`
  const text = `${explanation}`
  return [hexOfRows, json, text, text.replaceAll(/\s/g, '')].join('\n')
}

/** A copy of the bytes with one of them changed. */
export function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}

/** The offset, field with part, and value of each row. */
export function told({ rows }: Explanation): unknown[] {
  return rows.map(({ offset, field, part, value }) => [offset, part ? `${field} ${part}` : field, value])
}

/** The value in the row of a field, or of one of its parts. */
export function valueIn(explanation: Explanation, field: string, part?: string): string | undefined {
  return explanation.rows.find((row) => row.field === field && row.part === part)?.value
}

/** Packets in hex. */
export const CONNECT = '100e00044d5154540402003c00026161'
export const DISCONNECT = 'e000'
export const spaced = (hex: string): string => hex.replace(/..(?!$)/g, '$& ')

/** The bytes in the notations that logs use. */
export const notations: readonly ((hex: string) => string)[] = [
  spaced,
  (hex) => hex,
  (hex) => spaced(hex).replaceAll(' ', ':'),
  (hex) => `<Buffer ${spaced(hex)}>`,
  (hex) => `[${[...Buffer.from(hex, 'hex')].join(', ')}]`,
  (hex) => `"${hex.replace(/../g, '\\x$&')}"`,
]

/** The bytes of a text in hex, or `refused`. Any exception other than a TypeError with a code fails the test. */
export function bytesOrRefused(text: string): string {
  try {
    return bytesFromText(text).toString('hex')
  } catch (error) {
    const { name, code } = error as Error & { code?: string }
    if (name !== 'TypeError' || code !== 'ERR_INVALID_ARG_VALUE') throw error
    return 'refused'
  }
}
