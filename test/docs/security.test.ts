import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ConnectEncoder, PacketDecoder } from '../../lib/index.ts'
import { DEFAULT_MAXIMUM_PACKET_SIZE, DEFAULT_TIMEOUT, MAX_STRING_LENGTH } from '../../lib/protocol/limits.ts'

describe('SECURITY.md and README.md', () => {
  const limits: [string, number][] = [
    ['`maximumPacketSize`', DEFAULT_MAXIMUM_PACKET_SIZE],
    ['`timeout`', DEFAULT_TIMEOUT],
    ['`readableHighWaterMark`', new PacketDecoder().readableHighWaterMark],
    ['`writableHighWaterMark`', new ConnectEncoder().writableHighWaterMark],
    ['by the standard', MAX_STRING_LENGTH],
  ]
  for (const name of ['SECURITY.md', 'README.md']) {
    const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    for (const [option, value] of limits) {
      it(`${name} gives the default that there is: ${option}`, () => {
        // The first of several rows: an option may have no default elsewhere.
        const row = rows.find((line) => line.includes(option))
        expect(row).to.match(new RegExp(`\\| ${value.toLocaleString('en-US')}\\b`))
      })
    }
  }
})
