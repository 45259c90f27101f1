import { type ProbeOptions, probe, type Result } from '../lib/index.ts'
import type { Broker } from './broker.ts'

/** What the probe says about a broker. */
export async function resultsOf(broker: Broker, options: ProbeOptions = {}): Promise<Result[]> {
  const results: Result[] = []
  try {
    for await (const result of probe(await broker.start(), options)) results.push(result)
  } finally {
    broker.close()
  }
  return results
}
