import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import fc from 'fast-check'
import { v5 } from 'mqtt-connect-packet'
import type { Peer } from '../lib/listen/peer.ts'
import { ProxyError, parseProxyHeader, proxyHeader } from '../lib/listen/proxy-protocol.ts'
import { Authority } from './certificates.ts'
import {
  exchange,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Program,
  Running,
  until,
  upstreamOf,
} from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1').toString('hex')
const v1 = (line: string) => Buffer.from(`${line}\r\n`, 'latin1')
const v2 = (hex: string) => Buffer.from(`${SIGNATURE}${hex}`, 'hex')
const TCP4 = '2111000cc0000201c000020204d2075b'
/** IPv4 addresses in an IPv6 header. */
const MAPPED = '2121002400000000000000000000ffffc000020300000000000000000000ffffc000020204d2075b'

const peer: Peer = {
  stream: undefined as never,
  bytesRead: 0,
  bytesWritten: 0,
  complete: () => {},
  join: () => {},
  probeIfSilent: () => {},
  isProxy: false,
  acceptedAt: 0,
  listener: 'l',
  address: '203.0.113.9',
  network: '203.0.113.9',
  port: 50_000,
  localAddress: '198.51.100.1',
  localPort: 8883,
}
const peers: Readonly<Record<string, Peer>> = {
  'an IPv4 client': peer,
  'a client on a link with a name': { ...peer, address: 'fe80::7%br-1' },
  'a client that has just left': { ...peer, localAddress: '' },
  'an IPv6 client': { ...peer, address: '2001:db8::7', localAddress: '::1' },
  'an IPv4 client of an IPv6 listener': { ...peer, localAddress: '2001:db8::1' },
  'a TLS client': { ...peer, serverName: 'a.example', tls: { version: 'TLSv1.3', cipher: 'X' } },
  'a client with a certificate': {
    ...peer,
    tls: { version: 'TLSv1.2', certificate: { commonName: 'é device' } },
  },
}

const malformed: Readonly<Record<string, Buffer>> = {
  'no header': connect5,
  'an address of another family': v1('PROXY TCP4 ::1 ::1 1 2'),
  'a leading zero in a port': v1('PROXY TCP4 1.2.3.4 1.2.3.4 01 2'),
  'a port above 65535': v1('PROXY TCP4 1.2.3.4 1.2.3.4 1 65536'),
  'a missing port': v1('PROXY TCP4 1.2.3.4 1.2.3.4 1'),
  'one word too many': v1('PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3'),
  'two spaces': v1('PROXY TCP4  1.2.3.4 1.2.3.4 1 2'),
  'UDP in version 1': v1('PROXY UDP4 1.2.3.4 1.2.3.4 1 2'),
  'a line without an end': Buffer.from(`PROXY TCP4 ${' '.repeat(200)}`),
  'version 3': v2('3111000cc0000201c000020204d2075b'),
  'an unknown command': v2('2211000cc0000201c000020204d2075b'),
  'UDP in version 2': v2('2112000cc0000201c000020204d2075b'),
  'too few bytes for the addresses': v2('21110004c0000201'),
  'a TLV that does not fit': v2('21110010c0000201c000020204d2075b02000500'),
  'half a TLV': v2('2111000ec0000201c000020204d2075b0200'),
  'a TLS TLV that is too short': v2('21110011c0000201c000020204d2075b20000201ff'),
  'a length of 65535': v2('2111ffff'),
  'a certificate name that is not UTF-8': v2(`2111001b${TCP4.slice(8)}20000c010000000022000464c37669`),
  'a server name that is not UTF-8': v2(`21110013${TCP4.slice(8)}02000464c37669`),
}

describe('gateway: PROXY headers', () => {
  for (const [what, from] of Object.entries(peers)) {
    it(`survive writing and reading: ${what}`, () => {
      const header = parseProxyHeader(proxyHeader(from))
      expect(header?.source?.port).to.equal(50_000)
      expect(header?.destination?.port).to.equal(8883)
      expect(header?.authority).to.equal(from.serverName)
      expect(header?.tls?.commonName).to.equal(from.tls?.certificate?.commonName)
      expect(header?.tls?.verified).to.equal(from.tls && from.tls.certificate !== undefined)
      expect(header?.tls?.cipher).to.equal(from.tls?.cipher)
      expect(header?.tls?.version).to.equal(from.tls?.version)
    })
  }

  it('leave out names that are so long that HAProxy or nginx would refuse them', () => {
    for (const length of [255, 256, 65_536, 70_000]) {
      const name = 'x'.repeat(length)
      const tls = { version: 'TLSv1.3', certificate: { commonName: name } }
      const bytes = proxyHeader({ ...peer, serverName: name, tls })
      const header = parseProxyHeader(bytes)
      const expected = length > 255 ? undefined : name
      expect(header?.length, `${length}`).to.equal(bytes.length)
      expect([header?.tls?.commonName, header?.authority]).to.deep.equal([expected, expected])
      expect(header?.tls?.verified).to.equal(true)
    }
  })

  it('read both versions, LOCAL and UNKNOWN', () => {
    expect(parseProxyHeader(v1('PROXY TCP4 192.0.2.1 192.0.2.2 1234 1883'))).to.deep.equal({
      length: 42,
      source: { address: '192.0.2.1', port: 1234 },
      destination: { address: '192.0.2.2', port: 1883 },
    })
    expect(parseProxyHeader(v1('PROXY TCP6 2001:db8::1 ::1 0 65535'))?.source?.address).to.equal(
      '2001:db8::1',
    )
    expect(parseProxyHeader(v1('PROXY UNKNOWN what ever'))).to.deep.equal({ length: 25 })
    expect(parseProxyHeader(v2(TCP4))?.source).to.deep.equal({ address: '192.0.2.1', port: 1234 })
    expect(parseProxyHeader(v2('20000000'))).to.deep.equal({ length: 16 })
    expect(parseProxyHeader(v2('21000003aabbcc'))).to.deep.equal({ length: 19 })
  })

  for (const [what, bytes] of Object.entries(malformed)) {
    it(`are refused: ${what}`, () => {
      expect(() => parseProxyHeader(bytes)).to.throw(ProxyError)
    })
  }

  it('give the same text for an address, however version 1 writes it', () => {
    for (const [written, text] of [
      ['2001:DB8::A', '2001:db8::a'],
      ['2001:0db8:0000:0:0:0:0:000a', '2001:db8::a'],
      ['::FFFF:192.0.2.1', '::ffff:c000:201'],
      ['0:0:0:0:0:ffff:192.0.2.1', '::ffff:c000:201'],
      ['::10.1.2.3', '::a01:203'],
      ['fe80::A%eth-0', 'fe80::a'],
    ] as const) {
      const header = parseProxyHeader(v1(`PROXY TCP6 ${written} ${written} 1 2`))
      expect([header?.source?.address, header?.destination?.address], written).to.deep.equal([text, text])
    }
  })

  it('need all their bytes, and no more', () => {
    const all = [
      v1('PROXY TCP4 192.0.2.1 192.0.2.2 1234 1883'),
      v2(TCP4),
      ...Object.values(peers).map(proxyHeader),
    ]
    for (const bytes of all) {
      for (let length = 0; length < bytes.length; length++) {
        expect(parseProxyHeader(bytes.subarray(0, length)), `${length} bytes`).to.equal(undefined)
      }
      const header = parseProxyHeader(Buffer.concat([bytes, connect5]))
      expect(header?.length).to.equal(bytes.length)
      expect(header).to.deep.equal(parseProxyHeader(bytes))
    }
  })

  it('give a header or a ProxyError, whatever the bytes', () => {
    const seeds = [
      v1('PROXY TCP4 192.0.2.1 192.0.2.2 1234 1883'),
      v2(TCP4),
      ...Object.values(peers).map(proxyHeader),
    ]
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 })
    let valid = 0
    fc.assert(
      fc.property(fc.constantFrom(...seeds), edits, fc.nat(20), (seed, changes, cut) => {
        const bytes = Buffer.from(seed.subarray(0, seed.length - (cut > 10 ? 0 : cut)))
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        try {
          const header = parseProxyHeader(bytes)
          if (header !== undefined && header.length > bytes.length) throw new Error('too long')
          if (header?.source) valid++
        } catch (error) {
          if (!(error instanceof ProxyError)) throw error
        }
      }),
      { numRuns: 20_000 },
    )
    expect(valid).to.be.above(1000)
  })
})

describe('gateway: PROXY headers of connections', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running | undefined
  const programs: Program[] = []
  /** The client ids that reach the broker show the values that the template was given. */
  const seen: string[] = []

  before(async () => {
    broker = await FakeBroker.answering((packet) => seen.push(packet.clientId))
  })

  afterEach(async () => {
    gateway?.close()
    for (const program of programs.splice(0)) await program.stop()
    seen.length = 0
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  async function start(trusted: string, more: object = {}): Promise<number> {
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: [{ port: 0, proxyProtocol: { trusted: [trusted], timeout: 0.2 } }],
      rewrite: { clientId: '{address}' },
      ...more,
    })
    return gateway.port()
  }

  async function haproxy(text: string): Promise<number> {
    const port = await freePort()
    const timeouts = 'timeout connect 2s\n timeout client 5s\n timeout server 5s'
    const path = folder.write(
      `haproxy-${port}.cfg`,
      `defaults\n mode tcp\n ${timeouts}\n${text.replaceAll('PORT', `${port}`)}\n`,
    )
    programs.push(await Program.start(port, 'haproxy', '-f', path, '-db'))
    return port
  }

  it('gives the address of the client to the later stages, however the header is split', async () => {
    const port = await start('127.0.0.0/8')
    const headers = [
      v1('PROXY TCP4 203.0.113.9 192.0.2.2 1234 1883'),
      v2(TCP4),
      v2(MAPPED),
      v1('PROXY TCP6 ::ffff:192.0.2.4 ::ffff:192.0.2.2 1234 1883'),
      v2('20000000'),
    ]
    for (const header of headers) {
      const bytes = Buffer.concat([header, connect5])
      for (const cut of [1, header.length - 1, header.length, header.length + 1]) {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        socket.write(bytes.subarray(0, cut))
        await new Promise((resolve) => setTimeout(resolve, 5))
        socket.write(bytes.subarray(cut))
        expect((await once(socket, 'data'))[0].toString('hex')).to.equal('2003000000')
        socket.destroy()
      }
    }
    expect([...new Set(seen)]).to.deep.equal([
      '203.0.113.9',
      '192.0.2.1',
      '192.0.2.3',
      '192.0.2.4',
      '127.0.0.1',
    ])
  })

  it('counts limits by that address', async () => {
    const port = await start('127.0.0.1', { limits: { perAddress: { perSecond: 0.01, burst: 1 } } })
    const from = (address: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(Buffer.concat([v1(`PROXY TCP4 ${address} 192.0.2.2 1 2`), connect5]))
      return Promise.race([
        once(socket, 'data').then(() => true),
        once(socket, 'close').then(() => false),
      ]).finally(() => socket.destroy())
    }
    expect(await from('203.0.113.1')).to.equal(true)
    expect(await from('203.0.113.1')).to.equal(false)
    expect(await from('203.0.113.2')).to.equal(true)
  })

  it('are not believed from other networks, must come in time, and must be valid', async () => {
    const wary = await start('10.0.0.0/8')
    expect(await exchange(wary, v1('PROXY TCP4 10.0.0.1 192.0.2.2 1 2'), connect5)).to.have.length(0)
    expect(await exchange(wary, connect5)).to.have.length(0)
    expect(await gateway?.metric('limited_total')).to.equal(2)
    gateway!.close()
    expect(gateway!.report.lines).to.deep.equal(['limited 127.0.0.1 untrusted-proxy 2'])
    const port = await start('127.0.0.0/8')
    const began = performance.now()
    expect(await exchange(port, Buffer.from('PROX'))).to.have.length(0)
    expect(performance.now() - began).to.be.above(150)
    for (const bytes of Object.values(malformed)) expect(await exchange(port, bytes)).to.have.length(0)
    expect(seen).to.deep.equal([])
    await until(async () => (await gateway?.metric('connections_open')) === 0)
    expect(await gateway?.metric('handshakes_failed_total')).to.equal(1 + Object.keys(malformed).length)
  })

  for (const option of ['send-proxy', 'send-proxy-v2']) {
    it(`come from HAProxy with ${option}`, async function () {
      needs(this, 'haproxy')
      const port = await start('127.0.0.1')
      const front = await haproxy(
        `listen front\n bind 127.0.0.1:PORT\n source 127.0.0.1\n server gateway 127.0.0.1:${port} ${option}`,
      )
      const socket = connect(front, '127.0.0.1')
      socket.write(connect5)
      expect((await once(socket, 'data'))[0].toString('hex')).to.equal('2003000000')
      expect(seen).to.deep.equal(['127.0.0.1'])
      socket.destroy()
    })
  }

  it('carry the certificate name of HAProxy, and user name checks use it', async function () {
    needs(this, 'haproxy', 'openssl')
    const authority = new Authority(folder)
    const server = authority.issue('localhost', 'DNS:localhost')
    const device = authority.issue('device-7')
    const pem = folder.write('both.pem', server.certPem + server.keyPem)
    const port = await start('127.0.0.1', { rewrite: { clientId: '{certificateName}@{serverName}' } })
    const front = await haproxy(
      `listen front\n bind 127.0.0.1:PORT ssl crt ${pem} ca-file ${authority.file} verify optional\n` +
        ` server gateway 127.0.0.1:${port} send-proxy-v2-ssl-cn proxy-v2-options ssl,cert-cn,authority`,
    )
    const options = { port: front, host: '127.0.0.1', ca: authority.pem, servername: 'localhost' }
    const socket = connectTls({ ...options, cert: device.certPem, key: device.keyPem })
    socket.write(connect5)
    expect((await once(socket, 'data'))[0].toString('hex')).to.equal('2003000000')
    expect(seen).to.deep.equal(['device-7@localhost'])
    const without = connectTls(options)
    without.write(connect5)
    expect((await once(without, 'data'))[0].toString('hex')).to.equal('2003008700')
    for (const one of [socket, without]) one.destroy()
  })

  it('carry the certificate name, which becomes the user name', async () => {
    const rewrite = { clientId: '{userName}' }
    const port = await start('127.0.0.1', { authentication: { certificate: {} }, rewrite })
    const verified = { tls: { version: 'TLSv1.3', certificate: { commonName: 'device-7' } } }
    for (const [more, code] of [
      [verified, 0],
      [{ tls: { version: 'TLSv1.3' } }, 0x87],
    ] as const) {
      const header = proxyHeader({ ...peer, ...more })
      const socket = connect(port, '127.0.0.1')
      socket.write(Buffer.concat([header, connect5]))
      const [answer] = await once(socket, 'data')
      socket.destroy()
      expect(answer.toString('hex')).to.equal(`200300${code.toString(16).padStart(2, '0')}00`)
    }
    expect(seen).to.deep.equal(['device-7'])
  })

  it('carry a server name, which counts in lower case, and not at all if it is not ASCII', async () => {
    const port = await start('127.0.0.1', { rewrite: { clientId: '{serverName}' } })
    for (const [serverName, answer] of [
      ['A.Kb.Example', '2003000000'],
      // In lower case it's a k, and rules ignore the case.
      ['a.\u212Ab.example', '2003008700'],
    ] as const) {
      const header = proxyHeader({ ...peer, serverName, tls: { version: 'TLSv1.3' } })
      const socket = connect(port, '127.0.0.1')
      socket.write(Buffer.concat([header, connect5]))
      expect((await once(socket, 'data'))[0].toString('hex')).to.equal(answer)
      socket.destroy()
    }
    expect(seen).to.deep.equal(['a.kb.example'])
  })

  it('are understood by HAProxy, with the client address and the server name', async function () {
    needs(this, 'haproxy', 'openssl')
    const authority = new Authority(folder)
    const { certificate, key } = authority.issue('tls.example', 'DNS:tls.example')
    const back = await haproxy(
      `listen back\n bind 127.0.0.1:PORT accept-proxy\n tcp-request inspect-delay 5s\n tcp-request content reject unless { src 203.0.113.9 }\n` +
        ` tcp-request content reject unless { fc_pp_authority -m str tls.example }\n server broker 127.0.0.1:${broker.port}`,
    )
    gateway = await Running.start({
      upstreams: [{ host: '127.0.0.1', port: back, proxyProtocol: 2 }],
      listeners: [
        { port: 0, proxyProtocol: { trusted: ['127.0.0.1'] }, tls: { certificates: [{ certificate, key }] } },
      ],
    })
    const from = async (address: string, servername: string) => {
      const raw = connect(gateway!.port(), '127.0.0.1')
      raw.write(v1(`PROXY TCP4 ${address} 192.0.2.2 1 2`))
      const socket = connectTls({
        socket: raw,
        servername,
        ca: authority.pem,
        checkServerIdentity: () => undefined,
      })
      socket.write(connect5)
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return answer.toString('hex')
    }
    expect(await from('203.0.113.9', 'tls.example')).to.equal('2003000000')
    expect(await from('203.0.113.8', 'tls.example')).to.equal('2003008800')
    expect(await from('203.0.113.9', 'other.example')).to.equal('2003008800')
  })
})
