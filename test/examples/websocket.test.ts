import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { WebSocket } from 'ws'
import { createMqttServer } from '../../examples/server.ts'
import { createWebSocketFrontDoor } from '../../examples/websocket.ts'
import { brokers } from '../support/brokers.ts'
import {
  closeAll,
  closeLater,
  collectOutput,
  connectMqttJs,
  freePort,
  listen,
  needs,
  nextMessage,
  withReservedFlag,
} from './support.ts'

const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })

describe('examples/websocket.ts', () => {
  let lines: string[]
  collectOutput()

  beforeEach(() => {
    lines = []
  })

  afterEach(closeAll)

  /** Starts a front door to a broker, and returns its port. */
  async function openDoor(broker: number): Promise<number> {
    const server = createWebSocketFrontDoor(0, { port: broker, host: '127.0.0.1' })
    closeLater(() => {
      for (const client of server.clients) client.terminate()
      server.close()
    })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async function door(): Promise<number> {
    return await openDoor(await listen(createMqttServer((line) => lines.push(line))))
  }

  /** Opens a WebSocket and sends data. Returns everything received until the close, in hex, and the close code. */
  async function talk(port: number, protocols: string[], data: string | Buffer): Promise<[string, number]> {
    const webSocket = new WebSocket(`ws://127.0.0.1:${port}`, protocols)
    closeLater(() => webSocket.terminate())
    let received = ''
    webSocket.on('message', (message) => {
      received += (message as Buffer).toString('hex')
    })
    webSocket.once('open', () => webSocket.send(data))
    const [code] = await once(webSocket, 'close')
    return [received, code]
  }

  for (const version of [4, 5] as const) {
    it(`forwards MQTT.js to mosquitto, protocol level ${version}`, async function () {
      needs(this, 'mosquitto')
      const broker = await brokers.mosquitto(freePort)
      closeLater(() => broker.close())
      const client = await connectMqttJs(await openDoor(broker.port), version, { protocol: 'ws' })
      await client.subscribeAsync('t')
      const message = nextMessage(client)
      await client.publishAsync('t', 'x'.repeat(50_000), { qos: 1 })
      expect(await message).to.have.lengthOf(50_000)
      await client.endAsync()
    })
  }

  it('forwards MQTT.js to examples/server.ts', async () => {
    await connectMqttJs(await door(), 5, { protocol: 'ws', clientId: 'browser' })
    expect(lines[0]).to.include('cid:browser')
  })

  it('survives an invalid frame of a client without the subprotocol', async () => {
    const port = await door()
    // The library ws would answer the close frame, and then nothing more would be read.
    const socket = connect(port, '127.0.0.1')
    const upgrade = ['GET / HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket']
    const keys = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13']
    socket.write([...upgrade, ...keys, '', ''].join('\r\n'))
    await once(socket, 'data')
    socket.resume().write(Buffer.from('f280000000000000', 'hex'))
    await once(socket, 'close')
    await connectMqttJs(port, 5, { protocol: 'ws', clientId: 'another' })
    expect(lines[0]).to.include('cid:another')
  })

  it('answers a malformed CONNECT', async () => {
    expect((await talk(await door(), ['mqtt'], withReservedFlag(packet)))[0]).to.equal('2003008100')
  })

  it('closes a connection without the subprotocol, or with a message of text', async () => {
    const port = await door()
    expect(await talk(port, [], packet.bytes)).to.deep.equal(['', 1002])
    expect(await talk(port, ['mqtt'], 'text')).to.deep.equal(['', 1003])
    expect(lines).to.deep.equal([])
  })
})
