/*
 * Diagrams as pictures, one for light and one for dark pages. The style sheet shows the one that fits.
 */

const schemes = {
  light: { bg: '#ffffff', fg: '#3c3c43' },
  dark: { bg: '#1b1b1f', fg: '#dfdfd6' },
} as const

/** Replaces each diagram of a page by pictures, and hands them to `write`. */
export async function withDiagrams(
  markdown: string,
  page: string,
  write: (file: string, svg: string) => void,
): Promise<string> {
  const blocks = Array.from(markdown.matchAll(/^```mermaid\n(.*?)^```$/gms))
  if (blocks.length === 0) return markdown
  // Only the site installs it, so the compiler must not look for it.
  const library: string = 'beautiful-mermaid'
  const { renderMermaidSVG } = await import(library)
  return blocks.reduce((text, [block, source], i) => {
    const pictures = Object.entries(schemes).map(([scheme, colours]) => {
      const file = `${page}-${i + 1}-${scheme}.svg`
      const svg: string = renderMermaidSVG(source, { ...colours, transparent: true })
      // Nothing is loaded from other servers.
      write(file, svg.replaceAll(/^ *@import .*$/gm, ''))
      return `<img class="only-${scheme}" src="/${file}" alt="A diagram of what the text describes">`
    })
    return text.replace(block, () => `<p>${pictures.join('')}</p>`)
  }, markdown)
}
