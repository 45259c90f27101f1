import { once } from 'node:events'
import net from 'node:net'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { bufferToPacketVariant, ConnectEncoder, PacketDecoder, v5 } from '../../lib/index.ts'
import { DISCONNECT, overTcp, PINGREQ, PUBLISH, R3, R5, received, settle } from './support.ts'

const connect3 = bufferToPacketVariant(R3)
const connect5 = bufferToPacketVariant(R5)

/** Records the writes that reach a socket's handle in the operating system, with their contents. */
function handleWrites(socket: net.Socket): string[] {
  const calls: string[] = []
  const handle = (socket as unknown as { _handle: Record<string, (...args: unknown[]) => unknown> })._handle
  for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String', 'writeAsciiString']) {
    const original = handle[name]
    if (original === undefined) throw new Error(`This Node has no ${name}`)
    handle[name] = (...args) => {
      const chunks = args[1] as { length: number }
      calls.push(name === 'writev' ? `writev ${args[2] ? chunks.length : chunks.length / 2}` : name)
      return original.apply(handle, args)
    }
  }
  return calls
}

describe('ConnectEncoder: piped to a real socket', () => {
  it('sends packets that a server receives byte for byte', async () => {
    await overTcp(async (client, socket) => {
      const encoder = new ConnectEncoder()
      encoder.pipe(client)
      encoder.write(connect3)
      encoder.end(connect5)
      expect((await received(socket)).equals(Buffer.concat([R3, R5]))).to.equal(true)
    })
  })

  it('sends packets written in one tick in one writev, a single one in one write', async () => {
    await overTcp(async (client, socket) => {
      const calls = handleWrites(client)
      const encoder = new ConnectEncoder()
      encoder.pipe(client)
      await settle()
      const all = received(socket, 3 * R3.length + R5.length)
      for (const packet of [connect3, connect5, connect3]) encoder.write(packet)
      await settle()
      expect(calls).to.deep.equal(['writev 3'])
      encoder.write(connect3)
      await settle()
      expect(calls).to.deep.equal(['writev 3', 'writeBuffer'])
      expect((await all).equals(Buffer.concat([R3, R5, R3, R3]))).to.equal(true)
    })
  })

  it('sends packets written in the tick of pipe and end in one writev', async () => {
    await overTcp(async (client, socket) => {
      const calls = handleWrites(client)
      const all = received(socket)
      const encoder = new ConnectEncoder()
      encoder.pipe(client)
      encoder.write(connect3)
      encoder.write(connect5)
      encoder.end()
      expect((await all).equals(Buffer.concat([R3, R5]))).to.equal(true)
      expect(calls).to.deep.equal(['writev 2'])
    })
  })

  it('sends what is written before the socket is connected', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
    const encoder = new ConnectEncoder()
    encoder.pipe(client)
    encoder.write(connect3)
    encoder.end(connect5)
    try {
      const [socket] = (await once(server, 'connection')) as [net.Socket]
      expect((await received(socket)).equals(Buffer.concat([R3, R5]))).to.equal(true)
    } finally {
      client.destroy()
      server.close()
    }
  })

  it('forwards a session through a pipeline decoder, encoder, socket', async () => {
    await overTcp(async (device, gateway) => {
      await overTcp(async (upstream, broker) => {
        const session = Buffer.concat([R5, PUBLISH, PINGREQ, DISCONNECT])
        const all = received(broker)
        const run = pipeline(
          gateway,
          new PacketDecoder({ connection: true }) as unknown as NodeJS.ReadWriteStream,
          new ConnectEncoder() as unknown as NodeJS.ReadWriteStream,
          upstream,
        )
        device.end(session)
        expect((await all).equals(session)).to.equal(true)
        broker.end()
        await run
      })
    })
  })

  it('rewrites a CONNECT on its way, with pipe on both sides', async () => {
    await overTcp(async (device, gateway) => {
      await overTcp(async (upstream, broker) => {
        const encoder = new ConnectEncoder()
        encoder.pipe(upstream)
        gateway.pipe(new PacketDecoder({ connection: true })).on('data', (packet) => {
          encoder.write(packet instanceof v5.ConnectPacket ? packet.with({ clientId: 'other' }) : packet)
        })
        const expected = Buffer.concat([
          (connect5 as v5.ConnectPacket).with({ clientId: 'other' }).bytes,
          PUBLISH,
        ])
        const all = received(broker, expected.length)
        device.write(Buffer.concat([R5, PUBLISH]))
        expect((await all).equals(expected)).to.equal(true)
      })
    })
  })

  it('forwards more than any buffer holds through sockets that stop and go', async () => {
    await overTcp(async (device, gateway) => {
      await overTcp(async (upstream, broker) => {
        const total = 100_000
        const run = pipeline(
          gateway,
          new PacketDecoder({ connection: false }) as unknown as NodeJS.ReadWriteStream,
          new ConnectEncoder() as unknown as NodeJS.ReadWriteStream,
          upstream,
        )
        device.end(Buffer.concat(Array<Buffer>(total).fill(R3)))
        let length = 0
        let chunks = 0
        for await (const chunk of broker) {
          length += chunk.length
          if (++chunks % 10 === 0) await settle(1)
        }
        expect(length).to.equal(total * R3.length)
        await run
      })
    })
  })
})
