import { expect } from 'chai'
import { connectionsIn, withoutMqtt } from '../../lib/explain/capture/connections.ts'
import { connectionsOf } from '../../lib/explain/capture/reassembly.ts'
import type { Segment } from '../../lib/explain/capture/segments.ts'
import { unwrapped } from '../../lib/explain/capture/websocket.ts'
import { diagnose } from '../../lib/explain/index.ts'
import { v3_1_1 } from '../../lib/packets/index.ts'
import { pcap } from '../interop/capture.ts'

const connect = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'a' }).bytes
const request = Buffer.from('GET /mqtt HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n')

/** A frame of a client, whose mask changes nothing. */
function frame(first: number, payload: Uint8Array | string): Buffer {
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
}

function sent(...frames: readonly Buffer[]): Buffer {
  return Buffer.concat([request, ...frames])
}

describe('a WebSocket whose last frame is cut off', () => {
  it('has nothing of the length of that frame in its bytes', () => {
    for (const length of ['7e0100', '7f0000000000010000', 'fe0100', 'ff0000000000010000']) {
      const header = Buffer.from(`82${length}`, 'hex')
      for (let size = 0; size <= header.length; size++) {
        const { bytes } = unwrapped(sent(frame(0x82, connect), header.subarray(0, size)))!
        expect(Buffer.from(bytes).toString('hex'), `${length} ${size}`).to.equal(connect.toString('hex'))
      }
    }
  })
})

describe('a WebSocket with messages of text', () => {
  it('has only the bytes of its binary messages, also of fragmented ones, and says so', () => {
    for (const frames of [
      [frame(0x81, 'text'), frame(0x82, connect)],
      [frame(0x01, 'ab'), frame(0x80, 'cd'), frame(0x82, connect)],
      [
        frame(0x01, 'ab'),
        frame(0x89, 'ping'),
        frame(0x80, 'cd'),
        frame(0x02, connect.subarray(0, 5)),
        frame(0x80, connect.subarray(5)),
      ],
    ]) {
      const { bytes, ignored } = unwrapped(sent(...frames))!
      expect(Buffer.from(bytes).toString('hex')).to.equal(connect.toString('hex'))
      expect(ignored).to.equal('the WebSocket frames and messages of text, which are not MQTT')
    }
  })

  it('is the reason why a capture has no MQTT if the CONNECT is in one', () => {
    const file = pcap([{ connection: 0, from: 'client', payload: sent(frame(0x81, connect)) }])
    expect(connectionsIn(file)).to.deep.equal([])
    expect(withoutMqtt(file)).to.match(/messages of text, and MQTT needs binary ones$/)
  })

  it('is shown beside a client of the same server that does it right', () => {
    const clients = [frame(0x82, connect), frame(0x81, connect), frame(0x81, 'hello')]
    const file = pcap(
      clients.map((payload, connection) => ({ connection, from: 'client', payload: sent(payload) })),
    )
    expect(
      connectionsIn(file).map(({ name, streams, ignored }) => [
        name.replace(/^.*?\(/, '('),
        Buffer.from(streams[0]!.bytes).toString('hex'),
        ignored,
      ]),
    ).to.deep.equal([
      ['(WebSocket)', connect.toString('hex'), ['the WebSocket frames']],
      ['(WebSocket, but its messages are text)', connect.toString('hex'), ['the WebSocket frames']],
      [
        '(WebSocket, but its messages are text)',
        Buffer.from('hello').toString('hex'),
        ['the WebSocket frames'],
      ],
    ])
  })

  it('is shown, as any client that begins with something else, beside one that begins with a CONNECT', () => {
    const clients = [frame(0x82, connect), frame(0x82, 'hello')]
    const file = pcap(
      clients.map((payload, connection) => ({ connection, from: 'client', payload: sent(payload) })),
    )
    // A port that isn't known for MQTT.
    const known = Buffer.from([1883 >> 8, 1883 & 0xff])
    for (let at = file.indexOf(known); at >= 0; at = file.indexOf(known, at)) file.writeUInt16BE(8080, at)
    expect(connectionsIn(file)).to.have.length(2)
  })

  it('is found without its SYN if the port of the server is the higher one', () => {
    const file = pcap([{ connection: 0, from: 'client', payload: sent(frame(0x82, connect)) }])
    const known = Buffer.from([1883 >> 8, 1883 & 0xff])
    for (let at = file.indexOf(known); at >= 0; at = file.indexOf(known, at)) file.writeUInt16BE(65_000, at)
    expect(connectionsIn(file).map(({ name }) => name.replace(/^.*→ .*:/, ''))).to.deep.equal([
      '65000 (WebSocket)',
    ])
  })

  it('ends with its close frame', () => {
    const { bytes } = unwrapped(sent(frame(0x82, connect), frame(0x88, '\u0003'), frame(0x82, 'x')))!
    expect(Buffer.from(bytes).toString('hex')).to.equal(connect.toString('hex'))
  })
})

describe('a TCP connection that is reset', () => {
  const segment = (sequence: number, payload: string, isReset: boolean): Segment => ({
    from: '10.0.0.1:50000',
    to: '10.0.0.2:1883',
    sequence,
    isStart: false,
    isAnswer: false,
    isEnd: false,
    isReset,
    acknowledged: undefined,
    payload: Buffer.from(payload),
    size: payload.length,
  })
  const joined = (...segments: readonly Segment[]) =>
    connectionsOf(segments).map(({ fromOpener, hasGap }) => [Buffer.from(fromOpener).toString(), hasGap])

  it('has no bytes of the reset, whose number may still show a gap', () => {
    expect(joined(segment(5, 'abc', false), segment(8, 'go away!', true))).to.deep.equal([['abc', false]])
    expect(joined(segment(5, 'abc', false), segment(9, 'go away!', true))).to.deep.equal([['abc', true]])
  })
})

describe("diagnose of a WebSocket client's frame", () => {
  it('recognises it, although fe 00 is the Remaining Length of a SUBSCRIBE as well', () => {
    for (let size = 143; size < 1300; size += 97) {
      const fields = { cleanSession: true, keepAlive: 60, clientId: 'x'.repeat(size) }
      const { bytes } = new v3_1_1.ConnectPacket(fields)
      const head = Buffer.from([0x82, 0xfe, bytes.length >> 8, bytes.length & 0xff, 1, 2, 3, 4])
      const masked = bytes.map((byte, i) => byte ^ ((i % 4) + 1))
      expect(diagnose(Buffer.concat([head, masked])).headline, `${size}`).to.match(/WebSocket/)
    }
  })
})
