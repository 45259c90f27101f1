import { type EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { ConnectReasonCode as Reason, v5 } from 'mqtt-connect-packet'
import { Listener } from '../lib/listen/listener.ts'
import { FileError } from '../lib/settings/files.ts'
import {
  configOf,
  FakeBroker,
  Folder,
  freePort,
  quickUserLine,
  Running,
  refusalCode,
  sleep,
  until,
  upstreamOf,
} from './support.ts'

describe('gateway: authentication of one listener', () => {
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running | undefined
  let users: object
  let others: object
  const names: (string | undefined)[] = []

  before(async () => {
    users = { users: { file: folder.write('users', quickUserLine('alice', 'secret')) } }
    others = { users: { file: folder.write('others', quickUserLine('bob', 'hidden')) } }
    broker = await FakeBroker.answering((packet) => names.push(packet.userName))
  })

  afterEach(() => {
    gateway?.close()
    names.length = 0
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  const config = (listeners: object[]) => ({
    upstreams: [upstreamOf(broker)],
    authentication: users,
    listeners,
  })
  const alice = { protocolVersion: 5, username: 'alice', password: 'secret' } as const
  const bob = { protocolVersion: 5, username: 'bob', password: 'hidden' } as const

  it('replaces the common one completely', async () => {
    gateway = await Running.start(
      config([
        { port: 0, name: 'common' },
        { port: 0, name: 'own', authentication: others },
        { port: 0, name: 'open', authentication: {} },
      ]),
    )
    const results = []
    for (const index of [0, 1, 2])
      for (const credentials of [alice, bob, { protocolVersion: 5 } as const])
        results.push(await refusalCode(gateway.port(index), credentials))
    const wrong = Reason.badUserNameOrPassword
    expect(results).to.deep.equal([
      ...['accepted', wrong, Reason.notAuthorized],
      ...[wrong, 'accepted', Reason.notAuthorized],
      ...['accepted', 'accepted', 'accepted'],
    ])
    expect(names).to.deep.equal(['alice', 'bob', 'alice', 'bob', undefined])
  })

  it('has its files checked like the others', () => {
    const missing = { users: { file: `${folder.path}/missing` } }
    return Running.start(config([{ port: 0, authentication: missing }])).then(
      () => expect.fail('has started'),
      (error) => expect(error).to.be.instanceOf(FileError),
    )
  })

  it('changes with a reload, for a listener that stays and for one that is new', async () => {
    const [first, second] = [await freePort(), await freePort()]
    gateway = await Running.start(config([{ port: first, name: 'first' }]))
    expect(await refusalCode(first, bob)).to.equal(Reason.badUserNameOrPassword)
    await gateway.gateway.reload(
      configOf(
        config([
          { port: first, name: 'first', authentication: others },
          { port: second, name: 'second', authentication: {} },
        ]),
      ),
    )
    expect(await refusalCode(first, bob)).to.equal('accepted')
    expect(await refusalCode(second)).to.equal('accepted')
  })

  it('applies to a client that was connected before a reload and sends its CONNECT after it', async () => {
    const port = await freePort()
    const listeners = [{ port, name: 'first' }]
    for (const [after, answer] of [
      [{ ...config(listeners), authentication: others }, '2003008600'],
      [config([{ port, name: 'second' }]), '2003008800'],
    ] as const) {
      gateway?.close()
      gateway = await Running.start(config(listeners))
      const socket = connect(port, '127.0.0.1')
      await until(() => gateway!.gateway.open.total === 1)
      await gateway.gateway.reload(configOf(after))
      socket.write(
        new v5.ConnectPacket({
          ...{ cleanStart: true, keepAlive: 0, clientId: 'c' },
          ...{ userName: 'alice', password: Buffer.from('secret') },
        }).bytes,
      )
      const [received] = await once(socket as EventEmitter, 'data')
      expect(received.toString('hex')).to.equal(answer)
      socket.destroy()
    }
    expect(names).to.have.length(0)
  })

  it('opens no listener of a reload that is refused because of a file of another one', async () => {
    const [first, second, third] = [await freePort(), await freePort(), await freePort()]
    gateway = await Running.start(config([{ port: first }]))
    const opened: unknown[] = []
    const { listen } = Listener.prototype
    Listener.prototype.listen = function (this: Listener, ...args): Promise<void> {
      opened.push(this.config.port)
      return listen.apply(this, args)
    }
    try {
      const bad = folder.write('bad.pem', 'x')
      const tls = { certificates: [{ certificate: bad, key: bad }] }
      const open = { port: second, authentication: {} }
      for (const listeners of [
        [open, { port: third, tls }],
        [open, { port: first, tls }],
      ]) {
        const refused = await gateway.gateway.reload(configOf(config(listeners))).catch((error) => error)
        expect(refused).to.be.instanceOf(FileError)
      }
      expect(opened).to.deep.equal([])
      await gateway.gateway.reload(configOf(config([open])))
      expect(opened).to.deep.equal([second])
    } finally {
      Listener.prototype.listen = listen
    }
  })

  it('never lets a client in by the rules of others if its listener goes while its PROXY header is read', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const proxyProtocol = { trusted: ['127.0.0.1'] }
    const renamed = { port, name: 'lax', proxyProtocol, authentication: {} }
    const successor = { port: other, name: 'strict', authentication: {} }
    for (const listeners of [[renamed], [renamed, successor], [successor]]) {
      gateway?.close()
      gateway = await Running.start(config([{ port, name: 'strict', proxyProtocol }]))
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await until(() => gateway!.gateway.open.total === 1)
      await gateway.gateway.reload(configOf(config(listeners)))
      socket.write('PROXY TCP4 10.0.0.1 10.0.0.2 1 1\r\n')
      socket.write(Buffer.from('100c00044d5154540402003c0000', 'hex'))
      let received = 0
      socket.on('data', ({ length }) => {
        received += length
      })
      await once(socket as EventEmitter, 'close')
      await sleep(20)
      expect(received).to.equal(0)
      expect(names).to.have.length(0)
      expect(gateway.report.lines.at(-1)).to.equal(
        'unserved the reload has removed or changed its listener strict',
      )
    }
  })

  /** Reloads while a client is in its WebSocket handshake, and returns what the client is told after the handshake. */
  async function reloadInHandshake(port: number, before: object, after: object): Promise<string> {
    gateway = await Running.start(config([{ port, ...before }]))
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    let received = ''
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.write('GET /mqtt HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')
    await until(() => gateway!.gateway.open.total === 1)
    await gateway.gateway.reload(configOf(config([{ port, ...after }])))
    socket.write(`Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`)
    socket.write('Sec-WebSocket-Protocol: mqtt\r\n\r\n')
    socket.write(Buffer.from('828e00000000100c00044d5154540402003c0000', 'hex'))
    const rest = () => received.split('\r\n\r\n')[1] ?? ''
    await until(() => socket.closed || rest() !== '')
    socket.destroy()
    return rest()
  }

  const changes = [
    { allow: ['10.0.0.0/8'] },
    { websocket: { origins: ['https://app.example'] } },
    { proxyProtocol: { trusted: ['10.0.0.1'] } },
  ]
  for (const change of changes) {
    it(`never lets in a client that is in its handshake while a reload replaces passwords by ${Object.keys(change)}`, async () => {
      const before = { name: 'same', websocket: {} }
      const after = { name: 'same', websocket: {}, authentication: {}, ...change }
      expect(await reloadInHandshake(await freePort(), before, after)).to.equal('')
      expect(names).to.have.length(0)
      const reason = 'the reload has removed or changed its listener same'
      expect(gateway!.report.lines.at(-1)).to.equal(`unserved ${reason}`)
    })
  }

  it('serves a client that is in its handshake during a reload if its listener stays as it was', async () => {
    const same = { name: 'same', websocket: {}, authentication: {} }
    expect(await reloadInHandshake(await freePort(), same, same)).to.equal('\x82\x04\x20\x02\0\0')
  })

  it('leaves no connection behind if its listener goes during the WebSocket handshake', async () => {
    const port = await freePort()
    gateway = await Running.start(config([{ port, name: 'old', websocket: {} }]))
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET /mqtt HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')
    await until(() => gateway!.gateway.open.total === 1)
    await gateway.gateway.reload(configOf(config([{ port, name: 'new', websocket: {} }])))
    socket.resume()
    socket.write(`Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`)
    socket.write('Sec-WebSocket-Protocol: mqtt\r\n\r\n')
    await once(socket as EventEmitter, 'close')
    await until(() => gateway!.gateway.open.total === 0, 2000)
    expect(gateway.gateway.open.pending).to.equal(0)
    expect(gateway.report.lines.at(-1)).to.equal(
      'unserved the reload has removed or changed its listener old',
    )
  })
})
