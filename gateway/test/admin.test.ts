import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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

  it('takes a limited number of connections, so that descriptors are left for clients', () => {
    expect(admin.maxConnections).to.equal(1000)
  })
})
