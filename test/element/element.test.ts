import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type BuildOptions, build } from 'esbuild'
import * as library from '../../lib/explain/index.ts'
import { property, v3_1, v3_1_1, v5 } from '../../lib/index.ts'

const root = join(import.meta.dirname, '..', '..')
/** Two more packet types, AUTH and DISCONNECT, took 3,500 of them. */
const MOST_BYTES = 29_500

/** A bundle as `npm run build` makes it of the element. */
async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    alias: { buffer: './lib/element/buffer.ts' },
    write: false,
    ...options,
  })
  return outputFiles![0]!.text
}

async function load(code: string): Promise<Record<string, unknown>> {
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

/** What the element shows of an explanation. */
function shown({ rows, summary, error }: library.Explanation): unknown {
  return { rows, summary, connack: error?.connack && Array.from(error.connack) }
}

describe('the bundle of the element', () => {
  let code: string

  before(async () => {
    code = await bundle({ entryPoints: ['lib/element/mqtt-explain.ts'] })
  })

  it(`takes at most ${MOST_BYTES} bytes, compressed, and imports nothing`, () => {
    expect(gzipSync(code, { level: 9 }).length).to.be.at.most(MOST_BYTES)
    expect(code).not.to.match(/\bimport\b|\brequire\(/)
  })

  it('contains no call that could send anything', () => {
    expect(code).not.to.match(/\bfetch\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\.src\b/)
  })

  it('is loaded where there is no browser, and defines nothing there', async () => {
    const { MqttExplainElement } = await load(code)
    expect(MqttExplainElement).to.be.a('function')
  })
})

describe("the element's small Buffer", () => {
  it('explains every cut and every changed byte of a packet as the whole Buffer does', async () => {
    const { explain } = (await load(
      await bundle({
        stdin: { contents: "export { explain } from './lib/explain/index.ts'", resolveDir: root },
      }),
    )) as unknown as typeof library
    const will = { topic: 'é/\u{1f600}', message: Uint8Array.of(0xff, 0), qos: 1 as const, retain: true }
    const common = { keepAlive: 60, clientId: '\uFEFFcafé', will, userName: 'u', password: 'secret' }
    const packets = [
      new v3_1.ConnectPacket({ cleanSession: true, ...common }),
      new v3_1_1.ConnectPacket({ cleanSession: true, ...common, bridge: true }),
      new v5.ConnectPacket({
        cleanStart: true,
        ...common,
        clientId: 'long'.repeat(30),
        props: [property.userProperty('k', 'v'), property.authenticationMethod('m')],
      }),
      new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props: [property.reasonString('ö')] }),
    ]
    let compared = 0
    for (const { bytes, protocolVersion } of packets) {
      const variants: Uint8Array[] = []
      for (let at = 0; at <= bytes.length; at++) {
        variants.push(Uint8Array.from(bytes.subarray(0, at)))
        for (const flip of [0x01, 0x80, 0xff]) {
          variants.push(Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ flip : byte)))
        }
      }
      for (const variant of variants) {
        for (const secrets of [false, true]) {
          const options = { protocolVersion, secrets }
          expect(shown(explain(variant, options))).to.deep.equal(shown(library.explain(variant, options)))
          compared++
        }
      }
    }
    expect(compared).to.be.above(2_000)
  })
})
