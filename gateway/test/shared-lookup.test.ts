import dns, { type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { Upstream } from '../lib/route/upstream.ts'
import { configOf, FakeBroker } from './support.ts'

type Answer = (error: Error | null, addresses?: LookupAddress[]) => void

describe('gateway: lookups of host names', () => {
  const { lookup } = dns
  let asked: [host: string, answer: Answer][]
  let broker: FakeBroker
  let sockets: Socket[]

  beforeEach(async () => {
    broker = await FakeBroker.answering()
    asked = []
    sockets = []
    dns.lookup = ((host: string, _options: object, answer: Answer) => asked.push([host, answer])) as never
  })
  afterEach(() => {
    dns.lookup = lookup
    for (const socket of sockets) socket.destroy()
    broker.close()
  })

  /** Begins to connect to the host. */
  function open(host: string): Socket {
    const [config] = configOf({ upstreams: [{ host, port: broker.port }] }).upstreams
    const socket = new Upstream(config!).open().on('error', () => {})
    sockets.push(socket)
    return socket
  }

  it('are shared by connections that need the same name at the same time, and made again for later ones', async () => {
    const all = Array.from({ length: 50 }, () => open('one.example'))
    const other = open('two.example')
    expect(asked.map(([host]) => host)).to.deep.equal(['one.example', 'two.example'])
    const connected = all.map((socket) => once(socket, 'connect'))
    asked[0]![1](null, [{ address: '127.0.0.1', family: 4 }])
    await Promise.all(connected)
    expect(other.connecting).to.equal(true)
    open('one.example')
    expect(asked).to.have.length(3)
  })

  const here: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]
  const nowhere: LookupAddress[] = [{ address: '127.0.0.9', family: 4 }]

  async function connects(socket: Socket): Promise<boolean> {
    await once(socket, 'connect').catch(() => {})
    return socket.errored === null
  }

  it('use the last answer if the new one is late, because other names may keep it waiting', async () => {
    const first = connects(open('four.example'))
    asked[0]![1](null, nowhere)
    expect(await first).to.equal(false)
    const second = connects(open('four.example'))
    asked[1]![1](null, here)
    expect(await second).to.equal(true)
    expect(await connects(open('four.example'))).to.equal(true)
    // The third lookup is late by now, so nobody waits for it any more. The least of five times, because the machine may be busy.
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5; i++) {
      const start = performance.now()
      expect(await connects(open('four.example'))).to.equal(true)
      least = Math.min(least, performance.now() - start)
    }
    expect(least).to.be.below(400)
    expect(asked).to.have.length(3)
    asked[2]![1](null, nowhere)
    expect(await connects(open('four.example'))).to.equal(false)
  })

  it('wait if the last answer is old', async () => {
    const first = connects(open('five.example'))
    asked[0]![1](null, here)
    expect(await first).to.equal(true)
    const { now } = performance
    const later = now.call(performance) + 301_000
    performance.now = () => later
    try {
      const second = open('five.example')
      await new Promise((resolve) => setTimeout(resolve, 600))
      expect(second.connecting).to.equal(true)
    } finally {
      performance.now = now
    }
  })

  it('fail for all of them', async () => {
    const failed = [open('three.example'), open('three.example')].map(
      (socket) => new Promise((resolve) => socket.on('close', resolve)),
    )
    asked[0]![1](Object.assign(new Error('no name server'), { code: 'EAI_AGAIN' }))
    await Promise.all(failed)
    expect(sockets.map(({ errored }) => (errored as NodeJS.ErrnoException).code)).to.deep.equal([
      'EAI_AGAIN',
      'EAI_AGAIN',
    ])
    expect(asked).to.have.length(1)
  })
})
