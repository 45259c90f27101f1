import { expect } from 'chai'
import { bytesFromText } from '../../lib/explain/index.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { readText } from '../../lib/explain/read-input.ts'
import { expectMisuse } from '../support/thrown.ts'

/** Reads a text as the page does and as programs do, or gets an error with a code. */
function read(text: string): unknown {
  readPaste(text)
  try {
    return bytesFromText(text)
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    if (name !== 'TypeError' || code !== 'ERR_INVALID_ARG_VALUE') throw error
    return message
  }
}

describe('the time of bytesFromText', function () {
  this.timeout(120_000)

  it('is in proportion to the length of the text, whatever that is', () => {
    const parts = [
      '[',
      '[1',
      '{ ',
      '(',
      '/*',
      '//',
      '"\\',
      '"0":',
      '0 ',
      '0000 ',
      '00 ',
      '*\n',
      '0000 00\n',
      'a',
      '\\x',
      '1,',
      '<<1,',
      '\u001b[1',
      '\\',
      '\\\\x1',
      '^',
      'a=',
      '<1>',
      '9 ',
      ' ',
    ]
    for (const part of parts) {
      for (const start of ['', '[', '0000 ', 'tx: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\na']) {
        const seconds = (count: number): number => {
          const text = `${start}${part.repeat(count)}`
          const before = process.cpuUsage()
          read(text)
          return process.cpuUsage(before).user / 1e6
        }
        // With quadratic work, four times the text takes 16 times as long.
        expect(seconds(40_000), JSON.stringify(part)).to.be.below(8 * seconds(10_000) + 0.3)
      }
    }
  })

  it('is in proportion to the lines after a quote', () => {
    const before = process.cpuUsage()
    expect(read(`"\\x10"${'\n'.repeat(80_000)}x"`)).to.match(/, but it is a string with something after it$/)
    // With quadratic work this would take five seconds.
    expect(process.cpuUsage(before).user / 1e6).to.be.below(2)
  })

  it('is in proportion to the lines after a long one', () => {
    const before = process.cpuUsage()
    expect(read(`30${' '.repeat(100_000)}0c\n${'61 62\n'.repeat(30_000)}`)).to.be.an('uint8array')
    expect(process.cpuUsage(before).user / 1e6).to.be.below(2)
  })

  it('is in proportion to the blanks in the lines below the heading of a dump', () => {
    const heading = '   Offset Bytes  Ascii\n  00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n'
    const before = process.cpuUsage()
    expect(read(`${heading}0000000000000000 c0 00\n${' '.repeat(200_000)}\n`)).to.be.an('uint8array')
    // With quadratic work this would take a minute.
    expect(process.cpuUsage(before).user / 1e6).to.be.below(2)
  })

  it('is short for a text with many wrong characters, each of which is tried with all digits', () => {
    const text = `TX: 30 16 00 04 4d 5g 5g 5g 0g 0g 0g 3g 0g 00 41 41\n${'a: d0 00\n'.repeat(880)}`
    const before = process.cpuUsage()
    for (const length of [500, 1000, 2000, 4000, 8000]) readText(text.slice(0, length))
    // With a larger limit, this would take seconds.
    expect(process.cpuUsage(before).user / 1e6).to.be.below(1.5)
  })

  it('is enough for a word of millions of characters', () => {
    const word = '100c'.repeat(4_000_000)
    expect(bytesFromText(word)).to.have.length(8_000_000)
    expectMisuse(() => bytesFromText(`${word}g0`), 'ERR_INVALID_ARG_VALUE', 'text')
  })
})
