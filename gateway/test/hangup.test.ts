import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { catchHangups, onHangup } from '../lib/operate/hangup.ts'

describe('gateway: SIGHUP', () => {
  const others = process.listeners('SIGHUP')
  after(() => {
    for (const own of process.listeners('SIGHUP'))
      if (!others.includes(own)) process.removeListener('SIGHUP', own)
  })

  it('reloads once for several signals at once, and again for later ones', async () => {
    let reloads = 0
    catchHangups()
    for (let i = 0; i < 3; i++) process.emit('SIGHUP')
    onHangup(() => reloads++)
    expect(reloads).to.equal(1)
    for (const expected of [2, 3]) {
      for (let i = 0; i < 100; i++) process.emit('SIGHUP')
      await setImmediate()
      expect(reloads).to.equal(expected)
    }
  })

  it('reloads one after the other, because the configuration that was read first could otherwise be applied last', async () => {
    const events: string[] = []
    catchHangups()
    let end = () => {}
    onHangup(() => {
      events.push('begins')
      return new Promise<void>((resolve) => {
        end = () => {
          events.push('ends')
          resolve()
        }
      })
    })
    for (const expected of [1, 2]) {
      process.emit('SIGHUP')
      await setImmediate()
      process.emit('SIGHUP')
      await setImmediate()
      expect(events).to.have.length(2 * expected - 1)
      end()
      await setImmediate()
    }
    end()
    await setImmediate()
    expect(events).to.deep.equal(['begins', 'ends', 'begins', 'ends', 'begins', 'ends'])
  })
})
