import type { MqttExplainElement } from '../../lib/element/mqtt-explain.ts'
import { type Explanation, explain } from '../../lib/explain/index.ts'
import type { RelaxableCode } from '../../lib/packets/index.ts'
import { button, byId, create } from './dom.ts'
import { type Example, examples } from './examples.ts'
import type { Link } from './link.ts'
import { PacketInput } from './packet-input.ts'
import { explainOptions, type ReadAs } from './read-as.ts'
import { Tools } from './tools.ts'
import { verdictOf } from './verdict.ts'

/** What the view asks of the page. */
export interface Page {
  /** The packet has changed. */
  changed(): void
  /** Opens a packet in the form. */
  edit(bytes: Uint8Array, as: ReadAs): void
}

/** Paste a packet, and see what each byte means. */
export class ExplainView {
  readonly #page: Page
  readonly #input: PacketInput
  readonly #tools: Tools
  readonly #dump = byId<MqttExplainElement>('dump')
  readonly #examples: readonly HTMLButtonElement[]
  #allow: readonly RelaxableCode[] = []
  #story: Example | undefined

  constructor(page: Page) {
    this.#page = page
    this.#input = new PacketInput(byId('packet'), 'Packet', (isNew) => {
      if (isNew) this.#show({ story: undefined, allow: [] })
      else this.#setAllow(this.#allow)
    })
    this.#tools = new Tools(
      byId('explain-tools'),
      () => this.link,
      (secrets) => {
        this.#input.showsSecrets = secrets
        this.#dump.toggleAttribute('secrets', secrets)
      },
    )
    byId('examples').append(
      ...examples.map((example) =>
        create(
          'li',
          {},
          button(example.title, () => this.#openExample(example)),
        ),
      ),
    )
    this.#examples = [...byId('examples').querySelectorAll('button')]
  }

  get link(): Link {
    const { bytes } = this.#input
    return { view: 'explain', packets: bytes === undefined ? [] : [bytes], as: this.#as }
  }

  get #as(): ReadAs {
    return { version: this.#input.version, allow: this.#allow }
  }

  open({ packets: [bytes], as }: Link): void {
    this.#input.version = as.version
    this.#input.setBytes(bytes)
    this.#show({ story: undefined, allow: as.allow })
  }

  #openExample(example: Example): void {
    const bytes = Uint8Array.from(example.hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
    this.#input.version = example.version ?? ''
    this.#input.setBytes(bytes)
    this.#show({ story: example, allow: [] })
    byId('verdict').scrollIntoView({ block: 'nearest' })
  }

  #show({ story, allow }: { story: Example | undefined; allow: readonly RelaxableCode[] }): void {
    this.#story = story
    for (const [i, one] of this.#examples.entries()) one.ariaPressed = `${examples[i] === story}`
    this.#allow = allow
    this.#input.showsSecrets = false
    this.#tools.update(true)
    this.#render()
  }

  #setAllow(allow: readonly RelaxableCode[]): void {
    this.#allow = allow
    this.#tools.update(false)
    this.#render()
  }

  #render(): void {
    const { bytes } = this.#input
    byId('result').hidden = bytes === undefined
    if (bytes !== undefined) {
      const as = this.#as
      this.#dump.bytes = bytes
      this.#dump.setAttribute('protocol-version', as.version)
      this.#dump.setAttribute('allow', as.allow.join(' '))
      this.#dump.toggleAttribute('secrets', this.#tools.showsSecrets)
      this.#writeVerdict(bytes, as, explain(bytes, explainOptions(as)))
    }
    this.#page.changed()
  }

  #writeVerdict(bytes: Uint8Array, as: ReadAs, explanation: Explanation): void {
    const root = byId('verdict')
    root.classList.toggle('bad', explanation.error !== undefined)
    root.replaceChildren(
      ...this.#storyNodes(),
      ...verdictOf(bytes, as, explanation, {
        allow: (codes) => this.#setAllow(codes),
        explain: (answer, version) =>
          this.open({ view: 'explain', packets: [answer], as: { version, allow: [] } }),
        edit: () => this.#page.edit(bytes, as),
      }),
    )
  }

  #storyNodes(): Node[] {
    const story = this.#story
    if (story === undefined) return []
    const link =
      story.source === undefined
        ? []
        : [' ', create('a', { href: story.source, rel: 'noreferrer' }, 'The report'), '.']
    return [create('p', { className: 'story' }, story.story, ...link)]
  }
}
