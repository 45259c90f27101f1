import type { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { errorRow, errorTable, relaxableCodes } from '../../lib/errors/error-table.ts'
import {
  bufferToPacketVariant,
  ConnectReasonCode,
  type ErrorCode,
  MqttError,
  PacketDecoder,
  type RelaxableCode,
  readConnect,
} from '../../lib/index.ts'
import { errorsDocument } from '../../scripts/errors-document.ts'
import { faultExamples } from '../support/faults.ts'
import { hex } from '../support/reference.ts'

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const codes = Object.keys(errorTable) as ErrorCode[]

/** What stands under each heading. */
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)

/** The rest of the line of a section that begins so. */
function line(code: string, begin: string): string {
  const found = new RegExp(`^- ${begin}(.*)$`, 'm').exec(sections.get(code)!)
  if (found === null) throw new Error(`no line "${begin}" under ${code}`)
  return found[1]!
}

/** The example packet of a section, and what is said of its use. */
function example(code: string): { use: string; bytes: Buffer } {
  const [, use, digits] = /^(.*): `([0-9a-f]+)`$/.exec(line(code, 'example, '))!
  return { use: use!, bytes: hex(digits!) }
}

/** Uses an example as its section says. */
async function raise(use: string, bytes: Buffer): Promise<unknown> {
  const limit = /with `maximumPacketSize: (\d+)`/.exec(use)
  if (limit !== null) return bufferToPacketVariant(bytes, 0, { maximumPacketSize: Number(limit[1]) })
  if (use.includes('given to a `PacketDecoder` with `session: true`')) {
    const decoder = new PacketDecoder({ connection: true })
    decoder.end(bytes)
    return await decoder.toArray()
  }
  const socket = new PassThrough()
  socket.write(bytes)
  if (use.includes('nothing more within `timeout`')) return await readConnect(socket, { timeout: 1 })
  if (use.includes('given to `readConnect` or to a `PacketDecoder`')) return await readConnect(socket)
  expect(use).not.to.include('`')
  return bufferToPacketVariant(bytes)
}

describe('docs/errors.md', () => {
  it('is what npm run docs writes', () => {
    expect(text).to.equal(errorsDocument())
    const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(scripts.docs).to.equal('node --import ./test/support/strip-types.mjs scripts/write-docs.ts')
  })

  it('has one heading for each code, in the order of the error table', () => {
    expect([...sections.keys()]).to.deep.equal(codes)
    expect(text.match(/^## /gm)).to.have.lengthOf(codes.length)
  })

  it('says of each code what it means, in words of its own', () => {
    const meanings = [...sections.values()].map((section) => section.split('\n')[2])
    for (const meaning of meanings) expect(meaning).to.match(/^[A-Z].{30,}\.$/)
    expect(new Set(meanings).size).to.equal(codes.length)
  })
})

for (const code of codes) {
  describe(`docs/errors.md on ${code}`, () => {
    const row = errorRow(code)

    it('has the reason code, the return code and the clauses of the error table', () => {
      const reason = ConnectReasonCode[row.reason].toString(16).toUpperCase()
      const returns = row.return === undefined ? 'no return code' : `return code ${row.return}`
      expect(line(code, 'reason code ')).to.equal(`0x${reason} \`${row.reason}\`, ${returns}`)

      const { clause } = row
      const [clause3, clause5] = typeof clause === 'string' ? [clause, clause] : [clause.v3_1_1, clause.v5]
      const shown = new Set(faultExamples.filter((one) => one.code === code).map(({ version }) => version))
      const both = clause3 === clause5 ? `${clause3} (3.1.1 and 5.0)` : `${clause3} (3.1.1), ${clause5} (5.0)`
      const only = shown.has(4) ? `${clause3} (3.1.1)` : `${clause5} (5.0)`
      expect(line(code, 'clause ')).to.be.oneOf(shown.size === 1 ? [both, only] : [both])
    })

    it('has an example that raises it, and the answer to that', async () => {
      const { use, bytes } = example(code)
      let error: unknown
      try {
        await raise(use, bytes)
      } catch (thrown) {
        error = thrown
      }
      if (!(error instanceof MqttError)) throw new Error(`not an MqttError: ${error}`)
      expect(error.code).to.equal(code)
      const connack = error.connack?.toString('hex')
      expect(line(code, 'answer: ')).to.include(
        connack === undefined ? 'close the connection' : `\`${connack}\`, then close`,
      )
    })

    it(`says that allow ${relaxableCodes.has(code as RelaxableCode) ? 'takes it' : 'does not take it'}`, () => {
      const allow = [code as RelaxableCode]
      const { bytes } = example(code)
      const decode = () => bufferToPacketVariant(bytes, 0, { allow })
      if (line(code, '`allow`: ').startsWith('yes; ')) {
        expect(decode().bytes).to.equal(bytes)
      } else {
        expect(line(code, '`allow`: ')).to.equal('no')
        expect(decode).to.throw(TypeError).with.property('code', 'ERR_INVALID_ARG_VALUE')
      }
    })
  })
}
