import { button, create } from './dom.ts'
import { kindOf, type ListName, namesFor, type PropertyEntry, type PropertyName } from './properties.ts'

/** The words of a name: `sessionExpiryInterval` as `session expiry interval`. */
export function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('qos', 'QoS')
}

/** A label with its input, and room for a mistake. `path` is the input's key in the map of mistakes. */
export function field(path: string, label: string, input: HTMLElement, hint = ''): HTMLElement {
  input.id = `field-${path}`
  const mistake = create('p', { id: `mistake-${path}`, className: 'mistake' })
  input.setAttribute('aria-describedby', mistake.id)
  const note = hint === '' ? [] : [create('span', { className: 'quiet' }, ` ${hint}`)]
  const name = create('label', { htmlFor: input.id }, label, ...note)
  return create('div', { className: 'field' }, name, input, mistake)
}

export function check(id: string, label: string): HTMLElement {
  const input = create('input', { type: 'checkbox', id: `field-${id}` })
  input.setAttribute('aria-describedby', `mistake-${id}`)
  return create(
    'div',
    { className: 'field' },
    create('label', { className: 'check' }, input, ` ${label}`),
    create('p', { id: `mistake-${id}`, className: 'mistake' }),
  )
}

/** A field that may be absent: a switch, and the input that it shows. */
export function optional(
  id: string,
  path: string,
  label: string,
  input: HTMLInputElement,
  hint = '',
): HTMLElement[] {
  input.placeholder = hint
  const box = field(path, label, input)
  box.classList.add('optional')
  return [check(id, label), box]
}

/** Radio buttons in a row. */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): HTMLElement {
  return create(
    'fieldset',
    { className: 'choice' },
    create('legend', {}, label),
    ...options.map(([value, text]) =>
      create('label', {}, create('input', { type: 'radio', name, value }), create('span', {}, text)),
    ),
  )
}

/** Shows each mistake at its input, and removes earlier mistakes. */
export function showMistakes(form: HTMLElement, mistakes: ReadonlyMap<string, string>): void {
  for (const place of form.querySelectorAll<HTMLElement>('.mistake')) {
    const path = place.id.replace('mistake-', '')
    place.textContent = mistakes.get(path) ?? ''
    form.querySelector(`[id="field-${path}"]`)?.setAttribute('aria-invalid', `${mistakes.has(path)}`)
  }
}

/** The properties of one list: rows to fill in, and a menu to add one. */
export class PropertyInputs {
  readonly root: HTMLElement
  readonly #list: ListName
  readonly #rows = create('ul', { className: 'rows' })
  readonly #onChange: () => void

  constructor(list: ListName, legend: string, onChange: () => void) {
    this.#list = list
    this.#onChange = onChange
    const menu = create('select', { id: `add-${list}` }, create('option', { value: '' }, 'Add a property'))
    menu.ariaLabel = `Add a property: ${legend.toLowerCase()}`
    for (const name of namesFor(list)) menu.append(create('option', { value: name }, wordsOf(name)))
    menu.addEventListener('change', (event) => {
      event.stopPropagation()
      if (menu.value === '') return
      const name = menu.value as PropertyName
      menu.value = ''
      this.entries = [...this.entries, { name, key: '', value: kindOf(name) === 'number' ? '1' : '' }]
      this.#onChange()
      this.#rows.lastElementChild?.querySelector('input')?.focus()
    })
    this.root = create('fieldset', {}, create('legend', {}, legend), this.#rows, menu)
  }

  get entries(): PropertyEntry[] {
    return [...this.#rows.children].map((row) => {
      const inputs = row.querySelectorAll('input')
      const value = inputs[inputs.length - 1]!.value
      const name = (row as HTMLElement).title as PropertyName
      return { name, key: inputs.length > 1 ? inputs[0]!.value : '', value }
    })
  }

  set entries(entries: readonly PropertyEntry[]) {
    this.#rows.replaceChildren(...entries.map((entry, i) => this.#row(entry, i)))
  }

  #row({ name, key, value }: PropertyEntry, index: number): HTMLElement {
    const kind = kindOf(name)
    const isSecret = name === 'authenticationData'
    const input = create('input', { type: isSecret ? 'password' : 'text', value, spellcheck: false })
    if (kind === 'number') input.inputMode = 'numeric'
    const hint = kind === 'binary' ? 'text, or hex:00ff' : kind === 'number' ? 'number' : ''
    const box = field(`${this.#list}.${index}`, wordsOf(name), input, hint)
    if (kind === 'pair') {
      const keyInput = create('input', { type: 'text', value: key, placeholder: 'key', spellcheck: false })
      keyInput.ariaLabel = 'user property key'
      input.placeholder = 'value'
      input.before(keyInput)
    }
    const remove = button('✕', () => {
      this.entries = this.entries.filter((_, i) => i !== index)
      this.#onChange()
      this.root.querySelector('select')?.focus()
    })
    remove.ariaLabel = `Remove ${wordsOf(name)}`
    return create('li', { title: name }, box, remove)
  }
}
