import { expect } from 'chai'
import { v3_1, v3_1_1 } from 'mqtt-connect-packet'
import { Authority } from './certificates.ts'
import {
  type Attempt,
  Broker,
  blocksOf,
  clientId,
  connect4,
  connect5,
  invalidFlags,
  outcome,
  type Ports,
  startEquivalent,
} from './coming-from.ts'
import { Folder, freePort, needs, Program, until } from './support.ts'

const [haproxyText = ''] = blocksOf('haproxy')
const [haproxyEquivalent = ''] = blocksOf('json')

/**
 * Each attempt has different client ids for HAProxy and the gateway, because a client takes over the session of an equal id.
 */
const attempts: Readonly<Record<string, readonly [who: string, attempt: () => Attempt]>> = {
  'a client of 3.1.1': ['served', () => ({ chunks: [connect4()] })],
  'a client of 5.0': ['served', () => ({ chunks: [connect5()] })],
  'a client of 5.0 with TLS': ['served', () => ({ chunks: [connect5()], tls: true })],
  'a client of an allowed address': ['served', () => ({ chunks: [connect4()], from: '127.0.0.7' })],
  'a client of a denied address': ['refused', () => ({ chunks: [connect4()], from: '127.0.0.9' })],
  'a denied address with TLS': ['refused', () => ({ chunks: [connect4()], from: '127.0.0.9', tls: true })],
  'a CONNECT in two pieces': [
    'served',
    () => {
      const bytes = connect5()
      return { chunks: [bytes.subarray(0, 9), bytes.subarray(9)] }
    },
  ],
  'a CONNECT that never ends': ['refused', () => ({ chunks: [connect4().subarray(0, 9)] })],
  'a client that says nothing': ['refused', () => ({ chunks: [] })],
  'a client without a client id': ['served', () => ({ chunks: [connect4('')] })],
  'a request of HTTP': ['refused', () => ({ chunks: [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')] })],
  'a PINGREQ first': ['refused', () => ({ chunks: [Buffer.from('c000', 'hex')] })],
  'a CONNECT with a reserved flag': ['refused', () => ({ chunks: [invalidFlags()] })],
  'a client of 3.1': [
    'served',
    () => ({
      chunks: [new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: clientId() }).bytes],
    }),
  ],
}

describe('gateway: coming from HAProxy', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const running: { stop(): Promise<void> }[] = []
  const brokers: Broker[] = []
  const ports = {} as Record<'HAProxy' | 'the gateway', Ports>

  before(async function () {
    needs(this, 'haproxy', 'mosquitto', 'openssl')
    const authority = new Authority(folder)
    const { certPem, keyPem } = authority.issue('localhost', 'DNS:localhost')
    folder.write('mqtt.crt', certPem)
    folder.write('mqtt.key', keyPem)
    const combined = folder.write('mqtt.pem', certPem + keyPem)
    const [one, two, plain, tls, ownPlain, ownTls] = await Promise.all(
      Array.from({ length: 6 }, () => freePort()),
    )
    for (const port of [one!, two!]) brokers.push(await Broker.start(folder, port))
    const file = folder.write(
      'haproxy.cfg',
      haproxyText
        .replace('0.0.0.0:1883', `127.0.0.1:${plain}`)
        .replace('0.0.0.0:8883', `127.0.0.1:${tls}`)
        .replace('/etc/haproxy/mqtt.pem', combined)
        .replace('10.0.0.11:1883', `127.0.0.1:${one}`)
        .replace('10.0.0.12:1883', `127.0.0.1:${two}`)
        .replaceAll('inter 5s', 'inter 200ms'),
    )
    running.push(await Program.start(plain!, 'haproxy', '-f', file, '-db'))
    const config = JSON.parse(haproxyEquivalent)
    config.route.health.interval = 0.2
    const own = { plain: ownPlain!, tls: ownTls!, brokers: [one!, two!] } as const
    running.push(await startEquivalent(folder, config, own))
    ports.HAProxy = { plain: plain!, tls: tls!, ca: authority.pem }
    ports['the gateway'] = { plain: ownPlain!, tls: ownTls!, ca: authority.pem }
  })

  after(async () => {
    for (const one of [...running, ...brokers]) await one.stop()
    folder.remove()
  })

  for (const [what, [expected, attempt]] of Object.entries(attempts)) {
    it(`both treat alike: ${what}: ${expected}`, async () => {
      const results = await both((of) => outcome(of, attempt()))
      for (const [who, [result, answer]] of results) expect(result, `${who}: ${answer}`).to.equal(expected)
    })
  }

  /** Runs `act` through HAProxy and through the gateway. */
  async function both<T>(act: (of: Ports) => Promise<T>): Promise<readonly (readonly [string, T])[]> {
    return await Promise.all(Object.entries(ports).map(async ([name, of]) => [name, await act(of)] as const))
  }

  it('both refuse the sixth connection in a row of a client id, and no other', async () => {
    const id = clientId()
    const results = await both(async (of) => {
      const all: string[] = []
      for (let i = 0; i < 6; i++) all.push((await outcome(of, { chunks: [connect4(id)] }))[0])
      all.push((await outcome(of, { chunks: [connect4()] }))[0])
      return all
    })
    for (const [who, all] of results)
      expect(all, who).to.deep.equal([...Array(5).fill('served'), 'refused', 'served'])
  })

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

  it("HAProxy passes on a client id that isn't UTF-8, and the gateway does not, as the page says", async () => {
    const bytes = Buffer.from(connect4('abc'))
    bytes[bytes.length - 1] = 0xff
    const reached = async (of: Ports) => {
      for (const { addresses } of brokers) addresses.length = 0
      await outcome(of, { chunks: [bytes] })
      return brokers.some(({ addresses }) => addresses.length > 0)
    }
    expect(await reached(ports.HAProxy)).to.equal(true)
    expect(await reached(ports['the gateway'])).to.equal(false)
  })

  it('HAProxy refuses a CONNECT larger than its buffer, and the gateway accepts it, as the page says', async () => {
    const will = { topic: 't', message: Buffer.alloc(20_000) }
    const chunks = () => [
      new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: clientId(), will }).bytes,
    ]
    const results = await both(async (of) => (await outcome(of, { chunks: chunks() }))[0])
    expect(Object.fromEntries(results)).to.deep.equal({ HAProxy: 'refused', 'the gateway': 'served' })
  })

  it('both keep a client id at one broker, use both brokers, and pass over one that is down', async () => {
    const ids = Array.from({ length: 20 }, clientId)
    /** The index of the broker that serves a client, or -1. */
    const place = async (of: Ports, id: string) => {
      for (const { addresses } of brokers) addresses.length = 0
      await outcome(of, { chunks: [connect4(id)] })
      return brokers.findIndex(({ addresses }) => addresses.length > 0)
    }
    const places = async (of: Ports) => {
      const all: number[] = []
      for (const id of ids) all.push(await place(of, id))
      return all
    }
    for (const [who, of] of Object.entries(ports)) {
      const first = await places(of)
      expect(new Set(first), who).to.deep.equal(new Set([0, 1]))
      expect(await places(of), who).to.deep.equal(first)
    }
    await brokers[0]!.stop()
    for (const [who, of] of Object.entries(ports)) {
      // Waits until the health checks mark the broker down, so that its client ids reach the other one.
      await until(async () => {
        for (let i = 0; i < 8; i++) if ((await place(of, clientId())) !== 1) return false
        return true
      })
      expect(await places(of), who).to.deep.equal(ids.map(() => 1))
    }
  })
})
