import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { reframed } from '../../fuzz/mutations.ts'
import { Tally } from '../property/rebuild.ts'
import { hex, R3, R5 } from '../support/reference.ts'

/* Where the fuzzer samples, this test is exhaustive: it sets each byte of a packet to every value, and cuts out each piece. */

const packets: Readonly<Record<string, readonly [version: 3 | 4 | 5, bytes: string]>> = {
  'CONNECT of 3.1': [3, '1000 0006 4d5149736470 03 c6 003c 0002 6331 0001 74 0002 6d31 0001 75 0002 7031'],
  'CONNECT of 3.1.1': [4, R3],
  'CONNECT of 5.0': [5, R5],
  'CONNACK of 3.1': [3, '2002 0000'],
  'CONNACK of 3.1.1': [4, '2002 0100'],
  'CONNACK of 5.0': [5, '2000 0000 16 11 00000e10 21 0014 24 01 12 0002 6331 26 0001 6b 0001 76'],
}

describe('each change of one byte, and each piece cut out', () => {
  for (const [name, [version, text]] of Object.entries(packets)) {
    it(`turns a ${name} into a packet that its fields rebuild, or into an MqttError`, () => {
      const tally = new Tally()
      const bytes = reframed(hex(text))
      tally.judge(bytes, version)
      expect(tally.accepted).to.equal(1)
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        for (let by = 1; by < 256; by++) {
          changed[at] = bytes[at]! + by
          tally.judge(changed, version)
          tally.judge(changed)
        }
        for (let length = 1; at + length <= bytes.length; length += 3) {
          const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
          tally.judge(rest, version)
          tally.judge(reframed(rest), version)
        }
      }
      expect(tally.accepted).to.be.greaterThan(1)
      expect(tally.refused.size).to.be.greaterThan(bytes.length > 10 ? 8 : 4)
    })
  }
})
