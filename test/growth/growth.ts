/** Small work is run more often, because a disturbance changes it most. */
const RUNS_OF_SMALL = 4
/** After so many rounds in a row whose times say that the exponent is below the limit, more would only confirm it. */
const CLEAR = 3
const MOST_ROUNDS = 20
/** In milliseconds. A single disturbance changes short work most, so it takes more rounds. Nobody waits long for a failure. */
const LEAST_TIME = 50
const MOST_TIME = 10_000

/**
 * How the time of some work grows with its size: the exponent e of time ≈ c · sizeᵉ, so about 1 for linear work and 2 for
 * quadratic. Processor time, the best of several runs, and the sizes in turns, so that a busy machine doesn't look like growth.
 *
 * @param limit what the caller expects the exponent to be below
 */
export function growthExponent(
  work: (size: number) => void,
  [small, large]: readonly [small: number, large: number],
  limit: number,
): number {
  work(small) // Let the engine see the code before it counts.
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  const exponent = () => Math.log(best.large / best.small) / Math.log(large / small)
  const start = performance.now()
  const elapsed = () => performance.now() - start
  let clear = 0
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (round >= CLEAR && elapsed() > (clear >= CLEAR ? LEAST_TIME : MOST_TIME)) break
    for (let run = 0; run < RUNS_OF_SMALL; run++)
      best.small = Math.min(
        best.small,
        cpuTime(() => work(small)),
      )
    best.large = Math.min(
      best.large,
      cpuTime(() => work(large)),
    )
    clear = exponent() < limit ? clear + 1 : 0
  }
  return exponent()
}

/** In microseconds, at least one. */
function cpuTime(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return Math.max(user + system, 1)
}
