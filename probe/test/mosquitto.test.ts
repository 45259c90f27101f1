import { join } from 'node:path'
import { expect } from 'chai'
import { needs } from '../../test/examples/support.ts'
import { folder, freePort, started } from '../brokers/targets.ts'
import type { Result } from '../lib/index.ts'
import { resultsAt } from './support.ts'

/* Mosquitto with limits that the standards allow. It accepts every valid packet within them. */

/** The results of valid packets that aren't passed, with a configuration. */
async function results(settings: string): Promise<Result[]> {
  const port = await freePort()
  const path = folder({
    'mosquitto.conf': `listener ${port} 127.0.0.1\nallow_anonymous true\n${settings}\n`,
  })
  const { stop } = await started(port, 'mosquitto', ['-c', join(path, 'mosquitto.conf')])
  try {
    return await resultsAt(`mqtt://127.0.0.1:${port}`, { only: ['accept'] })
  } finally {
    stop()
  }
}

/** The cases with a verdict, by version. */
function those(all: readonly Result[], verdict: Result['verdict'], id: RegExp): string[] {
  const found = all.filter((one) => one.verdict === verdict && id.test(one.id))
  return found.map((one) => `${one.id.replace('accept.', '')} ${one.version}`).sort()
}

const inOldVersions = (...ids: readonly string[]): string[] =>
  ids.flatMap((id) => [`${id} 3.1`, `${id} 3.1.1`]).sort()

describe('the probe, about Mosquitto', function () {
  this.timeout(60_000)

  before(function () {
    needs(this, 'mosquitto')
  })

  it('finds no violation in its limit on the QoS, which only 5.0 has a code for', async () => {
    const all = await results('max_qos 0')
    expect(those(all, 'violates', /./)).to.deep.equal([])
    const wills = /^accept\.(a-will-with-qo-s-[12].*|every-field)$/
    const ids = ['a-will-with-qo-s-1', 'a-will-with-qo-s-2', 'every-field']
    const retained = ['a-will-with-qo-s-1-and-will-retain', 'a-will-with-qo-s-2-and-will-retain']
    expect(those(all, 'differs', wills)).to.deep.equal(inOldVersions(...ids, ...retained))
    expect(those(all, 'not-tested', wills)).to.deep.equal(
      [...ids, ...retained].map((id) => `${id} 5.0`).sort(),
    )
  })

  it('finds no violation in its lack of retained messages, which only 5.0 has a code for', async () => {
    const all = await results('retain_available false')
    expect(those(all, 'violates', /./)).to.deep.equal([])
    const wills = /^accept\.(a-will-with.*-and-will-retain|every-field)$/
    const ids = [0, 1, 2].map((qos) => `a-will-with-qo-s-${qos}-and-will-retain`)
    expect(those(all, 'differs', wills)).to.deep.equal(inOldVersions('every-field', ...ids))
    expect(those(all, 'not-tested', wills)).to.deep.equal(
      ['every-field', ...ids].map((id) => `${id} 5.0`).sort(),
    )
  })

  it('finds no violation if it allows no empty client ids, although it refuses them with 0x80', async () => {
    const all = await results('allow_zero_length_clientid false')
    expect(those(all, 'violates', /./)).to.deep.equal([])
    expect(those(all, 'not-tested', /empty-client-id/)).to.deep.equal([
      'an-empty-client-id-with-clean-session 3.1.1',
      'an-empty-client-id-without-clean-start 5.0',
    ])
    expect(all.find(({ id }) => id.endsWith('without-clean-start'))!.text).to.contain('0x80')
  })

  it('finds no violation in its limit on packets, which it tells 5.0 clients', async () => {
    const all = await results('max_packet_size 100')
    expect(those(all, 'violates', /./)).to.deep.equal([])
    expect(those(all, 'not-tested', /property-list-of-12/)).to.have.lengthOf(4)
  })
})
