import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  type ExplainOptions,
  type Explanation,
  type ExplanationRow,
  explain,
} from '../../lib/explain/index.ts'
import { decode, MqttError, type PacketVariant } from '../../lib/packets/index.ts'

/** What is wrong with rows that must follow one another from the first byte to the last, and with the bits in them. */
function gapIn(rows: readonly ExplanationRow[], size: number): string | undefined {
  let at = 0
  for (const [i, { offset, length, bits }] of rows.entries()) {
    if (offset !== at || length < 0) return `row ${i} is at ${offset}, not ${at}`
    at += length
    if (bits !== undefined && !coverOneByte(bits)) return `row ${i} does not have each bit once`
  }
  return at === size ? undefined : `the rows end at ${at}, not ${size}`
}

/** Whether there is each bit once, from 7 to 0, and a binary digit for each in the values that are digits. */
function coverOneByte(bits: NonNullable<ExplanationRow['bits']>): boolean {
  let next = 7
  for (const [high, low = high] of bits.map((each) => each.bits.split('-').map(Number))) {
    if (high !== next) return false
    next = low! - 1
  }
  return next === -1
}

/** What `decode` returns or throws. Any other exception fails the test. */
function decoded(bytes: Uint8Array, { protocolVersion, allow }: ExplainOptions): PacketVariant | MqttError {
  try {
    return decode(bytes, { protocolVersion, allow })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

/** Expects that bytes of any kind are explained as `decode` finds them, each byte once, with one row for the error. */
export function expectAgreement(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const explanation = explain(bytes, options)
  const { packet, error, rows } = explanation
  const outcome = decoded(bytes, options)
  const faulty = rows.filter(({ fault }) => fault)
  const where = Buffer.from(bytes).toString('hex')
  expect(gapIn(rows, bytes.length), where).to.equal(undefined)
  if (outcome instanceof MqttError) {
    expect(packet, where).to.equal(undefined)
    expect(error?.toJSON(), where).to.deep.equal(outcome.toJSON())
    const fields = faulty.map(({ field }) => field)
    expect(fields, where).to.deep.equal(bytes.length === 0 ? [] : [outcome.field])
  } else {
    expect(error, where).to.equal(undefined)
    if (packet?.constructor !== outcome.constructor) expect.fail(`another packet: ${where}`)
    expect(packet.bytes.equals(outcome.bytes), where).to.equal(true)
    expect(faulty, where).to.deep.equal([])
    if (rows.some(({ field }) => field === 'notRead')) expect.fail(`not read: ${where}`)
  }
  return explanation
}

/** All that an explanation says in its rows, its JSON and, if asked, its text: also its hex without spaces. */
export function allThatIsSaid(explanation: Explanation, withText = true): string {
  const hexOfRows = explanation.rows.map(({ hex }) => hex.replaceAll(' ', '')).join('')
  const json = JSON.stringify(explanation)
  if (!withText) return `${hexOfRows}\n${json}`
  const text = `${explanation}`
  return [hexOfRows, json, text, text.replaceAll(/\s/g, '')].join('\n')
}

/** The same bytes with one of them changed. */
export function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}
