import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'

const file = join(import.meta.dirname, '..', '..', 'dist', 'element', 'mqtt-explain.js')
/** AUTH and DISCONNECT make up about 3,500 of these bytes. */
const MOST_BYTES = 30_800

describe('the file of the element', () => {
  const code = readFileSync(file, 'utf8')

  it(`takes at most ${MOST_BYTES} bytes, compressed, and imports nothing`, () => {
    expect(gzipSync(code, { level: 9 }).length).to.be.at.most(MOST_BYTES)
    expect(code).not.to.match(/\bimport\b|\brequire\(/)
  })

  it('contains no call that could send anything', () => {
    expect(code).not.to.match(/\bfetch\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\.src\b/)
  })

  it('is loaded where there is no browser, and defines nothing there', async () => {
    const { MqttExplainElement } = await import(file)
    expect(MqttExplainElement).to.be.a('function')
  })
})
