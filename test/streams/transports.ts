import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import * as readableStream from 'readable-stream'
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws'
import { overTcp } from './support.ts'

/** `stall` stops the client from reading anything, including an end and whatever its protocol answers by itself. */
type Test = (client: Duplex, socket: Duplex, stall: () => void) => Promise<void>
type Transport = (test: Test) => Promise<void>

/** Runs `test`, and destroys both ends in any case. */
async function withBoth(
  client: Duplex,
  socket: Duplex,
  test: Test,
  stall = (): unknown => client.pause(),
): Promise<void> {
  try {
    await test(client, socket, stall)
  } finally {
    for (const end of [client, socket]) {
      end.on('error', () => undefined)
      end.destroy()
    }
  }
}

/** TLS with a pre-shared key: real TLS sockets, and no certificate that would expire one day. */
async function overTls(test: Test): Promise<void> {
  const psk = Buffer.alloc(32, 7)
  const ciphers = 'PSK'
  const server = tls.createServer({ ciphers, maxVersion: 'TLSv1.2', pskCallback: () => psk })
  await whileListening(server.listen(0, '127.0.0.1'), async (port) => {
    const accepted = once(server, 'secureConnection')
    const client = tls.connect({
      port,
      host: '127.0.0.1',
      ciphers,
      pskCallback: () => ({ psk, identity: 'device' }),
      checkServerIdentity: () => undefined,
    })
    const [[socket]] = (await Promise.all([accepted, once(client, 'secureConnect')])) as [[Duplex], unknown]
    await withBoth(client, socket, test)
  })
}

/** Both ends are the streams that `ws` makes of a WebSocket. */
async function overWebSocket(test: Test): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await whileListening(server, async (port) => {
    const accepted = once(server, 'connection')
    const client = new WebSocket(`ws://127.0.0.1:${port}`, 'mqtt')
    const [[socket]] = (await Promise.all([accepted, once(client, 'open')])) as [[WebSocket], unknown]
    const streams = [createWebSocketStream(client), createWebSocketStream(socket)] as const
    await withBoth(...streams, test, () => client.pause())
    client.terminate()
    socket.terminate()
  })
}

async function whileListening(
  server: Server | WebSocketServer,
  run: (port: number) => Promise<void>,
): Promise<void> {
  await once(server, 'listening')
  try {
    await run((server.address() as AddressInfo).port)
  } finally {
    server.close()
    await once(server, 'close')
  }
}

/** Two Duplexes: each reads what is written to the other. */
function overDuplexes(library: { Duplex: typeof Duplex }): Transport {
  return async (test) => {
    const make = (other: () => Duplex): Duplex => {
      let taken: (() => void) | undefined
      return Object.assign(
        new library.Duplex({
          read() {
            // Cleared first, because the callback may cause the next write, which sets it again.
            const done = taken
            taken = undefined
            done?.()
          },
          write(chunk, _encoding, callback) {
            const to = other() as Duplex & { wait(callback: () => void): void }
            if (to.push(chunk)) callback()
            else to.wait(callback)
          },
          final(callback) {
            other().push(null)
            callback()
          },
        }),
        {
          wait(callback: () => void): void {
            taken = callback
          },
        },
      )
    }
    const client: Duplex = make(() => socket)
    const socket: Duplex = make(() => client)
    await withBoth(client, socket, test)
  }
}

/** Kinds of connections. Each passes both ends to the test. */
export const transports: readonly (readonly [name: string, over: Transport])[] = [
  [
    'TCP',
    (test) =>
      overTcp((client, socket) => test(client, socket, () => client.pause()), { allowHalfOpen: true }),
  ],
  ['TLS', overTls],
  ['WebSocket', overWebSocket],
  ['a Duplex of node:stream', overDuplexes({ Duplex })],
  ['a Duplex of readable-stream', overDuplexes(readableStream as unknown as { Duplex: typeof Duplex })],
]
