import { expect } from 'chai'
import { ConnectReasonCode, connack, decode, type MqttError, property, v5 } from 'mqtt-connect-packet'
import { Session } from '../lib/connection/session.ts'
import { createLog } from '../lib/operate/log.ts'
import { addressIn } from './fail2ban.ts'
import { leastTime } from './support.ts'

describe('gateway: the log', () => {
  const peer = { address: '127.0.0.1', port: 1, listener: 'tcp' } as never
  const clientId = 'a\u0085b\u2028c\u202ed\u{e0001}\u3164\u00a0\ufe0f\u2800'

  for (const format of ['json', 'text'] as const) {
    it(`is one line of visible characters as ${format}, whatever a client sends`, () => {
      let written = ''
      const log = createLog({ format, connects: true, sessions: true, timestamps: false }, {
        write: (line: string) => (written += line),
      } as never)
      log.connect(peer, new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: clientId }))
      log.refused(peer, {
        ...{ by: 'authentication', error: new Error(clientId) },
        answered: { clientId, reasonCode: ConnectReasonCode.banned },
      })
      const [first, second, ...more] = written.split('\n')
      expect(more).to.deep.equal([''])
      if (format === 'json') {
        expect(written).not.to.match(/(?![\n ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u)
        expect(JSON.parse(first!).packet.clientId).to.equal(clientId)
        const { clientId: refused, error } = JSON.parse(second!)
        expect(refused).to.equal(clientId)
        expect(error).to.deep.equal({ message: clientId, reasonCode: 0x8a })
      } else {
        expect(second).to.contain(
          String.raw`refused: a\u0085b\u2028c\u202ed\udb40\udc01\u3164\u00a0\ufe0f\u2800`,
        )
        expect(first).not.to.match(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
      }
    })
  }

  it('is one line of visible characters as text, whatever an authentication service gives as its reason', () => {
    let written = ''
    const log = createLog({ format: 'text', connects: true, sessions: true, timestamps: false }, {
      write: (line: string) => (written += line),
    } as never)
    log.refused(peer, { by: 'authentication', error: new Error('no\n127.0.0.1:2 refused: \u001b[2J') })
    expect(written).to.equal(`${String.raw`127.0.0.1:1 refused: no\u000a127.0.0.1:2 refused: \u001b[2J`}\n`)
  })

  /** CONNECT packets of almost 64 KiB, with contents that take up the most space in a log. */
  const large = {
    'a client id of invisible characters': { clientId: '\u200b'.repeat(21_000) },
    'values of invisible characters': {
      clientId: '\u200b'.repeat(5000),
      userName: '\u200b'.repeat(5000),
      will: { topic: '\u200b'.repeat(5000), message: '\u200b'.repeat(5000) },
    },
    'large user properties': {
      props: Array.from({ length: 100 }, () => property.userProperty('\u200b'.repeat(200), '')),
    },
    'many user properties': { props: Array.from({ length: 9000 }, () => property.userProperty('k', 'v')) },
  }

  // Times are relative to that of escaping a whole client id, because machines differ.
  let escaping = 0
  before(async () => {
    const text = '\u200b'.repeat(21_000)
    escaping = await leastTime(() => {
      text.replace(/\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16)}`)
    })
  })

  for (const format of ['json', 'text'] as const) {
    for (const [what, fields] of Object.entries(large)) {
      it(`writes little as ${format} for ${what}, in little time, whether the client is accepted or refused`, async () => {
        let written = ''
        const log = createLog({ format, connects: true, sessions: true, timestamps: false }, {
          write: (line: string) => (written += line),
        } as never)
        const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', ...fields })
        expect(packet.size).to.be.above(45_000)
        const write = () => {
          log.connect(peer, packet)
          log.refused(peer, {
            ...{ by: 'authentication', error: new Error('no') },
            answered: { clientId: packet.clientId, reasonCode: ConnectReasonCode.banned },
          })
        }
        // Warm-up
        for (let i = 0; i < 40; i++) write()
        written = ''
        const least = await leastTime(write)
        const lines = written.split('\n').slice(0, -1)
        expect(lines).to.have.length(40)
        for (const line of lines) {
          // In text, the note on the characters that are missing comes after 4,096.
          expect(line.length).to.be.below(format === 'json' ? 25_000 : 4200)
          if (format === 'json') JSON.parse(line)
        }
        // An earlier version took four times as long for the first of them.
        expect(least / escaping).to.be.below(3)
      })
    }
  }

  for (const format of ['json', 'text'] as const) {
    it(`tells fail2ban as ${format} about credentials that the broker refuses, however long the names are`, () => {
      let written = ''
      const log = createLog({ format, connects: true, sessions: true, timestamps: false }, {
        write: (line: string) => (written = line),
      } as never)
      // In JSON strings, each of these characters takes six.
      const name = '\u0001'.repeat(300)
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: name })
      const rewritten = { packet: packet.with({ clientId: `${name}:` }) }
      const answer = connack(packet, ConnectReasonCode.notAuthorized)!
      log.sessionEnded(
        peer,
        new Session({ packet, userName: name, rewritten }, { name: 'broker' }, answer, 0),
      )
      expect(addressIn(written.trimEnd())).to.equal('127.0.0.1')
    })
  }

  for (const format of ['json', 'text'] as const) {
    it(`tells fail2ban as ${format} nothing about a client whose names look like refused credentials`, () => {
      let written = ''
      const log = createLog({ format, connects: true, sessions: true, timestamps: false }, {
        write: (line: string) => (written = line),
      } as never)
      const forged = format === 'text' ? ', reasonCode=5, ' : '","reasonCode":5,"'
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: forged })
      const rewritten = { packet }
      for (const [code, address] of [
        [ConnectReasonCode.serverUnavailable, undefined],
        [ConnectReasonCode.notAuthorized, '127.0.0.1'],
      ] as const) {
        const answer = connack(packet, code)!
        const known = { packet, userName: forged, rewritten }
        log.sessionEnded(peer, new Session(known, { name: 'a "b' }, answer, 0))
        expect(addressIn(written.trimEnd())).to.equal(address)
      }
    })
  }

  it('has no line of text of much more than 4,096 characters, even if all of them are escaped', () => {
    let written = ''
    const log = createLog({ format: 'text', connects: true, sessions: true, timestamps: false }, {
      write: (line: string) => (written = line),
    } as never)
    log.warn('\u200b'.repeat(5000))
    expect(written).to.match(/^\\u200b.*\(\d+ characters\)\n$/s)
    expect(written.length).to.be.below(4200)
  })

  it('says in JSON how much is cut, and never splits a character', () => {
    let written = ''
    const log = createLog({ format: 'json', connects: true, sessions: true, timestamps: false }, {
      write: (line: string) => (written = line),
    } as never)
    const props = Array.from({ length: 30 }, (_, i) => property.userProperty('k', `${i}`))
    log.connect(
      peer,
      new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: `a${'😀'.repeat(200)}`, props }),
    )
    const { packet } = JSON.parse(written)
    expect(packet.clientId).to.equal(`a${'😀'.repeat(127)}…(401 characters)`)
    expect(packet.props).to.have.length(21)
    expect(packet.props[20]).to.equal('…(10 more)')
  })

  it('has everything in an MqttError', () => {
    let written = ''
    const log = createLog({ format: 'json', connects: true, sessions: true, timestamps: false }, {
      write: (line: string) => (written = line),
    } as never)
    let error: MqttError | undefined
    try {
      decode(Buffer.from('101000044d5154540503003c0000036f6e65', 'hex'))
    } catch (thrown) {
      error = thrown as MqttError
    }
    log.refused(peer, { by: 'connect', error: error! })
    expect(JSON.parse(written).error).to.deep.equal(JSON.parse(JSON.stringify(error)))
  })
})
