import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { readContent, readText } from '../../lib/explain/read-input.ts'
import { hex, R3 } from '../support/reference.ts'
import { logs } from './logs.ts'

const capture = readFileSync(new URL('session.pcap', import.meta.url))

describe('a text that is pasted', () => {
  for (const { title, found, text } of logs) {
    it(`is read as logs.txt says, the client first: ${title}`, () => {
      const { choices, problem } = { choices: [], ...readText(text) }
      if (problem !== undefined) {
        expect(found[0]).to.match(/^refused/)
        return
      }
      const bytes = choices.flatMap(({ streams }) =>
        streams.map((stream) => Buffer.from(stream.bytes).toString('hex')),
      )
      const expected = found.map((line) => /^(?:sent |received )?([\da-f]+) from/.exec(line)?.[1])
      expect(bytes.sort()).to.deep.equal(expected.sort())
      for (const { streams } of choices) {
        if (streams.length === 1) continue
        expect(streams.map(({ from }) => from)).to.deep.equal(['client', 'server'])
        // If one packet is missing, the CONNACK identifies the server.
        expect([streams[0]!.bytes[0], streams[1]!.bytes[0]]).to.satisfy(
          ([client, server]: number[]) => client === 0x10 || server === 0x20,
        )
      }
    })
  }

  it('may show several connections, each with both directions', () => {
    const { text } = logs.find(({ title }) => title === 'tcpdump -X of two connections')!
    const { choices, areConnections } = { choices: [], areConnections: false, ...readText(text) }
    expect(areConnections).to.equal(true)
    expect(
      choices.map(({ name, streams }) => [name, ...streams.map(({ bytes }) => bytes.length)]),
    ).to.deep.equal([
      ['packets of tcpdump, 127.0.0.1:31885 and 127.0.0.1:34686', 25, 4],
      ['packets of tcpdump, 127.0.0.1:31885 and 127.0.0.1:34688', 25, 4],
    ])
  })

  it('is refused if the numbers of one of several connections can be read in two ways, which are no sides', () => {
    const log =
      'send(19): 16 17 0 6 77 81 73 115 100 112 3 2 0 60 0 3 111 110 101\nrecv(4): 32 2 0 0\nsend(2): 192 0\nrecv(2): 208 0'
    expect({ problem: undefined, ...readText(log) }.problem).to.match(/some can be read in two ways$/)
  })

  it('may be a dump of a capture', () => {
    const { choices, areConnections } = {
      choices: [],
      areConnections: false,
      ...readText(capture.toString('hex')),
    }
    expect([choices.length, areConnections]).to.deep.equal([4, true])
  })
})

describe('a file', () => {
  it('has a capture, a text, or the bytes themselves', () => {
    for (const [content, names] of [
      [capture, ['127.0.0.1:43216 → 127.0.0.1:28841']],
      [Buffer.from(`${R3}\n`), ['hex']],
      [hex(R3), ['bytes']],
    ] as const) {
      const { choices } = { choices: [], ...readContent(content) }
      expect(choices.slice(0, 1).map(({ name }) => name)).to.deep.equal(names)
    }
    expect(readContent(Buffer.from('Zeit für MQTT')).problem).to.match(/^it has characters/)
    const none = Buffer.concat([capture.subarray(0, 24), Buffer.alloc(3)])
    expect(readContent(none).problem).to.equal('it is a capture file without packets')
    expect(readContent(hex('d4c3b2a1020004000000')).problem).to.match(/^it begins like a capture file/)
  })

  it('may be a log with the colors of a terminal, in UTF-16 or in Latin-1', () => {
    const log = `tx: ${R3.match(/../g)!.join(' ')}\n`
    for (const content of [
      Buffer.from(`\u001b[0;32m${log}\u001b[0m`),
      Buffer.from(`\u001b[32m\u001b[Ktx\u001b[m\u001b[K${log.slice(2)}`),
      Buffer.from(`\uFEFF${log}`, 'utf16le'),
      Buffer.from(`\uFEFF${log}`, 'utf16le').swap16(),
      Buffer.from(`Gerät verbunden\n${log}`, 'latin1'),
    ]) {
      const { choices } = { choices: [], ...readContent(content) }
      expect(choices.map(({ name }) => name)).to.deep.equal(['the bytes sent in lines of a log'])
      expect(Buffer.from(choices[0]!.streams[0]!.bytes)).to.deep.equal(hex(R3))
    }
  })

  it('has the bytes themselves if they are not text, even without control characters', () => {
    for (const content of ['ffffffff', 'e080', '1b0000', '33ff'])
      expect({ choices: [], ...readContent(hex(content)) }.choices.map(({ name }) => name)).to.deep.equal([
        'bytes',
      ])
  })

  it('may have the frames of a WebSocket, which are left out', () => {
    const { choices } = { choices: [], ...readContent(hex('820420020005')) }
    expect(choices.map(({ streams, ignored }) => [Buffer.from(streams[0]!.bytes), ignored])).to.deep.equal([
      [hex('20020005'), ['the WebSocket frames']],
    ])
  })
})
