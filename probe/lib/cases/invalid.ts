import { decode, MqttError } from 'mqtt-connect-packet'
import { type Vector, vectors } from 'mqtt-connect-packet/testing'
import type { Connection } from '../connection.ts'
import {
  type Answer,
  answerOf,
  CONNACK,
  PINGRESP,
  pingreq,
  publish,
  SUBACK,
  subscribe,
  unsubscribe,
  type Version,
  versions,
} from '../packets.ts'
import { differs, type Finding, noAnswer, notTested, passed, violates } from '../result.ts'
import { hexCode, type Trial, unique } from '../trial.ts'
import { type Case, inEach, slug, titleOf } from './case.ts'
import { withCredentials } from './credentials.ts'

/* Invalid packets: the server must refuse them. */

/** Codes that concern the library's own limits and options, rather than packets that a server must refuse. */
const notOfServers: readonly string[] = [
  'packet-too-large',
  'more-than-one-packet',
  'protocol-mqtt-3-1',
  'wrong-sender',
]

/** The return codes of 3.1.1 for these errors. After any other error, a server must close without a CONNACK. */
const returnCodes: readonly (readonly [start: string, code: number])[] = [
  ['client-id-', 2],
  ['user-name-', 4],
  ['protocol-', 1],
]

/** Packets that a server may accept, with the reason why. */
const tolerated: readonly (readonly [code: string, version: string, why: string])[] = [
  ['client-id-too-long', '3.1', 'The server accepts a client id of more than 23 characters, as most do.'],
  ['fixed-header-flags', '3.1', 'The server accepts flags in the fixed header, which 3.1 calls not used.'],
]

interface Invalid {
  readonly vector: Vector
  readonly field: string
}

function fieldOf({ bytes, protocolVersion, options }: Vector): string {
  try {
    decode(bytes, { protocolVersion, ...options })
  } catch (error) {
    if (error instanceof MqttError) return error.field
  }
  return ''
}

/** The ids of vectors: the code, then the field if several fields have the rule, then a number. */
function withIds(group: string, items: readonly Invalid[]): [id: string, Vector][] {
  const used = new Map<string, number>()
  return items.map(({ vector, field }) => {
    const same = items.filter((other) => other.vector.code === vector.code)
    const hasFields = same.some((other) => other.field !== field)
    const id = `${group}.${vector.code}${hasFields ? `.${slug(field)}` : ''}`
    const number = (used.get(id) ?? 0) + 1
    used.set(id, number)
    return [number === 1 ? id : `${id}.${number}`, vector]
  })
}

const ofClients = vectors.filter(
  ({ from, code, bytes }) =>
    from === 'client' && code !== undefined && !notOfServers.includes(code) && bytes.length > 0,
)

/** CONNECT packets that are invalid. */
function connectCases(): Case[] {
  return versions.flatMap((version) => {
    const items = ofClients
      .filter(({ bytes, protocolVersion }) => bytes[0]! >> 4 === 1 && protocolVersion === version.level)
      .map((vector) => ({ vector, field: fieldOf(vector) }))
    return withIds('connect', items).map(
      ([id, vector]): Case => ({
        id,
        version,
        clause: vector.clause,
        run: (trial) => refusesConnect(trial, vector, fieldOf(vector)),
      }),
    )
  })
}

/** After an error in these fields the server doesn't know the version, so it may answer in the form of any version. */
const early: readonly string[] = ['fixedHeader', 'remainingLength', 'protocolName', 'protocolLevel']

async function refusesConnect(trial: Trial, vector: Vector, field: string): Promise<Finding> {
  const isCut = vector.code === 'packet-incomplete'
  const connection = await trial.open()
  connection.announced = early.includes(field) ? {} : { protocolVersion: vector.protocolVersion }
  connection.send(withCredentials(vector, trial.setting))
  if (isCut) connection.endSending()
  const frame = await connection.until(() => connection.frames[0], isCut ? trial.grace * 2 : trial.timeout)
  if (isCut && frame === undefined)
    return passed('The server waited for the rest of the packet, or closed the connection.')
  if (frame === undefined && !connection.closed) {
    return noAnswer(`The server neither answered nor closed the connection within ${trial.timeout} ms.`)
  }
  const connack = connection.frames.find((one) => one[0]! >> 4 === CONNACK)
  if (connack === undefined) {
    if (frame !== undefined && !(await connection.ended(trial.timeout))) {
      if (await trial.ping(connection))
        return violates('The server answered with a different packet and kept the connection open.')
      if (!connection.closed)
        return noAnswer(`The server answered, but did not close the connection within ${trial.timeout} ms.`)
    }
    return vector.answer === undefined
      ? passed('The server closed the connection.')
      : differs(
          `The server closed the connection without a CONNACK. It could have sent ${codeOf(vector.answer)}.`,
        )
  }
  return judge(vector, answerOf(connack), trial)
}

function codeOf(answer: Buffer): string {
  return hexCode(answer[3]!)
}

/** The levels of all versions with the bit that bridges set. */
const bridgeLevels: readonly number[] = [0x83, 0x84, 0x85]

function levelOf(bytes: Buffer): number {
  return bytes[4 + bytes.readUInt16BE(2)]!
}

/** The meaning of an answer to an invalid CONNECT. */
function judge(vector: Vector, { code }: Answer, { version, setting }: Trial): Finding {
  const error = vector.code!
  if (code === 0) {
    if (error.startsWith('protocol-') && bridgeLevels.includes(levelOf(vector.bytes))) {
      return differs(
        'The server accepts bit 0x80 of the protocol level, which bridges set although no standard defines it.',
      )
    }
    const why = tolerated.find(([one, only]) => one === error && (only === 'all' || only === version.label))
    return why === undefined
      ? violates(`The server accepted the packet: ${titleOf(vector)}.`)
      : differs(why[2])
  }
  const isRefusedClient = version.is5 ? code === 0x86 || code === 0x87 : code === 4 || code === 5
  if (isRefusedClient && setting.userName !== undefined && !error.startsWith('user-name')) {
    return notTested(`The server refused the client for a different reason: ${hexCode(code)}.`)
  }
  if (vector.answer !== undefined && code === vector.answer[3])
    return passed(`The server answered ${hexCode(code)}.`)
  if (error.startsWith('protocol-') && (code === 1 || code === 0x84)) {
    return passed(`The server answered ${hexCode(code)}.`)
  }
  const own = returnCodes.find(([start]) => error.startsWith(start))
  if (own?.[1] === code && !version.is5) return passed(`The server answered ${hexCode(code)}.`)
  if (version.label === '3.1.1' && own === undefined) {
    return violates(
      `The server answered a malformed CONNECT with a CONNACK, ${hexCode(code)}. In 3.1.1 it must close the connection without one.`,
      'MQTT-3.1.4-1',
    )
  }
  const expected = vector.answer === undefined ? 'no CONNACK' : codeOf(vector.answer)
  return differs(`The server answered ${hexCode(code)}. Expected ${expected}.`)
}

/** Packets that are only sent in answer to others. */
const answers: Readonly<Record<string, (version: Version) => Buffer>> = {
  connack: ({ is5 }) => Buffer.from(is5 ? '2003000000' : '20020000', 'hex'),
  puback: () => Buffer.from('40020001', 'hex'),
  pubrec: () => Buffer.from('50020001', 'hex'),
  pubrel: () => Buffer.from('62020001', 'hex'),
  pubcomp: () => Buffer.from('70020001', 'hex'),
  suback: ({ is5 }) => Buffer.from(is5 ? '900400010000' : '9003000100', 'hex'),
  unsuback: ({ is5 }) => Buffer.from(is5 ? 'b00400010000' : 'b0020001', 'hex'),
  pingresp: () => Buffer.from('d000', 'hex'),
}

const firstClauses = { '3.1': '3.1', '3.1.1': 'MQTT-3.1.0-1', '5.0': 'MQTT-3.1.0-1' }

/** Packets of other types before the CONNECT. */
function firstCases(): Case[] {
  const first: readonly (readonly [name: string, (trial: Trial) => Buffer])[] = [
    ['pingreq', () => pingreq],
    ['publish', ({ version }) => publish(version, { topic: unique(), payload: 'first' })],
    ['subscribe', ({ version }) => subscribe(version, 1, unique())],
    ['unsubscribe', ({ version }) => unsubscribe(version, 1, unique())],
    ['disconnect', () => Buffer.from('e000', 'hex')],
    ...Object.entries(answers).map(
      ([name, bytes]) => [name, ({ version }: Trial) => bytes(version)] as const,
    ),
    ['reserved', () => Buffer.of(0, 0)],
    ['auth', () => Buffer.from('f0051803150001', 'hex').fill(0x61, 6)],
  ]
  return first.flatMap(([name, bytes]) => {
    const only = name === 'auth' ? { '5.0': 'MQTT-3.1.0-1' } : firstClauses
    return inEach(versions, `first.${name}`, only, (trial) => refusesFirst(trial, bytes(trial)), {})
  })
}

async function refusesFirst(trial: Trial, bytes: Buffer): Promise<Finding> {
  const connection = await trial.open()
  connection.send(Buffer.concat([bytes, trial.packet({ clientId: unique() }).bytes]))
  const processed = (): string | undefined => {
    for (const frame of connection.frames) {
      const type = frame[0]! >> 4
      if (type === CONNACK && answerOf(frame).code === 0) return 'accepted the CONNECT after it'
      if (type === SUBACK || type === PINGRESP) return 'answered it'
    }
    return undefined
  }
  const what = await connection.until(processed, trial.timeout)
  if (what !== undefined) return violates(`The server processed a packet before the CONNECT: it ${what}.`)
  if (connection.closed) return passed('The server closed the connection.')
  return noAnswer(`The server did not close the connection within ${trial.timeout} ms.`)
}

/** Packets that only servers send, or that a server may ignore because it doesn't know their packet identifier. */
const isForServers = ({ bytes, code }: Vector): boolean =>
  code === 'packet-id-zero' || code === 'field-past-end'
    ? code === 'packet-id-zero' && [0x32, 0x82, 0xa2].includes(bytes[0]!)
    : // A DISCONNECT ends the connection anyway, and an AUTH is an error whenever the CONNECT has named no method.
      bytes[0]! >> 4 < 14

/** Invalid packets after the CONNECT. */
function laterCases(): Case[] {
  return versions.flatMap((version) => {
    const items = ofClients
      .filter(({ bytes, protocolVersion }) => bytes[0]! >> 4 !== 1 && protocolVersion === version.level)
      .filter(
        (vector) =>
          isForServers(vector) &&
          !['packet-incomplete', 'variable-byte-integer-too-long'].includes(vector.code!),
      )
      .map((vector) => ({ vector, field: '' }))
    return withIds('packet', items).map(
      ([id, vector]): Case => ({
        id,
        version,
        clause: vector.clause,
        run: async (trial) => {
          const { connection } = await trial.connect()
          const finding = await closesAfter(trial, connection, vector.bytes, titleOf(vector))
          // MQTT 3.1 says less about these packets.
          const isOpen = version.label === '3.1' && finding.verdict === 'violates'
          return isOpen ? differs(finding.text) : finding
        },
      }),
    )
  })
}

/** Expects the server to close the connection after these bytes. */
export async function closesAfter(
  trial: Trial,
  connection: Connection,
  bytes: Buffer,
  what: string,
): Promise<Finding> {
  switch (await reaction(trial, connection, bytes)) {
    case 'closes':
      return passed('The server closed the connection.')
    case 'goes on':
      return violates(`The server kept the connection open after an invalid packet: ${what}.`)
    default:
      return noAnswer(`The server did not close the connection within ${trial.timeout} ms.`)
  }
}

/** The server's reaction to these bytes; `undefined` if the server neither closes the connection nor answers later packets. */
export async function reaction(
  trial: Trial,
  connection: Connection,
  bytes: Buffer,
): Promise<'closes' | 'goes on' | undefined> {
  connection.send(Buffer.concat([bytes, pingreq]))
  const ping = await trial.timed(connection.packet(PINGRESP, trial.timeout))
  if (connection.closed) return 'closes'
  if (ping === undefined) return undefined
  if (await connection.ended(trial.grace * 4)) return 'closes'
  // A server that is just slow to close doesn't answer any more packets.
  if (await trial.ping(connection)) return 'goes on'
  return connection.closed ? 'closes' : undefined
}

/** Packets that only servers send. The standards don't say explicitly that the server must close. */
function senderCases(): Case[] {
  const names = ['connack', 'suback', 'unsuback', 'pingresp'] as const
  const clauses = { '3.1.1': 'MQTT-4.8.0-1', '5.0': 'MQTT-4.13.1-1' }
  return names.flatMap((name) =>
    inEach(
      versions,
      `packet.of-a-server.${name}`,
      clauses,
      async (trial) => {
        const { connection } = await trial.connect()
        const finding = await closesAfter(
          trial,
          connection,
          answers[name]!(trial.version),
          `${name === 'unsuback' ? 'an' : 'a'} ${name.toUpperCase()}`,
        )
        return finding.verdict === 'violates' ? differs(finding.text) : finding
      },
      {},
    ),
  )
}

export const invalidCases: readonly Case[] = [
  ...connectCases(),
  ...firstCases(),
  ...laterCases(),
  ...senderCases(),
]
