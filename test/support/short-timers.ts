/**
 * Runs something with timers that take a hundredth of their time.
 *
 * @returns the delays that were asked for, in milliseconds
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
