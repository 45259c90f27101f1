import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { framesIn } from '../../lib/explain/capture/frames.ts'
import { connectionsOf } from '../../lib/explain/capture/reassembly.ts'
import type { Segment } from '../../lib/explain/capture/segments.ts'

describe('a TCP connection', () => {
  const segment = (from: 'c' | 's', sequence: number, text: string, flags = ''): Segment => ({
    from: from === 'c' ? '10.0.0.1:50000' : '10.0.0.2:1883',
    to: from === 'c' ? '10.0.0.2:1883' : '10.0.0.1:50000',
    sequence: sequence >>> 0,
    isStart: flags.includes('S'),
    isAnswer: flags === 'SA',
    isEnd: flags === 'F',
    isReset: false,
    acknowledged: undefined,
    payload: Buffer.from(text),
    size: text.length,
  })
  const joined = (segments: readonly Segment[]) =>
    connectionsOf(segments).map(({ fromOpener, fromOther, hasGap, opener }) => [
      opener,
      Buffer.from(fromOpener).toString(),
      Buffer.from(fromOther).toString(),
      hasGap,
    ])

  it('is put together in order, repeated and overlapping segments once', () => {
    for (const first of [1000, 0x7fffffff, 0xffffffff, 0xfffffffd]) {
      expect(
        joined([
          segment('c', first, '', 'S'),
          segment('s', 7, '', 'SA'),
          segment('c', first + 4, 'defg'),
          segment('c', first + 1, 'abc'),
          segment('c', first + 1, 'abc'),
          segment('c', first + 3, 'cdefghi'),
          segment('s', 8, 'OK'),
        ]),
        `${first}`,
      ).to.deep.equal([['10.0.0.1:50000', 'abcdefghi', 'OK', false]])
    }
  })

  it('keeps the bytes that came first, because the other side has discarded the others', () => {
    const start = segment('c', 1, '', 'S')
    const [one, two, three] = [segment('c', 2, 'abc'), segment('c', 5, 'def'), segment('c', 3, 'XXXXXXX')]
    expect(joined([start, one, two, three])[0]![1]).to.equal('abcdefXX')
    expect(joined([start, three, two, one])[0]![1]).to.equal('aXXXXXXX')
  })

  it('ends at a gap, and says so', () => {
    expect(joined([segment('c', 1, '', 'S'), segment('c', 2, 'abc'), segment('c', 9, 'xyz')])).to.deep.equal([
      ['10.0.0.1:50000', 'abc', '', true],
    ])
  })

  it('has a gap at its end if the sender, the other side or a cut segment shows that more was sent', () => {
    const [start, sent] = [segment('c', 1, '', 'S'), segment('c', 2, 'abc')]
    const gapAfter = (...more: Segment[]) => joined([start, sent, ...more])[0]!.slice(1)
    for (const more of [
      segment('c', 6, '', 'F'),
      segment('c', 9, '', 'F'),
      segment('c', 9, ''),
      { ...segment('s', 70, ''), acknowledged: 9 },
      { ...sent, size: 7 },
      { ...sent, size: Infinity },
    ])
      expect(gapAfter(more)).to.deep.equal(['abc', '', true])
    const ends = [segment('c', 5, '', 'F'), segment('c', 6, ''), { ...segment('s', 70, ''), acknowledged: 6 }]
    expect(gapAfter(...ends, { ...segment('s', 60, ''), acknowledged: 2 })).to.deep.equal(['abc', '', false])
    // The capture has all bytes if a segment that it has cut was sent again.
    expect(joined([start, { ...segment('c', 2, 'a'), size: 3 }, sent])[0]!.slice(1)).to.deep.equal([
      'abc',
      '',
      false,
    ])
  })

  it('without its start in the capture begins with what is there; the higher port is the client', () => {
    expect(joined([segment('s', 70, 'OK'), segment('c', 50, 'def'), segment('c', 47, 'abc')])).to.deep.equal([
      ['10.0.0.1:50000', 'abcdef', 'OK', false],
    ])
  })

  it('without its start begins with the first bytes if older ones that are sent again are not connected with them', () => {
    const [first, old, next] = [
      segment('c', 1000, 'abc'),
      segment('c', 960, 'old'),
      segment('c', 1003, 'def'),
    ]
    expect(joined([first, old, next])[0]!.slice(1)).to.deep.equal(['abcdef', '', false])
    const between = segment('c', 963, 'x'.repeat(37))
    expect(joined([first, old, between, next])[0]![1]).to.equal(`old${'x'.repeat(37)}abcdef`)
  })

  it('ends when the same ports connect again', () => {
    const again = [
      segment('c', 1, '', 'S'),
      segment('c', 2, 'one'),
      segment('c', 900, '', 'S'),
      segment('c', 901, 'two'),
    ]
    expect(joined(again).map(([, text]) => text)).to.deep.equal(['one', 'two'])
    // A SYN that is retransmitted because its answer was lost doesn't start a second connection.
    const repeated = [segment('c', 1, '', 'S'), segment('c', 1, '', 'S'), segment('c', 2, 'one')]
    expect(joined(repeated)).to.have.length(1)
  })
})

describe('a capture file with the blocks of old programs', () => {
  /** The beginning of a file in little-endian order: a section and its interface. */
  const beginning = (snapLength: number) => [
    0x0a0d0d0a,
    28,
    0x1a2b3c4d,
    1,
    -1,
    -1,
    28,
    1,
    20,
    1,
    snapLength,
    20,
  ]

  function bytesOf(numbers: readonly number[]): Buffer {
    const bytes = Buffer.alloc(4 * numbers.length)
    for (const [i, number] of numbers.entries()) bytes.writeInt32LE(number, 4 * i)
    return bytes
  }

  it('has the frames of Packet Blocks', () => {
    const bytes = bytesOf([...beginning(0), 2, 36, 0, 0, 0, 3, 9, 0xccbbaa, 36])
    expect(Array.from(framesIn(bytes), (frame) => [...frame.bytes])).to.deep.equal([[0xaa, 0xbb, 0xcc]])
  })

  it('has frames without lengths of their own (Simple Packet Block), which are as long as the interface allows', () => {
    for (const [snapLength, expected] of [
      [0, 'aabbccddeeff'],
      [5, 'aabbccddee'],
      [9, 'aabbccddeeff'],
    ] as const) {
      const frame = Buffer.from('aabbccddeeff000018000000', 'hex')
      const [first] = framesIn(Buffer.concat([bytesOf([...beginning(snapLength), 3, 24, 6]), frame]))
      expect(Buffer.from(first!.bytes).toString('hex'), `${snapLength}`).to.equal(expected)
    }
  })
})
