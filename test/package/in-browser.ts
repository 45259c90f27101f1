/*
 * Runs the library in a browser, for the playground's tests in Chromium. Node imports the sources here, and
 * browsers the files that are published for them.
 */
import { bytesFromText, diagnose, explain } from '../../lib/explain/index.ts'
import { connack, decode, MqttError, PacketParser, property, v5 } from '../../lib/packets/index.ts'
import { encodeUnchecked, type Vector, vectors } from '../../lib/testing/index.ts'

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => `${byte >> 4}.${byte & 15}`).join()

/** The outcome for a vector: the packet or the error, and the diagnosis. */
function outcomeOf({ bytes, protocolVersion, from, options }: Vector): string[] {
  const all = { protocolVersion, from, ...options }
  const told = [
    `${explain(bytes, { protocolVersion })}`,
    JSON.stringify(diagnose(bytes, { protocolVersion })),
  ]
  try {
    const packet = decode(bytes, all)
    const rebuilt =
      'with' in packet ? hexOf(packet.with({}, { allow: options?.allow ?? [] } as object).bytes) : ''
    return [`${packet}`, JSON.stringify(packet), rebuilt, `${packet.equals(decode(bytes, all))}`, ...told]
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    const answer = error.connack === undefined ? '' : hexOf(error.connack)
    return [error.message, JSON.stringify(error), answer, JSON.stringify(diagnose(error)), ...told]
  }
}

/** The packets that a parser finds in chunks of this size, then the error with its bytes. */
function parsed(bytes: Uint8Array, size: number, options: object): string[] {
  const parser = new PacketParser({ connection: false, ...options })
  const found: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += size) {
      for (const packet of parser.push(bytes.subarray(at, at + size))) found.push(`${packet}`)
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    found.push(`${error.message} ${hexOf(error.bytes!)}`)
  }
  return [...found, `${parser.pending}`]
}

/** The bytes read from a text, or the refusal. */
function readFrom(text: string): string {
  try {
    return hexOf(bytesFromText(text))
  } catch (error) {
    return (error as Error).message
  }
}

function built(): string[] {
  const text = 'ä\u{1f600}'.repeat(20)
  const packet = new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 1,
    clientId: text,
    userName: text.repeat(40),
    password: text,
    will: { topic: 't', message: Uint8Array.of(0xff, 1), props: [property.correlationData(text)] },
    props: [property.authenticationMethod('m'), property.authenticationData(Uint8Array.of(1))],
  })
  const other = packet.with({ keepAlive: 2 })
  const answer = connack(packet, 0x87, { reasonString: text })!
  const unchecked = encodeUnchecked(v5.ConnectPacket, { cleanStart: true, keepAlive: 1, clientId: 'a\0' })
  return [
    ...[packet, other, packet.withoutSecrets(), answer].map(({ bytes }) => hexOf(bytes)),
    ...packet.constBufferSequence().map(hexOf),
    `${packet} ${JSON.stringify(packet)} ${answer}`,
    `${packet.compare(other)} ${packet.will!.message.toString('base64')} ${packet.password}`,
    hexOf(unchecked),
  ]
}

/** A packet truncated at every byte, and with each byte changed: lengths are wrong, text isn't UTF-8, secrets move. */
function damaged(): string[] {
  const { bytes } = new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 60,
    clientId: '\uFEFFcafé',
    will: { topic: 'é/\u{1f600}', message: Uint8Array.of(0xff, 0) },
    userName: 'u',
    password: 'secret',
    props: [property.userProperty('k', 'v')],
  })
  return Array.from(bytes).flatMap((_, at) => [
    `${explain(bytes.subarray(0, at))}`,
    ...[0x01, 0x80, 0xff].map((flip) => {
      const changed = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ flip : byte))
      return `${explain(changed, { secrets: flip === 0x01 })}`
    }),
  ])
}

/** All outcomes as text. They must be the same in a browser and in Node. */
export function outcomes(texts: readonly string[]): string[] {
  const short = vectors.filter(({ bytes }) => bytes.length < 300)
  return [
    `${vectors.length} vectors`,
    ...short.flatMap((vector) => outcomeOf(vector)),
    ...short.flatMap(({ bytes }, i) =>
      parsed(bytes, 1 + (i % 9), i % 2 === 0 ? {} : { maximumPacketSize: 20 }),
    ),
    ...texts.map(readFrom),
    ...built(),
    ...damaged(),
  ]
}

Object.assign(globalThis, { outcomes })
