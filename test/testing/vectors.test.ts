import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { errorTable } from '../../lib/errors/error-table.ts'
import { decode, type ErrorCode, MqttError } from '../../lib/index.ts'
import { type Vector, vectors } from '../../lib/testing/index.ts'
import { vectorTable } from '../../scripts/vectors.ts'
import { versionNames, versions } from '../conformance/rule.ts'
import { allRules } from '../conformance/rules/index.ts'

/** Codes that only a connection can cause, and no single packet. */
const ofConnections: readonly string[] = [
  'connect-timeout',
  'not-connect',
  'second-connect',
  'not-connack',
  'second-connack',
]

/** The outcome of `decode`, in the form of a vector. */
function verdict({ bytes, protocolVersion, from, options }: Vector): object {
  try {
    decode(bytes, { protocolVersion, from, ...options })
    return {}
  } catch (error) {
    const { code, clause, connack } = error as MqttError
    expect(error).to.be.instanceOf(MqttError)
    return { code, clause, answer: connack?.toString('hex') }
  }
}

describe('vectors', () => {
  it('with a code are refused by decode with this code, clause and answer', () => {
    const invalid = vectors.filter(({ code }) => code !== undefined)
    for (const vector of invalid) {
      const { name, code, clause, answer } = vector
      expect(verdict(vector), name).to.deep.equal({ code, clause, answer: answer?.toString('hex') })
    }
    expect(invalid).to.have.lengthOf.above(300)
  })

  it('without a code are accepted', () => {
    const valid = vectors.filter(({ code }) => code === undefined)
    for (const vector of valid) expect(verdict(vector), vector.name).to.deep.equal({})
    expect(valid).to.have.lengthOf.above(150)
  })

  it('have packets for every code in every version that has its rule', () => {
    const found = new Set(vectors.map(({ code, protocolVersion }) => `${code} ${protocolVersion}`))
    for (const code of Object.keys(errorTable) as ErrorCode[]) {
      if (ofConnections.includes(code)) continue
      const own = versionNames.filter((name) =>
        allRules.some((rule) => rule.code === code && rule.version === name),
      )
      expect(own, code).not.to.be.empty
      for (const name of own) expect(found).to.include(`${code} ${versions[name].level}`)
    }
  })

  it('have a docstring that names the codes without a vector', () => {
    const source = readFileSync(new URL('../../lib/testing/vectors.ts', import.meta.url), 'utf8')
    const [, sentence = ''] = /The codes of a connection \(([^)]*)\) are missing/.exec(source) ?? []
    expect(sentence.match(/[a-z]+-[a-z]+/g)).to.have.members([...ofConnections])
  })

  it('have unique names that say the version', () => {
    const names = vectors.map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
    for (const name of names) expect(name).to.match(/^[^|]+ \((3\.1|3\.1\.1|5\.0)\)$/)
  })

  it('say who sends the packet', () => {
    for (const { bytes, from, name, code } of vectors) {
      if (code === 'wrong-sender') continue
      if (bytes[0]! >> 4 === 1) expect(from, name).to.equal('client')
      if (bytes[0]! >> 4 === 2) expect(from, name).to.equal('server')
    }
  })

  it('are the packets of the conformance tests (`npm run docs`)', () => {
    const file = new URL('../../lib/testing/table.ts', import.meta.url)
    expect(readFileSync(file, 'utf8')).to.equal(vectorTable())
  })
})
