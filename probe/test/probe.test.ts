import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { knownCases, type Result, summaryOf, Unreachable } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { resultsAt, resultsOf, thrownBy } from './support.ts'

const violations = (results: readonly Result[]): Result[] =>
  results.filter(({ verdict }) => verdict === 'violates')

/** Valid reasons for `not tested` with a server that has no authentication method. */
const mayBeUntested = /^The server (refused the packet, as it may: code 0x8C|sent no AUTH)\.$/

describe('probe', function () {
  this.timeout(60_000)

  it('finds nothing on a correct broker, in any version', async () => {
    const results = await resultsOf(new Broker())
    const others = results.filter(({ verdict, text }) => verdict !== 'passed' && !mayBeUntested.test(text))
    expect(others).to.deep.equal([])
    expect(results).to.have.lengthOf.above(1000)
  })

  it('has one case of each name in each version', () => {
    const names = knownCases().map(({ id, version }) => `${id} (${version})`)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).to.deep.equal([])
  })

  it('yields each case once, and those that it knows', async () => {
    const results = await resultsOf(new Broker(), {
      protocol: ['5.0'],
      only: ['connack', 'first', 'MQTT-3.1.2-12'],
    })
    const names = results.map(({ id }) => id)
    expect(new Set(names).size).to.equal(names.length)
    const known = knownCases().filter(({ version }) => version === '5.0')
    expect(known.map(({ id }) => id)).to.include.members(names)
    const asked = known.filter(
      ({ id, clause }) => /^(connack|first)\./.test(id) || clause === 'MQTT-3.1.2-12',
    )
    expect(names).to.have.members(asked.map(({ id }) => id))
  })

  it('says what was sent and received', async () => {
    const [result] = await resultsOf(new Broker(), { protocol: ['5.0'], only: ['connect.will-qos'] })
    expect(result).to.deep.include({
      ...{ id: 'connect.will-qos', version: '5.0', clause: 'MQTT-3.1.2-12', verdict: 'passed' },
      ...{ received: '2003008100', closed: true },
    })
    expect(result!.sent).to.match(/^10..00044d515454051e/)
    expect(result!.milliseconds).to.be.within(0, 5000)
    expect(summaryOf([result!])).to.deep.equal({
      ...{ passed: 1, violates: 0, differs: 0, 'no-answer': 0, 'not-tested': 0 },
    })
  })

  it('finds nothing on a broker that takes 50 ms for each chunk', async () => {
    const only = ['connack', 'connection', 'session', 'will', 'disconnect', 'first', 'accept.byte-by-byte']
    const results = await resultsOf(new Broker(undefined, 50), { protocol: ['5.0'], only })
    expect(violations(results)).to.deep.equal([])
    expect(results.filter(({ verdict }) => verdict !== 'passed')).to.deep.equal([])
  })

  it('says "no answer", and not "violates", about a broker that is slower than the timeout', async () => {
    const only = ['accept.keep-alive-0', 'accept.byte-by-byte', 'accept.with-subscribe', 'connect.will-qos']
    const options = { protocol: ['3.1.1'], only, timeout: 700 } as const
    const results = await resultsOf(new Broker(undefined, 1000), options)
    expect(violations(results)).to.deep.equal([])
    expect(results.map(({ verdict }) => verdict)).to.include('no-answer')
  })

  it('names the case that kills a broker, and tests nothing after it', async () => {
    const results = await resultsOf(new Broker('dies'), { protocol: ['5.0'], only: ['connect'] })
    const killer = results.findIndex(({ verdict }) => verdict === 'violates')
    expect(results[killer]).to.include({ id: 'connect.will-qos', clause: 'MQTT-3.1.2-12' })
    expect(results[killer]!.text).to.match(/^After this case the server accepted no valid CONNECT/)
    expect(results[killer]!.sent).to.match(/^10..00044d515454051e/)
    const later = results.slice(killer + 1)
    expect(later).not.to.be.empty
    expect(new Set(later.map(({ verdict }) => verdict))).to.deep.equal(new Set(['not-tested']))
  })

  it('names the cases after which a server is restarted, and tests the others as if nothing had happened', async () => {
    let broker = new Broker('dies')
    const url = await broker.start()
    const restart = (): void => {
      broker.close()
      broker = new Broker('dies')
      broker.die = restart
      const start = () => broker.start(Number(new URL(url).port)).catch(() => undefined)
      setTimeout(start, 300)
    }
    broker.die = restart
    const results = await resultsAt(url, { protocol: ['5.0'], only: ['connect'] })
    broker.close()
    const others = results.filter(({ verdict }) => verdict !== 'passed')
    expect(others.map(({ id }) => id)).to.have.members(['connect.will-qos', 'connect.will-qos.2'])
    for (const { verdict, text } of others) {
      expect([verdict, text]).to.deep.equal([
        'violates',
        'The server went down after this case, and came back.',
      ])
    }
  })

  it('gives the credentials to a broker that knows its clients, in invalid packets too', async () => {
    const options = { protocol: ['3.1.1', '5.0'], only: ['connect', 'session', 'accept'] } as const
    const results = await resultsOf(new Broker('knows-its-clients'), {
      ...options,
      userName: 'u',
      password: 'p',
    })
    expect(violations(results)).to.deep.equal([])
    const refused = results.filter(({ verdict }) => verdict === 'not-tested')
    expect(refused.length).to.be.below(results.length / 5)
    for (const { id } of refused)
      expect(id).to.match(
        /user-name|password|every-field|fixed-header|remaining-length|authentication|all-properties|connect\./,
      )
    const error = await thrownBy(resultsAt(await new Broker('knows-its-clients').start(), options))
    expect(error).to.be.instanceOf(Unreachable)
    expect(error.message).to.match(/accepts no MQTT 3.1.1: code 5/)
  })

  it('tests the versions that the server accepts, and says why not the others', async () => {
    const results = await resultsOf(new Broker('refuses-5.0'), { only: ['accept.keep-alive-0'] })
    expect(results.map(({ version, verdict }) => [version, verdict])).to.deep.equal([
      ['3.1', 'passed'],
      ['3.1.1', 'passed'],
      ['5.0', 'not-tested'],
    ])
    expect(results[2]!.text).to.equal('The server accepts no MQTT 5.0: code 0x84.')
  })

  it('ends a connection on which the server sends without end, and says so', async () => {
    const flood = createServer((socket) => {
      const send = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(2 ** 16, 'd000', 'hex')));
      }
      socket.on('error', () => undefined).on('drain', send)
      socket.once('data', () => {
        socket.write(Buffer.from('20020000', 'hex'))
        send()
      })
    }).listen(0, '127.0.0.1')
    await once(flood, 'listening')
    const { port } = flood.address() as { port: number }
    // The case waits for the first of two clients with the same id to be disconnected.
    const options = { protocol: ['3.1.1'], only: ['connection.takeover'] } as const
    const [result] = await resultsAt(`mqtt://127.0.0.1:${port}`, options)
    flood.close()
    expect(result).to.include({
      ...{ verdict: 'not-tested', closed: false },
      text: 'The server sent more than 128 KiB on one connection, so the probe closed it.',
    })
    expect(result!.received.length / 2).to.be.within(4, 2 ** 17)
  })

  it("hides the password in the server's packets too", async () => {
    const echo = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => socket.write(Buffer.concat([Buffer.from('2003000000', 'hex'), bytes])))
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const { port } = echo.address() as { port: number }
    const options = {
      protocol: ['5.0'],
      only: ['connack.accepts'],
      userName: 'u',
      password: 'secret',
    } as const
    const results = await resultsAt(`mqtt://127.0.0.1:${port}`, { ...options, timeout: 500 })
    echo.close()
    const secret = Buffer.from('secret').toString('hex')
    for (const { sent, received } of results) expect(`${sent} ${received}`).not.to.include(secret)
    expect(results.some(({ received }) => received.includes('787878787878'))).to.equal(true)
  })

  it("reports an unreachable server: nothing listens, it is silent, or it doesn't speak MQTT", async () => {
    expect(await thrownBy(resultsAt('mqtt://127.0.0.1:1'))).to.be.instanceOf(Unreachable)
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const error = await thrownBy(resultsAt(`mqtt://127.0.0.1:${port}`, { protocol: ['5.0'], timeout: 100 }))
    expect(error.message).to.equal('The server accepts no MQTT 5.0: no answer.')
    silent.close()
  })
})
