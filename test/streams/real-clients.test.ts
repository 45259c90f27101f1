import { once } from 'node:events'
import net from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  type DecodedPacket,
  type OpaquePacket,
  PacketDecoder,
  PropertyId,
  property,
  readConnect,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { until } from './support.ts'

const accept = (packet: ConnectPacket): Buffer => connack(packet, ConnectReasonCode.success)!.bytes

/** Starts a server that answers each CONNECT, and collects the packets of all clients. */
async function withServer(
  test: (port: number, packets: DecodedPacket[]) => Promise<void>,
  serve = (socket: net.Socket, packets: DecodedPacket[]): void => {
    socket.pipe(new PacketDecoder({ connection: true })).on('data', (packet) => {
      packets.push(packet)
      if (packet.type === ControlPacketType.connect) {
        socket.write(accept(packet as ConnectPacket))
      }
    })
  },
): Promise<void> {
  const packets: DecodedPacket[] = []
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket, packets)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await test((server.address() as net.AddressInfo).port, packets)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** Connects and disconnects with MQTT.js, and returns the packets that the server decoded. */
async function session(
  options: mqtt.IClientOptions,
  serve?: (socket: net.Socket, packets: DecodedPacket[]) => void,
): Promise<[ConnectPacket, ...DecodedPacket[]]> {
  let seen: DecodedPacket[] = []
  await withServer(async (port, packets) => {
    const client = mqtt.connect({
      host: '127.0.0.1',
      port,
      reconnectPeriod: 0,
      connectTimeout: 5000,
      ...options,
    })
    try {
      await new Promise((resolve, reject) => {
        client.once('connect', resolve)
        client.once('error', reject)
        client.once('close', () => reject(new Error('closed')))
      })
      expect(client.connected).to.equal(true)
      await client.endAsync()
      await until(() => packets.length === 2)
    } finally {
      client.end(true)
    }
    seen = packets
  }, serve)
  return seen as [ConnectPacket, ...DecodedPacket[]]
}

describe('MQTT.js connects to a server that reads with PacketDecoder', () => {
  it('of protocol 4, with will and credentials', async () => {
    const [connect, goodbye] = await session({
      protocolVersion: 4,
      clientId: 'sensor-0042',
      clean: false,
      keepalive: 300,
      username: 'devicé',
      password: Buffer.from([0x00, 0xff, 0x80]) as unknown as string,
      will: { topic: 'devices/1/status', payload: Buffer.from([0xde, 0xad, 0]), qos: 2, retain: true },
    })
    expect(connect).to.be.instanceof(v3_1_1.ConnectPacket)
    const packet = connect as v3_1_1.ConnectPacket
    expect(packet.protocolVersion).to.equal(4)
    expect(packet.clientId).to.equal('sensor-0042')
    expect(packet.cleanSession).to.equal(false)
    expect(packet.keepAlive).to.equal(300)
    expect(packet.userName).to.equal('devicé')
    expect(packet.password).to.deep.equal(Buffer.from([0x00, 0xff, 0x80]))
    expect(packet.will?.topic).to.equal('devices/1/status')
    expect(packet.will?.message).to.deep.equal(Buffer.from([0xde, 0xad, 0]))
    expect(packet.will?.qos).to.equal(2)
    expect(packet.will?.retain).to.equal(true)
    expect(packet.will?.props).to.deep.equal([])
    expect(goodbye)
      .to.be.instanceof(v3_1_1.DisconnectPacket)
      .with.property('type', ControlPacketType.disconnect)
  })

  it('of protocol 4, with nothing but a client id', async () => {
    const [connect] = await session({ protocolVersion: 4, clientId: 'bare', keepalive: 0 })
    const packet = connect as v3_1_1.ConnectPacket
    expect(packet.clientId).to.equal('bare')
    expect(packet.cleanSession).to.equal(true)
    expect(packet.keepAlive).to.equal(0)
    expect(packet.userName).to.equal(undefined)
    expect(packet.password).to.equal(undefined)
    expect(packet.will).to.equal(undefined)
  })

  it('of protocol 5, with properties, user properties, will properties and credentials', async () => {
    const [connect, goodbye] = await session({
      protocolVersion: 5,
      clientId: 'sensor-0042',
      clean: false,
      keepalive: 60,
      username: 'device',
      password: 's3cret',
      properties: {
        sessionExpiryInterval: 3600,
        receiveMaximum: 100,
        maximumPacketSize: 0x1_0000,
        topicAliasMaximum: 10,
        requestResponseInformation: true,
        requestProblemInformation: false,
        userProperties: { region: ['eu-west-1', 'eu-north-1'], fw: '1.2.3' },
        authenticationMethod: 'SCRAM-SHA-1',
        authenticationData: Buffer.from([1, 2, 3]),
      },
      will: {
        topic: 'devices/1/status',
        payload: Buffer.from('offline'),
        qos: 1,
        retain: true,
        properties: {
          willDelayInterval: 30,
          payloadFormatIndicator: true,
          messageExpiryInterval: 600,
          contentType: 'text/plain',
          responseTopic: 'devices/1/answer',
          correlationData: Buffer.from([9, 8, 7]),
          userProperties: { why: 'gone' },
        },
      },
    })
    expect(connect).to.be.instanceof(v5.ConnectPacket)
    const packet = connect as v5.ConnectPacket
    expect(packet.protocolVersion).to.equal(5)
    expect(packet.clientId).to.equal('sensor-0042')
    expect(packet.cleanStart).to.equal(false)
    expect(packet.keepAlive).to.equal(60)
    expect(packet.userName).to.equal('device')
    expect(packet.password).to.deep.equal(Buffer.from('s3cret'))
    expect(packet.props).to.have.deep.members([
      property.sessionExpiryInterval(3600),
      property.receiveMaximum(100),
      property.maximumPacketSize(0x1_0000),
      property.topicAliasMaximum(10),
      property.requestResponseInformation(1),
      property.requestProblemInformation(0),
      property.userProperty('region', 'eu-west-1'),
      property.userProperty('region', 'eu-north-1'),
      property.userProperty('fw', '1.2.3'),
      property.authenticationMethod('SCRAM-SHA-1'),
      property.authenticationData(Buffer.from([1, 2, 3])),
    ])
    const users = packet.props.filter(({ id }) => id === PropertyId.userProperty)
    expect(users.map((user) => user.value)).to.deep.equal(['eu-west-1', 'eu-north-1', '1.2.3'])
    const { will } = packet
    expect(will?.topic).to.equal('devices/1/status')
    expect(will?.message).to.deep.equal(Buffer.from('offline'))
    expect(will?.qos).to.equal(1)
    expect(will?.retain).to.equal(true)
    expect(will?.props).to.have.deep.members([
      property.willDelayInterval(30),
      property.payloadFormatIndicator(1),
      property.messageExpiryInterval(600),
      property.contentType('text/plain'),
      property.responseTopic('devices/1/answer'),
      property.correlationData(Buffer.from([9, 8, 7])),
      property.userProperty('why', 'gone'),
    ])
    expect(goodbye).to.be.instanceof(v5.DisconnectPacket).that.includes({ type: 0xe0, reasonCode: 0 })
  })

  it('of protocol 5, with nothing but a client id', async () => {
    const [connect] = await session({ protocolVersion: 5, clientId: 'bare', keepalive: 10 })
    const packet = connect as v5.ConnectPacket
    expect(packet.clientId).to.equal('bare')
    expect(packet.cleanStart).to.equal(true)
    expect(packet.keepAlive).to.equal(10)
    expect(packet.props).to.deep.equal([])
    expect(packet.will).to.equal(undefined)
    expect(packet.userName).to.equal(undefined)
    expect(packet.password).to.equal(undefined)
  })

  it('and publishes: the packets are decoded after the CONNECT', async () => {
    await withServer(async (port, packets) => {
      const client = mqtt.connect({
        host: '127.0.0.1',
        port,
        clientId: 'p',
        protocolVersion: 4,
        reconnectPeriod: 0,
      })
      try {
        await new Promise((resolve) => client.once('connect', resolve))
        client.publish('a/b', 'payload', { qos: 0 })
        client.publish('a/b', 'again', { qos: 1, retain: true }, () => undefined)
        await until(() => packets.length === 3)
        const [, first, second] = packets as [ConnectPacket, OpaquePacket, OpaquePacket]
        expect([first.type, first.flags, first.packetId]).to.deep.equal([0x30, 0, undefined])
        expect([second.type, second.flags]).to.deep.equal([0x30, 3])
        expect(second.packetId).to.be.a('number')
        expect(second.bytes.includes('again')).to.equal(true)
      } finally {
        client.end(true)
      }
    })
  })
})

describe('MQTT.js connects to a server that reads with readConnect', () => {
  for (const protocolVersion of [4, 5] as const) {
    it(`of protocol ${protocolVersion}, and the rest goes to the next reader`, async () => {
      const [connect, goodbye] = await session(
        { protocolVersion, clientId: 'sensor-0042', username: 'device', password: 'secret' },
        async (socket, packets) => {
          const packet = await readConnect(socket)
          packets.push(packet)
          socket.write(accept(packet))
          socket.on('data', (chunk) => packets.push({ bytes: chunk } as DecodedPacket))
        },
      )
      expect(connect.protocolVersion).to.equal(protocolVersion)
      expect(connect.clientId).to.equal('sensor-0042')
      expect(connect.password).to.deep.equal(Buffer.from('secret'))
      expect(goodbye?.bytes?.[0]).to.equal(ControlPacketType.disconnect)
    })
  }

  it('and learns from error.connack why it is refused', async () => {
    const server = net.createServer(async (socket) => {
      socket.on('error', () => undefined)
      const error = await readConnect(socket, { protocolVersion: 4 }).then(
        () => undefined,
        (e) => e,
      )
      socket.end(error?.connack)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    const client = mqtt.connect({
      host: '127.0.0.1',
      port,
      protocolVersion: 5,
      clientId: 'c',
      reconnectPeriod: 0,
    })
    try {
      const error = await new Promise((resolve) => client.once('error', resolve))
      expect(error).to.have.property('code', 0x84)
    } finally {
      client.end(true)
      server.close()
    }
  })
})
