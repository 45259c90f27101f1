import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pcap } from '../interop/capture.ts'
import { connect3 } from '../support/faults.ts'
import { R3 } from '../support/reference.ts'
import { cli, dumpOf, misuse, root } from './support.ts'

/** The listing of a captured real session. */
const SESSION = `  1  127.0.0.1:… → 127.0.0.1:28841: CONNECT valid, CONNACK valid
     The server accepts the client.
  2  127.0.0.1:… → 127.0.0.1:28841: CONNECT valid, CONNACK valid, refuses the client
     The server does not let this client in: not authorized.
  3  [::1]:… → [::1]:28841: CONNECT valid, CONNACK valid
     The server accepts the client.
  4  127.0.0.1:… → 127.0.0.1:28842 (WebSocket): CONNECT valid, CONNACK valid
     The server accepts the client.

--connection NUMBER explains one of them.
`

const invalid = connect3('03', '0001 63')

describe('mqtt-connect-packet explain, with a capture', () => {
  it('lists the handshakes, and explains one of them', async () => {
    for (const name of ['session.pcap', 'session.pcapng']) {
      const file = join(root, 'test', 'explain', name)
      const list = await cli(['explain', '--file', file])
      expect(list).to.include({ code: 0, stderr: '' })
      expect(list.stdout.replace(/:\d{5} →/g, ':… →')).to.equal(SESSION)
      expect(await cli(['explain', '-'], readFileSync(file))).to.deep.equal(list)

      const { stdout } = await cli(['explain', '-f', file, '--connection', '2'])
      const [first = '', client = '', server = ''] = stdout.split(/\n\nfrom the (?:client|server):\n/)
      expect(first).to.match(
        /^127\.0\.0\.1:\d+ → 127\.0\.0\.1:28841\n\nThe server does not let this client in: not authorized\.\n/,
      )
      expect(client).to.include('v5::connect{')
      expect(server).to.include('v5::connack{rc:not_authorized')
      const all = JSON.parse((await cli(['explain', '-f', file, '--json'])).stdout)
      expect(all).to.have.length(4)
      expect(all[3].connection).to.match(/ \(WebSocket\)$/)
      expect(all[3].streams.map((one: { from: string }) => one.from)).to.deep.equal(['client', 'server'])
      const one = JSON.parse((await cli(['explain', '-f', file, '--json', '--connection', '4'])).stdout)
      expect(one).to.deep.equal(all.slice(3))
      // The second connection's password
      expect(JSON.stringify(all)).not.to.include('wrong"')
      expect((await cli(['explain', '-f', file, '--connection', '2', '--secrets'])).stdout).to.include(
        '"wrong"',
      )
      for (const number of ['0', '5', '-1', '1.5', 'one'])
        expect(await misuse(['explain', '-f', file, `--connection=${number}`])).to.equal(
          `--connection: must be 1 to 4, not ${number}`,
        )
    }
    expect(await misuse(['explain', R3, '--connection', '1'])).to.equal(
      '--connection: the input is not a capture or log of several connections',
    )
  })

  it('explains the only connection, also with bytes missing, and exits with 1 if one is invalid', async () => {
    const valid = Buffer.from(R3, 'hex')
    const only = pcap([{ connection: 1, from: 'client', payload: valid }])
    const { code, stdout } = await cli(['explain', '-'], only)
    expect(code).to.equal(0)
    expect(stdout).to.equal(`10.0.0.1:10001 → 10.0.0.2:1883\n\n${dumpOf(valid)}\n`)
    const two = pcap([
      { connection: 1, from: 'client', payload: valid },
      { connection: 2, from: 'client', payload: invalid },
    ])
    const list = await cli(['explain', '-'], two)
    expect(list.code).to.equal(1)
    expect(list.stdout).to.include('  2  10.0.0.1:10002 → 10.0.0.2:1883: CONNECT invalid, no answer\n     ')
    const none = pcap([{ connection: 1, from: 'client', payload: Buffer.alloc(0) }])
    expect(await misuse(['explain', '-'], none)).to.match(/it is a capture file without MQTT/)
  })
})
