import { type Diagnosis, type Explanation, explain } from '../../lib/explain/index.ts'
import { announce, button, copyText, create } from './dom.ts'
import { type FormatName, formats } from './formats.ts'
import { fits, fragmentOf, type Link } from './link.ts'
import { count } from './packet-input.ts'
import { explainOptions, readWithoutRules } from './read-as.ts'
import { markdownOf } from './report.ts'
import { hiddenIndices, masked } from './secrets.ts'

/** Buttons that copy the packets, and the switch that shows their secrets. */
export class Tools {
  readonly #subject: () => Link
  readonly #shows: HTMLInputElement
  readonly #includes: HTMLInputElement
  readonly #secretTools: readonly [shows: HTMLElement, includes: HTMLElement]

  readonly #diagnosis: (() => Diagnosis) | undefined

  /** @param diagnosis the beginning of the report in Markdown, in a view that offers one */
  constructor(
    root: HTMLElement,
    subject: () => Link,
    onShow: (secrets: boolean) => void,
    diagnosis?: () => Diagnosis,
  ) {
    this.#subject = subject
    this.#diagnosis = diagnosis
    this.#shows = create('input', { type: 'checkbox', onchange: () => onShow(this.#shows.checked) })
    this.#includes = create('input', { type: 'checkbox' })
    this.#secretTools = [
      create('label', { className: 'check' }, this.#shows, ' Show secrets'),
      create('label', { className: 'check' }, this.#includes, ' Copy and share secrets'),
    ]
    const copies = (Object.keys(formats) as FormatName[]).map((name) =>
      button(name, () => void this.#copy(name)),
    )
    if (diagnosis !== undefined) copies.push(button('Markdown', () => void this.#report()))
    root.append(
      create('span', { className: 'group' }, create('span', { className: 'quiet' }, 'Copy as'), ...copies),
      button('Copy link', () => void this.#share()),
      ...this.#secretTools,
    )
  }

  get showsSecrets(): boolean {
    return this.#shows.checked
  }

  /**
   * Call this after the packets have changed. A new packet hides its secrets again.
   *
   * @param isPublic true for an example, which has no secrets
   */
  update(isNew: boolean, isPublic = false): void {
    if (isNew) {
      this.#shows.checked = isPublic
      this.#includes.checked = false
    }
    const { packets, as } = this.#subject()
    const hides = (read: (bytes: Uint8Array) => Explanation): boolean =>
      packets.some((bytes) => hiddenIndices(read(bytes)).size > 0)
    const [shows, includes] = this.#secretTools
    shows.hidden = !hides((bytes) => explain(bytes, explainOptions(as)))
    includes.hidden = !hides((bytes) => readWithoutRules(bytes, as))
  }

  /** The packets as they may be shared, and a sentence about the replaced bytes. */
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
          : `${count(replaced)} that may be secret are replaced. Without them the packet fails differently.`
    return { packets: all.map(({ bytes }) => bytes), note }
  }

  async #copy(name: FormatName): Promise<void> {
    const { packets, note } = this.#toGiveAway()
    await copyText(packets.map(formats[name]).join('\n'))
    announce(`Copied as ${name}. ${note}`)
  }

  async #share(): Promise<void> {
    const { packets, note } = this.#toGiveAway()
    const address = this.#address(packets)
    if (address === undefined) {
      announce('Nothing was copied: the packets are too large for a link (16 KB at most). Copy them as hex.')
      return
    }
    await copyText(address)
    announce(`Copied the link. ${note}`)
  }

  /** A link to these packets; `undefined` if they're too large for a link. */
  #address(packets: readonly Uint8Array[]): string | undefined {
    const link = this.#subject()
    if (link.example === undefined && link.error === undefined && !fits(packets)) return undefined
    const address = new URL(location.href)
    address.hash = fragmentOf({ ...link, packets })
    return address.href
  }

  /** Copies a text for a forum: the diagnosis, the bytes, the dump and the link. */
  async #report(): Promise<void> {
    const { as } = this.#subject()
    const { packets, note } = this.#toGiveAway()
    const dumps = packets.map((bytes) => `${explain(bytes, explainOptions(as, this.#includes.checked))}`)
    // The address of a page from a file is useless to others.
    const link = location.protocol === 'file:' ? undefined : this.#address(packets)
    await copyText(markdownOf({ diagnosis: this.#diagnosis!(), packets, dumps, link }))
    announce(`Copied as Markdown. ${note}`)
  }
}
