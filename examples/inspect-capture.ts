/*
 * Explains the packets of each connection in a capture file, the client's first. tshark reads the file:
 *
 *   tshark -r FILE -Y 'tcp.port == 1883 && tcp.len > 0 && !tcp.analysis.retransmission' \
 *     -T fields -e tcp.stream -e tcp.srcport -e tcp.payload | node examples/inspect-capture.ts
 */
import { text } from 'node:stream/consumers'
import { type Explanation, explain, type ProtocolVersion } from 'mqtt-connect-packet'

/** @param lines a connection, a port and a payload in hex, separated by tabs */
export function explainCapture(lines: readonly string[]): Explanation[] {
  const connections = new Map<string, Map<string, Buffer[]>>()
  for (const line of lines) {
    const [connection = '', port = '', payload = ''] = line.split('\t')
    const sides = connections.get(connection) ?? new Map<string, Buffer[]>()
    const payloads = sides.get(port) ?? []
    payloads.push(Buffer.from(payload, 'hex'))
    connections.set(connection, sides.set(port, payloads))
  }
  return [...connections.values()].flatMap((sides) => {
    let protocolVersion: ProtocolVersion | undefined // the CONNECT comes first, and names the version for the CONNACK
    return Array.from(sides.values(), (payloads) => {
      const explanation = explain(Buffer.concat(payloads), { protocolVersion })
      const { packet } = explanation
      if (packet && 'protocolVersion' in packet) protocolVersion = packet.protocolVersion
      return explanation
    })
  })
}

if (process.argv[1] === import.meta.filename) {
  const lines = (await text(process.stdin)).split('\n').filter((line) => line !== '')
  console.log(explainCapture(lines).join('\n\n'))
}
