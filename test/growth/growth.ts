/** So many rounds in a row must make no size faster before the times count. */
const SETTLED = 6
const MOST_ROUNDS = 40

/**
 * How the time of some work grows with its size: the exponent e of time ≈ c · sizeᵉ, so about 1 for linear work and 2 for
 * quadratic. Processor time, the best of several runs of each size, and the sizes in turns, so that a busy machine does
 * not look like growth.
 */
export function growthExponent(work: (size: number) => void, sizes: readonly number[]): number {
  work(sizes[0] as number) // Let the engine see the code before it counts.
  const best = sizes.map(() => Number.POSITIVE_INFINITY)
  // Short work takes more rounds, because a single disturbance would change it most.
  const end = performance.now() + 50
  let settled = 0
  for (let round = 0; round < MOST_ROUNDS && (settled < SETTLED || performance.now() < end); round++) {
    settled++
    for (const [i, size] of sizes.entries()) {
      const time = cpuTime(() => work(size))
      if (time < best[i]! * 0.95) settled = 0
      best[i] = Math.min(best[i]!, time)
    }
  }
  const points = sizes.map((size, i) => [Math.log(size), Math.log(best[i] as number)] as const)
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)))
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2))
}

/** In microseconds, at least one. */
function cpuTime(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return Math.max(user + system, 1)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
