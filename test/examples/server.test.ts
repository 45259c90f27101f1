import { connect } from 'node:net'
import { expect } from 'chai'
import { decode, PropertyId, v3_1_1, v5 } from 'mqtt-connect-packet'
import { createMqttServer } from '../../examples/server.ts'
import { answerTo, closeAll, connectMqttJs, listen, needs, run, until, withReservedFlag } from './support.ts'

const v3Packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })
const v5Packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })

describe('examples/server.ts', () => {
  let lines: string[]
  let port: number

  beforeEach(async () => {
    lines = []
    port = await listen(createMqttServer((line) => lines.push(line)))
  })

  afterEach(closeAll)

  for (const version of [4, 5] as const) {
    it(`accepts MQTT.js with protocol level ${version}, and prints its packets`, async () => {
      const client = await connectMqttJs(port, version, { clientId: 'mqttjs' })
      await client.publishAsync('t', 'hello')
      await client.endAsync()
      await until(() => lines.length === 3)
      expect(lines[0]).to.match(/^v(3_1_1|5)::connect\{cid:mqttjs,/)
      expect(lines.slice(1).map((line) => line.split('{')[0])).to.deep.equal([
        'publish',
        `${version === 4 ? 'v3_1_1' : 'v5'}::disconnect`,
      ])
    })
  }

  for (const version of ['311', '5']) {
    it(`accepts mosquitto_pub -V ${version}`, async function () {
      needs(this, 'mosquitto_pub')
      const { code, output } = await run('mosquitto_pub', [
        '-h',
        '127.0.0.1',
        '-p',
        `${port}`,
        '-V',
        version,
        '-t',
        't',
        '-m',
        'm',
      ])
      expect(code, output).to.equal(0)
      await until(() => lines.length > 1)
      expect(lines[1]).to.match(/^publish\{/)
    })
  }

  it('gives a client of 5.0 without an id one [MQTT-3.2.2-16]', async () => {
    expect(await answerTo(port, v3Packet.with({ clientId: '' }).bytes, 4)).to.equal('20020000')
    const answer = await answerTo(port, v5Packet.with({ clientId: '' }).bytes, 44)
    const packet = decode(Buffer.from(answer, 'hex'), { protocolVersion: 5 }) as v5.ConnackPacket
    expect(packet.property(PropertyId.assignedClientIdentifier)).to.have.lengthOf(36)
  })

  it('refuses a malformed CONNECT with the CONNACK of its version', async () => {
    expect(await answerTo(port, withReservedFlag(v5Packet))).to.equal('2003008100')
    expect(await answerTo(port, withReservedFlag(v3Packet))).to.equal('') // 3.1.1 has no return code for this
    expect(lines).to.deep.equal([])
  })

  it('refuses a second CONNECT, in 5.0 with the reason, and what is not MQTT', async () => {
    expect(await answerTo(port, Buffer.concat([v3Packet.bytes, v3Packet.bytes]))).to.equal('20020000')
    expect(await answerTo(port, Buffer.concat([v5Packet.bytes, v5Packet.bytes]))).to.equal('2003000000e00182')
    expect(await answerTo(port, Buffer.from('GET / HTTP/1.1\r\n\r\n'))).to.equal('')
  })

  it('closes the connection of a client that does not complete its CONNECT', async () => {
    const impatient = await listen(createMqttServer(() => {}, 50))
    expect(await answerTo(impatient, v5Packet.bytes.subarray(0, -1))).to.equal('')
    const client = connect(impatient, '127.0.0.1')
    client.write(v5Packet.bytes)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(client.readyState).to.equal('open')
    client.destroy()
  })
})
