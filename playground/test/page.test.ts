import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { address, built, inBrowser, load, open, problems, requested } from './browser.ts'

const MOST_BYTES = 100_000

/** The views, each with some content. */
const connect = '100d00044d5154540402003c000161'
const invalid = '101000044d5154540402003c000461620063'
const views = {
  'explain, nothing': '',
  'explain, valid': `#explain=${connect}`,
  'explain, an error that can be allowed': '#explain=100c00044d5154540400003c0000',
  'explain, a CONNACK': '#explain=20020000',
  'explain, a refusal': '#explain=20020005',
  'explain, both sides': `#explain=${connect}.20020005`,
  'explain, an error by its code': '#error=client-id-nul',
  build:
    '#build=102b00044d51545405ee003c081100000e102100140002677705180000001e00017400036f6666000175000170&version=5',
  compare: `#compare=${connect}.${invalid}`,
} as const

/** Views that together have every colour of the page. A valid packet and a refusal are in the view of both sides. */
const inDark: readonly (keyof typeof views)[] = [
  'explain, an error that can be allowed',
  'explain, both sides',
  'build',
  'compare',
]
/** Views that together have every part of the page. */
const inLight: readonly (keyof typeof views)[] = [
  'explain, nothing',
  'explain, an error by its code',
  ...inDark,
]

describe('the page', function () {
  this.timeout(60_000)
  let page: Page

  before(inBrowser)
  before(async () => {
    page = await open('about:blank', { permissions: ['clipboard-read', 'clipboard-write'] })
  })
  after(() => page?.context().close())

  it(`loads less than ${MOST_BYTES} bytes before it is usable, from any path`, async () => {
    let bytes = 0
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await load(page)
    await page.getByRole('button', { name: 'Other servers refuse' }).click()
    await page.locator('#verdict').getByText('The client is a bridge').waitFor()
    expect(bytes).to.be.within(10_000, MOST_BYTES)
  })

  it('works as a file, without a server', async () => {
    await page.goto(`${pathToFileURL(join(built, 'index.html')).href}#explain=${connect}`)
    await page.locator('#verdict').getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    expect(problems(page)).to.deep.equal([])
  })

  it('says without JavaScript which command does the same, and shows nothing that does not work', async () => {
    const plain = await open(await address(), { javaScriptEnabled: false })
    expect(await plain.locator('main').innerText()).to.match(/npx mqtt-connect-packet explain/)
    expect(await plain.locator('button:visible, .help:visible').count()).to.equal(0)
    await plain.context().close()
  })

  it('shows bytes from left to right in a right-to-left page', async () => {
    await load(page, '#explain=20020005')
    const directions = await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
      return [...document.querySelectorAll('#packet-text, code')].map(
        (one) => getComputedStyle(one).direction,
      )
    })
    expect(new Set(directions)).to.deep.equal(new Set(['ltr']))
  })

  it('works offline after the first visit', async () => {
    await load(page)
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      if (active?.state === 'activated') return
      await new Promise((resolve) => active!.addEventListener('statechange', resolve))
    })
    await page.context().setOffline(true)
    try {
      await page.goto('about:blank')
      for (const name of ['', 'index.html']) {
        await page.goto(`${await address()}${name}#explain=20020005`)
        await page.getByText('The server does not let this client in').first().waitFor()
        await page.goto('about:blank')
      }
    } finally {
      await page.context().setOffline(false)
    }
  })

  it('prints what it says on one page, without buttons, and has its marks in forced colours', async () => {
    await load(page, '#example=string-of-c')
    await page.locator('#verdict').getByText('The client identifier contains a zero byte.').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('button:visible').count()).to.equal(0)
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type *\/Page\b(?!s)/g)).to.have.length(1)
    await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
    const outline = await page
      .locator('#dump .bytes > .mark')
      .evaluate((mark) => getComputedStyle(mark).outlineStyle)
    expect(outline).to.equal('dashed')
    await page.emulateMedia({ forcedColors: 'none' })
    expect(problems(page)).to.deep.equal([])
  })

  it('sends nothing, whatever is done in it', async () => {
    const requests: string[] = []
    const note = (request: { url(): string }) => requests.push(request.url())
    page.on('request', note)
    page.on('websocket', note)
    await load(page)
    const base = await address()
    const files = requests.filter((url) => !url.startsWith('data:'))
    const own = [base, `${base}offline.js`, `${base}playground.js`, `${base}style.css`]
    // The service worker requests the page's own files again.
    expect(files.filter((url) => !own.includes(url.replace(/\?.*/, '')))).to.deep.equal([])
    requests.length = 0

    for (const example of await page.locator('#examples button').all()) {
      await example.click()
      await page.locator('#verdict h2').waitFor()
    }
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    for (const name of ['hex', 'C array', 'JavaScript', 'Markdown', 'Copy link']) {
      await page.locator('#explain-tools').getByRole('button', { name }).click()
    }
    await page.getByText('The packet, and how to answer it').click()
    await page.getByRole('button', { name: 'Edit it in the form' }).click()
    await page.locator('[id="field-clientId"]').fill('another')
    await page.locator('[id="field-clientId"]').press('Enter')
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.locator('#packet-a-text').fill(connect)
    await page.locator('#packet-b-text').fill(invalid)
    await page.waitForFunction(() => location.hash.startsWith('#compare='))
    expect(requests).to.deep.equal([])
    expect(problems(page)).to.deep.equal([])
    page.off('request', note)
    page.off('websocket', note)
  })

  it('may not send anything: its policy refuses each way', async () => {
    await load(page)
    requested.length = 0
    const refused = await page.evaluate(async () => {
      const refused: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        refused.push(effectiveDirective),
      )
      await fetch('/fetch').catch(() => {})
      navigator.sendBeacon('/beacon', 'x')
      const request = new XMLHttpRequest()
      request.open('GET', '/xhr')
      request.onerror = () => {}
      request.send()
      try {
        new WebSocket(`ws://${location.host}/socket`)
      } catch {
        // Some browsers throw here.
      }
      new EventSource('/events')
      for (const tag of ['img', 'script', 'iframe'] as const) {
        document.body.append(Object.assign(document.createElement(tag), { src: '//127.0.0.1:9/element' }))
      }
      const form = document.createElement('form')
      form.action = '/form'
      document.body.append(form)
      form.submit()
      for (let wait = 0; wait < 5000 && refused.length < 9; wait += 50) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await new Promise((resolve) => setTimeout(resolve, 200)) // time for a surplus request to arrive
      return refused.sort()
    })
    expect(refused.filter((directive) => directive === 'connect-src')).to.have.lengthOf(5)
    expect(refused).to.include.members(['form-action', 'frame-src', 'img-src', 'script-src-elem'])
    // The browser may ask at any time whether there's a newer service worker.
    expect(requested.filter((path) => path !== '/any/path/offline.js')).to.deep.equal([])
  })

  it('has no text that is wider than a small screen, and looks as the system wants', async () => {
    await load(page)
    for (const [name, fragment] of Object.entries(views)) {
      await page.goto((await address()) + fragment)
      for (const width of [320, 380, 800, 1400]) {
        await page.setViewportSize({ width, height: 800 })
        const scroll = await page.evaluate(() => document.scrollingElement!.scrollWidth)
        expect(scroll, `${name} at ${width}`).to.equal(width)
      }
    }
    const background = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    }
    expect(await background('light')).to.equal('rgb(244, 245, 249)')
    expect(await background('dark')).to.equal('rgb(16, 18, 24)')
  })

  it('is as accessible as axe can tell, in each distinct view, light and wide, dark and narrow', async function () {
    this.timeout(180_000)
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    // Only these rules can give a different result in the other colour scheme or at another width.
    const runOnly = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']
    const checked: string[] = []
    for (const [colorScheme, width, names, options] of [
      ['light', 1400, inLight, {}],
      ['dark', 380, inDark, { runOnly }],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await load(page)
      await page.evaluate(axe)
      for (const name of names) {
        const fragment = views[name]
        // A new fragment keeps the document, so axe is loaded only once. The view without a fragment is loaded already.
        if (fragment !== '') await page.goto(new URL(fragment, page.url()).href)
        // Hovering also covers the highlight of a byte and its field.
        const cell = page.locator('mqtt-explain:visible .bytes > *').first()
        if ((await cell.count()) > 0) await cell.hover()
        const { violations, passes } = await page.evaluate(async (options) => {
          const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<Report> } }
          const report = await axe.run({ ...options, resultTypes: ['violations'] })
          return {
            violations: report.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
            passes: report.passes.map(({ id }) => id),
          }
        }, options)
        expect(violations, `${name} at ${width}, ${colorScheme}`).to.deep.equal([])
        expect(passes).to.include('color-contrast')
        checked.push(...passes)
      }
    }
    expect(new Set(checked).size).to.be.above(30)
  })

  it('switches its views with the keyboard', async () => {
    await load(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('#build').isVisible()).to.equal(true)
    await page.keyboard.press('End')
    expect(await page.locator(':focus').textContent()).to.equal('Compare')
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('#explain').isVisible()).to.equal(true)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').getAttribute('id')).to.equal('packet-text')
  })
})

interface Report {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
  readonly passes: readonly { readonly id: string }[]
}
