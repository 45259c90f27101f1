import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  ConnectReasonCode,
  ControlPacketType,
  connack,
  type PacketParserOptions,
  type PacketVariant,
} from '../../lib/index.ts'
import {
  byteByByte,
  framed,
  inTwo,
  MALFORMED,
  outcome,
  outcomes,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
  received,
} from '../streams/support.ts'

const text = readFileSync(new URL('../../docs/streams.md', import.meta.url), 'utf8')
const library = new URL('../../lib/index.ts', import.meta.url).href

/** The exports of the code block below a heading. */
async function recipe<Exports>(heading: string): Promise<Exports> {
  const from = text.indexOf(`### ${heading}\n`)
  expect(from, heading).to.be.above(0)
  const code = /```js\n(.*?)```/s.exec(text.slice(from))![1]!
  const url = encodeURIComponent(code.replaceAll("'mqtt-connect-packet'", `'${library}'`))
  return (await import(`data:text/javascript,${url}`)) as Exports
}

describe('docs/streams.md: PacketParser in a Web TransformStream', () => {
  type Packets = (options?: PacketParserOptions) => TransformStream<Uint8Array, PacketVariant>

  /** The output in the format of `outcomes`. Each chunk is written after the packets before it have been read. */
  async function lines(chunks: readonly Uint8Array[], options?: PacketParserOptions): Promise<string[]> {
    const { packetStream } = await recipe<{ packetStream: Packets }>('In a Web `TransformStream`')
    const found: string[] = []
    try {
      const bytes = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      })
      for await (const packet of bytes.pipeThrough(packetStream(options))) found.push(outcome(packet))
    } catch (error) {
      found.push(`destroyed: ${outcome(error as Error)}`)
    }
    return found
  }

  it('gives what a PacketDecoder gives', async () => {
    const session = Buffer.concat([R5, PUBLISH, PINGREQ])
    for (const [chunks, options] of [
      [[session], { connection: true }],
      [byteByByte(session), { connection: true }],
      [[R3, R5, R3], { connection: false }],
      [[R3, MALFORMED, R3], { connection: false }],
      [[R3, PINGREQ], { connection: false }],
      [[R3, R5.subarray(0, 20)], { connection: false }],
      [[], { connection: false }],
    ] as const) {
      expect(await lines(chunks, options)).to.deep.equal(await outcomes(chunks, options))
    }
  })

  it('discards the packets that have not been read when it fails, as the text says', async () => {
    const expected = await outcomes([R3, MALFORMED], { connection: false })
    expect(await lines([Buffer.concat([R3, R3, R3, MALFORMED])], { connection: false })).to.deep.equal(
      expected,
    )
  })
})

describe('docs/streams.md: PacketParser with the messages of a WebSocket', () => {
  type Read = (
    socket: WebSocket,
    onPacket: (packet: PacketVariant) => void,
    onError: (error: Error) => void,
  ) => void

  /** Serves one client: answers its CONNECT, and returns everything that arrives until the connection closes. */
  async function serve(
    client: (port: number) => Promise<void>,
  ): Promise<{ packets: PacketVariant[]; errors: Error[] }> {
    const { readMessages } = await recipe<{ readMessages: Read }>('With the messages of a `WebSocket`')
    const packets: PacketVariant[] = []
    const errors: Error[] = []
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mqtt' })
    await once(server, 'listening')
    let closed: Promise<unknown> | undefined
    server.on('connection', (socket) => {
      closed = once(socket, 'close')
      readMessages(
        socket,
        (packet) => {
          packets.push(packet)
          if (packet.type !== ControlPacketType.connect) return
          socket.send(connack(packet.protocolVersion, ConnectReasonCode.success)!.bytes)
        },
        (error) => {
          errors.push(error)
          setImmediate(() => socket.close())
        },
      )
    })
    try {
      await client((server.address() as net.AddressInfo).port)
      await closed
    } finally {
      server.close()
    }
    return { packets, errors }
  }

  for (const protocolVersion of [4, 5] as const) {
    it(`serves MQTT.js of protocol ${protocolVersion}`, async () => {
      const { packets, errors } = await serve(async (port) => {
        const client = await mqtt.connectAsync(`ws://127.0.0.1:${port}`, {
          protocolVersion,
          clientId: 'browser',
        })
        client.publish('a', 'hi')
        await client.endAsync()
      })
      expect(packets.map(({ type }) => type)).to.deep.equal([0x10, 0x30, 0xe0])
      expect(packets[0]).to.include({ protocolVersion, clientId: 'browser' })
      expect(errors).to.deep.equal([])
    })
  }

  /** Sends messages through the browsers' WebSocket API, and waits for the close. */
  const sender = (messages: readonly (Uint8Array | string)[]) => async (port: number) => {
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'mqtt')
    await new Promise<void>((resolve) => {
      socket.onclose = () => resolve()
      socket.onopen = () => {
        for (const message of messages) socket.send(message)
      }
      socket.onerror = () => resolve()
    })
  }

  it('gives the packets of messages that are split anywhere, and one error', async () => {
    const bytes = Buffer.concat([R5, PUBLISH, R5, PINGREQ])
    for (const messages of [[bytes], byteByByte(bytes), inTwo(bytes, 1), inTwo(bytes, R5.length + 3)]) {
      const { packets, errors } = await serve(sender(messages))
      expect(packets.map((packet) => packet.bytes.toString('hex'))).to.deep.equal([
        R5.toString('hex'),
        PUBLISH.toString('hex'),
      ])
      expect(errors.map(outcome)).to.deep.equal(['second-connect fixedHeader 0'])
    }
  })

  it('fails for a text message', async () => {
    const { packets, errors } = await serve(sender([R3, '123', R3]))
    expect([packets.length, errors.map(({ message }) => message)]).to.deep.equal([
      1,
      ['expected a binary message, got text'],
    ])
  })
})

describe("docs/streams.md: PacketParser with a 'data' listener of net", () => {
  let server: net.Server
  let port: number

  before(async () => {
    server = (await recipe<{ server: net.Server }>("With a `'data'` listener on a socket")).server
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as net.AddressInfo).port
  })
  after(() => server.close())

  for (const protocolVersion of [4, 5] as const) {
    it(`serves MQTT.js of protocol ${protocolVersion}`, async () => {
      const options = { host: '127.0.0.1', port, protocolVersion, clientId: 'c' }
      await (await mqtt.connectAsync(options)).endAsync()
    })
  }

  it('refuses a malformed packet, also after a CONNECT and before 1 MB', async () => {
    const wrong5 = Buffer.from(R5.map((byte, at) => (at === 10 ? 0xef : byte)))
    const more = framed(Buffer.alloc(1024 * 1024), 3, 0x30)
    for (const [bytes, answer] of [
      [wrong5, '2003008100'],
      [Buffer.concat([wrong5, more]), '2003008100'],
      [MALFORMED, ''],
      [Buffer.concat([R5, R5, more]), '2003000000'],
    ] as const) {
      const client = net.connect(port, '127.0.0.1')
      client.write(bytes)
      expect((await received(client)).toString('hex')).to.equal(answer)
    }
  })
})

describe('docs/streams.md', () => {
  it('reads the rest of a connection with a decoder after readConnect', async () => {
    await recipe('A decoder after readConnect')
  })

  it('has no block of code that no test runs', () => {
    expect(text.match(/```js\n/g)).to.have.length(5)
    expect(text.match(/```/g)).to.have.length(10)
  })
})
