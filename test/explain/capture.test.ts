import { readFileSync } from 'node:fs'
import { constants, deflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { connectionsIn } from '../../lib/explain/capture/connections.ts'
import { segmentIn } from '../../lib/explain/capture/segments.ts'
import { unwrapped } from '../../lib/explain/capture/websocket.ts'
import { type Found, readContent, readText } from '../../lib/explain/read-input.ts'
import { explainStreams, outcomesIn } from '../../lib/explain/streams.ts'
import { v3_1_1, v5 } from '../../lib/packets/index.ts'
import { pcap, type Segment } from '../interop/capture.ts'
import { runs, usual } from '../support/arbitraries.ts'

const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, import.meta.url)))
const connect = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' }).bytes
const refusal = Buffer.from('20020005', 'hex')

/** Describes each connection, with the number of bytes from each side. */
function told(file: Uint8Array): string[] {
  return connectionsIn(file).map(({ name, streams, ignored }) => {
    const port = name.replace(/^.* → \S+:(\d+)/, '$1')
    const outcomes = outcomesIn(explainStreams(streams, { allow: ['protocol-mqtt-3-1'] }))
    return [`${port}: ${outcomes}`, ...streams.map(({ bytes }) => bytes.length), ...ignored].join(' | ')
  })
}

/**
 * A session of mosquitto 2.0.11 with mosquitto_pub and MQTT.js, captured on the loopback interface by tcpdump and converted to
 * pcapng by editcap.
 */
const session = [
  '28841: CONNECT valid, CONNACK valid | 48 | 8',
  '28841: CONNECT valid, CONNACK valid, refuses the client | 35 | 5',
  '28841: CONNECT valid, CONNACK valid | 48 | 4',
  '28842 (WebSocket): CONNECT valid, CONNACK valid | 335 | 11 | the WebSocket frames',
]

describe('a capture', () => {
  for (const name of ['session.pcap', 'session.pcapng']) {
    it(`of a real session: 3.1.1, a refusal of 5.0, 3.1 over IPv6, and WebSockets (${name})`, () => {
      expect(told(read(name))).to.deep.equal(session)
    })
  }

  it('without its start in the capture has the side with the CONNECT as its client, whatever its port', () => {
    const file = pcap([
      { connection: 1, from: 'server', payload: connect },
      { connection: 1, from: 'client', payload: refusal },
    ])
    const [found] = connectionsIn(file)
    expect(found?.streams.map(({ from, bytes }) => [from, bytes.length])).to.deep.equal([
      ['client', connect.length],
      ['server', refusal.length],
    ])
  })

  it('with one direction only has that one', () => {
    for (const from of ['client', 'server'] as const) {
      const file = pcap([{ connection: 1, from, payload: from === 'client' ? connect : refusal }])
      expect(connectionsIn(file).map(({ streams }) => streams.map((one) => one.from))).to.deep.equal([[from]])
    }
  })

  it('shows who has sent a packet, so that a server cannot send what only a client may', () => {
    const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' }).bytes
    const disconnect = Buffer.from('e00700051100000064', 'hex')
    const answer = Buffer.concat([Buffer.from('2003000000', 'hex'), disconnect])
    const streams = (...all: Uint8Array[]) =>
      all.map((bytes, i) => ({ from: (['client', 'server'] as const)[i], bytes }))
    const codes = (...all: Uint8Array[]) =>
      explainStreams(streams(...all)).map(({ explanation }) => explanation.packets.at(-1)!.error?.code)
    expect(codes(connect5, answer)).to.deep.equal([undefined, 'wrong-sender'])
    // Without a CONNECT, the sides of a log are a guess.
    expect(codes(disconnect, answer)).to.deep.equal([undefined, undefined])
  })

  it('that is cut off keeps everything before the cut, whatever is changed in it', () => {
    const whole = read('session.pcap')
    for (let end = 24; end < whole.length; end += 97) {
      const found = told(whole.subarray(0, end))
      expect(found.length).to.be.at.most(4)
    }
    for (const name of ['session.pcap', 'session.pcapng']) {
      const bytes = read(name)
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
          const changed = Uint8Array.from(bytes)
          changed[at] = value
          try {
            connectionsIn(changed)
          } catch (error) {
            expect(error).to.be.instanceOf(RangeError).with.property('message', 'it is no capture file')
          }
        }),
        { ...runs, numRuns: usual(200) },
      )
    }
  })

  it('of the beginnings of packets lists all connections, and says that bytes are missing', () => {
    const gap = 'bytes after a gap in the capture'
    expect(told(beginningsOf(read('session.pcap'), 84)).slice(0, 2)).to.deep.equal([
      `28841: CONNECT invalid, CONNACK valid | 18 | 8 | ${gap}`,
      `28841: CONNECT invalid, CONNACK valid, refuses the client | 18 | 5 | ${gap}`,
    ])
    const one = pcap([{ connection: 1, from: 'client', payload: connect }])
    expect(told(beginningsOf(one, one.length - 24 - 16 - 1))).to.deep.equal([
      `1883: CONNECT invalid, no answer | 24 | ${gap}`,
    ])
  })

  it('lists a client that sends something else to a server with which other clients speak MQTT', () => {
    const hello = Buffer.from('16030100050100000100', 'hex')
    const tls: Segment = { connection: 1, from: 'client', payload: hello }
    const mqtt: Segment = { connection: 2, from: 'client', payload: connect }
    const to = (port: number, ...sent: Segment[]) => {
      const file = pcap(sent)
      for (let at = 0; at < file.length - 1; at++) {
        if (file.readUInt16BE(at) === 1883) file.writeUInt16BE(port, at)
      }
      return told(file)
    }
    const listed = (port: number) => [
      `${port}: CONNECT invalid, no answer | ${hello.length}`,
      `${port}: CONNECT valid, no answer | 25`,
    ]
    expect(to(9001, tls, mqtt)).to.deep.equal(listed(9001))
    expect(to(1883, tls, mqtt)).to.deep.equal(listed(1883))
    expect(to(1883, tls)).to.deep.equal(listed(1883).slice(0, 1))
    expect(to(9001, tls), 'a server of anything').to.deep.equal([])
    expect(to(8883, tls, mqtt), 'where TLS is right').to.deep.equal(listed(8883).slice(1))
  })

  it("is refused if it isn't a capture", () => {
    expect(() => connectionsIn(new Uint8Array(40))).to.throw(RangeError, 'it is no capture file')
    expect(() => connectionsIn(new Uint8Array(0))).to.throw(RangeError)
  })

  it('is read in both byte orders, and pairs each CONNECT with its CONNACK', () => {
    const sent: Segment[] = [
      { connection: 1, from: 'client', payload: connect },
      { connection: 2, from: 'client', payload: connect.subarray(0, 10) },
      { connection: 1, from: 'server', payload: refusal },
      { connection: 2, from: 'client', payload: connect.subarray(10) },
    ]
    const little = pcap(sent)
    const expected = [
      '1883: CONNECT valid, CONNACK valid, refuses the client | 25 | 4',
      '1883: CONNECT valid, no answer | 25',
    ]
    expect(told(little)).to.deep.equal(expected)
    expect(told(bigEndian(little))).to.deep.equal(expected)
  })

  it('is read from each link type that tcpdump and phones write', () => {
    const ip = pcap([{ connection: 1, from: 'client', payload: connect }]).subarray(40)
    const cooked2 = Buffer.concat([Buffer.from('0800', 'hex'), Buffer.alloc(18)])
    const cooked = Buffer.concat([Buffer.alloc(14), Buffer.from('0800', 'hex')])
    const ethernet = Buffer.concat([Buffer.alloc(12), Buffer.from('0800', 'hex')])
    const pppoe = Buffer.concat([
      Buffer.alloc(12),
      Buffer.from('8864110000010021', 'hex'),
      Buffer.from('0021', 'hex'),
    ])
    const cookedVlan = Buffer.concat([Buffer.alloc(14), Buffer.from('810000050800', 'hex')])
    const cooked2Vlan = Buffer.concat([
      Buffer.from('8100', 'hex'),
      Buffer.alloc(18),
      Buffer.from('00050800', 'hex'),
    ])
    const vlan = Buffer.concat([Buffer.alloc(12), Buffer.from('8100000788a800050800', 'hex')])
    for (const [linkType, head] of [
      [1, ethernet],
      [1, vlan],
      [1, pppoe],
      [113, cookedVlan],
      [276, cooked2Vlan],
      [0, Buffer.from('02000000', 'hex')],
      [101, Buffer.alloc(0)],
      [113, cooked],
      [276, cooked2],
    ] as const) {
      const segment = segmentIn({ linkType, bytes: Buffer.concat([head, ip]) })
      expect(Buffer.from(segment!.payload).equals(connect), `${linkType}`).to.equal(true)
    }
    const arp = Buffer.concat([Buffer.alloc(12), Buffer.from('0806', 'hex'), ip])
    expect(segmentIn({ linkType: 1, bytes: arp })).to.equal(undefined)
    expect(segmentIn({ linkType: 147, bytes: ip })).to.equal(undefined)
    // PPPoE in PPPoE means nothing, so nobody should look for its end.
    const nested = Buffer.concat([
      arp.subarray(0, 12),
      Buffer.from('8864110000010021'.repeat(100_000), 'hex'),
    ])
    expect(segmentIn({ linkType: 1, bytes: nested })).to.equal(undefined)
    const fragment = Buffer.from(ip)
    fragment[6] = 0x20
    expect(segmentIn({ linkType: 101, bytes: fragment })?.size, 'of which other fragments follow').to.equal(
      Infinity,
    )
    // Ethernet pads short frames, and the padding must not count as payload.
    const padded = segmentIn({ linkType: 101, bytes: Buffer.concat([ip, Buffer.alloc(6)]) })
    expect(padded?.payload.length).to.equal(connect.length)
  })
})

describe('a capture without MQTT', () => {
  it('says whether TLS may hide it, frames of another kind, or whether there are no packets', () => {
    const whole = Buffer.from(pcap([{ connection: 1, from: 'client', payload: Buffer.alloc(0) }]))
    const wifi = Buffer.from(whole)
    wifi.writeUInt32LE(127, 20)
    const problems = [whole, wifi, whole.subarray(0, 24)].map((file) => readContent(file).problem)
    expect(problems).to.deep.equal([
      'it is a capture file without MQTT. TLS, as on port 8883, hides what it carries',
      'it is a capture file without MQTT that can be read. 1 of its 1 frames have no IP that can be read: Wi-Fi, a tunnel or another protocol',
      'it is a capture file without packets',
    ])
  })
})

describe('a WebSocket', () => {
  const request = 'GET /mqtt HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n'

  /** A masked frame from a client. */
  function frame(opcode: number, payload: Uint8Array): Buffer {
    const mask = [1, 2, 3, 4]
    const size =
      payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff]
    const masked = payload.map((byte, i) => byte ^ mask[i % 4]!)
    return Buffer.concat([Buffer.from([opcode, ...size, ...mask]), masked])
  }

  it('is not what a SUBSCRIBE of more than 127 bytes looks like', () => {
    // The first topic filter has 17 characters, and the third and the seventh byte look like a mask and a masked CONNECT.
    const filters = ['sensors/kitchen/t', 'x'.repeat(120)].map((filter) =>
      Buffer.concat([Buffer.of(0, filter.length), Buffer.from(filter), Buffer.of(0)]),
    )
    const body = Buffer.concat([Buffer.of(0, 1), ...filters])
    const subscribe = Buffer.concat([Buffer.of(0x82, (body.length & 0x7f) | 0x80, body.length >> 7), body])
    expect(unwrapped(subscribe)).to.equal(undefined)
  })

  it('is unwrapped up to its first compressed frame', () => {
    const compressed = deflateRawSync(Buffer.alloc(50), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(
      0,
      -4,
    )
    const sent = Buffer.concat([Buffer.from(request), frame(0x82, connect), frame(0xc2, compressed)])
    const found = readContent(sent) as Found
    expect(found.choices.map(({ ignored }) => ignored)).to.deep.equal([
      ['the WebSocket frames and what is compressed'],
    ])
    expect(Buffer.from(found.choices[0]!.streams[0]!.bytes).equals(connect)).to.equal(true)
    expect(told(pcap([{ connection: 0, from: 'client', payload: sent }]))).to.deep.equal([
      `1883 (WebSocket): CONNECT valid, no answer | ${connect.length} | the WebSocket frames and what is compressed`,
    ])
    expect(unwrapped(Buffer.concat([Buffer.from(request), frame(0xc2, compressed)]))?.bytes.length).to.equal(
      0,
    )
  })

  it('is unwrapped: masks, long frames, fragments, and control frames between them', () => {
    const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c'.repeat(200) })
    const sent = Buffer.concat([
      Buffer.from(request),
      frame(0x02, bytes.subarray(0, 130)),
      frame(0x89, Buffer.from('ping')),
      frame(0x80, bytes.subarray(130)),
    ])
    expect(Buffer.from(unwrapped(sent)!.bytes).equals(bytes)).to.equal(true)
    expect(unwrapped(bytes)).to.equal(undefined)
    expect(unwrapped(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))).to.equal(undefined)
    // Pasted frames without the HTTP before them.
    expect(Buffer.from(unwrapped(frame(0x82, connect))!.bytes).equals(connect)).to.equal(true)
    expect(
      Buffer.from(unwrapped(Buffer.concat([Buffer.from([0x82, 4]), refusal]))!.bytes).equals(refusal),
    ).to.equal(true)
    const subscribe = Buffer.from('820800010003612f6200', 'hex')
    expect(unwrapped(subscribe)).to.equal(undefined)
    const log = `TX: ${frame(0x82, connect).toString('hex')}\nRX: 8204${refusal.toString('hex')}`
    const [pasted] = (readText(log) as Found).choices
    expect(
      pasted?.streams.map(({ from, bytes }) => [from, Buffer.from(bytes).toString('hex')]),
    ).to.deep.equal([
      ['client', connect.toString('hex')],
      ['server', '20020005'],
    ])
    expect(pasted?.ignored.at(-1)).to.equal('the WebSocket frames')
    const file = pcap([
      { connection: 1, from: 'client', payload: sent },
      {
        connection: 1,
        from: 'server',
        payload: Buffer.concat([
          Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'),
          Buffer.from([0x82, 5, 0x20, 3, 0, 0x87, 0]),
        ]),
      },
    ])
    expect(told(file)).to.deep.equal([
      '1883 (WebSocket): CONNECT valid, CONNACK valid, refuses the client | 216 | 5 | the WebSocket frames',
    ])
  })
})

/** The same capture in the opposite byte order. */
function bigEndian(little: Buffer): Buffer {
  const big = Buffer.from(little)
  const swap = (start: number, end: number) => big.subarray(start, end).swap32()
  swap(0, 4)
  big.subarray(4, 8).swap16()
  swap(8, 24)
  for (let at = 24; at < big.length; ) {
    const size = little.readUInt32LE(at + 8)
    swap(at, at + 16)
    at += 16 + size
  }
  return big
}

/** A capture with at most that many bytes of each frame, as `tcpdump -s` writes it. */
function beginningsOf(file: Uint8Array, size: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const parts = [file.subarray(0, 24)]
  for (let at = 24; at < file.length; ) {
    const length = view.getUint32(at + 8, true)
    const frame = Uint8Array.from(file.subarray(at, at + 16 + Math.min(length, size)))
    new DataView(frame.buffer).setUint32(8, frame.length - 16, true)
    parts.push(frame)
    at += 16 + length
  }
  return Buffer.concat(parts)
}
