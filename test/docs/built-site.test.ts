import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { inBrowser, listen, open, problems } from '../../playground/test/browser.ts'
import { root } from './documents.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** True after `npm run site`, which installs what the site needs. Then `npm test` tests the site too. */
const isInstalled = existsSync(join(root, 'site', 'node_modules'))

describe('the site, built', function () {
  this.timeout(180_000)
  const directory = mkdtempSync(join(tmpdir(), 'site-'))
  const notFound: string[] = []
  let origin: string

  before(async function () {
    if (!isInstalled) {
      console.log('The site is not installed (`npm run site`): its tests are skipped.')
      this.skip()
    }
    await inBrowser.call(this)
    execFileSync('npm', ['run', 'site', '--', directory], { cwd: root, stdio: 'pipe' })
    const notFoundPage = readFileSync(join(directory, '404.html'))
    origin = await listen(
      createServer((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const path = pathname.replace(/^\/x\/y\//, '/').replace(/\/$/, '/index.html')
        const file = join(directory, decodeURIComponent(path))
        if (existsSync(file)) {
          response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(readFileSync(file))
        } else {
          notFound.push(pathname)
          response.writeHead(404, { 'content-type': types['.html'] }).end(notFoundPage)
        }
      }),
    )
  })

  after(() => rmSync(directory, { recursive: true, force: true }))

  it('has only relative addresses, of files that exist, and nothing from other servers', () => {
    const pages = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.html'),
    )
    expect(pages.length).to.be.above(100)
    for (const page of pages) {
      const html = readFileSync(join(directory, page), 'utf8')
      for (const [, tag, address] of html.matchAll(/<(\w+)[^>]* (?:href|src)="([^"]*)"/g)) {
        if (/^(#|data:|https:)/.test(address!)) {
          if (tag !== 'a') expect(address, page).to.match(/^data:/)
          continue
        }
        expect(address, page).not.to.match(/^\//)
        const [file = ''] = address!.split(/[?#]/)
        const target = join(directory, dirname(page), file.replace(/(^|\/)$/, '$1index.html'))
        expect(existsSync(target), `${page}: ${address}`).to.equal(true)
      }
    }
  })

  for (const base of ['/', '/x/y/'])
    describe(`at ${base}`, () => {
      let page: Page

      const title = () => page.locator('.vp-doc h1').first()
      const path = () => new URL(page.url()).pathname

      beforeEach(async () => {
        notFound.length = 0
        page = await open(`${origin}${base}`)
      })

      afterEach(async () => {
        expect(notFound).to.deep.equal([])
        expect(problems(page)).to.deep.equal([])
        await page.context().close()
      })

      it('goes from page to page, and back', async () => {
        await page.getByRole('link', { name: 'Errors', exact: true }).first().click()
        await page.getByRole('link', { name: 'will-qos', exact: true }).first().click()
        await title().getByText('will-qos').waitFor()
        expect(path()).to.equal(`${base}errors/will-qos.html`)
        await page.goBack()
        await title().getByText('Errors').waitFor()
        await page.getByRole('link', { name: 'API', exact: true }).first().click()
        await page.locator('.vp-doc').getByRole('link', { name: 'PacketDecoder', exact: true }).click()
        await title().getByText('Node streams').waitFor()
        expect(page.url()).to.match(/\/api\/node-streams\.html#packetdecoder$/)
      })

      it('opens an error in the page that explains packets', async () => {
        await page.goto(`${origin}${base}errors/will-qos.html`)
        await page.getByRole('link', { name: 'Open this error in the page' }).click()
        await page.getByText('The will QoS is 3').first().waitFor()
        expect(page.url()).to.equal(`${origin}${base}play/index.html#error=will-qos`)
      })

      it('finds a code', async () => {
        await page.goto(`${origin}${base}gateway/configuration.html`)
        await page.keyboard.press('Control+k')
        await page.locator('input[type=search]').fill('will-retain-without-will')
        await page.locator('.results a').first().click()
        await title().getByText('will-retain-without-will').waitFor()
        expect(path()).to.equal(`${base}errors/will-retain-without-will.html`)
      })

      it('leads back from a missing page', async () => {
        await page.goto(`${origin}${base}some/folder/page.html`)
        await page.getByRole('link', { name: 'All documents' }).click()
        await title().getByText('mqtt-connect-packet').waitFor()
        expect(path()).to.equal(base)
        // The page itself, and the two folders that aren't the site's root.
        expect(notFound.splice(0)).to.have.lengthOf(3)
        expect(problems(page).filter((problem) => !problem.includes('404'))).to.deep.equal([])
      })

      it('can be switched to dark, and stays dark', async () => {
        const isDark = () => page.locator('html.dark').count()
        expect(await isDark()).to.equal(0)
        await page.locator('.VPNavBarAppearance button').click()
        expect(await isDark()).to.equal(1)
        await page.goto(`${origin}${base}streams.html`)
        expect(await isDark()).to.equal(1)
      })
    })

  for (const width of [380, 800, 1400])
    it(`is never broader than a window of ${width}`, async () => {
      const page = await open(`${origin}/x/y/`, { viewport: { width, height: 900 } })
      for (const name of [
        'index',
        'gateway/configuration',
        'brokers',
        'architecture',
        'conformance',
        'interop',
      ]) {
        await page.goto(`${origin}/x/y/${name}.html`)
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(width)
      }
      await page.context().close()
    })
})
