import { Buffer } from 'buffer'
import { isCapture } from '../../lib/explain/capture.ts'
import { bytesFromText } from '../../lib/explain/index.ts'
import { button, create } from './dom.ts'
import { asTheySay, type ReadAs, readWithoutRules, type VersionChoice } from './read-as.ts'
import { bytesOfMaskedHex, hiddenIndices, maskedHex } from './secrets.ts'

/** The text field in which a packet is pasted, typed or dropped, and the version to read it as. */
export class PacketInput {
  readonly #area: HTMLTextAreaElement
  readonly #version: HTMLSelectElement
  readonly #note: HTMLElement
  /** What is pasted, dropped or opened is another packet; what is typed changes the one that is there. */
  readonly #onChange: (isNew: boolean) => void
  #bytes: Uint8Array | undefined
  /** The bytes for which the text has `**`, in their order. */
  #hidden: readonly number[] = []
  #showsSecrets = false

  constructor(root: HTMLElement, title: string, onChange: (isNew: boolean) => void) {
    this.#onChange = onChange
    const id = root.id
    this.#area = create('textarea', {
      id: `${id}-text`,
      rows: 6,
      spellcheck: false,
      placeholder: '10 10 00 04 4d 51 54 54 04 02 00 3c 00 04 64 65 76 31',
    })
    this.#area.setAttribute('aria-describedby', `${id}-note`)
    this.#note = create('p', { id: `${id}-note`, className: 'note', role: 'status' })
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
      create(
        'div',
        { className: 'tools' },
        button('Open a file', () => file.click()),
        file,
        create('label', { className: 'inline' }, 'Read as ', this.#version),
      ),
    )
    this.#listen(root, file)
    this.#explainForms()
  }

  get bytes(): Uint8Array | undefined {
    return this.#bytes
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
    if (this.#bytes !== undefined) this.#write()
  }

  /** Shows other bytes, without telling anyone. */
  setBytes(bytes: Uint8Array | undefined, note = ''): void {
    this.#bytes = bytes === undefined || bytes.length === 0 ? undefined : bytes
    this.#area.value = ''
    if (this.#bytes === undefined) this.#explainForms()
    else this.#say(note || `${count(this.#bytes.length)}.`)
    if (this.#bytes !== undefined) this.#write()
  }

  #listen(root: HTMLElement, file: HTMLInputElement): void {
    this.#area.addEventListener('input', (event) => {
      this.#read(this.#area.value)
      const isNew = /^insertFrom/.test((event as InputEvent).inputType)
      this.#onChange(isNew)
      // What is typed stays as it is until the field is left.
      if (isNew) this.#hide()
    })
    this.#area.addEventListener('change', () => this.#hide())
    this.#version.addEventListener('change', () => {
      this.#hide()
      this.#onChange(false)
    })
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

  /** A file with a dump or an array is read as text, any other file as the bytes themselves. */
  async #readFile(file: File): Promise<void> {
    if (file.size > 0x100_0000) return this.#fail('This file is larger than 16 MB.')
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (isCapture(Buffer.from(bytes.buffer))) {
      return this.#fail('This is a capture file. Open it in Wireshark and copy the bytes of one packet.')
    }
    const text = bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127))
      ? new TextDecoder().decode(bytes)
      : undefined
    if (text === undefined) this.setBytes(bytes, `${count(bytes.length)} from ${file.name}.`)
    else {
      this.#area.value = text
      this.#read(text)
    }
    this.#onChange(true)
    this.#hide()
  }

  #read(text: string): void {
    this.#area.ariaInvalid = 'false'
    this.#bytes = undefined
    if (text.trim() === '') {
      this.#explainForms()
      return
    }
    try {
      this.#bytes = bytesOfMaskedHex(text, this.#hidden) ?? bytesFromText(text)
      this.#say(`${count(this.#bytes.length)}.`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.#fail(`No bytes found: ${error.message.replace(/^.*, but /s, '')}.`)
    }
  }

  /** Replaces the text by hex without secrets, if it has any. */
  #hide(): void {
    if (this.#bytes !== undefined && this.#hiddenIndices().size > 0) this.#write()
  }

  #write(): void {
    const bytes = this.#bytes!
    const hidden = this.#hiddenIndices()
    this.#hidden = [...hidden].sort((a, b) => a - b).map((i) => bytes[i]!)
    this.#area.value = maskedHex(bytes, hidden)
  }

  #hiddenIndices(): Set<number> {
    return hiddenIndices(readWithoutRules(this.#bytes!, this.#as, this.#showsSecrets))
  }

  #explainForms(): void {
    this.#say(
      'Hex, base64, an array of C, JavaScript or Python, or a dump of Wireshark, tcpdump, xxd or od. Or drop a file here.',
    )
  }

  #say(text: string): void {
    this.#area.ariaInvalid = 'false'
    this.#note.classList.remove('wrong')
    this.#note.textContent = text
  }

  #fail(text: string): void {
    this.#area.ariaInvalid = 'true'
    this.#note.classList.add('wrong')
    this.#note.textContent = text
  }
}

export function count(bytes: number): string {
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
}
