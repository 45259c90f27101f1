import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { explain } from '../../lib/explain/index.ts'
import { propertyTable } from '../../lib/protocol/property-table.ts'
import { fieldsV3, fieldsV5, runs, usual } from '../support/arbitraries.ts'
import { connect5, faultExamples, framed } from '../support/faults.ts'
import { buildV3, buildV5 } from '../support/packets.ts'
import { hex, R3 } from '../support/reference.ts'

const dumpOfR3 = `\
  byte  hex                      field                 value             clause
     0  10                       fixed header          CONNECT           2.2
        0001 ....                  packet type         1 CONNECT         2.2.1
        .... 0000                  flags               0000              2.2.2
     1  30                       remaining length      48 bytes          2.2.3
     2  00 04                    protocol name length  4 bytes           3.1.2.1
     4  4d 51 54 54              protocol name         "MQTT"            3.1.2.1
     8  04                       protocol level        4 (MQTT 3.1.1)    3.1.2.2
     9  c2                       connect flags         0xc2              3.1.2.3
        1... ....                  user name flag      1                 3.1.2.8
        .1.. ....                  password flag       1                 3.1.2.9
        ..0. ....                  will retain         0                 3.1.2.7
        ...0 0...                  will QoS            0 (at most once)  3.1.2.6
        .... .0..                  will flag           0                 3.1.2.5
        .... ..1.                  clean session       1                 3.1.2.4
        .... ...0                  reserved            0                 3.1.2.3
    10  00 3c                    keep alive            60 s              3.1.2.10
    12  00 0b                    client id length      11 bytes          3.1.3.1
    14  73 65 6e 73 6f 72 2d 30  client id             "sensor-0042"     3.1.3.1
        30 34 32
    25  00 06                    user name length      6 bytes           3.1.3.4
    27  64 65 76 69 63 65        user name             "device"          3.1.3.4
    33  00 0f                    password length       15 bytes          3.1.3.5
    35  ** ** ** ** ** ** ** **  password              *****             3.1.3.5
        ** ** ** ** ** ** **

valid    MQTT 3.1.1 CONNECT of 50 bytes
text     v3_1_1::connect{cid:sensor-0042,ka:60,cs:1,un:device,pw:*****}
hidden   bytes ** are, or may be, a secret; the option \`secrets\` shows them`

/** A 5.0 CONNECT with receive maximum 0 after a session expiry interval. Its client id is never reached. */
const invalidV5 = connect5('02', '11 00000e10 21 0000', '0001 63')

const dumpOfInvalidV5 = `\
  byte  hex          field                 value                    clause
     0  10           fixed header          CONNECT                  2.1.1
        0001 ....      packet type         1 CONNECT                2.1.2
        .... 0000      flags               0000                     2.1.3
     1  16           remaining length      22 bytes                 2.1.4
     2  00 04        protocol name length  4 bytes                  3.1.2.1
     4  4d 51 54 54  protocol name         "MQTT"                   3.1.2.1
     8  05           protocol level        5 (MQTT 5.0)             3.1.2.2
     9  02           connect flags         0x02                     3.1.2.3
        0... ....      user name flag      0                        3.1.2.8
        .0.. ....      password flag       0                        3.1.2.9
        ..0. ....      will retain         0                        3.1.2.7
        ...0 0...      will QoS            0 (at most once)         3.1.2.6
        .... .0..      will flag           0                        3.1.2.5
        .... ..1.      clean start         1                        3.1.2.4
        .... ...0      reserved            0                        3.1.2.3
    10  00 3c        keep alive            60 s                     3.1.2.10
    12  08           property length       8 bytes                  3.1.2.11.1
    13  11             property            session expiry interval  3.1.2.11.2
    14  00 00 0e 10      value             3600 s                   3.1.2.11.2
    18  21             property            receive maximum          3.1.2.11.3
>   19  00 00            value             0                        3.1.2.11.3
    21  ** ** **     not read              3 bytes

invalid  props.receiveMaximum: must not be 0 (byte 19)
code     receive-maximum-zero, reason 0x82 (protocol error)
clause   3.1.2.11.3
answer   CONNACK 20 03 00 82 00, then close
hidden   bytes ** are, or may be, a secret; the option \`secrets\` shows them`

/** The terminal columns of a line, counting every character that may be wide as wide. */
function columns(line: string): number {
  return [...line].reduce(
    (sum, character) => sum + (/[\u1100-\u2025\u2027-\u{10ffff}]/u.test(character) ? 2 : 1),
    0,
  )
}

function expectNarrow(bytes: Uint8Array): string {
  for (const secrets of [false, true]) {
    for (const line of explain(bytes, { secrets }).toString().split('\n')) {
      if (columns(line) > 100 || line !== line.trimEnd() || /\p{Cc}/u.test(line)) expect.fail(line)
    }
  }
  return `${explain(bytes)}`
}

describe('the dump', () => {
  it('of R3 is this', () => {
    expect(`${explain(hex(R3))}`).to.equal(dumpOfR3)
  })

  it('of an invalid 5.0 packet is this', () => {
    expect(`${explain(invalidV5)}`).to.equal(dumpOfInvalidV5)
  })

  it('is what console.log shows', () => {
    expect(inspect(explain(hex(R3)))).to.equal(dumpOfR3)
  })

  it('says of an opaque packet whether there is a body that is not decoded', () => {
    for (const [bytes, name] of [
      ['c000', 'PINGREQ of 2'],
      ['d000', 'PINGRESP of 2'],
      ['40020001', 'PUBACK of 4'],
    ] as const) {
      const explanation = explain(hex(bytes))
      expect(`${explanation}`).to.match(new RegExp(`\\nvalid {4}${name} bytes$`, 'm'))
      expect(explanation.toJSON()).to.include({ valid: true })
    }
    // These packets are too short for their type. Their bodies aren't decoded, so they're reported neither as valid nor as
    // invalid.
    for (const [bytes, name] of [
      ['3000', 'PUBLISH of 2'],
      ['820420020000', 'SUBSCRIBE of 6'],
      ['82020001', 'SUBSCRIBE of 4'],
      ['90020001', 'SUBACK of 4'],
      ['b0020001', 'UNSUBACK of 4'],
    ] as const) {
      const explanation = explain(hex(bytes))
      expect(`${explanation}`).to.match(new RegExp(`\\nnot decoded  ${name} bytes$`, 'm'))
      expect(explanation.toJSON()).not.to.have.property('valid')
    }
    const publish = `${explain(hex('30050001616869'))}`
    expect(publish)
      .to.include('\nnot decoded  PUBLISH of 7 bytes\n')
      .and.not.to.match(/\bvalid\b/)
  })

  it('says just close, and what the bytes look like', () => {
    for (const [bytes, name] of [
      ['GET / HTTP/1.1\r\n', 'HTTP'],
      ['\x16\x03\x01\x02\x00', 'TLS'],
      ['\r\n\r\n\0\r\nQUIT\n', 'the PROXY protocol, version 2'],
    ] as const) {
      const text = `${explain(Buffer.from(bytes, 'latin1'))}`
      expect(text).to.include(`\nanswer   none: just close\nhint     the bytes look like ${name}\n`)
    }
  })

  it('of no bytes says that the packet is incomplete', () => {
    expect(`${explain(new Uint8Array())}`).to.include('\ncode     packet-incomplete, reason 0x81')
    for (const bytes of [hex(''), hex('10'), hex(R3).subarray(0, 20)]) {
      expect(explain(bytes).summary).to.deep.include(['hint', 'wait for the other bytes'])
      expect(`${explain(bytes)}`).not.to.match(/^answer/m)
    }
  })

  it('takes at most 100 columns for any valid packet', () => {
    fc.assert(
      fc.property(fieldsV3, fieldsV5, (three, five) => {
        expectNarrow(buildV3(three).bytes)
        expectNarrow(buildV5(five).bytes)
      }),
      { ...runs, numRuns: usual(100) },
    )
  })

  it('takes at most 100 columns for each fault, with the longest names', () => {
    for (const { bytes } of faultExamples) expectNarrow(bytes)
    for (const { id, in: lists } of Object.values(propertyTable)) {
      const text = expectNarrow(connect5('02', `${id.toString(16).padStart(2, '0')}00`, '0000'))
      if (!('connect' in lists)) expect(text).to.include('property-not-allowed-here')
    }
  })

  it('takes at most 100 columns for long content, and for wide, escaped and joined characters', () => {
    for (const text of ['x', 'x y ', '漢', '😀', '\u0001', '\u{e0001}', 'e\u0301', '👨‍👩‍👧', '"', '\u1100']) {
      for (const times of [1, 20, 61, 3000]) {
        const value = text.repeat(times)
        const will = { topic: value, message: value }
        expectNarrow(buildV5({ clientId: value, userName: value, will }).bytes)
      }
    }
  })

  it('takes at most 100 columns for a packet of many megabytes', function () {
    this.timeout(60_000)
    const bytes = Buffer.alloc(20_000_000, 'x')
    Buffer.from('10fbd9c409', 'hex').copy(bytes)
    expect(expectNarrow(bytes)).to.include('protocol-name')
    bytes[0] = 0x30
    expect(expectNarrow(bytes)).to.include('PUBLISH of 20000000 bytes')
  })

  it('keeps the columns of the table in line', () => {
    const lines = expectNarrow(
      buildV5({ clientId: '漢字'.repeat(30), userName: 'é😀'.repeat(20) }).bytes,
    ).split('\n')
    const clauseAt = columns(lines[0]!.slice(0, lines[0]!.indexOf('clause')))
    for (const line of lines.slice(1, lines.indexOf(''))) {
      const at = line.search(/ {2}\d(\.\d+)+$/)
      if (at >= 0) expect(columns(line.slice(0, at)) + 2, line).to.equal(clauseAt)
    }
  })

  it('shows the position of the fault in a long string', () => {
    const long = `${'61'.repeat(300)}ff${'62'.repeat(40)}`
    const text = expectNarrow(framed(0x10, `00044d515454 04 02 003c 0155 ${long}`))
    expect(text).to.include('then 0xff')
    expect(text).to.match(/invalid {2}clientId: .*\(byte 315\)/)
  })
})
