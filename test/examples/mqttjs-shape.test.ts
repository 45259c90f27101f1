import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { v3_1_1, v5 } from 'mqtt-connect-packet'
import mqttPacket from 'mqtt-packet'
import { createServerWithHook, type Hook, requireUserName } from '../../examples/mqttjs-shape.ts'
import { closeAll, connectMqttJs, listen, refusalOf, until } from './support.ts'

describe('examples/mqttjs-shape.ts', () => {
  afterEach(closeAll)

  for (const protocolVersion of [4, 5] as const) {
    it(`gives a hook the object that mqtt-packet reads from MQTT.js, protocol level ${protocolVersion}`, async () => {
      const objects: object[] = []
      const hook: Hook = (object) => {
        objects.push(object)
        return requireUserName(object)
      }
      const server = await listen(createServerWithHook(hook))
      // A proxy between client and server that records the bytes.
      let sent = Buffer.alloc(0)
      const between = createServer((socket) => {
        socket.once('data', (chunk) => {
          sent = chunk
        })
        socket.pipe(connect(server, '127.0.0.1')).pipe(socket)
      })
      await connectMqttJs(await listen(between), protocolVersion, {
        clientId: 'c',
        username: 'u',
        password: 'p',
        will: { topic: 't', payload: Buffer.from('m'), qos: 1, retain: true },
        ...(protocolVersion === 5 && {
          properties: { receiveMaximum: 10, userProperties: { a: ['1', '2'] } },
        }),
      })
      const parsed: object[] = []
      const parser = mqttPacket.parser()
      parser.on('packet', (object) => parsed.push({ ...object }))
      expect(parser.parse(sent)).to.equal(0)
      expect(objects).to.have.lengthOf(1).and.to.deep.equal(parsed)
    })

    it(`sends the code of the hook's CONNACK, protocol level ${protocolVersion}`, async () => {
      const port = await listen(createServerWithHook(requireUserName))
      expect(await refusalOf(port, protocolVersion)).to.equal(protocolVersion === 5 ? 0x87 : 5)
    })

    for (const [what, userName] of [
      ['refused', undefined],
      ['admitted', 'u'],
    ] as const) {
      it(`closes the connection of a client that is ${what} and leaves, protocol level ${protocolVersion}`, async () => {
        const server = createServerWithHook(requireUserName)
        const socket = connect(await listen(server), '127.0.0.1')
        const fields = { keepAlive: 0, clientId: 'c', userName }
        const packet =
          protocolVersion === 5
            ? new v5.ConnectPacket({ ...fields, cleanStart: true })
            : new v3_1_1.ConnectPacket({ ...fields, cleanSession: true })
        // A PINGREQ that nobody answers.
        socket.resume().write(Buffer.concat([packet.bytes, Buffer.from('c000', 'hex')]))
        if (userName !== undefined) socket.end()
        await once(socket, 'close')
        await until(() => promisify(server.getConnections.bind(server))().then((open) => open === 0))
      })
    }
  }
})
