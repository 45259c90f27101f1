import { expect } from 'chai'
import { parseConfig } from '../lib/operate/config.ts'
import { Editions, type WithFiles } from '../lib/operate/editions.ts'

describe('gateway: the editions of a configuration', () => {
  const withPorts = (...ports: readonly number[]): WithFiles => ({
    config: parseConfig({ listeners: ports.map((port) => ({ port })), upstreams: [] }),
    left: [],
    files: {},
  })
  let editions: Editions<string>

  beforeEach(() => {
    editions = new Editions(withPorts(1883, 1884), [3, 4])
  })

  const current = () => [editions.current.number, editions.current.sockets]

  it('the last one is for workers that start, although no worker has applied it yet', () => {
    editions.add(withPorts(1884))
    expect(current()).to.deep.equal([1, [4]])
    editions.applied('a', 1)
    expect(current()).to.deep.equal([1, [4]])
  })

  it('one that a worker refuses is not, unless another one has applied it', () => {
    editions.add(withPorts(1884))
    editions.refused('a', 1)
    expect(current()).to.deep.equal([0, [3, 4]])
    editions.applied('a', 1)
    expect(current()).to.deep.equal([1, [4]])
    editions.refused('a', 1)
    expect(current()).to.deep.equal([1, [4]])
  })

  it('a refusal of an earlier one says nothing about the last one, and a late success does not bring an earlier one back', () => {
    editions.add(withPorts(1884))
    editions.add(withPorts(1884, 1885))
    editions.refused('a', 1)
    expect(current()).to.deep.equal([2, [4, undefined]])
    editions.applied('a', 2)
    editions.applied('a', 1)
    expect(current()).to.deep.equal([2, [4, undefined]])
  })

  it('after a refusal, the one that was applied last is in force', () => {
    editions.add(withPorts(1884))
    editions.add(withPorts(1885))
    editions.applied('a', 1)
    editions.refused('a', 2)
    expect(current()).to.deep.equal([1, [4]])
  })

  it('the first one is that of a worker that has its configuration from the command line, and asks for none', () => {
    editions.applied('a', 0)
    expect(editions.open.map(({ port }) => port)).to.deep.equal([1883, 1884])
  })

  it('names the listeners that a worker may have open, until it has applied an edition without them', () => {
    const open = () => editions.open.map(({ port }) => port)
    editions.give('a')
    editions.give('b')
    editions.add(withPorts(1884))
    for (const worker of ['a', 'b']) editions.give(worker)
    editions.applied('a', 1)
    expect(new Set(open())).to.deep.equal(new Set([1883, 1884]))
    editions.applied('b', 1)
    expect(open()).to.deep.equal([1884, 1884])
    editions.add(withPorts(1885))
    editions.give('b')
    editions.refused('b', 2)
    expect(open()).to.deep.equal([1884, 1884])
    editions.ended('b')
    expect(open()).to.deep.equal([1884])
    expect(editions.lastOf('b')).to.equal(undefined)
  })
})
