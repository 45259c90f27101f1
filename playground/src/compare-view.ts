import type { MqttExplainElement } from '../../lib/element/mqtt-explain.ts'
import type { ExplanationRow } from '../../lib/explain/index.ts'
import { type Difference, differencesOf, type Side } from './differences.ts'
import { byId, create } from './dom.ts'
import { wordsOf } from './form-inputs.ts'
import type { Link } from './link.ts'
import { PacketInput } from './packet-input.ts'
import { readWithoutRules } from './read-as.ts'
import { setSecrets } from './secrets.ts'
import { Tools } from './tools.ts'

/** Two packets side by side. */
export class CompareView {
  readonly #inputs: readonly [PacketInput, PacketInput]
  readonly #dumps = [byId<MqttExplainElement>('dump-a'), byId<MqttExplainElement>('dump-b')] as const
  readonly #tools: Tools
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
    const changed = (from: 0 | 1) => (isNew: boolean) => {
      // A link has one version for both packets.
      this.#inputs[from === 0 ? 1 : 0].version = this.#inputs[from].version
      this.#tools.update(isNew)
      this.#showSecrets(this.#tools.showsSecrets)
    }
    this.#inputs = [
      new PacketInput(byId('packet-a'), 'Packet A', changed(0)),
      new PacketInput(byId('packet-b'), 'Packet B', changed(1)),
    ]
    this.#tools = new Tools(
      byId('compare-tools'),
      () => this.link,
      (secrets) => this.#showSecrets(secrets),
    )
    byId('only-different').addEventListener('change', () => this.#render())
  }

  get link(): Link {
    const [a, b] = this.#inputs
    const none = new Uint8Array(0)
    return {
      view: 'compare',
      packets: [a.bytes ?? none, b.bytes ?? none],
      as: { version: a.version, allow: [] },
    }
  }

  open({ packets, as }: Link): void {
    for (const [i, input] of this.#inputs.entries()) {
      input.version = as.version
      input.setBytes(packets[i])
    }
    this.#tools.update(true)
    this.#showSecrets(false)
  }

  #showSecrets(secrets: boolean): void {
    for (const input of this.#inputs) input.showsSecrets = secrets
    this.#render()
  }

  #side(index: 0 | 1): Side | undefined {
    const { bytes, version } = this.#inputs[index]
    if (bytes === undefined) return undefined
    return { bytes, explanation: readWithoutRules(bytes, { version, allow: [] }, this.#tools.showsSecrets) }
  }

  #render(): void {
    const [a, b] = [this.#side(0), this.#side(1)]
    byId('differences').hidden = a === undefined || b === undefined
    if (a !== undefined && b !== undefined) {
      const all = differencesOf(a, b)
      const different = all.filter(({ isSame }) => !isSame)
      byId('differences-title').textContent =
        different.length === 0
          ? 'The packets are the same'
          : `${different.length === 1 ? 'One field differs' : `${different.length} fields differ`}`
      const shown = byId<HTMLInputElement>('only-different').checked ? different : all
      byId('differences-table').replaceChildren(...this.#table(shown))
      for (const [i, { bytes }] of [a, b].entries()) {
        const dump = this.#dumps[i]!
        dump.bytes = bytes
        dump.setAttribute('protocol-version', this.#inputs[0].version)
        setSecrets(dump, this.#inputs[i]!.secretsShown)
      }
    }
    this.#onChange()
  }

  #table(differences: readonly Difference[]): Node[] {
    const head = ['Field', 'Packet A', 'Packet B'].map((text) => create('th', { scope: 'col' }, text))
    return [
      create('thead', {}, create('tr', {}, ...head)),
      create(
        'tbody',
        {},
        ...differences.map(({ field, a, b, isSame }) =>
          create(
            'tr',
            { className: isSame ? 'same' : '' },
            create('th', { scope: 'row' }, titleOf(field, (a ?? b)!.part)),
            cell(a, b, isSame),
            cell(b, a, isSame),
          ),
        ),
      ),
    ]
  }
}

/** One packet's rows of a field, with the bits that differ in the other packet. */
function cell(
  row: ExplanationRow | undefined,
  other: ExplanationRow | undefined,
  isSame: boolean,
): HTMLElement {
  if (row === undefined) return create('td', { className: 'absent' }, 'absent')
  const hidden = !isSame && row.value === other?.value ? ' (hidden, different)' : ''
  const bits = row.bits?.filter(({ value }, i) => value !== other?.bits?.[i]?.value) ?? []
  return create(
    'td',
    {},
    create('div', {}, row.value + hidden),
    create('code', {}, row.hex),
    ...bits.map(({ name, value }) => create('div', { className: 'quiet' }, `${name}: ${value}`)),
  )
}

/** `will.props.willDelayInterval` as `will delay interval`. */
function titleOf(field: string, part: ExplanationRow['part']): string {
  const title = wordsOf(field.replace('props.', '').replace('.', ' ')).replace('will will', 'will')
  return field.endsWith('userProperty') ? `${title}, ${part}` : title
}
