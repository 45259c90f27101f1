import { PassThrough, Readable } from 'node:stream'
import { expect } from 'chai'
import {
  ConnectReasonCode,
  connack,
  diagnose,
  type MqttError,
  ProtocolVersion,
  property,
  readConnack,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { DISCONNECT, overTcp, PINGREQ, received, rejection, settle } from './support.ts'

const following = Buffer.concat([PINGREQ, DISCONNECT])

describe('readConnack', () => {
  for (const [name, connect, level, Class] of [
    ['3.1', buildV3_1(), ProtocolVersion.v3_1, v3_1.ConnackPacket],
    ['3.1.1', buildV3(), ProtocolVersion.v3_1_1, v3_1_1.ConnackPacket],
    ['5.0', buildV5(), ProtocolVersion.v5, v5.ConnackPacket],
  ] as const) {
    it(`reads the answer to a CONNECT of ${name} over TCP, and leaves the following bytes unread`, async () => {
      const answer = connack(connect, ConnectReasonCode.notAuthorized)!
      for (const to of [connect, level]) {
        await overTcp(async (client, server) => {
          server.end(Buffer.concat([answer.bytes, following]))
          const packet = await readConnack(client, to as typeof connect)
          expect(packet).to.be.instanceOf(Class)
          expect(packet.accepted).to.equal(false)
          expect(packet.codeName).to.equal('notAuthorized')
          expect((await received(client)).equals(following)).to.equal(true)
        })
      }
    })
  }

  it('has the types of the CONNECT or of the version', async () => {
    const stream = new PassThrough()
    stream.write(connack(5, 0).bytes)
    const packet: v5.ConnackPacket = await readConnack(stream, ProtocolVersion.v5)
    expect(packet.reasonCode).to.equal(0)
  })

  it('rejects any other packet, an AUTH too, because readPacket reads that', async () => {
    const auth = new v5.AuthPacket({ reasonCode: 0x18, props: [property.authenticationMethod('M')] })
    for (const bytes of [auth.bytes, PINGREQ, buildV5().bytes]) {
      const stream = new PassThrough()
      stream.write(bytes)
      expect(await rejection(readConnack(stream, buildV5()))).to.include({ code: 'not-connack' })
    }
    for (const to of [ProtocolVersion.v3_1, ProtocolVersion.v3_1_1, ProtocolVersion.v5]) {
      const disconnect = Readable.from([hex('e000')])
      expect(await rejection(readConnack(disconnect, to as 5))).to.include({ code: 'not-connack' })
    }
  })

  it('rejects a CONNACK of another version', async () => {
    const stream = new PassThrough()
    stream.write(connack(4, 0).bytes)
    expect(await rejection(readConnack(stream, 5))).to.include({ code: 'field-past-end' })
  })

  it('rejects if the server closes without an answer, which diagnose tells from a cut packet', async () => {
    await overTcp(async (client, server) => {
      server.end()
      const error = (await rejection(readConnack(client, buildV5()))) as MqttError
      expect(error).to.include({ code: 'packet-incomplete', offset: 0 })
      expect(diagnose(error).headline).to.equal('The connection ended before any byte arrived.')
    })
    const cut = new PassThrough()
    cut.end(connack(5, 0).bytes.subarray(0, 3))
    const error = (await rejection(readConnack(cut, 5))) as MqttError
    expect(diagnose(error).headline).to.equal('The packet is not complete.')
    await settle()
  })

  it('rejects a version that is no protocol version', async () => {
    for (const to of [0, 6, undefined, {}])
      expect(await rejection(readConnack(new PassThrough(), to as 5))).to.be.instanceOf(TypeError)
  })
})
