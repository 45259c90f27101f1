import { get } from 'node:http'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { WebSocket } from 'ws'
import { Gateway } from '../../test/support/gateway.ts'

const connectPacket = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes

/** A PROXY header of version 2, for a connection from 192.0.2.1:1234 to 192.0.2.2:1883. */
const proxy2 = Buffer.concat([
  Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
  Buffer.from('2111000cc0000201c000020204d2075b', 'hex'),
])

/** Real clients of other protocols, and the line that the gateway prints for each. */
const others: Readonly<Record<string, { connects(port: number): void; line: RegExp; looksLike: string }>> = {
  'a TLS client': {
    connects: (port) => connectTls({ port, host: '127.0.0.1' }).on('error', () => {}),
    line: /refused: looks like TLS: is the client set to mqtts\?/,
    looksLike: 'tls',
  },
  'an HTTP client': {
    connects: (port) => get(`http://127.0.0.1:${port}/`).on('error', () => {}),
    line: /refused: looks like HTTP: is it a browser, /,
    looksLike: 'http',
  },
  'a WebSocket client': {
    connects: (port) => new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt').on('error', () => {}),
    line: /refused: looks like HTTP: .* or a client set to ws\?.* without WebSocket/,
    looksLike: 'http',
  },
  'a load balancer that sends PROXY version 1': {
    connects: (port) => send(port, Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1234 1883\r\n')),
    line: /refused: looks like the PROXY protocol, version 1: switch it off/,
    looksLike: 'proxy-v1',
  },
  'a load balancer that sends PROXY version 2': {
    connects: (port) => send(port, proxy2),
    line: /refused: looks like the PROXY protocol, version 2: switch it off/,
    looksLike: 'proxy-v2',
  },
}

function send(port: number, header: Buffer): void {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(Buffer.concat([header, connectPacket]))
}

describe('the gateway and clients of other protocols', function () {
  this.timeout(60_000)
  let printing: Gateway
  let json: Gateway

  before(() => {
    printing = new Gateway('--port', '0', '--no-sample')
    json = new Gateway('--port', '0', '--no-sample', '--json')
  })

  after(() => {
    printing.kill()
    json.kill()
  })

  for (const [who, { connects, line, looksLike }] of Object.entries(others)) {
    it(`prints a hint about ${who}`, async () => {
      const port = await printing.port()
      expect(await printing.lineAfter(() => connects(port))).to.match(line)
    })

    it(`prints with --json what ${who} looks like`, async () => {
      const port = await json.port()
      const row = JSON.parse(await json.lineAfter(() => connects(port)))
      expect(row.error.looksLike).to.equal(looksLike)
    })
  }

  it('prints the broken rule if no protocol is recognised', async () => {
    const port = await printing.port()
    const line = await printing.lineAfter(() => send(port, Buffer.from('c000', 'hex')))
    expect(line).to.match(
      /refused: fixedHeader: must begin a CONNECT, but begins a PINGREQ .*\[not-connect, /,
    )
  })
})
