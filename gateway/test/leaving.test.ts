import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { createWebSocketStream, WebSocket } from 'ws'
import { Authority } from './certificates.ts'
import { FakeBroker, Folder, needs, Running, until, upstreamOf } from './support.ts'

const connectOf = (clientId: string) =>
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId }).bytes

describe('gateway: clients that end their side while they wait for the HTTP service', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let authority: Authority
  let listeners: readonly object[]
  let gateway: Running
  let broker: FakeBroker
  let forwarded: string[]
  let asked: string[]
  let answers: ServerResponse[]
  const service = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      asked.push(JSON.parse(text).clientId)
      answers.push(response)
    })
  })

  before(async function () {
    needs(this, 'openssl')
    authority = new Authority(folder)
    const { certificate, key } = authority.issue('server', 'DNS:localhost')
    const tls = { certificates: [{ certificate, key }] }
    listeners = [{}, { tls }, { websocket: {} }, { tls, websocket: {} }].map((more) => ({ port: 0, ...more }))
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
    broker = await FakeBroker.answering(({ clientId }) => forwarded.push(clientId))
  })

  beforeEach(async () => {
    forwarded = []
    asked = []
    answers = []
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    gateway = await Running.start({
      listeners,
      upstreams: [upstreamOf(broker)],
      authentication: { http: { url, concurrency: 1, timeout: 60 } },
    })
  })

  afterEach(() => gateway.close())

  after(() => {
    service.close()
    service.closeAllConnections()
    broker?.close()
    folder.remove()
  })

  const openers: Readonly<Record<string, (port: number) => Duplex>> = {
    TCP: (port) => connect({ port, host: '127.0.0.1', allowHalfOpen: true }),
    TLS: (port) => connectTls({ port, host: 'localhost', ca: authority.pem }),
    WebSocket: (port) => createWebSocketStream(new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt')),
    'WebSocket over TLS': (port) =>
      createWebSocketStream(new WebSocket(`wss://localhost:${port}/mqtt`, 'mqtt', { ca: authority.pem })),
  }
  const ways = Object.keys(openers)

  /** Sends a CONNECT, and waits until the gateway has it. */
  async function join(way: string, clientId: string, more: string = ''): Promise<Duplex> {
    const client = openers[way]!(gateway.port(ways.indexOf(way))).on('error', () => {})
    client.resume().write(Buffer.concat([connectOf(clientId), Buffer.from(more, 'hex')]))
    await until(() => gateway.report.lines.some((line) => line.includes(clientId)))
    return client
  }

  /** Waits for a question to the service, and allows its client. */
  async function allow(clientId: string): Promise<void> {
    await until(() => asked.at(-1) === clientId)
    answers.at(-1)!.end('{"result":"allow"}')
  }

  it('are dropped from the queue', async () => {
    await join('TCP', 'first')
    for (const way of ways) (await join(way, `left over ${way}`)).end()
    await join('TCP', 'last')
    await until(() => gateway.gateway.open.total === 2)
    await allow('first')
    await allow('last')
    await until(() => forwarded.length === 2)
    expect(asked).to.deep.equal(['first', 'last'])
    const left = gateway.report.lines.filter((line) => line.startsWith('left'))
    expect(left).to.deep.equal(
      ways.map(() => 'left the client closed the connection before it had an answer'),
    )
  })

  it("aren't forwarded if their answer comes later", async () => {
    ;(await join('TCP', 'first')).end()
    await until(() => asked.length === 1)
    await until(() => gateway.gateway.open.total === 0)
    await join('TCP', 'last')
    await allow('first')
    await allow('last')
    await until(() => forwarded.length > 0)
    expect(forwarded).to.deep.equal(['last'])
  })

  it('stay if they have sent more than the CONNECT, because that is for the broker', async () => {
    await join('TCP', 'first')
    ;(await join('TCP', 'brief', 'e000')).end()
    ;(await join('TCP', 'left')).end()
    await until(() => gateway.gateway.open.total === 2)
    await allow('first')
    await allow('brief')
    await until(() => forwarded.length === 2)
    expect(forwarded).to.deep.equal(['first', 'brief'])
  })
})
