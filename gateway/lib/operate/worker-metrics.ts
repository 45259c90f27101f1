import type { Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry, Gauge, type Registry } from 'prom-client'

/** The time in milliseconds that workers have to answer. Prometheus waits for 10 s. */
const PATIENCE = 1000

/** The primary process's request for the metrics, and a worker's answer. */
interface Question {
  readonly wanted?: 'metrics'
}
interface Answer {
  readonly metrics?: object[]
}

/** A worker as the primary process knows it. */
interface Known {
  /** The metrics in the worker's last answer. */
  metrics: object[]
  /** Settles with the next answer. A worker that doesn't answer is asked only once. */
  asked: Promise<void> | undefined
  /** The time of the last question, on the clock of `performance.now()`. */
  askedAt: number
  answered: () => void
}

/** In a worker: answers the questions of the primary process. */
export function answerWithMetrics(registry: Registry): void {
  process.on('message', async ({ wanted }: Question) => {
    if (wanted !== 'metrics') return
    const metrics = await registry.getMetricsAsJSON().catch(() => [])
    if (process.connected) process.send?.({ metrics } satisfies Answer)
  })
}

/**
 * In the primary process: aggregates the metrics of all workers. The last values of a worker that hangs still count, as do the last counters of
 * one that has ended, because Prometheus takes sums that go down for a restart, and counts everything that's left once more.
 */
export class WorkerMetrics {
  readonly #workers = new Map<Worker, Known>()
  /** The sums of the counters of all workers that have ended. */
  #ended: object[] = []

  /** Call this once the worker listens. */
  add(worker: Worker): void {
    const known: Known = { metrics: [], asked: undefined, askedAt: 0, answered: () => {} }
    this.#workers.set(worker, known)
    worker.on('message', ({ metrics }: Answer) => {
      if (metrics === undefined) return
      known.metrics = metrics
      known.asked = undefined
      known.answered()
    })
    worker.on('exit', () => {
      this.#workers.delete(worker)
      const counters = known.metrics.filter(isCounter)
      this.#ended = AggregatorRegistry.aggregate([this.#ended, counters]).getMetricsAsArray()
      known.answered()
    })
  }

  /** Asks all workers. Returns those that haven't answered an earlier question for `patience` milliseconds. */
  hanging(patience: number): Worker[] {
    for (const [worker, known] of this.#workers) ask(worker, known)
    const since = performance.now() - patience
    return [...this.#workers]
      .filter(([, { asked, askedAt }]) => asked !== undefined && askedAt <= since)
      .map(([worker]) => worker)
  }

  /** All metrics in Prometheus's text format. */
  async text(): Promise<string> {
    const all = Promise.all([...this.#workers].map(([worker, known]) => ask(worker, known)))
    await Promise.race([all, setTimeout(PATIENCE, undefined, { ref: false })])
    const workers = [...this.#workers.values()]
    const registry = AggregatorRegistry.aggregate([this.#ended, ...workers.map(({ metrics }) => metrics)])
    new Gauge({
      name: 'mqtt_gateway_workers_silent',
      help: "Workers that don't answer within a second. Their last values are counted.",
      registers: [registry],
    }).set(workers.filter(({ asked }) => asked !== undefined).length)
    return await registry.metrics()
  }
}

/** @param metric in prom-client's JSON, whose types are names, although TypeScript's are numbers */
function isCounter(metric: object): boolean {
  const { type } = metric as { readonly type?: string }
  return type === 'counter' || type === 'histogram'
}

function ask(worker: Worker, known: Known): Promise<void> {
  if (known.asked === undefined) {
    known.asked = new Promise((resolve) => {
      known.answered = resolve
    })
    known.askedAt = performance.now()
    // Sending fails if the worker is ending, and its exit follows soon.
    worker.send({ wanted: 'metrics' } satisfies Question, () => {})
  }
  return known.asked
}
