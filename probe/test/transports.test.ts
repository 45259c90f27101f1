import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect } from 'chai'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { Authority, type Certificate } from '../../gateway/test/certificates.ts'
import { probe, type Result, Unreachable } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { run } from './support.ts'

/** No transport looks at the bytes of a packet, so these are the cases about connections, and a few others. */
const only = [
  ...['connection', 'auth', 'will', 'disconnect', 'first'],
  ...['connect.will-qos', 'connect.packet-incomplete', 'connect.fixed-header-flags'],
  ...['accept.byte-by-byte', 'accept.with-subscribe', 'accept.with-publish-and-disconnect'],
]

/* Runs the probe over TLS and WebSocket. */

describe('the probe', function () {
  this.timeout(60_000)
  const path = mkdtempSync(join(tmpdir(), 'probe-'))
  let authority: Authority
  let own: Certificate

  before(() => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(path, name), text)
      return join(path, name)
    }
    authority = new Authority({ path, write } as never)
    own = authority.issue('localhost', 'DNS:localhost', 'IP:127.0.0.1')
  })

  after(() => rmSync(path, { recursive: true, force: true }))

  async function listen(server: { listen(port: number, host: string): unknown } & Server): Promise<number> {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  /** The probe's results for one of the broker's servers. */
  async function test(server: Server, broker: Broker, scheme: string, host = '127.0.0.1'): Promise<Result[]> {
    const port = await listen(server)
    const results: Result[] = []
    const options = { protocol: ['5.0'], only, tls: { ca: authority.pem } } as const
    try {
      for await (const result of probe(`${scheme}://${host}:${port}/mqtt`, options)) results.push(result)
    } finally {
      broker.close()
      server.close()
    }
    return results
  }

  function expectNothing(results: readonly Result[]): void {
    const others = results.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-tested')
    expect(others).to.deep.equal([])
    expect(results).to.have.lengthOf.above(50)
  }

  const credentials = () => ({ cert: own.certPem, key: own.keyPem })

  function withWebSockets(server: Server, broker: Broker): Server {
    const webSockets = new WebSocketServer({ server, path: '/mqtt' })
    webSockets.on('connection', (webSocket) => broker.handle(createWebSocketStream(webSocket) as never))
    return server
  }

  it('finds nothing on a correct broker behind TLS', async () => {
    const broker = new Broker()
    const server = createTlsServer({ ...credentials(), allowHalfOpen: true } as never, (socket: Socket) =>
      broker.handle(socket),
    )
    expectNothing(await test(server as never, broker, 'mqtts', 'localhost'))
  })

  it('finds nothing on a correct broker behind a WebSocket', async () => {
    const broker = new Broker()
    expectNothing(await test(withWebSockets(createServer(), broker), broker, 'ws'))
  })

  it('refuses a WebSocket message above its limit by its header, and says so', async () => {
    const server = createServer()
    new WebSocketServer({ server, path: '/mqtt' }).on('connection', (webSocket, { socket }) => {
      webSocket.on('error', () => undefined)
      webSocket.once('message', () => {
        webSocket.send(Buffer.from('20020000', 'hex'))
        // A message of 1 MiB, of which nothing but the header is sent.
        socket.write(Buffer.from('827f0000000000100000', 'hex'))
      })
    })
    const port = await listen(server)
    const options = { protocol: ['3.1.1'], only: ['connection.takeover'] } as const
    const results: Result[] = []
    for await (const result of probe(`ws://127.0.0.1:${port}/mqtt`, options)) results.push(result)
    server.close()
    expect(results[0]).to.include({
      ...{ verdict: 'not-tested', closed: false },
      text: 'The server sent more than 128 KiB on one connection, so the probe closed it.',
    })
  })

  it('finds what is broken behind a WebSocket with TLS', async () => {
    const broker = new Broker('accepts-will-qos')
    const server = withWebSockets(createSecureServer(credentials()), broker)
    const violations = (await test(server, broker, 'wss')).filter(({ verdict }) => verdict === 'violates')
    expect(new Set(violations.map(({ clause }) => clause))).to.deep.equal(new Set(['MQTT-3.1.2-12']))
  })

  it('does not trust a certificate whose authority it does not know', async () => {
    const broker = new Broker()
    const server = createTlsServer(credentials(), (socket) => broker.handle(socket))
    const port = await listen(server as never)
    try {
      for await (const _ of probe(`mqtts://127.0.0.1:${port}`)) expect.fail('connected')
    } catch (error) {
      expect(error).to.be.instanceOf(Unreachable)
      expect((error as Error).message).to.match(/certificate/)
    }
    const { code, errors } = await run(`mqtts://127.0.0.1:${port}`)
    expect([code, errors.replace(/^.*\. /, '')]).to.deep.equal([
      3,
      'Does it need --ca, with the certificate of its authority?\n',
    ])
    server.close()
  })
})
