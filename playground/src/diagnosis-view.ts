import type { Diagnosis } from '../../lib/explain/index.ts'
import { create } from './dom.ts'

/** The cause and what to do, without the headline. */
export function adviceOf({ cause, fixes }: Diagnosis): Node[] {
  const nodes: Node[] = [create('p', {}, cause)]
  if (fixes.length === 0) return nodes
  return [...nodes, create('ul', { className: 'fixes' }, ...fixes.map((fix) => create('li', {}, fix)))]
}
