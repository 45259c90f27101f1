/*
 * A CONNECT gateway: reads the first packet of each connection, prints it, refuses what is malformed as the standard
 * says, and forwards everything else to a broker, both ways.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ConnectReturnCode,
  MqttError,
  readConnect,
} from 'mqtt-connect-packet'
import { closeGently } from './close-gently.ts'
import { startEmbeddedBroker } from './embedded-broker.ts'
import { runSampleClients } from './sample-clients.ts'

const usage = `A gateway that prints and checks each MQTT CONNECT and forwards the connection to a broker.

  npm start -- [options]

  --host HOST                 address to listen on (default 127.0.0.1)
  --port PORT                 port to listen on, 0 for any free one (default 1883)
  --upstream HOST:PORT        broker to forward to (default: an aedes in this process)
  --connect-timeout SECONDS   how long the broker may take to accept a connection (default 10)
  --json                      print one JSON object a line
  --no-sample                 do not connect the sample clients
  --help                      print this`

/** The longest delay that a timer takes, in whole seconds. */
const LONGEST_TIMEOUT = 2_147_483

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
        'connect-timeout': { type: 'string', default: '10' },
        json: { type: 'boolean', default: false },
        sample: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    })
    return {
      ...values,
      port: portNumber(values.port),
      upstream: values.upstream && address(values.upstream),
      connectTimeout: seconds(values['connect-timeout']),
    }
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

function seconds(text: string): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < 0.001 || value > LONGEST_TIMEOUT) {
    throw new Error(`--connect-timeout takes 0.001 to ${LONGEST_TIMEOUT} seconds, not '${text}'`)
  }
  return value
}

const { host, port, json, sample, help, connectTimeout, ...args } = readArguments()
if (help) {
  console.log(usage)
  process.exit(0)
}

/** Advice for what often comes to an MQTT port by mistake. */
const hints: Readonly<Record<NonNullable<MqttError['looksLike']>, string>> = {
  tls: 'looks like TLS: is the client set to mqtts? This port speaks MQTT without TLS.',
  http: 'looks like HTTP: is it a browser, or a client set to ws? This port speaks MQTT over TCP, without WebSocket.',
  'proxy-v1': 'looks like the PROXY protocol, version 1: switch it off in the load balancer.',
  'proxy-v2': 'looks like the PROXY protocol, version 2: switch it off in the load balancer.',
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
    console.log(`${remote} refused: ${reason(outcome.error)}`)
  }
}

function reason(error: Error): string {
  if (!(error instanceof MqttError)) return error.message
  return error.looksLike ? hints[error.looksLike] : `${error.message} [${error.code}, ${error.clause}]`
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
    if (error instanceof MqttError && error.connack) closeGently(client, error.connack)
    else client.destroy()
  }
})

/** Sends the packet and everything after it to the broker, and its answers to the client. */
function forward(client: Socket, packet: ConnectPacket, remote: string): void {
  if (client.destroyed) return
  const broker = connect(upstream)
  sockets.add(broker)
  const timer = setTimeout(
    () => broker.destroy(new Error(`no connection within ${connectTimeout} s`)),
    connectTimeout * 1000,
  )
  const giveUp = () => broker.destroy()
  // While nobody reads, 'end' comes only if there is nothing to read: the client has left.
  client.on('end', giveUp)
  client.on('close', giveUp)
  let connected = false
  broker.once('connect', () => {
    connected = true
    clearTimeout(timer)
    client.removeListener('end', giveUp)
    broker.write(packet.bytes)
    client.pipe(broker).pipe(client)
  })
  broker.on('error', (error) => {
    if (connected) return
    report(remote, { error: new Error(`no broker at ${upstream.host}:${upstream.port}: ${error.message}`) })
    closeGently(client, unavailable(packet))
  })
  broker.on('close', () => {
    clearTimeout(timer)
    sockets.delete(broker)
    closeGently(client)
  })
}

function unavailable(packet: ConnectPacket): Uint8Array {
  return packet.protocolVersion === 5
    ? Uint8Array.of(0x20, 3, 0, ConnectReasonCode.serverUnavailable, 0)
    : Uint8Array.of(0x20, 2, 0, ConnectReturnCode.serverUnavailable)
}

server.on('error', (error: NodeJS.ErrnoException) => {
  if (server.listening) {
    say(`A connection could not be accepted: ${error.message}`)
    return
  }
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
