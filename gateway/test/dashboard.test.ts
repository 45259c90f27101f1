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
  sleep,
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
  this.timeout(90_000)
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
    const start = performance.now()
    const end = start + seconds * 1000
    // The other sessions are so short that no scrape may see one of them open.
    const staying = await connectClient(gateway.port(), { clientId: `staying${start}`, username: 'allow' })
    for (let i = 0; performance.now() < end; i++) {
      await Promise.all([
        refusalCode(gateway.port(), { clientId: `c${start}-${i}`, username: 'allow' }),
        refusalCode(gateway.port(), { clientId: `d${start}-${i}` }),
        refusalCode(gateway.port(), { clientId: 'same', username: 'allow' }),
        refusalCode(gateway.port(), { clientId: `lost${start}-${i}`, username: 'allow' }),
      ])
      // A scrape takes place every half second.
      await sleep(100)
    }
    await staying.endAsync(true)
  }

  async function query({ expr }: Target): Promise<Answer> {
    const now = Date.now() / 1000
    // A busy machine takes its time between the load and the last panel.
    const range = { start: `${now - 60}`, end: `${now}`, step: '1' }
    const parameters = new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '8s'), ...range })
    const response = await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/query_range?${parameters}`)
    return (await response.json()) as Answer
  }

  /** What is wrong with the panels' data: a sentence for each. */
  async function faults(): Promise<string[]> {
    const text = readFileSync(new URL('../grafana-dashboard.json', import.meta.url), 'utf8')
    const { panels } = JSON.parse(text) as { panels: { title: string; targets: Target[] }[] }
    const found: string[] = []
    for (const { title, targets } of panels) {
      for (const target of targets) {
        const { status, data } = await query(target)
        if (status !== 'success') found.push(`${title}: ${status}`)
        const values = data.result.flatMap(({ values }) => values.map(([, value]) => Number(value)))
        if (!values.some((value) => Number.isFinite(value) && value > 0))
          found.push(`${title}: no value above 0`)
        for (const [, label] of target.legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          if (!data.result.every(({ metric }) => Object.hasOwn(metric, label!)))
            found.push(`${title}: no label ${label}`)
      }
    }
    return found
  }

  it('shows something in every panel, with the labels of its legend', async () => {
    // A rate needs two scrapes while the load lasts, and on a busy machine Prometheus leaves scrapes out.
    let left: string[] = []
    for (let tries = 0; tries < 5; tries++) {
      await load(4)
      left = await faults()
      if (left.length === 0) break
    }
    expect(left).to.deep.equal([])
  })
})
