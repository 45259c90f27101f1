import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { property } from '../../lib/packets/index.ts'
import { buildV3, buildV5, decodeV3, decodeV5 } from '../support/packets.ts'

const empty = Buffer.alloc(0)

/** The same questions to both versions. */
const versions = [
  { name: '3.1.1', build: buildV3, decode: decodeV3 },
  { name: '5.0', build: buildV5, decode: decodeV5 },
] as const

describe('absent, empty and zero stay apart', () => {
  for (const { name, build, decode } of versions) {
    it(`in a user name of ${name}`, () => {
      const values = [undefined, '', '0'].map((userName) => decode(build({ userName }).bytes).userName)
      expect(values).to.deep.equal([undefined, '', '0'])
      expect(build({ userName: '' }).equals(build())).to.equal(false)
    })

    it(`in a password of ${name}`, () => {
      const values = [undefined, '', new Uint8Array(0), new Uint8Array([0])].map(
        (password) => decode(build({ userName: 'u', password }).bytes).password,
      )
      expect(values).to.deep.equal([undefined, empty, empty, Buffer.from([0])])
    })

    it(`in a will of ${name} and its message`, () => {
      const message = (bytes: Uint8Array | string) =>
        decode(build({ will: { topic: 't', message: bytes } }).bytes).will?.message
      expect(decode(build().bytes).will).to.equal(undefined)
      expect(decode(build({ will: undefined }).bytes).will).to.equal(undefined)
      expect(message('')).to.deep.equal(empty)
      expect(message(new Uint8Array([0]))).to.deep.equal(Buffer.from([0]))
      expect(message('0')).to.deep.equal(Buffer.from('0'))
    })

    it(`in a client id of ${name}`, () => {
      expect(decode(build({ clientId: '' }).bytes).clientId).to.equal('')
      expect(decode(build({ clientId: '0' }).bytes).clientId).to.equal('0')
    })

    it(`in a keep alive of ${name}: 0 is a value`, () => {
      expect(decode(build({ keepAlive: 0 }).bytes).keepAlive).to.equal(0)
    })

    it(`with every field of ${name} empty at once`, () => {
      const packet = decode(
        build({ clientId: '', userName: '', password: '', will: { topic: 't', message: '' } }).bytes,
      )
      expect([packet.clientId, packet.userName]).to.deep.equal(['', ''])
      expect([packet.password, packet.will?.message]).to.deep.equal([empty, empty])
    })
  }

  it('in property lists: none is an empty list, given or not', () => {
    expect(decodeV5(buildV5().bytes).props).to.deep.equal([])
    expect(buildV5({ props: [] }).equals(buildV5())).to.equal(true)
    expect(buildV5({ props: undefined }).equals(buildV5())).to.equal(true)
    expect(buildV5({ will: { topic: 't', message: '', props: [] } }).will?.props).to.deep.equal([])
  })

  it('in properties: 0 and empty are values', () => {
    const props = [
      property.sessionExpiryInterval(0),
      property.topicAliasMaximum(0),
      property.requestResponseInformation(0),
      property.requestProblemInformation(0),
      property.authenticationMethod(''),
      property.authenticationData(''),
      property.userProperty('', ''),
    ]
    expect(decodeV5(buildV5({ props }).bytes).props).to.deep.equal(props)
  })
})
