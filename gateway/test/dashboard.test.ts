import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startAdmin } from '../lib/operate/admin.ts'
import {
  connectClient,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Program,
  Running,
  refusalCode,
  upstreamOf,
} from './support.ts'

interface Target {
  readonly expr: string
  readonly legendFormat: string
}

/** Prometheus's answer to `query_range`. */
interface Answer {
  readonly status: string
  readonly data: {
    readonly result: readonly { readonly metric: object; readonly values: [number, string][] }[]
  }
}

describe('gateway: the Grafana dashboard, with data in Prometheus', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let broker: FakeBroker
  let gateway: Running
  let prometheus: Program
  let closeAdmin: () => void

  before(async function () {
    needs(this, 'prometheus')
    broker = await FakeBroker.answering()
    const file = folder.write(
      'check.cjs',
      'module.exports = ({ userName }) => ({ result: userName ?? "deny" })',
    )
    gateway = await Running.start({
      listeners: [{ name: 'front', port: 0 }],
      upstreams: [
        upstreamOf(broker, { name: 'one' }),
        { name: 'two', host: '127.0.0.1', port: await freePort() },
      ],
      limits: { perClientId: { perSecond: 0.1, burst: 1 } },
      authentication: { module: { file } },
      route: { rules: [{ clientId: '^lost', upstreams: ['two'] }], health: { interval: 0.5, failures: 1 } },
    })
    const { metrics } = gateway.gateway
    const port = await freePort()
    const admin = await startAdmin(
      { host: '127.0.0.1', port },
      { ready: () => true, metrics: () => metrics.registry.metrics() },
    )
    closeAdmin = () => {
      admin.close()
      admin.closeAllConnections()
    }
    const config = folder.write(
      'prometheus.yml',
      `global: { scrape_interval: 500ms }\nscrape_configs:\n- { job_name: gateway, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }\n`,
    )
    const own = await freePort()
    const storage = join(folder.path, 'data')
    prometheus = await Program.start(
      own,
      'prometheus',
      `--config.file=${config}`,
      `--storage.tsdb.path=${storage}`,
      `--web.listen-address=127.0.0.1:${own}`,
    )
  })

  after(async () => {
    await prometheus?.stop()
    closeAdmin?.()
    gateway?.close()
    broker?.close()
    folder.remove()
  })

  /** Clients of all kinds: served, denied, over a limit, without a broker, and one that stays as long as the load lasts. */
  async function load(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000
    // The other sessions are so short that no scrape may see one of them open.
    const staying = await connectClient(gateway.port(), { clientId: 'staying', username: 'allow' })
    for (let i = 0; performance.now() < end; i++) {
      await Promise.all([
        refusalCode(gateway.port(), { clientId: `c${i}`, username: 'allow' }),
        refusalCode(gateway.port(), { clientId: `d${i}` }),
        refusalCode(gateway.port(), { clientId: 'same', username: 'allow' }),
        refusalCode(gateway.port(), { clientId: `lost${i}`, username: 'allow' }),
      ])
    }
    await staying.endAsync(true)
  }

  async function query({ expr }: Target): Promise<Answer> {
    const now = Date.now() / 1000
    // A busy machine takes its time between the load and the last panel.
    const range = { start: `${now - 60}`, end: `${now}`, step: '1' }
    const parameters = new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '4s'), ...range })
    const response = await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/query_range?${parameters}`)
    return (await response.json()) as Answer
  }

  it('shows something in every panel, with the labels of its legend', async () => {
    await load(6)
    const text = readFileSync(new URL('../grafana-dashboard.json', import.meta.url), 'utf8')
    const { panels } = JSON.parse(text) as { panels: { title: string; targets: Target[] }[] }
    for (const { title, targets } of panels) {
      for (const target of targets) {
        const { status, data } = await query(target)
        expect(status, title).to.equal('success')
        expect(data.result, title).not.to.have.length(0)
        const values = data.result.flatMap(({ values }) => values.map(([, value]) => Number(value)))
        expect(Math.max(...values.filter(Number.isFinite)), title).to.be.above(0)
        for (const [, label] of target.legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          for (const { metric } of data.result) expect(metric, title).to.have.property(label!)
      }
    }
  })
})
