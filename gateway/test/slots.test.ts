import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { BusyError, type Client, Slots } from '../lib/authenticate/slots.ts'

describe('gateway: slots', () => {
  const client = (network: string): Client => ({ network, stream: new PassThrough() })

  /** Operations that record their start, and end when told to. */
  class Operations {
    readonly begun: string[] = []
    readonly ends: (() => void)[] = []
    of(name: string): () => Promise<void> {
      return () => {
        this.begun.push(name)
        return new Promise((resolve) => this.ends.push(resolve))
      }
    }
    async endAll(): Promise<void> {
      for (let i = 0; i < this.ends.length; i++) {
        this.ends[i]!()
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }

  const outcome = (run: Promise<unknown>) =>
    run.then(
      () => 'done',
      (error) => (error instanceof BusyError ? 'busy' : error.message),
    )

  it('runs so many at a time, in order, and rejects when too many wait', async () => {
    const slots = new Slots(2, 2, 'the test')
    const running: number[] = []
    let most = 0
    const act = (n: number) => async () => {
      running.push(n)
      most = Math.max(most, running.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running.splice(running.indexOf(n), 1)
      if (n === 1) throw new Error('one fails')
      return n
    }
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => slots.run(client('a'), act(n))))
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(most).to.equal(2)
    expect(await slots.run(client('a'), act(5))).to.equal(5)
  })

  it('lets addresses take turns, however many operations one of them asks for', async () => {
    const slots = new Slots(1, 100, 'the test')
    const operations = new Operations()
    const runs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) =>
      outcome(slots.run(client(name[0]!), operations.of(name))),
    )
    await operations.endAll()
    expect(operations.begun).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    expect(await Promise.all(runs)).to.deep.equal(Array(7).fill('done'))
  })

  it('when too many wait, refuses the last operation of the address with the most', async () => {
    const slots = new Slots(1, 3, 'the test')
    const operations = new Operations()
    const names = ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'a4']
    const runs = names.map((name) => outcome(slots.run(client(name[0]!), operations.of(name))))
    await operations.endAll()
    const outcomes = await Promise.all(runs)
    const refused = names.filter((_, i) => outcomes[i] === 'busy')
    expect(refused).to.deep.equal(['a2', 'a3', 'b2', 'c2', 'a4'])
    expect(operations.begun).to.deep.equal(['a0', 'a1', 'b1', 'c1'])
  })

  it('forgets an operation whose client leaves while it waits, and makes room for another', async () => {
    const slots = new Slots(1, 1, 'the test')
    const operations = new Operations()
    const first = outcome(slots.run(client('a'), operations.of('first')))
    const leaving = client('a')
    const left = outcome(slots.run(leaving, operations.of('left')))
    expect(await outcome(slots.run(client('a'), operations.of('busy')))).to.equal('busy')
    leaving.stream.destroy()
    expect(await left).to.equal('the client has left')
    expect(await outcome(slots.run(leaving, operations.of('late')))).to.equal('the client has left')
    const next = client('a')
    const second = outcome(slots.run(next, operations.of('second')))
    await operations.endAll()
    expect([await first, await second]).to.deep.equal(['done', 'done'])
    expect(operations.begun).to.deep.equal(['first', 'second'])
    expect(next.stream.listenerCount('close'), 'nothing is left behind').to.equal(
      new PassThrough().listenerCount('close'),
    )
  })
})
