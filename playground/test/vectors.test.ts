import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { build } from 'esbuild'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { property, v5 } from '../../lib/packets/index.ts'
import { pastes } from '../../test/explain/pastes.ts'
import { outcomes } from '../../test/package/in-browser.ts'
import { runs } from '../../test/support/arbitraries.ts'
import { faultExamples } from '../../test/support/faults.ts'
import { kinds } from '../../test/support/kinds.ts'
import { publishedInBrowser } from '../../test/support/published.ts'
import { R3, R5 } from '../../test/support/reference.ts'
import { emptyPage, inBrowser, open, problems } from './browser.ts'
import { outcomeOf, parse, type Vector } from './codec-in-browser.ts'

const here = import.meta.dirname
const entry = join(here, 'codec-in-browser.ts')

/** Bundles with esbuild. Unresolved imports are errors, because `buffer` is the only polyfill. */
async function byEsbuild(): Promise<{ code: string; packages: Set<string> }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  return { code: outputFiles[0]!.text, packages: packagesOf(Object.keys(metafile.inputs)) }
}

async function byVite(): Promise<{ code: string; packages: Set<string> }> {
  const { build } = await import('vite')
  const modules: string[] = []
  const result = await build({
    root: here,
    configFile: false,
    logLevel: 'error',
    plugins: [{ name: 'modules', moduleParsed: ({ id }) => void modules.push(id) }],
    build: {
      write: false,
      minify: true,
      lib: { entry, formats: ['iife'], name: 'codec', fileName: 'codec' },
    },
  })
  const [output] = [result].flat() as { output: { code: string }[] }[]
  return { code: output!.output[0]!.code, packages: packagesOf(modules) }
}

/** The packages that a bundle's files come from. */
function packagesOf(paths: readonly string[]): Set<string> {
  return new Set(paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
}

/** An example of each error, packets of all kinds, and packets with one byte changed. */
function vectors(): Vector[] {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  const faults = faultExamples.map(({ bytes, version }) => ({ hex: hex(bytes), version }))
  const samples = kinds.flatMap(({ fields, build, version }) =>
    fc
      .sample(
        fields.map((given) => build(given).bytes),
        { ...runs, numRuns: 30 },
      )
      .flatMap((bytes, i) => {
        const changed = Uint8Array.from(bytes)
        const at = (i * 7) % changed.length
        changed[at] = changed[at]! ^ (1 << (i % 8))
        return [bytes, changed].map((each) => ({ hex: hex(each), version }))
      }),
  )
  return [...faults, ...samples]
}

describe('the codec in a browser', function () {
  this.timeout(60_000)
  const all = vectors()
  const expected = all.map(outcomeOf)
  let page: Page

  before(inBrowser)
  before(async () => {
    page = await open(await emptyPage())
  })
  after(() => page?.context().close())

  for (const [bundler, bundle] of [
    ['esbuild', byEsbuild],
    ['vite', byVite],
  ] as const) {
    it(`bundled by ${bundler} with nothing but buffer, does with ${all.length} vectors what it does in Node`, async () => {
      const { code, packages } = await bundle()
      expect([...packages].sort()).to.deep.equal(['base64-js', 'buffer', 'ieee754'])
      await page.reload()
      await page.evaluate(code)
      const found = await page.evaluate(
        (all) => all.map((globalThis as unknown as { outcomeOf: (vector: object) => unknown }).outcomeOf),
        all,
      )
      for (const [i, outcome] of found.entries()) expect(outcome, all[i]!.hex).to.deep.equal(expected[i])
      expect(found.filter((outcome) => (outcome as unknown[]).length > 3).length).to.be.above(150)

      const stream = `${R3}${R5}${R3}1100`.replace(/\s/g, '')
      for (const size of [1, 2, 3, 7, 50, 1000]) {
        const parsed = await page.evaluate(
          ([stream, size]) => (globalThis as unknown as { parse: typeof parse }).parse(stream, size),
          [stream, size] as const,
        )
        expect(parsed).to.deep.equal(parse(stream, size))
        expect(parsed).to.have.lengthOf(5).and.to.include('fixed-header-flags')
      }
      expect(problems(page)).to.deep.equal([])
    })
  }
})

describe('the files for browsers in Chromium', () => {
  before(inBrowser)

  it('do what the library does in Node', async () => {
    const page = await open(await emptyPage())
    await page.evaluate(await publishedInBrowser())
    const texts = pastes.map(({ text }) => text)
    const found = await page.evaluate(
      (texts) => (globalThis as unknown as { outcomes: typeof outcomes }).outcomes(texts),
      texts,
    )
    for (const [i, text] of outcomes(texts).entries()) expect(found[i]).to.equal(text)
    expect(problems(page)).to.deep.equal([])
    await page.context().close()
  }).timeout(60_000)
})

describe('the element in a page of its own', function () {
  this.timeout(60_000)
  let page: Page

  before(inBrowser)
  before(async () => {
    page = await open(await emptyPage())
    // Loads the file as it's published, without a bundler.
    const file = join(here, '..', '..', 'dist', 'element', 'mqtt-explain.js')
    await page.addScriptTag({ type: 'module', content: readFileSync(file, 'utf8') })
  })
  after(() => page?.context().close())

  const text = () => page.evaluate(() => document.querySelector('mqtt-explain')!.shadowRoot!.textContent)
  async function set(html: string): Promise<string | null> {
    await page.evaluate((html) => {
      document.body.innerHTML = html
    }, html)
    return text()
  }

  it('explains the hex of its attribute, and what is set later', async () => {
    expect(await set('<mqtt-explain hex="10:0d 00044d51, 0x54 54 0402003c000161"></mqtt-explain>'))
      .to.match(/MQTT 3\.1\.1 CONNECT of 15 bytes/)
      .and.to.match(/keep alive60 s3\.1\.2\.10/)
    await page.evaluate(() => document.querySelector('mqtt-explain')!.setAttribute('hex', '20020005'))
    expect(await text()).to.match(/MQTT 3\.1\.1 CONNACK of 4 bytes/)
    await page.evaluate(() =>
      document.querySelector('mqtt-explain')!.setAttribute('protocol-version', '3.1.1'),
    )
    expect(await text()).to.match(/5 \(not authorized\)/)
    await page.evaluate(() => {
      ;(document.querySelector('mqtt-explain') as unknown as { bytes: Uint8Array }).bytes = Uint8Array.of(
        0xc0,
        0,
      )
    })
    expect(await text()).to.match(/PINGREQ of 2 bytes/)
  })

  it('hides secrets without its attribute, and relaxes rules with another', async () => {
    const hex = '101c00044d51545404c2003c00016100017500087061737377307264'.replace('101c', '101a')
    expect(await set(`<mqtt-explain hex="${hex}"></mqtt-explain>`)).not.to.contain('passw0rd')
    // React 18 and Vue write a false value of an unknown element as `secrets="false"`.
    for (const [value, isShown] of [
      ['', true],
      ['false', false],
      ['true', true],
      ['0', false],
      ['secrets', true],
    ] as const) {
      await page.evaluate((to) => document.querySelector('mqtt-explain')!.setAttribute('secrets', to), value)
      expect((await text()).includes('passw0rd'), value).to.equal(isShown)
    }
    const left = '100e00044d5154540402003c00016100'
    expect(await set(`<mqtt-explain hex="${left}"></mqtt-explain>`)).to.contain('bytes-left-over')
    expect(await set(`<mqtt-explain allow="bytes-left-over" hex="${left}"></mqtt-explain>`)).to.contain(
      'valid',
    )
  })

  it('explains mistakes in its attributes', async () => {
    expect(await set('<mqtt-explain hex="1"></mqtt-explain>')).to.match(/two digits for each byte/)
    expect(await set('<mqtt-explain hex="10" protocol-version="4.2"></mqtt-explain>')).to.match(
      /protocol-version: must be 3.1, 3.1.1 or 5/,
    )
    expect(await set('<mqtt-explain hex="10" allow="anything"></mqtt-explain>')).to.match(/allow/)
    expect(await set('<mqtt-explain></mqtt-explain>')).to.match(/invalid/)
    expect(problems(page)).to.deep.equal([])
  })

  it('explains bytes that were set before it was defined', async () => {
    const fresh = await open(await emptyPage())
    await fresh.evaluate(() => {
      const element = document.createElement('mqtt-explain') as HTMLElement & { bytes?: Uint8Array }
      element.bytes = Uint8Array.of(0x20, 2, 0, 5)
      document.body.append(element)
    })
    const file = join(here, '..', '..', 'dist', 'element', 'mqtt-explain.js')
    await fresh.addScriptTag({ type: 'module', content: readFileSync(file, 'utf8') })
    await fresh.waitForFunction(() => document.querySelector('mqtt-explain')?.shadowRoot?.textContent)
    const shown = () => fresh.evaluate(() => document.querySelector('mqtt-explain')!.shadowRoot!.textContent)
    expect(await shown()).to.match(/5 \(not authorized\)/)
    // The element's own property no longer hides the accessor.
    await fresh.evaluate(() => {
      ;(document.querySelector('mqtt-explain') as unknown as { bytes: Uint8Array }).bytes = Uint8Array.of(
        0xc0,
        0,
      )
    })
    expect(await shown()).to.match(/PINGREQ of 2 bytes/)
    await fresh.context().close()
  })

  it('looks the same in a right-to-left page with styles of its own', async () => {
    const hex = '101400044d5154540402003c000873656e736f722d31'
    await set(`<div dir="rtl" style="text-align: right; letter-spacing: 9px; text-transform: uppercase; white-space: pre; font-size: 40px">
      <mqtt-explain hex="${hex}"></mqtt-explain></div>`)
    const layout = await page.evaluate(() => {
      const root = document.querySelector('mqtt-explain')!.shadowRoot!
      const cells = [...root.querySelectorAll('.bytes > *')].map((cell) => cell.getBoundingClientRect())
      const value = getComputedStyle(root.querySelector('.value')!)
      return {
        isLeftToRight: cells[0]!.left < cells[1]!.left,
        styles: [value.textAlign, value.letterSpacing, value.textTransform, value.whiteSpace, value.fontSize],
      }
    })
    expect(layout).to.deep.equal({
      isLeftToRight: true,
      styles: ['start', 'normal', 'none', 'normal', '14px'],
    })
  })

  it('shows what may be a secret in hex only, if the page shows its bytes anyway', async () => {
    // The first packet has a wrong protocol name, the second one authentication data and a password.
    const doubtful = '101000044d5154580402003c000473316372'
    const props = [property.authenticationMethod('m'), property.authenticationData('zz')]
    const known = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 60,
      clientId: 'id',
      password: 's3cret!',
      props,
    }).bytes.toString('hex')
    const said = async (hex: string) => {
      await set(`<mqtt-explain hex="${hex}" secrets="bytes"></mqtt-explain>`)
      return page.evaluate(() => {
        const cells = [...document.querySelector('mqtt-explain')!.shadowRoot!.querySelectorAll('.bytes > *')]
        const texts = cells.map((cell) => cell.getAttribute('data-text')).join('')
        return [cells.map((cell) => cell.textContent).join(''), texts.slice(-8)]
      })
    }
    expect(await said(doubtful)).to.deep.equal([doubtful, '********'])
    expect(await said(known)).to.deep.equal([
      known.replace('7a7a', '****').replace(/73336372657421$/, '**'.repeat(7)),
      '.*******',
    ])
  })

  it('has a column of text, in which secrets are stars', async () => {
    const hex = '101e00044d51545404c2003c0003736e31000375736500087061737377307264'
    await set(`<mqtt-explain hex="${hex}"></mqtt-explain>`)
    const texts = await page.evaluate(() =>
      [...document.querySelector('mqtt-explain')!.shadowRoot!.querySelectorAll('[data-text-16]')].map(
        (cell) => cell.getAttribute('data-text-16'),
      ),
    )
    expect(texts).to.deep.equal(['....MQTT...<..sn', '1..use..********'])
  })

  it('shows a packet of 60,000 bytes without a cell for each', async () => {
    const size = await page.evaluate(() => {
      const element = document.querySelector('mqtt-explain') as unknown as HTMLElement & { bytes: Uint8Array }
      const body = [0, 4, 77, 81, 84, 84, 4, 6, 0, 60, 0, 1, 97, 0, 1, 116, 0xea, 0x60]
      const length = body.length + 60_000
      const header = [0x10, (length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14]
      element.bytes = Uint8Array.from([...header, ...body, ...new Array<number>(60_000).fill(120)])
      return new Promise<number>((resolve) =>
        setTimeout(() => resolve(element.shadowRoot!.querySelectorAll('.bytes > *').length)),
      )
    })
    expect(await text()).to.match(/CONNECT of 60022 bytes/)
    expect(size).to.be.within(300, 400)
  })
})
