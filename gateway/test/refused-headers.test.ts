import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { parseProxyHeader } from '../lib/listen/proxy-protocol.ts'
import { Authority } from './certificates.ts'
import { exchange, FakeBroker, Folder, needs, Running, until, upstreamOf } from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes

/** True if the gateway counts its only broker as one that answers. */
async function isHealthy({ gateway }: Running): Promise<boolean> {
  const metric = await gateway.metrics.registry.getSingleMetric('mqtt_gateway_upstream_healthy')?.get()
  return metric?.values[0]?.value === 1
}

describe('gateway: a broker that closes connections before TLS', () => {
  for (const [what, proxyProtocol, isBlamed] of [
    ['after the PROXY header of a client is not down, because the client may be to blame', 2, false],
    ['without a PROXY header is down', undefined, true],
  ] as const) {
    it(what, async () => {
      const broker = await FakeBroker.start((socket) => socket.once('data', () => socket.destroy()))
      const gateway = await Running.start({
        upstreams: [upstreamOf(broker, { tls: { serverName: 'localhost' }, proxyProtocol })],
        route: { health: { interval: null, failures: 2 } },
      })
      for (let i = 0; i < 4; i++)
        expect((await exchange(gateway.port(), connect5)).toString('hex')).to.equal('2003008800')
      expect(broker.sockets).to.have.length(4)
      expect(await isHealthy(gateway)).to.equal(!isBlamed)
      gateway.close()
      broker.close()
    })
  }

  it('is down if nothing listens on its port, because then it has no header of a client', async () => {
    const gateway = await Running.start({
      upstreams: [upstreamOf({ port: 1 }, { tls: { serverName: 'localhost' }, proxyProtocol: 2 })],
      route: { health: { interval: null, failures: 2 } },
    })
    for (let i = 0; i < 2; i++) await exchange(gateway.port(), connect5)
    expect(await isHealthy(gateway)).to.equal(false)
    gateway.close()
  })
})

describe('gateway: the server name in a PROXY header', () => {
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running
  const received: Buffer[] = []

  before(async function () {
    needs(this, 'openssl')
    const { certificate, key } = new Authority(folder).issue('server', 'DNS:localhost')
    broker = await FakeBroker.start((socket) => socket.once('data', (bytes) => received.push(bytes)))
    gateway = await Running.start({
      listeners: [{ port: 0, tls: { certificates: [{ certificate, key }] } }],
      upstreams: [upstreamOf(broker, { proxyProtocol: 2 })],
    })
  })

  after(() => {
    gateway?.close()
    broker?.close()
    folder.remove()
  })

  for (const [what, servername, authority] of [
    ['is the one from TLS', 'A.example', 'a.example'],
    // Node would give it as `Ã©`.
    ['is left out if it is not ASCII', 'é', undefined],
  ] as const) {
    it(what, async () => {
      received.length = 0
      const socket = connectTls({
        ...{ port: gateway.port(), host: '127.0.0.1', servername, rejectUnauthorized: false },
      })
      socket.on('error', () => {}).write(connect5)
      await until(() => received.length > 0)
      expect(parseProxyHeader(received[0]!)?.authority).to.equal(authority)
      socket.destroy()
    })
  }
})
