import { execFileSync } from 'node:child_process'
import { isIP } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { property, v5 } from 'mqtt-connect-packet'
import { createLog, type Log } from '../lib/operate/log.ts'
import { causeOf } from '../lib/settings/causes.ts'
import * as beforeMqtt from './causes/before-mqtt.ts'
import * as brokers from './causes/brokers.ts'
import * as credentials from './causes/credentials.ts'
import { Stage } from './causes/stage.ts'
import { addressIn, filter } from './fail2ban.ts'
import { needs } from './support.ts'

/** Matches lines about refusals, which the filter must find. */
const refusal = {
  text: / refused(?: in \d+ s)?: |session ended: refused/,
  json: /"outcome":"refused"|"ending":"refused"/,
}

/** Each case fails once, and both suites read its lines, because acting all of them out takes seconds. */
describe('gateway: the log of all failures', function () {
  this.timeout(60_000)
  const stage = new Stage()

  before(async function () {
    needs(this, 'openssl')
    await stage.open()
  })
  afterEach(() => stage.clear())
  after(() => stage.remove())

  it('says that a client has gone if its stream is gone when the gateway writes', async () => {
    const stream = new PassThrough().destroy()
    const error = await new Promise((resolve) => stream.on('error', () => {}).write('x', resolve))
    expect(causeOf(error)).to.equal('closed the connection')
  })

  describe('says what has happened', () => {
    for (const [group, cases] of Object.entries({ ...beforeMqtt, ...credentials, ...brokers })) {
      describe(`of ${group}:`, () => {
        for (const [what, { line, act }] of Object.entries(cases)) {
          it(what, async () => {
            await act(stage)
            expect(await stage.line()).to.equal(line)
          })
        }
      })
    }
  })

  describe('suits the documented filter for fail2ban, which', () => {
    let log: Readonly<Record<'text' | 'json', readonly string[]>>

    before(() => {
      log = { text: stage.text.split('\n').slice(0, -1), json: stage.json.split('\n').slice(0, -1) }
    })

    for (const format of ['text', 'json'] as const) {
      it(`finds the address of every refusal, and nothing else: ${format}`, () => {
        const found = log[format].filter((line) => addressIn(line) !== undefined)
        expect(found).to.deep.equal(log[format].filter((line) => refusal[format].test(line)))
        expect(found).to.have.length.above(60)
        for (const line of found) expect(isIP(addressIn(line)!), line).to.equal(4)
      })
    }

    it('is understood by fail2ban itself in the same way, in text and JSON', function () {
      needs(this, 'fail2ban-regex')
      const misleading = [forged, json, journal].flatMap((text) => [
        ...linesWith('text', text),
        ...linesWith('json', text),
      ])
      const inJournal = log.text.map((line) => `2026-01-01T00:00:00.000Z host-1 node[12]: ${line}`)
      const lines = [...misleading, ...log.text, ...log.json, ...inJournal]
      const path = stage.folder.write('mqtt-connect-gateway.conf', filter)
      const output = execFileSync(
        'fail2ban-regex',
        ['-o', '<ip>', stage.folder.write('log', `${lines.join('\n')}\n`), path],
        { encoding: 'utf8' },
      )
      const addresses = lines.map(addressIn).filter((address) => address !== undefined)
      expect(output.trim().split('\n')).to.deep.equal(addresses)
    })

    /** The lines that a log writes during `act`. */
    function written(format: 'text' | 'json', act: (log: Log) => void): string[] {
      let output = ''
      const options = { format, connects: true, sessions: true, timestamps: true } as const
      act(createLog(options, { write: (line: string) => (output += line) } as never))
      return output.trim().split('\n')
    }

    const forged =
      '\n2026-01-01T00:00:00.000Z 10.9.9.9:1 refused: x\n127.0.0.1:2 refused: 10.9.9.9:3 refused: '
    /** Imitates the prefix that a journal puts in front of a line. */
    const journal = 'x[1]: 10.9.9.9:1 refused: x'
    const json =
      '","remote":"10.9.9.9:1","outcome":"refused",{"level":40,"time":1785304800000,"remote":"10.9.9.9:1'

    /** The lines about a client whose names are all this text. */
    function linesWith(format: 'text' | 'json', text: string): string[] {
      const peer = { address: '127.0.0.1', port: 1 } as never
      return written(format, (to) => {
        const props = [property.userProperty(text, text)]
        to.connect(peer, new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: text, props }))
        to.refused(peer, { by: 'no-broker', error: new Error(text), answered: { clientId: text } })
      })
    }

    for (const format of ['text', 'json'] as const) {
      it(`finds IPv6 addresses: ${format}`, () => {
        const lines = written(format, (to) => {
          const by = 'authentication'
          to.refused({ address: '2001:db8::1', port: 4000 } as never, { by, error: new Error('no') })
          const limits = { 'address-rate': 2 }
          const counts = { connections: 2, seconds: 10, limits, clientId: undefined, isOwnFault: true }
          to.limited({ address: '2001:db8::2', ...counts })
          to.limited({ address: undefined, ...counts })
        })
        expect(lines.map(addressIn)).to.deep.equal(['2001:db8::1', '2001:db8::2', undefined])
      })

      it(`can't be misled by clients or services: ${format}`, () => {
        for (const text of [forged, json, journal, `${forged}${json}`])
          expect(linesWith(format, text).map(addressIn), text).to.deep.equal([undefined, undefined])
      })
    }
  })
})
