import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { property, v3_1_1, v5 } from 'mqtt-connect-packet'
import { BrokerConnection } from '../lib/embedded/broker-connection.ts'

const connect3 = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'c' }).bytes
const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const PINGREQ = Buffer.from('c000', 'hex')
const DISCONNECT = Buffer.from('e000', 'hex')

/** Milliseconds until a `BrokerConnection` in these tests gives up on its broker. */
const PATIENCE = 300

describe('BrokerConnection', () => {
  let server: Server
  const open: Socket[] = []

  before(async () => {
    server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
  })

  after(() => server.close())

  /** A client that has sent these bytes, and its connection as presented to a broker. */
  async function pair(bytes: Buffer, patience?: number): Promise<[Socket, BrokerConnection]> {
    const accepted = once(server, 'connection')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [socket] = await accepted
    open.push(client, socket)
    client.on('error', () => {})
    client.write(bytes)
    return [client, new BrokerConnection(socket, patience)]
  }

  /** Reads the next bytes for the broker, in hex. */
  async function read(connection: BrokerConnection): Promise<string> {
    for (;;) {
      const chunk: Buffer | null = connection.read()
      if (chunk !== null) return chunk.toString('hex')
      await once(connection, 'readable')
    }
  }

  it('gives the broker MQTT 3.1.1, whatever version the client speaks', async () => {
    for (const bytes of [connect3, connect5]) {
      const [, connection] = await pair(bytes)
      expect(await read(connection)).to.equal(connect3.toString('hex'))
    }
  })

  it('MQTT-3.1.2-24 keeps back messages that are too large for the client, and acknowledges them', async () => {
    const props = [property.maximumPacketSize(20)]
    const fields = { cleanStart: true, keepAlive: 60, clientId: 'c', props }
    const [client, connection] = await pair(new v5.ConnectPacket(fields).bytes)
    await read(connection)
    connection.accept()
    const publish = (flags: string, id: string, payload: number) =>
      Buffer.from(
        `${flags}${(3 + id.length / 2 + payload).toString(16).padStart(2, '0')}000174${id}${'61'.repeat(payload)}`,
        'hex',
      )
    for (const [flags, id] of [
      ['30', ''],
      ['32', '0007'],
      ['34', '0008'],
    ] as const) {
      connection.write(publish(flags, id, 30))
    }
    connection.write(publish('30', '', 10))
    const [received] = (await once(client, 'data')) as [Buffer]
    expect(received.toString('hex')).to.equal(`300e00017400${'61'.repeat(10)}`)
    let acknowledged = ''
    while (acknowledged.length < 16) acknowledged += await read(connection)
    expect(acknowledged).to.equal('4002000770020008')
  })

  it('keeps back what follows the CONNECT until the broker has accepted the client', async () => {
    const [, connection] = await pair(Buffer.concat([connect3, PINGREQ]))
    expect(await read(connection)).to.equal(connect3.toString('hex'))
    connection.accept()
    expect(await read(connection)).to.equal('c000')
  })

  it('ends after DISCONNECT, and gives the broker nothing that follows it', async () => {
    const [, connection] = await pair(Buffer.concat([connect3, PINGREQ, DISCONNECT, PINGREQ]))
    await read(connection)
    connection.accept()
    const rest: Buffer[] = []
    for await (const chunk of connection) rest.push(chunk)
    expect(Buffer.concat(rest).toString('hex')).to.equal('c000e000')
  })

  it('MQTT-3.1.2-8 ends without DISCONNECT if the will is to be published', async () => {
    const session = [property.sessionExpiryInterval(60)]
    const kept = new v5.DisconnectPacket({ reasonCode: 0, props: session }).bytes
    for (const [disconnect, props, isPassedOn] of [
      [new v5.DisconnectPacket({ reasonCode: 0 }).bytes, [], true],
      [new v5.DisconnectPacket({ reasonCode: 0x04 }).bytes, [], false],
      [new v5.DisconnectPacket({ reasonCode: 0x80 }).bytes, [], false],
      [kept, session, true],
      [kept, [], false],
    ] as const) {
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c', props })
      const [client, connection] = await pair(packet.bytes)
      await read(connection)
      connection.accept()
      client.write(disconnect)
      const chunks: Buffer[] = []
      for await (const chunk of connection) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString('hex')).to.equal(isPassedOn ? 'e000' : '')
    }
  })

  it('MQTT-4.12.0-1 refuses a client with an authentication method', async () => {
    const props = [property.authenticationMethod('x')]
    const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c', props })
    const [client, connection] = await pair(packet.bytes)
    const [answer] = await once(client, 'data')
    expect(answer.toString('hex')).to.equal('2003008c00')
    for await (const chunk of connection) expect.fail(`The broker got ${chunk.toString('hex')}`)
  })

  it('translates answers that arrive in pieces', async () => {
    const [client, connection] = await pair(connect5)
    await read(connection)
    const answers: Buffer[] = []
    client.on('data', (chunk) => answers.push(chunk))
    for (const hex of ['2002', '0000d0', '00']) connection.write(Buffer.from(hex, 'hex'))
    connection.end()
    while (Buffer.concat(answers).length < 7) await once(client, 'data')
    expect(Buffer.concat(answers).toString('hex')).to.equal('2003000000d000')
  })

  it('closes when the broker answers with what is not MQTT 3.1.1', async () => {
    const [client, connection] = await pair(connect5)
    await read(connection)
    connection.on('error', () => {})
    connection.write(Buffer.from('0000', 'hex'))
    await once(client.resume(), 'end')
    expect(connection.destroyed).to.equal(true)
  })

  it('closes when there is no CONNECT in time', async () => {
    const [client] = await pair(connect3.subarray(0, 5), PATIENCE)
    await once(client.resume(), 'end')
  })

  it('closes when the broker does not accept the client in time', async () => {
    const [client, connection] = await pair(connect3, PATIENCE)
    await read(connection)
    await once(client.resume(), 'end')
  })

  it('does not close a client that was accepted in time', async () => {
    const [client, connection] = await pair(connect3, PATIENCE)
    await read(connection)
    connection.accept()
    await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE))
    client.write(PINGREQ)
    expect(await read(connection)).to.equal('c000')
  })

  for (const [what, bytes] of Object.entries({ DISCONNECT, garbage: Buffer.from('00', 'hex') })) {
    it(`closes when the broker does not react in time to ${what}`, async () => {
      const [client, connection] = await pair(connect3, PATIENCE)
      await read(connection)
      connection.accept()
      client.write(bytes)
      await once(client.resume(), 'end')
    })
  }

  it('closes when the broker accepts a client that has sent garbage, and does not react in time', async () => {
    const [client, connection] = await pair(Buffer.concat([connect3, Buffer.from('00', 'hex')]), PATIENCE)
    await read(connection)
    connection.accept()
    await once(client.resume(), 'end')
  })

  it('closes when the broker does not react in time to the end of the client', async () => {
    const [client, connection] = await pair(connect3, PATIENCE)
    await read(connection)
    connection.accept()
    client.end()
    await once(client.resume(), 'end')
  })
})
