import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { gatewayDocument } from '../../scripts/gateway-document.ts'
import { Buckets } from '../lib/limit/limits.ts'
import { networkOf } from '../lib/listen/addresses.ts'
import { ConfigError, parseConfig } from '../lib/operate/config.ts'
import { jsonSchema } from '../lib/operate/schema.ts'

const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])

const pair = { certificate: 'a.pem', key: 'a.key' }

/** Mistakes, each with the start of its message. */
const mistakes: readonly (readonly [input: unknown, line: RegExp])[] = [
  [{ listener: [] }, /^listener: there is no such option$/],
  [{ listeners: [{ port: 70_000 }] }, /^listeners\[0\]\.port: /],
  [{ listeners: [{ port: '1883' }] }, /^listeners\[0\]\.port: /],
  [
    { listeners: [{}, { port: 0 }, { port: 0 }, { name: 'again' }] },
    /^listeners\[3\]: another listener listens on 127\.0\.0\.1:1883 too$/,
  ],
  [{ listeners: [{ tls: { certificates: [] } }] }, /^listeners\[0\]\.tls\.certificates: /],
  [
    { listeners: [{ proxyProtocol: { trusted: ['10.0.0.0/33'] } }] },
    /^listeners\[0\]\.proxyProtocol\.trusted\[0\]: /,
  ],
  [
    { upstreams: [{ host: 'a' }, { host: 'a' }] },
    /^upstreams\[1\]: another upstream has the name a:1883 too$/,
  ],
  [
    { upstreams: [{ host: 'a' }, { host: '127.0.0.1' }] },
    /^upstreams\[1\]: is the listener on 127\.0\.0\.1:1883, so the gateway would connect to itself$/,
  ],
  [
    { upstreams: [{ host: '0.0.0.0' }] },
    /^upstreams\[0\]: is the listener on 127\.0\.0\.1:1883, so the gateway would connect to itself$/,
  ],
  ...['0.0.0.0', '::', 'localhost', '127.0.0.1'].map(
    (host) =>
      [
        { listeners: [{ port: 1 }, { host, port: 2 }], upstreams: [{ host: 'localhost', port: 2 }] },
        /^upstreams\[0\]: is the listener on /,
      ] as const,
  ),
  ...['127.1', '2130706433', '0', 'LOCALHOST', '::ffff:127.0.0.1'].map(
    (host) => [{ upstreams: [{ host }] }, /^upstreams\[0\]: is the listener on 127\.0\.0\.1:1883/] as const,
  ),
  ...['0:0:0:0:0:0:0:1', hostname()].map(
    (host) =>
      [
        { listeners: [{ host: '::' }], upstreams: [{ host }] },
        /^upstreams\[0\]: is the listener on :::1883/,
      ] as const,
  ),
  [
    { listeners: [{ authentication: { enhanced: 'refuse' } }] },
    /^listeners\[0\]\.authentication\.enhanced: refuses nobody, because without a check/,
  ],
  ...ownAddresses.map(
    ({ address: host, family }) =>
      [
        { listeners: [{ host: family === 'IPv4' ? '0.0.0.0' : '::' }], upstreams: [{ host }] },
        /^upstreams\[0\]: is the listener on /,
      ] as const,
  ),
  [{ route: { rules: [{ upstreams: ['x'] }] } }, /^route\.rules\[0\]\.upstreams: there is no upstream x$/],
  [
    {
      listeners: [{ name: 'public' }, { port: 8883 }],
      upstreams: [{ host: 'a' }],
      route: {
        rules: ['public', '127.0.0.1:8883', 'pubic'].map((listener) => ({ listener, upstreams: ['a:1883'] })),
      },
    },
    /^route\.rules\[2\]\.listener: there is no listener pubic$/,
  ],
  [
    { rewrite: { clientId: '{listener}:{clientId}' } },
    /^rewrite\.clientId: no client of the listener 127\.0\.0\.1:1883 could fill it: the name contains the separator$/,
  ],
  [
    { listeners: [{ name: 'a' }, { name: 'b-c', port: 1 }], rewrite: { userName: '{listener}-{userName}' } },
    /^rewrite\.userName: no client of the listener b-c could fill it/,
  ],
  [
    { rewrite: { addUserProperties: [['from', '{listener}.{address}']] } },
    /^rewrite\.addUserProperties\[0\]: no client of the listener 127\.0\.0\.1:1883 could fill it/,
  ],
  [
    { listeners: [{ tls: { certificates: [pair] } }, { port: 1 }], rewrite: { userName: '{serverName}' } },
    /^rewrite\.userName: no client of the listener 127\.0\.0\.1:1 has a \{serverName\}: the listener has neither tls nor proxyProtocol$/,
  ],
  [
    { listeners: [{ tls: { certificates: [pair] } }], rewrite: { clientId: '{certificateName}' } },
    /^rewrite\.clientId: no client of the listener 127\.0\.0\.1:1883 has a \{certificateName\}: /,
  ],
  [
    { route: { rules: [{ clientId: '(', upstreams: ['x'] }] } },
    /^route\.rules\[0\]\.clientId: must be a regular/,
  ],
  [{ rewrite: { clientId: '{nobody}' } }, /^rewrite\.clientId: has a variable other than \{clientId\}/],
  [
    { rewrite: { clientId: '{userName}{clientId}' } },
    /^rewrite\.clientId: has two variables with nothing between/,
  ],
  [
    { rewrite: { password: '{userName}{clientId}' } },
    /^rewrite\.password: has two variables with nothing between/,
  ],
  [
    { rewrite: { clientId: '{address}.{clientId}' } },
    /^rewrite\.clientId: no IPv4 client of the listener 127\.0\.0\.1:1883 could fill it: its address contains/,
  ],
  [
    { listeners: [{ name: 'all', host: '::' }], rewrite: { userName: '{address}:{userName}' } },
    /^rewrite\.userName: no IPv6 client of the listener all could fill it: its address contains the separator$/,
  ],
  [
    { listeners: [{ host: '0.0.0.0' }, { host: '10.0.0.1' }] },
    /^listeners\[1\]: another listener listens on 0\.0\.0\.0:1883 too$/,
  ],
  [{ listeners: [{ host: '0.0.0.0' }, { host: '::' }] }, /^listeners\[1\]: another listener/],
  [{ admin: { port: 1883 } }, /^admin: a listener listens on 127\.0\.0\.1:1883 too$/],
  [{ listeners: [{ websocket: { path: '/mqtt?token=x' } }] }, /^listeners\[0\]\.websocket\.path: must begin/],
  [{ listeners: [{ websocket: { path: '/två' } }] }, /^listeners\[0\]\.websocket\.path: must begin/],
  [{ rewrite: { clientId: 'gateway' } }, /^rewrite\.clientId: has no variable: all clients would/],
  [{ rewrite: { clientId: '{clientId' } }, /^rewrite\.clientId: has no variable: all clients would/],
  [{ rewrite: { clientId: '{userName}-{clientId' } }, /^rewrite\.clientId: has a brace that belongs to no/],
  [{ drain: { notify: true, serverReference: 'a\0' } }, /^drain\.serverReference: /],
  [{ rewrite: { clientId: '\0{clientId}' } }, /^rewrite\.clientId: /],
  [{ rewrite: { userName: '\ud800{userName}' } }, /^rewrite\.userName: /],
  [{ rewrite: { addUserProperties: [['k', 'v'.repeat(65_536)]] } }, /^rewrite\.addUserProperties\[0\]: /],
  [{ rewrite: { addProperties: { receiveMaximum: 'x' } } }, /^rewrite\.addProperties\.receiveMaximum: /],
  [{ rewrite: { addProperties: { receiveMaximum: 0 } } }, /^rewrite\.addProperties\.receiveMaximum: /],
  [{ rewrite: { addProperties: { topicAlias: 1 } } }, /^rewrite\.addProperties\.topicAlias: /],
  [{ rewrite: { addUserProperties: [['\0', 'x']] } }, /^rewrite\.addUserProperties\[0\]: /],
  [{ rewrite: { removeProperties: ['x'] } }, /^rewrite\.removeProperties: there is no property x$/],
  ...['willDelayInterval', 'topicAlias', 'assignedClientIdentifier'].map(
    (name) =>
      [
        { rewrite: { removeProperties: ['authenticationData', 'userProperty', name] } },
        new RegExp(`^rewrite\\.removeProperties: ${name}: [^\n]+$`),
      ] as const,
  ),
  [{ limits: { allow: ['x'] } }, /^limits\.allow: /],
  ...(
    [
      [{ openPerAddress: 1 }, 'openPerAddress'],
      [{ open: 3 }, 'open'],
      [{ pending: 3 }, 'pending'],
      ...(['perAddress', 'total', 'perClientId', 'perUser'] as const).map(
        (name) => [{ [name]: { perSecond: 100, burst: 3 } }, `${name}.burst`] as const,
      ),
    ] as const
  ).map(
    ([limits, path]) =>
      [
        { workers: 4, upstreams: [{ host: 'a' }], limits },
        new RegExp(`^limits\\.${path}: \\d cannot be shared by 4 workers, which need 1 each$`),
      ] as const,
  ),
  [{ workers: 2 }, /^workers: the embedded broker cannot be shared/],
  [
    { authentication: { certificate: {} } },
    /^authentication\.certificate: no listener has tls\.clientCertificates, or only proxyProtocol$/,
  ],
  [
    { authentication: { http: { url: 'http://me:sesame@localhost/' } } },
    /^authentication\.http\.url: has a user name or a password; use authorizationFile$/,
  ],
  [
    { authentication: { jwt: { keys: 'https://me@localhost/' } } },
    /^authentication\.jwt\.keys: has a user name or a password$/,
  ],
  ...['htps://idp.example/keys?code=sesame', 'https//idp.example/keys?code=sesame'].map(
    (keys) =>
      [
        { authentication: { jwt: { keys } } },
        /^authentication\.jwt\.keys: is neither a path nor a URL of http or https$/,
      ] as const,
  ),
  [
    { listeners: [{ authentication: { http: { url: 'http://me:sesame@localhost/' } } }] },
    /^listeners\[0\]\.authentication\.http\.url: has a user name or a password; use authorizationFile$/,
  ],
  [
    {
      authentication: { certificate: {} },
      listeners: [{ port: 1, authentication: {}, proxyProtocol: { trusted: ['10.0.0.1'] } }, { port: 2 }],
    },
    /^authentication\.certificate: no listener has tls\.clientCertificates, or only proxyProtocol$/,
  ],
  [
    { listeners: [{ authentication: { certificate: {} } }] },
    /^listeners\[0\]\.authentication\.certificate: no listener has tls\.clientCertificates/,
  ],
  [
    {
      listeners: [
        { name: 'a', port: 1 },
        { name: 'a', port: 2, authentication: {} },
      ],
    },
    /^listeners\[1\]\.authentication: differs from that of another listener with the name a$/,
  ],
  [
    { workers: 4, upstreams: [{ host: 'a' }], listeners: [{ connections: 3 }] },
    /^listeners\[0\]\.connections: 3 cannot be shared by 4 workers, which need 1 each$/,
  ],
  [{ upstreams: [{ host: 'a', state: 'down' }] }, /^upstreams\[0\]\.state: /],
  [{ listeners: [{ allow: [] }] }, /^listeners\[0\]\.allow: /],
  [
    { listeners: [{ deny: ['example.org'] }] },
    /^listeners\[0\]\.deny\[0\]: must be an IP address or a network/,
  ],
  ...['::ffff:10.0.0.1', '0:0:0:0:0:ffff:10.0.0.1', '::FFFF:0:0/96', 'fe80::1%lo'].map(
    (network) => [{ listeners: [{ deny: [network] }] }, /^listeners\[0\]\.deny\[0\]: must be an/] as const,
  ),
  [
    { authentication: { http: { url: 'HTTP://me:sesame@localhost/' } } },
    /^authentication\.http\.url: has a user name or a password; use authorizationFile$/,
  ],
  [
    { authentication: { jwt: { keys: 'HTTPS://me@localhost/' } } },
    /^authentication\.jwt\.keys: has a user name or a password$/,
  ],
  [{ authentication: { jwt: { keys: 'k', issuer: '' } } }, /^authentication\.jwt\.issuer: /],
  [{ authentication: { jwt: { keys: 'k', audience: '' } } }, /^authentication\.jwt\.audience: /],
  ...[{ removeProperties: ['authenticationMethod'] }, { addProperties: { authenticationMethod: 'x' } }].map(
    (rewrite) =>
      [
        { listeners: [{ authentication: { enhanced: 'forward' } }], rewrite },
        /^rewrite: with "enhanced": "forward" the broker must get the authenticationMethod unchanged$/,
      ] as const,
  ),
  [[], /^\(the whole file\): /],
]

describe('gateway: configuration', () => {
  it('has a default for every option', () => {
    const config = parseConfig({})
    expect(config.listeners[0]).to.deep.include({ host: '127.0.0.1', port: 1883 })
    expect(config.limits).to.deep.include({ packetSize: 65_536, handshakeTimeout: 10, perAddress: null })
    expect(parseConfig(config)).to.deep.equal(config)
  })

  for (const [input, line] of mistakes) {
    it(`names the path of ${JSON.stringify(input)}`, () => {
      expect(() => parseConfig(input)).to.throw(ConfigError, line)
    })
  }

  it('allows brokers on the same port of other machines, and on other ports of this one', () => {
    const upstreams = [
      { host: '10.0.0.5' },
      { host: 'broker' },
      { host: '::1' },
      { host: 'localhost', port: 2 },
    ]
    expect(parseConfig({ listeners: [{ host: '0.0.0.0' }], upstreams }).upstreams).to.have.length(4)
  })

  it('reports each mistake in a line of its own', () => {
    const error = (() => {
      try {
        parseConfig({ workers: 0, x: 1, y: 2, listeners: [{ port: -1 }] })
      } catch (error) {
        return error as ConfigError
      }
      return undefined
    })()
    expect(error?.mistakes).to.have.length(4)
  })

  it('has a JSON Schema with the same options', () => {
    const { properties } = jsonSchema() as { properties: object }
    expect(Object.keys(properties)).to.have.members(['$schema', ...Object.keys(parseConfig({ admin: {} }))])
  })

  it('is described in CONFIGURATION.md, option by option', () => {
    const path = join(import.meta.dirname, '..', 'CONFIGURATION.md')
    expect(readFileSync(path, 'utf8')).to.equal(gatewayDocument())
  })
})

describe('gateway: an upstream', () => {
  it('may have any name, even one that every object has', () => {
    for (const host of ['constructor', '__proto__', 'valueOf'])
      expect(parseConfig({ upstreams: [{ host }] }).upstreams[0]?.host).to.equal(host)
  })
})

describe('gateway: token buckets', () => {
  it('lets a burst through, then the rate, and keeps keys apart', () => {
    const buckets = new Buckets({ perSecond: 10, burst: 3 })
    const take = (key: string, now: number) => buckets.take(key, now)
    expect([take('a', 0), take('a', 0), take('a', 0), take('a', 0)]).to.deep.equal([true, true, true, false])
    expect(take('b', 0)).to.equal(true)
    expect([take('a', 99), take('a', 100), take('a', 100)]).to.deep.equal([false, true, false])
    expect([take('a', 10_000), take('a', 10_000), take('a', 10_000), take('a', 10_000)]).to.deep.equal([
      true,
      true,
      true,
      false,
    ])
  })

  it('counts an IPv6 network of 64 bits, and an IPv4 address however it is written, as one', () => {
    expect(networkOf('2001:db8::1')).to.equal(networkOf('2001:db8:0:0:ffff::2'))
    expect(networkOf('2001:db8:0:1::1')).not.to.equal(networkOf('2001:db8::1'))
    expect(networkOf('::1')).to.equal('0:0:0:0')
    for (const zone of ['eth0', 'br-1', 'eth0.100'])
      expect(networkOf(`fe80::1%${zone}`)).to.equal('fe80:0:0:0')
    expect(networkOf('::ffff:10.0.0.1')).to.equal(networkOf('10.0.0.1'))
    expect(networkOf('::10.0.0.1')).to.equal('0:0:0:0')
  })
})
