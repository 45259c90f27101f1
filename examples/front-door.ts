/*
 * A front door before a broker: authenticates each client, refuses it with the right CONNACK, or replaces its credentials with those
 * for the broker and forwards the connection.
 *
 *   node examples/front-door.ts [PORT] [BROKER_PORT]
 */
import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type ConnectPacket,
  ConnectReasonCode,
  connack,
  forward,
  readConnect,
  refuse,
} from 'mqtt-connect-packet'

/** Decides whether to let a client in: only if it returns `ConnectReasonCode.success`. */
export type Authenticate = (packet: ConnectPacket) => ConnectReasonCode | Promise<ConnectReasonCode>

/** The front door's own credentials at the broker. */
export type Credentials = { readonly userName?: string; readonly password?: string }

export function createFrontDoor(
  broker: NetConnectOpts,
  authenticate: Authenticate,
  credentials: Credentials = {},
): Server {
  const { userName, password } = credentials
  // Half open, because a client may send everything and end before it's let in.
  return createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => client.destroy())
    try {
      const packet = await readConnect(client)
      const code = await authenticate(packet)
      if (code !== ConnectReasonCode.success) return await refuse(client, connack(packet, code))
      // Don't prefix the client id: a returning client may send the id that the broker assigned, and its session is stored under that id.
      await passOn(client, packet.with({ userName, password }), broker)
    } catch (error) {
      console.error(`${error}`)
      await refuse(client, error as Error)
    }
  })
}

/** Connects a client to a broker: sends the packet and everything after it, and returns the broker's answers. */
export async function passOn(client: Duplex, packet: ConnectPacket, options: NetConnectOpts): Promise<void> {
  const { timeout = 10_000 } = options
  const broker = connect({ ...options, timeout: undefined })
  try {
    await once(broker, 'connect', { signal: AbortSignal.timeout(timeout) })
  } catch (error) {
    broker.on('error', () => undefined).destroy()
    console.error(`The broker does not accept the connection: ${error}`)
    return await refuse(client, connack(packet, ConnectReasonCode.serverUnavailable))
  }
  broker.write(packet.bytes)
  await forward(client, broker)
}

if (process.argv[1] === import.meta.filename) {
  const [port = 1883, brokerPort = 1884] = process.argv.slice(2).map(Number)
  const passwords: ReadonlyMap<string, string> = new Map([['device', 's3cret']])
  createFrontDoor({ port: brokerPort }, ({ userName = '', password }) => {
    // A real server stores salted hashes, and compares them with `timingSafeEqual`.
    const isValid = passwords.has(userName) && passwords.get(userName) === password?.toString()
    return isValid ? ConnectReasonCode.success : ConnectReasonCode.badUserNameOrPassword
  }).listen(port)
}
