import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { main } from '../../lib/cli/main.ts'
import { diagnose, explain, property, v3_1 } from '../../lib/index.ts'
import { packetNamed, pastes } from '../explain/pastes.ts'
import { withByte } from '../explain/support.ts'
import { connect3 } from '../support/faults.ts'
import { buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { cli, dumpOf, misuse } from './support.ts'

const dumpOfR3 = `${dumpOf(hex(R3))}\n`
const pairs = R3.match(/../g)!
const invalid = connect3('03', '0001 63')

describe('mqtt-connect-packet explain', () => {
  let directory: string
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'mqtt-connect-packet-'))
  })
  after(() => rmSync(directory, { recursive: true }))

  async function expectR3(args: string[], stdin?: string | Uint8Array): Promise<void> {
    expect(await cli(['explain', ...args], stdin)).to.include({ code: 0, stdout: dumpOfR3, stderr: '' })
  }

  it('takes hex as one argument or several, in any common notation', async () => {
    await Promise.all([
      expectR3([R3]),
      expectR3([R3.toUpperCase()]),
      expectR3(pairs),
      expectR3([pairs.join(':')]),
      expectR3(pairs.map((pair) => `0x${pair},`)),
      expectR3([`0x${R3}`]),
      expectR3([pairs.map((pair) => `0x${pair.replace(/^0/, '')}`).join(' ')]),
    ])
  })

  it('takes hex or raw bytes from stdin, and tells which by the content', async () => {
    await Promise.all([
      expectR3(['-'], R3),
      expectR3([], `${R3}\n`),
      expectR3(['-'], pairs.join(' ')),
      expectR3(['-'], R3.replace(/.{32}/g, '$&\r\n')),
      expectR3(['-'], pairs.map((pair) => `0x${pair}`).join(',\n')),
      expectR3(['-'], hex(R3)),
    ])
    const ping = await cli(['explain', '-'], 'c0 00')
    expect(ping).to.include({ code: 0, stdout: `${dumpOf(hex('c000'))}\n` })
  })

  it('does not wait for a person to type bytes', async () => {
    let stderr = ''
    const write = (output: string | Uint8Array) => {
      stderr += output
    }
    const stdin = { isTTY: true, [Symbol.asyncIterator]: () => expect.fail('read') }
    expect(await main(['explain'], { stdin, stdout: { write }, stderr: { write }, env: {} })).to.equal(2)
    expect(stderr).to.include('no bytes: give BYTES, --file FILE or -')
  })

  it('takes hex or raw bytes from a file', async () => {
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(directory, name), content)
      return join(directory, name)
    }
    await expectR3(['--file', file('a.hex', pairs.join('\n'))])
    await expectR3(['-f', file('a.bin', hex(R3))])
  })

  it('says what is wrong with an invalid packet, exit code 1', async () => {
    const { code, stdout, stderr } = await cli(['explain', invalid.toString('hex')])
    expect([code, stderr]).to.deep.equal([1, ''])
    expect(stdout).to.equal(`${dumpOf(invalid)}\n`)
    expect(stdout).to.include('code     connect-flags-reserved')
  })

  it('takes --allow, repeated, and --protocol', async () => {
    const wire = connect3('0b', '0001 63').toString('hex')
    const allow = ['--allow', 'connect-flags-reserved', '--allow', 'will-qos-without-will']
    expect((await cli(['explain', wire, ...allow.slice(2)])).code).to.equal(1)
    expect((await cli(['explain', wire, ...allow])).code).to.equal(0)
    for (const [version, code] of [
      ['3.1.1', 0],
      ['5', 1],
    ] as const) {
      expect((await cli(['explain', '--protocol', version, R3])).code).to.equal(code)
    }
  })

  it('says first, in plain words, what the bytes mean and what to do', async () => {
    const { stdout } = await cli(['explain', '16030100c8'])
    expect(stdout).to.match(/^This is TLS\. Connect to port 8883, or turn TLS off in the client\.\n[A-Z]/)
    expect((await cli(['explain', '2002', '0005'])).stdout).to.match(
      /^The server does not let this client in/,
    )
    for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(100)
  })

  it('reads MQTT 3.1, which mosquitto_pub -V mqttv31 speaks', async () => {
    const { bytes } = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'mosq-1' })
    const { code, stdout } = await cli(['explain', '-'], bytes)
    expect(code).to.equal(0)
    expect(stdout)
      .to.match(/^This is a valid MQTT 3\.1 CONNECT\./)
      .and.to.include('\nvalid    MQTT 3.1 CONNECT')
  })

  it('explains a CONNECT and a SUBSCRIBE together, and exits with 1 if any packet is invalid', async () => {
    const subscribe = '820800010003612f6200'
    const both = await cli(['explain', `${R3}${subscribe}`])
    expect(both.code).to.equal(0)
    expect(both.stdout).to.match(/^These are 2 packets: MQTT 3\.1\.1 CONNECT, SUBSCRIBE\.\n/)
    expect(both.stdout).to.include('\nnot decoded  SUBSCRIBE of 10 bytes\n')
    expect((await cli(['explain', `${R3}00`])).code).to.equal(1)
  })

  it('names its own options in hints, and not those of the library', async () => {
    for (const [wire, name] of [
      ['100c00044d5154540400003c0000', '--allow CODE relaxes this rule'],
      ['20020005', '--protocol VERSION does'],
      [R3, '; --secrets shows them'],
    ] as const) {
      const { stdout } = await cli(['explain', wire])
      expect(stdout).to.include(name)
      expect(stdout).not.to.match(/the option `/)
    }
    // Text inside a packet isn't rewritten.
    const { bytes } = buildV5({ clientId: 'the option `allow`' })
    expect((await cli(['explain', '-'], bytes)).stdout).to.include('the option `allow`')
  })

  it('explains both directions of a connection, in the version of its CONNECT', async () => {
    const sent = '100c00044d5154540402003c0000'
    const log = `12:00:01 TX: ${sent.replace(/../g, '$& ')}\n12:00:02 RX: 20 02 00 05\n12:00:03 closed\n`
    const { code, stdout } = await cli(['explain', '-'], log)
    expect(code).to.equal(0)
    const received = dumpOf(hex('20020005'), { protocolVersion: 4 })
    const ignored = 'ignored  the beginnings of 2 lines, a line without bytes\n'
    // What decides comes first, and only once.
    const [advice, dump] = received.split('\n\n  byte')
    const [, own] = dumpOf(hex(sent)).split('\n\n  byte')
    expect(advice).to.match(/^The server does not let this client in/)
    expect(stdout).to.equal(
      `${advice}\n\nfrom the client:\n  byte${own}\n\nfrom the server:\n  byte${dump}\n${ignored}`,
    )
    const all = JSON.parse((await cli(['explain', '-', '--json'], log)).stdout)
    expect(all.map((one: { from: string; valid: boolean }) => [one.from, one.valid])).to.deep.equal([
      ['client', true],
      ['server', true],
    ])
    // A server's log has the directions swapped.
    const swapped = await cli(
      ['explain', '-'],
      log.replace('TX', 'xx').replace('RX', 'TX').replace('xx', 'RX'),
    )
    expect(swapped.stdout).to.include('v3_1_1::connack{rc:not_authorized')
    expect((await cli(['explain', '-'], log.replace('00 05', '00 06'))).code).to.equal(1)
  })

  it('says where a wrong character is, and in which ways a text can be read', async () => {
    const text = 'TX: 10 0c\nTX: 00 O4 4d\n'
    const shown = (await cli(['explain', '-', '--secrets'], text)).stdout
    expect(shown).to.match(/^> +3 {2}\?\? 4d +not read +not interpreted/m)
    // Whether the packet is valid depends on the byte that isn't known.
    expect(shown).not.to.match(/invalid|packet-incomplete/)
    const { code, stdout, stderr } = await cli(['explain', '-'], text)
    expect(code).to.equal(2)
    expect(stderr).to.match(/no hex digit \(line 2, column 8\)/)
    for (const file of [Buffer.from(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le')])
      expect((await cli(['explain', '-'], file)).stderr).to.include('(line 2, column 8)')
    // The bytes after it may be a password.
    expect(stdout)
      .to.include('12 bytes')
      .and.to.match(/^> +3 {2}\?\? \*\* +not read/m)
    const refused = await cli(['explain', '-', '--secrets'], text.replace('TX:', 'TX: 20 02 00 05'))
    expect(refused.stdout)
      .to.match(/^valid +MQTT 3.1.1 CONNACK/m)
      .and.to.match(/\?\? 4d/)
    // The other direction is whole, and read in the version of the CONNECT.
    const both = 'TX: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\nRX: 20 02 0g 05\n'
    const sides = await cli(['explain', '-'], both)
    expect(sides.stdout).to.match(/valid +MQTT 3.1.1 CONNECT.*from the server:\n.*> +2 {2}\?\? \*\*/s)
    expect(sides.code).to.equal(2)
    expect((await cli(['explain', '-', '--json'], text)).stdout).to.equal('')
    expect(await misuse(['explain', 'text'])).to.match(/it looks like prose$/)
    expect(await misuse(['explain', '16 12 0 4'])).to.match(/in 2 ways: as hex, or as decimal numbers$/)
  })

  it('reads no file and no pipe that never ends', async function () {
    this.timeout(60_000)
    expect(await misuse(['explain', '--file', '/dev/zero'])).to.equal('the file has more than 64 MiB')
    let chunks = 0
    async function* endless() {
      for (;;) yield Buffer.alloc(0x10_0000, `${chunks++ % 10} `)
    }
    let stderr = ''
    const write = (output: string | Uint8Array) => {
      stderr += output
    }
    const io = { stdin: endless(), stdout: { write }, stderr: { write }, env: {} }
    expect(await main(['explain', '-'], io)).to.equal(2)
    expect(stderr).to.include('stdin has more than 64 MiB')
    expect(chunks).to.equal(65)
  })

  it('hides secrets, and shows them with --secrets', async () => {
    const password = 's3cret-passw0rd'
    expect((await cli(['explain', R5])).stdout).not.to.include(password)
    expect((await cli(['explain', R5, '--secrets'])).stdout).to.equal(
      `${dumpOf(hex(R5), { secrets: true })}\n`,
    )
  })

  it('prints JSON with --json', async () => {
    for (const [wire, code] of [
      [R5, 0],
      [invalid.toString('hex'), 1],
    ] as const) {
      const run = await cli(['explain', wire, '--json'])
      expect(run.code).to.equal(code)
      const all = { diagnosis: diagnose(hex(wire)), ...explain(hex(wire)).toJSON() }
      expect(JSON.parse(run.stdout)).to.deep.equal(JSON.parse(JSON.stringify(all)))
    }
  })

  it('reads every text that bytesFromText reads, from stdin and as one argument', async () => {
    for (const { command, text, bytes, refusal } of pastes) {
      const runs = [await cli(['explain', '-'], text), await cli(['explain', '--', text])]
      for (const { code, stdout, stderr } of runs) {
        if (bytes === undefined) expect([code, stdout], command).to.deep.equal([2, ''])
        else if (command !== 'xxd r3.pcap') expect(stdout, command).to.match(exactly(dumpOf(bytes)))
        // The command reads text beside bytes, and says what's wrong with it.
        if (refusal !== undefined && !refusal.startsWith('it has other text'))
          expect(stderr, command).to.include(refusal)
      }
    }
  })

  it('prints nothing that a terminal acts on, in text and JSON', async () => {
    const clientId = 'a\x1b[2J\u009b\u2028\u202e\u200f\ufeff\x7f\r\n"b'
    const will = { topic: clientId, message: clientId }
    const { bytes } = buildV5({
      clientId,
      userName: clientId,
      will,
      props: [property.userProperty(clientId, clientId)],
    })
    for (const options of [[], ['--json'], ['--secrets'], ['--json', '--secrets']]) {
      const { stdout } = await cli(['explain', '-', ...options], bytes)
      const controls = /[^\P{C}\n]|\p{Zl}|\p{Zp}/u
      // JSON keeps U+FEFF: Unicode calls it a format character, but terminals ignore it.
      expect(stdout.replaceAll('\ufeff', '')).not.to.match(controls)
      expect(stdout).to.include('\\u009b').and.to.include('\\u202e')
    }
  })

  it('answers misuse with one line that quotes no bytes, and exit code 2', async () => {
    const notBytes = 'the input must be bytes in hex, as an array, a dump or base64, but'
    for (const [args, line, stdin] of [
      [['explain', 'xyz'], `${notBytes} it looks like prose`],
      [['explain', '-', '10'], 'use either - or BYTES, not both'],
      [['explain', '103'], `${notBytes} it is hex with an odd number of digits`],
      [['explain', '-'], `${notBytes} it looks like prose`, '103000SECRETS'],
      [['explain', '-'], `${notBytes} it is hex with an odd number of digits`, '10300'],
      [['explain', '-'], `${notBytes} it is HTTP`, 'GET / HTTP/1.1\r\n\r\n'],
      [['explain', '-'], `${notBytes} it is empty`, ''],
      [['explain', '--file', 'no/such/file'], 'no such file or directory'],
      [['explain', '--file', '.'], 'EISDIR'],
      [['explain', '--file', 'package.json', '10'], 'use either --file or BYTES, not both'],
      [['explain', '--protocol', '3.2', '10'], '--protocol: must be 3.1, 3.1.1 or 5, not 3.2'],
      [['explain', '--allow', 'will-qos', '10'], '--allow: unknown code will-qos: use '],
      [['explain', '--allow', 'client-id-emty', '10'], 'did you mean client-id-empty?'],
    ] as const) {
      expect(await misuse(args, stdin)).to.include(line)
    }
  })

  it('says where the packet begins in a frame of a capture', async () => {
    for (const [name, at] of [
      ['ip', 40],
      ['frame', 54],
    ] as const) {
      const frame = packetNamed(name)
      const { stdout } = await cli(['explain', frame.toString('hex')])
      expect(stdout).to.match(new RegExp(`\\nhint .*its TCP payload begins at byte ${at}\\n$`))
      await expectR3([frame.subarray(at).toString('hex')])
    }
    const ip = packetNamed('ip')
    // TCP options make the header 12 bytes longer.
    const longer = Buffer.concat([ip.subarray(0, 40), Buffer.alloc(12, 1), ip.subarray(40)])
    longer[3] = longer.length
    longer[32] = 0x80
    expect((await cli(['explain', longer.toString('hex')])).stdout).to.include('payload begins at byte 52\n')
    const packets = `40020001300400016106${'c000'.repeat(30)}`
    const others = [
      ip.subarray(0, 39),
      withByte(ip, 9, 17),
      withByte(ip, 3, 0xff),
      hex(packets),
      ip.subarray(1),
    ]
    for (const bytes of others) {
      const { code, stdout } = await cli(['explain', bytes.toString('hex')])
      expect(code).to.equal(bytes.equals(hex(packets)) ? 0 : 1)
      expect(stdout, bytes.toString('hex')).not.to.include('TCP payload')
    }
  })
})

/** Matches the explanation, with or without a hint below it. */
function exactly(dump: string): RegExp {
  return new RegExp(`^${dump.replace(/[^\w\s]/g, '\\$&')}\\n(hint .*\\n)?(ignored .*\\n)?$`)
}
