import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { v3_1_1, v5 } from '../../lib/packets/index.ts'
import { inBrowser, load, open, problems } from './browser.ts'

/* Shared by the tests of the view that explains packets. */

export const SECRET = 's3cret!'
const will = { topic: 'status', message: 'offline' }
export const secretPacket: v5.ConnectPacket = new v5.ConnectPacket({
  cleanStart: true,
  keepAlive: 60,
  clientId: 'gateway-7',
  will,
  userName: 'device',
  password: SECRET,
})
export const openPacket: v3_1_1.ConnectPacket = new v3_1_1.ConnectPacket({
  cleanSession: true,
  keepAlive: 60,
  clientId: 'sensor-0042',
})

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
export const verdict = (page: Page): Locator => page.locator('#verdict')
export const cell = (page: Page, index: number): Locator => page.locator('#dump .bytes > *').nth(index)
export const item = (page: Page, name: string): Locator =>
  page
    .locator('#dump .fields > *')
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) })

/** Pastes from the clipboard, as a user does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text)
  await page.locator('#packet-text').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
}

/** Drops a file with these contents on the page. */
export async function drop(page: Page, content: Uint8Array, name: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([numbers, name]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(numbers)], name))
      return transfer
    },
    [[...content], name] as const,
  )
  await page.locator('#packet').dispatchEvent('drop', { dataTransfer: transfer })
}

/** Opens the page before the tests of a suite, and reloads it before each test. Any error or warning fails the test. */
export function inPage(suite: Mocha.Suite): { page: Page } {
  const opened = {} as { page: Page }
  suite.timeout(60_000)
  before(inBrowser)
  before(async () => {
    opened.page = await open('about:blank', {
      permissions: ['clipboard-read', 'clipboard-write'],
      // Every load would start the service worker, which page.test.ts tests.
      serviceWorkers: 'block',
    })
  })
  beforeEach(() => load(opened.page))
  afterEach(() => {
    expect(problems(opened.page)).to.deep.equal([])
  })
  after(() => opened.page?.context().close())
  return opened
}
