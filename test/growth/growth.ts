/**
 * How the time of some work grows with its size: the exponent e of time ≈ c · sizeᵉ, so about 1 for linear work and 2 for
 * quadratic. The best of several runs at each size, so that a busy machine does not look like growth.
 */
export function growthExponent(work: (size: number) => void, sizes: readonly number[]): number {
  work(sizes[0] as number) // Let the engine see the code before it counts.
  const points = sizes.map((size) => [Math.log(size), Math.log(bestTime(() => work(size)))] as const)
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)))
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2))
}

function bestTime(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const start = process.hrtime.bigint()
    work()
    best = Math.min(best, Number(process.hrtime.bigint() - start))
  }
  return best
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
