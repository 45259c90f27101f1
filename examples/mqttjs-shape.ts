/*
 * Checks CONNECT packets for existing code that expects mqtt-packet's objects, as MQTT.js and aedes do.
 *
 *   node examples/mqttjs-shape.ts [PORT]
 */
import { createServer, type Server } from 'node:net'
import { ConnectReasonCode, ConnectReturnCode, readConnect, refuse } from 'mqtt-connect-packet'
import {
  type ConnackInput,
  type ConnectObject,
  fromMqttPacket,
  toMqttPacket,
} from 'mqtt-connect-packet/interop/mqtt-packet'

/** Your existing code: takes mqtt-packet's CONNECT and returns mqtt-packet's CONNACK. */
export type Hook = (packet: ConnectObject) => ConnackInput

export function createServerWithHook(hook: Hook): Server {
  return createServer(async (socket) => {
    socket.on('error', () => socket.destroy())
    try {
      const packet = await readConnect(socket)
      const { protocolVersion } = packet
      const answer = fromMqttPacket(hook(toMqttPacket(packet)), { protocolVersion })
      if (!answer.accepted) return await refuse(socket, answer)
      socket.write(answer.bytes)
      // Replace this with your code that reads what follows. If nobody reads, nobody notices that the client has left.
      socket.resume()
    } catch (error) {
      console.error(`${error}`)
      await refuse(socket, error as Error)
    }
  })
}

/** An example: refuses clients without a user name. */
export const requireUserName: Hook = ({ username, protocolVersion }) =>
  protocolVersion === 5
    ? { cmd: 'connack', reasonCode: username ? ConnectReasonCode.success : ConnectReasonCode.notAuthorized }
    : { cmd: 'connack', returnCode: username ? ConnectReturnCode.accepted : ConnectReturnCode.notAuthorized }

if (process.argv[1] === import.meta.filename) {
  createServerWithHook(requireUserName).listen(Number(process.argv[2] ?? 1883))
}
