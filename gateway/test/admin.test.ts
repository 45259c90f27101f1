import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { startAdmin } from '../lib/operate/admin.ts'
import { exchange, sleep } from './support.ts'

const REQUEST = Buffer.from('GET /metrics HTTP/1.1\r\nHost: gateway\r\n\r\n')

describe('gateway: the admin port', () => {
  let admin: Server
  let port: number
  let computed: number

  beforeEach(async () => {
    computed = 0
    const metrics = async () => `mqtt_gateway_computed ${++computed}\n`
    admin = await startAdmin({ host: '127.0.0.1', port: 0 }, { ready: () => true, metrics })
    port = (admin.address() as AddressInfo).port
  })

  afterEach(() => {
    admin.closeAllConnections()
    admin.close()
  })

  it('answers one request of a connection with the metrics, however many arrive at once', async () => {
    const answers = await exchange(port, ...Array<Buffer>(1000).fill(REQUEST))
    expect(answers.toString().match(/mqtt_gateway_computed/g)).to.have.length(1)
  })

  it('computes the metrics once for requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(port, REQUEST)))
    for (const answer of answers) expect(answer.toString()).to.contain('mqtt_gateway_computed 1\n')
    await sleep(150)
    expect((await exchange(port, REQUEST)).toString()).to.contain('mqtt_gateway_computed 2\n')
  })

  it('takes a limited number of connections', async () => {
    const sockets = Array.from({ length: 1100 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    try {
      let closed = 0
      for (const socket of sockets) socket.on('close', () => closed++).resume()
      await Promise.all(sockets.slice(0, 1000).map((socket) => once(socket, 'connect')))
      while (closed < 100) await sleep(10)
      await sleep(50)
      expect(closed).to.equal(100)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})
