import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { v5 } from 'mqtt-connect-packet'
import { checksOf } from '../lib/authenticate/authenticate.ts'
import type { Check } from '../lib/authenticate/decision.ts'
import { configOf, until } from './support.ts'

describe('gateway: keys of JWTs from a URL', () => {
  let jwks: string
  let tokens: Readonly<Record<'known' | 'unknown', string>>
  let service: Server
  let answer: (response: ServerResponse) => void
  let loads = 0
  let check: Check
  const { now: clock } = performance

  before(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'known' }] })
    const tokenWith = (kid: string) =>
      new SignJWT({ sub: 'device' })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime('1h')
        .sign(privateKey)
    tokens = { known: await tokenWith('known'), unknown: await tokenWith('unknown') }
  })

  beforeEach(async () => {
    answer = (response) => response.end(jwks)
    loads = 0
    service = createServer((_request, response) => {
      loads++
      answer(response)
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const keys = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    check = checksOf(configOf({ authentication: { jwt: { keys } } }).authentication).at(-1)!
  })

  afterEach(() => {
    performance.now = clock
    service.closeAllConnections()
    service.close()
  })

  /** The answer to a client with a token: `allowed`, or the reason for refusing it. */
  async function ask(kid: keyof typeof tokens, network = 'the same'): Promise<string> {
    const password = Buffer.from(tokens[kid])
    const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', password })
    try {
      const decision = await check(packet, { network, stream: new PassThrough() } as never)
      return decision.allow ? 'allowed' : `${decision.reason}`
    } catch (error) {
      return (error as Error).message.replace(/ at http:\S+/, '')
    }
  }

  /** The different answers to many clients, one after the other. */
  async function askOften(kid: keyof typeof tokens): Promise<string[]> {
    const answers = new Set<string>()
    for (let i = 0; i < 20; i++) answers.add(await ask(kid))
    return [...answers]
  }

  /** Stops the clock of `performance.now()` at this time, in seconds. */
  function stopClockAt(seconds: number): void {
    performance.now = () => seconds * 1000
  }

  it('are loaded once in 30 seconds for unknown keys, even if the service answers with an error', async () => {
    const unknown = ['the key set has no key for the token']
    stopClockAt(0)
    expect(await askOften('unknown')).to.deep.equal(unknown)
    stopClockAt(29)
    expect(await askOften('unknown')).to.deep.equal(unknown)
    expect(loads).to.equal(1)
    answer = (response) => response.writeHead(500).end()
    stopClockAt(30)
    expect(await askOften('unknown')).to.deep.equal(['the key set answered with status 500'])
    expect(loads).to.equal(2)
    answer = (response) => response.end('{"keys":7}')
    stopClockAt(60)
    expect(await askOften('unknown')).to.deep.equal(["the key set can't be used: JSON Web Key Set malformed"])
    expect(loads).to.equal(3)
    expect(await ask('known')).to.equal('allowed')
    answer = (response) => response.end(jwks)
    stopClockAt(90)
    expect(await askOften('unknown')).to.deep.equal(unknown)
    expect(loads).to.equal(4)
  })

  it('are loaded again after ten minutes, whatever the clock of the system says', async () => {
    const { now } = Date
    try {
      for (const [start, jump] of [
        [0, -3_000_000],
        [2000, 0],
        [4000, 3_000_000],
      ] as const) {
        loads = 0
        Date.now = now
        stopClockAt(start)
        expect(await ask('known')).to.equal('allowed')
        Date.now = () => now() + jump
        stopClockAt(start + 599)
        expect(await ask('known')).to.equal('allowed')
        expect(loads).to.equal(1)
        stopClockAt(start + 601)
        expect(await ask('known')).to.equal('allowed')
        expect(loads).to.equal(2)
      }
    } finally {
      Date.now = now
    }
  })

  it('are loaded once a second while there are none', async () => {
    stopClockAt(0)
    answer = (response) => response.writeHead(500).end()
    expect(await askOften('known')).to.deep.equal(['the key set answered with status 500'])
    expect(loads).to.equal(1)
    stopClockAt(1)
    answer = (response) => response.end(jwks)
    expect(await askOften('known')).to.deep.equal(['allowed'])
    expect(loads).to.equal(2)
  })

  it('keep only clients with an unknown key waiting, a limited number, and not those of other addresses', async () => {
    stopClockAt(0)
    expect(await ask('known')).to.equal('allowed')
    answer = () => {}
    stopClockAt(30)
    const busy = 'too many clients are waiting for the key set'
    const flood = Array.from({ length: 1002 }, () => ask('unknown', 'a flood'))
    expect(await Promise.race(flood)).to.equal(busy)
    expect(await ask('known')).to.equal('allowed')
    const other = ask('unknown')
    await until(() => loads === 2)
    service.closeAllConnections()
    const answers = await Promise.all(flood)
    // The second one made room for the other address.
    expect(answers.filter((reason) => reason === busy)).to.have.length(2)
    expect(await other).to.equal('the key set closed the connection')
    expect(loads).to.equal(2)
  })
})
