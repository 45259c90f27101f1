import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Transform, Writable } from 'node:stream'
import { expect } from 'chai'
import { ConnectEncoder, v3_1_1 } from '../../lib/index.ts'
import { settle } from '../streams/support.ts'

const text = readFileSync(new URL('../../docs/streams.md', import.meta.url), 'utf8')
const HEADING = '### A write from inside `_writev`'

/** Packets are told apart by their client ids. */
const packet = (clientId: string) => new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId })
const CLIENT_ID_AT = 14

const encoders: Readonly<Record<string, () => Transform>> = {
  "Node's Transform": () =>
    new Transform({
      writableObjectMode: true,
      transform: ({ bytes }, _encoding, callback) => callback(null, bytes),
    }),
  ConnectEncoder: () => new ConnectEncoder() as unknown as Transform,
}

/** The circumstances of the destination's `_writev`. */
interface Place {
  /** Packets written in one tick. */
  readonly packets: number
  /** True if the destination takes time for each call. */
  readonly slow: boolean
  /** True if something else keeps the destination corked for a while. */
  readonly corked: boolean
}

const places: Place[] = [1, 2, 3].flatMap((packets) =>
  [false, true].flatMap((slow) => [false, true].map((corked) => ({ packets, slow, corked }))),
)

/** Writes the packet `inner` to the encoder from within the destination's first `_writev`. Returns the packets that arrive. */
async function arrivals(encoder: Transform, { packets, slow, corked }: Place): Promise<string[]> {
  const arrived: string[] = []
  let wrote = false
  const done = (callback: () => void) => (slow ? setImmediate(callback) : callback())
  const destination = new Writable({
    write(chunk, _encoding, callback) {
      arrived.push(chunk.toString('utf8', CLIENT_ID_AT))
      done(callback)
    },
    writev(chunks, callback) {
      for (const { chunk } of chunks) arrived.push(chunk.toString('utf8', CLIENT_ID_AT))
      if (!wrote) encoder.write(packet('inner'))
      wrote = true
      done(callback)
    },
  })
  encoder.pipe(destination)
  if (corked) destination.cork()
  for (let i = 1; i <= packets; i++) encoder.write(packet(`${i}`))
  await settle()
  if (corked) destination.uncork()
  await settle(20)
  encoder.write(packet('last'))
  await settle(20)
  // Without a `_writev`, nothing can be lost.
  return wrote ? arrived : [...arrived, 'inner']
}

describe('docs/streams.md: a write from inside _writev', () => {
  it('is lost by a Writable of Node, as the block shows', () => {
    const block = /```js\n(.*?)```/s.exec(text.slice(text.indexOf(HEADING)))?.[1]
    expect(block).to.contain("'lost'")
    execFileSync(process.execPath, ['--input-type=module', '-e', block!], { stdio: 'pipe' })
  })

  for (const others of [undefined, () => {}]) {
    const called = others === undefined ? 'is never called' : 'is called without an error'
    const which = others === undefined ? 'no buffered write has one' : 'a buffered write has one'
    it(`has a callback that ${called} if ${which}`, async () => {
      const calls: unknown[] = []
      let wrote = false
      const sink = new Writable({
        writev(_chunks, callback) {
          if (!wrote) sink.write('lost', (error) => calls.push(error))
          wrote = true
          callback()
        },
      })
      sink.cork()
      sink.write('a', others)
      sink.write('b', others)
      sink.uncork()
      await settle(20)
      expect(wrote).to.equal(true)
      expect(calls).to.deep.equal(others === undefined ? [] : [null])
    })
  }

  it('is safe inside write, and after writev has returned', async () => {
    const written: string[] = []
    const sink = new Writable({
      write(chunk, _encoding, callback) {
        written.push(`write ${chunk}`)
        if (`${chunk}` === 'a') sink.write('inside write')
        callback()
      },
      writev(chunks, callback) {
        written.push(`writev ${chunks.map(({ chunk }) => chunk)}`)
        setImmediate(() => {
          if (written.length === 3) sink.write('after writev')
          callback()
        })
      },
    })
    sink.write('a')
    sink.cork()
    for (const text of ['b', 'c']) sink.write(text)
    sink.uncork()
    await settle(20)
    expect(written).to.deep.equal(['write a', 'write inside write', 'writev b,c', 'write after writev'])
  })

  for (const place of places) {
    const { packets, slow, corked } = place
    const destination = `a ${slow ? 'slow' : 'fast'}${corked ? ', corked' : ''} destination`
    it(`loses no more in ConnectEncoder than in a Transform: ${packets} packet(s), ${destination}`, async () => {
      const [usual, ours] = await Promise.all(Object.values(encoders).map((make) => arrivals(make(), place)))
      expect(ours).to.include.members(usual!)
      expect(ours!.filter((id) => id !== 'inner')).to.deep.equal(usual!.filter((id) => id !== 'inner'))
    })
  }

  it('is lost by Node where the destination is corked: the comparison reaches the place', async () => {
    const place = { packets: 2, slow: false, corked: true }
    expect(await arrivals(encoders["Node's Transform"]!(), place)).to.deep.equal(['1', '2', 'last'])
  })
})
