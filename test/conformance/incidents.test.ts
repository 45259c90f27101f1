import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { OpaquePacket, property, type v3_1_1, type v5 } from '../../lib/index.ts'
import { connect3, connect5, framed } from '../support/faults.ts'
import { hex, R5 } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'
import { withProps, withWillProps } from './property-rules.ts'
import {
  allWays,
  build,
  decodeBy,
  expectNotBuilt,
  expectRefused,
  refusalBy,
  refusalsOf,
  type Version,
  versionName,
} from './refusal.ts'
import { hexOf, nulRule, stringFields } from './strings.ts'

/*
 * Packets that have brought other codecs down, let something through that they should have refused, or changed it
 * on its way.
 */

const A = '0001 61'

/** The code, the field and the offset of the refusal, the same in every way of decoding. */
async function refused(bytes: Buffer, protocolVersion: 0 | Version = 0): Promise<unknown[]> {
  const [first, ...others] = await Promise.all(
    allWays.map(async (way) => {
      const { code, field, offset } = await refusalBy(way, bytes, { protocolVersion })
      return [code, field, offset]
    }),
  )
  for (const other of others) expect(other).to.deep.equal(first)
  return first!
}

async function decoded(bytes: Buffer): Promise<v3_1_1.ConnectPacket | v5.ConnectPacket> {
  const packets = await Promise.all(allWays.map((way) => decodeBy[way](bytes, { protocolVersion: 0 })))
  for (const packet of packets) {
    if (packet instanceof Error || packet instanceof OpaquePacket) throw new Error(`not a CONNECT: ${packet}`)
    expect(packet.bytes.equals(bytes)).to.equal(true)
  }
  return packets[0] as v3_1_1.ConnectPacket | v5.ConnectPacket
}

describe('lengths that lie', () => {
  it('a Remaining Length of five bytes is refused at its first, without waiting for a packet', async () => {
    for (const length of ['8080808000', '8080808001', 'ffffffff7f', 'ffffffffff']) {
      const expected = ['variable-byte-integer-too-long', 'remainingLength', 1]
      expect(await refused(hex(`10${length}`))).to.deep.equal(expected)
      expect(await refused(hex(`10${length}${R5}`))).to.deep.equal(expected)
    }
  })

  it('a Remaining Length of 256 MB is refused by a stream at the fixed header', async () => {
    for (const way of ['PacketDecoder', 'readConnect'] as const) {
      const error = await refusalBy(way, hex('10 ffffff7f'), { protocolVersion: 0 })
      expect([error.code, error.reasonCode, error.offset]).to.deep.equal(['packet-too-large', 0x95, 1])
    }
  })

  it('a huge property length is refused at its first byte', async () => {
    for (const length of ['ffffff7f', 'ffff03', '808001']) {
      const bytes = framed(0x10, `0004 4d515454 05 02 003c ${length} ${A}`)
      expect(await refused(bytes)).to.deep.equal(['field-past-end', 'propertyLength', 12])
      const will = connect5('06', '', `${A} ${length} ${A} ${A}`)
      expect(await refused(will)).to.deep.equal(['field-past-end', 'will.propertyLength', 16])
    }
  })

  it('a property length that runs one byte past the packet is refused, one that just fits is read', async () => {
    const withLength = (length: string) => framed(0x10, `0004 4d515454 05 02 003c ${length} 21 0001 ${A}`)
    expect(await refused(withLength('07'))).to.deep.equal(['field-past-end', 'propertyLength', 12])
    // Six bytes are there, but the last three of them are no properties.
    expect(await refused(withLength('06'))).to.deep.equal(['property-unknown', 'props', 16])
    expect((await decoded(withLength('03'))).clientId).to.equal('a')
  })

  it('a property length that ends within a property is refused, although the bytes go on', async () => {
    const bytes = framed(0x10, `0004 4d515454 05 02 003c 02 21 0001 ${A}`)
    expect(await refused(bytes)).to.deep.equal(['property-past-end', 'props.receiveMaximum', 14])
  })

  it('a protocol name of length 2 is refused as another name, and no byte of it is taken for a level', async () => {
    const bytes = framed(0x10, `0002 4d51 04 02 003c ${A}`)
    expect(await refused(bytes)).to.deep.equal(['protocol-name', 'protocolName', 2])
    expect(await refused(framed(0x10, '0002 4d51'))).to.deep.equal(['protocol-name', 'protocolName', 2])
    const error = await refusalBy('readConnect', bytes, { protocolVersion: 0 })
    expect([error.protocolName, error.protocolLevel, error.connack]).to.deep.equal(['MQ', 4, undefined])
  })

  it('a packet that ends behind the protocol name, without a level, is refused', async () => {
    const expected = ['field-past-end', 'protocolLevel', 8]
    for (const asked of [0, 4, 5] as const) {
      expect(await refused(framed(0x10, '0004 4d515454'), asked)).to.deep.equal(expected)
    }
  })

  it('a CONNECT without any content is refused', async () => {
    expect(await refused(hex('1000'))).to.deep.equal(['field-past-end', 'protocolName', 2])
  })

  it('a user name of 65,536 bytes is not cut or wrapped to a length of 0', () => {
    for (const version of [4, 5] as const) {
      const expectTooLong = (fields: object, path: string) =>
        expectMisuse(() => build(version, fields), 'ERR_OUT_OF_RANGE', path)
      expectTooLong({ userName: 'u'.repeat(65_536) }, 'userName')
      expectTooLong({ userName: 'é'.repeat(32_768) }, 'userName')
      expectTooLong({ clientId: 'c'.repeat(65_536) }, 'clientId')
      expectTooLong({ userName: '', password: Buffer.alloc(65_536) }, 'password')
      expectTooLong({ will: { topic: 't', message: 'm'.repeat(65_536) } }, 'will.message')
      expectTooLong({ will: { topic: 't'.repeat(65_536), message: '' } }, 'will.topic')
      const packet = build(version, { userName: 'u'.repeat(65_535) })
      expect(packet.userName).to.have.lengthOf(65_535)
      expect(packet.size).to.equal(1 + 3 + 10 + (version === 5 ? 1 : 0) + 3 + 65_537)
    }
  })
})

describe('properties', () => {
  it('an authentication method that stands twice is refused, not read as a list', async () => {
    const bytes = withProps(`15 ${A} 15 0001 62`)
    expect(await refused(bytes)).to.deep.equal(['property-twice', 'props.authenticationMethod', 17])
    const props = [property.authenticationMethod('a'), property.authenticationMethod('b')]
    const [refusal] = refusalsOf([
      {
        what: 'authentication method twice',
        code: 'property-twice',
        reason: 0x82,
        field: 'props.authenticationMethod',
        v5: { clause: '3.1.2.11', bytes, offset: 17, fields: { props } },
      },
    ])
    expectNotBuilt(refusal!)
  })

  it('will properties without CONNECT properties are encoded and decoded', async () => {
    const props = [property.willDelayInterval(30)]
    for (const connectProps of [undefined, []]) {
      const packet = build(5, { will: { topic: 'a', message: 'a', props }, props: connectProps })
      expect(packet.bytes.toString('hex')).to.equal(withWillProps('18 0000001e').toString('hex'))
    }
    const packet = (await decoded(withWillProps('18 0000001e'))) as v5.ConnectPacket
    expect(packet.will?.props).to.deep.equal(props)
    expect(packet.props).to.deep.equal([])
  })

  for (const [name, id] of [
    ['sessionExpiryInterval', '11'],
    ['maximumPacketSize', '27'],
    ['willDelayInterval', '18'],
    ['messageExpiryInterval', '02'],
  ] as const) {
    it(`${name} of 4,294,967,295 is not -1, and stays what it is`, async () => {
      const ofWill = name === 'willDelayInterval' || name === 'messageExpiryInterval'
      const bytes = (ofWill ? withWillProps : withProps)(`${id} ffffffff`)
      const item = property[name](4_294_967_295)
      const packet = (await decoded(bytes)) as v5.ConnectPacket
      expect(ofWill ? packet.will?.props : packet.props).to.deep.equal([item])
      expect(packet.toString()).to.contain(',val:4294967295}')
      expect(JSON.stringify(packet)).to.contain('"value":4294967295')
      const fields = ofWill ? { will: { topic: 'a', message: 'a', props: [item] } } : { props: [item] }
      expect(build(5, fields).bytes.toString('hex')).to.equal(bytes.toString('hex'))
      expect(packet.with({ keepAlive: 60 }).bytes.toString('hex')).to.equal(bytes.toString('hex'))
    })
  }
})

describe('strings that are not what they seem', () => {
  it('the client ids FF FE and C0 80 never become one string', async () => {
    for (const content of ['fffe', 'c080']) {
      expect(await refused(connect3('02', `0002 ${content}`))).to.deep.equal([
        'client-id-not-utf8',
        'clientId',
        14,
      ])
      expect(await refused(connect5('02', '', `0002 ${content}`))).to.deep.equal([
        'client-id-not-utf8',
        'clientId',
        15,
      ])
    }
  })

  for (const field of stringFields) {
    const version = versionName(field.version)

    it(`${field.title} with a leading U+FEFF is not the one without it (${version})`, async () => {
      const marked = await decoded(field.bytes(hexOf('\uFEFFa')))
      const plain = await decoded(field.bytes(hexOf('a')))
      expect([field.read(marked), field.read(plain)]).to.deep.equal(['\uFEFFa', 'a'])
      expect(marked.equals(plain)).to.equal(false)
      expect(build(field.version, field.fields('\uFEFFa')).equals(marked)).to.equal(true)
    })

    it(`${field.title} with U+0000 is refused, first, within and last, decoded and built (${version})`, async () => {
      const [code] = field.nul
      for (const [text, at] of [
        ['\0', 0],
        ['\0a', 0],
        ['a\0b', 1],
        ['a\0', 1],
      ] as const) {
        const expected = [code, field.field, field.at + at]
        expect(await refused(field.bytes(hexOf(text)))).to.deep.equal(expected)
        const error = await refusalBy('bufferToPacketVariant', field.bytes(hexOf(text)), {
          protocolVersion: field.version,
        })
        expect(error.reasonCode).to.equal(field.reason)
      }
      const [refusal] = refusalsOf([nulRule(field)])
      await expectRefused(refusal!)
      expectNotBuilt(refusal!)
    })
  }

  it('U+0000 in binary data is data', async () => {
    const bytes = connect3('c6', `${A} ${A} 0003 610062 ${A} 0001 00`)
    const packet = await decoded(bytes)
    expect([packet.will?.message.toString(), packet.password?.toString()]).to.deep.equal(['a\0b', '\0'])
    const again = build(4, { will: { topic: 'a', message: 'a\0b' }, userName: 'a', password: '\0' })
    expect(again.bytes.toString('hex')).to.equal(bytes.toString('hex'))
  })
})
