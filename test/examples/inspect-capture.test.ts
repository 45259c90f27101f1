import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConnectReasonCode, connack, v3_1_1, v5 } from 'mqtt-connect-packet'
import { explainCapture } from '../../examples/inspect-capture.ts'
import { pcap, type Segment } from '../interop/capture.ts'
import { needs, run, withReservedFlag } from './support.ts'

const { success } = ConnectReasonCode
const first = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'one', password: 's3cret' })
const second = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'two' })
const subscribe = Buffer.from('8206000100017400', 'hex')

/** A capture of connections in both versions, with packets that share a segment, and one that spans two segments. */
const segments: readonly Segment[] = [
  { connection: 1, from: 'client', payload: first.bytes.subarray(0, 20) },
  { connection: 2, from: 'client', payload: Buffer.concat([second.bytes, subscribe]) },
  { connection: 1, from: 'client', payload: Buffer.concat([first.bytes.subarray(20), subscribe]) },
  { connection: 1, from: 'server', payload: connack(first, success).bytes },
  { connection: 2, from: 'server', payload: connack(second, success)!.bytes },
  { connection: 3, from: 'client', payload: withReservedFlag(second) },
  { connection: 4, from: 'client', payload: second.bytes.subarray(0, -1) },
]

describe('examples/inspect-capture.ts', () => {
  it('explains the handshakes that tshark finds in a capture', async function () {
    needs(this, 'tshark')
    const folder = mkdtempSync(join(tmpdir(), 'capture-'))
    try {
      const file = join(folder, 'handshakes.pcap')
      writeFileSync(file, pcap(segments))
      const { output } = await run('tshark', commandFor(file))
      const explanations = explainCapture(output.split('\n').filter((line) => /^\d+\t/.test(line)))
      expect(explanations.map(({ packet, error }) => `${packet ?? error?.code}`)).to.deep.equal([
        `${first}`,
        'v5::connack{rc:success,sp:0}',
        `${second}`,
        'v3_1_1::connack{rc:accepted,sp:0}',
        'connect-flags-reserved',
        'packet-incomplete',
      ])
      expect(explanations.join('')).not.to.include('s3cret')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** The tshark arguments from the comment at the top of the recipe. */
function commandFor(file: string): string[] {
  const recipe = readFileSync(new URL('../../examples/inspect-capture.ts', import.meta.url), 'utf8')
  const command = /tshark (-r .*?) \|/s.exec(recipe)![1]!
  const words = command.replaceAll(/\\\n \*/g, ' ').match(/'[^']*'|\S+/g)!
  return words.map((word) => (word === 'FILE' ? file : word.replaceAll("'", '')))
}
