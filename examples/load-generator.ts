/*
 * A load generator: connects many clients at once and measures how long the server takes to answer each of them.
 *
 *   node examples/load-generator.ts [PORT] [CLIENTS]
 */
import { connect } from 'node:net'
import { ConnectEncoder, readConnack, v5 } from 'mqtt-connect-packet'

/** Connects one client, and resolves with the server's CONNACK. */
export async function connectClient(packet: v5.ConnectPacket, port: number): Promise<v5.ConnackPacket> {
  const socket = connect(port)
  try {
    const encoder = new ConnectEncoder()
    encoder.pipe(socket) // packets written in one tick leave in one system call
    encoder.write(packet)
    return await readConnack(socket, packet, { timeout: 5000 })
  } finally {
    socket.destroy()
  }
}

/** The outcome: clients accepted, refused and failed, and the time to an answer in milliseconds. */
export interface Result {
  accepted: number
  refused: number
  failed: number
  median: number
  slowest: number
}

/** Connects clients, `atOnce` of them at a time. */
export async function generateLoad(port: number, clients: number, atOnce = 100): Promise<Result> {
  const template = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: '' })
  const result = { accepted: 0, refused: 0, failed: 0, median: Number.NaN, slowest: Number.NaN }
  const times: number[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < clients) {
      const packet = template.with({ clientId: `load-${next++}` })
      const start = performance.now()
      try {
        const { accepted } = await connectClient(packet, port)
        times.push(performance.now() - start)
        result[accepted ? 'accepted' : 'refused']++
      } catch {
        result.failed++
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  times.sort((a, b) => a - b)
  return { ...result, median: times[times.length >> 1] ?? Number.NaN, slowest: times.at(-1) ?? Number.NaN }
}

if (process.argv[1] === import.meta.filename) {
  const [port = 1883, clients = 1000] = process.argv.slice(2).map(Number)
  console.log(await generateLoad(port, clients))
}
