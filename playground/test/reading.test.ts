import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { v3_1 } from '../../lib/packets/index.ts'
import { cell, drop, hexOf, inPage, openPacket, paste, secretPacket, verdict } from './explain-page.ts'

describe('the page reads', function () {
  const opened = inPage(this)

  it('what is pasted in any form', async () => {
    const { page } = opened
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
    await paste(page, '<!doctype html><title>x</title>')
    expect(await page.locator('#packet-note').textContent()).to.match(/XML or HTML|looks like prose/)
    expect(await page.locator('#result').isVisible()).to.equal(false)
    await paste(page, 'GET / HTTP/1.1')
    await verdict(page).getByText('This is HTTP.').waitFor()
  })

  it('a message beside bytes in which nothing is wrong, and puts it first', async () => {
    const { page } = opened
    const bytes = hexOf(openPacket.bytes)
    await paste(page, `12:00:01 -> ${bytes}\n12:00:06 -> failed, rc=-4 try again in 5 seconds`)
    await verdict(page).getByText('The server is reached, but no CONNACK comes in time.').waitFor()
    await verdict(page).getByText('The bytes are all right: This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    expect(await page.locator('#verdict').getAttribute('class')).to.equal('card verdict refused')
    await paste(page, bytes)
    expect(await page.locator('#verdict').getAttribute('class')).to.equal('card verdict good')
  })

  it('a dropped file of bytes or text', async () => {
    const { page } = opened
    await drop(page, openPacket.bytes, 'packet.bin')
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    await drop(page, Buffer.from(hexOf(secretPacket.bytes)), 'packet.txt')
    await verdict(page).getByText('This is a valid MQTT 5.0 CONNECT.').waitFor()
    await drop(page, Buffer.from('d4c3b2a1020004000000', 'hex'), 'a.pcap')
    await page.locator('#packet-note', { hasText: 'it begins like a capture file, but is none' }).waitFor()
  })

  it('the connections of a dropped capture, each CONNECT with its CONNACK', async () => {
    const { page } = opened
    await drop(
      page,
      readFileSync(new URL('../../test/explain/session.pcap', import.meta.url)),
      'session.pcap',
    )
    // The failing connection is selected.
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
    // The bytes are the file's, so the text can show stars in place of the password.
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
    const { page } = opened
    const ip = `45000000000000004006000000000000000000${'00'}`
    const tcp = '0000000000000000000000005018000000000000'
    const frame = Buffer.from(`${'00'.repeat(12)}0800${ip}${tcp}${hexOf(openPacket.bytes)}`, 'hex')
    frame.writeUInt16BE(frame.length - 14, 16)
    await paste(page, frame.toString('hex'))
    await page.getByRole('button', { name: 'Explain that' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
  })

  it('all packets of a paste, each with its outcome', async () => {
    const { page } = opened
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
    const { page } = opened
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

  it('the bytes before a wrong character, which is marked, and those after it', async () => {
    const { page } = opened
    const text = '20 02 00 05 10 0c 0g 04'
    await paste(page, text)
    expect(await page.locator('#packet-note mark').textContent()).to.equal('g')
    expect(await page.locator('#packet-note .where').textContent()).to.match(/^line 1, column 20: /)
    await verdict(page).getByText('not authorized').first().waitFor()
    expect(await page.locator('#dump .bytes > *').allTextContents()).to.deep.equal(
      '20 02 00 05 10 0c ?? 04'.split(' '),
    )
    const wrong = page.locator('#dump .bytes > .mark')
    expect(await wrong.getAttribute('aria-label')).to.match(/^Byte 6, \?\?: not read, .*error$/)
    // Half a packet is neither called invalid nor copied.
    expect(await page.locator('#dump .verdict .bad').count()).to.equal(0)
    expect(await page.locator('#explain-tools').isVisible()).to.equal(false)
    expect(await page.locator('.packets li').last().textContent()).to.match(/CONNECT.*not decoded$/)
    expect(await page.locator('#packet-text').getAttribute('aria-invalid')).to.equal('true')
    expect(await page.locator('#packet-text').inputValue()).to.equal(text)
    // The bytes end at the wrong character, so the packet isn't reported as incomplete.
    await paste(page, '{ 0x10, 0x0c, 0x00, 0x04, M, Q, T, T, 0x04 }')
    await verdict(page).getByText('The text can be read only up to an invalid character.').waitFor()
    expect(await page.locator('#packet-note mark').textContent()).to.equal('M')
    // A dump has the text of the byte, and nothing is concluded from it.
    await paste(page, '0000  10 0c 00 04 4d 51 5g 54 04 02 00 3c 00 00   ....MQTT...<..')
    await verdict(page).getByText('The text can be read only up to an invalid character.').waitFor()
    expect((await page.locator('#dump .bytes > *').allTextContents()).join(' ')).to.equal(
      '10 0c 00 04 4d 51 ?? 54 04 02 00 3c 00 00',
    )
    await page.waitForFunction(() => location.hash === '')
  })

  it('hex with a wrong digit in the element itself', async () => {
    const { page } = opened
    const shown = await page.evaluate(async () => {
      const element = document.createElement('mqtt-explain')
      element.setAttribute('hex', '20 02 0l 05')
      element.setAttribute('secrets', '')
      document.body.append(element)
      await Promise.resolve()
      const texts = (selector: string) =>
        Array.from(element.shadowRoot!.querySelectorAll(selector), ({ textContent }) => textContent)
      return [
        texts('.bytes > *').join(' '),
        texts('.bad').length,
        element.bytes!.length,
        texts('.mark').length,
      ]
    })
    expect(shown).to.deep.equal(['20 02 ?? 05', 0, 2, 1])
  })

  it('more bytes in the element than a function can have arguments', async () => {
    const { page } = opened
    const cells = await page.evaluate(async () => {
      const element = document.createElement('mqtt-explain')
      // Packets are shown up to the 1,000th, and a row of up to 512 bytes has a cell for each.
      const publish = [0x30, 0xf6, 3, 1, 0xf4, ...new Array<number>(500).fill(0x61)]
      element.bytes = Uint8Array.from(new Array<number[]>(260).fill(publish).flat())
      document.body.append(element)
      await Promise.resolve()
      const { length } = element.shadowRoot!.querySelectorAll('.bytes > *')
      element.remove()
      return length
    })
    expect(cells).to.be.above(125_000)
  })

  it('one of two readings once a person has chosen', async () => {
    const { page } = opened
    await paste(page, '16 12 0 4 77 81 84 84 4 2 0 60 0 0')
    expect(await page.locator('#result').isVisible()).to.equal(false)
    const choices = page.locator('.choices button')
    expect(await choices.count()).to.equal(2)
    await choices.filter({ hasText: 'decimal' }).click()
    await verdict(page).getByText('This is a valid MQTT 3.1.1 CONNECT.').waitFor()
    await choices.filter({ hasText: /^hex/ }).click()
    await verdict(page).getByText('The flags in the first byte are invalid').waitFor()
  })

  it('a message that is pasted instead of bytes', async () => {
    const { page } = opened
    await paste(page, 'Attempting MQTT connection...failed, rc=-2 try again in 5 seconds')
    await verdict(page).getByText('There is no connection to the server').waitFor()
    expect(await page.locator('#packet-note').textContent()).to.match(/^There are no bytes in this text, but/)
    expect(await page.locator('#packet-text').getAttribute('aria-invalid')).to.equal('false')
    expect(await page.locator('#explain-tools').isVisible()).to.equal(false)
    await paste(page, 'nothing that means anything')
    expect(await page.locator('#result').isVisible()).to.equal(false)
  })

  it('MQTT 3.1, as mosquitto_pub -V mqttv31 sends it', async () => {
    const { page } = opened
    const { bytes } = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'mosq-1' })
    await paste(page, hexOf(bytes))
    await verdict(page).getByText('This is a valid MQTT 3.1 CONNECT.').waitFor()
    expect(await page.locator('#dump .verdict').textContent()).to.match(/^validMQTT 3\.1 CONNECT/)
  })

  it('messages without bytes, and how to get the bytes', async () => {
    const { page } = opened
    const search = page.getByLabel('What does your client or server say?')
    for (const [message, headline] of [
      ['Attempting MQTT connection...failed, rc=-2 try again in 5 seconds', /no connection to the server/],
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
    await page.getByText('This message is unknown').waitFor()
    await page.getByRole('button', { name: 'Copy how to get bytes' }).click()
    await page.locator('#status', { hasText: 'Copied a text to post' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.match(/tcpdump .*Wireshark/s)
  })
})
