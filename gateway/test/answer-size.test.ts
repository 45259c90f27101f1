import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ConnectReasonCode as Reason } from 'mqtt-connect-packet'
import { Running, refusalCode, until } from './support.ts'

/** Much more than fits into the socket buffers in between. */
const ENDLESS = 64 * 1024 * 1024
const JWT = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30.e30`

describe('gateway: answers of key sets and authentication services', () => {
  let server: Server
  let gateway: Running
  let sent = 0
  let closed = false
  let answer: (response: ServerResponse) => void

  before(async () => {
    server = createServer((_request, response) => {
      response.on('close', () => (closed = true))
      answer(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  beforeEach(() => {
    sent = 0
    closed = false
  })

  afterEach(() => gateway.close())

  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Sends the beginning of a valid JSON text that never ends, as long as somebody reads it. */
  function flood(response: ServerResponse): void {
    const chunk = Buffer.alloc(65_536, '{"keys":[],"result":"allow","x":"x')
    const next = (): void => {
      if (response.destroyed || sent >= ENDLESS) return
      sent += chunk.length
      if (response.write(chunk)) setImmediate(next)
      else response.once('drain', next)
    }
    next()
  }

  const bomb = gzipSync(Buffer.alloc(ENDLESS, ' '))
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const [what, authentication] of Object.entries({
    'a key set': () => ({ jwt: { keys: url() } }),
    'a service': () => ({ http: { url: url(), timeout: 20 } }),
  })) {
    it(`of ${what} are read up to a limit, and then the connection is closed`, async () => {
      answer = (response) => flood(response.writeHead(200))
      gateway = await Running.start({
        upstreams: [{ host: '127.0.0.1', port: 1 }],
        authentication: authentication(),
      })
      const options = { protocolVersion: 5, username: 'a', password: JWT } as const
      expect(await refusalCode(gateway.port(), options)).to.equal(Reason.serverUnavailable)
      await until(() => closed)
      expect(sent).to.be.below(ENDLESS / 4)
      expect(gateway.report.lines.join('\n')).to.match(/127\.0\.0\.1:\d+ answered with more than \d+ bytes/)
    })

    it(`of ${what} are limited by their size after decompression`, async () => {
      answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
      gateway = await Running.start({
        upstreams: [{ host: '127.0.0.1', port: 1 }],
        authentication: authentication(),
      })
      const before = process.memoryUsage().arrayBuffers
      const options = { protocolVersion: 5, username: 'a', password: JWT } as const
      expect(await refusalCode(gateway.port(), options)).to.equal(Reason.serverUnavailable)
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(ENDLESS / 4)
      expect(gateway.report.lines.join('\n')).to.match(/answered with more than \d+ bytes/)
    })
  }
})
