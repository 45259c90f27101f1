import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { bufferToPacketVariant, MqttError, property, v5 } from '../../lib/index.ts'
import { buildV3, buildV5, fieldsOfV5 } from '../support/packets.ts'

/*
 * Packets of well-formed strings and numbers in range are written at one go, into memory that they share, and not
 * scanned; all others are measured, written and scanned. From outside there must be no difference.
 */

const id = (length: number): string => 'c'.repeat(length)

describe('packets of plain contents', () => {
  it('stay as they are, and right, however many follow in the same memory', () => {
    const packets = Array.from({ length: 2000 }, (_, i) =>
      buildV5({ clientId: `c${i}`, password: id(i % 300) }),
    )
    for (const [i, packet] of packets.entries()) {
      const decoded = bufferToPacketVariant(packet.bytes) as v5.ConnectPacket
      expect(decoded.clientId).to.equal(`c${i}`)
      expect(String(decoded.password)).to.equal(id(i % 300))
    }
  })

  /** A packet, and how often its will message has been read: once if it was plain, else three times. */
  function counted(length: number, message = () => 'm'): { packet: v5.ConnectPacket; reads: number } {
    let reads = 0
    const packet = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: length,
      clientId: id(length),
      will: {
        topic: 'topic',
        get message() {
          reads++
          return message()
        },
        qos: 2,
        retain: true,
        props: [property.contentType(id(length % 700)), property.willDelayInterval(length)],
      },
      props: [property.userProperty('k', id(length % 300)), property.receiveMaximum(5)],
    })
    return { packet, reads }
  }

  it('are the same bytes as if they had been in doubt, at every length', () => {
    let plainOnes = 0
    let tried = 0
    for (let length = 1; length < 9000; length += length < 700 || length > 7000 ? 1 : 37) {
      let first = true
      const plain = counted(length)
      const doubtful = counted(length, () => {
        const text = first ? '\ud800' : 'm'
        first = false
        return text
      })
      expect(doubtful.reads).to.equal(3) // Once in vain, once measured, once written.
      expect(doubtful.packet.equals(plain.packet)).to.equal(true)
      expect(fieldsOfV5(bufferToPacketVariant(plain.packet.bytes) as v5.ConnectPacket)).to.deep.equal(
        fieldsOfV5(plain.packet),
      )
      if (length < 700) {
        tried++
        if (plain.reads === 1) plainOnes++
      }
    }
    // Now and then there is too little room left for one.
    expect(plainOnes / tried).to.be.above(0.8)
  })

  it('hold strings of all alphabets, and still are written at one go', () => {
    const texts = [
      '\u00e9',
      'g\u00e4ste/t\u00fcr',
      '\u65e5\u672c',
      '\ud83d\ude00',
      'a\ud83d\ude00\uffff\u0080',
      '\ufeff',
      '\u07ff\u0800',
    ]
    for (const text of texts) {
      let first = true
      const build = (inDoubt: boolean): { packet: v5.ConnectPacket; reads: number } => {
        let reads = 0
        const packet = new v5.ConnectPacket({
          cleanStart: true,
          keepAlive: 0,
          clientId: text,
          userName: text,
          props: [property.userProperty(text, text), property.authenticationMethod(text)],
          will: {
            topic: text,
            get message() {
              reads++
              const message = inDoubt && first ? '\ud800' : text
              first = false
              return message
            },
            props: [property.contentType(text), property.responseTopic(text)],
          },
        })
        return { packet, reads }
      }
      const doubtful = build(true)
      const tries = Array.from({ length: 3 }, () => build(false))
      expect(doubtful.reads).to.equal(3)
      expect(Math.min(...tries.map(({ reads }) => reads))).to.equal(1)
      for (const { packet } of tries) {
        expect(packet.equals(doubtful.packet)).to.equal(true)
        expect(packet.clientId).to.equal(text)
      }
    }
  })

  it('are written at one go again after one that there was no room for', () => {
    for (const length of [100, 1000, 2000, 3000]) {
      const reads = Array.from({ length: 60 }, () => counted(length).reads)
      for (const [i, read] of reads.entries()) {
        if (read !== 1 && i + 1 < reads.length) expect(reads[i + 1]).to.equal(1)
      }
      expect(reads.filter((read) => read === 1).length).to.be.above(29)
    }
  })

  it('have a property length of each size', () => {
    for (const length of [
      0, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 500, 3000, 16_370, 16_384,
    ]) {
      const props = [property.userProperty('k', id(length))]
      const will = { topic: 't', message: 'm', props }
      const packet = buildV5({ props, will })
      expect(fieldsOfV5(bufferToPacketVariant(packet.bytes) as v5.ConnectPacket)).to.deep.equal(
        fieldsOfV5(packet),
      )
      expect(packet.props).to.deep.equal(props)
      expect(packet.will?.props).to.deep.equal(props)
    }
  })

  it('are never ones that decoding would refuse, whatever the fields', () => {
    const text = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('', 'a', 'a/b', id(40)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '+',
          'a/#',
          '\0',
          'a\0b',
          '\u0080',
          '\u00e9',
          '\ud83d\ude00/\u00e9',
          '\u00e9+',
          '\u00e9\0',
          '\u00e9\ud800',
          '\ud800',
          '\u007f',
          '\u0001',
        ),
      },
    )
    const number = fc.constantFrom(0, 1, 2, 3, 255, 256, 65_535, 65_536, 2 ** 32 - 1, -1, 1.5)
    const value = fc.oneof(text, number, fc.constantFrom(new Uint8Array(2), null, undefined, true))
    const item = fc.record({ id: fc.integer({ min: 0, max: 0x30 }), key: text, value })
    const good = fc.constantFrom<object>(
      property.receiveMaximum(1),
      property.authenticationMethod('m'),
      property.authenticationData('d'),
      property.userProperty('a', 'b'),
      property.requestProblemInformation(1),
      property.contentType('t'),
      property.responseTopic('r'),
      property.responseTopic('r/+'),
      property.willDelayInterval(1),
    )
    const props = fc.array(fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: item }), {
      maxLength: 4,
    })
    const will = fc.record(
      {
        topic: text,
        message: fc.oneof(text, fc.uint8Array()),
        qos: fc.constantFrom(0, 1, 2, 3),
        retain: fc.boolean(),
        props,
      },
      { requiredKeys: ['topic', 'message'] },
    )
    const fields = fc.record(
      {
        clean: fc.boolean(),
        keepAlive: fc.constantFrom(0, 65_535),
        clientId: text,
        userName: text,
        password: fc.oneof(text, fc.uint8Array()),
        will,
        props,
      },
      { requiredKeys: ['clean', 'keepAlive', 'clientId'] },
    )
    const seen = { packets: 0, refused: 0, misused: 0 }
    const check = (build: () => { bytes: Buffer }): void => {
      let bytes: Buffer
      try {
        bytes = build().bytes
      } catch (error) {
        if (error instanceof MqttError) seen.refused++
        else {
          expect(error).to.have.property('code').that.matches(/^ERR_/)
          seen.misused++
        }
        return
      }
      seen.packets++
      expect(bufferToPacketVariant(bytes).bytes.equals(bytes)).to.equal(true)
    }
    fc.assert(
      fc.property(fields, ({ clean, ...rest }) => {
        check(() => buildV5({ cleanStart: clean, ...rest } as never))
        const { props: _, ...rest3 } = rest
        const { props: __, ...will3 } = rest3.will ?? {}
        check(() => buildV3({ cleanSession: clean, ...rest3, ...(rest3.will && { will: will3 }) } as never))
      }),
      { numRuns: 4000, seed: 5 },
    )
    // All three must come, or nothing has been shown.
    expect(Math.min(seen.packets, seen.refused, seen.misused)).to.be.above(200)
  })

  it('are not disturbed by a packet that a getter builds meanwhile', () => {
    const inner: v5.ConnectPacket[] = []
    const will = {
      message: 'message',
      get topic() {
        for (let i = 0; i < 3; i++) inner.push(buildV5({ clientId: `inner${i}`, password: id(500) }))
        return 'topic'
      },
    }
    const outer = buildV5({ clientId: 'outer', will, password: 'password' })
    expect(
      outer.clientId + outer.will?.topic + String(outer.will?.message) + String(outer.password),
    ).to.equal('outertopicmessagepassword')
    for (const [i, packet] of inner.entries()) {
      expect(packet.clientId).to.equal(`inner${i}`)
      expect(String(packet.password)).to.equal(id(500))
    }
  })

  it('are what was read the one time that they are read', () => {
    let reads = 0
    const will = {
      message: 'm',
      get topic() {
        return reads++ === 0 ? 'read first' : 'and then'
      },
    }
    expect(buildV5({ will }).will?.topic).to.equal('read first')
    expect(reads).to.equal(1)
  })

  it('share memory that cannot be transferred away, which would take the others along', () => {
    const [one, other] = [buildV5({ clientId: 'one' }), buildV5({ clientId: 'other' })]
    try {
      structuredClone(one.bytes, { transfer: [one.bytes.buffer as ArrayBuffer] })
    } catch (error) {
      expect(error).to.have.property('name', 'DataCloneError') // Node 20 just does not transfer it.
    }
    expect(one.clientId + other.clientId).to.equal('oneother')
  })

  it('share 8 KiB of memory, of their own', () => {
    const buffers = new Set<unknown>()
    for (let i = 0; i < 100; i++) {
      const { buffer } = buildV5({ password: id(100) }).bytes
      expect(buffer.byteLength).to.equal(8192)
      expect(buffer).to.not.equal(Buffer.allocUnsafe(1).buffer)
      buffers.add(buffer)
    }
    expect(buffers.size).to.be.within(1, 3)
  })
})
