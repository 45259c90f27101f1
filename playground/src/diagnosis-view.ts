import type { Diagnosis } from '../../lib/explain/index.ts'
import { create } from './dom.ts'

/** The cause and what to do, without the headline. */
export function adviceOf({ cause, fixes }: Diagnosis): Node[] {
  const nodes: Node[] = [create('p', {}, ...withOptions(cause))]
  if (fixes.length === 0) return nodes
  return [
    ...nodes,
    create('ul', { className: 'fixes' }, ...fixes.map((fix) => create('li', {}, ...withOptions(fix)))),
  ]
}

/** Keeps the options of a command, such as `-d`, from being broken across lines. */
function withOptions(text: string): (string | HTMLElement)[] {
  return text
    .split(/(?<= )(-{1,2}\w+)/)
    .map((part, i) => (i % 2 === 0 ? part : create('span', { className: 'option' }, part)))
}
