import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { type ConnectPacket, decode, PropertyId } from 'mqtt-connect-packet'
import type { ProbeOptions, Result } from '../lib/index.ts'
import { resultsAt } from './support.ts'

/* Refusals that the standards leave to the server are no violations, and all others are. */

/** A server's answer to a CONNECT: the code of its CONNACK, a whole packet, or nothing, so it closes the connection. */
type Reaction = number | Buffer | undefined

/** The results for a server that decides about each CONNECT like this, and answers nothing but PINGREQ afterwards. */
async function judged(
  react: (packet: ConnectPacket) => Reaction,
  options: ProbeOptions,
  later: (type: number) => Buffer | undefined = () => undefined,
): Promise<Result[]> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isAccepted = false
    let rest = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      if (isAccepted) {
        const bytes = later(chunk[0]! >> 4)
        if (bytes !== undefined) socket.end(bytes)
        else if (chunk.at(-2) === 0xc0) socket.write(Buffer.from('d000', 'hex'))
        return
      }
      rest = Buffer.concat([rest, chunk])
      const packet = connectOf(rest)
      if (packet === undefined) return
      const reaction = react(packet)
      if (reaction === 0 || Buffer.isBuffer(reaction)) {
        isAccepted = true
        socket.write(Buffer.isBuffer(reaction) ? reaction : connackOf(packet, 0))
      } else if (reaction === undefined) socket.end()
      else socket.end(connackOf(packet, reaction))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await resultsAt(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, options)
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

function connectOf(bytes: Buffer): ConnectPacket | undefined {
  try {
    return decode(bytes, { allow: ['protocol-mqtt-3-1'] }) as ConnectPacket
  } catch {
    return undefined
  }
}

function connackOf({ protocolVersion, clientId }: ConnectPacket, code: number): Buffer {
  if (protocolVersion !== 5) return Buffer.of(0x20, 2, 0, code)
  if (code !== 0 || clientId !== '') return Buffer.of(0x20, 3, 0, code, 0)
  return Buffer.of(0x20, 7, 0, 0, 4, PropertyId.assignedClientIdentifier, 0, 1, 0x61)
}

const isEmpty = ({ clientId }: ConnectPacket): boolean => clientId === ''
const isLong = ({ clientId }: ConnectPacket): boolean => clientId.length > 23
const isOfQos2 = ({ will }: ConnectPacket): boolean => will?.qos === 2
const isRetained = ({ will }: ConnectPacket): boolean => will?.retain === true
const isEmptyWill = ({ will }: ConnectPacket): boolean => will?.message.length === 0
const hasUser = ({ userName }: ConnectPacket): boolean => userName !== undefined
const hasNoKeepAlive = ({ keepAlive }: ConnectPacket): boolean => keepAlive === 0
const isIdZ = ({ clientId }: ConnectPacket): boolean => clientId === 'Z'

const empty5 = 'accept.an-empty-client-id-without-clean-start'
const empty4 = 'accept.an-empty-client-id-with-clean-session'
const long = 'accept.a-client-id-of-more-than-23-characters'
const qos2 = 'accept.a-will-with-qo-s-2'
const retain = 'accept.a-will-with-qo-s-0-and-will-retain'
const emptyWill = 'accept.a-will-with-an-empty-message'
const user = 'accept.a-user-name-without-a-password'
const idle = 'accept.keep-alive-0'
const idZ = 'accept.the-client-id-z'

type Row = readonly [
  version: '3.1' | '3.1.1' | '5.0',
  id: string,
  refuses: (packet: ConnectPacket) => boolean,
  reaction: Reaction,
  verdict: Result['verdict'],
]

const rows: readonly Row[] = [
  // 5.0, 3.1.3.1: a server may allow an empty client id, and may say 0x85 otherwise.
  ...[0x80, 0x83, 0x85, 0x87, undefined].map((code): Row => ['5.0', empty5, isEmpty, code, 'not-tested']),
  ...[0x80, 0x83, 0x85, 0x87, undefined].map((code): Row => ['5.0', long, isLong, code, 'not-tested']),
  ['5.0', empty5, isEmpty, 0x81, 'violates'],
  ['5.0', long, isLong, 0x82, 'violates'],
  ['3.1.1', empty4, isEmpty, 2, 'not-tested'],
  ['3.1.1', empty4, isEmpty, undefined, 'differs'],
  ['3.1.1', long, isLong, 5, 'not-tested'],
  ['3.1.1', long, isLong, 1, 'violates'],
  // A server may not know a client, but says so.
  ['3.1.1', idZ, isIdZ, 5, 'not-tested'],
  ['5.0', idZ, isIdZ, 0x87, 'not-tested'],
  ['3.1.1', idZ, isIdZ, 2, 'violates'],
  ['5.0', idZ, isIdZ, 0x85, 'violates'],
  ['5.0', idZ, isIdZ, 0x80, 'violates'],
  ['3.1.1', idZ, isIdZ, undefined, 'violates'],
  ['5.0', user, hasUser, 0x80, 'not-tested'],
  ['5.0', user, hasUser, undefined, 'not-tested'],
  ['3.1.1', user, hasUser, undefined, 'differs'],
  ['3.1.1', user, hasUser, 2, 'violates'],
  // Limits on wills.
  ...(['3.1', '3.1.1', '5.0'] as const).flatMap((version): Row[] => [
    [version, qos2, isOfQos2, undefined, 'differs'],
    [version, retain, isRetained, undefined, 'differs'],
    [version, emptyWill, isEmptyWill, undefined, 'violates'],
    [version, idle, hasNoKeepAlive, undefined, 'violates'],
  ]),
  ['5.0', qos2, isOfQos2, 0x9b, 'not-tested'],
  ['5.0', qos2, isOfQos2, 0x83, 'differs'],
  ['5.0', qos2, isOfQos2, 0x81, 'violates'],
  ['5.0', retain, isRetained, 0x9a, 'not-tested'],
  ['5.0', retain, isRetained, 0x9b, 'violates'],
  ['5.0', emptyWill, isEmptyWill, 0x80, 'violates'],
  ['3.1.1', qos2, isOfQos2, 2, 'violates'],
  // Any client may be turned away.
  ...[0x88, 0x89, 0x97, 0x9c, 0x9d].map((code): Row => ['5.0', idle, hasNoKeepAlive, code, 'not-tested']),
  ['3.1.1', idle, hasNoKeepAlive, 3, 'not-tested'],
  ['5.0', idle, hasNoKeepAlive, 0x80, 'violates'],
]

const nameOf = (reaction: Reaction): string =>
  reaction === undefined ? 'no CONNACK' : `0x${(reaction as number).toString(16)}`

describe('the probe, about a server that has the choice', function () {
  this.timeout(60_000)

  for (const [version, id, refuses, reaction, verdict] of rows) {
    it(`says "${verdict}" if ${id} gets ${nameOf(reaction)} (${version})`, async () => {
      const options = { protocol: [version], only: [id] }
      const [result] = await judged((packet) => (refuses(packet) ? reaction : 0), options)
      expect(result!.verdict, result!.text).to.equal(verdict)
    })
  }

  it('accepts every refusal of a will beyond the limits that the server states', async () => {
    const limits = Buffer.from('200700000424002500', 'hex')
    const react = ({ will }: ConnectPacket) => (will?.qos || will?.retain ? 0x82 : limits)
    const results = await judged(react, { protocol: ['5.0'], only: [qos2, retain] })
    expect(results.map(({ verdict }) => verdict)).to.deep.equal(['differs', 'differs'])
  })

  it('accepts that packets over the stated Maximum Packet Size are refused', async () => {
    const limits = Buffer.from('20080000052700000064', 'hex')
    const list = 'accept.a-property-list-of-128-bytes-in-a-connect'
    const react = ({ size }: ConnectPacket) => (size > 100 ? undefined : limits)
    const [result] = await judged(react, { protocol: ['5.0'], only: [list] })
    expect(result!.verdict).to.equal('not-tested')
    expect(result!.text).to.contain('at most 100 bytes')
  })

  it('says why a packet is not tested that had to be sent without the credentials of the run', async () => {
    const only = [
      'accept.a-remaining-length-of-two-bytes-where-one-is-enough',
      'accept.will-qo-s-without-a-will',
    ]
    for (const reaction of [5, undefined]) {
      const react = ({ userName }: ConnectPacket) => (userName === undefined ? reaction : 0)
      const options = { protocol: ['3.1', '3.1.1'], only, userName: 'u', password: 'p' } as const
      for (const { verdict, text } of await judged(react, options)) {
        expect(verdict).to.equal('not-tested')
        expect(text).to.contain("would change the packet's unusual encoding")
      }
    }
  })

  it('blames no server that is busy when the case runs, or sends its client elsewhere', async () => {
    const options = { protocol: ['5.0'], only: ['connection.ping'] } as const
    const moved = await judged(
      () => 0,
      options,
      () => Buffer.from('e0019c', 'hex'),
    )
    expect(moved[0]).to.include({ verdict: 'not-tested' })
    const closes = await judged(
      () => 0,
      options,
      () => Buffer.from('e00183', 'hex'),
    )
    expect(closes[0]).to.include({ verdict: 'violates' })
  })

  it('blames no server that closes connections over a limit', async () => {
    let count = 0
    // The first two are the greeting and the health check.
    const react = () => (++count > 2 ? undefined : 0)
    const [result] = await judged(react, { protocol: ['3.1.1'], only: [idle] })
    expect(result).to.include({ verdict: 'not-tested' })
    expect(result!.text).to.contain('--concurrency')
  })

  it('blames no server that bans the probe, and says with which code', async () => {
    let isBanned = false
    const react = ({ userName }: ConnectPacket) => {
      isBanned ||= userName === ''
      return isBanned ? 0x8a : 0
    }
    const results = await judged(
      react,
      { protocol: ['5.0'], only: ['accept.an-empty-user-name'], timeout: 200 },
      () => (isBanned ? Buffer.from('e00198', 'hex') : undefined),
    )
    expect(results[0]!.verdict).to.equal('not-tested')
    expect(results[0]!.text).to.contain('0x8A')
  })

  it('needs a server that lets clients subscribe before it blames it for a QoS', async () => {
    const limits = Buffer.from('20050000022400', 'hex')
    const only = ['connack.subscribes-with-any-qos']
    const [result] = await judged(
      () => limits,
      { protocol: ['5.0'], only },
      (type) => (type === 8 ? Buffer.from('900400010087', 'hex') : undefined),
    )
    expect(result).to.include({ verdict: 'not-tested' })
  })

  it('does not take a server that forbids a PUBLISH for one without its QoS', async () => {
    const options = { protocol: ['5.0'], only: ['connack.every-qos'] } as const
    const of = (code: string) =>
      judged(
        () => 0,
        options,
        // A PUBLISH with QoS 0 comes together with a PINGREQ.
        (() => {
          let publishes = 0
          return (type: number) =>
            type !== 3 ? undefined : publishes++ % 2 === 0 ? undefined : Buffer.from(`e001${code}`, 'hex')
        })(),
      )
    expect((await of('87'))[0]).to.include({ verdict: 'not-tested' })
    expect((await of('9b'))[0]).to.include({ verdict: 'violates' })
  })
})
