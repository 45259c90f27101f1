import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import {
  decode,
  diagnose,
  explain,
  MqttError,
  OpaquePacket,
  PacketDecoder,
  PacketParser,
  property,
  v5,
} from '../../lib/index.ts'
import { vectors } from '../../lib/testing/index.ts'
import { buildV3, buildV5, decodeV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'

const SECRET = 'of somebody else'

/** A packet inside memory that holds a secret, with a length that reaches into the secret. */
function lyingBuffer(packet: Uint8Array, claimed: number): Buffer {
  const memory = Buffer.alloc(packet.length + 200, SECRET)
  memory.set(packet, 100)
  const view = memory.subarray(100, 100 + packet.length)
  return Object.defineProperty(view, 'length', { value: claimed })
}

describe('a Buffer with a false length', () => {
  // Password and packet claim 38 bytes too many. By the claimed length, both would end in the secret.
  const tooLong = hex('103a 0004 4d515454 04 c2 0000 0001 63 0001 75 0028 7077')

  it('is decoded to its true length only', async () => {
    for (const claimed of [tooLong.length + 38, 1000, 2 ** 31]) {
      const read = () => decode(lyingBuffer(tooLong, claimed))
      expectRefusal(read, 'packet-incomplete', 'remainingLength', tooLong.length)
      const parser = new PacketParser({ connection: false })
      expect([...parser.push(lyingBuffer(tooLong, claimed))]).to.deep.equal([])
      expect(parser.pending).to.equal(tooLong.length)
      expect(decodeV5(lyingBuffer(hex(R5), claimed)).bytes.toString('hex')).to.equal(R5)
      const decoder = new PacketDecoder({ connection: false })
      decoder.end(lyingBuffer(hex(R3), claimed))
      const [packet] = await once(decoder, 'data')
      expect(packet.bytes.toString('hex')).to.equal(R3)
    }
  })

  it('shows no other memory if the caller replaces its length or a method that copies it', () => {
    const [head, tail] = [hex(R3).subarray(0, 5), hex(R3).subarray(5)]
    const lie = { copy: () => 0, subarray: () => Buffer.alloc(100, SECRET), length: tail.length }
    for (const name of ['length', 'copy', 'subarray'] as const) {
      const copy = Buffer.from(tail)
      let asked = 0
      const member =
        name === 'length' ? { get: () => tail.length + (asked++ === 0 ? 0 : 30) } : { value: lie[name] }
      const parser = new PacketParser({ connection: false })
      const packets = [...parser.push(head), ...parser.push(Object.defineProperty(copy, name, member))]
      expect(
        packets.map((packet) => (packet as v5.ConnectPacket).bytes.toString('hex')),
        name,
      ).to.deep.equal([R3])
    }
  })

  it('shows no other memory if it gives a false position', () => {
    const memory = Buffer.concat([Buffer.alloc(100, SECRET), hex(R3), Buffer.alloc(100, SECRET)])
    for (const [name, value] of [
      ['byteOffset', memory.byteOffset],
      ['byteOffset', 1e9],
      ['buffer', new ArrayBuffer(4)],
      ['byteLength', 1000],
    ] as const) {
      const lying = (start: number): Buffer =>
        Object.defineProperty(memory.subarray(100 + start, 100 + R3.length / 2), name, { value })
      for (const start of [0, 1, 3, 5]) {
        const parser = new PacketParser({ connection: false })
        const packets = [...parser.push(hex(R3).subarray(0, start)), ...parser.push(lying(start))]
        expect(packets.map((packet) => (packet as v5.ConnectPacket).bytes.toString('hex'))).to.deep.equal([
          R3,
        ])
      }
      expect(`${explain(lying(0))}`, name).to.equal(`${explain(hex(R3))}`)
      expect(diagnose(lying(0))).to.deep.equal(diagnose(hex(R3)))
    }
  })

  it('does not show other memory in a packet whose bytes are changed after decoding', () => {
    for (let at = 2; at < R5.length / 2; at++) {
      const memory = Buffer.concat([hex(R5), Buffer.alloc(70_000, SECRET)])
      const bytes = memory.subarray(0, R5.length / 2)
      const packet = decodeV5(bytes)
      bytes[at] = 0xff
      const { clientId, userName, password, will, props } = packet
      for (const read of [
        clientId,
        userName,
        password,
        will,
        will?.message,
        props,
        packet,
        packet.toFields(),
      ]) {
        const text = `${typeof read === 'string' ? read : inspect(read)} ${Buffer.isBuffer(read) ? read.toString() : ''}`
        expect(text, `byte ${at}`).not.to.include(SECRET)
      }
    }
  })
})

describe('a packet whose bytes are changed after decoding', () => {
  it('has other contents, but its members throw no error', () => {
    const short = vectors.filter(({ code, bytes }) => code === undefined && bytes.length < 100)
    for (const { name, bytes: original, protocolVersion, from, options } of short) {
      for (let at = 0; at < original.length; at++) {
        for (const changes of [[0x00], [0xff], [0xff, 0xff, 0xff], [original[at]! ^ 0x20, 0x5c]]) {
          const bytes = Buffer.from(original)
          const packet = decode(bytes, { protocolVersion, from, ...options })
          bytes.set(changes.slice(0, bytes.length - at), at)
          const use = () => {
            inspect(packet)
            if (packet instanceof OpaquePacket) return [`${packet}`, packet.packetId]
            return [`${packet}`, packet.constBufferSequence(), packet.toFields(), packet.property(0x21)]
          }
          expect(use, `${name}: ${original.toString('hex')}, ${changes} from byte ${at}`).not.to.throw()
        }
      }
    }
  })
})

describe('what is not bytes', () => {
  it('is misuse, also with the prototype of bytes', () => {
    for (const bytes of [
      Object.create(Buffer.prototype),
      Object.create(Uint8Array.prototype),
      new Proxy(hex(R3), {}),
    ]) {
      expectMisuse(() => decode(bytes), 'ERR_INVALID_ARG_TYPE', 'bytes')
      expectMisuse(() => new PacketParser({ connection: false }).push(bytes), 'ERR_INVALID_ARG_TYPE', 'chunk')
      expect(() => explain(bytes)).to.throw(TypeError)
    }
  })
})

describe('shared memory that another thread changes while it is read', () => {
  it('is a packet or an MqttError each time', async () => {
    const original = new Uint8Array(
      buildV5({
        userName: 'u',
        password: 'p',
        will: { topic: 't', message: 'm', props: [property.contentType('c')] },
        props: [property.userProperty('a', 'b'), property.receiveMaximum(4)],
      }).bytes,
    )
    const shared = new SharedArrayBuffer(original.length)
    const bytes = new Uint8Array(shared)
    bytes.set(original)
    const worker = new Worker(
      `const { original, shared } = require('worker_threads').workerData
      const bytes = new Uint8Array(shared)
      for (let random = 1; ; random = (random * 1103515245 + 12345) >>> 0) {
        const at = (random >>> 8) % bytes.length
        bytes[at] = random >>> 3
        for (let wait = (random >>> 5) & 63; wait > 0; wait--);
        bytes[at] = original[at]
      }`,
      { eval: true, workerData: { original, shared } },
    )
    await once(worker, 'online')
    const seen = { packets: 0, errors: 0 }
    const start = Date.now()
    // On a busy machine, the other thread may start late.
    const isDone = () => Date.now() - start > (Math.min(seen.packets, seen.errors) > 0 ? 300 : 8000)
    while (!isDone()) {
      try {
        const packet = decode(bytes)
        seen.packets++
        for (const text of [`${packet}`, JSON.stringify(packet), inspect(packet)])
          expect(text).to.be.a('string')
        if (packet instanceof v5.ConnectPacket) {
          packet.toFields()
          packet.constBufferSequence()
        }
        for (const _ of new PacketParser({ connection: false }).push(bytes));
      } catch (error) {
        if (!(error instanceof MqttError)) throw error
        seen.errors++
      }
    }
    await worker.terminate()
    expect(Math.min(seen.packets, seen.errors), JSON.stringify(seen)).to.be.greaterThan(0)
  })
})

describe('an enumerable property of Object.prototype', () => {
  const noClientId = hex('10 0c 0004 4d515454 04 00 0000 0000')

  /** Makes a call while every object inherits an additional property. */
  function polluted(name: string, value: unknown, call: () => unknown): unknown {
    Object.defineProperty(Object.prototype, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
    try {
      return call()
    } finally {
      delete (Object.prototype as Record<string, unknown>)[name]
    }
  }

  it('relaxes no rule', () => {
    for (const options of [{}, { protocolVersion: 4 }] as const) {
      const reads = [
        () => decode(noClientId, options),
        () => [...new PacketParser({ connection: false, ...options }).push(noClientId)],
        () => new PacketDecoder({ connection: false, ...options, errors: 'push' }).end(noClientId).read(),
      ]
      for (const read of reads) {
        const outcome = polluted('allow', ['client-id-empty'], () => {
          try {
            return read()
          } catch (error) {
            return error
          }
        })
        expect(outcome).to.have.property('code', 'client-id-empty')
      }
      const { error } = polluted('allow', ['client-id-empty'], () => explain(noClientId, options)) as {
        error: MqttError
      }
      expect(error.code).to.equal('client-id-empty')
    }
  })

  it('sets no limit, version or other option', () => {
    for (const [name, value] of [
      ['maximumPacketSize', 10],
      ['protocolVersion', 5],
      ['packetIdBytes', 7],
      ['foreign', () => {}],
    ] as const) {
      polluted(name, value, () => {
        expect(decode(hex(R3), {}).size).to.equal(50)
        expect([...new PacketParser({ connection: false }).push(hex(R3))]).to.have.length(1)
        expect(buildV3({ userName: 'u' }).userName).to.equal('u')
      })
    }
    expectRefusal(() => decode(noClientId), 'client-id-empty', 'clientId')
  })
})
