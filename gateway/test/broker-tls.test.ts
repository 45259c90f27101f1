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
    const own = authority.issue('localhost', 'DNS:localhost')
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
      expect(await answerWith({ authorities: authority.file, serverName: 'localhost' })).to.match(/^20..0000/)
      for (const tls of [
        { authorities: authority.file, serverName: 'other.example' },
        { serverName: 'localhost' },
      ]) {
        expect(await answerWith(tls)).to.equal('2003008800')
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
      await broker.stop()
      folder.remove()
    }
  })
})
