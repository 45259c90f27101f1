import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { expect } from 'chai'
import mqtt from 'mqtt'
import {
  type ConnectPacket,
  ConnectReasonCode,
  connack,
  decode,
  type MqttError,
  PacketDecoder,
  ProtocolVersion,
  type ReadPacketOptions,
  readConnect,
  refuse,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { isInstalled } from '../support/programs.ts'
import { framed, received } from './support.ts'

const { badUserNameOrPassword, notAuthorized, serverUnavailable, useAnotherServer } = ConnectReasonCode
/** Reason codes with their return codes in 3.1 and 3.1.1, and mosquitto_pub's words for them. */
const reasons = [
  [badUserNameOrPassword, 4, /bad user name or password/i],
  [notAuthorized, 5, /not authori[sz]ed/i],
  [serverUnavailable, 3, /(server|broker) unavailable/i],
  [useAnotherServer, 3, /use another server|broker unavailable/i],
] as const
type Reason = (typeof reasons)[number][0]
const OTHER = 'broker-2.example:1883'
const MORE = framed(Buffer.concat([Buffer.from('000161', 'hex'), Buffer.alloc(1024 * 1024)]), 3, 0x30)

const answer = (packet: ConnectPacket, reason: Reason) =>
  connack(packet, reason, { ...(reason === useAnotherServer && { serverReference: OTHER }) })

/** The ways to write a server that refuses every client. */
type Serve = (socket: net.Socket, reason: Reason, options?: ReadPacketOptions) => void
const servers = {
  async readConnect(socket: net.Socket, reason: Reason, options?: ReadPacketOptions) {
    const packet = await readConnect(socket, options).catch((error: MqttError) => error)
    await refuse(socket, packet instanceof Error ? packet : answer(packet, reason))
  },
  PacketDecoder(socket: net.Socket, reason: Reason, options?: ReadPacketOptions) {
    const decoder = new PacketDecoder({ connection: true, ...options })
    decoder.once('data', (packet) => refuse(socket, answer(packet as ConnectPacket, reason)))
    decoder.once('error', (error) => refuse(socket, error as MqttError))
    socket.pipe(decoder)
  },
} satisfies Record<string, Serve>

async function withServer(
  serve: (socket: net.Socket) => void,
  test: (port: number) => Promise<void>,
): Promise<void> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await test((server.address() as net.AddressInfo).port)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** The reason code that MQTT.js reports, and the server reference in the CONNACK. */
async function refusalOfMqttJs(port: number, protocolVersion: 4 | 5, more: boolean): Promise<unknown[]> {
  const options = { host: '127.0.0.1', port, protocolVersion, clientId: 'c', username: 'u', password: 'p' }
  const client = mqtt.connect({ ...options, reconnectPeriod: 0 })
  try {
    let reference: string | undefined
    client.on('packetreceive', (packet) => {
      if (packet.cmd === 'connack') reference = packet.properties?.serverReference
    })
    client.on('packetsend', ({ cmd }) => {
      if (more && cmd === 'connect') client.stream.write(MORE)
    })
    const error = await new Promise<{ code?: number }>((resolve) => client.once('error', resolve as never))
    return [error.code, reference]
  } finally {
    client.end(true)
  }
}

async function runMosquittoPub(port: number, version: string): Promise<{ code: number; stderr: string }> {
  const args = [
    '-h',
    '127.0.0.1',
    '-p',
    `${port}`,
    '-V',
    version,
    '-i',
    'c',
    '-t',
    'a',
    '-m',
    'hi',
    '-u',
    'u',
    '-P',
    'p',
  ]
  const child = spawn('mosquitto_pub', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

const connects = {
  '3.1.1': new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' }),
  '5.0': new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' }),
}

for (const [name, serve] of Object.entries(servers)) {
  describe(`connack() and refuse() after ${name}`, () => {
    for (const [reason, returnCode] of reasons) {
      for (const protocolVersion of [4, 5] as const) {
        for (const more of [false, true]) {
          const sent = more ? ', although it has sent 1 MB after its CONNECT' : ''
          it(`tell MQTT.js of protocol ${protocolVersion} of 0x${reason.toString(16)}${sent}`, async () => {
            await withServer(
              (socket) => serve(socket, reason),
              async (port) => {
                const reference = protocolVersion === 5 && reason === useAnotherServer ? OTHER : undefined
                expect(await refusalOfMqttJs(port, protocolVersion, more)).to.deep.equal([
                  protocolVersion === 5 ? reason : returnCode,
                  reference,
                ])
              },
            )
          })
        }
      }

      for (const [version, connect] of Object.entries(connects)) {
        it(`tell a client of ${version} of 0x${reason.toString(16)} that sends CONNECT and 1 MB, then reads`, async () => {
          await withServer(
            (socket) => serve(socket, reason),
            async (port) => {
              const client = net.connect(port, '127.0.0.1')
              const errors: Error[] = []
              client.on('error', (error) => errors.push(error))
              await new Promise((resolve) => client.write(Buffer.concat([connect.bytes, MORE]), resolve))
              const bytes = await received(client)
              expect(errors).to.deep.equal([])
              const packet = decode(bytes, { protocolVersion: connect.protocolVersion })
              expect(packet).to.include(version === '5.0' ? { reasonCode: reason } : { returnCode })
            },
          )
        })
      }
    }
  })
}

describe('mosquitto_pub', () => {
  before(function () {
    if (isInstalled('mosquitto_pub')) return
    console.log('      skipped: mosquitto_pub is not installed')
    this.skip()
  })

  for (const [version, name] of [
    ['mqttv31', '3.1'],
    ['mqttv311', '3.1.1'],
    ['mqttv5', '5.0'],
  ] as const) {
    it(`of ${name} sees the code of each refusal`, async () => {
      for (const [reason, returnCode, text] of reasons) {
        const options = { allow: ['protocol-mqtt-3-1'] } as const
        await withServer(
          (socket) => void servers.readConnect!(socket, reason, options),
          async (port) => {
            const { code, stderr } = await runMosquittoPub(port, version)
            expect(stderr).to.match(text)
            expect(code).to.equal(version === 'mqttv5' ? reason : returnCode)
          },
        )
      }
    })
  }

  it('of 3.1 is read if that is allowed, and gets return code 1 otherwise', async () => {
    for (const serve of Object.values(servers)) {
      await withServer(
        (socket) => serve(socket, notAuthorized),
        async (port) => {
          const { code, stderr } = await runMosquittoPub(port, 'mqttv31')
          expect(stderr).to.match(/unacceptable protocol version/)
          expect(code).to.equal(1)
        },
      )
    }
    let packet: ConnectPacket | undefined
    const serve = async (socket: net.Socket) => {
      packet = await readConnect(socket, { allow: ['protocol-mqtt-3-1'] })
      socket.write(connack(packet, ConnectReasonCode.success)!.bytes)
      socket.resume()
    }
    await withServer(serve, async (port) => {
      expect(await runMosquittoPub(port, 'mqttv31')).to.deep.equal({ code: 0, stderr: '' })
    })
    expect(packet).to.include({ protocolVersion: ProtocolVersion.v3_1, clientId: 'c', userName: 'u' })
  })
})
