import { connect, createServer } from 'node:net'
import { expect } from 'chai'
import mqttPacket from 'mqtt-packet'
import { createServerWithHook, type Hook, requireUserName } from '../../examples/mqttjs-shape.ts'
import { closeAll, connectMqttJs, listen, refusalOf } from './support.ts'

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
  }
})
