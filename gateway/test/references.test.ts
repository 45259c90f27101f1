import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { checksOf } from '../lib/authenticate/authenticate.ts'
import { explain, start } from '../lib/operate/command.ts'
import { ConfigError, loadConfig, loadReferences, parseConfig } from '../lib/operate/config.ts'
import { jsonSchema } from '../lib/operate/schema.ts'
import { GatewayProgram, outputOf } from './gateway-program.ts'
import { configOf, FakeBroker, Folder, freePort, Running, refusalCode, upstreamOf } from './support.ts'

describe('gateway: references in the configuration', () => {
  const folder = new Folder()
  const saved = { ...process.env }

  before(() => {
    Object.assign(process.env, { GW_HOST: 'broker.example', GW_PORT: '1884', GW_ON: 'true', GW_EMPTY: '' })
    Object.assign(process.env, { GW_TWO: '2', GW_FIVE: '5' })
    Reflect.deleteProperty(process.env, 'GW_UNSET')
    folder.write('secret', 'sesame:$7\n')
  })

  after(() => {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name]
    folder.remove()
  })

  const write = (config: object) => folder.write('gateway.json', JSON.stringify(config))

  it('may stand for any value in the JSON Schema, so that editors accept them', () => {
    const refused: string[] = []
    const walk = (schema: object, path: string): void => {
      const { type, anyOf, pattern } = schema as { type?: string; anyOf?: object[]; pattern?: string }
      const isReference = (other: object) =>
        'pattern' in other && RegExp(`${other.pattern}`).test('$' + '{PORT}')
      if (anyOf?.some(isReference)) return
      const isScalar = ['number', 'integer', 'boolean'].includes(`${type}`)
      if (isScalar || pattern !== undefined || 'enum' in schema) refused.push(path)
      for (const [key, value] of Object.entries(schema))
        if (typeof value === 'object' && value !== null) walk(value, `${path}.${key}`)
    }
    walk(jsonSchema(), '')
    expect(refused.filter((path) => !/\.(?:propertyNames|default)\b/.test(path))).to.deep.equal([])
    expect(JSON.stringify(jsonSchema())).to.include('"anyOf"')
  })

  it('are replaced within a string, also by the text of a file without its last line break', () => {
    const { upstreams, rewrite, listeners } = loadConfig(
      write({
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references
        upstreams: [{ host: 'a.${GW_HOST}', name: '${GW_HOST}${GW_EMPTY}' }],
        listeners: [{ name: '$${GW_HOST} $5' }],
        rewrite: { userName: 'a', password: '${file:secret}' },
      }),
    )
    expect(upstreams[0]).to.include({ host: 'a.broker.example', name: 'broker.example' })
    expect(listeners[0]?.name).to.equal('${GW_HOST} $5')
    expect(rewrite.password).to.equal('sesame:$7')
  })

  it("can't stand for a path with the contents of a file, which messages about the file would quote", () => {
    const users = { file: '${file:secret}' }
    const config = write({ upstreams: [{ host: 'a' }], authentication: { users } })
    expect(() => loadConfig(config))
      .to.throw(ConfigError)
      .with.property('message', 'authentication.users.file: must be a path, not the contents of a file')
  })

  it('become numbers and booleans where the configuration wants them, and only there', () => {
    const config = loadConfig(
      write({
        listeners: [{ port: '${GW_PORT}', name: '${GW_PORT}' }],
        rewrite: { assignClientId: '${GW_ON}' },
      }),
    )
    expect(config.listeners[0]).to.include({ port: 1884, name: '1884' })
    expect(config.rewrite.assignClientId).to.equal(true)
    const unusual = loadConfig(
      write({
        upstreams: [{ host: 'a', proxyProtocol: '${GW_TWO}' }],
        route: { rules: [{ version: '${GW_FIVE}', upstreams: ['a:1883'] }] },
        rewrite: { addProperties: { receiveMaximum: '${GW_FIVE}', authenticationMethod: '${GW_FIVE}' } },
      }),
    )
    expect(unusual.upstreams[0]?.proxyProtocol).to.equal(2)
    expect(unusual.route.rules[0]?.version).to.equal(5)
    expect(unusual.rewrite.addProperties).to.deep.equal({ receiveMaximum: 5, authenticationMethod: '5' })
    expect(() => loadConfig(write({ listeners: [{ port: '1884' }] }))).to.throw(
      ConfigError,
      /expected number/,
    )
    expect(() => loadConfig(write({ listeners: [{ port: '${GW_HOST}' }] }))).to.throw(
      ConfigError,
      /^listeners\[0\]\.port: .*expected number/,
    )
  })

  const wrong: readonly (readonly [text: string, line: RegExp])[] = [
    ['${GW_UNSET}', /^upstreams\[0\]\.host: the environment variable GW_UNSET is not set$/],
    ['${constructor}', /^upstreams\[0\]\.host: the environment variable constructor is not set$/],
    ['${GW-HOST}', /^upstreams\[0\]\.host: `\$\{` begins neither/],
    ['${GW_HOST', /^upstreams\[0\]\.host: `\$\{` begins neither/],
    ['${}', /^upstreams\[0\]\.host: `\$\{` begins neither/],
    ['${file:missing}', /^upstreams\[0\]\.host: there is no file missing$/],
  ]
  for (const [host, line] of wrong) {
    it(`are invalid if they lead nowhere: ${host}`, () => {
      expect(() => loadConfig(write({ upstreams: [{ host }] }))).to.throw(ConfigError, line)
    })
  }

  it('are found by --check, with the exit code of an invalid configuration', async () => {
    const file = write({ upstreams: [{ host: '${GW_UNSET}', port: '${GW_PORT}' }] })
    expect(explain(await start(['--config', file, '--check']).catch((error) => error))).to.deep.equal([
      'upstreams[0].host: the environment variable GW_UNSET is not set',
      4,
    ])
  })

  it('are printed by --print-config in place of their values', async () => {
    const file = write({
      listeners: [{ port: '${GW_PORT}', name: '$${NAME}' }],
      upstreams: [{ host: '${GW_HOST}' }],
      rewrite: { userName: '${GW_HOST}' },
    })
    const { config, references } = loadReferences(file)
    expect(config.upstreams[0]?.host).to.equal('broker.example')
    expect(JSON.stringify(references.restore(config))).not.to.contain('broker.example')
    const output = await outputOf('--config', file, '--print-config')
    expect(output).not.to.contain('broker.example')
    const printed = JSON.parse(output)
    expect(printed.upstreams[0]).to.include({ host: '${GW_HOST}', port: 1883 })
    expect(printed.listeners[0].port).to.equal('${GW_PORT}')
    // The output is a valid configuration again.
    expect(loadConfig(write(printed))).to.deep.equal(config)
  })

  it('are read again on a reload, and reach the broker as a password', async function () {
    this.timeout(60_000)
    const passwords: unknown[] = []
    const broker = await FakeBroker.answering(({ clientId, password }) => {
      if (clientId !== '') passwords.push(String(password))
    })
    folder.write('password', 'first\n')
    Object.assign(process.env, { GW_BROKER: broker.port })
    const program = new GatewayProgram(
      '--config',
      write({
        listeners: [{ port: await freePort() }],
        upstreams: [{ host: '127.0.0.1', port: '${GW_BROKER}' }],
        rewrite: { userName: 'gateway', password: '${file:password}' },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are references
        route: { health: { interval: 1000 } },
      }),
    )
    try {
      const port = await program.port()
      expect(await refusalCode(port, { clientId: 'a' })).to.equal('accepted')
      folder.write('password', 'second\n')
      program.process.kill('SIGHUP')
      await program.printed(/has been reloaded/)
      expect(await refusalCode(port, { clientId: 'a' })).to.equal('accepted')
    } finally {
      program.process.kill('SIGKILL')
      broker.close()
    }
    expect(passwords).to.deep.equal(['first', 'second'])
  })
})

describe('gateway: the algorithms of a JWT', () => {
  const folder = new Folder()
  after(() => folder.remove())

  it('are checked by name', () => {
    const config = (name: string) => ({ authentication: { jwt: { keys: 'k', algorithms: [name] } } })
    for (const name of ['ES265', 'none', 'HS256', 'es256']) {
      expect(() => parseConfig(config(name)), name).to.throw(
        ConfigError,
        /^authentication\.jwt\.algorithms\[0\]: /,
      )
    }
  })

  it('need a key in the file', async () => {
    const pairOf = (alg: string) => generateKeyPair(alg, { extractable: true })
    const jwkOf = async (alg: string) => exportJWK((await pairOf(alg)).publicKey)
    const jwks = {
      ES256: await jwkOf('ES256'),
      ES512: await jwkOf('ES512'),
      RS256: await jwkOf('RS256'),
      EdDSA: await jwkOf('EdDSA'),
    }
    const check = (file: string, algorithms: string[]) =>
      checksOf(configOf({ authentication: { jwt: { keys: file, algorithms } } }).authentication)
    for (const [own, jwk] of Object.entries(jwks)) {
      const keys = folder.write('jwks.json', JSON.stringify({ keys: [jwk] }))
      const forOther = folder.write('other.json', JSON.stringify({ keys: [{ ...jwk, alg: 'other' }] }))
      const others = Object.keys(jwks).filter((name) => name !== own)
      expect(check(keys, [own, ...others]), own).to.have.length(2)
      expect(() => check(keys, others), own).to.throw(
        `jwks.json: is not a JWKS: it has no public key that can be used with ${others.join(', ')}`,
      )
      expect(() => check(forOther, [own]), own).to.throw(`can be used with ${own}`)
    }
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    const unusable = {
      secret: await exportJWK((await pairOf('ES256')).privateKey),
      small,
      encrypting: { ...jwks.ES256, use: 'enc' },
      signing: { ...jwks.ES256, key_ops: ['sign'] },
    }
    for (const [name, jwk] of Object.entries(unusable)) {
      const keys = folder.write('unusable.json', JSON.stringify({ keys: [jwk] }))
      expect(() => check(keys, ['ES256', 'RS256']), name).to.throw(
        'no public key that can be used with ES256',
      )
    }
  })

  for (const alg of ['ES384', 'ES512', 'RS512', 'PS256', 'EdDSA', 'Ed25519']) {
    it(`include ${alg}`, async () => {
      const broker = await FakeBroker.answering()
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
      const keys = folder.write(
        'jwks.json',
        JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg }] }),
      )
      const gateway = await Running.start({
        upstreams: [upstreamOf(broker)],
        authentication: { jwt: { keys, algorithms: [alg] } },
      })
      const password = await new SignJWT({ sub: 'a' })
        .setProtectedHeader({ alg })
        .setExpirationTime('1m')
        .sign(privateKey)
      expect(await refusalCode(gateway.port(), { username: 'x', password })).to.equal('accepted')
      gateway.close()
      broker.close()
    })
  }
})
