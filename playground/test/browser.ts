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

/** Debian calls it chromium, others have other names. `CHROMIUM` may name it too. */
const executablePath =
  CHROMIUM ??
  PATH.split(delimiter)
    .flatMap((directory) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(directory, name)),
    )
    .find((path) => existsSync(path))

const directory = mkdtempSync(join(tmpdir(), 'playground-'))
const servers: Server[] = []
let started: Promise<{ browser: Browser; address: string }> | undefined
let isReported = false

/** Listens on a free port of this machine. */
export async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that has nothing but one empty page, for code that is evaluated in it. */
export async function emptyPage(): Promise<string> {
  return listen(
    createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>-</title>'),
    ),
  )
}

/** The directory with the built page. */
export const built: string = directory

/** The paths that the server of the playground was asked for. */
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

/** Starts the browser before the tests of a suite, or skips them all where there is none. */
export function inBrowser(this: Mocha.Context): Promise<unknown> | undefined {
  if (executablePath === undefined) {
    if (!isReported) console.log('Chromium is not installed: the tests in a browser are skipped.')
    isReported = true
    this.skip()
  }
  started ??= start()
  return started
}

/** Opens a page in a context of its own. */
export async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { browser } = await started!
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
  // A machine that is busy with other tests is slow.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const problems: string[] = []
  problemsOf.set(page, problems)
  page.on('console', (message) => {
    if (message.type() !== 'log') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(url)
  return page
}

/** The address of the playground. */
export async function address(): Promise<string> {
  return (await started!).address
}

/** Loads the playground anew, with this fragment in its address. */
export async function load(page: Page, fragment = ''): Promise<void> {
  await page.goto('about:blank')
  await page.goto((await address()) + fragment)
}

const problemsOf = new WeakMap<Page, string[]>()

/** The errors and warnings of a page since the last call, of which there should be none. */
export function problems(page: Page): readonly string[] {
  return problemsOf.get(page)!.splice(0)
}

/** Files can run in one process one after the other, and only the first one gets this hook: the next one starts a browser again. */
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
