import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { readHex } from '../../lib/element/read-hex.ts'

describe('the attribute hex', () => {
  const read = (hex: string) => {
    const found = readHex(hex)
    return found && [Buffer.from(found.bytes).toString('hex'), ...found.rest].join(' ')
  }

  it('has two digits for each byte, with or without signs between them', () => {
    for (const hex of ['100c', '10 0c', ' 10\n0C ', '10:0c', '0x10, 0x0c', '0x100c', '0X100C'])
      expect(read(hex), hex).to.equal('100c')
    expect(read('')).to.equal('')
    expect(read('10 0g 0c')).to.equal('10 ?? 0c')
  })

  it('is refused if a digit is missing, even if the digits of all bytes have an even number', () => {
    for (const hex of ['100', '10 c', '10 c 00 4', '1 00c', '0x1 0x0'])
      expect(read(hex), hex).to.equal(undefined)
  })
})
