import { setTimeout } from 'node:timers/promises'

/** Begins `count` things, evenly over the given milliseconds. */
export async function paced(count: number, milliseconds: number, begin: () => void): Promise<void> {
  const start = performance.now()
  for (let begun = 0; begun < count; ) {
    const due = Math.ceil((count * (performance.now() - start)) / milliseconds)
    for (; begun < Math.min(due, count); begun++) begin()
    await setTimeout(1)
  }
}
