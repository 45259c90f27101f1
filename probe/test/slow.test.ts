import { expect } from 'chai'
import type { ProbeOptions, Result } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { type Slowness, slowProxy } from './slow-proxy.ts'
import { resultsAt } from './support.ts'

/* No false alarm: a correct broker that is slow gets neither "violates" nor "differs". */

/** The cases whose verdict could depend on time. */
const timed = [
  ...['connack', 'connection', 'session', 'will', 'disconnect.closes', 'disconnect.closes-for-client'],
  ...['accept.byte-by-byte', 'accept.with-subscribe', 'accept.with-publish-and-disconnect'],
  ...['connect.bytes-left-over', 'packet.body-not-allowed'],
  'packet.disconnect.bytes-left-over',
]

interface Slow extends Slowness {
  readonly timeout?: number
  readonly protocol?: ProbeOptions['protocol']
  readonly only?: readonly string[]
  /** True if some cases run out of time. */
  readonly isLate?: boolean
}

/** The same numbers in each run, from 0 to 1. */
function numbers(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48271) % (2 ** 31 - 1)
    return seed / (2 ** 31 - 1)
  }
}

const [random, stalling] = [numbers(), numbers()]

const slow: Readonly<Record<string, Slow>> = {
  'takes 300 ms for each answer': { delay: ({ to }) => (to === 'client' ? 300 : 0) },
  'takes more than half of the timeout for each answer': {
    ...{ timeout: 800, isLate: true },
    only: [
      'connection',
      'session.kept',
      'session.queues-messages',
      'will.published',
      'will.discarded',
      'will.once',
    ],
    delay: ({ to }) => (to === 'client' ? 450 : 0),
  },
  'takes a different time for each packet, and sends and gets one byte at a time': {
    isByteByByte: true,
    delay: () => 150 * random(),
  },
  'has two clients with the same id at once': {
    protocol: ['3.1.1', '5.0'],
    only: ['accept.a-client-id-of-65-535-bytes', 'accept.a-client-id-of-more-than-23-characters'],
    delay: ({ to }) => (to === 'client' ? 100 : 0),
  },
  'closes connections after the timeout': {
    ...{ timeout: 700, only: ['connection.takeover', 'will.at-takeover', 'session.kept'], isLate: true },
    delay: ({ to, bytes }) => (to === 'client' && bytes === undefined ? 1700 : 0),
  },
  'notices closed connections after the timeout': {
    ...{ timeout: 700, only: ['will.published', 'will.empty-message', 'will.user-properties'], isLate: true },
    delay: ({ to, bytes }) => (to === 'server' && bytes === undefined ? 2800 : 0),
  },
  'processes a DISCONNECT after the timeout': {
    ...{ timeout: 700, only: ['session.expiry-shortened-by-disconnect', 'will.discarded'], isLate: true },
    delay: ({ to, bytes }) => (to === 'server' && bytes?.[0] === 0xe0 ? 1700 : 0),
  },
  'is slower than the timeout on every fifth connection': {
    ...{ timeout: 700, isLate: true },
    delay: ({ connection }) => (connection % 5 === 4 ? 1700 : 0),
  },
  'stalls now and then for longer than the timeout': {
    ...{ timeout: 700, isLate: true },
    delay: () => (stalling() < 0.05 ? 1000 : 0),
  },
}

async function resultsOf({
  timeout = 5000,
  protocol = ['5.0'],
  only = timed,
  ...slowness
}: Slow): Promise<Result[]> {
  const broker = new Broker()
  const proxy = await slowProxy(await broker.start(), slowness)
  try {
    return await resultsAt(proxy.url, { only, timeout, protocol, concurrency: 30 })
  } finally {
    proxy.close()
    broker.close()
  }
}

describe('the probe', function () {
  this.timeout(120_000)
  const found = new Map<string, Result[]>()

  before(async () => {
    // They mostly wait.
    const all = Object.entries(slow).map(async ([name, how]) => found.set(name, await resultsOf(how)))
    await Promise.all(all)
  })

  for (const [name, { isLate = false }] of Object.entries(slow)) {
    it(`accuses no correct broker that ${name}`, () => {
      const results = found.get(name)!
      const accused = results.filter(({ verdict }) => verdict === 'violates' || verdict === 'differs')
      expect(accused.map(({ id, verdict, text }) => `${id} ${verdict}: ${text}`)).to.deep.equal([])
      const passed = results.filter(({ verdict }) => verdict === 'passed')
      if (!isLate) expect(passed.length / results.length).to.be.above(0.7)
    })
  }
})
