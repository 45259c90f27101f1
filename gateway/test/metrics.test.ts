import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { connectClient, FakeBroker, Folder, Running, refusalCode, until, upstreamOf } from './support.ts'

describe('gateway: metrics', () => {
  let broker: FakeBroker
  let gateway: Running | undefined

  beforeEach(async () => {
    broker = await FakeBroker.answering((_packet, socket) => socket.resume().on('end', () => socket.end()))
  })

  afterEach(() => {
    gateway?.close()
    gateway = undefined
    broker.close()
  })

  async function start(more: object = {}): Promise<void> {
    const listeners = ['one', 'two'].map((name) => ({ port: 0, name }))
    const upstreams = [upstreamOf(broker, { name: 'back' })]
    gateway = await Running.start({ listeners, upstreams, ...more })
  }

  /** The lines of `/metrics` with this beginning. */
  async function lines(beginning: string): Promise<string[]> {
    const text = await gateway!.gateway.metrics.registry.metrics()
    return text.split('\n').filter((line) => line.startsWith(`mqtt_gateway_${beginning}`))
  }

  it('have their series from the start, with 0', async () => {
    await start()
    for (const labels of [
      ...['connections_open{listener="one"}', 'connections_total{listener="two"}', 'connections_pending'],
      ...['sessions_open{listener="one",upstream="back"}', 'forwarded_total{upstream="back"}'],
      ...['limited_total{listener="two",limit="address-rate"}', 'probes_total{listener="one"}'],
      ...['denied_total{listener="one",reason="bad-user-name-or-password"}'],
      ...['unserved_total{listener="one",reason="no-broker"}'],
      ...['handshakes_failed_total{listener="two",stage="tls"}'],
      ...['sessions_ended_total{listener="two",upstream="back",ending="client"}'],
    ])
      expect(await lines(labels), labels).to.deep.equal([`mqtt_gateway_${labels} 0`])
  })

  it('count sessions by listener, upstream and ending', async () => {
    await start()
    const first = await connectClient(gateway!.port(0))
    await connectClient(gateway!.port(1))
    expect(await lines('sessions_open')).to.deep.equal([
      'mqtt_gateway_sessions_open{listener="one",upstream="back"} 1',
      'mqtt_gateway_sessions_open{listener="two",upstream="back"} 1',
    ])
    await first.endAsync()
    await until(async () => (await lines('sessions_open{listener="one"'))[0]!.endsWith(' 0'))
    expect((await lines('sessions_ended_total')).filter((line) => !line.endsWith(' 0'))).to.deep.equal([
      'mqtt_gateway_sessions_ended_total{listener="one",upstream="back",ending="client"} 1',
    ])
    expect((await lines('connections_total')).map((line) => line.slice(-1))).to.deep.equal(['1', '1'])
  })

  it('count denials by reason', async () => {
    const folder = new Folder()
    try {
      const code =
        "export default ({ clientId }) => ({ result: clientId === 'a' ? 'allow' : 'deny', code: 0x8a })"
      const file = folder.write('deny.mjs', code)
      await start({
        authentication: { module: { file } },
        rewrite: { clientId: '{userName}-{clientId}' },
      })
      await refusalCode(gateway!.port(1), { protocolVersion: 5, clientId: 'b', username: 'u' })
      // Without a user name, the template can't be filled in.
      await refusalCode(gateway!.port(0), { protocolVersion: 5, clientId: 'a' })
      expect((await lines('denied_total')).filter((line) => !line.endsWith(' 0'))).to.have.members([
        'mqtt_gateway_denied_total{listener="two",reason="banned"} 1',
        'mqtt_gateway_denied_total{listener="one",reason="rewriting"} 1',
      ])
    } finally {
      folder.remove()
    }
  })

  it('are all in the table of OPERATING.md, with their types and labels', async () => {
    await start()
    const all = gateway!.gateway.metrics.registry.getMetricsAsArray() as unknown as readonly Described[]
    const rows = all
      .filter(({ name }) => name.startsWith('mqtt_gateway_'))
      .map((metric) => {
        const { name, help, labelNames } = metric
        const labels = labelNames.map((label) => `\`${label}\``).join(', ')
        return `| \`${name}\` | ${metric.constructor.name.toLowerCase()} | ${labels} | ${help} |`
      })
    expect(rows.length).to.be.above(10)
    const text = readFileSync(new URL('../OPERATING.md', import.meta.url), 'utf8')
    const documented = text.split('\n').filter((line) => line.startsWith('| `mqtt_gateway_'))
    const ofWorkers = documented.filter((line) => line.includes('mqtt_gateway_workers_silent'))
    expect(ofWorkers).to.have.length(1)
    expect(documented.filter((line) => !ofWorkers.includes(line))).to.have.members(rows)
  })

  it('of the Grafana dashboard exist, with the labels of its queries', async () => {
    await start()
    const all = gateway!.gateway.metrics.registry.getMetricsAsArray() as unknown as readonly Described[]
    const text = readFileSync(new URL('../grafana-dashboard.json', import.meta.url), 'utf8')
    const { panels } = JSON.parse(text) as { panels: { targets: { expr: string; legendFormat: string }[] }[] }
    const targets = panels.flatMap((panel) => panel.targets)
    expect(targets).to.have.length(8)
    for (const { expr, legendFormat } of targets) {
      const [name] = /mqtt_gateway_\w+/.exec(expr)!
      const metric = all.find((known) => known.name === name.replace(/_bucket$/, ''))
      expect(metric, name).not.to.equal(undefined)
      const grouped = /by \(([\w, ]+)\)/.exec(expr)![1]!.split(', ')
      expect(['le', ...metric!.labelNames], expr).to.include.members(grouped)
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(grouped).to.include(label)
    }
  })
})

/** prom-client's description of a metric. */
interface Described {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}
