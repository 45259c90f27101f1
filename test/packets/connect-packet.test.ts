import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  ControlPacketType,
  decode,
  explain,
  ProtocolVersion,
  property,
  v3_1,
  v3_1_1,
  v5,
  Will,
} from '../../lib/index.ts'
import { buildV3, buildV3_1, buildV5, decodeV3, decodeV3_1, decodeV5 } from '../support/packets.ts'
import { fieldsOfR3, fieldsOfR5, hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'

/** The differences between the versions in a small packet. */
const versions = [
  { name: '3.1', level: 3, build: buildV3_1, decode: decodeV3_1, start: '0006 4d5149736470 03', noProps: '' },
  { name: '3.1.1', level: 4, build: buildV3, decode: decodeV3, start: '0004 4d515454 04', noProps: '' },
  { name: '5.0', level: 5, build: buildV5, decode: decodeV5, start: '0004 4d515454 05', noProps: '00' },
] as const

function framed(body: string): Buffer {
  const bytes = hex(body)
  return Buffer.concat([Buffer.from([0x10, bytes.length]), bytes])
}

for (const { name, level, build, decode, start, noProps } of versions) {
  describe(`ConnectPacket of ${name}`, () => {
    it('encodes the smallest packet', () => {
      const packet = build()
      expect(packet.bytes).to.deep.equal(framed(`${start} 02 0000 ${noProps} 0001 63`))
      expect(packet.size).to.equal(packet.bytes.length)
      expect(packet.bytes).to.equal(packet.bytes)
      expect([packet.type, packet.protocolVersion]).to.deep.equal([ControlPacketType.connect, level])
      expect((packet.constructor as typeof v5.ConnectPacket).type).to.equal(0x10)
    })

    it('encodes each field in its place', () => {
      const will = { topic: 'a/b', message: Buffer.from([0xff]), qos: 2, retain: true } as const
      const packet = build({ keepAlive: 258, will, userName: 'un', password: 'pw' })
      expect(packet.bytes).to.deep.equal(
        framed(`${start} f6 0102 ${noProps} 0001 63 ${noProps} 0003 612f62 0001 ff 0002 756e 0002 7077`),
      )
    })

    it('has a will with QoS 0, without retain and without properties unless its fields say otherwise', () => {
      const packet = build({ will: { topic: 't', message: 'm' } })
      expect(packet.bytes).to.deep.equal(
        framed(`${start} 06 0000 ${noProps} 0001 63 ${noProps} 0001 74 0001 6d`),
      )
      const { topic, message, qos, retain, props } = packet.will!
      expect([topic, `${message}`, qos, retain, props]).to.deep.equal(['t', 'm', 0, false, []])
    })

    it('sets the connect flags of each will QoS and of retain', () => {
      const flagsAt = hex(start).length + 2
      const flags = (qos: 0 | 1 | 2, retain: boolean) =>
        build({ will: { topic: 't', message: '', qos, retain } }).bytes[flagsAt]
      expect([flags(0, false), flags(1, false), flags(2, false)]).to.deep.equal([0x06, 0x0e, 0x16])
      expect([flags(0, true), flags(1, true), flags(2, true)]).to.deep.equal([0x26, 0x2e, 0x36])
    })

    it('accepts a Will, its fields, and the will of another packet alike', () => {
      const fields = { topic: 'a/b', message: Buffer.from([0, 255]), qos: 2, retain: true } as const
      const packet = build({ will: fields })
      expect(packet.will).to.be.instanceOf(Will)
      for (const will of [
        new Will(fields),
        packet.will,
        decode(packet.bytes).will,
        packet.will?.toFields(),
      ]) {
        expect(build({ will }).equals(packet as never)).to.equal(true)
      }
    })

    it('encodes a password string as UTF-8 and bytes as they are', () => {
      const text = build({ userName: 'u', password: 'päss' })
      expect(text.password).to.deep.equal(Buffer.from('päss'))
      const raw = hex('00 ff c0 80 ed a0 80')
      const packet = build({
        userName: '',
        password: new Uint8Array(raw),
        will: { topic: 't', message: raw },
      })
      expect(packet.password).to.deep.equal(raw)
      expect(packet.will?.message).to.deep.equal(raw)
    })

    it('keeps absent, empty and zero apart', () => {
      const none = Buffer.alloc(0)
      for (const value of [undefined, '', '0']) {
        const { userName, password } = decode(build({ userName: value ?? 'u', password: value }).bytes)
        expect(userName).to.equal(value ?? 'u')
        expect(password).to.deep.equal(
          value && Buffer.from(value) ? Buffer.from(value) : value === '' ? none : value,
        )
        expect(decode(build({ userName: value }).bytes).userName).to.equal(value)
      }
      expect(decode(build().bytes).will).to.equal(undefined)
      expect(decode(build({ will: undefined }).bytes).will).to.equal(undefined)
      expect(decode(build({ will: { topic: 't', message: '' } }).bytes).will?.message).to.deep.equal(none)
    })

    it('accepts strings of 65,535 bytes in every field', () => {
      const longest = `${'é'.repeat(32767)}x`
      const clientId = name === '3.1' ? 'c' : longest
      const will = { topic: longest, message: longest }
      const packet = decode(build({ clientId, userName: longest, password: longest, will }).bytes)
      expect(packet.clientId === clientId && packet.userName === longest).to.equal(true)
      expect(packet.will?.topic === longest && packet.will.message.length === 65535).to.equal(true)
      expect(packet.password).to.have.length(65535)
    })

    it('writes the Remaining Length in its shortest form around each boundary', () => {
      const without = build({ userName: '' }).size - 2
      for (const [length, header] of [
        [127, '107f'],
        [128, '108001'],
        [16383, '10ff7f'],
        [16384, '10808001'],
      ] as const) {
        const { bytes } = build({ userName: 'x'.repeat(length - without) })
        expect(bytes.toString('hex', 0, header.length / 2)).to.equal(header)
        expect(bytes.length).to.equal(length + header.length / 2)
      }
    })

    it('does not follow changes of the bytes that it was built from', () => {
      const password = Buffer.from('before')
      const message = Buffer.from('before')
      const packet = build({ userName: 'u', password, will: { topic: 't', message } })
      password.fill(0)
      message.fill(0)
      expect(`${packet.password} ${packet.will?.message}`).to.equal('before before')
    })

    it('keeps U+FEFF at the start of a string [MQTT-1.5.3-3] [MQTT-1.5.4-3]', () => {
      const text = '\uFEFFx'
      const packet = decode(
        build({ clientId: text, userName: text, will: { topic: text, message: '' } }).bytes,
      )
      expect([packet.clientId, packet.userName, packet.will?.topic]).to.deep.equal([text, text, text])
    })
  })
}

describe('v3_1_1.ConnectPacket', () => {
  it('encodes the fields of the reference packet into its bytes, and reads them', () => {
    expect(new v3_1_1.ConnectPacket(fieldsOfR3).bytes.toString('hex')).to.equal(R3)
    expect(decodeV3(hex(R3)).toFields()).to.deep.equal({
      ...fieldsOfR3,
      password: Buffer.from('s3cret-passw0rd'),
    })
  })

  it('may have an empty client id only with clean session [MQTT-3.1.3-8]', () => {
    expect(buildV3({ clientId: '' }).bytes).to.deep.equal(hex('10 0c 0004 4d515454 04 02 0000 0000'))
    expectRefusal(() => buildV3({ clientId: '', cleanSession: false }), 'client-id-empty', 'clientId', 12)
  })

  it('may have a password only with a user name [MQTT-3.1.2-22]', () => {
    expectRefusal(() => buildV3({ password: 'p' }), 'password-without-user-name', 'connectFlags', 9)
  })
})

describe('v5.ConnectPacket', () => {
  it('encodes the fields of the reference packet into its bytes, and reads them', () => {
    expect(new v5.ConnectPacket(fieldsOfR5).bytes.toString('hex')).to.equal(R5)
    const { will, ...fields } = decodeV5(hex(R5)).toFields()
    expect(fields).to.deep.equal({
      cleanStart: true,
      keepAlive: 60,
      clientId: 'sensor-0042',
      userName: 'device',
      password: Buffer.from('s3cret-passw0rd'),
      props: [
        { id: 0x11, value: 3600 },
        { id: 0x21, value: 100 },
        { id: 0x26, key: 'region', value: 'eu-west-1' },
        { id: 0x26, key: 'fw', value: '1.2.3' },
      ],
    })
    expect(will).to.deep.equal({
      topic: 'devices/sensor-0042/status',
      message: Buffer.from('offline'),
      qos: 1,
      retain: true,
      props: [
        { id: 0x18, value: 30 },
        { id: 0x03, value: 'text/plain' },
      ],
    })
  })

  it('may have an empty client id, and a password without user name', () => {
    const packet = decodeV5(buildV5({ cleanStart: false, clientId: '', password: 'token' }).bytes)
    expect([packet.cleanStart, packet.clientId, packet.userName]).to.deep.equal([false, '', undefined])
    expect(packet.password).to.deep.equal(Buffer.from('token'))
  })

  it('writes a property length of 1, 2 and 3 bytes in its shortest form', () => {
    for (const [size, wire] of [
      [127, '7f26'],
      [128, '800126'],
      [16383, 'ff7f26'],
      [16384, '80800126'],
    ] as const) {
      const props = [property.userProperty('', 'x'.repeat(size - 5))]
      const packet = buildV5({ props, will: { topic: 't', message: '', props } })
      const first = packet.bytes.indexOf(hex(wire))
      expect(packet.bytes.indexOf(hex(wire), first + 1)).to.be.greaterThan(first)
      const decoded = decodeV5(packet.bytes)
      expect([decoded.props, decoded.will?.props]).to.deep.equal([props, props])
    }
  })

  it('may be far longer than 65,535 bytes, all of it properties', () => {
    const props = Array.from({ length: 5 }, (_, i) => property.userProperty(`${i}`, 'v'.repeat(65535)))
    expect(decodeV5(buildV5({ props }).bytes).props).to.deep.equal(props)
  })

  it('does not follow changes of the properties that it was built from', () => {
    const data = Buffer.from('before')
    const props = [property.authenticationMethod('m'), property.authenticationData(data)]
    const packet = buildV5({ props })
    data.fill(0)
    props.length = 0
    expect(packet.property(0x16)).to.deep.equal(Buffer.from('before'))
  })
})

describe('v3_1.ConnectPacket', () => {
  const only3_1 = { protocolVersion: ProtocolVersion.v3_1 } as const

  it('is decoded only if the caller asks for it', () => {
    const { bytes } = buildV3_1()
    expectRefusal(() => decode(bytes), 'protocol-mqtt-3-1', 'protocolName', 2)
    expect(decode(bytes, only3_1)).to.be.instanceOf(v3_1.ConnectPacket)
    expect(decode(bytes, { allow: ['protocol-mqtt-3-1'] })).to.be.instanceOf(v3_1.ConnectPacket)
    expectRefusal(() => decode(hex(R3), only3_1), 'protocol-level', 'protocolLevel', 8)
  })

  it('is not named by an error about the level of a different protocol name', () => {
    const allow = ['protocol-mqtt-3-1'] as const
    const wrongLevel = (bytes: Buffer, at: number, options: object) => () => {
      const wrong = Buffer.from(bytes)
      wrong[at] = 9
      decode(wrong, options)
    }
    const { bytes } = buildV3_1()
    expect(wrongLevel(hex(R3), 8, { allow })).to.throw('protocolLevel: must be 4 or 5 (byte 8)')
    expect(wrongLevel(bytes, 10, { allow })).to.throw('protocolLevel: must be 3 (byte 10)')
    expect(wrongLevel(hex(R3), 8, only3_1)).to.throw('protocolLevel: must be 3 (byte 8)')
  })

  it('has a client id of 1 to 23 characters, whatever they take in bytes', () => {
    expect(buildV3_1({ clientId: '😀'.repeat(23) }).clientId).to.have.length(46)
    expectRefusal(() => buildV3_1({ clientId: 'é'.repeat(24) }), 'client-id-too-long', 'clientId', 14)
    expectRefusal(() => buildV3_1({ clientId: '' }), 'client-id-empty', 'clientId', 14)
  })

  it('may end before the user name or the password that its flags announce', () => {
    const payload = (flags: string, rest: string) =>
      decodeV3_1(framed(`0006 4d5149736470 03 ${flags} 0000 0001 63 ${rest}`))
    for (const [flags, rest, userName, password] of [
      ['c2', '', undefined, undefined],
      ['82', '', undefined, undefined],
      ['c2', '0001 75', 'u', undefined],
      ['c2', '0001 75 0001 70', 'u', 'p'],
      ['c2', '0000', '', undefined],
      ['c2', '0000 0000', '', ''],
    ] as const) {
      const packet = payload(flags, rest)
      expect([packet.userName, packet.password?.toString()], `${flags} ${rest}`).to.deep.equal([
        userName,
        password,
      ])
      expect(Buffer.concat(packet.constBufferSequence())).to.deep.equal(packet.bytes)
      expect(packet.with({}).userName).to.equal(userName)
    }
    expectRefusal(() => payload('c2', '0002 75'), 'field-past-end', 'userName', 17)
    expectRefusal(() => payload('c2', '00'), 'field-past-end', 'userName', 17)
    expectRefusal(() => payload('c2', '0001 75 00'), 'field-past-end', 'password', 20)
    expectRefusal(() => payload('02', '00'), 'bytes-left-over', 'bytesLeftOver', 17)
    expectRefusal(() => payload('82', '0001 75 0001 70'), 'bytes-left-over', 'bytesLeftOver', 20)
  })

  it('that ends before its password is explained like any other', () => {
    const bytes = framed('0006 4d5149736470 03 c2 0000 0001 63 0004 75736572')
    const { rows, error } = explain(bytes, only3_1)
    expect(error).to.equal(undefined)
    expect(rows.at(-1)).to.include({ field: 'userName', value: '"user"' })
    // The packet is invalid, and without its password it could also be one that lacks an earlier field. The apparent client id
    // would then be another field, so it's hidden.
    const tooLong = framed(`0006 4d5149736470 03 c2 0000 0018 ${'41'.repeat(24)} 0004 75736572`)
    const shown = explain(tooLong, only3_1).rows.findLast(({ field }) => field === 'clientId')
    expect(shown).to.include({ value: '*****' })
  })

  it('may have a password without user name only if that is allowed', () => {
    const bytes = framed('0006 4d5149736470 03 42 0000 0001 63 0001 70')
    expectRefusal(() => decode(bytes, only3_1), 'password-without-user-name', 'connectFlags', 11)
    const packet = decode(bytes, { ...only3_1, allow: ['password-without-user-name'] }) as v3_1.ConnectPacket
    expect([packet.userName, `${packet.password}`]).to.deep.equal([undefined, 'p'])
  })

  it('ignores bit 0, and will QoS and will retain without a will', () => {
    for (const flags of ['03', '1a', '3a', '22']) {
      const packet = decodeV3_1(framed(`0006 4d5149736470 03 ${flags} 0000 0001 63`))
      expect([packet.cleanSession, packet.will]).to.deep.equal([true, undefined])
    }
    const withWill = '0006 4d5149736470 03 1e 0000 0001 63 0001 74 0001 6d'
    expectRefusal(() => decodeV3_1(framed(withWill)), 'will-qos', 'connectFlags', 11)
  })
})

describe('the bridge bit', () => {
  const allow = ['protocol-bridge-level'] as const

  for (const { name, level, build, start } of [versions[0], versions[1]]) {
    it(`is kept by ${name} in bytes, fields and changes, and decoded only if that is allowed`, () => {
      const packet = build({ bridge: true })
      const levelAt = hex(start).length + 1
      expect(packet.bytes[levelAt]).to.equal(0x80 | level)
      expect(packet.with({ clientId: 'd' }).bridge).to.equal(true)
      expect(packet.with({ bridge: false }).equals(build() as never)).to.equal(true)
      expect(packet.toFields().bridge).to.equal(true)
      expect([build().bridge, 'bridge' in build().toFields()]).to.deep.equal([false, false])
      expect([packet.protocolVersion, packet.toString()]).to.deep.equal([
        level,
        `${build()}`.replace('cs:1', 'cs:1,br:1'),
      ])
      for (const protocolVersion of [level, ProtocolVersion.undetermined]) {
        expectRefusal(
          () => decode(packet.bytes, { protocolVersion }),
          'protocol-bridge-level',
          'protocolLevel',
          levelAt,
        )
      }
      const decoded = decode(packet.bytes, { protocolVersion: level, allow }) as v3_1_1.ConnectPacket
      expect([decoded.bridge, decoded.equals(packet)]).to.deep.equal([true, true])
    })
  }

  it('is a wrong level with 5, also if it is allowed', () => {
    const bytes = Buffer.from(buildV5().bytes)
    bytes[8] = 0x85
    expectRefusal(() => decode(bytes, { allow }), 'protocol-level', 'protocolLevel', 8)
    expectMisuse(() => buildV5({ bridge: true } as never), 'ERR_INVALID_ARG_VALUE', "Unknown field 'bridge'")
  })
})

describe('Will', () => {
  it('has the message as a Buffer of UTF-8', () => {
    const { message } = new Will({ topic: 't', message: '€😀' })
    expect(Buffer.isBuffer(message)).to.equal(true)
    expect(message).to.deep.equal(hex('e282ac f09f9880'))
  })

  it('has binary properties as Buffers, so that bytes are not printed as numbers', () => {
    for (const value of [new Uint8Array([97, 98]), 'ab']) {
      const will = new Will({ topic: 't', message: '', props: [{ id: 9, value: value as Buffer }] })
      expect(will.property(9)).to.deep.equal(Buffer.from('ab'))
      expect(`${will}`).to.contain('{id:correlation_data,val:ab}')
      expect(JSON.stringify(will)).to.contain('"value":"ab"')
    }
  })

  it('keeps a property list of its own', () => {
    const props = [property.contentType('a')]
    const will = new Will({ topic: 't', message: '', props })
    props.pop()
    expect(will.props).to.deep.equal([{ id: 3, value: 'a' }])
  })

  it('is built again from its fields', () => {
    const will = new Will({
      topic: 't',
      message: 'm',
      qos: 1,
      retain: true,
      props: [property.contentType('a')],
    })
    expect(new Will(will.toFields()).toFields()).to.deep.equal(will.toFields())
  })
})
