/*
 * A front door before a broker: authenticates each client, refuses it with the right CONNACK, or rewrites its client id and
 * forwards the connection.
 *
 *   node examples/front-door.ts [PORT] [BROKER_PORT]
 */
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectPacket, ConnectReasonCode, connack, readConnect, refuse } from 'mqtt-connect-packet'

/** Decides about a client: `ConnectReasonCode.success` lets it in. */
export type Authenticate = (packet: ConnectPacket) => ConnectReasonCode | Promise<ConnectReasonCode>

export function createFrontDoor(broker: NetConnectOpts, authenticate: Authenticate): Server {
  // Half open: a client may send everything it has and end before the broker has answered.
  return createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => client.destroy())
    try {
      const packet = await readConnect(client)
      const code = await authenticate(packet)
      if (code !== ConnectReasonCode.success) return await refuse(client, connack(packet, code))
      // An empty client id stays empty: the broker assigns one. A prefix alone would be one id for many clients.
      const clientId = packet.clientId && `tenant-1/${packet.clientId}`
      forward(client, packet.with({ clientId }), broker)
    } catch (error) {
      console.error(`${error}`)
      await refuse(client, error as Error)
    }
  })
}

/** Connects a client to a broker: sends the packet and everything after it, and the broker's answers back. */
export function forward(client: Duplex, packet: ConnectPacket, options: NetConnectOpts): void {
  if (client.destroyed) return
  const broker = connect({ timeout: 10_000, ...options })
  broker.once('timeout', () => broker.destroy(new Error('The broker does not accept the connection')))
  broker.once('connect', () => broker.setTimeout(0))
  broker.on('error', (error) => console.error(`${error}`))
  broker.on('close', () => {
    if (broker.bytesRead === 0) refuse(client, connack(packet, ConnectReasonCode.serverUnavailable))
    else refuse(client, undefined, { linger: 60_000 }) // time to read what the broker has sent
  })
  client.on('close', () => broker.destroy())
  broker.write(packet.bytes)
  client.pipe(broker)
  broker.pipe(client, { end: false }) // `refuse` ends it
}

if (process.argv[1] === import.meta.filename) {
  const [port = 1883, brokerPort = 1884] = process.argv.slice(2).map(Number)
  const passwords: ReadonlyMap<string, string> = new Map([['device', 's3cret']])
  createFrontDoor({ port: brokerPort }, ({ userName = '', password }) => {
    // A real server compares the salted hash of the password, with `timingSafeEqual`.
    const isValid = passwords.has(userName) && passwords.get(userName) === password?.toString()
    return isValid ? ConnectReasonCode.success : ConnectReasonCode.badUserNameOrPassword
  }).listen(port)
}
