import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { type ExplainOptions, type Explanation, explain } from '../../lib/explain/index.ts'
import { bufferToPacketVariant, MqttError } from '../../lib/packets/index.ts'

/** Expects that the rows follow one another from the first byte to the last, and bits of a row from bit 7 to bit 0. */
export function expectEachByteOnce({ rows }: Explanation, size: number): void {
  let at = 0
  for (const { offset, length, bits } of rows) {
    expect(offset, `row ${at}`).to.equal(at)
    expect(length).to.be.at.least(0)
    at += length
    if (bits === undefined) continue
    expect(length).to.equal(1)
    let next = 7
    for (const [high, low = high] of bits.map((each) => each.bits.split('-').map(Number))) {
      expect(high).to.equal(next)
      next = low! - 1
    }
    expect(next).to.equal(-1)
  }
  expect(at).to.equal(size)
}

/** Expects of bytes of any kind what `bufferToPacketVariant` makes of them, told without a gap. */
export function expectAgreement(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const explanation = explain(bytes, options)
  const { protocolVersion = 0, allow } = options
  try {
    const packet = bufferToPacketVariant(bytes, protocolVersion, { allow })
    expect(explanation.error).to.equal(undefined)
    expect(explanation.packet?.constructor).to.equal(packet.constructor)
    expect(explanation.packet!.equals(packet)).to.equal(true)
    expect(explanation.rows.some(({ fault }) => fault)).to.equal(false)
    expect(explanation.rows.some(({ field }) => field === 'notRead')).to.equal(false)
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    expect(explanation.packet).to.equal(undefined)
    expect(explanation.error?.toJSON()).to.deep.equal(error.toJSON())
    const faulty = explanation.rows.filter(({ fault }) => fault)
    expect(faulty.map(({ field }) => field)).to.deep.equal(bytes.length === 0 ? [] : [error.field])
  }
  expectEachByteOnce(explanation, bytes.length)
  return explanation
}

/** Everything that an explanation says, in each of its forms, and its hex without spaces as well. */
export function allThatIsSaid(explanation: Explanation): string {
  const hexOfRows = explanation.rows.map(({ hex }) => hex.replaceAll(' ', '')).join('')
  const text = `${explanation}`
  const json = JSON.stringify(explanation)
  return [text, text.replaceAll(/\s/g, ''), json, json.replaceAll(' ', ''), hexOfRows].join('\n')
}

/** The same bytes with one of them changed. */
export function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = value
  return changed
}
