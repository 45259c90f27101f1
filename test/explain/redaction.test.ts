import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { hiddenBytes, isSecret } from '../../lib/explain/hidden-bytes.ts'
import { type Explanation, explain } from '../../lib/explain/index.ts'
import {
  type PacketVariant,
  type ProtocolVersion,
  property,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { usual } from '../support/arbitraries.ts'
import { connect3, connect5, faultExamples, framed } from '../support/faults.ts'
import { type FieldPacket, isFieldPacket } from '../support/kinds.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { allThatIsSaid, halves, SECRET, withByte } from './support.ts'

const secretHex = Buffer.from(SECRET).toString('hex')

/**
 * Expects the secret to be hidden, both as text and as bytes, unless the packet is valid and the bytes aren't a secret in it:
 * one changed byte may turn a password into a will message. Returns true in that case.
 *
 * @param at position of the secret
 */
function expectHidden(
  bytes: Buffer,
  options: object = {},
  at: number = bytes.indexOf(SECRET),
  says: (explanation: Explanation) => string = allThatIsSaid,
): boolean {
  const explanation = explain(bytes, options)
  const said = says(explanation)
  if (!halves.some((half) => said.includes(half)) && (at < 0 || !isSeenAt(explanation, at))) return false
  if (!isShownBy(explanation.packet))
    expect.fail(`a secret is shown of ${bytes.toString('hex')}\n${explanation}`)
  return true
}

/** True if a row shows any byte of the secret at `at`. */
function isSeenAt({ rows }: Explanation, at: number): boolean {
  return rows.some((row) => {
    const isHidden = hiddenBytes(row)
    const from = Math.max(at, row.offset)
    const to = Math.min(at + SECRET.length, row.offset + row.length)
    for (let i = from; i < to; i++) if (!isHidden(i - row.offset)) return true
    return false
  })
}

/** True if the packet's own text shows the secret. An OpaquePacket never does. */
function isShownBy(packet: PacketVariant | undefined): boolean {
  return packet !== undefined && isFieldPacket(packet) && halves.some((half) => `${packet}`.includes(half))
}

/** The text of an explanation's rows and of its error. */
function saidInRows({ rows, error }: Explanation): string {
  return rows.map(({ hex, value }) => `${hex.replaceAll(' ', '')} ${value}`).join('\n') + error?.message
}

const will = { topic: 'a/b', message: 'gone' }
const base = { cleanStart: true, keepAlive: 60, clientId: 'dev' }
const old = { cleanSession: true, keepAlive: 60, clientId: 'dev' }
const method = property.authenticationMethod('PLAIN')
const data = property.authenticationData(SECRET)
const pair = property.userProperty('a', 'b')

const packets: Readonly<Record<string, FieldPacket>> = {
  'MQTT 3.1': new v3_1.ConnectPacket({ ...old, userName: 'u', password: SECRET, will }),
  'MQTT 3.1.1': new v3_1_1.ConnectPacket({ ...old, userName: 'u', password: SECRET }),
  'MQTT 3.1.1 of a bridge, with a will': new v3_1_1.ConnectPacket({
    ...old,
    userName: 'u',
    password: SECRET,
    will,
    bridge: true,
  }),
  'MQTT 5.0': new v5.ConnectPacket({ ...base, userName: 'u', password: SECRET }),
  'MQTT 5.0 with authentication data first': new v5.ConnectPacket({ ...base, props: [data, method, pair] }),
  'MQTT 5.0 with authentication data last, a will and a password': new v5.ConnectPacket({
    ...base,
    password: SECRET,
    props: [pair, method, data],
    will: { ...will, props: [property.correlationData('1')] },
  }),
  'MQTT 5.0 in a CONNACK': new v5.ConnackPacket({
    sessionPresent: false,
    reasonCode: 0,
    props: [method, data, property.reasonString('r'), pair],
  }),
}

/** A will message isn't a secret, but has to be hidden if a length may be wrong. */
const withWillMessage: readonly FieldPacket[] = [
  new v3_1.ConnectPacket({ ...old, will: { topic: 'a', message: SECRET } }),
  new v3_1_1.ConnectPacket({ ...old, will: { topic: 'a', message: SECRET }, userName: 'u' }),
  new v5.ConnectPacket({ ...base, will: { topic: 'a', message: SECRET, props: [pair] }, userName: 'u' }),
]

/** Values with a meaning in a byte of structure: property identifiers and lengths. With `ALL_RUNS=1`, all values. */
const structural = Array.from({ length: 256 }, (_, i) => i).filter(
  (value) => value < 0x30 || value > 0xf8 || value === 0x7f || value === 0x80 || usual(256) === 256,
)

/** Sets each byte to some other values, among them every single flipped bit. */
function* changes(bytes: Buffer): Generator<Buffer> {
  for (const [at, was] of bytes.entries()) {
    const isText = /[\w/-]/.test(String.fromCharCode(was)) && bytes[at - 1] !== 0
    const flipped = Array.from({ length: 8 }, (_, bit) => was ^ (1 << bit))
    const values = isText ? [...flipped, was + 1, was - 1, 0, 0x16, 0xff] : [...structural, ...flipped]
    for (const value of values) if (value !== was) yield withByte(bytes, at, value & 0xff)
  }
}

describe('explain hides password and authentication data', () => {
  for (const [what, { bytes, protocolVersion }] of Object.entries(packets)) {
    const options = {
      protocolVersion: protocolVersion as ProtocolVersion,
      allow: ['protocol-bridge-level'] as const,
    }

    it(`of ${what}, in rows, text, JSON and inspect, unless asked`, () => {
      const explanation = explain(bytes, options)
      // A valid packet has every secret in its place, so exactly the secrets are hidden.
      for (const row of explanation.rows)
        expect(isSecret(row) && row.length > 2, row.field).to.equal(row.hex.includes('**'))
      expect(explanation.error).to.equal(undefined)
      const said = `${allThatIsSaid(explanation)}${inspect(explanation)}`
      for (const half of halves) expect(said).not.to.include(half)
      const all = allThatIsSaid(explain(bytes, { ...options, secrets: true }))
      expect(all).to.include(SECRET).and.to.include(secretHex)
    })

    it(`of ${what} with any byte changed`, () => {
      let shown = 0
      let i = 0
      const at = bytes.indexOf(SECRET)
      for (const changed of changes(bytes)) {
        if (expectHidden(changed, options, at, i++ % 25 === 0 ? allThatIsSaid : saidInRows)) shown++
      }
      // The will flags turn a password into a will message. In a CONNACK, a different identifier turns the data into a string.
      expect(shown).to.be.at.most(30)
    })

    it(`of ${what} cut anywhere, with or without a Remaining Length that fits, and before other packets`, () => {
      for (let end = 0; end <= bytes.length; end++) {
        const cut = bytes.subarray(0, end)
        const fitting = Buffer.concat([
          bytes.subarray(0, 1),
          Buffer.from([Math.max(end - 2, 0)]),
          bytes.subarray(2, end),
        ])
        for (const each of [cut, fitting, Buffer.concat([cut, bytes]), Buffer.concat([hex('c000'), cut])]) {
          expectHidden(each, options)
        }
      }
    })
  }

  it('and a will message, if a length may be wrong', () => {
    for (const { bytes, protocolVersion } of withWillMessage) {
      const options = { protocolVersion: protocolVersion as ProtocolVersion }
      expect(allThatIsSaid(explain(bytes, options))).to.include(SECRET)
      let i = 0
      const at = bytes.indexOf(SECRET)
      for (const changed of changes(bytes)) {
        expectHidden(changed, options, at, i++ % 25 === 0 ? allThatIsSaid : saidInRows)
      }
      // The lengths in a truncated packet are right, so only the incomplete field is hidden.
      for (let end = 0; end < at + SECRET.length; end++) expectHidden(bytes.subarray(0, end), options)
      for (let end = at + SECRET.length; end < bytes.length; end++)
        expect(allThatIsSaid(explain(bytes.subarray(0, end), options))).to.include(SECRET)
    }
  })

  it('of a packet that is cut short, and shows its complete fields', () => {
    for (const { bytes } of [packets['MQTT 3.1.1']!, packets['MQTT 5.0']!]) {
      const { rows } = explain(bytes.subarray(0, -1))
      const shown = rows.filter(({ hex }) => !hex.includes('*')).map(({ field, value }) => [field, value])
      expect(shown).to.deep.include.members([
        ['clientId', '"dev"'],
        ['userName', '"u"'],
        ['password', '9 bytes'],
      ])
      expect(rows.at(-1)).to.include({ field: 'password', value: '***** (cut short)' })
    }
  })

  it('of a packet that is cut short behind a list of properties whose length is wrong', () => {
    // A user property (0x26) in the place of authentication data (0x16) takes its length for that of a key.
    const list = `15 0003 617364 26 0009 ${secretHex}`
    const whole = framed(0x10, `00044d515454 05 02 003c 12 ${list} 0003 646576`)
    for (let end = whole.indexOf(SECRET); end <= whole.length; end++) expectHidden(whole.subarray(0, end))
  })

  it('in the middle of a row whose last bytes are not known', () => {
    const row = { offset: 0, length: 40, field: 'notRead', value: '', clause: '' }
    const isHidden = (...tokens: string[]) => hiddenBytes({ ...row, hex: tokens.join(' ') })
    expect(isHidden('**', '??', '…', '??')(30)).to.equal(true)
    expect(isHidden('??', '??', '…', '**', '??')(30)).to.equal(true)
    expect(isHidden('??', '??', '…', '??', '??')(30)).to.equal(true)
    expect(isHidden('10', '??', '…', '0c', '??')(30)).to.equal(false)
  })

  it('behind a packet that is too short', () => {
    for (const { bytes, protocolVersion } of Object.values(packets)) {
      const options = { protocolVersion: protocolVersion as ProtocolVersion }
      for (let less = 1; less < 9; less++) expectHidden(withByte(bytes, 1, bytes[1]! - less), options)
      expectHidden(Buffer.concat([hex('c000'), Buffer.from(SECRET)]), options)
      expectHidden(Buffer.concat([hex(R3), Buffer.from(SECRET)]), options)
    }
  })

  it('that goes on behind a packet, because the client has written too small a length twice', () => {
    const head = hex('00044d51545404c2003c0001610003626f62')
    const connect = (length: number, password: Buffer) =>
      Buffer.concat([Buffer.of(0x10, head.length + 2 + length), head, Buffer.of(0, length), password])
    const shown: string[] = []
    const secretAt = 2 + head.length + 2
    const tryIt = (length: number, password: Buffer): void => {
      const { rows } = explain(connect(length, password))
      for (const row of rows.filter(({ offset }) => offset >= secretAt)) {
        const isHidden = hiddenBytes(row)
        for (let i = 0; i < row.length; i++) if (!isHidden(i)) shown.push(`${password} ${row.field}`)
      }
    }
    // Characters instead of bytes.
    for (const password of ['пароль', 'Grüße2024', 'naïve b1', 'überRaschung p4', '密码口令很长的'])
      tryIt([...password].length, Buffer.from(password))
    // A length of one byte.
    for (let i = 0; i < 500; i++)
      tryIt(44, Buffer.from(`${i}abcPQ@0b/`.repeat(40).slice(i % 7, 300 + (i % 7))))
    // A key in several lines.
    for (const line of ['\n', '\r', '\t'])
      tryIt(6, Buffer.from(`secretP${line}${'k'.repeat(line.charCodeAt(0))}`))
    expect(shown).to.deep.equal([])
    // What is certainly a packet is shown.
    const subscribe = `822b7c3a0026${'61'.repeat(38)}00`
    for (const next of [`30ba02000161${'62'.repeat(311)}`, subscribe, '8206de5b00016100', 'e0020400']) {
      const { rows } = explain(Buffer.concat([connect(6, Buffer.from('secret')), hex(next)]))
      expect(rows.filter(({ offset }) => offset > secretAt)[0]!.hex).to.equal(next.slice(0, 2))
    }
  })

  it('that goes on behind a packet, in the type, the size and the identifier of what seems to follow', () => {
    const data = '0b 15 0001 6d 16 0004 61626364'
    const before = [
      [connect3('c2', '0001 61 0001 62 0004 61626364'), {}],
      [connect3('c3', '0001 61 0001 62 0004 61626364'), {}],
      [connect3('82', '0001 61 0001 62 0004 61626364'), { allow: ['bytes-left-over'] }],
      [framed(0xf0, `18 ${data}`), { protocolVersion: 5 }],
      [framed(0x20, `00 00 ${data}`), { protocolVersion: 5 }],
    ] as const
    const pings = (count: number) => Buffer.alloc(2 * count, 'c000', 'hex')
    for (const [bytes, version] of before) {
      for (const rest of ['Pecret99', 'bond007!', '@dmin123', 'p4ssw0rd', '2:zwkkkk']) {
        for (const packetsBefore of [0, 1000]) {
          const all = Buffer.concat([pings(packetsBefore), bytes, Buffer.from(rest), pings(200)])
          for (const options of [{}, { allow: ['bytes-left-over' as const] }]) {
            const { packets, summary } = explain(all, { ...options, ...version })
            const at = packetsBefore * 2 + bytes.length
            const doubtful = packets.find(({ rows }) => rows[0]!.offset === at)
            // After the first 1,000, only an invalid packet is explained.
            if (doubtful === undefined) continue
            expect(doubtful.rows.map(({ hex }) => hex).join(' ')).to.match(/^[* …]+$/)
            expect(JSON.stringify(doubtful)).not.to.match(/"packet"|"size"|\d bytes, not/)
            expect(`${summary}`).not.to.match(/PUB/)
          }
        }
      }
    }
  })

  it('that has not been reached, because the Remaining Length is too small and the rest happens to be whole packets', () => {
    const password =
      'd7addc30891ec62b4d5e02ded7c4d2557e2bb59858eda7d47e4923555d392a3cff058558e614e4569412145f'
    const text = (value: string) => Buffer.concat([Buffer.of(0, value.length), Buffer.from(value)])
    const fields = [text('4ac2767c74ee'), text('ne8531e16310e4ebd14950dd7ce'), text(password)]
    const bytes = Buffer.concat([hex('102400044d51545404c2003c'), ...fields])
    const { packets } = explain(bytes)
    expect(packets).to.have.length.above(1)
    for (const { rows } of packets.slice(1)) for (const row of rows) expect(row.hex).to.match(/^[* …]*$/)
    expect(JSON.stringify(packets.slice(1))).not.to.include('"packet"')
  })

  it('whose last characters are taken for a length', () => {
    const password = 'hunter2secretXY'
    const bytes = new v3_1_1.ConnectPacket({
      ...{ cleanSession: true, keepAlive: 60, clientId: 'one', userName: 'joe', password },
      will: { topic: 'status', message: 'offline' },
    }).bytes
    const lengthAt = bytes.indexOf('offline') - 1
    for (let length = 0; length < 60; length++)
      expect(`${explain(withByte(bytes, lengthAt, length))}`).not.to.match(/22617/)
  })

  it('if the client has forgotten a length or a field', () => {
    const prefixed = `0009${secretHex}`
    const user = '0003 6a6f65'
    expectHidden(connect3('c2', `${user} ${prefixed}`)) // no client id
    expectHidden(connect3('c2', prefixed)) // no client id, no user name
    expectHidden(connect3('c2', `0003646576 ${user} ${secretHex}`)) // no length before the password
    expectHidden(connect3('c2', `0003646576 6a6f65 ${prefixed}`)) // no length before the user name
    expectHidden(connect3('82', `0003646576 ${user} ${prefixed}`)) // no password flag
    expectHidden(connect3('02', `0003646576 ${user} ${prefixed}`)) // no flags
    expectHidden(framed(0x10, `00044d515454 05 c2 003c ${user} ${prefixed}`)) // no property length
    expectHidden(framed(0x10, `00044d515454 04 c2 ${user} ${prefixed}`)) // no keep alive
    expectHidden(framed(0x30, `00044d515454 04 c2 003c 0000 ${user} ${prefixed}`)) // a different packet type
    expectHidden(framed(0x10, `00064d5149736470 03 c2 003c 0000 ${prefixed}`), {
      allow: ['protocol-mqtt-3-1'],
    })
    const reported = '101d00044d51545404c2003c00036a6f65000c533363723374546f6b656e00'
    expect(allThatIsSaid(explain(hex(reported)))).not.to.match(/S3cr3t|533363/)
    expect(allThatIsSaid(explain(hex(reported)))).not.to.include('joe')
  })

  it('after an error, whatever it is', () => {
    for (const { bytes } of faultExamples) expectHidden(Buffer.concat([bytes, Buffer.from(SECRET)]))
    const prefixed = `0009${secretHex}`
    expectHidden(connect3('c2', `0001ff 0001 75 ${prefixed}`))
    expectHidden(connect3('02', `0001 63 ${prefixed}`))
    expectHidden(connect3('c2', `0001 63 0001 75 00ff${secretHex}`))
    expectHidden(connect5('02', `16 ${prefixed}`, '0000'))
    expectHidden(connect5('02', `16 00ff${secretHex}`, '0000'))
    expectHidden(connect3('86', `0001 63 0001 74 ${prefixed} 0001 00`))
    expectHidden(framed(0x10, `0022 ${'78'.repeat(25)} ${secretHex} 04 02 003c 0000`))
    expectHidden(connect3('c2', `0010 61 0001 75 ${prefixed} 00`))
  })

  it('and binary data before an error, even if all lengths fit', () => {
    const props = `0c 09 0009 ${secretHex}`
    expectHidden(connect5('86', '', `0001 63 ${props} 0001 74 0000 0001 ff`))
    expectHidden(connect5('86', '', `0001 63 00 0001 74 0009 ${secretHex} 0001 ff`))
  })

  it('in the body of any other packet, and in bytes left over that are allowed', () => {
    for (let first = 0; first < 256; first++) {
      if (first === 0x10) continue
      for (const body of [`00044d515454 04 c2 003c 0000 0001 75 0009${secretHex}`, `0009${secretHex} 0001`]) {
        const bytes = framed(first, body)
        // DISCONNECT and AUTH are decoded. Their unknown property identifier is shown, because it's the error.
        const isDecoded = first === 0xe0 || first === 0xf0
        expectHidden(bytes, {}, isDecoded ? -1 : bytes.indexOf(SECRET))
      }
    }
    expectHidden(connect3('02', `0001 63 ${secretHex}`), { allow: ['bytes-left-over'] })
    const auth = hex(`f009${secretHex}`)
    expect(allThatIsSaid(explain(auth, { secrets: true }))).to.include(secretHex)
  })

  it('in bytes left over, and says how many they are', () => {
    const { rows } = explain(hex('101000044d5154540402003c000261620102'))
    expect(rows.at(-1)).to.include({ hex: '** **', value: '2 bytes' })
  })

  it('but says their lengths, and shows everything else of a valid packet', () => {
    for (const wire of [R3, R5]) {
      const hidden = explain(hex(wire)).rows.filter((row) => row.hex.includes('*'))
      expect(hidden.map(({ field, length, value }) => [field, length, value])).to.deep.equal([
        ['password', 15, '*****'],
      ])
    }
  })
})

describe('explain with more than 100 properties', () => {
  const many = Array.from({ length: 100 }, () => property.userProperty('k', 'v'))
  const props = [
    ...many,
    property.authenticationMethod('M'),
    property.authenticationData(SECRET),
    property.userProperty('a', 'b'),
  ]
  const packets: readonly (readonly [Buffer, object])[] = [
    [new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c', props }).bytes, {}],
    [new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props }).bytes, { protocolVersion: 5 }],
    [new v5.AuthPacket({ reasonCode: 0x18, props }).bytes, { protocolVersion: 5 }],
  ]

  it('hides a secret in the row that the others share', () => {
    for (const [bytes, options] of packets) {
      expect(expectHidden(bytes, options)).to.equal(false)
      expect(expectHidden(bytes.subarray(0, -3), options)).to.equal(false)
      expect(
        `${explain(bytes, { ...options, secrets: true }).rows.find(({ value }) => /more/.test(value))?.hex}`,
      ).to.contain(secretHex.replace(/..(?=.)/g, '$& ').slice(0, 20))
    }
  })

  it('hides it also if one of its bytes has changed', () => {
    for (const [bytes, options] of packets) {
      const secretAt = bytes.indexOf(SECRET)
      for (let at = secretAt - 12; at < secretAt; at++)
        for (const change of [0x01, 0x08, 0x80])
          expectHidden(withByte(bytes, at, bytes[at]! ^ change), options)
    }
  })
})
