import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Property } from '../lib/index.ts'
import { expectedFields, fieldsOf, kinds } from '../test/support/kinds.ts'
import { checkDecoded, construct, decodeBuilt } from './check-packet.ts'
import { type FieldsInput, versionOf } from './inputs.ts'
import { Broken, hold, inTime, type Library } from './library.ts'
import { packetTree, written } from './reference.ts'

/** Valid fields must give the same bytes as the independent writer, and decoding must return the fields. */
export function checkValidFields(library: Library, { name, fields }: FieldsInput): void {
  const bytes = written(packetTree(versionOf(name), fields))
  const packet = misuse(library, 'the constructor', () => construct(library, name, fields))
  if (packet === undefined) throw new Broken('valid-fields-make-a-packet', 'they are refused')
  hold(
    packet.bytes.equals(bytes),
    'fields-make-these-bytes',
    () => `${packet.bytes.toString('hex')}\ninstead of\n${bytes.toString('hex')}`,
  )
  checkHostileFields(library, { name, fields })
  checkSecrets(library, { name, fields })
}

/** Arbitrary fields must give a packet that decodes to them, or one of the three kinds of error. */
export function checkHostileFields(library: Library, { name, fields }: FieldsInput): void {
  const packet = misuse(library, 'the constructor', () => construct(library, name, fields))
  if (packet === undefined) return
  const decoded = decodeBuilt(library, packet)
  const kind = kinds.find((each) => each.name === name)!
  const { will, props } = fields
  const expected = expectedFields(kind, {
    ...fields,
    props: props?.map(asRead),
    will: will && { ...will, props: will.props?.map(asRead) },
  })
  hold(
    isDeepStrictEqual(fieldsOf(decoded), expected),
    'decoding-gives-the-fields',
    () => `${inspect(fieldsOf(decoded))}\ninstead of\n${inspect(expected)}`,
  )
  checkDecoded(library, decoded, packet.bytes, [])
}

/** Authentication data and correlation data. */
const binary: readonly number[] = [0x16, 0x09]

/** A property as the accessors return it. Only user properties have a key. */
function asRead(item: Property): object {
  const { id, value } = item
  if (id === 0x26) return { id, key: item.key, value }
  return { id, value: binary.includes(id) ? Buffer.from(value as Uint8Array | string as string) : value }
}

const SECRET = 'S3CR3T-m4rker'

/** Password and authentication data must not appear in any text form or explanation. */
function checkSecrets(library: Library, { name, fields }: FieldsInput): void {
  const { authenticationMethod, authenticationData } = library.property
  const credentials = name.endsWith('ConnectPacket') && { userName: 'u', password: SECRET }
  const props = name.startsWith('v5') && { props: [authenticationMethod('m'), authenticationData(SECRET)] }
  const packet = construct(library, name, { ...fields, ...credentials, ...props })
  const { protocolVersion, bytes } = packet
  const explained = library.explain(bytes, { protocolVersion, allow: ['protocol-bridge-level'] })
  for (const shown of [packet, explained]) {
    for (const text of [
      `${shown}`,
      inspect(shown),
      JSON.stringify(shown),
      inspect(shown, { customInspect: false }),
    ]) {
      const digits = text.replaceAll(/[^0-9a-f]/g, '')
      const isShown = text.includes(SECRET) || digits.includes(Buffer.from(SECRET).toString('hex'))
      // An explanation carries the packet itself, secrets included.
      hold(!isShown, 'secrets-are-not-shown', () => text)
    }
  }
}

const misuseCodes: Readonly<Record<string, typeof TypeError | typeof RangeError>> = {
  ERR_INVALID_ARG_TYPE: TypeError,
  ERR_INVALID_ARG_VALUE: TypeError,
  ERR_OUT_OF_RANGE: RangeError,
}

/** Returns an action's result, or `undefined` if it throws an `MqttError` or a proper misuse error. */
function misuse<T>(library: Library, what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    checkMisuse(library, what, error)
    return undefined
  }
}

/** Throws unless the error is an `MqttError`, or a `TypeError` or `RangeError` with a matching code. */
function checkMisuse(library: Library, what: string, error: unknown): void {
  if (error instanceof library.MqttError) return
  const kind = misuseCodes[(error as { code?: string }).code ?? '']
  hold(
    kind !== undefined && error instanceof kind,
    'only-misuse-or-mqtt-error',
    () => `${what} threw ${inspect(error)}`,
  )
}

/** Arguments for every parameter, and values for some options, chosen by number. */
export interface Junk {
  readonly values: readonly unknown[]
  readonly options: readonly (readonly [name: number, value: unknown])[]
}

/** Junk for any parameter or option may only cause misuse errors. */
export async function checkJunk(library: Library, { values, options }: Junk): Promise<void> {
  const packet = new library.v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
  const [first, second, third] = values as [never, never, never]
  const option = (...names: string[]): never =>
    Object.fromEntries(options.map(([at, value]) => [names[at % names.length], value])) as never
  const reading = ['allow', 'maximumPacketSize', 'protocolVersion']
  const fields = ['cleanStart', 'keepAlive', 'clientId', 'will', 'userName', 'password', 'props']
  const { decode, explain, connack } = library
  const actions: Readonly<Record<string, () => unknown>> = {
    'decode bytes': () => decode(first),
    'decode options': () => decode(packet.bytes, option(...reading, 'packetIdBytes')),
    'decode junk options': () => decode(packet.bytes, first),
    bufferToPacketVariant: () => library.bufferToPacketVariant(packet.bytes, first, option(...reading)),
    explain: () => `${explain(packet.bytes, option('allow', 'protocolVersion', 'secrets'))}`,
    'explain bytes': () => `${explain(first, second)}`,
    bytesFromText: () => library.bytesFromText(first),
    PacketDecoder: () => new library.PacketDecoder(option(...reading, 'connection', 'errors')).destroy(),
    ConnectEncoder: () => new library.ConnectEncoder(first).destroy(),
    PacketParser: () => [...new library.PacketParser(option(...reading, 'connection')).push(first)],
    with: () => packet.with(option(...fields)),
    constructor: () => new library.v5.ConnectPacket(first),
    equals: () => packet.equals(first),
    compare: () => packet.compare(first),
    property: () => packet.property(first),
    userProperties: () => packet.userProperties(first),
    Will: () => `${new library.Will(option('topic', 'message', 'qos', 'retain', 'props'))}`,
    connack: () => connack(first, second, third),
    'connack options': () =>
      connack(
        5,
        0x87,
        option('sessionPresent', 'reasonString', 'serverKeepAlive', 'userProperties', 'props'),
      ),
    'property factories': () => {
      for (const factory of Object.values(library.property) as ((...values: never[]) => unknown)[]) {
        misuse(library, factory.name, () => factory(first, second))
      }
    },
    'new MqttError': () => Reflect.construct(library.MqttError, values),
    'new OpaquePacket': () => Reflect.construct(library.OpaquePacket, values),
  }
  for (const [name, action] of Object.entries(actions)) misuse(library, name, action)

  for (const stream of [first, Readable.from([packet.bytes], { objectMode: false })]) {
    const read = library.readConnect(stream, option(...reading, 'timeout', 'signal'))
    await inTime(
      'readConnect',
      read.catch((error: unknown) => checkMisuse(library, 'readConnect', error)),
    )
  }
}
