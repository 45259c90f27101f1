import type { RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { property, v3_1_1 } from 'mqtt-connect-packet'
import { userLine } from '../../lib/authenticate/users.ts'
import { freePort, quickUserLine } from '../support.ts'
import { type Cases, connectBytes, type Stage } from './stage.ts'

/*
 * Clients that are refused by authentication or rewriting, at least one for each kind of check.
 */

const alice = { userName: 'alice', password: 'sesame' }

/** Connects a client with these fields to a gateway with these options. */
const sends =
  (authentication: object, fields: object = alice, more: object = {}) =>
  async (stage: Stage) =>
    await stage.send(await stage.start({ authentication, ...more }), connectBytes(fields))

const usersOf = (stage: Stage, line = quickUserLine('alice', 'right'), more: object = {}) => ({
  users: { file: stage.folder.write('users', line), ...more },
})
const withUsers = (fields: object) => async (stage: Stage) => await sends(usersOf(stage), fields)(stage)

export const users: Cases = {
  'a wrong password': { line: 'refused: the password is wrong', act: withUsers(alice) },
  'an unknown user': {
    line: 'refused: the users file has no such user',
    act: withUsers({ userName: 'eve', password: 'sesame' }),
  },
  'no user name': { line: 'refused: the client has no user name', act: withUsers({}) },
  'a password that ends with zeros': {
    line: 'refused: the password ends with U+0000',
    act: withUsers({ userName: 'alice', password: 'right\0' }),
  },
  'too many passwords at once': {
    line: 'not served: too many clients are waiting for the users file',
    async act(stage) {
      const slow = await userLine('alice', 'right')
      const authentication = usersOf(stage, slow, { concurrency: 1, waiting: 1 })
      const port = await stage.start({ authentication })
      const guesses = [1, 2, 3].map((i) =>
        stage.send(port, connectBytes({ userName: 'alice', password: `${i}` })),
      )
      await Promise.all(guesses)
    },
  },
}

export const http: Cases = {
  'nothing listens': {
    line: 'not served: the hook at http://127.0.0.1:PORT refused the connection',
    act: async (stage) => await sends({ http: { url: `http://127.0.0.1:${await freePort()}/` } })(stage),
  },
  'no such host': {
    line: 'not served: the hook at http://nowhere.invalid has a host name that HOST',
    act: sends({ http: { url: 'http://nowhere.invalid/' } }),
  },
  'no answer in time': {
    line: "not served: the hook at http://127.0.0.1:PORT didn't answer within 0.2 s",
    act: hook(() => {}, { timeout: 0.2 }),
  },
  'half an answer in time': {
    line: "not served: the hook at http://127.0.0.1:PORT didn't answer within 0.2 s",
    act: hook((_request, response) => response.write('{'), { timeout: 0.2 }),
  },
  'a failure': {
    line: 'not served: the hook at http://127.0.0.1:PORT answered with status 500',
    act: hook((_request, response) => response.writeHead(500).end()),
  },
  'a redirect': {
    line: 'not served: the hook at http://127.0.0.1:PORT answered with status 302',
    act: hook((_request, response) => response.writeHead(302, { location: '/' }).end()),
  },
  'no JSON': {
    line: "not served: the hook at http://127.0.0.1:PORT gave an answer that isn't JSON",
    act: hook((_request, response) => response.end('sesame')),
  },
  'no result': {
    line: "not served: the hook at http://127.0.0.1:PORT gave an invalid answer: result: Invalid discriminator value. Expected 'allow' | 'deny' | 'ignore'",
    act: hook((_request, response) => response.end('{"password":"sesame"}')),
  },
  'a large answer': {
    line: 'not served: the hook at http://127.0.0.1:PORT answered with more than 65536 bytes',
    act: hook((_request, response) => response.end('x'.repeat(70_000))),
  },
  'no answer but an end': {
    line: 'not served: the hook at http://127.0.0.1:PORT closed the connection',
    act: hook((request) => request.socket.end()),
  },
  'the end of half an answer': {
    line: 'not served: the hook at http://127.0.0.1:PORT closed the connection',
    act: hook((request, response) => response.write('{', () => request.socket.end())),
  },
  'another protocol': {
    line: "not served: the hook at http://127.0.0.1:PORT doesn't speak HTTP",
    async act(stage) {
      const { port } = await stage.server((socket) => socket.end('hello\r\n'))
      await sends({ http: { url: `http://127.0.0.1:${port}/` } })(stage)
    },
  },
  'TLS where there is none': {
    line: "not served: the hook at https://127.0.0.1:PORT doesn't speak TLS",
    async act(stage) {
      const { port } = await stage.server((socket) => socket.end('hello\r\n'))
      await sends({ http: { url: `https://127.0.0.1:${port}/` } })(stage)
    },
  },
  'an unknown certificate': {
    line: 'not served: the hook at https://127.0.0.1:PORT has a certificate whose authority is unknown',
    async act(stage) {
      const { port } = await stage.tlsServer()
      await sends({ http: { url: `https://127.0.0.1:${port}/` } })(stage)
    },
  },
  'a denial': {
    line: 'refused: the hook at http://127.0.0.1:PORT denied the client',
    act: hook((_request, response) => response.end('{"result":"deny"}')),
  },
  'a denial with a reason': {
    line: 'refused: the hook at http://127.0.0.1:PORT denied the client: unpaid\\u000abill',
    act: hook((_request, response) => response.end('{"result":"deny","code":138,"reason":"unpaid\\nbill"}')),
  },
  'a service that is busy': {
    line: 'not served: the hook at http://127.0.0.1:PORT denied the client: later',
    act: hook((_request, response) => response.end('{"result":"deny","code":137,"reason":"later"}')),
  },
  'a service that knows nothing': {
    line: 'refused: the hook at http://127.0.0.1:PORT leaves the client to the other checks',
    act: hook((_request, response) => response.end('{"result":"ignore"}')),
  },
  'too many requests at once': {
    line: 'not served: too many clients are waiting for the hook at http://127.0.0.1:PORT',
    async act(stage) {
      const url = await stage.service(() => {})
      const port = await stage.start({ authentication: { http: { url, concurrency: 1, waiting: 1 } } })
      for (const clientId of ['a', 'b']) await stage.connect(port, connectBytes({ clientId }))
      await stage.send(port, connectBytes({ clientId: 'c' }))
    },
  },
}

/** Authentication by an HTTP service with this answer. */
function hook(answer: RequestListener, more: object = {}) {
  return async (stage: Stage) => await sends({ http: { url: await stage.service(answer), ...more } })(stage)
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
const keys: KeyPair = await generateKeyPair('ES256', { extractable: true })
const otherKeys: KeyPair = await generateKeyPair('ES256', { extractable: true })
const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'one' }] })
const inAnHour = Math.floor(Date.now() / 1000) + 3600
const good = { sub: 'device', iss: 'me', aud: 'us', exp: inAnHour }

/** Connects a client whose token has these claims. */
function token(claims: object, more: object = {}, kid = 'one', { privateKey } = keys) {
  return async (stage: Stage) => {
    const password = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey)
    await withPassword(password, more)(stage)
  }
}

function withPassword(password: string | undefined, more: object = {}) {
  return async (stage: Stage) => {
    const jwt = { keys: stage.folder.write('jwks.json', keySet), issuer: 'me', audience: 'us', ...more }
    await sends({ jwt }, { userName: 'x', password })(stage)
  }
}

/** Connects a client with a valid token, to a gateway that loads its keys from this URL. */
const keysFrom = (urlOf: (stage: Stage) => Promise<string>) => async (stage: Stage) =>
  await token(good, { keys: await urlOf(stage) })(stage)

const { sub: _sub, ...withoutSubject } = good
const { exp: _exp, ...withoutEnd } = good
const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.e30`

export const jwt: Cases = {
  'a token that has expired': { line: 'refused: the token has expired', act: token({ ...good, exp: 1 }) },
  'a token of the future': {
    line: "refused: the token isn't valid yet",
    act: token({ ...good, nbf: inAnHour }),
  },
  'a token without end': { line: 'refused: the token has no exp', act: token(withoutEnd) },
  'a token whose end is no number': {
    line: "refused: the token's claim exp is invalid",
    act: token({ ...good, exp: 'soon' }),
  },
  'a token of another issuer': {
    line: 'refused: the token comes from a different issuer',
    act: token({ ...good, iss: 'you' }),
  },
  'a token for others': {
    line: 'refused: the token is for a different audience',
    act: token({ ...good, aud: 'them' }),
  },
  'a token without a subject': { line: 'refused: the token has no sub', act: token(withoutSubject) },
  'a token of another client id': {
    line: 'refused: the token is for a different client id',
    act: token({ ...good, cid: 'd' }, { clientIdClaim: 'cid' }),
  },
  'a forged token': {
    line: "refused: the token's signature is wrong",
    act: token(good, {}, 'one', otherKeys),
  },
  'a key that nobody knows': {
    line: 'refused: the key set has no key for the token',
    act: token(good, {}, 'two'),
  },
  'an unsigned token': { line: "refused: the token's algorithm isn't allowed", act: withPassword(unsigned) },
  'a broken token': {
    line: "refused: the token can't be decoded",
    act: withPassword(`${Buffer.from('{"alg":"ES256"}').toString('base64url')}.b.c`),
  },
  'a password': { line: "refused: the password isn't a token", act: withPassword('sesame') },
  'no password': { line: 'refused: the client has no password', act: withPassword(undefined) },
  'a key set that nobody serves': {
    line: 'not served: the key set at http://127.0.0.1:PORT refused the connection',
    act: keysFrom(async () => `http://127.0.0.1:${await freePort()}/keys`),
  },
  'a key set that is not there': {
    line: 'not served: the key set at http://127.0.0.1:PORT answered with status 404',
    act: keysFrom((stage) => stage.service((_request, response) => response.writeHead(404).end())),
  },
  'a key set that is no JSON': {
    line: "not served: the key set at http://127.0.0.1:PORT can't be used: Failed to parse the JSON Web Key Set HTTP response as JSON",
    act: keysFrom((stage) => stage.service((_request, response) => response.end('sesame'))),
  },
  'a key set that is none': {
    line: "not served: the key set at http://127.0.0.1:PORT can't be used: JSON Web Key Set malformed",
    act: keysFrom((stage) => stage.service((_request, response) => response.end('{}'))),
  },
}

/** Connects a client with or without a certificate, which the listener doesn't require. */
function certificate(options: { userName?: string; isRevoked?: boolean; isSent?: boolean; and?: object }) {
  return async (stage: Stage) => {
    const { userName = 'commonName', isRevoked = false, isSent = true, and } = options
    const { certificate, key } = stage.own
    const { authority, device } = stage
    const revoked = authority.revoke(isRevoked ? [device] : [], 'crl.pem')
    const clientCertificates = { authorities: authority.file, revoked, required: false }
    const port = await stage.start({
      listeners: [{ port: 0, tls: { certificates: [{ certificate, key }], clientCertificates } }],
      authentication: { certificate: { userName }, ...and },
    })
    await stage.sendTls(port, isSent ? { cert: device.certPem, key: device.keyPem } : {})
  }
}

export const certificates: Cases = {
  'no certificate': { line: 'refused: the client has no certificate', act: certificate({ isSent: false }) },
  'a certificate that has been revoked, and is not required': {
    line: 'refused: the client has a certificate that has been revoked',
    act: certificate({ isRevoked: true }),
  },
  'a certificate without the name': {
    line: 'refused: the client certificate has no email',
    act: certificate({ userName: 'email' }),
  },
  'a connection without TLS': {
    line: 'refused: the client has no certificate',
    async act(stage) {
      const listeners = [{ port: 0, proxyProtocol: { trusted: ['127.0.0.1'] } }]
      const port = await stage.start({ listeners, authentication: { certificate: {} } })
      const header = Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n')
      await stage.send(port, Buffer.concat([header, connectBytes()]))
    },
  },
}

/** Authentication by a user's module. */
const moduleOf =
  (code: string, more: object = {}, fields: object = alice) =>
  async (stage: Stage) => {
    const file = stage.folder.write(`module-${Math.random()}.cjs`, `module.exports = ${code}`)
    await sends({ module: { file, ...more } }, fields)(stage)
  }

const modules: Cases = {
  'that throws': {
    line: 'not served: the module failed: no database',
    act: moduleOf('() => { throw new Error("no database") }'),
  },
  'that takes too long': {
    line: "not served: the module didn't answer within 0.1 s",
    act: moduleOf('() => new Promise(() => {})', { timeout: 0.1 }),
  },
  'that says nothing': {
    line: 'not served: the module gave an invalid answer: Invalid input: expected object, received undefined',
    act: moduleOf('() => {}'),
  },
  'that denies': {
    line: 'refused: the module denied the client: not today',
    act: moduleOf('() => ({ result: "deny", reason: "not today" })'),
  },
  'that knows nothing': {
    line: 'refused: the module leaves the client to the other checks',
    act: moduleOf('() => ({ result: "ignore" })'),
  },
  'whose permission has expired': {
    line: 'refused: the credentials have expired',
    act: moduleOf('() => ({ result: "allow", expiresAt: 1 })'),
  },
}

export { modules as 'a module' }

const method = { props: [property.authenticationMethod('SCRAM')] }

export const several: Cases = {
  'checks, and no credentials': {
    line: 'refused: the client has no certificate; the client has no password; the client has no user name',
    async act(stage) {
      const and = { jwt: { keys: stage.folder.write('jwks.json', keySet) }, ...usersOf(stage) }
      await certificate({ isSent: false, and })(stage)
    },
  },
  'checks, and a password that none knows': {
    line: "refused: the password isn't a token; the users file has no such user",
    async act(stage) {
      const keys = stage.folder.write('jwks.json', keySet)
      await sends({ jwt: { keys }, ...usersOf(stage) }, { userName: 'eve', password: 'p' })(stage)
    },
  },
  'authentication methods that are refused': {
    line: 'refused: no check knows authentication methods',
    act: withUsers({ ...alice, ...method }),
  },
}

const rewriting = (rewrite: object, fields: object) => sends({}, fields, { rewrite })

export const templates: Cases = {
  'that need a user name': {
    line: 'refused: the client has no userName, which a template needs',
    act: rewriting({ clientId: '{userName}-{clientId}' }, {}),
  },
  'whose separator is in the value': {
    line: "refused: the client's userName contains the separator of a template",
    act: rewriting({ clientId: '{userName}:{clientId}' }, { userName: 'a:b' }),
  },
  'and rules with patterns for which a name is too long': {
    line: "refused: the client's userName is too long for the patterns of the rules",
    async act(stage) {
      const rules = [{ userName: '^a', upstreams: [`127.0.0.1:${stage.broker.port}`] }]
      await sends({}, { userName: 'u'.repeat(2049) }, { route: { rules } })(stage)
    },
  },
  'that make a packet that is too large': {
    line: "not served: the CONNECT can't be rewritten: clientId: must be at most 65535 bytes long",
    act: rewriting({ clientId: '{clientId}-{clientId}' }, { clientId: 'x'.repeat(40_000) }),
  },
  'that make an invalid packet': {
    line: "not served: the CONNECT can't be rewritten: connectFlags: the password flag must not be set without the user name flag (byte 9) [password-without-user-name, MQTT-3.1.2-22]",
    async act(stage) {
      const { bytes } = new v3_1_1.ConnectPacket({
        cleanSession: true,
        keepAlive: 0,
        clientId: 'c',
      })
      await stage.send(await stage.start({ rewrite: { password: 'x' } }), bytes)
    },
  },
}
