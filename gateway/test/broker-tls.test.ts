import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { Authority } from './certificates.ts'
import { exchange, Folder, needs, Running, startMosquitto } from './support.ts'

const connect = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const DISCONNECT = Buffer.from('e000', 'hex')

describe('gateway: TLS to a broker', function () {
  this.timeout(60_000)

  it('checks the certificate of the broker', async function () {
    needs(this, 'mosquitto', 'openssl')
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
    } finally {
      await broker.stop()
      folder.remove()
    }
  })
})
