import { ConnectReasonCode } from 'mqtt-connect-packet'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Ending, endings } from '../connection/last-packets.ts'
import type { SessionEnding } from '../connection/session.ts'
import { limitNames } from '../limit/limits.ts'

/** The parts of an open connection that the metrics use. */
interface Counted {
  readonly listener: string
  readonly connection?: { readonly upstream: string | undefined } | undefined
}

/** The reasons for which this package's checks refuse a client. Modules and services may give others. */
const usualDenials = [
  ConnectReasonCode.badUserNameOrPassword,
  ConnectReasonCode.notAuthorized,
  ConnectReasonCode.badAuthenticationMethod,
  ConnectReasonCode.serverBusy,
  ConnectReasonCode.serverUnavailable,
]

const sessionEndings: readonly SessionEnding[] = [
  ...(Object.keys(endings) as Ending[]),
  ...(['client', 'broker', 'refused', 'stopped'] as const),
]

/** The label of a denial, such as `bad-user-name-or-password`. */
export function denialReason(code: ConnectReasonCode): string {
  return denialReasons.get(code) ?? 'unknown'
}

const denialReasons: ReadonlyMap<number, string> = new Map(
  Object.entries(ConnectReasonCode).map(([name, code]) => [
    code,
    name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`),
  ]),
)

/** The counters of one process. Labels have few values: never an address, a client id or a user. */
export class Metrics {
  readonly registry: Registry = new Registry()

  #expected: {
    listeners: readonly { listener: string }[]
    pairs: readonly { listener: string; upstream: string }[]
  } = { listeners: [], pairs: [] }
  readonly connections: Counter<'listener'> = this.#counter('connections_total', 'Accepted connections.', [
    'listener',
  ])
  readonly probes: Counter<'listener'> = this.#counter(
    'probes_total',
    'Connections that closed before they sent a byte of MQTT: port scans, health checks.',
    ['listener'],
  )
  readonly limited: Counter<'listener' | 'limit'> = this.#counter(
    'limited_total',
    'Connections refused because of a limit, an address list or a ban.',
    ['listener', 'limit'],
  )
  readonly failedHandshakes: Counter<'listener' | 'stage'> = this.#counter(
    'handshakes_failed_total',
    'Connections that failed before their CONNECT was complete.',
    ['listener', 'stage'],
  )
  readonly invalid: Counter<'listener' | 'code'> = this.#counter(
    'invalid_total',
    'Invalid CONNECT packets, by error code.',
    ['listener', 'code'],
  )
  readonly denied: Counter<'listener' | 'reason'> = this.#counter(
    'denied_total',
    'Clients refused by authentication or rewriting.',
    ['listener', 'reason'],
  )
  readonly unserved: Counter<'listener' | 'reason'> = this.#counter(
    'unserved_total',
    'Clients that never got a CONNACK from a broker.',
    ['listener', 'reason'],
  )
  readonly forwarded: Counter<'upstream'> = this.#counter(
    'forwarded_total',
    'CONNECT packets sent to the broker.',
    ['upstream'],
  )
  readonly sessionsEnded: Counter<'listener' | 'upstream' | 'ending'> = this.#counter(
    'sessions_ended_total',
    'Sessions that have ended.',
    ['listener', 'upstream', 'ending'],
  )
  readonly parted: Counter<'ending' | 'outcome'> = this.#counter(
    'sessions_parted_total',
    'Sessions that the gateway ended with `drain.notify` or `drain.discardWills`.',
    ['ending', 'outcome'],
  )
  readonly handshakeSeconds: Histogram = new Histogram({
    name: 'mqtt_gateway_handshake_seconds',
    help: "From the accepted connection to the broker's CONNACK, in seconds.",
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  })

  constructor(
    open: { readonly pending: number; all(): readonly Counted[] },
    upstreams: () => readonly { readonly name: string; readonly healthy: boolean }[],
  ) {
    this.#gauge('connections_open', 'Open connections.', ['listener'], (gauge) => {
      for (const { listener } of this.#expected.listeners) gauge.set({ listener }, 0)
      for (const { listener } of open.all()) gauge.inc({ listener })
    })
    this.#gauge('connections_pending', "Open connections whose CONNECT isn't complete.", [], (gauge) =>
      gauge.set(open.pending),
    )
    this.#gauge('sessions_open', 'Sessions with a broker.', ['listener', 'upstream'], (gauge) => {
      for (const labels of this.#expected.pairs) gauge.set(labels, 0)
      for (const { listener, connection } of open.all()) {
        const upstream = connection?.upstream
        if (upstream !== undefined) gauge.inc({ listener, upstream })
      }
    })
    new Gauge({
      name: 'mqtt_gateway_upstream_healthy',
      help: '1 if the broker answers, 0 if it is down.',
      labelNames: ['upstream'],
      registers: [this.registry],
      // One worker that considers the broker down is enough.
      aggregator: 'min',
      collect() {
        this.reset()
        for (const { name, healthy } of upstreams()) this.set({ upstream: name }, healthy ? 1 : 0)
      },
    })
  }

  /** Initialises the series of these names with 0, because Prometheus's `rate()` misses the first increment of a new series. */
  expect(listenerNames: readonly string[], upstreamNames: readonly string[]): void {
    const listeners = listenerNames.map((listener) => ({ listener }))
    const pairs = listeners.flatMap(({ listener }) =>
      upstreamNames.map((upstream) => ({ listener, upstream })),
    )
    this.#expected = { listeners, pairs }
    for (const upstream of upstreamNames) this.forwarded.inc({ upstream }, 0)
    for (const labels of pairs) {
      for (const ending of sessionEndings) this.sessionsEnded.inc({ ...labels, ending }, 0)
    }
    for (const labels of listeners) {
      this.connections.inc(labels, 0)
      this.probes.inc(labels, 0)
      for (const limit of limitNames) this.limited.inc({ ...labels, limit }, 0)
      for (const stage of ['proxy', 'tls', 'websocket', 'connect'])
        this.failedHandshakes.inc({ ...labels, stage }, 0)
      for (const code of usualDenials) this.denied.inc({ ...labels, reason: denialReason(code) }, 0)
      this.denied.inc({ ...labels, reason: 'rewriting' }, 0)
      for (const reason of ['no-broker', 'no-connack', 'connack-size'])
        this.unserved.inc({ ...labels, reason }, 0)
    }
    for (const ending of Object.keys(endings)) {
      for (const outcome of ['between-packets', 'cut']) this.parted.inc({ ending, outcome }, 0)
    }
  }

  /** Also collects the metrics of the process. Their timers and observers can't be stopped. */
  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry })
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `mqtt_gateway_${name}`, help, labelNames, registers: [this.registry] })
  }

  /** A gauge that is computed on each request, so it can't drift, and costs nothing in between. */
  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (gauge: Gauge<Label>) => void,
  ): void {
    new Gauge({
      name: `mqtt_gateway_${name}`,
      ...{ help, labelNames, registers: [this.registry] },
      collect() {
        this.reset()
        read(this as Gauge<Label>)
      },
    })
  }
}
