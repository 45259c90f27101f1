import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v3_1_1, v5 } from 'mqtt-connect-packet'
import { Gateway } from '../../test/support/gateway.ts'
import { SilentHost } from '../../test/support/silent-host.ts'

const connect3 = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'c' }).bytes
const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const PINGREQ = Buffer.from('c000', 'hex')

const CLIENTS = 300

describe('the gateway with an --upstream that does not answer', function () {
  this.timeout(60_000)
  let host: SilentHost
  let gateway: Gateway
  const open: Socket[] = []

  beforeEach(async function () {
    const started = await SilentHost.start()
    if (started === undefined) {
      console.log('      skipped: on this system a full queue of connections does not silence a port')
      this.skip()
    }
    host = started
  })

  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
    gateway?.kill()
    host?.close()
  })

  async function startGateway(connectTimeout: string): Promise<number> {
    const upstream = `127.0.0.1:${host.port}`
    const options = [
      '--port',
      '0',
      '--no-sample',
      '--upstream',
      upstream,
      '--connect-timeout',
      connectTimeout,
    ]
    gateway = new Gateway(...options)
    return await gateway.port()
  }

  function client(port: number, bytes: Buffer): Socket {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.on('error', () => {})
    socket.write(bytes)
    return socket
  }

  it('answers that the server is unavailable after --connect-timeout', async () => {
    const port = await startGateway('0.3')
    const [answer5] = await once(client(port, connect5), 'data')
    expect(answer5.toString('hex')).to.equal('2003008800')
    const [answer3] = await once(client(port, connect3), 'data')
    expect(answer3.toString('hex')).to.equal('20020003')
    const address = `127.0.0.1:${host.port}`
    await gateway.printed(
      new RegExp(`not served: the broker ${address} didn't accept the connection within 0.3 s`),
    )
  })

  it('stops connecting soon after the client has left', async () => {
    const port = await startGateway('600')
    const before = await gateway.usage()
    for (let i = 0; i < CLIENTS; i++) client(port, connect3)
    await gateway.printed(new RegExp(`(.*\\n){${1 + CLIENTS}}`))
    // One socket to the client and one to the broker. A file that was open before may be closed by now.
    expect((await gateway.usage()).files).to.be.at.least(2 * CLIENTS)
    open.forEach((socket, i) => {
      if (i % 2 === 0) socket.end()
      else socket.resetAndDestroy()
    })
    const after = await gateway.settled(before, 20_000)
    expect(after.files).to.be.at.most(before.files)
    expect(after.timers).to.be.at.most(before.timers)
  })

  it('goes on connecting for a client that has ended, but has sent more than its CONNECT', async () => {
    const port = await startGateway('600')
    client(port, Buffer.concat([connect3, PINGREQ])).end()
    await gateway.printed(/v3_1_1::connect/)
    await new Promise((resolve) => setTimeout(resolve, 200)) // the end of the client may arrive later
    host.wake()
    await host.receives(`${connect3.toString('hex')}${PINGREQ.toString('hex')}`)
  })
})
