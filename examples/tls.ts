/*
 * MQTT over TLS with client certificates: the name in the certificate becomes the user name.
 *
 *   node examples/tls.ts SERVER_KEY SERVER_CERT CLIENT_CA [PORT] [BROKER_PORT]
 */
import { readFileSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { createServer, type Server, type TlsOptions } from 'node:tls'
import { ConnectReasonCode, connack, readConnect, refuse } from 'mqtt-connect-packet'
import { passOn } from './front-door.ts'

/** @param options `key` and `cert` of the server, and `ca`, the authority that signs the clients' certificates */
export function createTlsFrontDoor(options: TlsOptions, broker: NetConnectOpts): Server {
  const strict = {
    requestCert: true,
    rejectUnauthorized: true,
    allowHalfOpen: true,
    handshakeTimeout: 10_000,
  }
  const server = createServer({ ...options, ...strict }, async (client) => {
    client.on('error', () => client.destroy())
    try {
      const packet = await readConnect(client)
      // Only the certificate proves a name. The CONNECT's user name proves nothing.
      const userName: unknown = client.getPeerCertificate().subject?.CN
      // A certificate may have no common name, or several.
      if (typeof userName !== 'string') {
        return await refuse(client, connack(packet, ConnectReasonCode.notAuthorized))
      }
      await passOn(client, packet.with({ userName, password: undefined }), broker)
    } catch (error) {
      console.error(`${error}`)
      await refuse(client, error as Error)
    }
  })
  // Node only reports a handshake that fails or takes too long, and leaves the connection open.
  return server.on('tlsClientError', (_, socket) => socket.destroy())
}

if (process.argv[1] === import.meta.filename) {
  const [key, cert, ca, port = '8883', brokerPort = '1883'] = process.argv.slice(2)
  if (!key || !cert || !ca)
    throw new TypeError('Arguments: SERVER_KEY SERVER_CERT CLIENT_CA [PORT] [BROKER_PORT]')
  const options = { key: readFileSync(key), cert: readFileSync(cert), ca: readFileSync(ca) }
  createTlsFrontDoor(options, { port: Number(brokerPort) }).listen(Number(port))
}
