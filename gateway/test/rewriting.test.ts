import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  type ConnackPacket,
  connack,
  decode,
  PropertyId,
  ProtocolVersion,
  property,
  readConnect,
  readPacket,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import { Template } from '../lib/rewrite/template.ts'
import { exchange, FakeBroker, Folder, Running, until, upstreamOf } from './support.ts'

type AnyConnect = Awaited<ReturnType<typeof readConnect>>

describe('gateway: rewriting', () => {
  let broker: FakeBroker
  let gateway: Running
  /** Packets that the broker has received; `answer` makes its answers. */
  let received: AnyConnect[]
  let answer: (packet: AnyConnect) => ConnackPacket | undefined

  beforeEach(async () => {
    received = []
    answer = (packet) => connack(packet, 0)
    broker = await FakeBroker.reading((packet, socket) => {
      received.push(packet)
      socket.write(answer(packet)!.bytes)
      // Bytes in the same segment as the CONNACK must arrive too.
      socket.write(Buffer.from('d000', 'hex'))
    })
  })

  afterEach(async () => {
    gateway.close()
    broker.close()
    await until(() => gateway.gateway.open.total === 0)
  })

  async function send(rewrite: object, packet: AnyConnect): Promise<ConnackPacket> {
    gateway = await Running.start({ upstreams: [upstreamOf(broker)], rewrite })
    const socket = connect(gateway.port(), '127.0.0.1')
    socket.write(packet.bytes)
    const result = await readPacket(socket, { protocolVersion: packet.protocolVersion })
    const [next] = await once(socket, 'data')
    expect(next.toString('hex')).to.equal('d000')
    socket.destroy()
    return result as ConnackPacket
  }

  const base3 = { cleanSession: true, keepAlive: 60, clientId: 'c' }
  const base5 = { cleanStart: true, keepAlive: 60, clientId: 'c' }

  it('forwards the same bytes without a rewrite', async () => {
    const packet = new v5.ConnectPacket({ ...base5, userName: 'u', will: { topic: 't', message: 'm' } })
    await send({}, packet)
    expect(received[0]?.equals(packet)).to.equal(true)
  })

  it('fills in templates, in both versions', async () => {
    const rewrite = { clientId: '{address}/{userName}/{clientId}', userName: 'gateway', password: 'shared' }
    await send(rewrite, new v3_1_1.ConnectPacket({ ...base3, userName: 'u', password: 'p' }))
    gateway.close()
    await send(rewrite, new v5.ConnectPacket({ ...base5, userName: 'u' }))
    for (const packet of received) {
      expect(packet.clientId).to.equal('127.0.0.1/u/c')
      expect(packet.userName).to.equal('gateway')
      expect(`${packet.password}`).to.equal('shared')
    }
  })

  it('removes user name and password', async () => {
    await send(
      { userName: null, password: null },
      new v3_1_1.ConnectPacket({ ...base3, userName: 'u', password: 'p' }),
    )
    expect(received[0]?.userName).to.equal(undefined)
    expect(received[0]?.password).to.equal(undefined)
  })

  it('removes the password with the user name before MQTT 5.0, which has no password alone', async () => {
    const fields = { userName: 'u', password: 'p' }
    await send({ userName: null }, new v3_1_1.ConnectPacket({ ...base3, ...fields }))
    await send({ userName: null }, new v5.ConnectPacket({ ...base5, ...fields }))
    expect(received.map(({ userName, password }) => [userName, password?.toString()])).to.deep.equal([
      [undefined, undefined],
      [undefined, 'p'],
    ])
  })

  it('removes the password of its template too before MQTT 5.0, if it removes the user name', async () => {
    const rewrite = { userName: null, password: 'shared' }
    await send(rewrite, new v3_1_1.ConnectPacket({ ...base3, userName: 'u', password: 'p' }))
    await send(rewrite, new v5.ConnectPacket(base5))
    expect(received.map(({ password }) => password?.toString())).to.deep.equal([undefined, 'shared'])
  })

  it('adds and removes properties, and keeps the others', async () => {
    const props = [
      property.receiveMaximum(9),
      property.requestProblemInformation(0),
      property.userProperty('a', 'b'),
    ]
    const rewrite = {
      removeProperties: ['requestProblemInformation'],
      addProperties: { sessionExpiryInterval: 60 },
      addUserProperties: [['from', '{listener}']],
    }
    await send(rewrite, new v5.ConnectPacket({ ...base5, props }))
    const name = gateway.gateway.listeners[0]?.name ?? ''
    expect(received[0]?.property(PropertyId.receiveMaximum)).to.equal(9)
    expect(received[0]?.property(PropertyId.requestProblemInformation)).to.equal(undefined)
    expect(received[0]?.property(PropertyId.sessionExpiryInterval)).to.equal(60)
    expect(received[0]?.userProperties('from')).to.deep.equal([name])
    expect(received[0]?.userProperties('a')).to.deep.equal(['b'])
  })

  it('lets no client forge a user property that it adds', async () => {
    const props = ['tenant', 'other', 'tenant'].map((key) => property.userProperty(key, 'admin'))
    await send({ addUserProperties: [['tenant', '{clientId}']] }, new v5.ConnectPacket({ ...base5, props }))
    expect(received[0]?.userProperties('tenant')).to.deep.equal(['c'])
    expect(received[0]?.userProperties('other')).to.deep.equal(['admin'])
  })

  it('gives a client without a client id one, and tells it without the prefix', async () => {
    const told = await send({ clientId: 'x-{clientId}' }, new v5.ConnectPacket({ ...base5, clientId: '' }))
    const id = told.property(PropertyId.assignedClientIdentifier)
    expect(id).to.match(/^[0-9a-f]{32}$/)
    expect(received[0]?.clientId).to.equal(`x-${id}`)
    gateway.close()
    await send({}, new v3_1_1.ConnectPacket({ ...base3, clientId: '' }))
    expect(received[1]?.clientId).to.match(/^[0-9a-f]{32}$/)
  })

  it('assigns ids that fit a template with a dash', async () => {
    for (const packet of [
      new v5.ConnectPacket({ ...base5, clientId: '' }),
      new v3_1_1.ConnectPacket({ ...base3, clientId: '' }),
    ]) {
      await send({ clientId: '{clientId}-{address}' }, packet)
      expect(received.at(-1)?.clientId).to.match(/^[0-9a-f]{32}-127\.0\.0\.1$/)
    }
  })

  it("never sends a client's own id without the template", async () => {
    const folder = new Folder()
    const file = folder.write('module.mjs', "export default () => ({ result: 'allow', clientId: '' })")
    const upstreams = [upstreamOf(broker)]
    for (const assignClientId of [true, false]) {
      const rewrite = { clientId: 'tenant:{clientId}', assignClientId }
      gateway = await Running.start({ upstreams, rewrite, authentication: { module: { file } } })
      const persistent = new v3_1_1.ConnectPacket({ ...base3, cleanSession: false })
      expect((await exchange(gateway.port(), persistent.bytes)).toString('hex')).to.equal('20020002')
      if (assignClientId) gateway.close()
    }
    folder.remove()
    expect(received).to.deep.equal([])
  })

  it('removes its prefix from an id that the broker reports', async () => {
    answer = (packet) => connack(packet, 0, { assignedClientId: packet.clientId })
    const told = await send({ clientId: 'x-{clientId}-y' }, new v5.ConnectPacket(base5))
    expect(told.property(PropertyId.assignedClientIdentifier)).to.equal('c')
  })

  it('sets the keep alive on both sides', async () => {
    const told = await send({ serverKeepAlive: 17 }, new v5.ConnectPacket(base5))
    expect(told.property(PropertyId.serverKeepAlive)).to.equal(17)
    expect(received[0]?.keepAlive).to.equal(17)
  })

  for (const [configured, ofBroker, expected] of [
    [60, 20, 20],
    [60, 90, 60],
    [60, 0, 60],
    [0, 20, 20],
    [0, 0, 0],
  ] as const) {
    it(`tells the client to keep alive for ${expected} s, if ${configured} is configured and the broker wants ${ofBroker}`, async () => {
      answer = (packet) => connack(packet, 0, { serverKeepAlive: ofBroker })
      const told = await send({ serverKeepAlive: configured }, new v5.ConnectPacket(base5))
      expect(told.property(PropertyId.serverKeepAlive)).to.equal(expected)
    })
  }

  it('passes the refusal of a broker unchanged', async () => {
    answer = (packet) => connack(packet, 0x87, { reasonString: 'no' })
    const told = await send({ serverKeepAlive: 17 }, new v5.ConnectPacket({ ...base5, clientId: '' }))
    expect(told.bytes.equals(connack(5, 0x87, { reasonString: 'no' }).bytes)).to.equal(true)
  })

  it('passes AUTH packets in both directions before the CONNACK', async () => {
    const auth = Buffer.from('f00718051500024142', 'hex')
    broker.close()
    broker = await FakeBroker.start(async (socket) => {
      await readConnect(socket)
      socket.write(auth)
      const reply = await readPacket(socket, { protocolVersion: ProtocolVersion.v5 })
      expect(reply.bytes.equals(auth)).to.equal(true)
      socket.write(connack(5, 0).bytes)
    })
    gateway = await Running.start({ upstreams: [upstreamOf(broker)] })
    const socket = connect(gateway.port(), '127.0.0.1')
    const props = [property.authenticationMethod('AB')]
    socket.write(new v5.ConnectPacket({ ...base5, props }).bytes)
    const first = await readPacket(socket, { protocolVersion: ProtocolVersion.v5 })
    expect(first.bytes.equals(auth)).to.equal(true)
    socket.write(auth)
    expect(
      (await readPacket(socket, { protocolVersion: ProtocolVersion.v5 })).bytes.toString('hex'),
    ).to.equal('2003000000')
    socket.destroy()
  })

  it("refuses a client if a template can't be filled in", async () => {
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      rewrite: { clientId: '{userName}:{clientId}' },
    })
    const refused = async (fields: object) =>
      decode(await exchange(gateway.port(), new v5.ConnectPacket({ ...base5, ...fields }).bytes), {
        protocolVersion: 5,
      })
    expect(await refused({})).to.have.property('reasonCode', 0x87)
    expect(await refused({ userName: 'a:b' })).to.have.property('reasonCode', 0x87)
    expect(await refused({ userName: '' })).to.have.property('reasonCode', 0x87)
    expect(received).to.deep.equal([])
  })

  it('never gives two clients the same client id', () => {
    const template = new Template('a{userName}::{clientId}')
    const value = fc.string({ unit: fc.constantFrom(':', 'a', 'b'), maxLength: 6 })
    const fill = (userName: string, clientId: string) => {
      try {
        return template.fill({ userName, clientId })
      } catch {
        return undefined
      }
    }
    fc.assert(
      fc.property(value, value, value, value, (user, id, otherUser, otherId) => {
        const [first, second] = [fill(user, id), fill(otherUser, otherId)]
        return first === undefined || first !== second || (user === otherUser && id === otherId)
      }),
      { numRuns: 20_000 },
    )
  })
})
