import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { property, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { inBrowser, load, open, problems } from './browser.ts'

const field = (page: Page, path: string): Locator => page.locator(`[id="field-${path}"]`)
const mistake = (page: Page, path: string): Locator => page.locator(`[id="mistake-${path}"]`)

/** The bytes of the built packet, read from the dump. */
async function builtHex(page: Page): Promise<string> {
  await page.locator('#built-card').waitFor()
  const shows = page.locator('#build-tools').getByLabel('Show secrets')
  if (await shows.isVisible()) await shows.check()
  // The dump is drawn in the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  return (await page.locator('#built .bytes > *').allTextContents()).join('')
}

describe('the page builds and compares', function () {
  this.timeout(60_000)
  let page: Page

  before(inBrowser)
  before(async () => {
    page = await open('about:blank')
  })
  beforeEach(async () => {
    await load(page)
  })
  afterEach(() => {
    expect(problems(page)).to.deep.equal([])
  })
  after(() => page?.context().close())

  async function version(name: string): Promise<void> {
    await page.getByRole('radio', { name, exact: true }).check({ force: true })
  }

  it('a CONNECT of 5.0 with a will and properties, as you type', async () => {
    await page.getByRole('tab', { name: 'Build' }).click()
    const first = await builtHex(page)
    await field(page, 'clientId').fill('c')
    expect(await builtHex(page)).not.to.equal(first)
    await field(page, 'keepAlive').fill('10')
    await field(page, 'hasUserName').check()
    await field(page, 'userName').fill('u')
    await field(page, 'hasPassword').check()
    await field(page, 'password').fill('hex:00ff')
    await field(page, 'hasWill').check()
    await field(page, 'will.topic').fill('t')
    await field(page, 'will.message').fill('é')
    await field(page, 'will.qos').selectOption('2')
    await field(page, 'will.retain').check()
    await page.locator('[id="add-will.props"]').selectOption('contentType')
    await field(page, 'will.props.0').fill('text')
    await page.locator('[id="add-props"]').selectOption('sessionExpiryInterval')
    await field(page, 'props.0').fill('3600')
    await page.locator('[id="add-props"]').selectOption('userProperty')
    await page.getByLabel('user property key').fill('k')
    await field(page, 'props.1').fill('v')
    const packet = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 10,
      clientId: 'c',
      userName: 'u',
      password: Uint8Array.of(0, 0xff),
      will: { topic: 't', message: 'é', qos: 2, retain: true, props: [property.contentType('text')] },
      props: [property.sessionExpiryInterval(3600), property.userProperty('k', 'v')],
    })
    expect(await builtHex(page)).to.equal(packet.bytes.toString('hex'))
    await page.getByRole('button', { name: 'Remove session expiry interval' }).click()
    const less = packet.with({ props: [property.userProperty('k', 'v')] })
    expect(await builtHex(page)).to.equal(less.bytes.toString('hex'))
  })

  it('the older versions, with the bridge bit', async () => {
    await page.getByRole('tab', { name: 'Build' }).click()
    await field(page, 'clientId').fill('c')
    const fields = { cleanSession: true, keepAlive: 60, clientId: 'c', bridge: true }
    for (const [name, Packet] of [
      ['MQTT 3.1', v3_1.ConnectPacket],
      ['MQTT 3.1.1', v3_1_1.ConnectPacket],
    ] as const) {
      await version(name)
      await field(page, 'bridge').check()
      expect(await builtHex(page)).to.equal(new Packet(fields).bytes.toString('hex'))
    }
    await version('MQTT 5.0')
    expect(await field(page, 'bridge').isVisible()).to.equal(false)
  })

  it('a CONNACK of each version', async () => {
    await page.getByRole('tab', { name: 'Build' }).click()
    await version('CONNACK')
    await field(page, 'code').selectOption({ label: '0x88 server unavailable' })
    await page.locator('[id="add-connack.props"]').selectOption('reasonString')
    await field(page, 'connack.props.0').fill('later')
    const props = [property.reasonString('later')]
    const answer = new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0x88, props })
    expect(await builtHex(page)).to.equal(answer.bytes.toString('hex'))
    await version('MQTT 3.1.1')
    await field(page, 'code').selectOption({ label: '0 accepted' })
    await field(page, 'sessionPresent').check()
    expect(await builtHex(page)).to.equal('20020100')
    await version('MQTT 3.1')
    expect(await builtHex(page)).to.equal('20020000')
  })

  it('no packet while an input is wrong, and says so at each of them', async () => {
    await page.getByRole('tab', { name: 'Build' }).click()
    await field(page, 'keepAlive').fill('70000')
    await page.locator('[id="add-props"]').selectOption('receiveMaximum')
    await field(page, 'props.0').fill('0')
    expect(await mistake(page, 'keepAlive').textContent()).to.match(/integer from 0 to 65535/)
    expect(await mistake(page, 'props.0').textContent()).to.match(/must not be 0.*3\.1\.2\.11\.3/i)
    expect(await field(page, 'keepAlive').getAttribute('aria-invalid')).to.equal('true')
    expect(await page.locator('#built-verdict').textContent()).to.equal('No packet: 2 inputs are wrong.')
    expect(await page.locator('#built-card').isVisible()).to.equal(false)
    await field(page, 'keepAlive').fill('7')
    await field(page, 'props.0').fill('1')
    await page.locator('#built-card').waitFor()
    expect(await mistake(page, 'keepAlive').textContent()).to.equal('')
    await version('MQTT 3.1.1')
    await field(page, 'hasPassword').check()
    expect(await mistake(page, 'password').textContent()).to.match(/user name/)
  })

  it('opens a decoded packet in the form, and the form again behind its link', async () => {
    await page.getByRole('button', { name: 'Nothing is wrong' }).click()
    await page.getByText('The packet, and how to answer it').click()
    await page.getByRole('button', { name: 'Edit it in the form' }).click()
    expect(await field(page, 'clientId').inputValue()).to.equal('gateway-7')
    expect(await field(page, 'will.props.0').inputValue()).to.equal('30')
    expect(await field(page, 'password').getAttribute('type')).to.equal('password')
    await page.waitForFunction(() => location.hash.startsWith('#build='))
    await page.reload()
    expect(await field(page, 'clientId').inputValue()).to.equal('gateway-7')
    expect(await field(page, 'password').inputValue()).to.equal('*******')
  })

  it('names the properties in a comparison, and the key and the value of a user property', async () => {
    const withProps = (region: string, delay: number) => {
      const will = { topic: 't', message: 'm', props: [property.willDelayInterval(delay)] }
      const props = [property.userProperty(region, region)]
      return new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'a', will, props })
    }
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.locator('#packet-a-text').fill(withProps('eu', 1).bytes.toString('hex'))
    await page.locator('#packet-b-text').fill(withProps('us', 2).bytes.toString('hex'))
    await page.getByText('3 fields differ').waitFor()
    const titles = await page.locator('#differences-table tbody th').allInnerTexts()
    expect(titles).to.deep.equal(['user property, key', 'user property, value', 'will delay interval'])
  })

  it('compares two packets field by field', async () => {
    const one = new v3_1_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 60,
      clientId: 'a',
      userName: 'u',
      password: 'one',
    })
    const other = one.with({ keepAlive: 30, password: 'two', cleanSession: false })
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.locator('#packet-a-text').fill(one.bytes.toString('hex'))
    await page.locator('#packet-b-text').fill(other.bytes.toString('hex'))
    await page.getByText('3 fields differ').waitFor()
    const rows = page.locator('#differences-table tbody tr')
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    expect(texts).to.deep.equal([
      'connect flags 0xc2 c2 clean session: 1 0xc0 c0 clean session: 0',
      'keep alive 60 s 00 3c 30 s 00 1e',
      'password ***** (hidden, different) ** ** ** ***** (hidden, different) ** ** **',
    ])
    await page.getByLabel('Hide equal fields').uncheck()
    expect(await rows.count()).to.be.above(5)
    await page.waitForFunction(() => location.hash.startsWith('#compare='))
    await page.reload()
    // The address leaves the passwords out, so both are stars now.
    await page.getByText('2 fields differ').waitFor()
    await page.getByText('Both dumps').click()
    expect(await page.locator('#dump-b .fields > *').count()).to.be.above(8)
  })
})
