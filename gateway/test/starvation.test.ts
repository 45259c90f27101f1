import { connect } from 'node:net'
import { expect } from 'chai'
import { v3_1_1 } from 'mqtt-connect-packet'
import { userLine } from '../lib/authenticate/users.ts'
import { FakeBroker, Folder, Running, sleep, upstreamOf } from './support.ts'

/*
 * One address keeps the users file busy with wrong passwords while others connect with correct ones. `HOSTILE=full` attacks for
 * longer, with a queue of the default length.
 */
const { HOSTILE } = process.env
const full = HOSTILE === 'full'
const VICTIMS = full ? 20 : 10
/** Milliseconds until the queue is full. What comes later is refused at once. */
const LEAD = full ? 12_000 : 500
const WAITING = full ? 500 : 40

describe('gateway: a users file that one address keeps busy', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let file = ''

  before(async () => {
    broker = await FakeBroker.answering()
    const lines = await Promise.all(Array.from({ length: VICTIMS }, (_, i) => userLine(`user-${i}`, 'right')))
    file = folder.write('users', lines.join('\n'))
  })

  after(() => {
    broker.close()
    folder.remove()
  })

  function bytesOf(userName: string, password: string): Buffer {
    return new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'c', userName, password })
      .bytes as Buffer
  }

  /** True if the client with the correct password is accepted within 10 s. */
  async function isServed(port: number, i: number): Promise<boolean> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${i + 2}` })
    socket.on('error', () => {}).write(bytesOf(`user-${i}`, 'right'))
    const answer = new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(bytes.toString('hex')))
      socket.once('close', () => resolve('closed'))
      setTimeout(resolve, 10_000, 'nothing').unref()
    })
    const isAccepted = (await answer) === '20020000'
    socket.destroy()
    return isAccepted
  }

  const attacks: Readonly<Record<string, { limits: object; afterwards: number }>> = {
    'a client that resets its connections, 200 a second': { limits: { openPerAddress: 1 }, afterwards: 2 },
    'a client that keeps its connections open, 200 a second': { limits: {}, afterwards: 60_000 },
  }
  for (const [what, { limits, afterwards }] of Object.entries(attacks)) {
    it(`serves ${VICTIMS} of ${VICTIMS} others during an attack by ${what}`, async function () {
      // Only on Linux do all addresses of the loopback network work.
      if (process.platform !== 'linux') this.skip()
      const gateway = await Running.start({
        upstreams: [upstreamOf(broker)],
        authentication: { users: { file, waiting: WAITING } },
        limits,
      })
      const port = gateway.port()
      let attempts = 0
      const attack = setInterval(() => {
        const wrong = bytesOf('user-0', `wrong ${attempts++}`)
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(wrong, () => setTimeout(() => socket.resetAndDestroy(), afterwards).unref()),
        )
        socket.on('error', () => {})
      }, 5)
      try {
        await sleep(LEAD)
        const began = performance.now()
        const served = await Promise.all(Array.from({ length: VICTIMS }, (_, i) => isServed(port, i)))
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        const count = served.filter(Boolean).length
        if (full) console.log(`      ${count} of ${VICTIMS} in ${seconds} s, ${attempts} wrong passwords`)
        expect(attempts).to.be.above(LEAD / 20)
        expect(count).to.equal(VICTIMS)
      } finally {
        clearInterval(attack)
        gateway.close()
      }
    })
  }
})
