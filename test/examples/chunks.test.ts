import { connect } from 'node:net'
import { expect } from 'chai'
import { ConnectReasonCode, connack, v5 } from 'mqtt-connect-packet'
import { createChunkServer } from '../../examples/chunks.ts'
import { answerTo, closeAll, closeLater, connectMqttJs, listen, until, withReservedFlag } from './support.ts'

const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })

describe('examples/chunks.ts', () => {
  let types: string[]
  let port: number

  beforeEach(async () => {
    types = []
    const server = createChunkServer((packet, socket) => {
      types.push(`${packet}`.split('{')[0]!)
      if ('clientId' in packet) socket.write(connack(packet, ConnectReasonCode.success)!.bytes)
    })
    port = await listen(server)
  })

  afterEach(closeAll)

  for (const version of [4, 5] as const) {
    it(`reads the packets of MQTT.js, protocol level ${version}`, async () => {
      const client = await connectMqttJs(port, version)
      await client.publishAsync('t', 'x'.repeat(60_000))
      await client.endAsync()
      await until(() => types.length === 3)
      expect(types.slice(1)).to.deep.equal(['publish', `${version === 4 ? 'v3_1_1' : 'v5'}::disconnect`])
    })
  }

  it('reads a packet that arrives byte by byte', async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    closeLater(() => socket.destroy())
    for (const byte of packet.bytes) {
      socket.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    await until(() => types.length > 0)
    expect(types).to.deep.equal(['v5::connect'])
  })

  it('answers a malformed CONNECT once, whatever follows it', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const chunks = Buffer.concat([withReservedFlag(packet), Buffer.alloc(2_000_000)])
    expect(await answerTo(port, chunks)).to.equal('2003008100')
    process.off('warning', onWarning)
    expect(warnings).to.deep.equal([])
  })

  it('gives the packets before a malformed one', async () => {
    const bytes = Buffer.concat([packet.bytes, Buffer.from('c000', 'hex'), packet.bytes])
    expect(await answerTo(port, bytes)).to.equal('2003000000')
    expect(types).to.deep.equal(['v5::connect', 'pingreq'])
  })
})
