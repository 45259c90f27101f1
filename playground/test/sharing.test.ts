import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { v3_1_1 } from '../../lib/packets/index.ts'
import { load } from './browser.ts'
import {
  cell,
  drop,
  hexOf,
  inPage,
  item,
  openPacket,
  paste,
  SECRET,
  secretPacket,
  verdict,
} from './explain-page.ts'

describe('the page gives away, or keeps,', function () {
  const opened = inPage(this)

  it('nothing if the packets are too large for a link', async () => {
    const { page } = opened
    const large = openPacket.with({ will: { topic: 't', message: Buffer.alloc(20_000, 'm') } })
    await paste(page, hexOf(large.bytes))
    await page.evaluate(() => navigator.clipboard.writeText('before'))
    await page.locator('#explain-tools').getByRole('button', { name: 'Copy link' }).click()
    await page.locator('#status', { hasText: 'Nothing was copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('before')
  })

  it('for a forum: the diagnosis, the bytes without secrets, the dump and a link', async () => {
    const { page } = opened
    await paste(page, hexOf(secretPacket.bytes))
    await page.locator('#explain-tools').getByRole('button', { name: 'Markdown' }).click()
    await page.locator('#status', { hasText: 'Copied as Markdown' }).waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text)
      .to.match(/^\*\*This is a valid MQTT 5\.0 CONNECT\.\*\*\n/)
      .and.to.match(/\n```text\n10 .*2a 2a 2a 2a 2a 2a 2a\n```\n/)
      .and.to.match(/keep alive +60 s/)
      .and.to.match(/#explain=10/)
    expect(text)
      .not.to.contain(SECRET)
      .and.not.to.contain(hexOf(Buffer.from(SECRET)))
  })

  it('secrets only when it is asked to', async () => {
    const { page } = opened
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
        return texts.join('\n').replace(/\s/g, '').toLowerCase()
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
    // A different packet needs a new decision.
    await paste(page, hexOf(secretPacket.with({ keepAlive: 1 }).bytes))
    expect(await everything()).not.to.contain(secretHex)
  })

  it('what follows a wrong protocol name, as it was pasted: its bytes, not what they say', async () => {
    const { page } = opened
    const wrong = Buffer.from(secretPacket.bytes)
    wrong.write('MQTX', 4)
    await paste(page, hexOf(wrong))
    await verdict(page).getByText('The protocol name is "MQTX", not "MQTT".').waitFor()
    const hex = async () => (await page.locator('#dump .bytes > *').allTextContents()).join('')
    expect(await hex()).to.equal(hexOf(wrong))
    const dump = page.locator('#dump')
    const said = () =>
      dump.evaluate(
        (dump) => `${dump.shadowRoot!.textContent}${dump.shadowRoot!.innerHTML.match(/data-text="."/g)}`,
      )
    expect((await said()).replace(/\W/g, '')).not.to.match(/s3cret|data_textsdata_text3/)
    expect(await cell(page, wrong.length - 1).getAttribute('data-text')).to.equal('*')
    // A password in its usual place is masked in the hex too. So is everything in a shared text that may be a password.
    await paste(page, hexOf(secretPacket.bytes))
    await verdict(page).getByText('This is a valid MQTT 5.0 CONNECT.').waitFor()
    expect(await hex()).to.match(/0007(\*\*){7}$/)
    await paste(page, hexOf(wrong))
    await page.waitForFunction(() => location.hash.includes('MQTX') || location.hash.includes('4d515458'))
    expect(page.url()).not.to.contain(hexOf(Buffer.from(SECRET)))
    for (const name of ['hex', 'Markdown', 'Copy link']) {
      await page.locator('#explain-tools').getByRole('button', { name }).click()
      await page.locator('#status', { hasText: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied.replace(/\s/g, ''), name)
        .not.to.contain(hexOf(Buffer.from(SECRET)))
        .and.not.to.contain(SECRET)
    }
    // Both the text and the dump of a link have stars.
    await load(page, `#explain=${hexOf(wrong)}`)
    await verdict(page).getByText('The protocol name is "MQTX"').waitFor()
    expect(await hex()).to.match(/(\*\*){20}$/)
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    expect(await hex()).to.equal(hexOf(wrong))
  })

  it('what a user has pasted or typed, without changing it', async () => {
    const { page } = opened
    const area = page.locator('#packet-text')
    const short = { cleanSession: true, keepAlive: 60, clientId: 'c', userName: 'u', password: SECRET }
    const typed = hexOf(new v3_1_1.ConnectPacket(short).bytes)
    await area.pressSequentially(typed)
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('f')
    expect(await area.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).to.equal(typed.length - 4)
    expect(await item(page, 'password').textContent()).not.to.contain('s3cre')
    const before = await area.inputValue()
    await page.keyboard.press('Tab')
    expect(await area.inputValue()).to.equal(before)
    await paste(page, `  ${hexOf(secretPacket.bytes)}\n`)
    expect(await area.inputValue()).to.equal(`  ${hexOf(secretPacket.bytes)}\n`)
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    expect(await area.inputValue()).to.equal(`  ${hexOf(secretPacket.bytes)}\n`)
  })

  it('what is edited in the bytes of a file, although secrets are stars in their text', async () => {
    const { page } = opened
    await drop(page, secretPacket.bytes, 'packet.bin')
    const area = page.locator('#packet-text')
    await verdict(page).getByText('This is a valid MQTT 5.0 CONNECT.').waitFor()
    const text = await area.inputValue()
    expect(text).to.match(/00 07( \*\*){7}$/)
    await area.fill(text.replace('00 3c', '00 3d'))
    await item(page, 'keep alive').getByText('61 s').waitFor()
    await page.locator('#explain-tools').getByLabel('Show secrets').check()
    await item(page, 'password').getByText(`"${SECRET}"`).waitFor()
  })

  it('the same after a reload, and behind a link', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'A CONNACK that no client accepts' }).click()
    await page.waitForFunction(() => location.hash === '#example=maximum-qos-2')
    const before = await verdict(page).locator('h2').textContent()
    await page.reload()
    expect(await verdict(page).locator('h2').textContent()).to.equal(before)
    await load(page, new URL(page.url()).hash)
    expect(await verdict(page).locator('h2').textContent()).to.equal(before)
    await page.evaluate((hex) => {
      location.hash = `#explain=${hex}`
    }, hexOf(openPacket.bytes))
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
  })
})
