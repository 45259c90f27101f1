import { once } from 'node:events'
import { connack, property, readConnect } from 'mqtt-connect-packet'
import { FakeBroker, freePort, until, upstreamOf } from '../support.ts'
import { type Cases, connectBytes, type Stage } from './stage.ts'

/*
 * Clients that get no CONNACK from a broker, and ends of sessions.
 */

interface Upstream {
  readonly host?: string
  readonly port: number
  readonly name?: string
  readonly state?: string
  readonly tls?: object
}

/** Connects a client through a gateway with this broker only. */
async function withBroker(stage: Stage, upstream: Upstream, more: object = {}): Promise<void> {
  const { host = '127.0.0.1', port, name, state, tls } = upstream
  const upstreams = [{ host, port, name, state, tls }]
  await stage.send(await stage.start({ upstreams, ...more }), connectBytes())
}

/** The same with TLS to the broker. */
async function withTls(stage: Stage, { port }: { readonly port: number }, more: object = {}): Promise<void> {
  const tls = { authorities: stage.authority.file, serverName: 'localhost', ...more }
  await withBroker(stage, { port, tls }, { route: { connectTimeout: 0.3, health: { interval: null } } })
}

export const connections: Cases = {
  'that nothing accepts': {
    line: 'not served: the broker 127.0.0.1:PORT refused the connection',
    act: async (stage) => await withBroker(stage, { port: await freePort() }),
  },
  'to a broker with a name': {
    line: 'not served: the broker one at 127.0.0.1:PORT refused the connection',
    act: async (stage) => await withBroker(stage, { name: 'one', port: await freePort() }),
  },
  'to a host that does not exist': {
    line: 'not served: the broker nowhere.invalid:1883 has a host name that HOST',
    act: async (stage) => await withBroker(stage, { host: 'nowhere.invalid', port: 1883 }),
  },
  'that take too long': {
    line: "not served: the broker 127.0.0.1:PORT didn't accept the connection within 0.3 s",
    act: async (stage) => await withTls(stage, await stage.server(() => {})),
  },
  'to a certificate of an unknown authority': {
    line: 'not served: the broker 127.0.0.1:PORT has a certificate whose authority is unknown',
    act: async (stage) => await withTls(stage, await stage.tlsServer(), { authorities: undefined }),
  },
  'to a certificate for others': {
    line: 'not served: the broker 127.0.0.1:PORT has a certificate for a different name',
    act: async (stage) => await withTls(stage, await stage.tlsServer(), { serverName: 'other' }),
  },
  'to a certificate that has expired': {
    line: 'not served: the broker 127.0.0.1:PORT has a certificate that has expired',
    act: async (stage) =>
      await withTls(stage, await stage.tlsServer(() => {}, stage.authority.issueExpired('localhost-2020'))),
  },
  'without TLS': {
    line: "not served: the broker 127.0.0.1:PORT doesn't speak TLS",
    act: async (stage) => await withTls(stage, await stage.server((socket) => socket.end('hello\r\n'))),
  },
  'with other versions of TLS': {
    line: 'not served: the broker 127.0.0.1:PORT has no TLS version in common with the gateway',
    act: async (stage) =>
      await withTls(
        stage,
        await stage.tlsServer(() => {}, stage.own, {
          ...{ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' },
        }),
      ),
  },
  'that end in the TLS handshake': {
    line: 'not served: the broker 127.0.0.1:PORT closed the connection in the TLS handshake',
    act: async (stage) => await withTls(stage, await stage.server((socket) => socket.end())),
  },
  'to a broker that wants a certificate': {
    line: 'not served: the broker 127.0.0.1:PORT ended TLS with the alert "handshake failure"',
    act: async (stage) =>
      await withTls(
        stage,
        await stage.tlsServer(() => {}, stage.own, {
          ...{ requestCert: true, ca: stage.authority.pem, maxVersion: 'TLSv1.2' },
        }),
      ),
  },
  'to no broker, because none is active': {
    line: 'not served: no upstream is active',
    act: async (stage) => await withBroker(stage, { port: 9, state: 'off' }),
  },
}

/** Connects a client, whose CONNECT the broker answers with these bytes. */
const answering = (hex: string) => async (stage: Stage) =>
  await withBroker(stage, await stage.server((socket) => socket.write(Buffer.from(hex, 'hex'))))

export const answers: Cases = {
  'that never come': {
    line: 'not served: the broker 127.0.0.1:PORT sent no CONNACK within 0.1 s',
    act: async (stage) =>
      await withBroker(stage, await stage.server(() => {}), {
        route: { connackTimeout: 0.1, health: { interval: null } },
      }),
  },
  'that are an end': {
    line: 'not served: the broker 127.0.0.1:PORT closed the connection before its CONNACK',
    act: async (stage) => await withBroker(stage, await stage.server((socket) => socket.end())),
  },
  'that are a reset': {
    line: 'not served: the broker 127.0.0.1:PORT reset the connection before its CONNACK',
    act: async (stage) => await withBroker(stage, await stage.server((socket) => socket.resetAndDestroy())),
  },
  'that are another packet': {
    line: 'not served: the broker 127.0.0.1:PORT sent no valid CONNACK: fixedHeader: must begin a CONNACK, but begins a PINGRESP (byte 0)',
    act: answering('d000'),
  },
  'that are invalid': {
    line: 'not served: the broker 127.0.0.1:PORT sent no valid CONNACK: acknowledgeFlags: bits 7 to 1 are reserved and must be 0 (byte 2)',
    act: answering('2003020000'),
  },
  'that the client does not wait for': {
    line: 'left: the client closed the connection before it had an answer',
    async act(stage) {
      const silent = await stage.server(() => {})
      const client = await stage.connect(
        await stage.start({ upstreams: [upstreamOf(silent)] }),
        connectBytes(),
      )
      await until(() => silent.sockets.length === 1)
      client.destroy()
    },
  },
  'that the gateway does not wait for': {
    line: 'not served: the gateway has stopped',
    async act(stage) {
      const silent = await stage.server(() => {})
      await stage.connect(await stage.start({ upstreams: [upstreamOf(silent)] }), connectBytes())
      await until(() => silent.sockets.length === 1)
      stage.gateway!.close()
    },
  },
  'that are too large for the client': {
    line: "not served: the CONNACK of the broker 127.0.0.1:PORT exceeds the client's Maximum Packet Size",
    async act(stage) {
      const small = stage.during(
        await FakeBroker.start(async (socket) => {
          const packet = await readConnect(socket)
          socket.write(connack(packet, 0, { assignedClientId: 'x'.repeat(100) })!.bytes)
        }),
      )
      const port = await stage.start({ upstreams: [upstreamOf(small)] })
      await stage.send(port, connectBytes({ props: [property.maximumPacketSize(50)] }))
    },
  },
}

function session(
  end: (stage: Stage, broker: FakeBroker, client: Socket) => unknown,
  config: object = {},
  fields = {},
) {
  return async (stage: Stage) => {
    const broker = stage.during(await FakeBroker.answering())
    const port = await stage.start({ upstreams: [upstreamOf(broker, { name: 'one' })], ...config })
    const client = await stage.connect(port, connectBytes(fields))
    await until(() => stage.gateway!.open.all()[0]?.connection?.isForwarded === true)
    await end(stage, broker, client)
  }
}
type Socket = Awaited<ReturnType<Stage['connect']>>

const line = (ending: string, cause: string, more = '') =>
  `session ended: ${ending}, listener="127.0.0.1:PORT", upstream="one"${more}, clientId="c", seconds=N, bytesFromClient=N, bytesToClient=N, cause="${cause}"`

export const sessions: Cases = {
  'the client closes': {
    line: line('client', 'the client closed the connection'),
    act: session((_stage, _broker, client) => client.end()),
  },
  'the client resets': {
    line: line('client', 'the client reset the connection'),
    act: session((_stage, _broker, client) => client.resetAndDestroy()),
  },
  'the broker closes': {
    line: line('broker', 'the broker closed the connection'),
    act: session((_stage, broker) => broker.sockets[0]!.end()),
  },
  'the broker resets': {
    line: line('broker', 'the broker reset the connection'),
    act: session((_stage, broker) => broker.sockets[0]!.resetAndDestroy()),
  },
  'the broker refuses': {
    line: line('refused', 'the broker refused the client: not authorized', ', reasonCode=135'),
    async act(stage) {
      const refusing = await FakeBroker.start(async (socket) =>
        socket.end(connack(await readConnect(socket), 135)!.bytes),
      )
      const upstreams = [upstreamOf(stage.during(refusing), { name: 'one' })]
      await stage.send(await stage.start({ upstreams }), connectBytes())
    },
  },
  'the gateway drains': {
    line: line('drained', 'the gateway is stopping'),
    act: session((stage) => stage.gateway!.drain()),
  },
  'the upstream is to have no clients': {
    line: line('moved', 'its upstream is draining or off'),
    act: session((stage) => stage.gateway!.open.all()[0]!.connection!.end('moved')),
  },
  'the credentials expire': {
    line: line('expired', 'the credentials have expired'),
    async act(stage) {
      const code = 'module.exports = () => ({ result: "allow", expiresAt: Date.now() / 1000 + 0.5 })'
      const module = { file: stage.folder.write('soon.cjs', code) }
      await session((_stage, _broker, client) => once(client, 'close'), { authentication: { module } })(stage)
    },
  },
  'the client is silent': {
    line: line('idle', 'the client was silent for 1.5 times its keep alive'),
    act: session((_stage, _broker, client) => once(client, 'close'), {}, { keepAlive: 1 }),
  },
  'the gateway is closed': {
    line: line('stopped', 'the gateway has stopped'),
    act: session((stage) => stage.gateway!.close()),
  },
}
