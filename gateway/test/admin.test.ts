import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startAdmin } from '../lib/operate/admin.ts'
import { exchange, until } from './support.ts'

const REQUEST = Buffer.from('GET /metrics HTTP/1.1\r\nHost: gateway\r\n\r\n')

describe('gateway: the admin port', () => {
  let admin: Server
  let port: number
  let computed: number
  /** Computing the metrics takes as long as this. */
  let ready: Promise<void>

  beforeEach(async () => {
    computed = 0
    ready = Promise.resolve()
    const metrics = async () => {
      computed++
      await ready
      return `mqtt_gateway_computed ${computed}\n`
    }
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
    let arrived = 0
    let allArrived: () => void
    ready = new Promise((resolve) => {
      allArrived = resolve
    })
    admin.on('request', () => {
      if (++arrived === 50) allArrived()
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(port, REQUEST)))
    for (const answer of answers) expect(answer.toString()).to.contain('mqtt_gateway_computed 1\n')
    await until(async () => (await exchange(port, REQUEST)).includes('mqtt_gateway_computed 2\n'))
  })

  it('takes a limited number of connections, so that descriptors are left for clients', () => {
    expect(admin.maxConnections).to.equal(64)
  })
})
