import type { Buffer } from 'buffer'
import { Fault } from '../errors/fault.ts'
import { MqttError, MqttErrorOf } from '../errors/mqtt-error.ts'
import {
  type DecodeOptions,
  decodePacket,
  lengthsFit,
  type PacketVariant,
  readTruncated,
  rulesOf,
} from '../packets/decode.ts'
import { newestVersion, type Version, versionOf } from '../protocol/version.ts'
import { fixedHeaderField } from '../wire/fields.ts'
import { furtherPackets } from './further-packets.ts'
import { ObservedFields } from './observed-fields.ts'
import { type ExplanationRow, type ReadPacket, rowsOf, withFault } from './rows.ts'
import { type Note, packetText } from './summary.ts'

/** What bytes are, field by field, before anything makes a text of it. */
export interface FoundRows {
  readonly rows: readonly ExplanationRow[]
  /** What `decode` would return or throw. */
  readonly outcome: PacketVariant | MqttError
  /** About the packets after the first. */
  readonly notes: readonly Note[]
}

type Options = Pick<DecodeOptions, 'protocolVersion' | 'allow'>

/** Decodes what should be one packet, and finds a row for each of its fields. */
export function readRows(all: Buffer, options: Options, secrets: boolean): FoundRows {
  const whole = read(all, options)
  const { outcome } = whole
  if (!(outcome instanceof MqttError)) return { rows: rowsOf(whole, secrets), outcome, notes: [] }
  if (outcome.code !== 'more-than-one-packet') {
    return { rows: withFault(rowsOf(whole, secrets), outcome), outcome, notes: [] }
  }
  const first = read(all.subarray(0, outcome.offset), options)
  const further = furtherPackets(all, outcome.offset, secrets)
  const rows = withFault([...rowsOf(first, secrets), ...further.rows], outcome)
  const notes: Note[] = [
    ['first', packetText(first.outcome)],
    ['next', further.text],
  ]
  return { rows, outcome, notes }
}

/** Decodes what should be one packet, and observes that. */
function read(bytes: Buffer, options: Options): ReadPacket {
  const observed = new ObservedFields(bytes)
  const rules = rulesOf(options, observed.observer)
  const found = decodePacket(bytes, rules, 2)
  const isTruncated = found instanceof Fault && found.code === 'packet-incomplete'
  const more = isTruncated ? readTruncated(bytes, rules) : found
  const known = more instanceof Fault ? more.version : versionOfPacket(more)
  const version = known ?? rules.version ?? newestVersion
  // A first byte that no packet begins with is refused before it is read.
  if (observed.isEmpty && bytes.length > 0) observed.observer(fixedHeaderField, 0, 0, 1)
  const isInvalid = found instanceof Fault
  return {
    bytes,
    version,
    outcome: isInvalid ? new MqttErrorOf(found) : found,
    fields: observed.end(isInvalid),
    lengthsFit: !isInvalid || lengthsFit(bytes, version),
  }
}

function versionOfPacket(packet: PacketVariant): Version | undefined {
  return 'protocolVersion' in packet ? versionOf(packet.protocolVersion) : undefined
}
