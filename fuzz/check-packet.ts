import { Buffer } from 'node:buffer'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { MqttError, PacketVariant } from '../lib/index.ts'
import { type FieldPacket, fieldsOf } from '../test/support/kinds.ts'
import type { BytesInput } from './inputs.ts'
import { Broken, brief, fullText, hold, type Library, outcomeOf } from './library.ts'

type Result = PacketVariant | MqttError

/** Checks `decode` of one packet, and the packet or error that results. */
export function checkPacket(library: Library, { bytes, options }: BytesInput): void {
  const { protocolVersion, allow, maximumPacketSize } = options
  const decode = (more: object): Result =>
    outcomeOf(library, 'decode', () => library.decode(bytes, { protocolVersion, allow, ...more }))
  const result = decode({})
  const strict = decode({ allow: [] })
  if (result instanceof library.MqttError) checkError(result, bytes)
  else checkDecoded(library, result, bytes, strict instanceof library.MqttError ? allow : [])

  if (!(strict instanceof library.MqttError) || !(allow as readonly string[]).includes(strict.code)) {
    expectSame(library, strict, result, 'allow-relaxes-only-its-rules')
  }
  const limited = decode({ maximumPacketSize })
  const tooLarge = limited instanceof library.MqttError && limited.code === 'packet-too-large'
  if (!(result instanceof library.MqttError)) {
    hold(tooLarge === bytes.length > maximumPacketSize, 'limit-refuses-what-is-larger', () =>
      inspect(limited),
    )
  }
  if (!tooLarge) expectSame(library, result, limited, 'limit-refuses-what-is-larger')

  const other = outcomeOf(library, 'bufferToPacketVariant', () =>
    library.bufferToPacketVariant(bytes, protocolVersion, { allow }),
  )
  expectSame(library, result, other, 'decode-has-another-name')
  const basic = outcomeOf(library, 'bufferToBasicPacketVariant', () =>
    library.bufferToBasicPacketVariant(bytes, protocolVersion, { allow, packetIdBytes: 4 }),
  )
  if (!(basic instanceof library.MqttError)) {
    hold(basic.bytes.equals(bytes), 'packet-is-its-bytes', () => 'not with a packet identifier of 4 bytes')
  }
}

function expectSame(library: Library, one: Result, other: Result, invariant: string): void {
  const { MqttError } = library
  const same =
    one instanceof MqttError || other instanceof MqttError
      ? one instanceof MqttError &&
        other instanceof MqttError &&
        withoutMessage(one) === withoutMessage(other)
      : one.equals(other) && one.constructor === other.constructor
  hold(same, invariant, () => `${inspect(one)} became ${inspect(other)}`)
}

/** Everything in an error but its message, which lists the accepted versions. */
function withoutMessage(error: MqttError): string {
  return JSON.stringify({ ...JSON.parse(fullText(error)), message: undefined })
}

function checkError(error: MqttError, bytes: Buffer): void {
  const { offset, connack, reasonCode } = error
  hold(
    offset >= 0 && offset <= bytes.length,
    'error-is-in-the-bytes',
    () => `${brief(error)} of ${bytes.length}`,
  )
  hold(reasonCode >= 0x80 && reasonCode <= 0x9f, 'error-has-a-reason', () => `${brief(error)}: ${reasonCode}`)
  if (connack === undefined) return
  hold(connack[0] === 0x20 && connack[1] === connack.length - 2, 'connack-is-a-packet', () =>
    connack.toString('hex'),
  )
}

/**
 * Checks that a decoded packet consists of its bytes in every form, and that its fields rebuild it.
 *
 * @param relaxed rules that the packet may break
 */
export function checkDecoded(
  library: Library,
  packet: PacketVariant,
  bytes: Buffer,
  relaxed: readonly string[],
): void {
  hold(packet.bytes.equals(bytes), 'packet-is-its-bytes', () => `it has ${packet.bytes.toString('hex')}`)
  hold(packet.size === bytes.length, 'packet-is-its-bytes', () => `its size is ${packet.size}`)
  hold(packet.equals(packet) && packet.compare(packet) === 0, 'packet-equals-itself', () => 'it does not')
  hold(
    Object.keys(packet).length === 0,
    'packet-has-no-enumerable-properties',
    () => `${Object.keys(packet)}`,
  )
  const forms = outcomeOf(library, 'a form of the packet', () => [
    `${packet}`,
    inspect(packet),
    JSON.stringify(packet),
  ])
  hold(Array.isArray(forms), 'only-mqtt-error', () => `a form of the packet threw ${forms}`)
  if (packet instanceof library.OpaquePacket) return
  const sequence = packet.constBufferSequence()
  hold(Buffer.concat(sequence).equals(bytes), 'sequence-is-the-bytes', () =>
    sequence.map((part) => part.toString('hex')).join(' '),
  )
  const { numOfConstBufferSequence: number } = packet
  hold(number === sequence.length, 'sequence-is-the-bytes', () => `${number} for ${sequence.length} parts`)
  checkRebuilt(library, packet, relaxed)
}

function checkRebuilt(library: Library, packet: FieldPacket, relaxed: readonly string[]): void {
  const fields = packet.toFields()
  const built = outcomeOf(library, 'the constructor', () => construct(library, nameOf(packet), fields))
  if (built instanceof library.MqttError) {
    hold(relaxed.includes(built.code), 'fields-make-the-packet-again', () => `refused: ${built}`)
    return
  }
  const again = decodeBuilt(library, built)
  hold(
    isDeepStrictEqual(fieldsOf(again), fieldsOf(packet)),
    'fields-make-the-packet-again',
    () => `${inspect(fieldsOf(packet))} became ${inspect(fieldsOf(again))}`,
  )
  // A relaxed rule may allow several encodings of the same fields. MQTT 3.1 has bits without a meaning, and fields that are
  // announced but absent. Before 5.0, the Remaining Length may be longer than its shortest form.
  if (relaxed.length > 0 || packet.protocolVersion === 3) return
  // A DISCONNECT may spell out the default reason code and an empty property list.
  if (packet.type === library.ControlPacketType.disconnect && built.size < packet.size) return
  const alike = packet.protocolVersion === 5 ? built.equals(packet) : bodyOf(built).equals(bodyOf(packet))
  hold(alike, 'fields-make-the-packet-again', () => `it became ${built.bytes.toString('hex')}`)
}

/** The class name, such as `v5.ConnectPacket`. */
function nameOf({ type, protocolVersion }: FieldPacket): string {
  const namespace = { 3: 'v3_1', 4: 'v3_1_1', 5: 'v5' }[protocolVersion]
  const name = { 16: 'Connect', 32: 'Connack', 224: 'Disconnect', 240: 'Auth' }[type]
  return `${namespace}.${name}Packet`
}

export function construct(library: Library, name: string, fields: object): FieldPacket {
  const [namespace, type] = name.split('.') as ['v5', 'ConnectPacket']
  return new library[namespace][type](fields as never)
}

export function decodeBuilt(library: Library, { bytes, protocolVersion }: FieldPacket): FieldPacket {
  const decoded = outcomeOf(library, 'decode', () =>
    library.decode(Buffer.from(bytes), { protocolVersion, allow: ['protocol-bridge-level'] }),
  )
  if (decoded instanceof library.MqttError) throw new Broken('what-is-built-can-be-decoded', `${decoded}`)
  return decoded as FieldPacket
}

/** The bytes after the Remaining Length. */
function bodyOf({ bytes }: FieldPacket): Buffer {
  return bytes.subarray(bytes.findIndex((byte, at) => at > 0 && byte < 0x80) + 1)
}
