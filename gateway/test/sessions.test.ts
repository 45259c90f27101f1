import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { type ConnectPacket, connack, property, ConnectReasonCode as Reason, v5 } from 'mqtt-connect-packet'
import { createLog } from '../lib/operate/log.ts'
import type { SessionRecord } from '../lib/operate/session-record.ts'
import { Authority } from './certificates.ts'
import {
  configOf,
  connectClient,
  FakeBroker,
  Folder,
  freePort,
  Running,
  sleep,
  until,
  upstreamOf,
} from './support.ts'

describe('gateway: the record of a session', () => {
  let broker: FakeBroker
  let gateway: Running | undefined
  let answer: (packet: ConnectPacket) => Uint8Array

  beforeEach(async () => {
    answer = (packet) => connack(packet, 0)!.bytes
    broker = await FakeBroker.reading((packet, socket) => {
      socket.resume().write(answer(packet))
      socket.on('end', () => socket.end())
    })
  })

  afterEach(() => {
    gateway?.close()
    gateway = undefined
    broker.close()
  })

  async function start(more: object = {}, listener: object = {}): Promise<number> {
    gateway = await Running.start({
      listeners: [{ port: 0, name: 'front', ...listener }],
      upstreams: [upstreamOf(broker, { name: 'back' })],
      ...more,
    })
    return gateway.port()
  }

  async function record(patience?: number): Promise<SessionRecord> {
    await until(() => gateway!.report.sessions.length > 0, patience)
    await sleep(50)
    expect(gateway!.report.sessions).to.have.length(1)
    return gateway!.report.sessions[0]!
  }

  const join = (port: number, more: object = {}) =>
    connectClient(port, { protocolVersion: 5, clientId: 'c', keepalive: 60, ...more })

  it('has names, duration and bytes each way', async () => {
    const port = await start()
    const client = await join(port, { username: 'u' })
    await sleep(300)
    await client.publishAsync('topic', Buffer.alloc(10_000))
    // The first part of a large PUBLISH.
    broker.sockets[0]!.write(Buffer.concat([Buffer.from('30ffff01', 'hex'), Buffer.alloc(21_504)]))
    await sleep(100)
    client.end(true)
    const { seconds, bytesFromClient, bytesToClient, ...rest } = await record()
    expect(rest).to.deep.equal({
      ...{ ending: 'client', listener: 'front', upstream: 'back', clientId: 'c' },
      ...{ brokerClientId: undefined, userName: 'u', reasonCode: undefined },
      cause: 'the client closed the connection',
    })
    expect(seconds).to.be.within(0.3, 30)
    expect(bytesFromClient).to.be.within(10_030, 10_100)
    expect(bytesToClient).to.be.within(21_504, 21_600)
  })

  for (const kind of ['TLS', 'WebSocket', 'WebSocket over TLS'] as const) {
    it(`counts the bytes of ${kind}`, async () => {
      const folder = new Folder()
      try {
        const { certificate, key } = new Authority(folder).issue('localhost', 'DNS:localhost')
        const tls = kind !== 'WebSocket' && { tls: { certificates: [{ certificate, key }] } }
        const port = await start({}, { ...tls, ...(kind !== 'TLS' && { websocket: {} }) })
        const protocol = ({ TLS: 'mqtts', WebSocket: 'ws', 'WebSocket over TLS': 'wss' } as const)[kind]
        const client = await join(port, { protocol, rejectUnauthorized: false, path: '/mqtt' })
        await client.publishAsync('topic', Buffer.alloc(10_000))
        broker.sockets[0]!.write(Buffer.concat([Buffer.from('30ffff01', 'hex'), Buffer.alloc(21_000)]))
        await sleep(100)
        client.end(true)
        const { bytesFromClient, bytesToClient, ending } = await record()
        expect(ending).to.equal('client')
        expect(bytesFromClient).to.be.within(10_030, 13_000)
        expect(bytesToClient).to.be.within(21_000, 26_000)
      } finally {
        folder.remove()
      }
    })
  }

  it('has the client id that the gateway has assigned, and the user name that is in force', async () => {
    const folder = new Folder()
    try {
      const file = folder.write(
        'names.mjs',
        "export default () => ({ result: 'allow', userName: 'tenant-7' })",
      )
      const port = await start({
        authentication: { module: { file } },
        rewrite: { clientId: '{userName}:{clientId}', userName: null },
      })
      const client = await join(port, { clientId: '', username: 'u' })
      const { clientId } = client.options as { clientId: string }
      client.end(true)
      const { brokerClientId, userName, ...rest } = await record()
      expect(userName).to.equal('tenant-7')
      expect(rest.clientId).to.match(/^[0-9a-f]{32}$/)
      if (clientId) expect(rest.clientId).to.equal(clientId)
      expect(brokerClientId).to.equal(`tenant-7:${rest.clientId}`)
    } finally {
      folder.remove()
    }
  })

  it('has the client id that the broker has assigned', async () => {
    answer = () =>
      new v5.ConnackPacket({
        ...{ sessionPresent: false, reasonCode: 0 },
        props: [property.assignedClientIdentifier('from-the-broker')],
      }).bytes
    const client = await join(await start({ rewrite: { assignClientId: false } }), { clientId: '' })
    client.end(true)
    expect(await record()).to.include({ clientId: 'from-the-broker', brokerClientId: undefined })
  })

  it('says that the broker has refused the client, and why', async () => {
    answer = (packet) => connack(packet, Reason.banned)!.bytes
    await join(await start()).catch(() => {})
    expect(await record()).to.include({
      ...{ ending: 'refused', reasonCode: 0x8a, cause: 'the broker refused the client: banned' },
    })
  })

  for (const notify of [false, true]) {
    describe(notify ? 'with `drain.notify`' : 'without `drain.notify`', () => {
      const drain = { notify, discardWills: notify, perSecond: 1000 }

      it('says that the client has closed the connection', async () => {
        const client = await join(await start({ drain }))
        await client.endAsync()
        expect((await record()).ending).to.equal('client')
      })

      it('says that the client has reset the connection', async () => {
        const client = await join(await start({ drain }))
        ;(client.stream as Socket).resetAndDestroy()
        expect(await record()).to.include({ ending: 'client', cause: 'the client reset the connection' })
      })

      it('says that the broker has closed the connection', async () => {
        await join(await start({ drain }))
        broker.sockets[0]!.end()
        expect((await record()).ending).to.equal('broker')
      })

      it('says that the broker has reset the connection', async () => {
        await join(await start({ drain }))
        broker.sockets[0]!.resetAndDestroy()
        expect(await record()).to.include({ ending: 'broker', cause: 'the broker reset the connection' })
      })

      it('says that the client was silent for too long', async () => {
        const socket = connect(await start({ drain }), '127.0.0.1')
        try {
          socket.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c' }).bytes)
          expect((await record()).ending).to.equal('idle')
        } finally {
          socket.destroy()
        }
      })

      it('says that the credentials have expired', async () => {
        const folder = new Folder()
        try {
          const file = folder.write(
            'expiring.mjs',
            "export default () => ({ result: 'allow', expiresAt: Date.now() / 1000 + 0.5 })",
          )
          await join(await start({ drain, authentication: { module: { file } } }))
          expect((await record()).ending).to.equal('expired')
        } finally {
          folder.remove()
        }
      })

      it('says that the gateway drains', async () => {
        await join(await start({ drain }))
        await gateway!.gateway.drain()
        expect((await record()).ending).to.equal('drained')
      })

      it('says that its upstream has been switched off', async () => {
        const port = await freePort()
        const options = { listeners: [{ port }], drain }
        const upstreams = (state: string) => [upstreamOf(broker, { name: 'back', state })]
        gateway = await Running.start({ ...options, upstreams: upstreams('active') })
        await join(port)
        await gateway.gateway.reload(configOf({ ...options, upstreams: upstreams('off') }))
        expect((await record()).ending).to.equal('moved')
      })

      it('says that the gateway has stopped', async () => {
        await join(await start({ drain }))
        gateway!.close()
        expect((await record()).ending).to.equal('stopped')
      })
    })
  }
})

describe('gateway: the line of a session that has ended', () => {
  const peer = { address: '::1', port: 4000, listener: 'front', bytesRead: 12, bytesWritten: 34 } as never
  const session = () =>
    ({
      ...{
        ending: 'client',
        cause: 'why',
        clientId: 'a"\n\u202e',
        brokerClientId: undefined,
        userName: undefined,
      },
      ...{ upstream: 'back', refusedWith: undefined, startedAt: performance.now() - 1500 },
    }) as never

  function written(options: object): string {
    let text = ''
    const defaults = { format: 'text', connects: true, sessions: true, timestamps: true }
    const destination = { write: (line: string) => (text += line) } as never
    createLog({ ...defaults, ...options } as never, destination).sessionEnded(peer, session())
    return text
  }

  it('is text with a time', () => {
    expect(written({})).to.match(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \[::1\]:4000 session ended: client, listener="front", upstream="back", clientId="a\\"\\n\\u202e", seconds=1\.5\d*, bytesFromClient=12, bytesToClient=34, cause="why"\n$/,
    )
    expect(written({ timestamps: false })).to.match(/^\[::1\]:4000 session ended: client, /)
  })

  it('is JSON', () => {
    const { level, time, remote, session: shown } = JSON.parse(written({ format: 'json' }))
    expect({ level, remote }).to.deep.equal({ level: 30, remote: '[::1]:4000' })
    expect(time).to.be.within(Date.now() - 5000, Date.now())
    const { seconds, ...rest } = shown
    expect(seconds).to.be.within(1.5, 2)
    expect(rest).to.deep.equal({
      ...{ ending: 'client', listener: 'front', upstream: 'back', clientId: 'a"\n\u202e' },
      ...{ bytesFromClient: 12, bytesToClient: 34, cause: 'why' },
    })
  })

  it('can be left out', () => {
    for (const format of ['text', 'json']) expect(written({ format, sessions: false })).to.equal('')
  })
})
