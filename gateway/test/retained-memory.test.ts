import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { type ConnectPacket, connack, v5 } from 'mqtt-connect-packet'
import type { Deny } from '../lib/authenticate/decision.ts'
import { httpHook } from '../lib/authenticate/http.ts'
import { Session } from '../lib/connection/session.ts'
import type { Peer } from '../lib/listen/peer.ts'
import type { Config } from '../lib/operate/schema.ts'
import { configOf, connectClient, FakeBroker, freePort, Running, upstreamOf } from './support.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const CLIENTS = 150
const LONG = 60_000

function clientOf(i: number): ConnectPacket {
  const userName = `u${i}${'x'.repeat(2000)}`
  return new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 0,
    clientId: `${i}${'x'.repeat(LONG)}`,
    userName,
  })
}

/** Bytes per client that a retained value takes. */
async function bytesEach(make: (i: number) => unknown): Promise<number> {
  const kept: unknown[] = [await make(0)]
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let i = 1; i <= CLIENTS; i++) kept.push(await make(i))
  collectGarbage()
  const after = process.memoryUsage().heapUsed
  expect(kept).to.have.length(CLIENTS + 1)
  return (after - before) / CLIENTS
}

async function start(service: Server): Promise<NonNullable<Config['authentication']['http']>> {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  return configOf({ authentication: { http: { url, concurrency: 1 } } }).authentication.http!
}

const peer = { address: '127.0.0.1', network: '127.0.0.1', listener: '' }

describe('gateway: memory for a client with long names', () => {
  it('is small during the session: only the part that the log shows', async () => {
    const sessionOf = (i: number) => {
      const packet = clientOf(i)
      const rewritten = { packet: packet.with({ clientId: `a-${packet.clientId}` }) }
      return new Session({ packet, userName: packet.userName, rewritten }, { name: 'b' }, connack(5, 0), 0)
    }
    expect(await bytesEach(sessionOf)).to.be.below(5000)
    const { clientId, brokerClientId, userName } = sessionOf(7)
    expect(clientId).to.equal(`7${'x'.repeat(255)}…(60001 characters)`)
    expect(brokerClientId).to.equal(`a-7${'x'.repeat(253)}…(60003 characters)`)
    expect(userName).to.equal(`u7${'x'.repeat(254)}…(2002 characters)`)
  })

  it('is small for a remembered denial, even if the service quotes the client id', async () => {
    const service = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () =>
        response.end(JSON.stringify({ result: 'deny', reason: JSON.parse(body).clientId })),
      )
    })
    const check = httpHook(await start(service))
    const client = { ...peer, stream: new Duplex() } as unknown as Peer
    try {
      const ask = async (i: number) => ((await check(clientOf(i), client)) as Deny).reason
      expect(await bytesEach(ask)).to.be.below(LONG / 4)
      expect(await ask(7)).to.match(/ denied the client: 7x{255}…\(60001 characters\)$/)
    } finally {
      service.closeAllConnections()
      service.close()
    }
  })

  it('is small while it waits for the service, even if JSON has to escape all of its name', async () => {
    const service = createServer(() => {})
    const check = httpHook(await start(service))
    const packetOf = (i: number) =>
      new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: `${i}\u2020${'\x01'.repeat(LONG)}` })
    const waiting: Promise<unknown>[] = []
    const wait = (i: number) => {
      const client = { ...peer, stream: new Duplex() } as unknown as Peer
      waiting.push(Promise.resolve(check(packetOf(i), client)).catch(() => {}))
      return client
    }
    try {
      // The packet itself is in none of V8's heap.
      expect(await bytesEach(wait)).to.be.below(LONG)
    } finally {
      service.closeAllConnections()
      service.close()
    }
    await Promise.all(waiting)
  })
})

describe('gateway: memory of a session', () => {
  it('does not include the configuration that it began with', async () => {
    const broker = await FakeBroker.answering((_packet, socket) => socket.resume())
    const input = {
      upstreams: [upstreamOf(broker)],
      drain: { notify: true },
      listeners: [{ port: await freePort() }],
    }
    const running = await Running.start(input)
    const reload = async () => {
      const config = configOf(input)
      await running.gateway.reload(config)
      return new WeakRef(config)
    }
    await reload()
    const configs: WeakRef<Config>[] = []
    const clients = []
    for (let i = 0; i < 5; i++) {
      configs.push(await reload())
      clients.push(await connectClient(running.port(), { clientId: `c${i}` }))
    }
    await reload()
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
    expect(running.gateway.open.total).to.equal(5)
    expect(configs.filter((config) => config.deref() !== undefined)).to.have.length(0)
    for (const client of clients) client.end(true)
    running.close()
    broker.close()
  })
})
