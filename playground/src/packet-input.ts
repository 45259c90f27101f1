import { Buffer } from 'buffer'
import type { Problem } from '../../lib/explain/paste/paste.ts'
import {
  type Choice,
  type Found,
  readContent,
  readText,
  textOf,
  type Unread,
} from '../../lib/explain/read-input.ts'
import { outcomesIn, type Stream } from '../../lib/explain/streams.ts'
import { button, create } from './dom.ts'
import { type Explained, explained, worst } from './explained.ts'
import { asTheySay, type ReadAs, readWithoutRules, type VersionChoice } from './read-as.ts'
import { hiddenIndices, maskedHex, type SecretsShown, streamsOfMaskedHex } from './secrets.ts'

const FORMS =
  'Hex, an array, base64, a log, or a dump from Wireshark, tcpdump, xxd or od. Or drop a file here, for example a capture (pcap).'
const MOST_BYTES = 0x400_0000
/** The maximum number of connections listed for a capture. */
const MOST_CHOICES = 500

/**
 * The text field in which packets are pasted, typed or dropped, and the menu for the version. A user's own text is never changed. Bytes from a
 * file or a link are written with stars in place of possible secrets.
 */
export class PacketInput {
  readonly #area: HTMLTextAreaElement
  readonly #version: HTMLSelectElement
  readonly #note: HTMLElement
  readonly #choices: HTMLElement
  /** Called with true after pasting, dropping, opening or choosing, and with false after typing, which changes the existing packet. */
  readonly #onChange: (isNew: boolean) => void
  #streams: readonly Stream[] = []
  /** The bytes behind each `**` in the text, in order. */
  #hidden: readonly number[] = []
  /** True if the page has written the text, as opposed to the user. */
  #isOurs = false
  #showsSecrets = false

  constructor(root: HTMLElement, title: string, onChange: (isNew: boolean) => void) {
    this.#onChange = onChange
    const id = root.id
    this.#area = create('textarea', {
      id: `${id}-text`,
      rows: 4,
      spellcheck: false,
      dir: 'ltr',
      autocapitalize: 'off',
      placeholder: '10 10 00 04 4d 51 54 54 04 02 00 3c 00 04 64 65 76 31',
    })
    this.#area.setAttribute('aria-describedby', `${id}-note`)
    this.#note = create('div', { id: `${id}-note`, className: 'note', role: 'status' })
    this.#choices = create('div', { className: 'choices', hidden: true })
    this.#version = create(
      'select',
      { id: `${id}-version` },
      create('option', { value: '' }, 'as the packet says'),
      create('option', { value: '3.1' }, 'MQTT 3.1'),
      create('option', { value: '3.1.1' }, 'MQTT 3.1.1'),
      create('option', { value: '5' }, 'MQTT 5.0'),
    )
    const file = create('input', {
      type: 'file',
      id: `${id}-file`,
      className: 'visually-hidden',
      tabIndex: -1,
    })
    file.ariaHidden = 'true'
    root.classList.add('card', 'input')
    root.append(
      create('h2', {}, create('label', { htmlFor: this.#area.id }, title)),
      this.#area,
      this.#note,
      this.#choices,
      create(
        'div',
        { className: 'tools' },
        button('Open a file', () => file.click()),
        file,
        create('label', { className: 'inline' }, 'Read as ', this.#version),
      ),
    )
    this.#listen(root, file)
    this.#say(FORMS)
  }

  /** One stream, or one for each direction, the client first. Empty if there are no bytes. */
  get streams(): readonly Stream[] {
    return this.#streams
  }

  get bytes(): Uint8Array | undefined {
    return this.#streams[0]?.bytes
  }

  /** The secrets that a dump may show. Bytes that the user has pasted are visible in the text anyway. */
  get secretsShown(): SecretsShown {
    return this.#showsSecrets ? 'all' : this.#isOurs ? 'none' : 'bytes'
  }

  /** The text that a user has pasted or typed. */
  get pasted(): string {
    return this.#isOurs ? '' : this.#area.value
  }

  /** The text, if it contains no bytes. */
  get words(): string {
    return this.#streams.length === 0 && this.#choices.hidden ? this.#area.value : ''
  }

  get version(): VersionChoice {
    return this.#version.value as VersionChoice
  }

  set version(version: VersionChoice) {
    this.#version.value = version
  }

  get #as(): ReadAs {
    return { ...asTheySay, version: this.version }
  }

  set showsSecrets(showsSecrets: boolean) {
    if (showsSecrets === this.#showsSecrets) return
    this.#showsSecrets = showsSecrets
    if (this.#isOurs) this.#write()
  }

  /** Replaces the error about missing bytes, because the text contains a known message. */
  takeWords(): void {
    this.#say('There are no bytes in this text, but it contains a known message.')
  }

  focus(): void {
    this.#area.focus()
  }

  /** Shows different bytes, without calling `onChange`. */
  setStreams(streams: readonly Stream[], note = ''): void {
    this.#streams = streams.filter(({ bytes }) => bytes.length > 0)
    this.#isOurs = true
    this.#area.value = ''
    this.#choose([])
    this.#say(this.#streams.length === 0 ? FORMS : note || this.#sizes())
    if (this.#streams.length > 0) this.#write()
  }

  setBytes(bytes: Uint8Array | undefined, note = ''): void {
    this.setStreams(bytes === undefined ? [] : [{ bytes }], note)
  }

  #listen(root: HTMLElement, file: HTMLInputElement): void {
    this.#area.addEventListener('input', (event) => {
      this.#read(this.#area.value)
      this.#onChange(/^insertFrom/.test((event as InputEvent).inputType))
    })
    this.#version.addEventListener('change', () => this.#onChange(false))
    file.addEventListener('change', () => {
      const [chosen] = file.files ?? []
      if (chosen !== undefined) void this.#readFile(chosen)
      file.value = ''
    })
    root.addEventListener('dragover', (event) => {
      event.preventDefault()
      root.classList.add('over')
    })
    root.addEventListener('dragleave', () => root.classList.remove('over'))
    root.addEventListener('drop', (event) => {
      root.classList.remove('over')
      const [dropped] = event.dataTransfer?.files ?? []
      if (dropped === undefined) return
      event.preventDefault()
      void this.#readFile(dropped)
    })
  }

  /** Reads a file: a dump or an array as text, a capture as its connections, anything else as the bytes themselves. */
  async #readFile(file: File): Promise<void> {
    if (file.size > MOST_BYTES) {
      this.#streams = []
      this.#fail({ problem: 'This file is larger than 64 MB' })
      return this.#onChange(true)
    }
    const bytes = Buffer.from(await file.arrayBuffer())
    const text = textOf(bytes)
    if (text !== undefined) {
      this.#area.value = text
      this.#read(this.#area.value)
    } else {
      this.setStreams([])
      this.#show(readContent(bytes))
    }
    this.#onChange(true)
  }

  #read(text: string): void {
    this.#area.ariaInvalid = 'false'
    this.#streams = []
    this.#choose([])
    const ours = this.#isOurs ? streamsOfMaskedHex(text, this.#hidden) : undefined
    this.#isOurs = ours !== undefined
    if (text.trim() === '') this.#say(FORMS)
    else if (ours !== undefined) this.#take({ name: '', streams: ours, ignored: [] })
    else this.#show(readText(text), text)
  }

  /** Shows the bytes found in a text, or in a file if `text` is undefined. */
  #show(found: Found | Unread, text?: string): void {
    if (found.problem !== undefined) {
      this.#streams = found.known?.streams ?? []
      this.#fail(found, text ?? '')
    } else if (found.areConnections || found.choices.length > 1) {
      this.#say('This can be read in several ways. Which one is right?')
      this.#choose(found.choices, found.areConnections)
    } else {
      this.#take(found.choices[0]!)
      if (text === undefined) this.#write()
    }
  }

  #take({ streams, ignored }: Choice): void {
    this.#streams = streams
    this.#say([this.#sizes(), ...(ignored.length === 0 ? [] : [`Ignored: ${ignored.join(', ')}.`])].join(' '))
  }

  /** Offers readings or connections. Connections of a capture are written into the text field. */
  #choose(choices: readonly Choice[], areConnections = false): void {
    this.#choices.hidden = choices.length === 0
    const all = choices.slice(0, MOST_CHOICES).map((choice) => explained(choice.streams, asTheySay))
    const buttons = all.map((streams, i) => {
      const choice = choices[i]!
      const one = button(labelOf(choice, streams), () => {
        for (const other of buttons) other.ariaPressed = `${other === one}`
        if (this.#area.value === '' || this.#isOurs) {
          this.#streams = choice.streams
          this.#isOurs = true
          this.#write()
        }
        this.#take(choice)
        this.#onChange(true)
      })
      one.ariaPressed = 'false'
      return one
    })
    const more = choices.length - buttons.length
    this.#choices.replaceChildren(
      ...buttons,
      ...(more > 0 ? [create('p', { className: 'quiet' }, `${more} more connections are not listed.`)] : []),
    )
    // Only the user knows which reading is right. Of several connections, the first one that fails is the best guess.
    if (areConnections) buttons[Math.max(all.findIndex(fails), 0)]?.click()
  }

  /** Writes the bytes as hex, with stars in place of possible secrets. */
  #write(): void {
    const texts = this.#streams.map(({ from, bytes }) => {
      const hidden = hiddenIndices(readWithoutRules(bytes, this.#as, this.#showsSecrets))
      const prefix = this.#streams.length === 1 || from === undefined ? '' : from === 'client' ? '> ' : '< '
      return {
        text: prefix + maskedHex(bytes, hidden),
        hidden: [...hidden].sort((a, b) => a - b).map((i) => bytes[i]!),
      }
    })
    this.#hidden = texts.flatMap(({ hidden }) => hidden)
    this.#area.value = texts.map(({ text }) => text).join('\n')
  }

  #sizes(): string {
    return `${this.#streams
      .map(({ from, bytes }) => count(bytes.length) + (from === undefined ? '' : ` from the ${from}`))
      .join(', ')}.`
  }

  #say(text: string): void {
    this.#area.ariaInvalid = 'false'
    this.#note.classList.remove('wrong')
    this.#note.textContent = text
  }

  #fail({ problem, position }: Problem, text = ''): void {
    this.#area.ariaInvalid = 'true'
    this.#note.classList.add('wrong')
    const known = this.#streams.length === 0 ? 'No bytes found: ' : ''
    const sentence = `${known}${problem}.`
    this.#note.replaceChildren(
      `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`,
      ...(position === undefined ? [] : [marked(text, position)]),
      ...(this.#streams.length === 0 ? [] : [` Up to there: ${this.#sizes()}`]),
    )
  }
}

/** `hex, 20 bytes: CONNECT valid` */
function labelOf({ name, streams }: Choice, all: readonly Explained[]): string {
  const size = streams[0]!.from === undefined ? `, ${count(streams[0]!.bytes.length)}` : ''
  return `${name}${size}: ${outcomesIn(all)}`
}

function fails(all: readonly Explained[]): boolean {
  return ['bad', 'refused'].includes(worst(all.flatMap(({ explanation }) => explanation.packets)))
}

/** The line with the wrong character, in which that character is marked. */
function marked(text: string, position: number): HTMLElement {
  const start = Math.max(text.lastIndexOf('\n', position - 1) + 1, position - 30)
  const end = text.indexOf('\n', position)
  const rest = text.slice(position + 1, Math.min(end < 0 ? text.length : end, position + 20))
  const line = text.slice(0, position).split('\n').length
  const column = position - text.lastIndexOf('\n', position - 1)
  return create(
    'code',
    { className: 'where' },
    `line ${line}, column ${column}: ${text.slice(start, position)}`,
    create('mark', {}, text[position] === '\n' ? '↵' : (text[position] ?? ' ')),
    rest,
  )
}

export function count(bytes: number): string {
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
}
