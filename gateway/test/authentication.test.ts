import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { connack, ConnectReasonCode as Reason, type readConnect, readPacket, v5 } from 'mqtt-connect-packet'
import { checksOf } from '../lib/authenticate/authenticate.ts'
import { parseUserLine } from '../lib/authenticate/password-hash.ts'
import { parseUsers, userLine } from '../lib/authenticate/users.ts'
import { FileError, readNamedFile } from '../lib/settings/files.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  Folder,
  quickUserLine,
  Running,
  refusalCode,
  until,
  upstreamOf,
} from './support.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
type Connect = Awaited<ReturnType<typeof readConnect>>

describe('gateway: authentication by JWT and HTTP', () => {
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running | undefined
  let received: Connect[] = []

  before(async () => {
    broker = await FakeBroker.answering((packet) => received.push(packet))
  })

  afterEach(() => {
    gateway?.close()
    received = []
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  async function start(authentication: object): Promise<number> {
    gateway?.close()
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], authentication })
    return gateway.port()
  }

  describe('JWT', () => {
    let keys: KeyPair
    let other: KeyPair
    let file: string
    let server: Server
    let jwks: string

    before(async () => {
      const make = async () => (await generateKeyPair('ES256', { extractable: true })) as KeyPair
      keys = await make()
      other = await make()
      jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'ES256' }] })
      file = folder.write('jwks.json', jwks)
      server = createServer((_request, response) => response.end(jwks)).listen(0, '127.0.0.1')
      await once(server, 'listening')
    })

    after(() => {
      server.close()
    })

    const now = () => Math.floor(Date.now() / 1000)
    async function token(
      claims: object,
      { by = keys.privateKey, end = now() + 60 }: { by?: KeyPair['privateKey']; end?: number } = {},
    ): Promise<string> {
      return await new SignJWT({ iss: 'me', ...claims })
        .setProtectedHeader({ alg: 'ES256' })
        .setExpirationTime(end)
        .sign(by)
    }

    for (const protocolVersion of [4, 5] as const) {
      it(`MQTT ${protocolVersion}: is checked, and its subject becomes the user name`, async () => {
        const port = await start({ jwt: { keys: file, issuer: 'me', clientIdClaim: 'cid' } })
        const as = (password: string) =>
          refusalCode(port, { protocolVersion, clientId: 'c', username: 'ignored', password })
        expect(await as(await token({ sub: 'device', cid: 'c' }))).to.equal('accepted')
        expect(received.map(({ userName }) => userName)).to.deep.equal(['device'])
        const bad = protocolVersion === 4 ? 4 : Reason.badUserNameOrPassword
        expect(
          await as(await token({ sub: 'device', cid: 'c' }, { by: other.privateKey })),
          'forged',
        ).to.equal(bad)
        expect(await as(await token({ sub: 'device', cid: 'c' }, { end: now() - 1 })), 'expired').to.equal(
          bad,
        )
        expect(await as(await token({ sub: 'device', cid: 'c', iss: 'you' })), 'issuer').to.equal(bad)
        const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.e30`
        expect(await as(unsigned), 'unsigned').to.equal(bad)
        expect(await as('no token'), 'no token').to.equal(bad)
        const forOther = protocolVersion === 4 ? 2 : Reason.clientIdentifierNotValid
        expect(await as(await token({ sub: 'device', cid: 'd' })), 'client id').to.equal(forOther)
        const nobody = protocolVersion === 4 ? 5 : Reason.notAuthorized
        expect(await as(await token({ cid: 'c' })), 'subject').to.equal(nobody)
        expect(received).to.have.length(1)
      })
    }

    it('is not an ordinary password that has two dots, which is left to the next check', async () => {
      const users = { file: folder.write('dotted', quickUserLine('alice', 'correct.horse.battery')) }
      const port = await start({ jwt: { keys: file }, users })
      const as = (password: string) => refusalCode(port, { username: 'alice', password })
      expect(await as('correct.horse.battery')).to.equal('accepted')
      expect(await as('correct.horse.stapler')).to.equal(4)
      expect(gateway!.report.lines.at(-1)).to.equal('refused the password is wrong')
    })

    it('is checked with keys from a URL, and the server is unavailable without them', async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const password = await token({ sub: 'device' })
      const fromUrl = await start({ jwt: { keys: url } })
      expect(await refusalCode(fromUrl, { username: 'x', password })).to.equal('accepted')
      const nowhere = await start({ jwt: { keys: 'http://127.0.0.1:1/' } })
      expect(await refusalCode(nowhere, { protocolVersion: 5, username: 'x', password })).to.equal(
        Reason.serverUnavailable,
      )
    })

    it('ends the connection when it expires', async () => {
      const port = await start({ jwt: { keys: file } })
      const end = now() + 3
      const password = await token({ sub: 'device' }, { end })
      const client = await connectClient(port, { username: 'x', password })
      await once(client as never, 'close')
      expect(Date.now()).to.be.above(end * 1000 - 100)
    })
  })

  describe('HTTP', () => {
    let server: Server
    let questions: { body: Record<string, unknown>; headers: Record<string, unknown> }[] = []
    let reply: (body: Record<string, unknown>) => [status: number, body: string | Buffer]
    let delay = 0

    before(async () => {
      server = createServer(async (request, response) => {
        let text = ''
        for await (const chunk of request) text += chunk
        const body = JSON.parse(text)
        questions.push({ body, headers: request.headers })
        await new Promise((resolve) => setTimeout(resolve, delay))
        const [status, answer] = reply(body)
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(answer)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
    })

    beforeEach(() => {
      questions = []
      delay = 0
    })

    after(() => {
      server.close()
      server.closeAllConnections()
    })

    const hook = (more: object = {}) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      return { http: { url, authorizationFile: folder.write('key', 'Bearer 123\n'), timeout: 0.2, ...more } }
    }
    const json = (answer: object): [number, string] => [200, JSON.stringify(answer)]

    it('receives the fields, and may rewrite them', async () => {
      reply = () => json({ result: 'allow', clientId: 'new', userName: 'them', password: 'pw' })
      const port = await start(hook())
      const options = { protocolVersion: 5, clientId: 'old', username: 'me', password: 'secret' } as const
      expect(await refusalCode(port, options)).to.equal('accepted')
      expect(questions[0]?.headers).to.include({ authorization: 'Bearer 123' })
      expect(questions[0]?.body).to.include({
        clientId: 'old',
        userName: 'me',
        protocolVersion: 5,
        clean: true,
        address: '127.0.0.1',
      })
      expect(questions[0]?.body).to.include({ password: Buffer.from('secret').toString('base64') })
      const [packet] = received
      expect([packet?.clientId, packet?.userName, String(packet?.password)]).to.deep.equal([
        'new',
        'them',
        'pw',
      ])
    })

    it('tells a client without a client id which one the service gives it', async () => {
      reply = () => json({ result: 'allow', clientId: 'device-7' })
      const port = await start(hook())
      const socket = connect(port, '127.0.0.1')
      socket.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: '' }).bytes)
      const answer = await readPacket(socket, { protocolVersion: 5 })
      expect(received[0]?.clientId).to.equal('device-7')
      expect(`${answer}`).to.equal(`${connack(5, 0, { assignedClientId: 'device-7' })}`)
      socket.destroy()
    })

    it('denies with a code, and is not asked again for a while', async () => {
      reply = () => json({ result: 'deny', code: Reason.banned })
      const port = await start(hook({ denialCacheSeconds: 60 }))
      const five = { protocolVersion: 5, clientId: 'c', username: 'me' } as const
      for (let i = 0; i < 3; i++) expect(await refusalCode(port, five)).to.equal(Reason.banned)
      expect(questions).to.have.length(1)
      expect(await refusalCode(port, { ...five, protocolVersion: 4 })).to.equal(5)
      expect(questions).to.have.length(2)
      const forgetful = await start(hook({ denialCacheSeconds: 0.1 }))
      expect(await refusalCode(forgetful, five)).to.equal(Reason.banned)
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(await refusalCode(forgetful, five)).to.equal(Reason.banned)
      expect(questions).to.have.length(4)
    })

    it('refuses a client that no check decides about', async () => {
      reply = () => json({ result: 'ignore' })
      expect(await refusalCode(await start(hook()), { protocolVersion: 5 })).to.equal(Reason.notAuthorized)
    })

    it("reports a file that can't be a header, without quoting it", () => {
      for (const text of ['Bearer sesame\nBearer other\n', 'Bearer sesame\u2019\n']) {
        const authorizationFile = folder.write('unusable', text)
        expect(() =>
          checksOf(configOf({ authentication: hook({ authorizationFile }) }).authentication),
        ).to.throw(FileError, /unusable: is not one line that the header Authorization can hold$/)
      }
      const authorizationFile = folder.write('unusable', ' \n')
      expect(() =>
        checksOf(configOf({ authentication: hook({ authorizationFile }) }).authentication),
      ).to.throw(FileError, /unusable: is empty$/)
    })

    const failures: Readonly<Record<string, [number, string | Buffer]>> = {
      'answers 500': [500, '{"result":"allow"}'],
      'answers 204': [204, ''],
      'answers 202': [202, '{"result":"allow"}'],
      redirects: [302, ''],
      'answers no JSON': [200, 'ok'],
      'answers broken JSON': [200, '{"result":"allow","password":sesame}'],
      'answers a value of another type': [200, '{"result":"allow","password":"sesame","expiresAt":"x"}'],
      'answers invalid UTF-8': [200, Buffer.from('{"result":"allow","userName":"\xff"}', 'latin1')],
      'answers another object': [200, '{"allow":true}'],
      'answers too much': [200, JSON.stringify({ result: 'allow', x: 'x'.repeat(70_000) })],
    }
    for (const [what, answer] of Object.entries(failures)) {
      it(`refuses clients if the service ${what}`, async () => {
        reply = () => answer
        const port = await start(hook())
        expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(Reason.serverUnavailable)
        expect(await refusalCode(port, { protocolVersion: 4 })).to.equal(3)
        expect(received).to.deep.equal([])
        expect(gateway?.report.lines.join('\n')).not.to.contain('sesame')
      })
    }

    it('refuses clients if the service is slow or absent, or too many wait', async () => {
      reply = () => json({ result: 'allow' })
      delay = 400
      const slow = await start(hook({ concurrency: 1, waiting: 1 }))
      const codes = await Promise.all(
        [0, 1, 2].map((i) => refusalCode(slow, { protocolVersion: 5, clientId: `${i}` })),
      )
      expect([...codes].sort()).to.deep.equal([
        Reason.serverUnavailable,
        Reason.serverUnavailable,
        Reason.serverBusy,
      ])
      const absent = await start(hook({ url: 'http://127.0.0.1:1/' }))
      expect(await refusalCode(absent, { protocolVersion: 5 })).to.equal(Reason.serverUnavailable)
    })

    it('accepts times with fractions of a millisecond', async () => {
      reply = () => json({ result: 'allow' })
      const users = { file: folder.write('few', quickUserLine('alice', 'secret')), cacheSeconds: 1.001 }
      const port = await start({ users, ...hook({ timeout: 1.0015, denialCacheSeconds: 1.001 }) })
      expect(await refusalCode(port, { username: 'bob' })).to.equal('accepted')
      expect(await refusalCode(port, { username: 'alice', password: 'secret' })).to.equal('accepted')
    })

    it('closes the connection at expiresAt, and refuses what has expired', async () => {
      reply = () => json({ result: 'allow', expiresAt: Date.now() / 1000 - 1 })
      const port = await start(hook())
      expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(Reason.notAuthorized)
      reply = () => json({ result: 'allow', expiresAt: Date.now() / 1000 + 0.3 })
      const client = await connectClient(port)
      await once(client as never, 'close')
      await until(() => gateway?.gateway.open.total === 0)
    })

    it('forgets a client that leaves during the request to the service', async () => {
      reply = () => json({ result: 'allow' })
      delay = 100
      const port = await start(hook())
      const socket = connect(port, '127.0.0.1')
      socket.write(Buffer.from('101000044d5154540502003c000003616263', 'hex'))
      await until(() => questions.length === 1)
      socket.resetAndDestroy()
      await until(() => gateway?.gateway.open.total === 0)
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(received).to.deep.equal([])
    })
  })

  describe('a module', () => {
    const written = (name: string, text: string) => ({
      module: { file: folder.write(name, text), timeout: 0.1 },
    })

    it('decides, may rewrite, and leaves clients to the next check', async () => {
      const text = `export default async (packet, { address, listener }) => {
        const { userName, clientId } = packet
        if (userName === 'anyone') return { result: 'ignore' }
        if (userName !== 'device') return { result: 'deny', code: ${Reason.banned} }
        return { result: 'allow', userName: [address, listener === 'undefined', clientId].join() }
      }`
      const users = { file: folder.write('users', quickUserLine('anyone', 'secret')) }
      const port = await start({ ...written('check.mjs', text), users })
      const as = (username: string, password: string) =>
        refusalCode(port, { protocolVersion: 5, clientId: 'one', username, password })
      expect(await as('device', '')).to.equal('accepted')
      expect(received[0]?.userName).to.equal('127.0.0.1,false,one')
      expect(await as('other', '')).to.equal(Reason.banned)
      expect(await as('anyone', 'secret')).to.equal('accepted')
      expect(await as('anyone', 'wrong')).to.equal(Reason.badUserNameOrPassword)
    })

    for (const [what, text] of Object.entries({
      throws: 'module.exports = () => { throw new Error("broken") }',
      rejects: 'module.exports = () => Promise.reject(new Error("broken"))',
      'answers nothing': 'module.exports = () => {}',
      'answers true': 'module.exports = () => true',
      'never answers': 'module.exports = () => new Promise(() => {})',
    })) {
      it(`refuses clients if it ${what}`, async () => {
        const port = await start(written(`${what}.cjs`, text))
        // Outside tests, a rejection that nobody handles ends the process.
        const unhandled: unknown[] = []
        const collect = (reason: unknown) => unhandled.push(reason)
        process.on('unhandledRejection', collect)
        expect(await refusalCode(port, { protocolVersion: 5 })).to.equal(Reason.serverUnavailable)
        process.removeListener('unhandledRejection', collect)
        expect(unhandled).to.deep.equal([])
        expect(received).to.deep.equal([])
      })
    }

    it('is reported if it cannot be used', () => {
      for (const [name, text, problem] of [
        ['syntax.mjs', 'export default (', /syntax\.mjs: cannot be loaded: /],
        ['empty.mjs', '', /empty\.mjs: must export a function as default$/],
      ] as const) {
        const { authentication } = configOf({ authentication: written(name, text) })
        expect(() => checksOf(authentication)).to.throw(FileError, problem)
      }
    })
  })

  it('reports the line of a mistake in a users file', async () => {
    const line = await userLine('a', 'b')
    for (const [text, problem] of [
      [`${line}\nb:c`, /line 2 is neither NAME:scrypt/],
      [line.replace('16384', '16383'), /line 1 is neither/],
      [line.replace('16384,8,1', '1048576,32,16'), /line 1 is neither/],
      [line.replace('16384,8,1', '16384,8,17'), /line 1 is neither/],
      [line.replace('16384,8,1', '16384,0,1'), /line 1 is neither/],
      // OpenSSL refuses these costs.
      [line.replace('16384,8,1', '65536,1,1'), /line 1 is neither/],
      [`${line}\n${line}`, /line 2: this user has a line already/],
    ] as const) {
      expect(() => parseUsers(text, 'users')).to.throw(problem)
    }
    const wide = parseUserLine(line.replace('16384,8,1', '2,1,4096'))
    expect(await wide?.hash.derive(Buffer.from('b'))).to.have.length(32)
    const marked = folder.write('marked', `\ufeff${line}\n`)
    expect([...parseUsers(readNamedFile(marked), marked).keys()]).to.deep.equal(['a'])
    const latin = folder.write('latin', Buffer.from(line.replace('a', 'j\xf6rg'), 'latin1'))
    expect(() => readNamedFile(latin)).to.throw(FileError, /latin: isn't UTF-8$/)
    expect(await userLine('#a', 'b').catch((error) => error.message)).to.match(/does not begin with #/)
  })
})
