import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { createMqttServer } from '../../examples/server.ts'
import { createTlsFrontDoor } from '../../examples/tls.ts'
import {
  closeAll,
  closeLater,
  collectOutput,
  connectMqttJs,
  freePort,
  isListening,
  listen,
  needs,
  run,
  start,
  withReservedFlag,
} from './support.ts'

describe('examples/tls.ts', () => {
  collectOutput()
  let folder: string
  let lines: string[]
  let port: number
  const file = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(file(name))

  /** Creates a key and a certificate. */
  async function certify(name: string, subject: string, signer?: string): Promise<void> {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      file(`${name}.key`),
    ]
    const by = signer ? ['-CA', file(`${signer}.crt`), '-CAkey', file(`${signer}.key`)] : []
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const { code, output } = await run('openssl', [
      ...['req', '-x509', '-days', '1', '-subj', subject, '-out', file(`${name}.crt`)],
      ...[...key, ...by, ...names],
    ])
    if (code !== 0) throw new Error(output)
  }

  before(async function () {
    needs(this, 'openssl')
    folder = mkdtempSync(join(tmpdir(), 'certificates-'))
    await Promise.all([certify('ca', '/CN=ca'), certify('stranger', '/CN=admin')])
    await Promise.all([certify('server', '/CN=localhost', 'ca'), certify('client', '/CN=sensor-0042', 'ca')])
    await Promise.all([certify('nameless', '/O=sensors', 'ca'), certify('several', '/CN=admin/CN=b', 'ca')])
  })

  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  })

  beforeEach(async () => {
    lines = []
    const broker = await listen(createMqttServer((line) => lines.push(line)))
    const options = { key: read('server.key'), cert: read('server.crt'), ca: read('ca.crt') }
    port = await listen(createTlsFrontDoor(options, { port: broker, host: '127.0.0.1' }))
  })

  afterEach(closeAll)

  const credentials = () => ({ ca: read('ca.crt'), key: read('client.key'), cert: read('client.crt') })

  /** Everything that a client with these keys receives, in hex. */
  async function answer(options: ConnectionOptions, bytes: Uint8Array): Promise<string> {
    const client = connect({ port, host: '127.0.0.1', ...options })
    closeLater(() => client.destroy())
    let received = ''
    client.on('data', (chunk) => {
      received += chunk.toString('hex')
    })
    // The server may reset the connection after its answer.
    client.on('error', () => {})
    client.write(bytes)
    await new Promise((resolve) => client.on('close', resolve))
    return received
  }

  for (const version of [4, 5] as const) {
    it(`makes the name in the certificate of MQTT.js the user name, protocol level ${version}`, async () => {
      const given = { username: 'admin', password: 'guess', clientId: 'c' }
      await connectMqttJs(port, version, { protocol: 'mqtts', ...credentials(), ...given })
      expect(lines.join())
        .to.match(/\{cid:c,ka:60,cs:1,un:sensor-0042[,}]/)
        .and.not.to.match(/admin|pw:/)
    })
  }

  it('accepts mosquitto_pub', async function () {
    needs(this, 'mosquitto_pub')
    const tls = ['--cafile', file('ca.crt'), '--key', file('client.key'), '--cert', file('client.crt')]
    const { output } = await run('mosquitto_pub', [
      '-h',
      '127.0.0.1',
      '-p',
      `${port}`,
      ...tls,
      '-t',
      't',
      '-m',
      'm',
    ])
    expect(output).to.equal('')
    expect(lines[0]).to.include('un:sensor-0042')
  })

  for (const [what, own] of [
    ['no certificate', () => ({})],
    [
      'the certificate of another authority',
      () => ({ key: read('stranger.key'), cert: read('stranger.crt') }),
    ],
  ] as const) {
    it(`forwards nothing of a client with ${what}`, async () => {
      const client = connect({ port, host: '127.0.0.1', ca: read('ca.crt'), ...own() })
      closeLater(() => client.destroy())
      client.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' }).bytes)
      const code = await new Promise((resolve) => {
        client.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        client.on('close', () => resolve('closed'))
      })
      expect(code).to.match(/^ERR_SSL_|ECONNRESET|closed/)
      expect(lines).to.deep.equal([])
    })
  }

  for (const name of ['nameless', 'several']) {
    it(`refuses a client whose certificate does not have exactly one name: ${name}`, async () => {
      const own = { key: read(`${name}.key`), cert: read(`${name}.crt`) }
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
      expect(await answer({ ca: read('ca.crt'), ...own }, packet.bytes)).to.equal('2003008700')
      expect(lines).to.deep.equal([])
    })
  }

  it('says which arguments it needs', async () => {
    const child = start('tls.ts')
    let output = ''
    for await (const chunk of child.stderr!) output += chunk
    expect(output).to.include('Arguments: SERVER_KEY SERVER_CERT CLIENT_CA')
  })

  it('serves clients when it is started directly', async () => {
    const free = await freePort()
    const files = [file('server.key'), file('server.crt'), file('ca.crt')]
    const broker = await listen(createMqttServer((line) => lines.push(line)))
    await isListening(free, start('tls.ts', ...files, free, broker))
    await connectMqttJs(free, 4, { protocol: 'mqtts', ...credentials() })
    expect(lines.join()).to.include('un:sensor-0042')
  })

  it('answers a malformed CONNECT', async () => {
    const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
    expect(await answer(credentials(), withReservedFlag(packet))).to.equal('2003008100')
  })
})
