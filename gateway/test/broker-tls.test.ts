import dns from 'node:dns'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { Authority } from './certificates.ts'
import {
  connectClient,
  exchange,
  Folder,
  keepAliveTimer,
  needs,
  Running,
  startMosquitto,
  until,
} from './support.ts'

const connect = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const DISCONNECT = Buffer.from('e000', 'hex')

describe('gateway: TLS to a broker', function () {
  this.timeout(60_000)

  it('checks the certificate of the broker, and finds out if the broker has vanished', async function () {
    needs(this, 'mosquitto', 'openssl', 'ss')
    const folder = new Folder()
    const authority = new Authority(folder)
    const own = authority.issue('localhost', 'DNS:localhost,IP:127.0.0.1')
    const extra = `cafile ${authority.file}\ncertfile ${own.certificate}\nkeyfile ${own.key}`
    const broker = await startMosquitto(folder, extra)
    const answerWith = async (tls: object) => {
      const upstreams = [{ host: '127.0.0.1', port: broker.port, tls }]
      const gateway = await Running.start({ upstreams })
      try {
        return (await exchange(gateway.port(), connect, DISCONNECT)).toString('hex')
      } finally {
        gateway.close()
      }
    }
    try {
      const warnings: Error[] = []
      const record = (warning: Error) => warnings.push(warning)
      process.on('warning', record)
      for (const serverName of [undefined, 'localhost'])
        expect(await answerWith({ authorities: authority.file, serverName })).to.match(/^20..0000/)
      process.off('warning', record)
      expect(warnings).to.deep.equal([])
      for (const tls of [
        { authorities: authority.file, serverName: 'other.example' },
        { serverName: 'localhost' },
      ]) {
        expect(await answerWith(tls)).to.equal('2003008800')
        process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
        expect(await answerWith(tls)).to.equal('2003008800')
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      }
      // The probes of TCP are for the connection below TLS.
      const tls = { authorities: authority.file, serverName: 'localhost' }
      const upstreams = [{ host: '127.0.0.1', port: broker.port, tls, tcpKeepAlive: 500 }]
      const gateway = await Running.start({ upstreams })
      const client = await connectClient(gateway.port())
      await until(() => keepAliveTimer(`( dport = :${broker.port} )`) > 400)
      client.end(true)
      gateway.close()
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      await broker.stop()
      folder.remove()
    }
  })

  it('uses the second address of a name if the first refuses connections, which once crashed the process', async function () {
    needs(this, 'mosquitto', 'openssl')
    const folder = new Folder()
    const authority = new Authority(folder)
    const own = authority.issue('two.example', 'DNS:two.example')
    const broker = await startMosquitto(
      folder,
      `cafile ${authority.file}\ncertfile ${own.certificate}\nkeyfile ${own.key}`,
    )
    const { lookup } = dns
    const addresses = ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    dns.lookup = ((host: string, ...rest: [object, (error: null, all: object[]) => void]) =>
      host === 'two.example'
        ? setImmediate(rest[1], null, addresses)
        : (lookup as (...args: unknown[]) => void)(host, ...rest)) as never
    const tls = { authorities: authority.file }
    const gateway = await Running.start({ upstreams: [{ host: 'two.example', port: broker.port, tls }] })
    try {
      expect((await exchange(gateway.port(), connect, DISCONNECT)).toString('hex')).to.match(/^20..0000/)
    } finally {
      gateway.close()
      dns.lookup = lookup
      await broker.stop()
      folder.remove()
    }
  })
})
