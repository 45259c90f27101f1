import { once } from 'node:events'
import { expect } from 'chai'
import { MqttError, PacketDecoder, type PacketDecoderOptions } from '../../lib/index.ts'
import {
  byteByByte,
  decode,
  expectMisuse,
  framed,
  inTwo,
  MALFORMED,
  outcome,
  outcomes,
  PINGREQ,
  R3,
  R5,
} from './support.ts'

const connect3 = `ConnectPacket ${R3.toString('hex')}`
const connect5 = `ConnectPacket ${R5.toString('hex')}`
const flags = 'connect-flags-reserved connectFlags 9'
const tooLarge = 'packet-too-large remainingLength 1'
const notConnect = 'not-connect fixedHeader 0'

/** Expects the same outcomes from one chunk, two chunks, and byte by byte. */
async function expectHoweverSplit(bytes: Buffer, options: PacketDecoderOptions, expected: string[]) {
  for (let at = 0; at <= bytes.length; at++) {
    expect(await outcomes(inTwo(bytes, at), options), `split at ${at}`).to.deep.equal(expected)
  }
  expect(await outcomes(byteByByte(bytes), options), 'byte by byte').to.deep.equal(expected)
}

describe("PacketDecoder: errors 'destroy'", () => {
  it('gives the packets before the error and nothing after it', async () => {
    await expectHoweverSplit(Buffer.concat([R5, MALFORMED, R3]), {}, [connect5, `destroyed: ${flags}`])
    await expectHoweverSplit(Buffer.concat([R5, PINGREQ, R3]), { errors: 'destroy' }, [
      connect5,
      `destroyed: ${notConnect}`,
    ])
  })

  it('gives the packets before the error to a reader that asks for each of them, and then stops listening', async () => {
    const bytes = Buffer.concat([R5, PINGREQ, PINGREQ, Buffer.of(0)])
    for (const size of [bytes.length, 1]) {
      const decoder = new PacketDecoder()
      const read: string[] = []
      decoder.on('error', () => read.push('error'))
      for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size))
      while (!decoder.destroyed) {
        const packet = decoder.read()
        if (packet !== null) read.push(packet.type === 0x10 ? 'connect' : 'pingreq')
        // Long enough for a stream that nobody reads to fail.
        else await once(decoder, 'readable').catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect(read, `chunks of ${size}`).to.deep.equal(['connect', 'pingreq', 'pingreq', 'error'])
    }
  })

  it('gives the packets before the error to a second iterator', async () => {
    const decoder = new PacketDecoder()
    decoder.write(Buffer.concat([R5, PINGREQ, PINGREQ, Buffer.of(0)]))
    for await (const _ of decoder.iterator({ destroyOnReturn: false })) break
    await new Promise((resolve) => setTimeout(resolve, 5))
    const rest: string[] = []
    try {
      for await (const packet of decoder) rest.push(`${packet.type}`)
    } catch (error) {
      rest.push((error as MqttError).code)
    }
    expect(rest).to.deep.equal(['192', '192', 'reserved-packet-type'])
  })

  it('emits error once, then close, then nothing, whatever is written', async () => {
    const events: string[] = []
    const decoder = new PacketDecoder({ connection: false })
    for (const event of ['data', 'end', 'finish', 'error', 'close']) {
      decoder.on(event, () => events.push(event))
    }
    const closed = new Promise((resolve) => decoder.on('close', resolve))
    decoder.write(R3)
    decoder.write(Buffer.concat([MALFORMED, R5]))
    decoder.write(R5)
    await closed
    decoder.write(R5)
    await new Promise((resolve) => setImmediate(resolve))
    expect(events).to.deep.equal(['data', 'error', 'close'])
    expect(decoder.destroyed).to.equal(true)
    expect(decoder.errored).to.be.instanceof(MqttError)
  })

  for (const [byte, code] of [
    [0x00, 'reserved-packet-type'],
    [0x0f, 'reserved-packet-type'],
    [0x11, 'fixed-header-flags'],
    [0x20, 'not-connect'],
    [0x30, 'not-connect'],
    [0xf0, 'not-connect'],
    [0xff, 'not-connect'],
  ] as const) {
    it(`refuses the first byte 0x${byte.toString(16)} on that very byte as ${code}`, async () => {
      const decoder = new PacketDecoder({ connection: false })
      const error = new Promise<Error>((resolve) => decoder.on('error', resolve))
      decoder.write(Buffer.from([byte]))
      expect(outcome(await error)).to.equal(`${code} fixedHeader 0`)
    })
  }

  it('refuses a Remaining Length that continues after its fourth byte, on that byte', async () => {
    const decoder = new PacketDecoder({ connection: false })
    const error = new Promise<Error>((resolve) => decoder.on('error', resolve))
    for (const byte of [0x10, 0x80, 0x80, 0x80]) {
      decoder.write(Buffer.from([byte]))
      expect(decoder.errored).to.equal(null)
    }
    decoder.write(Buffer.from([0x80]))
    expect(outcome(await error)).to.equal('variable-byte-integer-too-long remainingLength 1')
  })

  it('refuses a Remaining Length of five bytes, however split', async () => {
    await expectHoweverSplit(Buffer.from('10808080800100', 'hex'), {}, [
      'destroyed: variable-byte-integer-too-long remainingLength 1',
    ])
  })

  it('says packet-incomplete of every end in the middle of a packet, with what was there', async () => {
    for (const bytes of [R3, R5]) {
      for (let length = 1; length < bytes.length; length++) {
        const expected = [connect3, `destroyed: packet-incomplete remainingLength ${length}`]
        const part = bytes.subarray(0, length)
        expect(await outcomes([R3, part]), `${length} bytes`).to.deep.equal(expected)
        expect(await outcomes([R3, ...byteByByte(part)]), `${length} bytes`).to.deep.equal(expected)
      }
    }
  })

  for (const [name, first, looksLike] of [
    ['TLS', Buffer.from('16030100f1010000ed0303', 'hex'), 'tls'],
    ['HTTP GET', Buffer.from('GET / HTTP/1.1\r\n'), 'http'],
    ['HTTP POST', Buffer.from('POST /mqtt HTTP/1.1\r\n'), 'http'],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n'), 'http'],
    ['PROXY protocol 1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'), 'proxy-v1'],
    ['PROXY protocol 2', Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'), 'proxy-v2'],
  ] as const) {
    for (const errors of ['destroy', 'push'] as const) {
      it(`says that ${name} looks like ${looksLike} (errors '${errors}')`, async () => {
        const { packets, error } = await decode([first], { errors })
        expect(error).to.be.instanceof(MqttError).with.property('looksLike', looksLike)
        expect(packets).to.deep.equal([])
      })
    }
  }

  it('finds no other protocol inside a connection, so a wrong packet is skipped like any other', async () => {
    // The flags of a PUBACK are wrong. `CONNECT ` begins with such a byte, and HTTP is no reason to end the stream here.
    for (const wrong of ['43020001', '434f4e4e45435420'.padEnd(2 * 0x51, '0')]) {
      const bytes = Buffer.concat([R3, Buffer.from(wrong, 'hex'), PINGREQ])
      const found = await outcomes([bytes], { connection: true, errors: 'push' })
      expect(found, wrong).to.deep.equal([connect3, 'fixed-header-flags fixedHeader 0', 'OpaquePacket c000'])
    }
    const { error } = await decode([Buffer.concat([R3, Buffer.from('434f4e4e45435420', 'hex')])], {
      connection: true,
    })
    expect(error).to.be.instanceof(MqttError).and.not.have.property('looksLike')
  })

  it('recognises a TLS handshake whose bytes arrive one by one', async () => {
    const { error } = await decode(byteByByte(Buffer.from('160301', 'hex')))
    expect(error).to.be.instanceof(MqttError).with.property('looksLike', 'tls')
  })

  it('does not mistake other bytes for a protocol', async () => {
    const { error } = await decode([PINGREQ])
    expect(error).to.be.instanceof(MqttError).and.not.have.property('looksLike')
  })
})

describe("PacketDecoder: errors 'push'", () => {
  const options = { errors: 'push' } as const
  const big = framed(Buffer.alloc(300, 0x10), 2)

  it('puts an MqttError object in the place of each malformed packet', async () => {
    const { packets, error } = await decode([Buffer.concat([R3, MALFORMED, R5])], options)
    expect(error).to.equal(undefined)
    expect(packets).to.have.length(3)
    expect(packets[1]).to.be.instanceof(MqttError).and.include({ code: 'connect-flags-reserved', offset: 9 })
  })

  it('continues after malformed packets, however split', async () => {
    await expectHoweverSplit(Buffer.concat([MALFORMED, R3, MALFORMED, MALFORMED, R5]), options, [
      flags,
      connect3,
      flags,
      flags,
      connect5,
    ])
  })

  it('skips packets of the wrong type, empty ones too, however split', async () => {
    const publish = framed(Buffer.alloc(20, 0x10), 1, 0x30)
    await expectHoweverSplit(Buffer.concat([R3, publish, PINGREQ, R3, PINGREQ]), options, [
      connect3,
      notConnect,
      notConnect,
      connect3,
      notConnect,
    ])
  })

  it('skips packets with wrong fixed header flags, however split', async () => {
    const wrong = Buffer.from(R3)
    wrong[0] = 0x18
    await expectHoweverSplit(Buffer.concat([wrong, R3]), options, [
      'fixed-header-flags fixedHeader 0',
      connect3,
    ])
  })

  it('skips packets that are too large, however split', async () => {
    await expectHoweverSplit(Buffer.concat([R3, big, R3, big, big]), { ...options, maximumPacketSize: 100 }, [
      connect3,
      tooLarge,
      connect3,
      tooLarge,
      tooLarge,
    ])
  })

  it('skips a second CONNECT of a connection, however split', async () => {
    await expectHoweverSplit(Buffer.concat([R3, R5, PINGREQ]), { ...options, connection: true }, [
      connect3,
      'second-connect fixedHeader 0',
      `OpaquePacket ${PINGREQ.toString('hex')}`,
    ])
  })

  it('reports a packet that is too large before its body arrives, and only once', async () => {
    const decoder = new PacketDecoder({ connection: false, ...options, maximumPacketSize: 100 })
    decoder.write(big.subarray(0, 2))
    expect(decoder.read()).to.equal(null)
    decoder.write(big.subarray(2, 3))
    expect(decoder.read()).to.be.instanceof(MqttError).with.property('code', 'packet-too-large')
    for (const byte of byteByByte(big.subarray(3))) {
      decoder.write(byte)
      expect(decoder.read()).to.equal(null)
    }
    decoder.write(R3)
    expect(outcome(decoder.read()!)).to.equal(connect3)
  })

  it('ends with packet-incomplete inside a refused packet, however much of it is there and however split', async () => {
    const publish = framed(Buffer.alloc(200, 0x10), 2, 0x30)
    for (const length of [1, 2, 3, 4, publish.length - 1]) {
      await expectHoweverSplit(Buffer.concat([R3, publish.subarray(0, length)]), options, [
        connect3,
        notConnect,
        `destroyed: packet-incomplete remainingLength ${length}`,
      ])
    }
    for (const length of [3, 4, 302]) {
      const limited = { ...options, maximumPacketSize: 100 }
      await expectHoweverSplit(big.subarray(0, length), limited, [
        tooLarge,
        `destroyed: packet-incomplete remainingLength ${length}`,
      ])
    }
    expect((await decode([Buffer.concat([R3, publish])], options)).error).to.equal(undefined)
  })

  it('destroys the stream when the memory of a chunk was transferred before its packets were read', async () => {
    for (const errors of ['push', 'destroy'] as const) {
      const decoder = new PacketDecoder({ connection: false, errors, readableHighWaterMark: 1 })
      const failed = new Promise<Error>((resolve) => decoder.once('error', resolve))
      const chunk = new Uint8Array(Buffer.concat([R3, R3, R3]))
      decoder.write(chunk)
      structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
      decoder.resume()
      expect(await failed)
        .to.be.instanceof(TypeError)
        .and.include({ code: 'ERR_INVALID_STATE' })
    }
  })

  it('destroys the stream when the next packet cannot be found: reserved type, however split', async () => {
    await expectHoweverSplit(Buffer.concat([R3, MALFORMED, Buffer.from([0x00, 0x00]), R3]), options, [
      connect3,
      flags,
      'destroyed: reserved-packet-type fixedHeader 0',
    ])
  })

  it('destroys the stream when the next packet cannot be found: Remaining Length of five bytes, however split', async () => {
    const tooLong = 'variable-byte-integer-too-long remainingLength 1'
    await expectHoweverSplit(Buffer.concat([R3, Buffer.from('108080808001', 'hex'), R3]), options, [
      connect3,
      `destroyed: ${tooLong}`,
    ])
  })

  it('destroys the stream when a packet of the wrong type has a Remaining Length of five bytes, however split', async () => {
    await expectHoweverSplit(Buffer.concat([R3, Buffer.from('308080808001', 'hex'), R3]), options, [
      connect3,
      notConnect,
      'destroyed: variable-byte-integer-too-long remainingLength 1',
    ])
  })

  for (const [name, bytes] of [
    ['TLS', Buffer.from('16030100f1010000ed0303', 'hex')],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['HTTP POST', Buffer.from('POST /mqtt HTTP/1.1\r\n\r\n')],
    ['PROXY protocol 1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n')],
    ['PROXY protocol 2', Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex')],
    [
      'a CONNECT with flags 0110, whose first byte is that of TLS',
      Buffer.concat([Buffer.of(0x16), R3.subarray(1), R3]),
    ],
    ['a PUBREC, whose first byte is that of POST', Buffer.concat([Buffer.from('50020007', 'hex'), R3])],
  ] as const) {
    it(`gives the same for ${name} however split`, async () => {
      await expectHoweverSplit(bytes, options, await outcomes([bytes], options))
    })
  }

  it('reports a refused packet that ends in its middle as refused and as incomplete, however split', async () => {
    const limited = { ...options, maximumPacketSize: 100 }
    for (const [refused, least, code] of [
      [big, 3, tooLarge],
      [framed(Buffer.alloc(300), 2, 0x30), 1, notConnect],
    ] as const) {
      for (let length = 1; length < 7; length++) {
        const incomplete = `destroyed: packet-incomplete remainingLength ${length}`
        const expected = length < least ? [incomplete] : [code, incomplete]
        await expectHoweverSplit(refused.subarray(0, length), limited, expected)
      }
    }
  })

  it('says packet-incomplete of an end in mid-packet by destroying the stream', async () => {
    await expectHoweverSplit(Buffer.concat([MALFORMED, R3.subarray(0, 20)]), options, [
      flags,
      'destroyed: packet-incomplete remainingLength 20',
    ])
  })
})

describe('PacketDecoder: what is not a chunk of bytes', () => {
  for (const [name, chunk, encoding] of [
    ['a string', 'CONNECT', 'utf8'],
    ['a string in hex', R3.toString('hex'), 'hex'],
    ['an empty string', '', 'utf8'],
  ] as const) {
    it(`ends with a TypeError if ${name} is written`, async () => {
      const decoder = new PacketDecoder({ connection: false })
      const error = new Promise<Error>((resolve) => decoder.on('error', resolve))
      decoder.on('data', () => expect.fail('nothing comes out'))
      decoder.write(chunk as never, encoding)
      expect(await error)
        .to.be.instanceof(TypeError)
        .with.property('code', 'ERR_INVALID_ARG_TYPE')
    })
  }

  for (const [name, chunk] of [
    ['an object', {}],
    ['an array of numbers', [0x10, 0]],
    ['a number', 16],
    ['an ArrayBuffer', new ArrayBuffer(2)],
  ] as const) {
    it(`refuses ${name} with a TypeError`, () => {
      const decoder = new PacketDecoder({ connection: false })
      expectMisuse(() => decoder.write(chunk as never), TypeError, 'ERR_INVALID_ARG_TYPE')
    })
  }

  it('refuses null with a TypeError', () => {
    expectMisuse(
      () => new PacketDecoder({ connection: false }).write(null as never),
      TypeError,
      'ERR_STREAM_NULL_VALUES',
    )
  })
})
