import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { ConnectReasonCode, connack, readConnect, readPacket, v3_1_1 } from 'mqtt-connect-packet'
import { closeAll, closeLater, connectMqttJs, freePort, isListening, listen, start } from './support.ts'

const packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })

/** A server's answer to a CONNECT, in hex. */
async function answer(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  closeLater(() => socket.destroy())
  socket.write(packet.bytes)
  return (await readPacket(socket)).bytes.toString('hex')
}

describe('the recipes, started directly', () => {
  afterEach(closeAll)

  for (const [recipe, expected] of [
    ['server.ts', '20020000'],
    ['front-door.ts', '20020004'], // the client has no user name
    ['aedes.ts', '20020000'],
    ['mqttjs-shape.ts', '20020005'],
    ['chunks.ts', '20020000'],
    ['web-stream.ts', '20020000'],
  ] as const) {
    it(`${recipe} serves clients`, async () => {
      const port = await freePort()
      await isListening(port, start(recipe, port))
      expect(await answer(port)).to.equal(expected)
    })
  }

  it('websocket.ts serves clients', async () => {
    const broker = createServer(async (socket) => {
      socket.write(connack(await readConnect(socket), ConnectReasonCode.success)!.bytes)
    })
    const port = await freePort()
    await isListening(port, start('websocket.ts', port, await listen(broker)))
    await connectMqttJs(port, 4, { protocol: 'ws' })
  })

  it('load-generator.ts prints what it has measured', async () => {
    const server = createServer(async (socket) => {
      socket.write(connack(await readConnect(socket), ConnectReasonCode.success)!.bytes)
    })
    const child = start('load-generator.ts', await listen(server), 3)
    expect(await text(child.stdout!)).to.include('accepted: 3,')
  })

  it('inspect-capture.ts explains what it reads', async () => {
    const child = start('inspect-capture.ts')
    child.stdin!.end(`0\t50000\t${packet.bytes.toString('hex')}\n`)
    expect(await text(child.stdout!)).to.include('valid    MQTT 3.1.1 CONNECT of 15 bytes')
  })
})
