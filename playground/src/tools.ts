import { type Explanation, explain } from '../../lib/explain/index.ts'
import { announce, button, copyText, create } from './dom.ts'
import { type FormatName, formats } from './formats.ts'
import { fragmentOf, type View } from './link.ts'
import { count } from './packet-input.ts'
import { explainOptions, type ReadAs, readWithoutRules } from './read-as.ts'
import { hiddenIndices, masked } from './secrets.ts'

/** What the tools act on: the packets of a view. */
export interface Subject {
  readonly view: View
  readonly packets: readonly Uint8Array[]
  readonly as: ReadAs
}

/** Buttons that copy the packets, and the switch that shows their secrets. */
export class Tools {
  readonly #subject: () => Subject
  readonly #shows: HTMLInputElement
  readonly #includes: HTMLInputElement
  readonly #secretTools: readonly [shows: HTMLElement, includes: HTMLElement]

  constructor(root: HTMLElement, subject: () => Subject, onShow: (secrets: boolean) => void) {
    this.#subject = subject
    this.#shows = create('input', { type: 'checkbox', onchange: () => onShow(this.#shows.checked) })
    this.#includes = create('input', { type: 'checkbox' })
    this.#secretTools = [
      create('label', { className: 'check' }, this.#shows, ' Show secrets'),
      create('label', { className: 'check' }, this.#includes, ' Copy and share secrets'),
    ]
    const copies = (Object.keys(formats) as FormatName[]).map((name) =>
      button(name, () => void this.#copy(name)),
    )
    root.append(
      create('span', { className: 'group' }, create('span', { className: 'quiet' }, 'Copy as'), ...copies),
      button('Copy link', () => void this.#share()),
      ...this.#secretTools,
    )
  }

  get showsSecrets(): boolean {
    return this.#shows.checked
  }

  /** Call it after the subject has changed. Another packet's secrets are another decision. */
  update(isNew: boolean): void {
    if (isNew) {
      this.#shows.checked = false
      this.#includes.checked = false
    }
    const { packets, as } = this.#subject()
    const hides = (read: (bytes: Uint8Array) => Explanation): boolean =>
      packets.some((bytes) => hiddenIndices(read(bytes)).size > 0)
    const [shows, includes] = this.#secretTools
    shows.hidden = !hides((bytes) => explain(bytes, explainOptions(as)))
    includes.hidden = !hides((bytes) => readWithoutRules(bytes, as))
  }

  /** The subject as it may be given away, and a sentence about what is replaced in it. */
  #toGiveAway(): { packets: Uint8Array[]; note: string } {
    const { packets, as } = this.#subject()
    if (this.#includes.checked) return { packets: [...packets], note: 'Secrets are included.' }
    const all = packets.map((bytes) => masked(bytes, as))
    const replaced = all.reduce((sum, one) => sum + one.count, 0)
    const note =
      replaced === 0
        ? ''
        : all.every(({ isAlike }) => isAlike)
          ? `${count(replaced)} that may be secret are replaced.`
          : `${count(replaced)} that may be secret are replaced. Without them the error is another.`
    return { packets: all.map(({ bytes }) => bytes), note }
  }

  async #copy(name: FormatName): Promise<void> {
    const { packets, note } = this.#toGiveAway()
    await copyText(packets.map(formats[name]).join('\n'))
    announce(`Copied as ${name}. ${note}`)
  }

  async #share(): Promise<void> {
    const { view, as } = this.#subject()
    const { packets, note } = this.#toGiveAway()
    const address = new URL(location.href)
    address.hash = fragmentOf({ view, packets, as })
    await copyText(address.href)
    announce(`Copied the link. ${note}`)
  }
}
