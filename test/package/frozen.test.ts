import { execFileSync } from 'node:child_process'
import { expect } from 'chai'

const program = `
const { Buffer } = await import('node:buffer')
const { createHash } = await import('node:crypto')
const { PassThrough } = await import('node:stream')
const globals = [Object, Array, Function, Error, TypeError, RangeError, Map, Set, WeakMap, String, Number, RegExp, Promise]
const prototypes = [...globals.map((one) => one.prototype), Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)]
const freeze = () => [...globals, ...prototypes].forEach(Object.freeze)
if (process.argv[1] === 'first') freeze()
const library = await import(\`\${process.argv[2]}/index.js\`)
const { fromMqttPacket, toMqttPacket } = await import(\`\${process.argv[2]}/interop/mqtt-packet.js\`)
const { vectors } = await import(\`\${process.argv[2]}/testing/index.js\`)
if (process.argv[1] === 'later') freeze()
const said = []
const say = (action) => {
  try {
    said.push(String(action()))
  } catch (error) {
    if (!(error instanceof library.MqttError) && typeof error.code !== 'string') throw error
    said.push(\`\${error} \${JSON.stringify(error)}\`)
  }
}
for (const { bytes, protocolVersion, from, options } of vectors.filter((_, i) => i % 20 === 0)) {
  const given = { protocolVersion, from, ...options }
  say(() => library.decode(bytes, given))
  say(() => library.explain(bytes, { protocolVersion, from }))
  say(() => JSON.stringify(library.explain(bytes)))
  say(() => JSON.stringify(library.diagnose(bytes)))
  say(() => [...new library.PacketParser(given).push(bytes)])
  say(() => library.decode(bytes, given).with({}))
  say(() => fromMqttPacket(toMqttPacket(library.decode(bytes, given)), { protocolVersion }))
}
for (const misuse of [
  () => library.decode(1),
  () => new library.v5.ConnectPacket({}),
  () => library.connack(5, 1),
  () => library.bytesFromText('?'),
]) say(misuse)
const stream = (hex) => new PassThrough().end(Buffer.from(hex, 'hex'))
const connect = '100c00044d515454040200000000'
for (const hex of [connect, connect.slice(0, 8), '16030100']) {
  said.push(String(await library.readConnect(stream(hex)).catch((error) => error)))
  const decoder = stream(hex).pipe(new library.PacketDecoder({ errors: 'push' }))
  await new Promise((resolve) => {
    decoder.on('data', (packet) => said.push(String(packet)))
    decoder.on('error', (error) => said.push(String(error))).on('close', resolve)
  })
}
const all = said.join('\\n')
console.log(createHash('sha256').update(all).digest('hex'), said.length, all.includes('v5::connect{'))
`

/** Freezes the built-in objects before the library is loaded, afterwards, or not at all. */
type When = 'first' | 'later' | 'never'

/** Returns a hash of the library's behaviour, and the number of results in it. */
function run(when: When, ...flags: string[]): string {
  const dist = new URL('../../dist', import.meta.url).href
  return execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program, when, dist], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('a program that has frozen the built-in objects', () => {
  let expected = ''
  before(() => {
    expected = run('never')
  })

  for (const [what, ...args] of [
    ['before it loads the library, with node --disable-proto=delete', 'first', '--disable-proto=delete'],
    ['after it has loaded the library, with node --disable-proto=throw', 'later', '--disable-proto=throw'],
    ['with node --frozen-intrinsics', 'never', '--frozen-intrinsics'],
  ] as const) {
    it(`gets the same packets, errors and explanations ${what}`, function () {
      this.timeout(60_000)
      const [when, ...flags] = args as unknown as [When, ...string[]]
      expect(run(when, ...flags)).to.equal(expected)
      expect(expected).to.match(/^[\da-f]{64} \d+ true$/m)
    })
  }
})
