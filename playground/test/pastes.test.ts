import { expect } from 'chai'
import { logs } from '../../test/explain/logs.ts'
import { readText } from '../src/read-text.ts'
import { search, symptomIn, symptoms } from '../src/symptoms.ts'

describe('a text that is pasted', () => {
  for (const { title, found, text } of logs) {
    it(`is read as logs.txt says, the client first: ${title}`, () => {
      const read = readText(text)
      if ('problem' in read) {
        expect(found[0]).to.match(/^refused/)
        return
      }
      const bytes = read.flatMap(({ streams }) =>
        streams.map((stream) => Buffer.from(stream.bytes).toString('hex')),
      )
      const expected = found.map((line) => /^(?:sent |received )?([\da-f]+) from/.exec(line)?.[1])
      expect(bytes.sort()).to.deep.equal(expected.sort())
      for (const { streams } of read) {
        if (streams.length === 1) continue
        expect(streams.map(({ from }) => from)).to.deep.equal(['client', 'server'])
        // If a packet is missing, the CONNACK tells who the server is.
        expect([streams[0]!.bytes[0], streams[1]!.bytes[0]]).to.satisfy(
          ([client, server]: number[]) => client === 0x10 || server === 0x20,
        )
      }
    })
  }
})

describe('the messages that the page knows', () => {
  it('lead to their diagnosis, each of them, in a search and within a log', () => {
    for (const { messages, diagnosis } of symptoms) {
      for (const message of messages) {
        expect(
          search(message).map((one) => one.diagnosis),
          message,
        ).to.include(diagnosis)
        if (message.length > 3) expect(symptomIn(`12:00 E (17): ${message}`), message).not.to.equal(undefined)
      }
    }
  })

  it('are found in what clients and servers really print', () => {
    for (const [line, headline] of [
      ['Attempting MQTT connection...failed, rc=-2 try again in 5 seconds', /no TCP connection/],
      ['Connected with result code 5: failed, rc=5', /not authorized/],
      ['Connection error: Connection Refused: not authorised.', /not authorized/],
      ['1795396762: Client <unknown> disconnected, not authorised.', /not authorized/],
      ['Error: connect ECONNREFUSED 127.0.0.1:1883', /no TCP connection/],
      ['Error: connack timeout', /no CONNACK/],
      ['1795396762: Client esp8266 already connected, closing old connection.', /lost later/],
      ['Client <unknown> disconnected due to protocol error.', /not valid MQTT/],
      ['OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number', /speaks TLS/],
      ['Error: Lookup error.', /host name/],
    ] as const) {
      expect(symptomIn(line)?.diagnosis.headline, line).to.match(headline)
    }
    expect(symptomIn('everything works')).to.equal(undefined)
  })
})
