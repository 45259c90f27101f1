import { type EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { v5 } from 'mqtt-connect-packet'
import { WebSocket } from 'ws'
import { Authority, type Certificate } from './certificates.ts'
import {
  configOf,
  exchange,
  FakeBroker,
  Folder,
  freePort,
  needs,
  type Program,
  Running,
  sleep,
  startMosquitto,
  until,
  upstreamOf,
} from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const CONNACK = '2003000000'

describe('gateway: TLS and WebSocket', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let authority: Authority
  let first: Certificate
  let second: Certificate
  let device: Certificate
  let broker: Program
  let gateway: Running | undefined

  before(async function () {
    needs(this, 'mosquitto', 'openssl')
    authority = new Authority(folder)
    first = authority.issue('first.example', 'DNS:first.example', 'DNS:localhost')
    second = authority.issue('second.example', 'DNS:*.second.example')
    device = authority.issue('device-7', 'email:seven@example.org')
    broker = await startMosquitto(folder)
  })

  afterEach(async () => {
    gateway?.close()
    await until(
      () => gateway === undefined || (gateway.gateway.open.total === 0 && gateway.gateway.open.pending === 0),
    )
    gateway = undefined
  })

  after(async () => {
    await broker?.stop()
    folder.remove()
  })

  async function start(listener: object, more: object = {}): Promise<number> {
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: [{ port: 0, ...listener }],
      ...more,
    })
    return gateway.port()
  }

  function tls(more: object = {}): object {
    return {
      tls: { certificates: [first, second].map(({ certificate, key }) => ({ certificate, key })), ...more },
    }
  }

  const ways: Readonly<Record<string, { listener: () => object; url: (port: number) => string }>> = {
    TLS: { listener: () => tls(), url: (port) => `mqtts://localhost:${port}` },
    WebSocket: { listener: () => ({ websocket: {} }), url: (port) => `ws://127.0.0.1:${port}/mqtt` },
    'WebSocket over TLS': {
      listener: () => ({ ...tls(), websocket: {} }),
      url: (port) => `wss://localhost:${port}/mqtt`,
    },
  }
  for (const [way, { listener, url }] of Object.entries(ways)) {
    for (const protocolVersion of [4, 5] as const) {
      it(`serves MQTT.js over ${way}, MQTT ${protocolVersion}, with a payload of 1 MB and all QoS`, async () => {
        const port = await start(listener())
        const options = { protocolVersion, ca: authority.pem, reconnectPeriod: 0 } as const
        const client = await mqtt.connectAsync(url(port), options)
        const other = await mqtt.connectAsync(url(port), options)
        await client.subscribeAsync('t', { qos: 2 })
        const sent = Buffer.alloc(1 << 20, 'payload ')
        for (const qos of [0, 1, 2] as const) {
          const received: Promise<unknown[]> = once(client as unknown as EventEmitter, 'message')
          await other.publishAsync('t', sent, { qos })
          expect(sent.equals((await received)[1] as Buffer)).to.equal(true)
        }
        await client.endAsync()
        await other.endAsync()
      })
    }
  }

  async function tlsClient(port: number, options: object = {}): Promise<TLSSocket> {
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      ca: authority.pem,
      servername: 'localhost',
      ...options,
    })
    await once(socket, 'secureConnect')
    return socket
  }

  for (const [what, { listener, url }] of Object.entries(ways)) {
    it(`gives the broker everything that a client over ${what} sends before it leaves, however slowly the broker reads`, async () => {
      let received = 0
      const slow = await FakeBroker.answering((_packet, socket) =>
        socket.on('data', ({ length }) => (received += length)).pause(),
      )
      const port = await start(listener(), { upstreams: [upstreamOf(slow)] })
      const isWebSocket = url(port).startsWith('ws')
      const client = isWebSocket
        ? new WebSocket(url(port), 'mqtt', { ca: authority.pem })
        : connectTls({ port, host: 'localhost', ca: authority.pem })
      if (client instanceof WebSocket) await once(client, 'open')
      const send = (bytes: Uint8Array) =>
        client instanceof WebSocket ? client.send(bytes) : client.write(bytes)
      send(connect5)
      await once(client as EventEmitter, isWebSocket ? 'message' : 'data')
      let sent = 0
      // Until the broker's socket is full.
      while (!gateway!.gateway.open.all()[0]!.stream.isPaused()) {
        send(Buffer.alloc(16_000))
        sent += 16_000
        await sleep(1)
      }
      if (client instanceof WebSocket) client.close()
      else client.end()
      await sleep(300)
      await once(slow.sockets[0]!.resume(), 'end')
      expect(received).to.equal(sent)
      slow.close()
    })
  }

  it('has the server name in lower case', async () => {
    let userName: string | undefined
    const fake = await FakeBroker.reading((packet, socket) => {
      userName = packet.userName
      socket.destroy()
    })
    const port = await start(tls(), {
      upstreams: [upstreamOf(fake)],
      rewrite: { userName: '{serverName}' },
    })
    const socket = await tlsClient(port, {
      servername: 'A.Second.example',
      checkServerIdentity: () => undefined,
    })
    socket.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'one' }).bytes)
    await until(() => userName !== undefined)
    expect(userName).to.equal('a.second.example')
    socket.destroy()
    fake.close()
  })

  it('chooses the certificate by the server name', async () => {
    const port = await start(tls())
    const chosen = async (servername: string) => {
      const socket = await tlsClient(port, { servername, checkServerIdentity: () => undefined })
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      return CN
    }
    expect(await chosen('first.example')).to.equal('first.example')
    expect(await chosen('a.second.example')).to.equal('second.example')
    expect(await chosen('unknown.example')).to.equal('first.example')
    expect(await chosen('')).to.equal('first.example')
  })

  it('tells apart connections from one client port to two addresses', async function () {
    // Only on Linux does all of 127.0.0.0/8 lead to this machine.
    if (process.platform !== 'linux') this.skip()
    const received: (string | undefined)[] = []
    const fake = await FakeBroker.answering((packet) => received.push(packet.userName))
    const port = await start(
      { ...tls(), host: '0.0.0.0', proxyProtocol: { trusted: ['127.0.0.0/8'] } },
      { upstreams: [upstreamOf(fake)], rewrite: { userName: '{address}' } },
    )
    const localPort = await freePort()
    const sockets = ['127.0.0.1', '127.0.0.2'].map((host) =>
      connect({ host, port, localAddress: '127.0.0.1', localPort }),
    )
    for (const [i, socket] of sockets.entries()) socket.write(`PROXY TCP4 10.0.0.${i} 10.9.9.9 1 1\r\n`)
    await until(() => gateway?.gateway.open.total === 2)
    for (const [i, socket] of sockets.entries()) {
      const secured = connectTls({ socket, servername: 'localhost', ca: authority.pem })
      secured.write(connect5)
      expect((await once(secured, 'data'))[0].toString('hex')).to.equal(CONNACK)
      expect(received[i]).to.equal(`10.0.0.${i}`)
    }
    for (const socket of sockets) socket.destroy()
    fake.close()
  })

  it('replaces the certificate on a reload, and keeps open connections', async () => {
    const config = (listenPort: number, { certificate, key }: { certificate: string; key: string }) => ({
      upstreams: [upstreamOf(broker)],
      listeners: [{ port: listenPort, tls: { certificates: [{ certificate, key }] } }],
    })
    const port = await freePort()
    gateway = await Running.start(config(port, first))
    const client = await mqtt.connectAsync(`mqtts://localhost:${port}`, {
      ca: authority.pem,
      reconnectPeriod: 0,
    })
    const renewed = authority.issue('renewed.example', 'DNS:localhost')
    const bad = configOf(config(port, { ...renewed, certificate: folder.write('bad.pem', 'x') }))
    const refused = await gateway.gateway.reload(bad).catch((error) => error)
    expect(refused?.message).to.match(/bad\.pem: has no certificate in PEM that can be read$/)
    const before = await tlsClient(port)
    expect(before.getPeerCertificate().subject.CN).to.equal('first.example')
    before.destroy()
    await gateway.gateway.reload(configOf(config(port, renewed)))
    const after = await tlsClient(port)
    expect(after.getPeerCertificate().subject.CN).to.equal('renewed.example')
    after.destroy()
    await client.publishAsync('t', 'still connected', { qos: 1 })
    await client.endAsync()
  })

  it('takes the user name from a client certificate, and refuses clients without one', async () => {
    const fake = await FakeBroker.answering((packet) => names.push(packet.userName))
    const names: unknown[] = []
    const clientCertificates = { authorities: authority.file, required: false }
    for (const userName of ['commonName', 'email', 'dns']) {
      const port = await start(tls({ clientCertificates }), {
        upstreams: [upstreamOf(fake)],
        authentication: { certificate: { userName } },
      })
      const known = await tlsClient(port, { cert: device.certPem, key: device.keyPem })
      known.write(connect5)
      const [answer] = await once(known, 'data')
      expect(answer.toString('hex')).to.equal(userName === 'dns' ? '2003008700' : CONNACK)
      const unknown = await tlsClient(port)
      unknown.write(connect5)
      expect((await once(unknown, 'data'))[0].toString('hex')).to.equal('2003008700')
      const own = new Authority(new Folder()).issue('device-7')
      const forged = await tlsClient(port, { cert: own.certPem, key: own.keyPem })
      forged.write(connect5)
      expect((await once(forged, 'data'))[0].toString('hex')).to.equal('2003008700')
      for (const socket of [known, unknown, forged]) socket.destroy()
      gateway?.close()
    }
    expect(names).to.deep.equal(['device-7', 'seven@example.org'])
    fake.close()
  })

  it('ends the TLS handshake of a client without a required certificate', async () => {
    const port = await start(tls({ clientCertificates: { authorities: authority.file } }))
    const forged = new Authority(new Folder()).issue('device-7')
    for (const [certificate, reason] of [
      [undefined, 'the client has no certificate'],
      // Signed by an authority with the same name but a different key.
      [forged, 'the client has a certificate whose signature is invalid'],
    ] as const) {
      const socket = connectTls({
        ...{ port, host: '127.0.0.1', ca: authority.pem, servername: 'localhost' },
        ...(certificate && { cert: certificate.certPem, key: certificate.keyPem }),
      })
      socket.on('error', () => {}).on('secureConnect', () => socket.write(connect5))
      let received = 0
      socket.on('data', ({ length }) => {
        received += length
      })
      await once(socket as EventEmitter, 'close')
      expect(received).to.equal(0)
      await until(() => gateway!.report.lines.includes(`refused ${reason}`))
    }
  })

  it('drops and counts connections without TLS, and stalled TLS handshakes', async () => {
    const port = await start(tls(), { limits: { handshakeTimeout: 0.2 } })
    await exchange(port, connect5)
    await exchange(port, Buffer.from('160301', 'hex'))
    await until(async () => (await gateway?.metric('handshakes_failed_total')) === 2)
  })

  it('accepts a CONNECT that is split over WebSocket messages, and what shares a message with it', async () => {
    const port = await start({ websocket: {} })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt')
    await once(socket, 'open')
    for (const byte of connect5.subarray(0, -1)) socket.send(Buffer.of(byte))
    socket.send(Buffer.concat([connect5.subarray(-1), Buffer.from('c000', 'hex')]))
    let received = Buffer.alloc(0)
    socket.on('message', (data: Buffer) => {
      received = Buffer.concat([received, data])
    })
    await until(() => received.toString('hex').endsWith('d000'))
    expect(received[0]).to.equal(0x20)
    socket.terminate()
  })

  it('forwards nothing after a text message, and closes the connection even if the client does not', async () => {
    const received: Buffer[] = []
    const fake = await FakeBroker.answering((_packet, socket) =>
      socket.on('data', (bytes) => received.push(bytes)),
    )
    const port = await start({ websocket: {} }, { upstreams: [upstreamOf(fake)] })
    const asked = request({
      port,
      path: '/mqtt',
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': 'mqtt',
      },
    }).end()
    const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket]
    const frame = (type: number, bytes: Uint8Array) =>
      socket.write(Buffer.concat([Buffer.of(0x80 | type, 0x80 | bytes.length, 0, 0, 0, 0), bytes]))
    frame(2, connect5)
    await once(socket, 'data')
    frame(2, Buffer.of(0xc0, 0))
    frame(1, Buffer.from('text'))
    frame(2, Buffer.of(0xe0, 0))
    await once(socket.resume(), 'close')
    expect(Buffer.concat(received).toString('hex')).to.equal('c000')
    fake.close()
  })

  it('refuses text messages, other paths, other protocols and plain HTTP', async () => {
    const port = await start({ websocket: { path: '/here' } })
    const text = new WebSocket(`ws://127.0.0.1:${port}/here?x=1`, 'mqtt')
    await once(text, 'open')
    text.send('text')
    expect((await once(text, 'close'))[0]).to.equal(1003)
    for (const [path, protocol] of [
      ['/other', 'mqtt'],
      ['/here', 'amqp'],
    ] as const) {
      const [error] = await once(new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol), 'error')
      expect(error.message).to.contain('400')
    }
    const [response] = await once(request(`http://127.0.0.1:${port}/here`).end(), 'response')
    expect(response.statusCode).to.equal(426)
    response.resume()
  })

  it('restarts the keep alive for data over TLS and WebSocket: only a silent client is closed', async () => {
    // Not mosquitto, because it counts whole seconds and would close the silent connection earlier.
    const patient = await FakeBroker.answering((_packet, socket) => socket.resume())
    const port = await start({ ...tls(), websocket: {} }, { upstreams: [upstreamOf(patient)] })
    const idle = new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'idle' }).bytes
    const open = async () => {
      const socket = new WebSocket(`wss://localhost:${port}/mqtt`, 'mqtt', { ca: authority.pem })
      await once(socket, 'open')
      socket.send(idle)
      return socket
    }
    const sending = await open()
    const timer = setInterval(() => sending.send(Buffer.from('c000', 'hex')), 400)
    const began = performance.now()
    await once(await open(), 'close')
    expect(performance.now() - began).to.be.above(1490)
    expect(sending.readyState).to.equal(WebSocket.OPEN)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(sending.readyState).to.equal(WebSocket.OPEN)
    clearInterval(timer)
    sending.terminate()
    patient.close()
  })

  it('counts a probe of a TLS listener, and logs nothing', async () => {
    const port = await start(tls())
    connect(port, '127.0.0.1').end()
    await until(async () => (await gateway?.metric('probes_total')) === 1)
    expect(await gateway?.metric('handshakes_failed_total')).to.equal(0)
    expect(gateway?.report.lines).to.deep.equal([])
  })

  it('answers an invalid CONNECT over WebSocket and TLS', async () => {
    const port = await start({ ...tls(), websocket: {} })
    const socket = new WebSocket(`wss://localhost:${port}/mqtt`, 'mqtt', { ca: authority.pem })
    await once(socket, 'open')
    const invalid = Buffer.from(connect5)
    invalid[9]! |= 1
    socket.send(invalid)
    expect((await once(socket, 'message'))[0].toString('hex')).to.equal('2003008100')
    await once(socket, 'close')
  })
})
