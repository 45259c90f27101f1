/// <reference lib="dom" />
import type { RelaxableCode } from '../errors/error-table.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { ExplanationBits } from '../explain/bits.ts'
import { hiddenBytes, isSecret } from '../explain/hidden-bytes.ts'
import { type FoundRows, readRows } from '../explain/read-rows.ts'
import type { ExplanationRow } from '../explain/rows.ts'
import { summaryOf } from '../explain/summary.ts'
import { words } from '../explain/value-text.ts'
import { versions } from '../protocol/version.ts'
import { asBuffer } from '../wire/memory.ts'
import { clauseLink } from './clause-link.ts'
import { type ReadHex, readHex } from './read-hex.ts'
import { styles } from './styles.ts'

/** Outside browsers the module can still be loaded, so that servers can render pages that use the element. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? Object

/** The maximum number of bytes shown per field. Of longer fields, only the first and the last bytes are shown. */
const MOST_BYTES = 512
const FIRST_BYTES = 256
const LAST_BYTES = 64

/** The value of the attribute `secrets` for a page on which the bytes are visible anyway, because they were pasted there. */
const BYTES = 'bytes'

/** The style sheet shared by all elements, created with the first one. */
let sheet: CSSStyleSheet | undefined

/**
 * `<mqtt-explain hex="10 0d 00 04 …">`: the annotated dump of a packet. Pointing at a byte, or moving to it with the arrow keys,
 * shows its field, and the other way round.
 *
 * `MqttExplainAttributes` describes the attributes `hex`, `protocol-version`, `allow` and `secrets`.
 *
 * The element sends and stores nothing. Its colours follow the `color-scheme` of the page.
 *
 * @example
 * <script type="module" src="mqtt-explain.js"></script>
 * <mqtt-explain hex="10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 61"></mqtt-explain>
 */
export class MqttExplainElement extends Base {
  static readonly observedAttributes: readonly string[] = ['hex', 'protocol-version', 'allow', 'secrets']

  #bytes: Uint8Array | undefined
  #isWaiting = false
  /** The options of the two lists. */
  #cells: HTMLElement[] = []
  #items: HTMLElement[] = []
  /** The row of each option. */
  #rowOf = new Map<HTMLElement, ExplanationRow>()
  #detail: HTMLElement | undefined

  constructor() {
    super()
    if (sheet === undefined) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
    }
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
  }

  /** The bytes, in `hex` up to a wrong one. Setting them leaves `hex` as it is, and takes precedence over it. */
  get bytes(): Uint8Array | undefined {
    return this.#read?.bytes
  }

  get #read(): ReadHex | undefined {
    return this.#bytes === undefined
      ? readHex(this.getAttribute('hex') ?? '')
      : { bytes: this.#bytes, rest: [] }
  }

  set bytes(bytes: Uint8Array | undefined) {
    this.#bytes = bytes
    this.attributeChangedCallback()
  }

  /** @internal */
  connectedCallback(): void {
    // If the page set the property before the element was defined, it's an own property that hides the accessor.
    if (Object.hasOwn(this, 'bytes')) {
      const { bytes } = this
      delete (this as { bytes?: unknown }).bytes
      this.bytes = bytes
    } else this.attributeChangedCallback()
  }

  /** @internal Renders once for several attributes, because they mostly change together. */
  attributeChangedCallback(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    queueMicrotask(() => {
      this.#isWaiting = false
      this.#render()
    })
  }

  get #secrets(): string {
    return this.getAttribute('secrets') ?? 'false'
  }

  #render(): void {
    const root = this.shadowRoot!
    const read = this.#read
    try {
      if (read === undefined) throw new TypeError('hex: must have two digits for each byte')
      const name = this.getAttribute('protocol-version')
      const version = versions.find(({ label, level }) => label === name || `${level}` === name)
      if (name && !version) throw new TypeError('protocol-version: must be 3.1, 3.1.1 or 5')
      const options = {
        protocolVersion: version?.level,
        // Reads MQTT 3.1 as well, because people want to see their bytes explained even if a server would refuse them.
        allow: `protocol-mqtt-3-1 ${this.getAttribute('allow') ?? ''}`
          .split(/\s+/)
          .filter(Boolean) as RelaxableCode[],
      }
      const { bytes, rest } = read
      // Frameworks write a false value as `secrets="false"`.
      const isShown = ['', 'true', 'secrets'].includes(this.#secrets)
      root.replaceChildren(this.#panes(read, readRows(asBuffer('bytes', bytes), options, isShown, rest)))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      root.replaceChildren(create('p', 'wrong', error.message))
    }
  }

  #panes(read: ReadHex, found: FoundRows): HTMLElement {
    const { packets, rest } = found
    const { length } = read.bytes
    this.#cells = []
    this.#items = []
    this.#rowOf.clear()
    for (const { start, skipped, rows, outcome } of packets) {
      const error = outcome instanceof MqttError ? outcome : undefined
      const errorAt = error === undefined ? -1 : start + error.offset
      const { protocolVersion = 0 } = (outcome ?? {}) as { protocolVersion?: number }
      if (skipped !== undefined) this.#addRow(read, skipped, -1, 0)
      for (const row of rows) this.#addRow(read, row, errorAt, protocolVersion, error?.message)
      if (errorAt >= length) this.#addMissing(rows, errorAt)
      if (packets.length > 1) this.#items.at(-1)?.classList.add('last')
    }
    if (rest !== undefined) this.#addRow(read, rest, read.rest.length > 0 ? length : -1, 0)
    const verdict = create('dl', 'verdict')
    verdict.setAttribute('part', 'verdict')
    for (const [label, text] of summaryOf(found)) {
      const kind = label === 'valid' ? 'good' : label === 'invalid' ? 'bad' : ''
      verdict.append(create('dt', kind, label), create('dd', kind, text))
    }
    const cells = this.#cells
    for (const columns of [8, 16]) addTexts(cells, columns)
    this.#detail = create(
      'p',
      'detail',
      cells.length > 0 ? 'Point at a byte or a field, or use the arrow keys.' : '',
    )
    this.#detail.ariaHidden = 'true'
    const left = create('div', 'left', '', this.#list('bytes', 'Bytes', cells), this.#detail)
    const panes = create('div', 'panes', '', left, this.#list('fields', 'Fields', this.#items))
    return create('div', '', '', verdict, panes)
  }

  /** A row's item and the cells of its bytes. */
  #addRow(read: ReadHex, row: ExplanationRow, errorAt: number, version: number, message?: string): void {
    this.#add(this.#items, itemOf(row, version, row.fault && message), row)
    this.#addCells(read, row, errorAt)
  }

  #add(list: HTMLElement[], option: HTMLElement, row: ExplanationRow): void {
    list.push(option)
    this.#rowOf.set(option, row)
  }

  /** The cells of a row's bytes. */
  #addCells({ bytes, rest }: ReadHex, row: ExplanationRow, errorAt: number): void {
    const { offset, length } = row
    const isHidden = hiddenBytes(row)
    const hidesHex = this.#secrets !== BYTES || isSecret(row)
    for (let i = 0; i < length; i++) {
      const at = offset + i
      const isCut = length > MOST_BYTES && i === FIRST_BYTES
      const pair = rest[at - bytes.length] ?? bytes[at]!.toString(16).padStart(2, '0')
      const hex = isHidden(i) && hidesHex ? '**' : pair
      const cell = create('span', kindOf(row.field), isCut ? '…' : hex)
      cell.setAttribute('data-at', at.toString(16).padStart(4, '0'))
      cell.setAttribute('data-text', isCut ? ' ' : isHidden(i) ? '*' : asciiOf(Number.parseInt(pair, 16)))
      const until = isCut ? length - LAST_BYTES : i + 1
      const name = placeOf(at, until - i)
      cell.ariaLabel = `${isCut ? name : `${name}, ${hex === '**' ? 'hidden' : hex}`}: ${textOf(row)}${at === errorAt ? ', error' : ''}`
      cell.classList.toggle('start', i === 0)
      cell.classList.toggle('end', until === length)
      cell.classList.toggle('mark', at === errorAt)
      this.#add(this.#cells, cell, row)
      i = until - 1
    }
  }

  /** A cell for a byte that should be there. */
  #addMissing(rows: readonly ExplanationRow[], at: number): void {
    const cell = create('span', 'rest start end mark', '?')
    cell.setAttribute('data-at', at.toString(16).padStart(4, '0'))
    cell.ariaLabel = `Byte ${at} is missing, error`
    this.#add(this.#cells, cell, rows.find(({ fault }) => fault) ?? rows.at(-1)!)
  }

  /** A list with selection by arrow keys and pointer. The rows of fields also contain a link. */
  #list(name: 'bytes' | 'fields', label: string, options: readonly HTMLElement[]): HTMLElement {
    const list = create('div', name)
    // There may be more of them than a function can have arguments.
    for (const option of options) list.append(option)
    list.setAttribute('part', name)
    // ARIA doesn't allow an empty list.
    if (options.length === 0) return list
    const isGrid = name === 'fields'
    list.role = isGrid ? 'grid' : 'listbox'
    list.ariaLabel = label
    for (const [i, option] of options.entries()) {
      option.role = isGrid ? 'row' : 'option'
      option.tabIndex = i === 0 ? 0 : -1
    }
    const select = ({ target }: Event): void => {
      const option = options.find((each) => each.contains(target as Node))
      if (option !== undefined) this.#select(option)
    }
    list.addEventListener('pointerover', select)
    list.addEventListener('focusin', select)
    list.addEventListener('keydown', (event) => {
      const at = options.findIndex((each) => each.contains(event.target as Node))
      const line = isGrid ? 1 : getComputedStyle(list).gridTemplateColumns.split(' ').length
      const side = isGrid ? 0 : 1
      const steps: Record<string, number> = {
        ArrowLeft: -side,
        ArrowRight: side,
        ArrowUp: -line,
        ArrowDown: line,
        Home: -at,
        End: options.length - 1 - at,
      }
      const next = options[at + (steps[event.key] ?? Number.NaN)]
      if (next === undefined) return
      event.preventDefault()
      for (const option of options) option.tabIndex = option === next ? 0 : -1
      const link = event.key === 'ArrowRight' ? linkIn(next) : null
      ;(link ?? next).focus()
    })
    return list
  }

  /** Highlights the row of an option in both lists. The key Tab reaches this row, and then its link. */
  #select(selected: HTMLElement): void {
    const row = this.#rowOf.get(selected)!
    for (const [option, of] of this.#rowOf) {
      option.classList.toggle('on', of === row)
      option.ariaSelected = `${option === selected}`
      if (option.role === 'row')
        for (const stop of [option, linkIn(option)]) stop?.setAttribute('tabindex', of === row ? '0' : '-1')
    }
    this.#detail!.textContent = selected.ariaLabel ?? rowText(row)
  }
}

function linkIn(item: HTMLElement): HTMLElement | null {
  return item.querySelector('a')
}

/** The character of a byte: a dot if that is not printable ASCII. */
function asciiOf(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'
}

/** Adds the text of each line of cells to the line's first cell, where the style sheet shows it. */
function addTexts(cells: readonly HTMLElement[], columns: number): void {
  for (let first = 0; first < cells.length; first += columns) {
    const line = cells.slice(first, first + columns)
    const text = line.map((cell) => cell.getAttribute('data-text') ?? '').join('')
    cells[first]!.setAttribute(`data-text-${columns}`, text)
  }
}

/** The field in words: `will content type, length` */
function nameOf({ field, part }: ExplanationRow): string {
  const name = words(
    field
      .replace(/props$/, 'properties')
      .replace('props.', '')
      .replace('.', ' '),
  ).replace('will will', 'will')
  if (part === undefined || (part === 'value' && !field.endsWith('userProperty'))) return name
  return `${name}, ${part === 'id' ? 'identifier' : part}`
}

function textOf(row: ExplanationRow): string {
  return [nameOf(row), row.value, row.clause && `section ${row.clause}`].filter(Boolean).join(', ')
}

/** `Bytes 10 to 11: keep alive, 60 s, section 3.1.2.10` */
function rowText(row: ExplanationRow): string {
  return `${placeOf(row.offset, row.length)}: ${textOf(row)}`
}

function placeOf(at: number, length: number): string {
  return length > 1 ? `Bytes ${at} to ${at + length - 1}` : `Byte ${at}`
}

/** The group of fields to which a field belongs, for its colour. */
function kindOf(field: string): string {
  if (/^will/.test(field)) return 'will'
  if (/^prop[se]/.test(field)) return 'props'
  if (/^(userName|password)$/.test(field)) return 'user'
  if (/^(fixedHeader|remainingLength)$/.test(field)) return 'frame'
  if (/^(notRead|body|bytesLeftOver)$/.test(field)) return 'rest'
  return field === 'clientId' ? 'id' : 'head'
}

/** The item of a row in the list of fields. */
function itemOf(row: ExplanationRow, version: number, wrong: string | undefined): HTMLElement {
  const { offset, hex, value, clause, bits = [], part } = row
  const links = clause === '' ? [] : [clauseLink(clause, version)]
  for (const link of links) link.tabIndex = -1
  const item = create(
    'div',
    `${kindOf(row.field)} ${part === undefined || part === 'value' ? '' : 'part'} ${wrong ? 'mark' : ''}`,
    '',
    create('span', 'at', `${offset}`),
    create('span', 'name', nameOf(row)),
    create('span', 'value', value),
    create('span', 'clause', '', ...links),
    create('span', 'hex', hex),
  )
  for (const bit of bits) item.append(create('span', 'bit', bitText(bit)))
  if (wrong) item.append(create('span', 'wrong', wrong))
  for (const cell of item.children) cell.role = 'gridcell'
  return item
}

/** `4-3 will QoS: 0 (at most once)` */
function bitText({ bits, name, value }: ExplanationBits): string {
  return `${bits.padEnd(4)}${name}: ${value}`
}

function create(tag: string, className: string, text = '', ...children: HTMLElement[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  element.append(...children)
  return element
}

if (globalThis.customElements?.get('mqtt-explain') === undefined) {
  globalThis.customElements?.define('mqtt-explain', MqttExplainElement)
}

/**
 * The attributes of the element, for JSX. Frameworks that read the global namespace `JSX` know them already. For React, add
 * `'mqtt-explain': MqttExplainAttributes` to the interface `IntrinsicElements` of its own namespace.
 *
 * @example
 * const attributes = { hex: '20 02 00 05', 'protocol-version': '3.1.1' } as const
 */
export interface MqttExplainAttributes {
  /**
   * The bytes: digits with or without spaces, colons, commas and `0x`. From a wrong digit on they are shown, but not interpreted.
   * `??` stands for a byte that isn't known.
   */
  readonly hex?: string | undefined
  /** The bytes, as a property. It takes precedence over `hex`. */
  readonly bytes?: Uint8Array | undefined
  /** The version to accept. Default: as a CONNECT says. A packet that doesn't name its version is then read in each that fits. */
  readonly 'protocol-version'?: '3.1' | '3.1.1' | '5' | '5.0' | undefined
  /** The codes of the rules to relax, separated by spaces. Default none. */
  readonly allow?: string | undefined
  /** True to show the password and everything that may contain it; `bytes` to show only the latter, in hex. Default false. */
  readonly secrets?: boolean | 'bytes' | undefined
  /** The names of CSS classes. */
  readonly class?: string | undefined
  /** The names of CSS classes, as React calls them. */
  readonly className?: string | undefined
  /** The id of the element. */
  readonly id?: string | undefined
  /** The style, as the framework has it. */
  readonly style?: unknown
  /** The key by which the framework distinguishes elements of a list. */
  readonly key?: string | number | null | undefined
  /** The receiver of the element in the framework. */
  readonly ref?: unknown
}

declare global {
  interface HTMLElementTagNameMap {
    'mqtt-explain': MqttExplainElement
  }
  namespace JSX {
    interface IntrinsicElements {
      'mqtt-explain': MqttExplainAttributes
    }
  }
}
