/**
 * Runs a function with timers that fire after a hundredth of their delay.
 *
 * @returns the requested delays in milliseconds
 */
export async function shortTimers(run: () => Promise<unknown>): Promise<number[]> {
  const { setTimeout: real } = globalThis
  const delays: number[] = []
  globalThis.setTimeout = ((act: () => void, delay: number) => {
    delays.push(delay)
    return real(act, delay / 100)
  }) as never
  try {
    await run()
  } finally {
    globalThis.setTimeout = real
  }
  return delays
}
