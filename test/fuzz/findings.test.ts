import { Buffer } from 'node:buffer'
import { check } from '../../fuzz/fuzz.ts'
import { type Options, type Split, whole } from '../../fuzz/inputs.ts'
import * as library from '../../lib/index.ts'
import { hex } from '../support/reference.ts'

/* Findings of the fuzzer, and bytes that it should have found. All invariants must hold for them. */

const anything: Options = {
  connection: false,
  errors: 'destroy',
  allow: [],
  protocolVersion: 0,
  maximumPacketSize: 65_536,
}
const CONNECT = '100d 0004 4d515454 04 02 0000 0001 63'
const byteByByte: Split = { ...whole, lengths: [1], paced: true }

const findings: readonly (readonly [what: string, bytes: string, options?: Partial<Options>])[] = [
  [
    'authentication data needs a method also if its identifier is not in the shortest form',
    '1012 0004 4d515454 05 02 0000 05 9600 0001 64 0000',
    { allow: ['variable-byte-integer-not-shortest'] },
  ],
  [
    'a PUBREC that is too large and begins as POST does is skipped',
    `${CONNECT} 504f ${'01'.repeat(79)} c000`,
    { connection: true, errors: 'push', maximumPacketSize: 50 },
  ],
  [
    'a PUBREC that is too large and begins as PROXY does is skipped, however it is split',
    `${CONNECT} 5052 4f ${'01'.repeat(81)} c000`,
    { connection: true, errors: 'push', maximumPacketSize: 50 },
  ],
  [
    'no packet is looked for after the greeting of an SSH server',
    `${Buffer.from('SSH-2.0-x\r\n').toString('hex')} 20020000 e000`,
    { errors: 'push' },
  ],
  ['a parser that has ended in the middle of a packet gives nothing after that', CONNECT.slice(0, -3)],
]

describe('a finding of the fuzzer', () => {
  for (const [what, bytes, options] of findings) {
    it(what, async () => {
      const splits = [byteByByte, { ...byteByByte, lengths: [17, 1] }]
      await check(library, {
        bytes: { bytes: Buffer.from(hex(bytes)), options: { ...anything, ...options }, splits },
      })
    })
  }
})
