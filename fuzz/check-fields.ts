import { Buffer } from 'node:buffer'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { ConnectPacket, Property } from '../lib/index.ts'
import { checkDecoded, decodeBuilt, fieldsOf } from './check-packet.ts'
import type { HostileFields } from './hostile.ts'
import { Broken, cut, hold, type Library } from './outcome.ts'
import { type Fields, packetTree, written } from './tree.ts'

/** Fields that are valid: they make the bytes that the writer of its own makes, and those decode to the fields. */
export function checkValidFields(library: Library, valid: Fields): void {
  const bytes = written(packetTree(valid))
  const packet = build(library, valid)
  if (packet === undefined) throw new Broken('valid-fields-make-a-packet', 'they are refused')
  hold(packet.bytes.equals(bytes), 'fields-make-these-bytes', () =>
    cut(`${packet.bytes.toString('hex')}\ninstead of\n${bytes.toString('hex')}`),
  )
  checkBuilt(library, packet, valid)
  checkSecrets(library, packet)
}

/** Fields of any kind: they make a packet that decodes to them, or one of the three kinds of error. */
export function checkHostileFields(library: Library, hostile: HostileFields): void {
  const packet = build(library, hostile)
  if (packet !== undefined) checkBuilt(library, packet, hostile)
}

/** A packet; `undefined` if the fields are refused, as they may be. */
function build(library: Library, { version, fields }: HostileFields): ConnectPacket | undefined {
  return misuse(library, 'the constructor', () =>
    version === 4 ? new library.v3_1_1.ConnectPacket(fields) : new library.v5.ConnectPacket(fields),
  )
}

const codes: Readonly<Record<string, 'TypeError' | 'RangeError'>> = {
  ERR_INVALID_ARG_TYPE: 'TypeError',
  ERR_INVALID_ARG_VALUE: 'TypeError',
  ERR_OUT_OF_RANGE: 'RangeError',
}

/** What an action gives; `undefined` if it throws an `MqttError` or what misuse may throw. */
export function misuse<T>(library: Library, what: string, action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    checkMisuse(library, what, error)
    return undefined
  }
}

/** Expects what was thrown to be an `MqttError`, or a `TypeError` or `RangeError` with the code that goes with it. */
export function checkMisuse(library: Library, what: string, error: unknown): void {
  if (error instanceof library.MqttError) return
  const { code = '' } = error as { code?: string }
  const kind = codes[code]
  const right =
    kind === 'TypeError' ? error instanceof TypeError : kind === 'RangeError' && error instanceof RangeError
  hold(right, 'only-misuse-or-mqtt-error', () => cut(`${what} threw ${inspect(error)}`))
}

function checkBuilt(library: Library, packet: ConnectPacket, { fields }: HostileFields): void {
  const decoded = decodeBuilt(library, packet)
  hold(isDeepStrictEqual(fieldsOf(decoded), asRead(packet, fields)), 'decoding-gives-the-fields', () =>
    cut(`${inspect(fieldsOf(decoded))}\ninstead of\n${inspect(asRead(packet, fields))}`),
  )
  checkDecoded(library, decoded, packet.bytes, [])
}

/** The fields as the accessors are to give them. */
function asRead({ protocolVersion }: ConnectPacket, fields: HostileFields['fields']): object {
  const { keepAlive, clientId, will, userName, password } = fields
  const own =
    'cleanSession' in fields
      ? { cleanSession: fields.cleanSession }
      : { cleanStart: fields.cleanStart, props: propsAsRead(fields.props) }
  const willRead = will && {
    topic: will.topic,
    message: binary(will.message),
    qos: will.qos ?? 0,
    retain: will.retain ?? false,
    props: propsAsRead(will.props),
  }
  const passwordRead = password === undefined ? undefined : binary(password)
  return { protocolVersion, ...own, keepAlive, clientId, will: willRead, userName, password: passwordRead }
}

/** Authentication data and correlation data. */
const binaryProperties: readonly number[] = [0x16, 0x09]

function propsAsRead(props: readonly Property[] = []): object[] {
  return props.map(({ id, value, ...more }) => {
    if (binaryProperties.includes(id)) return { id, value: binary(value as Uint8Array | string) }
    return id === 0x26 && 'key' in more ? { id, key: more.key, value } : { id, value }
  })
}

function binary(value: Uint8Array | string): Buffer {
  return Buffer.from(value as Uint8Array)
}

const SECRET = 'S3CR3T-m4rker'

/** A password and authentication data are in no text form, nor in an explanation. */
function checkSecrets(library: Library, packet: ConnectPacket): void {
  const common = { userName: 'u', password: SECRET }
  const marked =
    packet.protocolVersion !== 5
      ? packet.with(common)
      : packet.with({
          ...common,
          props: [library.property.authenticationMethod('m'), library.property.authenticationData(SECRET)],
        })
  for (const shown of [marked, library.explain(marked.bytes)]) {
    for (const text of [`${shown}`, inspect(shown), JSON.stringify(shown)]) {
      const found =
        text.includes(SECRET) ||
        text.replaceAll(/[^0-9a-f]/g, '').includes(Buffer.from(SECRET).toString('hex'))
      hold(!found, 'secrets-are-not-shown', () => cut(text))
    }
  }
}
