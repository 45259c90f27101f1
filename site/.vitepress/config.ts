import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { sidebarsOf, topItems } from '../navigation.ts'
import { siteOf } from '../pages.ts'

const root = join(import.meta.dirname, '..', '..')
const { pages } = siteOf((file) => readFileSync(join(root, file), 'utf8'))

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#3451b2"/>
<text x="16" y="22.5" font-family="monospace" font-weight="bold" font-size="18" text-anchor="middle" fill="#fff">10</text></svg>`

export default defineConfig({
  title: 'mqtt-connect-packet',
  description: 'The MQTT handshake: read, check, build, answer and explain.',
  srcDir: 'generated',
  // Relative addresses, so that the site works from any path.
  base: './',
  // The first byte of a CONNECT.
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    languageAlias: { haproxy: 'nginx' },
    // Elsewhere braces, colons and carets are text.
    attrs: { rule: ['heading'] },
    emoji: false,
    footnote: false,
    config(markdown) {
      const { code_inline: code } = markdown.renderer.rules
      // The long name of an option or a metric may break, so that it fits a column of a table.
      markdown.renderer.rules.code_inline = (tokens, i, ...rest) => {
        const html = code!(tokens, i, ...rest)
        return /^[\w.[\]]+$/.test(tokens[i]!.content) ? html.replaceAll(/[._](?=[a-z])/g, '$&<wbr>') : html
      }
    },
  },
  themeConfig: {
    nav: topItems,
    sidebar: sidebarsOf(pages),
    outline: 'deep',
    search: { provider: 'local' },
  },
})
