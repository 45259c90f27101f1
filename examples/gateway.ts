/*
 * A CONNECT gateway: reads the first packet of each connection, prints it, refuses what is malformed as the standard
 * says, and forwards everything else to a broker, both ways.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ConnectReturnCode,
  MqttError,
  readConnect,
} from 'mqtt-connect-packet'
import { startEmbeddedBroker } from './embedded-broker.ts'
import { runSampleClients } from './sample-clients.ts'

const usage = `A gateway that prints and checks each MQTT CONNECT and forwards the connection to a broker.

  npm start -- [options]

  --host HOST            address to listen on (default 127.0.0.1)
  --port PORT            port to listen on, 0 for any free one (default 1883)
  --upstream HOST:PORT   broker to forward to (default: an aedes in this process)
  --json                 print one JSON object a line
  --no-sample            do not connect the sample clients
  --help                 print this`

function fail(message: string, exitCode: number): never {
  console.error(message)
  process.exit(exitCode)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      allowNegative: true,
      options: {
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '1883' },
        upstream: { type: 'string' },
        json: { type: 'boolean', default: false },
        sample: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    })
    return { ...values, port: portNumber(values.port), upstream: values.upstream && address(values.upstream) }
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`A port is 0 to 65535, not '${text}'`)
  return port
}

/** `broker.example:1883`, `[::1]:1883` */
function address(text: string): { host: string; port: number } {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(text) ?? []
  if (host === undefined || port === undefined) throw new Error(`--upstream takes HOST:PORT, not '${text}'`)
  return { host, port: portNumber(port) }
}

const { host, port, json, sample, help, ...args } = readArguments()
if (help) {
  console.log(usage)
  process.exit(0)
}

function report(remote: string, outcome: { packet: ConnectPacket } | { error: Error }): void {
  if (json) {
    const shown =
      'packet' in outcome || outcome.error instanceof MqttError
        ? outcome
        : { error: { message: outcome.error.message } }
    console.log(JSON.stringify({ remote, ...shown }))
  } else if ('packet' in outcome) {
    console.log(`${remote} ${outcome.packet}`)
  } else {
    const { error } = outcome
    const rule = error instanceof MqttError ? ` [${error.code}, ${error.clause}]` : ''
    console.log(`${remote} refused: ${error.message}${rule}`)
  }
}

/** What is not about a connection: kept out of the JSON lines. */
const say = json ? console.error : console.log

const sockets = new Set<Socket>()
const embedded = args.upstream ? undefined : await startEmbeddedBroker()
const upstream = args.upstream || { host: '127.0.0.1', port: embedded?.port ?? 0 }

const server = createServer({ allowHalfOpen: true }, async (client) => {
  sockets.add(client)
  client.on('error', () => client.destroy())
  client.on('close', () => sockets.delete(client))
  const remote = `${client.remoteAddress}:${client.remotePort}`
  try {
    const packet = await readConnect(client)
    report(remote, { packet })
    forward(client, packet, remote)
  } catch (error) {
    report(remote, { error: error as Error })
    refuse(client, error instanceof MqttError ? error.connack : undefined)
  }
})

/** Sends the packet and everything behind it to the broker, and its answers to the client. */
function forward(client: Socket, packet: ConnectPacket, remote: string): void {
  const broker = connect(upstream)
  broker.once('error', (error) => {
    if (!broker.connecting && broker.bytesWritten > 0) return
    report(remote, { error: new Error(`no broker at ${upstream.host}:${upstream.port}: ${error.message}`) })
    refuse(client, unavailable(packet))
  })
  broker.once('connect', () => {
    sockets.add(broker)
    broker.on('close', () => {
      sockets.delete(broker)
      client.destroySoon()
    })
    broker.write(packet.bytes)
    pipeline(client, broker, client, () => {
      client.destroy()
      broker.destroy()
    })
  })
}

/** Answers if there is an answer, and closes. */
function refuse(client: Socket, connack: Uint8Array | undefined): void {
  if (connack === undefined) {
    client.destroy()
  } else {
    // Closing before the client's bytes are read would reset the connection and lose the answer on its way.
    client.end(connack)
    client.resume()
    // Not the socket's own timeout, which each byte that comes would start anew.
    const timer = setTimeout(() => client.destroy(), 1000)
    client.once('close', () => clearTimeout(timer))
  }
}

function unavailable(packet: ConnectPacket): Uint8Array {
  return packet.protocolVersion === 5
    ? Uint8Array.of(0x20, 3, 0, ConnectReasonCode.serverUnavailable, 0)
    : Uint8Array.of(0x20, 2, 0, ConnectReturnCode.serverUnavailable)
}

server.on('error', (error: NodeJS.ErrnoException) => {
  fail(
    error.code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is taken: stop what listens there, or choose another with --port`
      : `Cannot listen on ${host}:${port}: ${error.message}`,
    1,
  )
})

function stop(): void {
  server.close()
  for (const socket of sockets) socket.destroy()
  embedded?.close()
  setTimeout(() => process.exit(0), 500).unref() // Whatever else may still be open.
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

server.listen(port, host, async () => {
  const bound = server.address() as AddressInfo
  const broker = embedded ? 'an embedded aedes' : `${upstream.host}:${upstream.port}`
  say(`Listening on ${bound.address}:${bound.port}, forwarding to ${broker}. Ctrl-C ends it.`)
  if (!sample) return
  try {
    await runSampleClients(bound.address, bound.port)
    say('The sample clients are done. Connect one of your own.')
  } catch (error) {
    say(`A sample client failed: ${(error as Error).message}`)
  }
})
