/*
 * A server on Web streams, as in Deno, Bun and browsers. The library's part needs no Node module.
 *
 *   node examples/web-stream.ts [PORT]
 */
import {
  ConnectReasonCode,
  ControlPacketType,
  connack,
  MqttError,
  PacketParser,
  type PacketVariant,
} from 'mqtt-connect-packet/packets'

/** The packets of a `ReadableStream`. A generator, because a `TransformStream` would discard unread packets when it fails. */
export async function* packetsOf(readable: AsyncIterable<Uint8Array>): AsyncGenerator<PacketVariant> {
  const parser = new PacketParser() // CONNECT first and only once, then any packets
  for await (const chunk of readable) yield* parser.push(chunk)
  parser.end()
}

/** Both directions of a connection, such as one accepted by `Deno.listen`. */
export interface Connection {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}

export async function serve({ readable, writable }: Connection): Promise<void> {
  const writer = writable.getWriter()
  try {
    for await (const packet of packetsOf(readable.values({ preventCancel: true }))) {
      console.log(`${packet}`)
      if (packet.type !== ControlPacketType.connect) continue
      await writer.write(connack(packet, ConnectReasonCode.success).bytes)
    }
  } catch (error) {
    console.error(`${error}`)
    if (error instanceof MqttError && error.connack) await writer.write(error.connack)
  }
  writer.close().catch(() => {}) // the client may have closed the connection
  // Reads on, because closing a connection with unread bytes resets it, and the client could miss the answer.
  await readable.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(1000) }).catch(() => {})
}

if (process.argv[1] === import.meta.filename) {
  const { createServer } = await import('node:net')
  const { Duplex } = await import('node:stream')
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    serve(Duplex.toWeb(socket)).catch((error) => console.error(`${error}`))
  })
  server.listen(Number(process.argv[2] ?? 1883))
}
