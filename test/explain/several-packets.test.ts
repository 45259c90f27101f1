import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { diagnose, explain } from '../../lib/explain/index.ts'
import { type DecodeOptions, property, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { encodeUnchecked } from '../../lib/testing/index.ts'
import { growthExponent } from '../growth/growth.ts'
import { connect3 } from '../support/faults.ts'
import { buildV3, buildV5 } from '../support/packets.ts'
import { hex, R3 } from '../support/reference.ts'

describe('explain with several packets', () => {
  it('cuts lists after 100 entries: properties, but not one with an error, and further packets', () => {
    const entries = Array.from({ length: 150 }, (_, i) => property.userProperty(`${i}`, ''))
    const { bytes } = buildV5({ props: entries })
    const { rows } = explain(bytes)
    expect(rows.filter(({ field, part }) => field === 'props.userProperty' && part === 'key')).to.have.length(
      100,
    )
    const more = rows.find(({ field }) => field === 'props')
    expect(more).to.include({ value: '50 more properties', length: 50 * 8 })

    const last = Buffer.from(bytes)
    last[last.indexOf('149')] = 0
    const { rows: invalid, error } = explain(last)
    expect(error?.code).to.equal('user-property-nul')
    expect(invalid.find(({ field }) => field === 'props')).to.include({
      value: '49 more properties',
      length: 49 * 8,
    })
    expect(invalid.find(({ fault }) => fault)).to.include({
      part: 'key',
      value: '0x00, then 2 bytes not shown',
    })

    const packets = explain(Buffer.from(`c000${'c0003000'.repeat(625)}`, 'hex'))
    expect(packets.packets).to.have.length(1_000)
    expect(packets.rows.at(-1)).to.include({
      value: '251 more packets: 126 PUBLISH, 125 PINGREQ',
      length: 502,
      field: 'bytesLeftOver',
    })
    expect(packets.summary.at(-2)).to.deep.equal(['rest', '251 more packets: 126 PUBLISH, 125 PINGREQ'])
  })

  it('marks the row of many properties if the error is in one of them', () => {
    const props = Array.from({ length: 100 }, () => property.userProperty('k', 'v'))
    const data = [
      property.authenticationData('x'),
      property.userProperty('a', 'b'),
      property.userProperty('c', 'd'),
    ]
    const fields = { cleanStart: true, keepAlive: 60, clientId: 'c', props: [...props, ...data] }
    const { rows, error } = explain(encodeUnchecked(v5.ConnectPacket, fields))
    expect(error).to.have.property('code', 'authentication-data-without-method')
    expect(rows.flatMap(({ value, fault }) => (fault ? [value] : []))).to.deep.equal(['2 more properties'])
  })

  it('explains the first invalid packet, however many valid ones are before it', () => {
    const pings = (times: number): string => 'c000'.repeat(times)
    const all = hex(`${R3}20020000${pings(1_500)}30020000${pings(3)}20020009${pings(4)}`)
    const { packets, rows, summary } = explain(all)
    expect(packets).to.have.length(1_001)
    expect(packets.at(-1)?.error).to.include({ code: 'connack-code' })
    const at = all.length - 4 * 2 - 4
    expect(rows.findLast(({ fault }) => fault)).to.include({ offset: at + 3, value: '9, unknown' })
    expect(rows.reduce((sum, { length }) => sum + length, 0)).to.equal(all.length)
    expect(rows.filter(({ field }) => field === 'bytesLeftOver').map(({ value }) => value)).to.deep.equal([
      '506 more packets: 505 PINGREQ, PUBLISH',
      '4 more packets: 4 PINGREQ',
    ])
    expect(summary).to.deep.include(['skipped', '506 more packets: 505 PINGREQ, PUBLISH'])
    expect(`${explain(all)}`).to.include(`packet 1507 of 1507, from byte ${at}\n`)
    // The version comes from the CONNECT, even if it's among the packets that are not explained.
    const later = explain(hex(`${pings(1_200)}${R3}${pings(2)}2003000000`))
    expect(later.packets.at(-1)?.error?.code).to.equal('bytes-left-over')
    const valid = explain(hex(`${pings(1_200)}${R3}20020000`))
    expect(valid.packets).to.have.length(1_000)
    expect(valid.rows.at(-1)?.value).to.equal('202 more packets: 200 PINGREQ, CONNECT, CONNACK')
  })

  it('explains the bytes after a packet, even if they are part of a packet or none', () => {
    const next = (wire: string) => explain(hex(`c000${wire}`)).packets.slice(1)
    expect(next('00')).to.have.length(1)
    expect(next('00')[0]?.error?.code).to.equal('reserved-packet-type')
    expect(next('00')[0]?.rows[0]).to.include({ offset: 2, length: 1, fault: true, hex: '**' })
    expect(next('c00030').map(({ error }) => error?.code)).to.deep.equal([undefined, 'packet-incomplete'])
    expect(next('c000300700')[1]?.rows.map(({ offset, value }) => [offset, value])).to.deep.equal([
      [4, 'PUBLISH'],
      [5, '7 bytes'],
      [6, '1 byte'],
    ])
  })

  it('reads the packets after a CONNECT in its version, both directions alike', () => {
    const all = explain(hex(`${R3}20020005c000`))
    expect(all.packets.map(({ packet }) => `${packet}`.replace(/\{.*/, ''))).to.deep.equal([
      'v3_1_1::connect',
      'v3_1_1::connack',
      'pingreq',
    ])
    expect(all.packets[1]?.readings).to.equal(undefined)
    const newer = explain(Buffer.concat([buildV5({}).bytes, hex('2003008700')]))
    expect(`${newer.packets[1]?.packet}`).to.match(/^v5::connack/)
    // The option applies to all packets.
    expect(
      explain(hex(`${R3}20020005`), { protocolVersion: 5 }).packets.map(({ error }) => error?.code),
    ).to.deep.equal(['protocol-level', 'connack-code'])
  })

  it('reads a CONNACK of an unknown version in each version that fits', () => {
    const read = (wire: string) =>
      explain(hex(wire)).readings?.map(({ packet, rows }) => [`${packet}`, rows.at(-1)?.clause])
    expect(read('20020005')).to.deep.equal([
      ['v3_1_1::connack{rc:not_authorized,sp:0}', '3.2.2.3'],
      ['v3_1::connack{rc:not_authorized,sp:0}', '3.2'],
    ])
    expect(read('2003008700')).to.deep.equal([['v5::connack{rc:not_authorized,sp:0}', '3.2.2.3.1']])
    const none = explain(hex('20020009'))
    expect(none.error?.code).to.equal('connack-code')
    expect(none.readings).to.equal(undefined)
    const { summary } = explain(hex('20020005'))
    expect(summary[0]).to.deep.equal(['valid', 'MQTT 3.1.1 CONNACK of 4 bytes'])
    expect(summary[2]?.[1]).to.match(/^MQTT 3\.1 CONNACK .*not_authorized/)
  })

  it('iterates the codes in `allow` once, for all packets and in each version', () => {
    const bytes = Buffer.from('100d00044d5154540403003c000163'.repeat(2), 'hex')
    const codes = ['connect-flags-reserved'] as const
    const errors = (allow: DecodeOptions['allow']) =>
      explain(bytes, { allow }).packets.map(({ error }) => error?.code)
    expect(errors([])).to.deep.equal(['connect-flags-reserved', 'connect-flags-reserved'])
    expect(errors(codes)).to.deep.equal([undefined, undefined])
    expect(errors(codes.values())).to.deep.equal([undefined, undefined])
    expect(diagnose(bytes, { allow: codes.values() })).to.deep.equal(diagnose(bytes, { allow: codes }))
  })

  it('does not mistake the rest of a packet for a packet if the Remaining Length is too small', () => {
    for (const less of [1, 2, 3]) {
      const bytes = buildV3({ clientId: 'sensor-1234' }).bytes
      const { packets, error, rows } = explain(
        Buffer.concat([hex('10'), Buffer.from([bytes.length - 2 - less]), bytes.subarray(2)]),
      )
      expect(packets).to.have.length(1)
      expect(error?.code).to.equal('field-past-end')
      expect(rows.at(-1)).to.include({ field: 'notRead', length: less })
    }
    // Whole packets are recognised even after one with a wrong length inside.
    const flag = explain(Buffer.concat([connect3('02', '0001 63 0001 75'), hex('c000c000')]))
    expect(flag.packets.map(({ error }) => error?.code)).to.deep.equal([
      'bytes-left-over',
      undefined,
      undefined,
    ])
  })

  it('hides what follows a frame around a CONNECT that looks like another packet', () => {
    const shown: string[] = []
    for (let size = 0; size < 60; size++) {
      const { bytes } = new v3_1_1.ConnectPacket({
        ...{ cleanSession: true, keepAlive: 60, clientId: 'c'.repeat(size), userName: 'user' },
        password: `${'5ecret0!Zebra7Kilo2345xyzzy-QRSTUVWXYZ@'.repeat(2)}${'W'.repeat(80)}`,
      })
      const frames = [
        // A frame of a WebSocket is a SUBSCRIBE of 126 bytes, and one of Ethernet may be a PUBLISH.
        Buffer.concat([Buffer.from([0x82, 0x7e, bytes.length >> 8, bytes.length & 0xff]), bytes]),
        Buffer.concat([Buffer.from([0x30, size + 4]), bytes]),
        Buffer.concat([Buffer.alloc(2000, 'c000', 'hex'), Buffer.from([0x30, size + 40]), bytes]),
      ]
      for (const frame of frames) {
        const passwordAt = frame.indexOf('5ecret')
        const { packets } = explain(frame)
        for (const { rows } of packets)
          for (const row of rows)
            if (row.offset > passwordAt && /[\da-f]/.test(row.hex))
              shown.push(`${size}: ${row.field} ${row.hex}`)
      }
    }
    expect(shown).to.deep.equal([])
  })

  it('costs in proportion to the number of properties or packets, and its text costs the same for any number', function () {
    this.timeout(90_000)
    const many = (count: number) =>
      buildV5({ props: new Array(count).fill(property.userProperty('', '')) }).bytes
    const sizes: readonly [number, number] = [6_500, 52_000]
    const packets = new Map(
      sizes.map((size) => [size, [many(size), Buffer.alloc(size, 'c000', 'hex')]] as const),
    )
    // Quadratic work gives 2. The limit is high, because other processes may disturb the largest packets longer than the
    // smallest ones.
    expect(
      growthExponent((size) => void packets.get(size)!.map((bytes) => explain(bytes)), sizes, 1.75),
    ).to.be.below(1.75)
    const explained = new Map(
      sizes.map((size) => [size, packets.get(size)!.map((bytes) => explain(bytes))] as const),
    )
    const print = (size: number) => {
      for (let i = 0; i < 20; i++) explained.get(size)![0]!.toString()
    }
    expect(growthExponent(print, sizes, 0.7)).to.be.below(0.7)
    // The text shows a thousand packets, and counts the rest in one line.
    const lines = sizes.map((size) => `${explained.get(size)![1]}`.split('\n').length)
    expect(new Set(lines)).to.have.property('size', 1)
  })
})
