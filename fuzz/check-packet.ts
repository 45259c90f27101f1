import { Buffer } from 'node:buffer'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { ConnectPacket, MqttError, PacketVariant } from '../lib/index.ts'
import type { BytesInput } from './inputs.ts'
import { Broken, brief, cut, hold, type Library, outcomeOf, told } from './outcome.ts'

/** What decodes one whole packet, and what it makes of it. */
export function checkPacket(library: Library, { bytes, options }: BytesInput): void {
  const { protocolVersion, allow, maximumPacketSize } = options
  const decode = (more: object): PacketVariant | MqttError =>
    outcomeOf(library, 'bufferToPacketVariant', () =>
      library.bufferToPacketVariant(bytes, protocolVersion, { allow, ...more }),
    )
  const result = decode({})
  const strict = decode({ allow: [] })
  if (result instanceof library.MqttError) checkError(result, bytes)
  else checkDecoded(library, result, bytes, strict instanceof library.MqttError ? allow : [])

  if (!(strict instanceof library.MqttError) || !(allow as readonly string[]).includes(strict.code)) {
    hold(same(library, strict, result), 'allow-relaxes-only-its-rules', () =>
      cut(`${inspect(strict)} became ${inspect(result)}`),
    )
  }

  const limited = decode({ maximumPacketSize })
  const tooLarge = limited instanceof library.MqttError && limited.code === 'packet-too-large'
  if (!(result instanceof library.MqttError)) {
    hold(tooLarge === bytes.length > maximumPacketSize, 'limit-refuses-what-is-larger', () => `${limited}`)
  }
  hold(tooLarge || same(library, limited, result), 'limit-refuses-what-is-larger', () =>
    cut(`${inspect(result)} became ${inspect(limited)}`),
  )

  const basic = outcomeOf(library, 'bufferToBasicPacketVariant', () =>
    library.bufferToBasicPacketVariant(bytes, protocolVersion, { allow, packetIdBytes: 4 }),
  )
  if (!(basic instanceof library.MqttError)) {
    hold(
      basic.bytes.equals(bytes),
      'packet-is-its-bytes',
      () => 'with 4 bytes of packet identifier it is not',
    )
  }
}

function same(library: Library, one: PacketVariant | MqttError, other: PacketVariant | MqttError): boolean {
  if (one instanceof library.MqttError) return other instanceof library.MqttError && told(one) === told(other)
  return !(other instanceof library.MqttError) && one.equals(other) && one.constructor === other.constructor
}

export function checkError(error: MqttError, bytes: Buffer): void {
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
 * A packet that came out of a decoder: it is its bytes in every form, and its fields make it again. `relaxed` are the
 * rules of which it may break some.
 */
export function checkDecoded(
  library: Library,
  packet: PacketVariant,
  bytes: Buffer,
  relaxed: readonly string[],
): void {
  hold(packet.bytes.equals(bytes), 'packet-is-its-bytes', () => `it has ${cut(packet.bytes.toString('hex'))}`)
  hold(packet.size === bytes.length, 'packet-is-its-bytes', () => `its size is ${packet.size}`)
  hold(packet.equals(packet) && packet.compare(packet) === 0, 'packet-equals-itself', () => 'it does not')
  outcomeOf(library, 'a form of the packet', () => [`${packet}`, inspect(packet), JSON.stringify(packet)])
  if (packet.type !== library.ControlPacketType.connect) return
  const sequence = packet.constBufferSequence()
  hold(Buffer.concat(sequence).equals(bytes), 'sequence-is-the-bytes', () =>
    cut(sequence.map((part) => part.toString('hex')).join(' ')),
  )
  hold(
    packet.numOfConstBufferSequence === sequence.length,
    'sequence-is-the-bytes',
    () => 'other number of parts',
  )
  checkRebuilt(library, packet, relaxed)
}

function checkRebuilt(library: Library, packet: ConnectPacket, relaxed: readonly string[]): void {
  const built = outcomeOf(library, 'the constructor', () => rebuilt(library, packet))
  if (built instanceof library.MqttError) {
    hold(relaxed.includes(built.code), 'fields-make-the-packet-again', () => `refused: ${built}`)
    return
  }
  const again = decodeBuilt(library, built)
  hold(isDeepStrictEqual(fieldsOf(again), fieldsOf(packet)), 'fields-make-the-packet-again', () =>
    cut(`${inspect(fieldsOf(packet))} became ${inspect(fieldsOf(again))}`),
  )
  // What breaks a rule becomes a packet that breaks none. Else it is only a Remaining Length of 3.1.1 that may change.
  const alike = bodyOf(built).equals(bodyOf(packet)) && (packet.protocolVersion === 4 || built.equals(packet))
  hold(relaxed.length > 0 || alike, 'fields-make-the-packet-again', () =>
    cut(`it became ${built.bytes.toString('hex')}`),
  )
}

/** The packet that the bytes of one that was built decode to. */
export function decodeBuilt(library: Library, { bytes, protocolVersion }: ConnectPacket): ConnectPacket {
  const decoded = outcomeOf(library, 'bufferToPacketVariant', () =>
    library.bufferToPacketVariant(Buffer.from(bytes), protocolVersion),
  )
  if (decoded instanceof library.MqttError) throw new Broken('what-is-built-can-be-decoded', `${decoded}`)
  return decoded as ConnectPacket
}

/** What stands behind the Remaining Length. */
function bodyOf({ bytes }: ConnectPacket): Buffer {
  let end = 1
  while ((bytes[end] as number) >= 0x80) end++
  return bytes.subarray(end + 1)
}

/** The packet that a constructor makes of a packet's fields, each taken by its accessor. */
function rebuilt(library: Library, packet: ConnectPacket): ConnectPacket {
  const { keepAlive, clientId, will, userName, password } = packet
  const common = { keepAlive, clientId, will, userName, password }
  return packet.protocolVersion === 5
    ? new library.v5.ConnectPacket({ ...common, cleanStart: packet.cleanStart, props: packet.props })
    : new library.v3_1_1.ConnectPacket({ ...common, cleanSession: packet.cleanSession })
}

/** All fields by their accessors, as plain values. */
export function fieldsOf(packet: ConnectPacket): object {
  const { protocolVersion, keepAlive, clientId, will, userName, password } = packet
  const own =
    packet.protocolVersion === 5
      ? { cleanStart: packet.cleanStart, props: packet.props }
      : { cleanSession: packet.cleanSession }
  return { protocolVersion, ...own, keepAlive, clientId, will: will?.toFields(), userName, password }
}
