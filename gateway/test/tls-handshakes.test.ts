import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect } from 'chai'
import { Authority } from './certificates.ts'
import { FakeBroker, Folder, Running, sleep, upstreamOf } from './support.ts'

describe('gateway: renegotiation of TLS 1.2', () => {
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running

  afterEach(() => {
    gateway.close()
    broker.close()
    folder.remove()
  })

  it('is refused for each certificate, because every one costs a signature that no limit counts', async () => {
    const authority = new Authority(folder)
    const certificates = ['first.example', 'second.example'].map((name) => {
      const { certificate, key } = authority.issue(name)
      return { certificate, key }
    })
    broker = await FakeBroker.answering()
    gateway = await Running.start({
      listeners: [{ port: 0, tls: { certificates } }],
      upstreams: [upstreamOf(broker)],
    })
    for (const servername of ['first.example', 'second.example']) {
      const socket = connect({
        port: gateway.port(),
        host: '127.0.0.1',
        ca: authority.pem,
        servername,
        maxVersion: 'TLSv1.2',
      })
      await once(socket, 'secureConnect')
      let outcome = 'pending'
      socket.on('error', ({ message }) => {
        outcome = message
      })
      socket.renegotiate({}, () => {
        outcome = 'renegotiated'
      })
      for (let tries = 0; outcome === 'pending' && tries < 200; tries++) await sleep(10)
      expect(outcome, servername).to.match(/no renegotiation/)
      socket.destroy()
    }
  })
})

describe('gateway: the exchange of keys in TLS', () => {
  const folder = new Folder()

  after(() => folder.remove())

  it('uses no finite field, which would cost the gateway much and the client nothing', async () => {
    const { certificate, key } = new Authority(folder).issue('localhost')
    const listeners = [{ port: 0, tls: { certificates: [{ certificate, key }] } }]
    const gateway = await Running.start({ listeners, upstreams: [{ host: '127.0.0.1', port: 1 }] })
    const outcomeOf = async (ecdhCurve: string) => {
      const options = { port: gateway.port(), host: '127.0.0.1', rejectUnauthorized: false }
      const socket = connect({ ...options, ecdhCurve })
      const failed = once(socket, 'error').then(([{ message }]) => message as string)
      const outcome = await Promise.race([failed, once(socket, 'secureConnect').then(() => 'secure')])
      socket.destroy()
      return outcome
    }
    for (const group of ['X25519', 'P-256', 'P-384', 'P-521', 'X448', 'ffdhe2048:X25519'])
      expect(await outcomeOf(group), group).to.equal('secure')
    for (const group of ['ffdhe2048', 'ffdhe8192'])
      expect(await outcomeOf(group), group).to.match(/handshake failure/)
    gateway.close()
  })
})
