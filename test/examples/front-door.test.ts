import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect } from 'chai'
import {
  ConnectReasonCode,
  connack,
  PropertyId,
  property,
  readConnect,
  readPacket,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import { createFrontDoor } from '../../examples/front-door.ts'
import { type Broker, brokers } from '../support/brokers.ts'
import { SilentHost } from '../support/silent-host.ts'
import {
  answerTo,
  closeAll,
  closeLater,
  collectOutput,
  connectMqttJs,
  freePort,
  listen,
  needs,
  nextMessage,
  refusalOf,
  run,
  SILENT_PORT,
  skip,
  withReservedFlag,
} from './support.ts'

const { success, badUserNameOrPassword, notAuthorized, useAnotherServer } = ConnectReasonCode
const v3Packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })
const v5Packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })

/** Connects with this packet, disconnects, and returns the CONNACK. */
async function connackFor(port: number, packet: v5.ConnectPacket): Promise<v5.ConnackPacket> {
  const socket = connect(port, '127.0.0.1')
  closeLater(() => socket.destroy())
  socket.write(packet.bytes)
  const answer = await readPacket(socket, { protocolVersion: 5 })
  socket.end(Buffer.from('e000', 'hex'))
  await once(socket.resume(), 'close')
  return answer as v5.ConnackPacket
}

describe('examples/front-door.ts', () => {
  const printed = collectOutput()
  afterEach(closeAll)

  for (const name of ['mosquitto', 'aedes'] as const) {
    describe(`before ${name}`, () => {
      let broker: Broker
      let door: number

      beforeEach(async function () {
        if (name === 'mosquitto') needs(this, 'mosquitto')
        broker = await brokers[name](freePort)
        closeLater(() => broker.close())
        door = await listen(createFrontDoor({ port: broker.port, host: '127.0.0.1' }, async () => success))
      })

      it('keeps MQTT.js clients without a client id apart', async () => {
        const subscribers = [
          await connectMqttJs(door, 4, { clientId: '' }),
          await connectMqttJs(door, 4, { clientId: '' }),
        ]
        for (const client of subscribers) await client.subscribeAsync('t')
        const messages = Promise.all(subscribers.map(nextMessage))
        await (await connectMqttJs(door, 4)).publishAsync('t', 'hello', { qos: 1 })
        expect(await messages).to.deep.equal(['hello', 'hello'])
      })

      it('keeps mosquitto_sub clients without -i apart', async function () {
        needs(this, 'mosquitto_sub')
        const args = ['-h', '127.0.0.1', '-p', `${door}`, '-t', 't', '-C', '1', '-W', '5']
        const subscribers = [run('mosquitto_sub', args), run('mosquitto_sub', args)]
        await broker.subscribed(2)
        await (await connectMqttJs(broker.port, 4)).publishAsync('t', 'hello', { qos: 1 })
        for (const { output } of await Promise.all(subscribers)) expect(output).to.equal('hello\n')
      })

      it('loses nothing of a client that sends everything at once and ends', async () => {
        const subscriber = await connectMqttJs(broker.port, 4)
        await subscriber.subscribeAsync('t')
        const message = nextMessage(subscriber)
        const publishAndDisconnect = Buffer.from('320700017400016869e000', 'hex')
        const socket = connect(door, '127.0.0.1')
        closeLater(() => socket.destroy())
        socket.end(Buffer.concat([v3Packet.bytes, publishAndDisconnect]))
        expect(await message).to.equal('hi')
      })

      // aedes doesn't assign client ids.
      if (name === 'mosquitto') {
        it('lets a client return to its session with the id that the broker has assigned', async () => {
          const props = [property.sessionExpiryInterval(60)]
          const first = await connackFor(door, v5Packet.with({ clientId: '', props }))
          const clientId = first.property(PropertyId.assignedClientIdentifier)!
          expect([clientId.length > 0, first.sessionPresent]).to.deep.equal([true, false])
          const second = await connackFor(door, v5Packet.with({ clientId, props, cleanStart: false }))
          expect([second.reasonCode, second.sessionPresent]).to.deep.equal([0, true])
        })
      }

      it('answers a client with a long id', async () => {
        const answer = await answerTo(door, v3Packet.with({ clientId: 'i'.repeat(65_500) }).bytes, 4)
        expect(answer).to.match(/^20020[0-5]/)
      })

      it('gives the broker the credentials for it instead of those of the client', async () => {
        const seen: (string | undefined)[] = []
        const server = createServer(async (socket) => {
          const { userName, password } = await readConnect(socket)
          seen.push(userName, password?.toString())
          socket.end(connack(5, success).bytes)
        })
        const address = { port: await listen(server), host: '127.0.0.1' }
        const credentials = { userName: 'door', password: 'key' }
        const other = await listen(createFrontDoor(address, () => success, credentials))
        await answerTo(other, v5Packet.with({ userName: 'device', password: 'secret' }).bytes)
        expect(seen).to.deep.equal(['door', 'key'])
      })
    })
  }

  describe('refuses', () => {
    const codes = new Map([
      ['bad', badUserNameOrPassword],
      ['banned', notAuthorized],
      ['moved', useAnotherServer],
    ])
    let door: number

    beforeEach(async () => {
      const decide = async ({ userName = '' }: { userName: string | undefined }) =>
        codes.get(userName) ?? success
      door = await listen(createFrontDoor({ port: SILENT_PORT, host: '127.0.0.1' }, decide))
    })

    for (const [username, v3Code, v5Code] of [
      ['bad', 4, 0x86],
      ['banned', 5, 0x87],
      ['moved', 3, 0x9c],
    ] as const) {
      it(`MQTT.js as ${username}: return code ${v3Code}, reason code ${v5Code}`, async () => {
        expect(await refusalOf(door, 4, { username })).to.equal(v3Code)
        expect(await refusalOf(door, 5, { username })).to.equal(v5Code)
      })
    }

    for (const [version, text] of [
      ['311', 'Connection Refused: bad user name or password.'],
      ['5', 'Connection error: Bad User Name or Password'],
    ] as const) {
      it(`mosquitto_pub -V ${version}, which prints the reason`, async function () {
        needs(this, 'mosquitto_pub')
        const args = ['-h', '127.0.0.1', '-p', `${door}`, '-V', version, '-u', 'bad', '-t', 't', '-m', 'm']
        expect((await run('mosquitto_pub', args)).output).to.include(text)
      })
    }

    it('a malformed CONNECT, and prints why', async () => {
      expect(await answerTo(door, withReservedFlag(v5Packet))).to.equal('2003008100')
      expect(printed).to.deep.equal(['MqttError: connectFlags: bit 0 is reserved and must be 0 (byte 9)'])
    })

    it('as unavailable if there is no broker, and prints why', async () => {
      expect(await refusalOf(door, 4)).to.equal(3)
      expect(await refusalOf(door, 5)).to.equal(0x88)
      expect(printed.join()).to.include('ECONNREFUSED')
    })
  })

  it('sends no second CONNACK if the broker closes the connection later', async () => {
    const broker = createServer(async (socket) => {
      socket.end(connack(await readConnect(socket), success)!.bytes)
    })
    const address = { port: await listen(broker), host: '127.0.0.1' }
    const door = await listen(createFrontDoor(address, () => success))
    expect(await answerTo(door, v5Packet.bytes)).to.equal('2003000000')
  })

  it('refuses as unavailable if the broker does not accept the connection in time', async function () {
    const host = await SilentHost.start()
    if (host === undefined) skip(this, 'no port can be made silent here')
    closeLater(() => host.close())
    const door = await listen(
      createFrontDoor({ port: host.port, host: '127.0.0.1', timeout: 100 }, () => success),
    )
    expect(await answerTo(door, v5Packet.bytes)).to.equal('2003008800')
    expect(printed.join()).to.include('does not accept')
  })
})
