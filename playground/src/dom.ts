type Attributes<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'dataset' | 'style' | 'children'>
> & { readonly part?: never }

/** A new element with these properties and children. Text never becomes markup. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Attributes<Tag> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  Object.assign(element, properties)
  element.append(...children)
  return element
}

/** The element of the page with this id, which index.html has. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  return document.getElementById(id) as Element
}

export function button(label: string, onclick: () => void, className = ''): HTMLButtonElement {
  return create('button', { type: 'button', className, onclick }, label)
}

/** A text in which `names` in backticks are code. */
export function prose(text: string): Node[] {
  return text
    .split('`')
    .map((piece, i) => (i % 2 === 0 ? document.createTextNode(piece) : create('code', {}, piece)))
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Says in the corner of the page, and to screen readers, what has happened. */
export function announce(text: string): void {
  const status = byId('status')
  status.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    status.textContent = ''
  }, 4000)
}

/** Puts a text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // A page that is not served over HTTPS has no such clipboard.
    const area = create('textarea', { value: text, ariaLabel: 'Text to copy' })
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
