/**
 * How the time of some work grows with its size: the exponent e of time ≈ c · sizeᵉ, so about 1 for linear work and 2 for
 * quadratic. Processor time, the best of several runs of each size, and the sizes in turns, so that a busy machine does
 * not look like growth.
 */
export function growthExponent(work: (size: number) => void, sizes: readonly number[]): number {
  work(sizes[0] as number) // Let the engine see the code before it counts.
  const best = sizes.map(() => Number.POSITIVE_INFINITY)
  // More runs of short work, which a single disturbance would change most.
  const end = performance.now() + 50
  for (let run = 0; run < 6 || performance.now() < end; run++) {
    for (const [i, size] of sizes.entries())
      best[i] = Math.min(
        best[i] as number,
        cpuTime(() => work(size)),
      )
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
