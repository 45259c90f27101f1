/** Short work runs more often, because a disturbance affects it most. */
const RUNS_OF_SMALL = 4
/**
 * Ends after this many consecutive rounds with an exponent below the limit, because more would only confirm it. One that's far below
 * counts twice: quadratic work would look like that only if all runs of the small work took four times as long as they need.
 */
const CLEAR = 2
const FAR = 0.2
const MOST_ROUNDS = 20
/**
 * Milliseconds for all rounds. The minimum is for short work, which a disturbance affects most. The maximum keeps a failure
 * from taking long.
 */
const LEAST_TIME = 30
const MOST_TIME = 10_000

/**
 * Measures how the time of some work grows with its size. Returns the exponent e of time ≈ c · sizeᵉ: about 1 for linear work,
 * 2 for quadratic. Measures CPU time, alternates the sizes and takes the best of several runs, so that a busy machine doesn't
 * look like growth.
 *
 * @param limit the caller's upper bound for the exponent
 */
export function growthExponent(
  work: (size: number) => void,
  [small, large]: readonly [small: number, large: number],
  limit: number,
): number {
  work(small) // warm-up
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  const exponent = () => Math.log(best.large / best.small) / Math.log(large / small)
  const start = performance.now()
  const elapsed = () => performance.now() - start
  let clear = 0
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (clear >= CLEAR && elapsed() > LEAST_TIME) break
    if (round >= CLEAR && elapsed() > MOST_TIME) break
    for (let run = 0; run < RUNS_OF_SMALL; run++)
      best.small = Math.min(
        best.small,
        cpuTime(() => work(small)),
      )
    best.large = Math.min(
      best.large,
      cpuTime(() => work(large)),
    )
    const found = exponent()
    if (found >= limit) clear = 0
    else clear += found < limit - FAR ? CLEAR : 1
  }
  return exponent()
}

interface Cost {
  /** CPU microseconds. */
  readonly time: number
  /** The number of pages that were touched for the first time. */
  readonly pages: number
}

function costOf(work: () => void): Cost {
  const { minorPageFault } = process.resourceUsage()
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return { time: user + system, pages: process.resourceUsage().minorPageFault - minorPageFault }
}

const FRESH_BYTES = 0x200_0000
const PAGE = 4096

/**
 * The CPU microseconds that a new page costs. On a virtual machine, it may be a hundred times as much as work within the page, and large inputs need new
 * pages where small ones don't.
 */
let timeOfPage: number | undefined

function measureTimeOfPage(): number {
  const { time, pages } = costOf(() => {
    const bytes = Buffer.allocUnsafeSlow(FRESH_BYTES)
    for (let at = 0; at < bytes.length; at += PAGE) bytes[at] = 1
  })
  return time / Math.max(pages, FRESH_BYTES / PAGE)
}

/** CPU microseconds without those for new pages, at least one. */
function cpuTime(work: () => void): number {
  timeOfPage ??= measureTimeOfPage()
  const { time, pages } = costOf(work)
  return Math.max(time - pages * timeOfPage, time / 4, 1)
}
