import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { WebSocket } from 'ws'
import {
  configOf,
  exchange,
  FakeBroker,
  leastTime,
  Running,
  refusalCode,
  until,
  upstreamOf,
} from './support.ts'

const upgrade = [
  'GET /mqtt?token=sesame HTTP/1.1',
  'Host: gateway',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Protocol: mqtt',
]
/** The upgrade request with one line replaced. */
const changed = (from: RegExp, to: string) =>
  `${upgrade.map((line) => (from.test(line) ? to : line)).join('\r\n')}\r\n\r\n`

/** Invalid requests, each with the answer's status and the reason in the log. */
const requests: Readonly<Record<string, readonly [request: string, status: number, reason: string]>> = {
  'an ordinary request': [
    'GET /mqtt?token=sesame HTTP/1.1\r\nHost: gateway\r\n\r\n',
    426,
    'the request is GET /mqtt and not for a WebSocket',
  ],
  'a request with a fragment': [
    'GET /mqtt#token=sesame HTTP/1.1\r\nHost: gateway\r\n\r\n',
    426,
    'the request is GET /mqtt and not for a WebSocket',
  ],
  'a request with a long path': [
    `GET /${'a'.repeat(8000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    426,
    `the request is GET /${'a'.repeat(255)}…(8001 characters) and not for a WebSocket`,
  ],
  'a request for a tunnel': [
    'CONNECT broker:1883 HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'the request is CONNECT broker:1883 and not for a WebSocket',
  ],
  'a request with a password in its address': [
    'GET http://alice:sesame@gateway/mqtt HTTP/1.1\r\nHost: x\r\n\r\n',
    426,
    'the request is GET http://gateway/mqtt and not for a WebSocket',
  ],
  'a request for a tunnel with a password': [
    'CONNECT alice:sesame@broker:1883 HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'the request is CONNECT broker:1883 and not for a WebSocket',
  ],
  'a request without a host': [
    'GET /mqtt HTTP/1.1\r\n\r\n',
    426,
    'the request is GET /mqtt and not for a WebSocket',
  ],
  'a request with an expectation': [
    'POST / HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\n\r\n',
    426,
    'the request is POST / and not for a WebSocket',
  ],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, "the client doesn't speak HTTP"],
  'empty lines before the request': [
    '\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
    426,
    'the request is GET / and not for a WebSocket',
  ],
  'two requests at once': [
    'POST / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2),
    426,
    'the request is POST / and not for a WebSocket',
  ],
  'another path': [
    changed(/GET/, 'GET /other?token=sesame HTTP/1.1'),
    400,
    'the request is for a WebSocket at "/other", not at /mqtt',
  ],
  'another protocol': [
    changed(/Protocol/, 'X: y'),
    400,
    'the request for a WebSocket offers no protocol named mqtt',
  ],
  'no key': [
    changed(/Key/, 'X: y'),
    400,
    'the request for a WebSocket is invalid: Missing or invalid Sec-WebSocket-Key header',
  ],
  'an unknown version': [
    changed(/Version/, 'Sec-WebSocket-Version: 99'),
    400,
    'the request for a WebSocket is invalid: Missing or invalid Sec-WebSocket-Version header',
  ],
  'what is not HTTP': ['\x10\x0c\0\x04MQTT\x04\x02\0\x3c\0\0', 400, "the client doesn't speak HTTP"],
}

describe('gateway: refusals of a WebSocket listener', () => {
  let gateway: Running
  const listeners = [{ port: 0, websocket: {} }]

  beforeEach(async () => {
    gateway = await Running.start({
      listeners,
      upstreams: [{ host: '127.0.0.1', port: 1 }],
      limits: { handshakeTimeout: 0.3 },
    })
  })

  afterEach(() => gateway.close())

  for (const [what, [request, status, reason]] of Object.entries(requests)) {
    it(`${what}: leaves one line and is counted once`, async () => {
      const answer = await exchange(gateway.port(), Buffer.from(request, 'latin1'))
      expect(answer.toString('latin1', 0, 12)).to.equal(`HTTP/1.1 ${status}`)
      const line = `refused ${reason}`
      expect(gateway.report.lines).to.deep.equal([line])
      expect(await gateway.metric('handshakes_failed_total')).to.equal(1)
      await until(() => gateway.gateway.open.total === 0)
    })
  }

  for (const [what, [request]] of Object.entries(requests)) {
    it(`${what}, with a reset after the answer: doesn't end the process`, async () => {
      const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
      socket.write(request, 'latin1')
      await once(socket, 'data')
      socket.resetAndDestroy()
      await until(() => gateway.gateway.open.total === 0)
      expect(await gateway.metric('handshakes_failed_total')).to.equal(1)
    })
  }

  for (const [what, leave] of Object.entries({
    'a reset': (socket: Socket) => socket.resetAndDestroy(),
    'half a request that is never completed': () => {},
  })) {
    it(`${what}: leaves one line`, async () => {
      const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
      socket.write(changed(/GET/, 'GET /mqtt HTTP/1.1').slice(0, 60))
      await once(socket, 'connect')
      await until(() => gateway.gateway.open.all().some(({ bytesRead }) => bytesRead > 0))
      leave(socket)
      await until(() => gateway.gateway.open.total === 0)
      socket.destroy()
      expect(gateway.report.lines).to.have.length(1)
      expect(gateway.report.lines[0]).to.match(/^(left|refused) the client \S/)
    })
  }

  it('more pings at once than ws answers: leave one line, before and within a CONNECT', async () => {
    const pings = Buffer.alloc(61 * 6, Buffer.of(0x89, 0x80, 0, 0, 0, 0))
    for (const first of [Buffer.alloc(0), Buffer.of(0x82, 0x82, 0, 0, 0, 0, 0x10, 0x0c)]) {
      const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
      socket.write(changed(/GET/, 'GET /mqtt HTTP/1.1'))
      await once(socket, 'data')
      socket.resume().write(Buffer.concat([first, pings]))
      await until(() => gateway.gateway.open.total === 0)
    }
    const line = 'refused the client sent more pings at once than the gateway can answer'
    expect(gateway.report.lines).to.deep.equal([line, line])
    expect(await gateway.metric('handshakes_failed_total')).to.equal(2)
  })

  it('a list of protocols of blanks only: costs no more than one of letters', async () => {
    const cost = async (filling: string) => {
      const request = changed(/Protocol/, `Sec-WebSocket-Protocol: a${filling.repeat(15_000)}b`)
      return leastTime(() => exchange(gateway.port(), Buffer.from(request)), 5)
    }
    await cost('x')
    const [letters, blanks] = [await cost('x'), await cost(' ')]
    expect(blanks).to.be.below(5 * letters + 50_000)
    expect(gateway.report.lines.at(-1)).to.contain(
      'the request for a WebSocket offers no protocol named mqtt',
    )
  })

  it('a client that ends in the middle of its request: has left', async () => {
    const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
    socket.end(changed(/GET/, 'GET /mqtt HTTP/1.1').slice(0, 60))
    await until(() => gateway.report.lines.length > 0)
    expect(gateway.report.lines).to.deep.equal([
      'left the client closed the connection in the WebSocket handshake',
    ])
  })

  it('thousands of requests at once: cost no more than one', async () => {
    const cost = async (count: number) => {
      const requests = Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(count))
      return leastTime(() => exchange(gateway.port(), requests), 5)
    }
    await cost(1)
    const [one, many] = [await cost(1), await cost(3500)]
    expect(many).to.be.below(5 * one + 50_000)
    expect(gateway.report.lines).to.have.length(15)
  })

  it('a request that comes byte by byte: leaves one line', async () => {
    const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const socket = connect(gateway.port(), '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    for (const byte of bytes) {
      socket.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    const [answer] = await once(socket, 'data')
    expect(answer.toString('latin1', 0, 12)).to.equal('HTTP/1.1 426')
    socket.destroy()
    expect(gateway.report.lines).to.deep.equal(['refused the request is GET / and not for a WebSocket'])
  })

  it('not a probe, which sends nothing', async () => {
    const socket = connect(gateway.port(), '127.0.0.1')
    await once(socket, 'connect')
    socket.end()
    await until(async () => (await gateway.metric('probes_total')) === 1)
    expect(gateway.report.lines).to.deep.equal([])
  })
})

describe('gateway: a WebSocket client that resets its connection while its password is checked', () => {
  for (const [what, more] of Object.entries({ nothing: '', 'bytes that nobody has read': 'c000' })) {
    it(`has left, with ${what} after the CONNECT`, async () => {
      const service = await FakeBroker.start(() => {})
      const gateway = await Running.start({
        listeners: [{ port: 0, websocket: {} }],
        upstreams: [{ host: '127.0.0.1', port: 1 }],
        authentication: { http: { url: `http://127.0.0.1:${service.port}`, timeout: 60 } },
      })
      const socket = connect(gateway.port(), '127.0.0.1')
      const url = `ws://127.0.0.1:${gateway.port()}/mqtt`
      const client = new WebSocket(url, 'mqtt', { createConnection: () => socket })
      await once(client, 'open')
      const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' })
      client.send(Buffer.concat([bytes, Buffer.from(more, 'hex')]))
      await until(() => service.sockets.length > 0)
      socket.resetAndDestroy()
      await until(() => gateway.gateway.open.total === 0)
      expect(gateway.report.lines.at(-1)).to.equal(
        'left the client reset the connection before it had an answer',
      )
      gateway.close()
      service.close()
    })
  }
})

describe('gateway: a WebSocket client of MQTT 3.1, which offers only the protocol mqttv3.1', () => {
  const client = { protocol: 'ws', path: '/mqtt', protocolId: 'MQIsdp', protocolVersion: 3 } as const

  for (const [what, allow, outcome] of [
    ['learns by default that its version is refused', [], 1],
    ['is served if its version is allowed', ['protocol-mqtt-3-1'], 'accepted'],
  ] as const) {
    it(what, async () => {
      const broker = await FakeBroker.start((socket) =>
        socket.once('data', () => socket.write(Buffer.from('20020000', 'hex'))),
      )
      const gateway = await Running.start({
        listeners: [{ port: 0, websocket: {} }],
        upstreams: [upstreamOf(broker)],
        limits: { allow },
      })
      expect(await refusalCode(gateway.port(), client)).to.equal(outcome)
      gateway.close()
      broker.close()
    })
  }
})

describe('gateway: the origins of a WebSocket listener', () => {
  let gateway: Running

  before(async () => {
    const websocket = { origins: ['https://app.example', 'https://Other.example:8443', 'null'] }
    gateway = await Running.start({
      listeners: [{ port: 0, websocket }],
      upstreams: [{ host: '127.0.0.1', port: 1 }],
    })
  })

  after(() => gateway.close())

  const statusFor = async (...headers: string[]) => {
    const socket = connect(gateway.port(), '127.0.0.1').on('error', () => {})
    socket.write(`${[...upgrade, ...headers].join('\r\n')}\r\n\r\n`)
    const [bytes] = await once(socket, 'data')
    socket.destroy()
    return Number((bytes as Buffer).toString('latin1', 9, 12))
  }

  it('admit their pages, and clients that are no browsers', async () => {
    expect(await statusFor('Origin: https://app.example')).to.equal(101)
    expect(await statusFor('Origin: https://other.example:8443')).to.equal(101)
    expect(await statusFor('Origin: HTTPS://APP.example')).to.equal(101)
    expect(await statusFor('Origin: null')).to.equal(101)
    expect(await statusFor()).to.equal(101)
  })

  it('keep other pages out with 403, a line in the log, and a count', async () => {
    const others = [
      ['https://evil.example'],
      ['http://app.example'],
      ['https://app.example.evil.example'],
      ['https://app.example:444'],
      [''],
      ['https://app.example', 'https://evil.example'],
    ]
    for (const origins of others)
      expect(await statusFor(...origins.map((origin) => `Origin: ${origin}`)), `${origins}`).to.equal(403)
    expect(gateway.report.lines[0]).to.equal(
      `refused the page's origin is not in the list: "https://evil.example"`,
    )
    expect(gateway.report.lines).to.have.length(others.length)
    expect(await gateway.metric('handshakes_failed_total')).to.equal(others.length)
    expect(await statusFor('Sec-WebSocket-Origin: https://evil.example')).to.equal(403)
  })

  it('must be origins, as browsers send them', () => {
    for (const origin of ['app.example', 'https://app.example/', 'https://app.example/app', 'https://*', '*'])
      expect(() => configOf({ listeners: [{ websocket: { origins: [origin] } }] }), origin).to.throw(
        /^listeners\[0\]\.websocket\.origins\[0\]: must be an origin/,
      )
    for (const origin of ['https://app.example:443', 'HTTP://app.example:80'])
      expect(() => configOf({ listeners: [{ websocket: { origins: [origin] } }] }), origin).to.throw(
        /^listeners\[0\]\.websocket\.origins\[0\]: must not have the default port/,
      )
  })
})
