import type { LimitsConfig as Limits } from './options.ts'

const counts = ['open', 'openPerAddress', 'pending'] as const
const rates = ['perAddress', 'total', 'perClientId', 'perUser'] as const

/*
 * Workers know nothing of each other's connections, so each has its share of every limit, rounded down. Together they never admit more than
 * the limit. They may admit fewer, because connections go to the workers in turn, whoever they come from, so one worker's share may be used up
 * while another's isn't.
 */

/** The limits of one worker. */
export function shareOf(limits: Limits, workers: number): Limits {
  const share = { ...limits }
  for (const name of counts) {
    const limit = limits[name]
    if (limit !== null) share[name] = Math.floor(limit / workers)
  }
  for (const name of rates) {
    const rate = limits[name]
    if (rate) share[name] = { perSecond: rate.perSecond / workers, burst: Math.floor(rate.burst / workers) }
  }
  return share
}

/**
 * A line for each limit that leaves nothing for a worker.
 *
 * @param listeners the listeners, because their `connections` are shared too
 */
export function unshareable(
  limits: Limits,
  listeners: readonly { readonly connections: number | null }[],
  workers: number,
): string[] {
  const all: (readonly [name: string, limit: number | null | undefined])[] = [
    ...counts.map((name) => [`limits.${name}`, limits[name]] as const),
    ...rates.map((name) => [`limits.${name}.burst`, limits[name]?.burst] as const),
    ...listeners.map(({ connections }, i) => [`listeners[${i}].connections`, connections] as const),
  ]
  return all
    .filter(([, limit]) => limit != null && limit < workers)
    .map(([name, limit]) => `${name}: ${limit} cannot be shared by ${workers} workers, which need 1 each`)
}
