import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import { usual } from '../../test/support/arbitraries.ts'
import { load } from './browser.ts'
import { cell, hexOf, inPage, item, openPacket, paste, secretPacket, verdict } from './explain-page.ts'

/** A 3.1.1 CONNECT whose client id contains a zero byte, at byte 16. */
const nul = Buffer.from('101000044d5154540402003c000461620063', 'hex')

describe('the page explains', function () {
  const opened = inPage(this)

  it('the field of the byte under the pointer, and the bytes of a field', async () => {
    const { page } = opened
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
    const { page } = opened
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

  it('the clause of each field as a link, to the pointer and to the keyboard', async () => {
    const { page } = opened
    await paste(page, hexOf(openPacket.bytes))
    const focused = page.locator('#dump .fields :focus')
    const link = item(page, 'keep alive').locator('a')
    expect(await link.getAttribute('href')).to.match(/\/mqtt-v3\.1\.1-os\.html#:~:text=3\.1\.2\.10$/)
    await cell(page, 10).focus()
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
    expect(await link.evaluate((one) => one.matches(':focus'))).to.equal(true)
    // From a link, the arrow keys go on as from its row.
    await page.keyboard.press('ArrowDown')
    expect(await focused.locator('.name').textContent()).to.equal('client id, length')
    await page.keyboard.press('ArrowRight')
    expect(await focused.textContent()).to.equal('3.1.3.1')
    await page.keyboard.press('ArrowLeft')
    expect(await focused.getAttribute('role')).to.equal('row')
    // Only the selected row's link is a stop of the key Tab.
    expect(await page.locator('#dump .fields a[tabindex="0"]').count()).to.equal(1)
    // A server's bytes name no version: their clauses are those of the version in which they're read.
    await paste(page, '2003008700')
    expect(await item(page, 'reason code').locator('a').getAttribute('href')).to.match(/mqtt-v5\.0-os/)
    await paste(page, '100e00064d51497364700302003c000161')
    await page.locator('#dump .fields a').first().waitFor()
    const old = page.locator('#dump .fields a[href*="mqtt-v3r1.html"]')
    expect(await old.count()).to.be.above(5)
  })

  it('an error at its byte, with clause, meaning and answer', async () => {
    const { page } = opened
    await paste(page, nul.toString('hex'))
    expect(await page.locator('#dump .bytes > .mark').getAttribute('aria-label')).to.match(
      /^Byte 16, 00: .*error$/,
    )
    expect(await page.locator('#dump .fields > .mark .wrong').textContent()).to.match(
      /must not contain U\+0000/,
    )
    expect(await verdict(page).locator('h2').textContent()).to.equal(
      'The client identifier contains a zero byte.',
    )
    await verdict(page).getByText('Clause, code and answer').click()
    const text = await verdict(page).innerText()
    expect(text)
      .to.match(/strlen\(text\)/)
      .and.to.match(/MQTT-1\.5\.3-2/)
      .and.to.match(/client-id-nul/)
    expect(text).to.match(/None: just close the connection/)
    expect(await verdict(page).getByRole('link', { name: 'MQTT-1.5.3-2' }).getAttribute('href')).to.match(
      /mqtt-v3\.1\.1-os\.html#:~:text=%5BMQTT%2D1\.5\.3%2D2%5D$/,
    )
    await paste(page, '100c00044d5154540400003c0000')
    await verdict(page).getByText('Clause, code and answer').click()
    await verdict(page).getByText('20 02 00 02').waitFor()
    await verdict(page).getByRole('button', { name: 'Explain it' }).click()
    await verdict(page).getByText('The server does not accept the client identifier.').waitFor()
    await item(page, 'return code').getByText('2 (identifier rejected)').waitFor()
  })

  it('a missing byte', async () => {
    const { page } = opened
    await paste(page, hexOf(openPacket.bytes.subarray(0, 20)))
    expect(await page.locator('#dump .bytes > .mark').getAttribute('aria-label')).to.match(
      /^Byte 20 is missing/,
    )
  })

  it('what would be decoded without a rule', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Other servers refuse' }).click()
    await verdict(page).getByText('Accept it anyway').click()
    await page.getByText("With allow: ['protocol-bridge-level'] it is valid: MQTT 3.1.1 CONNECT").waitFor()
    await page.getByRole('button', { name: 'Allow this rule' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    expect(await item(page, 'client id').count()).to.equal(1)
    await page.getByRole('button', { name: 'No longer allow protocol-bridge-level' }).click()
    await verdict(page).getByText('The client is a bridge').waitFor()
  })

  it('a CONNACK in the version that fits, with what to check', async () => {
    const { page } = opened
    await paste(page, '2003008700')
    await verdict(page).getByText('not authorized').first().waitFor()
    expect(await page.locator('#dump .verdict').textContent()).to.match(/MQTT 5\.0 CONNACK/)
    await paste(page, '20020005')
    expect(await verdict(page).locator('h2').textContent()).to.equal(
      'The server does not let this client in: not authorized.',
    )
    expect(await verdict(page).innerText())
      .to.match(/allow_anonymous/)
      .and.to.match(/mosquitto_pub -d/)
    expect(await page.getByRole('status').filter({ hasText: 'not authorized' }).count()).to.equal(1)
    // The pasted text is unchanged, and has no secrets to mask.
    expect(await page.locator('#packet-text').inputValue()).to.equal('20020005')
    await page.waitForFunction(() => location.hash === '#explain=20020005')
  })

  it('a corrected packet with its differences, where that is certain', async () => {
    const { page } = opened
    await paste(page, nul.toString('hex'))
    await verdict(page).locator('h2').waitFor()
    expect(await page.locator('.correction').count()).to.equal(0)
    await paste(page, '101400044d5154540402003c00086573703832363600')
    expect(await page.locator('.difference del').allTextContents()).to.deep.equal(['14', '08', '00'])
    expect(await page.locator('.difference ins').allTextContents()).to.deep.equal(['13', '07'])
    await page.locator('.correction').getByRole('button', { name: 'Explain it' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    expect(await page.locator('#packet-text').inputValue()).to.match(/^10 13 .* 00 07 65/)
  })

  it('examples and errors by their links', async () => {
    const { page } = opened
    await load(page, '#example=tls-on-1883')
    await verdict(page).getByText('This is TLS.').waitFor()
    await load(page, '#error=will-qos')
    expect(await verdict(page).locator('h2').textContent()).to.equal(
      'The will QoS is 3, which does not exist.',
    )
    expect(await page.locator('#dump .bytes > *').count()).to.be.above(10)
    await load(page, '#error=connect-timeout')
    expect(await verdict(page).locator('h2').textContent()).to.match(/did not arrive in time/)
    // The page shows the words of docs/errors.md for each code.
    const all = Object.keys(errorDiagnoses)
    // One in four, or all with `ALL_RUNS=1`, because the browser draws the whole page for each.
    const codes = all.filter((code, at) => at % (4 / usual(4)) === 0 || code === 'protocol-name')
    expect(codes).to.have.lengthOf.above(15)
    // In one evaluation, because a hundred questions to the browser would take seconds.
    const shown = await page.evaluate(async (codes) => {
      const headlines: Record<string, string | null> = {}
      for (const code of codes) {
        const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
        location.hash = `#error=${code}`
        await changed
        const story = document.querySelector('#verdict .story')
        const named = [...(story?.querySelectorAll('code') ?? [])].some((one) => one.textContent === code)
        headlines[code] = named
          ? document.querySelector('#verdict h2')!.textContent
          : 'does not name the code'
      }
      return headlines
    }, codes)
    const expected = codes.map((code) => [
      code,
      code === 'protocol-name'
        ? 'The protocol name is "MQTX", not "MQTT".'
        : errorDiagnoses[code as keyof typeof errorDiagnoses].headline,
    ])
    expect(shown).to.deep.equal(Object.fromEntries(expected))
    await load(page, '#error=nothing')
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('with the verdict on the first screen of a phone, and before the examples for the keyboard', async () => {
    const { page } = opened
    await page.setViewportSize({ width: 380, height: 700 })
    await paste(page, '20020005')
    const box = await verdict(page).locator('h2').boundingBox()
    expect(box!.y).to.be.within(0, 500)
    const order = await page.evaluate(() =>
      ['packet-text', 'verdict', 'dump', 'examples'].map(
        (id) => document.getElementById(id)!.getBoundingClientRect().top,
      ),
    )
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b))
    await page.setViewportSize({ width: 1400, height: 900 })
  })

  it('with which CONNACK to answer a valid packet', async () => {
    const { page } = opened
    await paste(page, hexOf(secretPacket.bytes))
    await verdict(page).getByText('The packet, and how to answer it').click()
    await page.getByLabel('Answer with').selectOption({ label: '0x87 not authorized' })
    expect(await page.locator('.answers code').textContent()).to.equal('20 03 00 87 00')
  })
})
