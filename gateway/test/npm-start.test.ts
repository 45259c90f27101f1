import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import { v5 } from 'mqtt-connect-packet'
import { Gateway, serveRealClient } from '../../test/support/gateway.ts'
import { explain, start } from '../lib/operate/command.ts'

const CONNACK = Buffer.from('2003000000', 'hex')

describe('the gateway', function () {
  this.timeout(60_000)
  let gateway: Gateway | undefined

  afterEach(() => gateway?.kill())

  it('prints its three sample connections and keeps serving real clients of both versions', async () => {
    gateway = new Gateway('--port', '0')
    const port = await gateway.port()
    await gateway.printed(/The sample clients are done/)
    const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z /
    for (const line of gateway.lines) expect(line).to.match(time)
    const lines = gateway.lines.map((line) => line.replace(time, ''))
    const [, first, second, third] = lines.filter((line) => !line.includes(' session ended: client, '))
    expect(first).to.match(/^127\.0\.0\.1:\d+ v3_1_1::connect\{cid:sample-3\.1\.1,.*pw:\*{5}\}$/)
    expect(second).to.match(/^127\.0\.0\.1:\d+ v5::connect\{cid:sample-5,.*will:\{.*key:region,val:eu-west-1/)
    expect(third).to.match(/refused: connectFlags: .* \[will-qos, MQTT-3\.1\.2-12\]$/)
    await serveRealClient(port, 4)
    await serveRealClient(port, 5)
  })

  it('prints one JSON object a line with --json, and nothing else', async () => {
    gateway = new Gateway('--port', '0', '--json')
    await gateway.printed(/The sample clients are done/)
    const all = (await gateway.printedLines(5)).map((line) => JSON.parse(line))
    const rows = all.filter((row) => !('session' in row))
    expect(all.length - rows.length).to.equal(2)
    expect(rows.map((row) => Object.keys(row))).to.deep.equal([
      ['level', 'time', 'remote', 'packet'],
      ['level', 'time', 'remote', 'packet'],
      ['level', 'time', 'remote', 'outcome', 'by', 'error'],
    ])
    expect(rows[1].packet).to.include({ clientId: 'sample-5', hasPassword: true })
    expect(rows[2].error).to.include({ code: 'will-qos', reasonCode: 0x81, offset: 9 })
  })

  it('forwards the packet as it is and what follows it, both ways, to --upstream', async () => {
    const bytes = new v5.ConnectPacket({ cleanStart: false, keepAlive: 9, clientId: 'c', password: 'p' })
      .bytes
    const upstream = createServer((socket) => {
      // The gateway may be killed while its connection is open.
      socket.on('error', () => {})
      socket.write(CONNACK)
      socket.pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    gateway = new Gateway(
      '--port',
      '0',
      '--no-sample',
      '--upstream',
      `127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    )
    const socket = connect(await gateway.port(), '127.0.0.1')
    socket.end(Buffer.concat([bytes, Buffer.from('and what follows')]))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    upstream.close()
    expect(
      Buffer.concat(chunks).equals(Buffer.concat([CONNACK, bytes, Buffer.from('and what follows')])),
    ).to.equal(true)
  })

  it('ends cleanly and soon on Ctrl-C, with connections open', async () => {
    gateway = new Gateway('--port', '0', '--no-sample')
    const port = await gateway.port()
    const client = await mqtt.connectAsync({
      host: '127.0.0.1',
      port,
      protocolVersion: 5,
      reconnectPeriod: 0,
    })
    client.on('error', () => {})
    const idle = connect(port, '127.0.0.1')
    idle.on('error', () => {})
    await once(idle, 'connect')
    const began = Date.now()
    gateway.process.kill('SIGINT')
    expect(await once(gateway.process, 'exit')).to.deep.equal([0, null])
    expect(Date.now() - began).to.be.below(5000)
    await client.endAsync(true)
  })

  it('explains wrong options, exit code 2', async () => {
    const [message, code] = explain(await start(['--port', 'x']).catch((error) => error))
    expect(code).to.equal(2)
    expect(message).to.contain("A port is 0 to 65535, not 'x'").and.to.contain('--upstream HOST:PORT')
  })

  for (const value of ['0', 'soon', '2147484']) {
    it(`rejects --connect-timeout ${value}, exit code 2`, async () => {
      const [message, code] = explain(await start(['--connect-timeout', value]).catch((error) => error))
      expect(code).to.equal(2)
      expect(message).to.contain(`takes 0.001 to 2147483 seconds, not '${value}'`)
    })
  }
})
