import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
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
      await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
      expect(await cell(page, 24).textContent()).to.equal(hexOf(bytes).slice(48, 50))
    }
    await paste(page, 'GET / HTTP/1.1')
    expect(await page.locator('#packet-note').textContent()).to.match(/HTTP/)
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('a dropped file of bytes or text', async () => {
    await drop(page, openPacket.bytes, 'packet.bin')
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    await drop(page, Buffer.from(hexOf(secretPacket.bytes)), 'packet.txt')
    await verdict(page).getByText('This is a valid MQTT 5.0 CONNECT.').waitFor()
    await drop(page, Buffer.from('d4c3b2a1020004000000', 'hex'), 'a.pcap')
    await page.locator('#packet-note', { hasText: 'it begins like a capture file, but is none' }).waitFor()
  })

  it('the connections of a dropped capture, each CONNECT with its CONNACK', async () => {
    await drop(
      page,
      readFileSync(new URL('../../test/explain/session.pcap', import.meta.url)),
      'session.pcap',
    )
    // The one that fails is chosen.
    await page
      .locator('#packet-note', { hasText: '35 bytes from the client, 5 bytes from the server.' })
      .waitFor()
    expect(await page.locator('.choices button').count()).to.equal(4)
    await verdict(page).getByText('The server does not let this client in: not authorized.').waitFor()
    await page.locator('.choices button').first().click()
    await verdict(page).getByText('The server accepts the client.').waitFor()
    await page.getByRole('button', { name: /refuses the client/ }).click()
    await verdict(page).getByText('The server does not let this client in: not authorized.').waitFor()
    expect(await page.locator('#streams h2').allTextContents()).to.deep.equal([
      'From the client',
      'From the server',
    ])
    expect(await page.locator('#dump-server .verdict').textContent()).to.match(/MQTT 5\.0 CONNACK/)
    // The bytes come from a file, so the text has stars for the password.
    expect(await page.locator('#packet-text').inputValue())
      .to.match(/^> 10 .* \*\* \*\*\n< 20 03 00 87 00$/)
      .and.not.to.contain(hexOf(Buffer.from('wrong')).replace(/..(?!$)/g, '$& '))
    await page.waitForFunction(() => location.hash.endsWith('.2003008700'))
    await page.reload()
    await verdict(page).getByText('The server does not let this client in: not authorized.').waitFor()
    const text = await page.locator('#packet-text').inputValue()
    await page.locator('#packet-text').fill(text.replace('20 03 00 87', '20 03 00 86'))
    await verdict(page).getByText('The user name or the password is wrong.').waitFor()
  })

  it('the packet in a frame that was copied whole', async () => {
    const ip = `45000000000000004006000000000000000000${'00'}`
    const tcp = '0000000000000000000000005018000000000000'
    const frame = Buffer.from(`${'00'.repeat(12)}0800${ip}${tcp}${hexOf(openPacket.bytes)}`, 'hex')
    frame.writeUInt16BE(frame.length - 14, 16)
    await paste(page, frame.toString('hex'))
    await page.getByRole('button', { name: 'Explain that' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
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
    await paste(page, hexOf(openPacket.bytes.subarray(0, 20)))
    expect(await page.locator('#dump .bytes > .mark').getAttribute('aria-label')).to.match(
      /^Byte 20 is missing/,
    )
  })

  it('what would be decoded without a rule', async () => {
    await page.getByRole('button', { name: 'A bridge is refused' }).click()
    await verdict(page).getByText('Accept it anyway').click()
    await page.getByText("With allow: ['protocol-bridge-level'] it is valid: MQTT 3.1.1 CONNECT").waitFor()
    await page.getByRole('button', { name: 'Allow this rule' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    expect(await item(page, 'client id').count()).to.equal(1)
    await page.getByRole('button', { name: 'No longer allow protocol-bridge-level' }).click()
    await verdict(page).getByText('The client is a bridge').waitFor()
  })

  it('a CONNACK in the version that fits, with what to check', async () => {
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
    // What was pasted stays as it was, and nothing of it is a secret.
    expect(await page.locator('#packet-text').inputValue()).to.equal('20020005')
    await page.waitForFunction(() => location.hash === '#explain=20020005')
  })

  it('all packets of a paste, each with its outcome', async () => {
    await paste(page, `${hexOf(openPacket.bytes)} 82 08 00 01 00 03 61 2f 62 00`)
    await verdict(page).getByText('These are 2 packets: MQTT 3.1.1 CONNECT, SUBSCRIBE.').waitFor()
    const items = await page.locator('.packets li').allTextContents()
    expect(items).to.deep.equal([
      `CONNECT ${openPacket.size} bytes from byte 0, valid`,
      `SUBSCRIBE 10 bytes from byte ${openPacket.size}, not decoded`,
    ])
    expect(await page.locator('body').innerText()).not.to.match(/Valid:/)
  })

  it('both directions of a connection, of a log or of Follow Stream', async () => {
    const text = '12:00:01 TX: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\n12:00:02 RX: 20 02 00 05\n'
    await paste(page, text)
    await verdict(page).getByText('not authorized').first().waitFor()
    expect(await page.locator('#packet-note').textContent()).to.equal(
      '14 bytes from the client, 4 bytes from the server. Ignored: the beginnings of 2 lines.',
    )
    expect(await page.locator('#streams h2').allTextContents()).to.deep.equal([
      'From the client',
      'From the server',
    ])
    expect(await page.locator('#packet-text').inputValue()).to.equal(text)
  })

  it('what stands before a wrong character, which is marked', async () => {
    const text = '20 02 00 05 10 0c 0g 04'
    await paste(page, text)
    expect(await page.locator('#packet-note mark').textContent()).to.equal('g')
    expect(await page.locator('#packet-note .where').textContent()).to.match(/^line 1, column 20: /)
    expect(await page.locator('#dump .bytes > *').count()).to.be.within(6, 7)
    expect(await page.locator('#packet-text').getAttribute('aria-invalid')).to.equal('true')
    expect(await page.locator('#packet-text').inputValue()).to.equal(text)
  })

  it('one of two readings once a person has chosen', async () => {
    await paste(page, '16 12 0 4 77 81 84 84 4 2 0 60 0 0')
    expect(await page.locator('#result').isVisible()).to.equal(false)
    const choices = page.locator('.choices button')
    expect(await choices.count()).to.equal(2)
    await choices.filter({ hasText: 'decimal' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    await choices.filter({ hasText: /^hex/ }).click()
    await verdict(page).getByText('This is TLS.').waitFor()
  })

  it('a message that is pasted instead of bytes', async () => {
    await paste(page, 'Attempting MQTT connection...failed, rc=-2 try again in 5 seconds')
    await verdict(page).getByText('There is no TCP connection to the server').waitFor()
    expect(await page.locator('#explain-tools').isVisible()).to.equal(false)
    await paste(page, 'nothing that means anything')
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('MQTT 3.1, as mosquitto_pub -V mqttv31 sends it', async () => {
    const { bytes } = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'mosq-1' })
    await paste(page, hexOf(bytes))
    await verdict(page).getByText('This is a valid MQTT 3.1 CONNECT.').waitFor()
    expect(await page.locator('#dump .verdict').textContent()).to.match(/^validMQTT 3\.1 CONNECT/)
  })

  it('a corrected packet with its differences, where that is certain', async () => {
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

  it('that nothing was copied if the packets are too large for a link', async () => {
    const large = openPacket.with({ will: { topic: 't', message: Buffer.alloc(20_000, 'm') } })
    await paste(page, hexOf(large.bytes))
    await page.evaluate(() => navigator.clipboard.writeText('before'))
    await page.locator('#explain-tools').getByRole('button', { name: 'Copy link' }).click()
    await page.locator('#status', { hasText: 'Nothing was copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('before')
  })

  it('for a forum: the diagnosis, the bytes without secrets, the dump and a link', async () => {
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

  it('messages without bytes, and how to get the bytes', async () => {
    const search = page.getByLabel('What does your client or your server say?')
    for (const [message, headline] of [
      ['Attempting MQTT connection...failed, rc=-2 try again in 5 seconds', /no TCP connection/],
      ['rc=5', /not authorized/],
      ['Connection Refused: not authorised', /not authorized/],
      ['connack timeout', /no CONNACK comes in time/],
      ['MQTT_CONNECTION_LOST', /lost later/],
    ] as const) {
      await search.fill(message)
      expect(await page.locator('.symptoms summary').first().textContent(), message).to.match(headline)
    }
    await page.locator('.symptoms summary').first().click()
    expect(await page.locator('.symptoms details[open] li').count()).to.be.above(0)
    await search.fill('zzz')
    await page.getByText('No such message is known here').waitFor()
    await page.getByRole('button', { name: 'Copy how to get bytes' }).click()
    await page.locator('#status', { hasText: 'Copied a text to post' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.match(/tcpdump .*Wireshark/s)
  })

  it('examples and errors by their links', async () => {
    await load(page, '#example=tls-on-1883')
    await verdict(page).getByText('This is TLS.').waitFor()
    await load(page, '#error=will-qos')
    expect(await verdict(page).locator('h2').textContent()).to.equal(
      'The will QoS is 3, which does not exist.',
    )
    expect(await page.locator('#dump .bytes > *').count()).to.be.above(10)
    await load(page, '#error=connect-timeout')
    expect(await verdict(page).locator('h2').textContent()).to.match(/did not arrive in time/)
    await load(page, '#error=nothing')
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('with the verdict on the first screen of a phone, and before the examples for the keyboard', async () => {
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
    await paste(page, hexOf(secretPacket.bytes))
    await verdict(page).getByText('The packet, and how to answer it').click()
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
    // Another packet is another decision.
    await paste(page, hexOf(secretPacket.with({ keepAlive: 1 }).bytes))
    expect(await everything()).not.to.contain(secretHex)
  })

  it('what a user has pasted or typed, without changing it', async () => {
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
    await page.getByRole('button', { name: 'The answer that no client took' }).click()
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
