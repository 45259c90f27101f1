type Attributes<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'dataset' | 'style' | 'children'>
> & { readonly part?: never }

/** Creates an element with these properties and children. Text never becomes markup. */
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

/** The page's element with this id, which must exist in index.html. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  return document.getElementById(id) as Element
}

export function button(label: string, onclick: () => void, className = ''): HTMLButtonElement {
  return create('button', { type: 'button', className, onclick }, label)
}

/** Turns `names` in backticks into code elements. */
export function prose(text: string): Node[] {
  return text
    .split('`')
    .map((piece, i) => (i % 2 === 0 ? document.createTextNode(piece) : create('code', {}, piece)))
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message in the corner of the page, and announces it to screen readers. */
export function announce(text: string): void {
  const status = byId('status')
  status.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    status.textContent = ''
  }, 4000)
}

/** Copies a text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Only pages served over HTTPS have the clipboard API.
    const area = create('textarea', { value: text, ariaLabel: 'Text to copy' })
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
