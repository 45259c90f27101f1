import { expect } from 'chai'
import { ConnectReasonCode, v5 } from 'mqtt-connect-packet'
import { createLog } from '../lib/log.ts'

describe('gateway: the log', () => {
  const peer = { address: '127.0.0.1', port: 1 } as never
  const clientId = 'a\u0085b\u2028c\u202ed\u{e0001}'

  for (const format of ['json', 'text'] as const) {
    it(`is one line of visible characters as ${format}, whatever a client sends`, () => {
      let written = ''
      const log = createLog({ format, connects: true }, {
        write: (line: string) => (written += line),
      } as never)
      log.connect(peer, new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: clientId }))
      log.refused(peer, new Error(clientId), { clientId, reasonCode: ConnectReasonCode.banned })
      const [first, second, ...more] = written.split('\n')
      expect(more).to.deep.equal([''])
      if (format === 'json') {
        expect(written).not.to.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(JSON.parse(first!).packet.clientId).to.equal(clientId)
        const { clientId: refused, error } = JSON.parse(second!)
        expect(refused).to.equal(clientId)
        expect(error).to.deep.equal({ message: clientId, reasonCode: 0x8a })
      } else {
        expect(second).to.contain(String.raw`refused: a\u0085b\u2028c\u202ed`)
        expect(first).not.to.match(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
      }
    })
  }

  it('is one line of visible characters as text, whatever an authentication service gives as its reason', () => {
    let written = ''
    const log = createLog({ format: 'text', connects: true }, {
      write: (line: string) => (written += line),
    } as never)
    log.refused(peer, new Error('no\n127.0.0.1:2 refused: \u001b[2J'))
    expect(written).to.equal(`${String.raw`127.0.0.1:1 refused: no\u000a127.0.0.1:2 refused: \u001b[2J`}\n`)
  })
})
