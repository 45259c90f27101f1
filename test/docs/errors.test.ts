import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { errorTable, relaxableCodes } from '../../lib/errors/error-table.ts'
import {
  type DecodeOptions,
  decode,
  type ErrorCode,
  MqttError,
  PacketParser,
  ProtocolVersion,
  type RelaxableCode,
  readConnect,
} from '../../lib/index.ts'
import { errorsDocument } from '../../scripts/errors-document.ts'

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const codes = Object.keys(errorTable) as ErrorCode[]

/** The text under each heading. */
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)

/** The rest of the line with this beginning. */
function line(code: string, begin: string): string {
  const found = new RegExp(`^- ${begin}(.*)$`, 'm').exec(sections.get(code)!)
  if (found === null) throw new Error(`no line "${begin}" under ${code}`)
  return found[1]!
}

/** Runs a section's example with these rules relaxed. */
async function run(code: string, allow?: readonly RelaxableCode[]): Promise<unknown> {
  const [, source] = /: `(.*)`$/.exec(line(code, 'example, '))!
  const relaxed = (bytes: Uint8Array, options?: DecodeOptions) => decode(bytes, { ...options, allow })
  const names = { decode: relaxed, readConnect, PacketParser, PassThrough, ProtocolVersion, Buffer }
  return await new Function(...Object.keys(names), `return ${source}`)(...Object.values(names))
}

describe('docs/errors.md', () => {
  it('is what npm run docs writes', () => {
    expect(text).to.equal(errorsDocument())
  })

  it('has one heading for each code, in the order of the error table', () => {
    expect([...sections.keys()]).to.deep.equal(codes)
  })

  it('has each code of misuse, with its class', () => {
    const source = readFileSync(new URL('../../lib/errors/misuse.ts', import.meta.url), 'utf8')
    const thrown = Array.from(
      source.matchAll(/withCode\('(\w+)', new (\w+)\(/g),
      ([, code, name]) => `${code} ${name}`,
    )
    const listed = Array.from(
      text.matchAll(/^\| `(ERR_\w+)` \| `(\w+)` \|/gm),
      ([, code, name]) => `${code} ${name}`,
    )
    expect(listed).to.have.members([...new Set(thrown)])
  })

  it('explains each code in different words', () => {
    const meanings = [...sections.values()].map((section) => section.split('\n')[2])
    for (const meaning of meanings) expect(meaning).to.match(/^[A-Z].{15,}\.$/)
    expect(new Set(meanings).size).to.equal(codes.length)
  })

  for (const code of codes) {
    it(`has an example of ${code} that throws it, with its facts`, async () => {
      const error = await run(code).then(
        (result) => new Error(`returned ${result}`),
        (thrown) => thrown,
      )
      if (!(error instanceof MqttError)) throw error
      expect(error.code).to.equal(code)
      const connack = error.connack?.toString('hex')
      expect(line(code, 'answer: ')).to.include(
        connack === undefined ? 'close' : `\`${connack}\`, then close`,
      )
      expect(line(code, 'clause: ')).to.match(new RegExp(`(^| )${error.clause}( |$)`))
      const reason = error.reasonCode.toString(16).toUpperCase()
      expect(line(code, 'reason code ')).to.include(`0x${reason} \``)
      expect(line(code, 'reason code ').split(', ')[1]).to.equal(
        error.returnCode === undefined ? 'no return code' : `return code ${error.returnCode}`,
      )
    })
  }

  for (const code of codes) {
    const relaxable = relaxableCodes.has(code as RelaxableCode)
    it(`says that allow ${relaxable ? 'accepts' : 'does not accept'} ${code}`, async () => {
      expect(line(code, '`allow`: ')).to.match(relaxable ? /^yes\. [A-Z`].*\.$/ : /^no$/)
      if (relaxable) await run(code, [code as RelaxableCode])
      else {
        const bytes = Buffer.from('c000', 'hex')
        expect(() => decode(bytes, { allow: [code as RelaxableCode] }))
          .to.throw(TypeError)
          .with.property('code', 'ERR_INVALID_ARG_VALUE')
      }
    })
  }
})
