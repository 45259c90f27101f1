import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import { type ErrorCode, errorTable } from '../../lib/errors/error-table.ts'
import type { Diagnosis } from '../../lib/explain/index.ts'
import { decisive, type Stream } from '../../lib/explain/streams.ts'
import type { RelaxableCode } from '../../lib/packets/index.ts'
import { adviceOf } from './diagnosis-view.ts'
import { button, byId, create } from './dom.ts'
import { errorExamples } from './error-examples.ts'
import { type Example, examples } from './examples.ts'
import { diagnosisOf, type Explained, explained, worst } from './explained.ts'
import { bytesOf, type Link } from './link.ts'
import { PacketInput } from './packet-input.ts'
import type { ReadAs, VersionChoice } from './read-as.ts'
import { showStreams } from './stream-view.ts'
import { symptomBeside, symptomIn } from './symptoms.ts'
import { Tools } from './tools.ts'
import { verdictOf } from './verdict.ts'

/** The callbacks from the view to the page. */
export interface Page {
  /** The packet has changed. */
  changed(): void
  /** Opens a packet in the form. */
  edit(bytes: Uint8Array, as: ReadAs): void
}

/** Shown in addition to the packets: nothing, an example with its story, or an error that a link names. */
interface Shown {
  readonly example?: Example | undefined
  readonly error?: ErrorCode | undefined
  readonly allow?: readonly RelaxableCode[]
}

/** The view in which people paste packets, and see what is wrong and what each byte means. */
export class ExplainView {
  readonly #page: Page
  readonly #input: PacketInput
  readonly #tools: Tools
  readonly #examples: readonly HTMLButtonElement[]
  #shown: Shown = {}
  /** The last headline announced to screen readers. */
  #said = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(page: Page) {
    this.#page = page
    this.#input = new PacketInput(byId('packet'), 'Bytes, a log, or an error message', (isNew) => {
      // While typing, keep the rules that the user has relaxed, because it's still the same packet.
      if (isNew) this.#show({})
      else this.#show({ allow: this.#as.allow }, false)
      if (isNew) byId('verdict').scrollIntoView({ block: 'nearest' })
    })
    this.#tools = new Tools(
      byId('explain-tools'),
      () => this.link,
      (secrets) => {
        this.#input.showsSecrets = secrets
        this.#render()
      },
      () => this.#saidBeside(this.#explained) ?? diagnosisOf(decisive(this.#explained)!),
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
    const { example, error } = this.#shown
    return {
      view: 'explain',
      packets: this.#isPartial ? [] : this.#input.streams.map(({ bytes }) => bytes),
      as: this.#as,
      example: example?.id,
      error,
    }
  }

  get #isPartial(): boolean {
    return this.#input.streams.some(({ rest }) => rest !== undefined)
  }

  get #as(): ReadAs {
    return { version: this.#input.version, allow: this.#shown.allow ?? [] }
  }

  get #explained(): Explained[] {
    return explained(this.#input.streams, this.#as)
  }

  open({ packets, as, example: id, error }: Link): void {
    const example = examples.find((one) => one.id === id)
    if (example !== undefined) this.#openExample(example)
    else if (error !== undefined && Object.hasOwn(errorTable, error)) this.#openError(error as ErrorCode)
    else {
      const streams: Stream[] =
        packets.length === 2
          ? packets.map((bytes, i) => ({ from: i === 0 ? 'client' : 'server', bytes }))
          : packets.map((bytes) => ({ bytes }))
      this.#openStreams(streams, as.version)
      this.#show({ allow: as.allow })
    }
  }

  #openStreams(streams: readonly Stream[], version: VersionChoice): void {
    this.#input.version = version
    this.#input.setStreams(streams)
  }

  #openExample(example: Example): void {
    this.#openStreams([{ bytes: bytesOf(example.hex) }], example.version ?? '')
    this.#show({ example })
    byId('packet').scrollIntoView({ block: 'nearest' })
  }

  /** An error that docs/errors.md links to, with a packet that has it. */
  #openError(error: ErrorCode): void {
    const [hex = '', version = '3.1.1'] = errorExamples[error] ?? []
    this.#openStreams([{ bytes: bytesOf(hex) }], version as VersionChoice)
    this.#show({ error })
  }

  #show(shown: Shown, isNew = true): void {
    this.#shown = shown
    for (const [i, one] of this.#examples.entries()) one.ariaPressed = `${examples[i] === shown.example}`
    this.#tools.update(isNew, shown.example !== undefined || shown.error !== undefined)
    if (isNew) this.#input.showsSecrets = this.#tools.showsSecrets
    this.#render()
  }

  #render(): void {
    const all = this.#explained
    const isEmpty = all.length === 0
    const without = isEmpty ? this.#diagnosisWithoutBytes : undefined
    byId('result').hidden = isEmpty && without === undefined
    // Otherwise, an incomplete packet would be copied as if it were complete.
    byId('explain-tools').hidden = isEmpty || this.#isPartial
    document.documentElement.classList.toggle('has-result', !isEmpty)
    showStreams(byId('streams'), all, this.#input.secretsShown)
    const root = byId('verdict')
    const beside = this.#saidBeside(all)
    const outcome = isEmpty ? 'bad' : worst(all.flatMap(({ explanation }) => explanation.packets))
    root.className = `card verdict ${beside === undefined ? outcome : 'refused'}`
    if (!isEmpty) root.replaceChildren(...this.#storyNodes(), ...this.#verdict(all, beside))
    else if (without !== undefined) {
      if (this.#shown.error === undefined) this.#input.takeWords()
      root.replaceChildren(...this.#storyNodes(), create('h2', {}, without.headline), ...adviceOf(without))
    }
    this.#say(byId('result').hidden ? '' : (root.querySelector('h2')?.textContent ?? ''))
    this.#page.changed()
  }

  /** Announces the verdict to screen readers, so that users needn't leave the text field. Then removes it, so that it isn't read twice. */
  #say(headline: string): void {
    if (headline === this.#said) return
    this.#said = headline
    byId('headline').textContent = headline
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => byId('headline').replaceChildren(), 2000)
  }

  /** The diagnosis of an error that a link names, or of a pasted message. Neither needs bytes. */
  get #diagnosisWithoutBytes(): Diagnosis | undefined {
    const { error } = this.#shown
    return error === undefined ? symptomIn(this.#input.words)?.diagnosis : errorDiagnoses[error]
  }

  /** The meaning of a message that was pasted together with valid bytes. */
  #saidBeside(all: readonly Explained[]): Diagnosis | undefined {
    const outcome = worst(all.flatMap(({ explanation }) => explanation.packets))
    if (all.length === 0 || outcome === 'bad' || outcome === 'refused') return undefined
    return symptomBeside(this.#input.pasted)?.diagnosis
  }

  #verdict(all: readonly Explained[], beside: Diagnosis | undefined): Node[] {
    return verdictOf(all, this.#as, {
      beside,
      shows: this.#tools.showsSecrets,
      allow: (codes) => this.#show({ ...this.#shown, example: undefined, allow: codes }, false),
      explain: (bytes, version) => {
        this.#openStreams([{ bytes }], version)
        this.#show({})
      },
      edit: (bytes) => this.#page.edit(bytes, this.#as),
    })
  }

  #storyNodes(): Node[] {
    const { example, error } = this.#shown
    if (error !== undefined) {
      return [
        create(
          'p',
          { className: 'story' },
          'The error ',
          create('code', {}, error),
          this.#input.streams.length > 0
            ? ', and a packet that has it.'
            : '. No single packet has this error: it depends on the connection, or on the receiver.',
        ),
      ]
    }
    if (example === undefined) return []
    const link =
      example.source === undefined
        ? []
        : [' ', create('a', { href: example.source, rel: 'noreferrer' }, 'The report'), '.']
    return [create('p', { className: 'story' }, example.story, ...link)]
  }
}
