import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import mqtt from 'mqtt'
import { v5 } from 'mqtt-connect-packet'

/** Lets one client of each version and one malformed packet pass through the gateway. */
export async function runSampleClients(host: string, port: number): Promise<void> {
  await connectAndLeave(host, port, {
    protocolVersion: 4,
    clientId: 'sample-3.1.1',
    username: 'device',
    password: 'secret',
  })
  await connectAndLeave(host, port, {
    protocolVersion: 5,
    clientId: 'sample-5',
    username: 'device',
    password: 'secret',
    properties: {
      sessionExpiryInterval: 60,
      receiveMaximum: 100,
      userProperties: { region: 'eu-west-1', firmware: '1.2.3' },
    },
    will: {
      topic: 'devices/sample-5/status',
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
      properties: { willDelayInterval: 30, contentType: 'text/plain' },
    },
  })
  await sendMalformed(host, port)
}

async function connectAndLeave(host: string, port: number, options: mqtt.IClientOptions): Promise<void> {
  const client = await mqtt.connectAsync({ ...options, host, port, protocol: 'mqtt', reconnectPeriod: 0 })
  await client.endAsync()
}

/** Sends a CONNECT of MQTT 5.0 with will QoS 3, and resolves once the gateway has answered and closed. */
async function sendMalformed(host: string, port: number): Promise<void> {
  const will = { topic: 'devices/broken/status', message: 'offline' }
  const valid = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'broken', will })
  const bytes = Buffer.from(valid.bytes)
  bytes[9]! |= 0x18 // The will QoS bits of the connect flags.
  const socket = openSocket(port, host)
  socket.resume()
  socket.write(bytes)
  await once(socket, 'close')
}
