import { connect } from 'node:net'
import { Aedes } from 'aedes'
import { expect } from 'chai'
import { v3_1_1 } from 'mqtt-connect-packet'
import { createStrictServer } from '../../examples/aedes.ts'
import {
  answerTo,
  closeAll,
  closeLater,
  collectOutput,
  connectMqttJs,
  listen,
  nextMessage,
  refusalOf,
  withReservedFlag,
} from './support.ts'

describe('examples/aedes.ts', () => {
  let aedes: Aedes
  let port: number
  collectOutput()

  beforeEach(async () => {
    aedes = await Aedes.createBroker()
    closeLater(() => aedes.close())
    port = await listen(createStrictServer(aedes))
  })

  afterEach(closeAll)

  it('lets aedes serve MQTT.js', async () => {
    const client = await connectMqttJs(port, 4, { clientId: 'c', username: 'u', password: 'p' })
    await client.subscribeAsync('t')
    const message = nextMessage(client)
    await client.publishAsync('t', 'hello', { qos: 1 })
    expect(await message).to.equal('hello')
  })

  it('gives aedes what follows the CONNECT in the same chunk', async () => {
    const published = new Promise((resolve) =>
      aedes.on('publish', ({ topic }) => topic === 't' && resolve('t')),
    )
    const socket = connect(port, '127.0.0.1')
    closeLater(() => socket.destroy())
    const packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })
    socket.write(Buffer.concat([packet.bytes, Buffer.from('30050001740a0b', 'hex')]))
    expect(await published).to.equal('t')
  })

  it('refuses MQTT 5.0 with its reason code for an unsupported version', async () => {
    expect(await refusalOf(port, 5)).to.equal(0x84)
  })

  it('refuses what aedes would accept: a will topic with a wildcard', async () => {
    const seen: string[] = []
    aedes.on('client', ({ id }) => seen.push(id))
    const template = new v3_1_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 0,
      clientId: 'c',
      will: { topic: 'a', message: '' },
    })
    const bytes = Buffer.from(template.bytes)
    bytes[bytes.lastIndexOf('a')] = '#'.charCodeAt(0)
    expect(await answerTo(port, bytes)).to.equal('')
    expect(await answerTo(port, withReservedFlag(template))).to.equal('')
    expect(seen).to.deep.equal([])
  })
})
