/*
 * MQTT over WebSocket: forwards browsers to a broker that speaks MQTT over TCP.
 *
 *   node examples/websocket.ts [PORT] [BROKER_PORT]
 */
import type { NetConnectOpts } from 'node:net'
import { readConnect, refuse } from 'mqtt-connect-packet'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { passOn } from './front-door.ts'

export function createWebSocketFrontDoor(port: number, broker: NetConnectOpts): WebSocketServer {
  const handleProtocols = (offered: Set<string>) => offered.has('mqtt') && 'mqtt'
  const server = new WebSocketServer({ port, handleProtocols, maxPayload: 65_536 })
  server.on('connection', async (webSocket) => {
    webSocket.on('error', () => {}) // ws closes the connection; without a listener, an invalid frame would end the process
    if (webSocket.protocol !== 'mqtt') return webSocket.close(1002, 'The subprotocol must be mqtt')
    webSocket.on('message', (_, isBinary) => isBinary || webSocket.close(1003, 'Messages must be binary'))
    const client = createWebSocketStream(webSocket)
    client.on('error', () => client.destroy())
    try {
      await passOn(client, await readConnect(client), broker)
    } catch (error) {
      console.error(`${error}`)
      await refuse(client, error as Error)
    }
  })
  return server
}

if (process.argv[1] === import.meta.filename) {
  const [port = 9001, brokerPort = 1883] = process.argv.slice(2).map(Number)
  createWebSocketFrontDoor(port, { port: brokerPort })
}
