import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildPlayground } from '../build.ts'
import { serve } from '../serve.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const { CHROMIUM, PATH = '' } = process.env

/**
 * The shell has the same engine without a window, and takes a third less CPU. Otherwise it's `chromium` on Debian, which has
 * other names elsewhere. `CHROMIUM` overrides them.
 */
const executablePath =
  CHROMIUM ??
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => PATH.split(delimiter).map((directory) => join(directory, name)))
    .find((path) => existsSync(path))

const directory = mkdtempSync(join(tmpdir(), 'playground-'))
const servers: Server[] = []
let started: Promise<{ browser: Browser; address: string }> | undefined
let isReported = false

/** Listens on a free port, and returns the address. */
export async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves an empty page, for tests that evaluate code in it. */
export async function emptyPage(): Promise<string> {
  return listen(
    createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>-</title>'),
    ),
  )
}

export const built: string = directory

/** The paths requested from the playground's server. */
export const requested: string[] = []

async function start(): Promise<{ browser: Browser; address: string }> {
  const { chromium } = await import('playwright-core')
  const [browser] = await Promise.all([
    chromium.launch({ executablePath: executablePath!, args: flags }),
    buildPlayground(directory),
  ])
  const server = serve(directory)
  server.on('request', ({ url }) => requested.push(url!))
  return { browser, address: `${await listen(server)}/any/path/` }
}

/** Starts the browser before the tests of a suite, or skips the suite if there's no browser. */
export function inBrowser(this: Mocha.Context): Promise<unknown> | undefined {
  if (executablePath === undefined) {
    if (!isReported) console.log('Chromium is not installed: the tests in a browser are skipped.')
    isReported = true
    this.skip()
  }
  started ??= start()
  return started
}

/** Playwright's warning in a page opened with `serviceWorkers: 'block'`. */
const BLOCKED = 'Service Worker registration blocked by Playwright'

/** Opens a page in its own browser context. */
export async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { browser } = await started!
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
  // Generous, because the machine may be busy with other tests.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const problems: string[] = []
  problemsOf.set(page, problems)
  page.on('console', (message) => {
    if (message.type() !== 'log' && message.text() !== BLOCKED) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(url)
  return page
}

export async function address(): Promise<string> {
  return (await started!).address
}

let loads = 0

/** Loads the playground with this fragment in its address. Each address has a query of its own, because a fragment alone loads nothing. */
export async function load(page: Page, fragment = ''): Promise<void> {
  loads += 1
  await page.goto(`${await address()}?${loads}${fragment}`)
}

const problemsOf = new WeakMap<Page, string[]>()

/** Returns and clears the errors and warnings of a page. There should be none. */
export function problems(page: Page): readonly string[] {
  return problemsOf.get(page)!.splice(0)
}

/**
 * Several files can run one after the other in one process, but only the first one registers this hook, so the next file starts
 * the browser again.
 */
after(async () => {
  const { browser } = (await started) ?? {}
  started = undefined
  await browser?.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
