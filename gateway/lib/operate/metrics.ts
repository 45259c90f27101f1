import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What one process counts. Labels have few values: never an address, a client id or a user. */
export class Metrics {
  readonly registry: Registry = new Registry()

  readonly connections: Counter = this.#counter('connections_total', 'Accepted connections')
  readonly probes: Counter = this.#counter(
    'probes_total',
    'Connections that closed before they sent a byte of MQTT',
  )
  readonly limited: Counter<'limit'> = this.#counter('limited_total', 'Connections over a limit', ['limit'])
  readonly failedHandshakes: Counter<'stage'> = this.#counter(
    'handshakes_failed_total',
    'Before the CONNECT',
    ['stage'],
  )
  readonly invalid: Counter<'code'> = this.#counter('invalid_total', 'Invalid CONNECT packets', ['code'])
  readonly denied: Counter = this.#counter('denied_total', 'Clients that authentication has refused')
  readonly unserved: Counter<'reason'> = this.#counter('unserved_total', 'No CONNACK of a broker', ['reason'])
  readonly forwarded: Counter<'upstream'> = this.#counter('forwarded_total', 'Connections forwarded', [
    'upstream',
  ])
  readonly parted: Counter<'ending' | 'outcome'> = this.#counter(
    'sessions_parted_total',
    'Sessions that the gateway ended with `drain.notify` or `drain.discardWills`',
    ['ending', 'outcome'],
  )
  readonly handshakeSeconds: Histogram = new Histogram({
    name: 'mqtt_gateway_handshake_seconds',
    help: 'From the accepted connection to the CONNACK of the broker',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  })

  constructor(
    open: { readonly total: number; readonly pending: number },
    upstreams: () => readonly { readonly name: string; readonly healthy: boolean }[],
  ) {
    this.#gauge('connections_open', 'Open connections', (gauge) => gauge.set(open.total))
    this.#gauge('connections_pending', 'Connections whose CONNECT is not complete', (gauge) =>
      gauge.set(open.pending),
    )
    new Gauge({
      name: 'mqtt_gateway_upstream_healthy',
      help: '1 if the broker answers',
      labelNames: ['upstream'],
      registers: [this.registry],
      // Of several workers the one that knows the worst counts.
      aggregator: 'min',
      collect() {
        this.reset()
        for (const { name, healthy } of upstreams()) this.set({ upstream: name }, healthy ? 1 : 0)
      },
    })
  }

  /** Those of the process too. They have timers and observers that nothing stops. */
  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry })
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `mqtt_gateway_${name}`, help, labelNames, registers: [this.registry] })
  }

  #gauge(name: string, help: string, read: (gauge: Gauge) => void): void {
    new Gauge({
      name: `mqtt_gateway_${name}`,
      help,
      registers: [this.registry],
      collect() {
        read(this)
      },
    })
  }
}
