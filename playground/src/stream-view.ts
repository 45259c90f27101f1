import type { MqttExplainElement } from '../../lib/element/mqtt-explain.ts'
import type { PacketExplanation } from '../../lib/explain/index.ts'
import { outcomeOf, outcomeWords } from '../../lib/explain/streams.ts'
import { create } from './dom.ts'
import type { Explained } from './explained.ts'
import { formats } from './formats.ts'
import { count } from './packet-input.ts'
import { explainOptions } from './read-as.ts'
import { type SecretsShown, setSecrets } from './secrets.ts'

const titles = { client: 'From the client', server: 'From the server' }
/** The maximum number of packets listed above a dump. */
const MOST_LISTED = 100

/** Shows the dumps of one or both directions, each with a list of its packets if there are several. */
export function showStreams(root: HTMLElement, all: readonly Explained[], secrets: SecretsShown): void {
  root.replaceChildren(
    ...all.map(({ stream, as, explanation }, i) => {
      const dump = document.createElement('mqtt-explain') as MqttExplainElement
      dump.id = i === 0 ? 'dump' : 'dump-server'
      if (stream.rest === undefined) dump.bytes = stream.bytes
      else dump.setAttribute('hex', [formats.hex(stream.bytes), ...stream.rest].join(' '))
      dump.setAttribute('protocol-version', as.version)
      dump.setAttribute('allow', (explainOptions(as).allow as readonly string[]).join(' '))
      setSecrets(dump, secrets)
      const { packets } = explanation
      return create(
        'section',
        { className: 'card' },
        ...(stream.from === undefined ? [] : [create('h2', {}, titles[stream.from])]),
        ...(packets.length === 1 ? [] : [listOf(packets)]),
        dump,
      )
    }),
  )
}

function listOf(packets: readonly PacketExplanation[]): HTMLElement {
  const items = packets.slice(0, MOST_LISTED).map((one) => {
    const outcome = outcomeOf(one)
    const size = one.rows.reduce((sum, { length }) => sum + length, 0)
    return create(
      'li',
      {},
      create('strong', {}, one.rows[0]?.value ?? 'nothing'),
      ` ${count(size)} from byte ${one.rows[0]?.offset ?? 0}, `,
      create('span', { className: outcome }, outcomeWords[outcome]),
      ...(one.error === undefined ? [] : [': ', create('code', {}, one.error.code)]),
    )
  })
  const more = packets.length - items.length
  if (more > 0) items.push(create('li', {}, `${more} more`))
  return create('ol', { className: 'packets' }, ...items)
}
