import { expect } from 'chai'
import { parseConfig } from '../lib/operate/config.ts'
import { Editions, type WithFiles } from '../lib/operate/editions.ts'

describe('gateway: the editions of a configuration', () => {
  const withPorts = (...ports: readonly number[]): WithFiles => ({
    config: parseConfig({ listeners: ports.map((port) => ({ port })), upstreams: [] }),
    left: [],
    files: {},
  })
  let editions: Editions

  beforeEach(() => {
    editions = new Editions(withPorts(1883, 1884), [3, 4])
  })

  const current = () => [editions.current.number, editions.current.sockets]

  it('the last one is for workers that start, although no worker has applied it yet', () => {
    editions.add(withPorts(1884))
    expect(current()).to.deep.equal([1, [4]])
    editions.applied(1)
    expect(current()).to.deep.equal([1, [4]])
  })

  it('one that a worker refuses is not, unless another one has applied it', () => {
    editions.add(withPorts(1884))
    editions.refused(1)
    expect(current()).to.deep.equal([0, [3, 4]])
    editions.applied(1)
    expect(current()).to.deep.equal([1, [4]])
    editions.refused(1)
    expect(current()).to.deep.equal([1, [4]])
  })

  it('a refusal of an earlier one says nothing about the last one, and a late success does not bring an earlier one back', () => {
    editions.add(withPorts(1884))
    editions.add(withPorts(1884, 1885))
    editions.refused(1)
    expect(current()).to.deep.equal([2, [4, undefined]])
    editions.applied(2)
    editions.applied(1)
    expect(current()).to.deep.equal([2, [4, undefined]])
  })

  it('after a refusal, the one that was applied last is in force', () => {
    editions.add(withPorts(1884))
    editions.add(withPorts(1885))
    editions.applied(1)
    editions.refused(2)
    expect(current()).to.deep.equal([1, [4]])
  })
})
