import { spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { v3_1 } from 'mqtt-connect-packet'
import { parseConfig } from '../lib/operate/config.ts'
import { Authority } from './certificates.ts'
import {
  type Attempt,
  Broker,
  blocksOf,
  clientId,
  connect4,
  connect5,
  outcome,
  type Ports,
  startEquivalent,
} from './coming-from.ts'
import { Folder, freePort, needs, Program, until } from './support.ts'

const [nginxText = ''] = blocksOf('nginx')
const [, equivalent = '', equivalentOfCommercial = ''] = blocksOf('json')

const attempts: Readonly<Record<string, readonly [who: string, attempt: () => Attempt]>> = {
  'a client of 3.1': [
    'served',
    () => ({
      chunks: [new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: clientId() }).bytes],
    }),
  ],
  'a client of 3.1.1': ['served', () => ({ chunks: [connect4()] })],
  'a client of 5.0 with TLS': ['served', () => ({ chunks: [connect5()], tls: true })],
  'a client of an allowed address': ['served', () => ({ chunks: [connect4()], from: '127.0.0.7' })],
  'a client of a denied address': ['refused', () => ({ chunks: [connect4()], from: '127.0.0.9' })],
  'a denied address with TLS': ['refused', () => ({ chunks: [connect4()], from: '127.0.0.9', tls: true })],
  'a request of HTTP': ['refused', () => ({ chunks: [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')] })],
}

describe('gateway: coming from the open-source nginx', function () {
  this.timeout(40_000)
  const folder = new Folder()
  const running: { stop(): Promise<void> }[] = []
  const brokers: Broker[] = []
  const ports = {} as Record<'nginx' | 'the gateway', Ports>

  before(async function () {
    needs(this, 'nginx', 'mosquitto', 'openssl')
    const authority = new Authority(folder)
    const { certPem, keyPem } = authority.issue('localhost', 'DNS:localhost')
    folder.write('mqtt.crt', certPem)
    folder.write('mqtt.key', keyPem)
    const [one, two, plain, tls, ownPlain, ownTls] = await Promise.all(
      Array.from({ length: 6 }, () => freePort()),
    )
    const text = nginxText
      .replace('0.0.0.0:1883', `127.0.0.1:${plain}`)
      .replace('0.0.0.0:8883', `127.0.0.1:${tls}`)
      .replace('10.0.0.11:1883', `127.0.0.1:${one}`)
      .replace('10.0.0.12:1883', `127.0.0.1:${two}`)
    const file = folder.write('nginx.conf', text)
    const here = ['-p', folder.path, '-e', 'stderr', '-c', file]
    const { status, stderr } = spawnSync('nginx', [...here, '-t', '-g', `pid ${folder.path}/pid;`], {
      encoding: 'utf8',
    })
    if (stderr.includes('dlopen() "')) this.skip()
    expect(stderr).to.contain('test is successful')
    expect(status).to.equal(0)
    for (const port of [one!, two!]) brokers.push(await Broker.start(folder, port))
    running.push(
      await Program.start(
        plain!,
        'nginx',
        ...here,
        '-g',
        `pid ${folder.path}/pid; daemon off; master_process off;`,
      ),
    )
    const config = JSON.parse(equivalent)
    const own = { plain: ownPlain!, tls: ownTls!, brokers: [one!, two!] } as const
    running.push(await startEquivalent(folder, config, own))
    ports.nginx = { plain: plain!, tls: tls!, ca: authority.pem }
    ports['the gateway'] = { plain: ownPlain!, tls: ownTls!, ca: authority.pem }
  })

  after(async () => {
    for (const one of [...running, ...brokers]) await one.stop()
    folder.remove()
  })

  for (const [what, [expected, attempt]] of Object.entries(attempts)) {
    it(`both treat alike: ${what}: ${expected}`, async () => {
      for (const [who, of] of Object.entries(ports)) {
        const [result, answer] = await outcome(of, attempt())
        expect(result, `${who}: ${answer}`).to.equal(expected)
      }
    })
  }

  it('both tell the broker the address of the client', async () => {
    for (const [who, of] of Object.entries(ports)) {
      for (const { addresses } of brokers) addresses.length = 0
      await outcome(of, { chunks: [connect4()], from: '127.0.0.33' })
      expect(
        brokers.flatMap(({ addresses }) => addresses),
        who,
      ).to.deep.equal(['127.0.0.33'])
    }
  })

  it('both refuse the fifth open connection of an address, and no other address', async () => {
    for (const [who, { plain }] of Object.entries(ports)) {
      const open: Socket[] = []
      const from = '127.0.0.44'
      /** Returns true if there's a CONNACK. */
      const add = async () => {
        const socket = connect({ port: plain, host: '127.0.0.1', localAddress: from }).on('error', () => {})
        open.push(socket)
        socket.write(connect4())
        return await new Promise<boolean>((resolve) => {
          socket.once('data', () => resolve(true))
          socket.once('close', () => resolve(false))
        })
      }
      const results: boolean[] = []
      for (let i = 0; i < 5; i++) results.push(await add())
      expect(results, who).to.deep.equal([true, true, true, true, false])
      expect((await outcome(ports.nginx, { chunks: [connect4()], from: '127.0.0.45' }))[0]).to.equal('served')
      for (const socket of open) socket.destroy()
    }
  })

  it('nginx passes on what is not MQTT, and the gateway does not, as the page says', async () => {
    for (const [who, of] of Object.entries(ports)) {
      for (const { addresses } of brokers) addresses.length = 0
      await outcome(of, { chunks: [Buffer.from('c000', 'hex')] })
      const reached = brokers.flatMap(({ addresses }) => addresses).length
      expect(reached, who).to.equal(who === 'nginx' ? 1 : 0)
    }
  })

  it('both pass over a broker that is down', async () => {
    await brokers[0]!.stop()
    for (const [who, of] of Object.entries(ports)) {
      await until(async () => {
        for (let i = 0; i < 8; i++)
          if ((await outcome(of, { chunks: [connect5()], from: `127.0.0.${50 + i}` }))[0] !== 'served')
            return false
        return true
      }, 15_000).catch(() => expect.fail(who))
    }
  })
})

describe('gateway: coming from the commercial nginx', () => {
  it('the equivalent configuration of the gateway is valid', () => {
    expect(parseConfig(JSON.parse(equivalentOfCommercial)).upstreams).to.have.lengthOf(2)
  })
})
