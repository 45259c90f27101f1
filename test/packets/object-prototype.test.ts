import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { PassThrough, type Transform } from 'node:stream'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import {
  bytesFromText,
  ConnectEncoder,
  connack,
  decode,
  diagnose,
  disconnect,
  explain,
  MqttError,
  PacketDecoder,
  PacketParser,
  property,
  readConnack,
  readConnect,
  v3_1,
  Will,
} from '../../lib/index.ts'
import { fromMqttPacket, toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { encodeUnchecked, type Vector, vectors } from '../../lib/testing/index.ts'
import { isFieldPacket } from '../support/kinds.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'

const r3 = hex(R3)
const r5 = hex(R5)

function stream(bytes: Uint8Array = r3): PassThrough {
  const source = new PassThrough()
  source.end(bytes)
  return source
}

/** Makes a call while every object inherits additional members. */
async function polluted<Result>(
  members: Readonly<Record<string, PropertyDescriptor>>,
  call: () => Promise<Result>,
): Promise<Result> {
  const descriptors = Object.entries(members).map(
    ([name, member]) => [name, Object.assign(Object.create(null), member, { configurable: true })] as const,
  )
  for (const [name, descriptor] of descriptors) Object.defineProperty(Object.prototype, name, descriptor)
  try {
    return await call()
  } finally {
    for (const [name] of descriptors) delete (Object.prototype as Record<string, unknown>)[name]
  }
}

/** Collects a stream's output. Node's `toArray` isn't used, because it reads members of `Object.prototype` itself. */
function all(from: Transform): Promise<unknown[]> {
  const chunks: unknown[] = []
  from.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => from.on('end', () => resolve(chunks)).on('error', reject))
}

/** The result of an action, or its error, as text. */
function outcome(action: () => unknown): string {
  try {
    const result = action()
    return `${result} ${JSON.stringify(result)} ${inspect(result, { depth: 9 })}`
  } catch (error) {
    const first = inspect(error).split('\n')[0]
    const answer = error instanceof MqttError ? error.connack?.toString('hex') : undefined
    return `${error} ${first} ${JSON.stringify(error)} ${(error as MqttError).code} ${answer}`
  }
}

/** Every way to read some bytes, as text. */
function* readings({ bytes, protocolVersion, from, options }: Vector): Generator<string> {
  const given = { protocolVersion, from, ...options }
  yield outcome(() => decode(bytes, given))
  yield outcome(() => explain(bytes, { from }))
  yield outcome(() => explain(bytes, { protocolVersion, secrets: true }).summary)
  yield outcome(() => diagnose(bytes))
  yield outcome(() => [...new PacketParser({ ...given, connection: from === 'server' }).push(bytes)])
  const found = attempt(() => decode(bytes, given))
  if (found === undefined || !isFieldPacket(found)) return
  const allow = options?.allow
  yield outcome(() => found.toFields())
  yield outcome(() => found.with({}, { allow }))
  yield outcome(() => found.withoutSecrets({ allow }))
  yield outcome(() => found.constBufferSequence())
  yield outcome(() => [found.property(17), found.userProperties('a')])
  yield outcome(() => toMqttPacket(found))
  yield outcome(() => fromMqttPacket(toMqttPacket(found), { protocolVersion }))
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

const texts = [
  '10 02 00 04',
  '"\\x10\\x02"',
  '[16,12,0,4]',
  '{"type":"Buffer","data":[16,12]}',
  '{"0":16,"1":2}',
  'EAwABE1RVFQEAgAAAAA=',
  '00000000  10 0c 00 04 4d 51 54 54  04 02 00 00 00 00        |..MQTT........|',
  '12:00:01.123 TX: 10 0c 00 04 4d 51 54 54 04 02 00 00 00 00',
  'read(5, "\\20\\f\\0\\4MQTT\\4\\2\\0\\0\\0\\0", 100) = 14',
  'hello world',
]

/** One vector per error code and version. */
const each = vectors.filter(({ code, protocolVersion }, i) => {
  return i === vectors.findIndex((other) => other.code === code && other.protocolVersion === protocolVersion)
})
/** A few are enough here, because the last test covers every member that is read or written. */
const few = vectors.filter((_, i) => i % 270 === 0)

/** The library's behaviour, as text. */
async function behaviour(some: readonly Vector[] = few): Promise<string[]> {
  const secret = buildV5({
    props: [
      property.authenticationMethod('m'),
      property.authenticationData('hunter2'),
      property.userProperty('k', 'v'),
    ],
    will: { topic: 't', message: 'm', props: [property.contentType('c')] },
  })
  const decoder = new PacketDecoder({ connection: false })
  const packets = all(decoder as unknown as Transform)
  decoder.end(r3)
  const encoder = new ConnectEncoder()
  encoder.end(secret)
  const sent = await all(encoder as unknown as Transform)
  const fails = async (action: Promise<unknown>): Promise<string> =>
    await action.then(String, (error) => `${error} ${JSON.stringify(error)} ${error.code}`)
  return [
    ...some.flatMap((vector) => [...readings(vector)]),
    ...texts.flatMap((text) => [outcome(() => bytesFromText(text)), outcome(() => readPaste(text))]),
    ...[secret, new Will({ topic: 't', message: 'm', props: [property.contentType('c')] })].flatMap(
      (each) => [outcome(() => each), outcome(() => each.toFields())],
    ),
    ...(await packets).map(String),
    ...sent.map((bytes) => (bytes as Buffer).toString('hex')),
    ...[buildV3_1(), buildV3(), buildV5()].map((packet) => packet.bytes.toString('hex')),
    connack(5, 0x87, { reasonString: 'r', userProperties: [['k', 'v']] }).bytes.toString('hex'),
    connack(4, 0).bytes.toString('hex'),
    disconnect(5, 0x8b)!.bytes.toString('hex'),
    new v3_1.ConnackPacket({ returnCode: 0 }).bytes.toString('hex'),
    encodeUnchecked(v3_1.ConnackPacket, { returnCode: 9 }).toString('hex'),
    outcome(() => decode(r5)),
    outcome(() => decode(hex('100c00044d51545404000000 0000'))),
    outcome(() => decode(hex('160301'))),
    outcome(() => decode(hex('1003000000'))),
    outcome(() => decode(hex('2003000000'), { protocolVersion: 5 })),
    outcome(() => decode(hex('2003018700'), { protocolVersion: 5 })),
    outcome(() => decode(hex('20020000'))),
    outcome(() => decode(1 as never)),
    outcome(() => buildV5({ username: 'u' } as never)),
    `${await readConnect(stream())}`,
    `${await readConnack(stream(hex('20020005')), buildV3())}`,
    await fails(readConnect(stream(hex('1011')))),
    await fails(readConnect(stream(hex('474554202f')))),
    await fails(readConnect(new PassThrough().destroy())),
    outcome(() => explain(r5)),
    outcome(() => explain(hex('20020000'))),
    outcome(() => explain(hex('160301'))),
    outcome(() => [explain(hex('3003000161')), diagnose(hex('3003000161'))]),
    outcome(() => explain(hex('100e00044d5154540402000000ff63646566'))),
    outcome(() => explain(Buffer.concat([r3, hex('c000'), hex('16')]))),
    outcome(() => diagnose(hex('2003000000'))),
    outcome(() => diagnose(hex('20020005'))),
    outcome(() => decode(hex('100d00044d515454040200000001'))),
    outcome(() =>
      fromMqttPacket({ cmd: 'connect', clientId: 'c', protocolVersion: 5, will: { topic: 't' } }),
    ),
    outcome(() => fromMqttPacket({ cmd: 'connack', returnCode: 0 })),
  ]
}

function expectSame(after: readonly string[], before: readonly string[], message: string = ''): void {
  const changed = after.flatMap((text, i) =>
    text === before[i] ? [] : [`${before[i]?.slice(0, 500)} → ${text.slice(0, 500)}`],
  )
  expect(changed.join('\n'), message).to.equal('')
  expect(after.length).to.equal(before.length)
}

/** All words in the library's code. They include every name that the library may read or write. */
function words(): string[] {
  const root = new URL('../../lib/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const found = new Set(
    files.flatMap((name) => readFileSync(new URL(name, root), 'utf8').match(/[a-z_]\w*/gi)!),
  )
  // Names that the language itself looks up in any object.
  const language = [
    'get',
    'set',
    'value',
    'writable',
    'enumerable',
    'configurable',
    'then',
    'return',
    'next',
    'done',
  ]
  for (const name of [...language, 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)])
    found.delete(name)
  return [...found]
}

/** The library's line that reads the member, if the library reads it. An accessor calls `look`, which calls this function. */
function lineOfLibrary(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 4
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return /at (?:.*\()?\S*(\/lib\/\S+\.ts:\d+):/.exec(stack.split('\n')[4] ?? '')?.[1]
}

/** Names of members that the library gives to errors and other objects. */
const written = `
  name message stack cause code reasonCode returnCode protocolVersion protocolName protocolLevel
  offset field clause looksLike bytes connack packet error readings rows packets part bits fault rest
  text problem position receiveMaximum region userProperties authenticationData contentType
  sessionPresent clientId password will props key topic payload cmd type size flags packetId k
`
  .trim()
  .split(/\s+/)

describe('a member of Object.prototype', () => {
  const values: Readonly<Record<string, unknown>> = {
    key: 'polluted',
    value: 'polluted',
    id: 0x26,
    will: { topic: 'polluted', message: 'polluted' },
    userName: 'polluted',
    username: 'polluted',
    password: 'polluted',
    props: [{ id: 0x26, key: 'polluted', value: 'polluted' }],
    properties: { receiveMaximum: 9 },
    userProperties: [['polluted', 'polluted']],
    bridge: true,
    bridgeMode: true,
    qos: 2,
    retain: true,
    payload: 'polluted',
    sessionPresent: true,
    reasonString: 'polluted',
    serverReference: 'polluted',
    assignedClientId: 'polluted',
    serverKeepAlive: 9,
    protocolVersion: 3,
    protocolName: 'polluted',
    protocolLevel: 9,
    looksLike: 'tls',
    returnCode: 3,
    inConnack: true,
    allow: ['client-id-empty', 'connect-flags-reserved'],
    maximumPacketSize: 5,
    packetIdBytes: 4,
    connection: true,
    errors: 'push',
    secrets: true,
    timeout: 1,
    signal: AbortSignal.abort(),
    readableHighWaterMark: 1,
    writableHighWaterMark: 1,
    highWaterMark: 1,
    objectMode: true,
    transform: (_chunk: unknown, _encoding: unknown, callback: () => void) => callback(),
    linger: 1,
    from: 'server',
    sender: 'server',
    observer: () => undefined,
    pastEnd: 'packet-incomplete',
    'field-past-end': () => [Buffer.of(0x10), 'polluted'],
    0: true,
  }
  let before: string[] = []
  beforeEach(async () => {
    if (before.length === 0) before = await behaviour()
  })
  for (const [name, value] of Object.entries(values)) {
    it(`never counts: ${name}`, async () => {
      expectSame(await polluted({ [name]: { value, writable: true } }, behaviour), before)
    })
  }

  it('makes no return code known: its name is the code', async () => {
    for (const code of [6, 7, 0x7f, 0xff]) {
      const error = await polluted({ [code]: { value: 'polluted', writable: true } }, async () =>
        thrown(() => decode(Buffer.of(0x20, 2, 0, code), { protocolVersion: 4 })),
      )
      expect(error).to.have.property('code', 'connack-code')
    }
  })

  it('fills no gap in the table of explain', async () => {
    const texts = async () =>
      vectors.slice(0, 400).map(({ bytes, protocolVersion }) => `${explain(bytes, { protocolVersion })}`)
    const expected = await texts()
    for (const index of [1, 2, 3]) {
      expect(await polluted({ [index]: { value: 'x', writable: true } }, texts)).to.deep.equal(expected)
    }
  })

  it('does no harm if it cannot be written to', async () => {
    for (const name of written) {
      const after = await polluted({ [name]: { value: 1, writable: false } }, behaviour)
      expectSame(after, before, name)
    }
  })

  it('is neither read nor written to, whatever its name', async () => {
    const expected = await behaviour(each)
    const seen = new Set<string>()
    let isLooking = false
    const look = (what: string): void => {
      if (isLooking) return
      isLooking = true
      const line = lineOfLibrary()
      if (line !== undefined) seen.add(`${what} at ${line}`)
      isLooking = false
    }
    const members = words().map((name) => [
      name,
      {
        get: () => look(`${name} is read`),
        set(value: unknown): void {
          look(`${name} is written`)
          const own = { value, writable: true, enumerable: true, configurable: true }
          Object.defineProperty(this, name, Object.assign(Object.create(null), own))
        },
      },
    ])
    const after = await polluted(Object.fromEntries(members), () => behaviour(each))
    expect([...seen].sort().join('\n')).to.equal('')
    expectSame(after, expected)
  })
})
