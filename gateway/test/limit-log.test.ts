import { readFileSync } from 'node:fs'
import { mock } from 'node:test'
import { expect } from 'chai'
import { INTERVAL, LimitLog, type LimitSummary } from '../lib/limit/limit-log.ts'
import { limitNames } from '../lib/limit/limits.ts'
import { networkOf } from '../lib/listen/addresses.ts'
import { createLog } from '../lib/operate/log.ts'

describe('gateway: the log about limits', () => {
  let lines: string[]
  let log: LimitLog

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    lines = []
    const options = { format: 'text', connects: true, sessions: true, timestamps: false } as const
    const text = createLog(options, { write: (line: string) => lines.push(line.trimEnd()) } as never)
    // A fixed number, because the duration of the test doesn't matter.
    log = new LimitLog((summary: LimitSummary) => text.limited({ ...summary, seconds: 10 }))
  })

  afterEach(() => mock.timers.reset())

  const report = (
    limit: Parameters<LimitLog['report']>[0],
    address: string,
    times = 1,
    clientId?: string,
  ) => {
    for (let i = 0; i < times; i++) log.report(limit, { address, network: networkOf(address) }, clientId)
  }

  it('has one line for each address and interval, with the limits', () => {
    report('address-rate', '127.0.0.9', 200)
    report('address-open', '127.0.0.9', 14)
    report('open', '127.0.0.8')
    report('client-id-rate', '127.0.0.7', 2, 'a"\n')
    expect(lines).to.deep.equal([])
    mock.timers.tick(INTERVAL)
    expect(lines).to.deep.equal([
      '127.0.0.9: 214 connections refused in 10 s: address-rate 200, address-open 14',
      '127.0.0.8: 1 connection not served in 10 s: open 1',
      String.raw`127.0.0.7: 2 connections not served in 10 s: client-id-rate 2, clientId="a\"\n"`,
    ])
    mock.timers.tick(5 * INTERVAL)
    expect(lines).to.have.length(3)
    report('address-rate', '127.0.0.9')
    mock.timers.tick(INTERVAL)
    expect(lines.at(-1)).to.equal('127.0.0.9: 1 connection refused in 10 s: address-rate 1')
  })

  it('does not blame an address for a rate used up by others', () => {
    for (const limit of ['client-id-rate', 'user-rate'] as const) report(limit, '127.0.0.9')
    report('user-rate', '127.0.0.8')
    report('address-rate', '127.0.0.8')
    mock.timers.tick(INTERVAL)
    expect(lines).to.deep.equal([
      '127.0.0.9: 2 connections not served in 10 s: client-id-rate 1, user-rate 1',
      '127.0.0.8: 2 connections refused in 10 s: user-rate 1, address-rate 1',
    ])
  })

  it('does not blame an address for the limits that OPERATING.md names', () => {
    for (const [at, limit] of limitNames.entries()) report(limit, `127.0.0.${at + 1}`)
    mock.timers.tick(INTERVAL)
    const text = readFileSync(new URL('../OPERATING.md', import.meta.url), 'utf8')
    const [, list = ''] = /An address can exceed (.*?) through no fault of its own/s.exec(text)!
    const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(named).to.have.members(limitNames.filter((_, at) => lines[at]!.includes('not served')))
  })

  it('keeps no more of a client id than it shows', () => {
    report('client-id-rate', '127.0.0.7', 1, 'x'.repeat(65_535))
    mock.timers.tick(INTERVAL)
    const shown = `clientId="${'x'.repeat(256)}…(65535 characters)"`
    expect(lines[0]).to.equal(`127.0.0.7: 1 connection not served in 10 s: client-id-rate 1, ${shown}`)
  })

  it('counts an IPv6 /64 as one address', () => {
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) report('address-rate', address)
    mock.timers.tick(INTERVAL)
    expect(lines).to.deep.equal([
      '[2001:db8::1]: 2 connections refused in 10 s: address-rate 2',
      '[2001:db8:0:1::1]: 1 connection refused in 10 s: address-rate 1',
    ])
  })

  it('has 1,000 addresses, and one line for all others, however many there are', () => {
    for (let i = 0; i < 100_000; i++) report('address-rate', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
    report('open', '127.0.0.1')
    mock.timers.tick(INTERVAL)
    expect(lines).to.have.length(1001)
    expect(lines.at(-1)).to.equal(
      'Other addresses: 99001 connections refused in 10 s: address-rate 99000, open 1',
    )
  })

  it('is written at the end too, and only once', () => {
    report('address-rate', '127.0.0.9')
    log.flush()
    log.flush()
    mock.timers.tick(INTERVAL)
    expect(lines).to.have.length(1)
  })
})
