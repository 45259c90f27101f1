/*
 * Runs both in the browser and in Node, for vectors.test.ts. It imports the library as an application does. The only module
 * that the bundler has to replace is `buffer`.
 */
import { explain } from '../../lib/explain/index.ts'
import { decode, MqttError, PacketParser, type ProtocolVersion } from '../../lib/packets/index.ts'

export interface Vector {
  readonly hex: string
  readonly version: ProtocolVersion
}

/** The outcome for some bytes: the packet as text, JSON and rebuilt bytes, or the error, and the explanation. */
export function outcomeOf({ hex, version }: Vector): unknown {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const explanation = `${explain(bytes, { protocolVersion: version })}`
  try {
    const packet = decode(bytes, { protocolVersion: version })
    const rebuilt = 'with' in packet ? packet.with({}).bytes.toString('hex') : ''
    return [`${packet}`, JSON.stringify(packet), packet.bytes.toString('hex'), rebuilt, explanation]
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    return [JSON.stringify(error), error.connack?.toString('hex') ?? '', explanation]
  }
}

/** The packets that a parser finds in chunks of this size, followed by the error. */
export function parse(hex: string, size: number): readonly string[] {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const parser = new PacketParser({ connection: false })
  const found: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += size) {
      for (const packet of parser.push(bytes.subarray(at, at + size))) found.push(`${packet}`)
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    found.push(error.code)
  }
  return [...found, `${parser.pending} bytes pending`]
}

Object.assign(globalThis, { outcomeOf, parse })
