import { transform } from 'esbuild'

/** The module of the element's style sheet, which is a string in it, with the sheet minified. */
export async function withShortStyles(module) {
  const css = /= `(.*)`/s.exec(module)[1]
  const { code } = await transform(css, { loader: 'css', minify: true })
  return module.replace(css, () => code.trim())
}
