import { readFileSync } from 'node:fs'
import { Duplex } from 'node:stream'
import { expect } from 'chai'
import { ConnectEncoder, decode, PacketDecoder, PacketParser, refuse, v3_1_1 } from '../../lib/index.ts'
import { DEFAULT_TIMEOUT, MAX_STRING_LENGTH } from '../../lib/protocol/limits.ts'

const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')

/** The default in the first row about this option. */
function defaultOf(option: string): number {
  const row = text.split('\n').find((line) => line.startsWith('|') && line.endsWith(`| ${option} |`))
  return Number(/\| ([\d,]+)[^|]*\|[^|]*\|$/.exec(row ?? '')?.[1]?.replaceAll(',', ''))
}

const user = { cleanSession: true, keepAlive: 0, clientId: '' }

describe('SECURITY.md', () => {
  it('has the defaults of the limits', () => {
    expect(defaultOf('`timeout`')).to.equal(DEFAULT_TIMEOUT)
    expect(defaultOf('`readableHighWaterMark`')).to.equal(
      new PacketDecoder({ connection: false }).readableHighWaterMark,
    )
    expect(defaultOf('`writableHighWaterMark`')).to.equal(new ConnectEncoder().writableHighWaterMark)
    expect(defaultOf('none: the standards set it')).to.equal(MAX_STRING_LENGTH)
  })

  it('has the default of the largest packet in a stream, and decode has none', () => {
    const ofSize = (size: number) => {
      // 20 bytes besides the two strings: 4 of fixed header, 10 of variable header, three length prefixes of 2.
      const userName = 'u'.repeat(30_000)
      const { bytes } = new v3_1_1.ConnectPacket({ ...user, userName, password: 'p'.repeat(size - 30_020) })
      expect(bytes).to.have.lengthOf(size)
      return bytes
    }
    const largest = defaultOf('`maximumPacketSize`')
    expect([...new PacketParser({ connection: false }).push(ofSize(largest))]).to.have.lengthOf(1)
    expect(() => [...new PacketParser({ connection: false }).push(ofSize(largest + 1))])
      .to.throw()
      .with.property('code', 'packet-too-large')
    expect(decode(ofSize(largest + 1)).size).to.equal(largest + 1)
  })

  it('has the time until refuse destroys a socket', async () => {
    // A peer that never ends its side.
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, callback) => callback() })
    const start = performance.now()
    await refuse(socket)
    expect(performance.now() - start).to.be.within(defaultOf('`linger`') - 50, defaultOf('`linger`') + 3000)
  })

  it('has the sizes of shared memory', () => {
    const built = new v3_1_1.ConnectPacket(user).bytes
    const streamed = [
      ...new PacketParser({ connection: false }).push(Buffer.concat(new Array(100).fill(built))),
    ][0]!.bytes
    for (const { buffer } of [streamed, built]) {
      expect(text).to.include(`${buffer.byteLength.toLocaleString('en-US')} bytes`)
    }
  })
})
