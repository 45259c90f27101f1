import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { v3_1_1, v5 } from '../../lib/packets/index.ts'
import { inBrowser, load, open, problems } from './browser.ts'

const SECRET = 's3cret!'
const will = { topic: 'status', message: 'offline' }
const secretPacket = new v5.ConnectPacket({
  cleanStart: true,
  keepAlive: 60,
  clientId: 'gateway-7',
  will,
  userName: 'device',
  password: SECRET,
})
const openPacket = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' })
/** A 3.1.1 CONNECT whose client id has a zero byte at byte 16. */
const nul = Buffer.from('101000044d5154540402003c000461620063', 'hex')

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const verdict = (page: Page): Locator => page.locator('#verdict')
const cell = (page: Page, index: number): Locator => page.locator('#dump .bytes > *').nth(index)
const item = (page: Page, name: string): Locator =>
  page
    .locator('#dump .fields > *')
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) })

/** Pastes as a user does, from the clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text)
  await page.locator('#packet-text').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
}

/** Drops a file with this content. */
async function drop(page: Page, content: Uint8Array, name: string): Promise<void> {
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

describe('the page explains', function () {
  this.timeout(60_000)
  let page: Page

  before(inBrowser)
  before(async () => {
    page = await open('about:blank', { permissions: ['clipboard-read', 'clipboard-write'] })
  })
  beforeEach(() => load(page))
  afterEach(() => {
    expect(problems(page)).to.deep.equal([])
  })
  after(() => page?.context().close())

  it('what is pasted in any form', async () => {
    const bytes = openPacket.bytes
    const list = [...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')
    const dump = `0000   ${hexOf(bytes.subarray(0, 16)).replace(/..(?!$)/g, '$& ')}\n0010   ${hexOf(bytes.subarray(16)).replace(/..(?!$)/g, '$& ')}\n`
    for (const text of [
      hexOf(bytes),
      `{ ${list} }`,
      bytes.toString('base64'),
      `[${bytes.join(', ')}]`,
      dump,
    ]) {
      await paste(page, text)
      await verdict(page).getByText(`Valid: MQTT 3.1.1 CONNECT of ${bytes.length} bytes`).waitFor()
      expect(await cell(page, 24).textContent()).to.equal(hexOf(bytes).slice(48, 50))
    }
    await paste(page, 'GET / HTTP/1.1')
    expect(await page.locator('#packet-note').textContent()).to.match(/HTTP/)
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('a dropped file of bytes or text, and says what to do with a capture', async () => {
    await drop(page, openPacket.bytes, 'packet.bin')
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNECT').waitFor()
    await drop(page, Buffer.from(hexOf(secretPacket.bytes)), 'packet.txt')
    await verdict(page).getByText('Valid: MQTT 5.0 CONNECT').waitFor()
    await drop(page, Buffer.from('d4c3b2a1020004000000', 'hex'), 'a.pcap')
    await page.locator('#packet-note', { hasText: 'capture file' }).waitFor()
  })

  it('the packet in a frame that was copied whole', async () => {
    const ip = `45000000000000004006000000000000000000${'00'}`
    const tcp = '0000000000000000000000005018000000000000'
    const frame = Buffer.from(`${'00'.repeat(12)}0800${ip}${tcp}${hexOf(openPacket.bytes)}`, 'hex')
    frame.writeUInt16BE(frame.length - 14, 16)
    await paste(page, frame.toString('hex'))
    await page.getByRole('button', { name: 'Explain that' }).click()
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNECT').waitFor()
  })

  it('the field of the byte that is pointed at, and the bytes of a field', async () => {
    await paste(page, hexOf(openPacket.bytes))
    await cell(page, 10).hover()
    const lit = page.locator('#dump .bytes > .on')
    expect(await lit.allTextContents()).to.deep.equal(['00', '3c'])
    expect(await page.locator('#dump .fields > .on .name').textContent()).to.equal('keep alive')
    expect(await page.locator('#dump .detail').textContent()).to.match(/^Byte 10, 00: keep alive, 60 s/)
    await item(page, 'protocol name').hover()
    expect((await lit.allTextContents()).join('')).to.equal('4d515454')
  })

  it('bytes and fields to the keyboard', async () => {
    await paste(page, hexOf(openPacket.bytes))
    await cell(page, 0).focus()
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'End', 'Home', 'ArrowDown'])
      await page.keyboard.press(key)
    const focused = page.locator('#dump .bytes > :focus')
    expect(await focused.getAttribute('aria-label')).to.match(/^Byte 16, 6e: client id, "sensor-0042"/)
    expect(await focused.getAttribute('aria-selected')).to.equal('true')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    expect(await page.locator('#dump .fields > :focus .name').textContent()).to.equal('client id')
    expect((await page.locator('#dump .bytes > .on').allTextContents()).length).to.equal(11)
  })

  it('an error at its byte, with clause, meaning and answer', async () => {
    await paste(page, nul.toString('hex'))
    expect(await page.locator('#dump .bytes > .mark').getAttribute('aria-label')).to.match(
      /^Byte 16, 00: .*error$/,
    )
    expect(await page.locator('#dump .fields > .mark .wrong').textContent()).to.match(/expected no U\+0000/)
    const text = await verdict(page).innerText()
    expect(text)
      .to.match(/Invalid: clientId/)
      .and.to.match(/MQTT-1\.5\.3-2/)
      .and.to.match(/client-id-nul/)
    expect(text).to.match(/None: just close the connection/)
    await paste(page, '100c00044d5154540400003c0000')
    await verdict(page).getByText('20 02 00 02').waitFor()
    await verdict(page).getByRole('button', { name: 'Explain it' }).click()
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNACK of 4 bytes').waitFor()
    await item(page, 'return code').getByText('2 (identifier rejected)').waitFor()
  })

  it('a missing byte', async () => {
    await paste(page, hexOf(openPacket.bytes.subarray(0, 20)))
    expect(await page.locator('#dump .bytes > .mark').getAttribute('aria-label')).to.match(
      /^Byte 20 is missing/,
    )
  })

  it('what would be decoded without a rule', async () => {
    await page.getByRole('button', { name: 'A bridge is refused' }).click()
    await page.getByText("With allow: ['protocol-bridge-level'] it is valid: MQTT 3.1.1 CONNECT").waitFor()
    await page.getByRole('button', { name: 'Allow this rule' }).click()
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNECT').waitFor()
    expect(await item(page, 'client id').count()).to.equal(1)
    await page.getByRole('button', { name: 'No longer allow protocol-bridge-level' }).click()
    await verdict(page).getByText('Invalid: protocolLevel').waitFor()
  })

  it('a CONNACK in the version that fits', async () => {
    await paste(page, '2003008700')
    await verdict(page).getByText('Valid: MQTT 5.0 CONNACK').waitFor()
    await paste(page, '20020005')
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNACK').waitFor()
  })

  it('with which CONNACK to answer a valid packet', async () => {
    await paste(page, hexOf(secretPacket.bytes))
    await page.getByLabel('Answer with').selectOption({ label: '0x87 not authorized' })
    expect(await page.locator('.answers code').textContent()).to.equal('20 03 00 87 00')
  })

  it('secrets only when it is asked to', async () => {
    const secretHex = hexOf(Buffer.from(SECRET))
    const everything = () =>
      page.evaluate(() => {
        const dump = document.querySelector('#dump')!.shadowRoot!
        const texts = [
          document.body.innerText,
          dump.textContent,
          location.href,
          dump.innerHTML,
          document.body.innerHTML,
        ]
        const values = [...document.querySelectorAll('textarea')].map(({ value }) => value)
        return [...texts, ...values].join('\n').replace(/\s/g, '').toLowerCase()
      })
    await paste(page, hexOf(secretPacket.bytes))
    await page.waitForFunction(() => location.hash !== '')
    const copied = async (name: string) => {
      await page.locator('#explain-tools').getByRole('button', { name }).click()
      await page.locator('#status', { hasText: 'Copied' }).waitFor()
      return (await page.evaluate(() => navigator.clipboard.readText())).replace(/0x|[\s,]/g, '')
    }
    expect(await everything())
      .not.to.contain(SECRET)
      .and.not.to.contain(secretHex)
    for (const name of ['hex', 'C array', 'JavaScript', 'Copy link']) {
      expect(await copied(name), name)
        .to.contain('2a'.repeat(SECRET.length))
        .and.not.to.contain(secretHex)
    }
    await page.locator('#explain-tools').getByLabel('Copy and share secrets').check()
    for (const name of ['hex', 'C array', 'JavaScript', 'Copy link'])
      expect(await copied(name), name).to.contain(secretHex)
    expect(await page.evaluate(() => location.href)).not.to.contain(secretHex)
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    await item(page, 'password').getByText(`"${SECRET}"`).waitFor()
    expect(await everything()).to.contain(secretHex)
    // Another packet is another decision.
    await paste(page, hexOf(secretPacket.with({ keepAlive: 1 }).bytes))
    expect(await everything()).not.to.contain(secretHex)
  })

  it('what is edited, although secrets are stars in the text', async () => {
    await paste(page, hexOf(secretPacket.bytes))
    const area = page.locator('#packet-text')
    const text = await area.inputValue()
    expect(text).to.match(/00 07( \*\*){7}$/)
    await area.fill(text.replace('00 3c', '00 3d'))
    await item(page, 'keep alive').getByText('61 s').waitFor()
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    await item(page, 'password').getByText(`"${SECRET}"`).waitFor()
  })

  it('what is typed, and leaves the text and the caret alone', async () => {
    const area = page.locator('#packet-text')
    const short = { cleanSession: true, keepAlive: 60, clientId: 'c', userName: 'u', password: SECRET }
    const typed = hexOf(new v3_1_1.ConnectPacket(short).bytes)
    await area.pressSequentially(typed)
    expect(await area.inputValue()).to.equal(typed)
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNECT').waitFor()
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('f')
    expect(await area.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).to.equal(typed.length - 4)
    expect(await item(page, 'password').textContent()).not.to.contain('s3cre')
    await page.keyboard.press('Tab')
    expect(await area.inputValue()).to.match(/00 07( \*\*){7}$/)
  })

  it('the same after a reload, and behind a link', async () => {
    await page.getByRole('button', { name: 'The answer that no client took' }).click()
    await page.waitForFunction(() => location.hash.includes('version=5'))
    const before = await verdict(page).locator('h2').textContent()
    await page.reload()
    expect(await verdict(page).locator('h2').textContent()).to.equal(before)
    await load(page, new URL(page.url()).hash)
    expect(await verdict(page).locator('h2').textContent()).to.equal(before)
    await page.evaluate((hex) => {
      location.hash = `#explain=${hex}`
    }, hexOf(openPacket.bytes))
    await verdict(page).getByText('Valid: MQTT 3.1.1 CONNECT').waitFor()
  })
})
