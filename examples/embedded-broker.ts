import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { Aedes } from 'aedes'
import { ConnectReasonCode, ConnectReturnCode, readConnect, type v5 } from 'mqtt-connect-packet'
import mqttPacket, { type Packet } from 'mqtt-packet'

/*
 * An aedes broker in this process, so that the gateway has something to forward to on a bare machine. Aedes speaks
 * MQTT 3.1.1; an MQTT 5.0 connection is translated packet by packet, and what 3.1.1 has no words for (properties,
 * subscription options) is dropped. A gateway with `--upstream` needs none of this.
 */

const reasonOfReturn: Readonly<Record<number, ConnectReasonCode>> = {
  [ConnectReturnCode.accepted]: ConnectReasonCode.success,
  [ConnectReturnCode.unacceptableProtocolVersion]: ConnectReasonCode.unsupportedProtocolVersion,
  [ConnectReturnCode.identifierRejected]: ConnectReasonCode.clientIdentifierNotValid,
  [ConnectReturnCode.serverUnavailable]: ConnectReasonCode.serverUnavailable,
  [ConnectReturnCode.badUserNameOrPassword]: ConnectReasonCode.badUserNameOrPassword,
  [ConnectReturnCode.notAuthorized]: ConnectReasonCode.notAuthorized,
}

/** Starts the broker on a free port of 127.0.0.1. */
export async function startEmbeddedBroker(): Promise<{ port: number; close(): void }> {
  const broker = await Aedes.createBroker()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    readConnect(socket).then(
      (packet) => {
        if (packet.protocolVersion === 5) {
          broker.handle(translated(socket, packet))
        } else {
          socket.unshift(packet.bytes)
          broker.handle(socket)
        }
      },
      () => socket.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      broker.close()
    },
  }
}

/** An MQTT 3.1.1 connection for the broker on top of an MQTT 5.0 one of the client. */
function translated(socket: Socket, connect: v5.ConnectPacket): Duplex {
  const fromClient = mqttPacket.parser({ protocolVersion: 5 })
  const fromBroker = mqttPacket.parser({ protocolVersion: 4 })
  const assignedId = connect.clientId === '' ? randomUUID() : undefined
  /** How many topics each UNSUBSCRIBE has: an UNSUBACK of 3.1.1 does not tell. */
  const unsubscribed = new Map<number | undefined, number>()

  const connection = new Duplex({
    read() {
      socket.resume()
    },
    write(chunk: Buffer, _encoding, callback) {
      fromBroker.parse(chunk)
      if (socket.writableNeedDrain) socket.once('drain', callback)
      else callback()
    },
    destroy(error, callback) {
      socket.destroy()
      callback(error)
    },
  })

  fromClient.on('packet', (received: Packet) => {
    if (received.cmd === 'disconnect' && received.reasonCode === 0x04) {
      connection.destroy() // Disconnect with will message: 3.1.1 can only break the connection.
      return
    }
    if (received.cmd === 'unsubscribe') unsubscribed.set(received.messageId, received.unsubscriptions.length)
    const packet = { ...received } // The parser goes on using the one that it has emitted.
    if (packet.cmd === 'connect') {
      packet.protocolVersion = 4
      packet.clientId = assignedId ?? packet.clientId
      if (packet.username === undefined) delete packet.password // 3.1.1 cannot say that.
    }
    if (!connection.push(mqttPacket.generate(packet, { protocolVersion: 4 }))) socket.pause()
  })

  fromBroker.on('packet', (packet: Packet) => {
    if (packet.cmd === 'connack') {
      packet.reasonCode = reasonOfReturn[packet.returnCode ?? 0] ?? ConnectReasonCode.unspecifiedError
      packet.properties = assignedId === undefined ? {} : { assignedClientIdentifier: assignedId }
    } else if (packet.cmd === 'unsuback') {
      packet.granted = new Array(unsubscribed.get(packet.messageId) ?? 1).fill(0)
      unsubscribed.delete(packet.messageId)
    }
    if (!socket.destroyed) socket.write(mqttPacket.generate(packet, { protocolVersion: 5 }))
  })

  fromClient.on('error', () => connection.destroy())
  fromBroker.on('error', () => connection.destroy())
  connection.on('error', () => socket.destroy())
  socket.on('data', (chunk) => fromClient.parse(chunk))
  socket.on('end', () => connection.push(null))
  socket.on('close', () => connection.destroy())
  fromClient.parse(connect.bytes)
  return connection
}
