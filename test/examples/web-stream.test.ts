import { connect, createServer } from 'node:net'
import { Duplex } from 'node:stream'
import { expect } from 'chai'
import { MqttError, v5 } from 'mqtt-connect-packet'
import { packetsOf, serve } from '../../examples/web-stream.ts'
import {
  answerTo,
  closeAll,
  closeLater,
  collectOutput,
  connectMqttJs,
  listen,
  until,
  withReservedFlag,
} from './support.ts'

const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
const pingreq = Buffer.from('c000', 'hex')

/** The packets found in a stream of chunks, and the code of the final error. */
async function read(chunks: Iterable<Uint8Array>): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  try {
    for await (const one of packetsOf(ReadableStream.from(chunks))) found.push(`${one}`)
  } catch (error) {
    found.push(error instanceof MqttError ? error.code : `${error}`)
  }
  return found
}

describe('examples/web-stream.ts', () => {
  const lines = collectOutput()
  afterEach(closeAll)

  it('gives the same packets and the same error, wherever the chunks are split', async () => {
    const bytes = Buffer.concat([packet.bytes, pingreq, withReservedFlag(packet)])
    const expected = [`${packet}`, 'pingreq{flags:0,size:2}', 'second-connect']
    for (let at = 0; at <= bytes.length; at++) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)]), `${at}`).to.deep.equal(expected)
    }
  })

  it('gives an error if the stream ends within a packet', async () => {
    expect(await read([packet.bytes, pingreq.subarray(1)])).to.deep.equal([
      `${packet}`,
      'reserved-packet-type',
    ])
    expect(await read([packet.bytes, pingreq.subarray(0, 1)])).to.deep.equal([
      `${packet}`,
      'packet-incomplete',
    ])
  })

  describe('as a server', () => {
    let port: number
    let served: number

    beforeEach(async () => {
      served = 0
      const server = createServer((socket) => {
        socket.on('error', () => socket.destroy())
        serve(Duplex.toWeb(socket)).then(
          () => served++,
          (reason) => lines.push(reason),
        )
      })
      port = await listen(server)
    })

    for (const version of [4, 5] as const) {
      it(`serves MQTT.js, protocol level ${version}`, async () => {
        const client = await connectMqttJs(port, version)
        await client.publishAsync('t', 'm')
        await client.endAsync()
        await until(() => served === 1)
        expect(lines).to.have.lengthOf(3)
        expect(lines[2]).to.match(/^v(3_1_1|5)::disconnect\{/)
      })
    }

    it('prints no more than the error of a client that leaves within its CONNECT', async () => {
      connect(port, '127.0.0.1').end(packet.bytes.subarray(0, 5))
      connect(port, '127.0.0.1').end()
      await until(() => served === 2)
      expect(lines).to.have.lengthOf(1)
      expect(lines[0]).to.include('the packet is not complete')
    })

    it('closes the connection of a refused client that keeps it open', async () => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      closeLater(() => client.destroy())
      client.on('error', () => {})
      client.write(withReservedFlag(packet))
      const writing = setInterval(() => client.write('more'), 50)
      closeLater(() => clearInterval(writing))
      client.resume()
      await new Promise((resolve) => client.on('close', resolve))
    })

    it('answers a malformed CONNECT, also if much more follows it', async () => {
      const bytes = Buffer.concat([withReservedFlag(packet), Buffer.alloc(1_000_000)])
      expect(await answerTo(port, bytes)).to.equal('2003008100')
      expect(lines).to.have.lengthOf(1)
    })
  })
})
