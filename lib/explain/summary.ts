import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { copyOwn } from '../errors/misuse.ts'
import { foreignNames, MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { FieldPacket } from '../packets/field-packet.ts'
import { reasonCodeName } from '../protocol/codes.ts'
import { controlPacketName, sizesWithoutBody } from '../protocol/control-packet-type.ts'
import { versionOf } from '../protocol/version.ts'
import { allRows, type FoundPacket, type FoundRows } from './read-rows.ts'
import { count, words } from './value-text.ts'

/** A label and a sentence below the table. */
export type Note = readonly [label: string, text: string]

/** The notes on one packet: the verdict, the fault if there is one, and the answer. */
export function notesOn({
  outcome,
  readings,
  isHidden,
}: Pick<FoundPacket, 'outcome' | 'readings' | 'isHidden'>): Note[] {
  if (outcome === undefined) return []
  if (outcome instanceof MqttError) return invalid(outcome)
  // Type and size are bytes, too.
  if (!isDecoded(outcome))
    return [['not decoded', isHidden ? 'may be the rest of a secret' : packetText(outcome)]]
  const notes: Note[] = [['valid', packetText(outcome)]]
  if (outcome instanceof FieldPacket) notes.push(['text', `${outcome}`])
  for (const { packet } of readings ?? []) {
    if (packet !== outcome) notes.push(['or', `${packetText(packet)}: ${packet}`])
  }
  if (readings !== undefined) {
    const type = controlPacketName(outcome.type)
    notes.push(['hint', `${type} does not name its version; the option \`protocolVersion\` does`])
  }
  return notes
}

/** The note on the packets before one that are not explained. */
export function skippedNotes({ skipped }: FoundPacket): Note[] {
  return skipped === undefined ? [] : [['skipped', skipped.value]]
}

/** True if all fields of a packet have been read. A PUBLISH without its topic has no body, but isn't valid. */
export function isDecoded(packet: PacketVariant): boolean {
  return packet instanceof FieldPacket || sizesWithoutBody.get(packet.type) === packet.size
}

/** The notes on the bytes after the packets and on hidden bytes, if there are any. */
export function lastNotes(found: FoundRows): Note[] {
  const { rest } = found
  const notes: Note[] = rest === undefined ? [] : [['rest', rest.value]]
  if (allRows(found).some(({ hex }) => hex.includes('*')))
    notes.push(['hidden', 'bytes ** are, or may be, a secret; the option `secrets` shows them'])
  return notes
}

/** The notes on all packets. */
export function summaryOf(found: FoundRows): Note[] {
  return [
    ...found.packets.flatMap((packet) => [...skippedNotes(packet), ...notesOn(packet)]),
    ...lastNotes(found),
  ]
}

/** `MQTT 3.1.1 CONNECT of 50 bytes` */
function packetText(packet: PacketVariant): string {
  const version = packet instanceof FieldPacket ? versionOf(packet.protocolVersion) : undefined
  const label = version === undefined ? '' : `MQTT ${version.label} `
  return `${label}${controlPacketName(packet.type)} of ${count(packet.size)}`
}

function invalid(error: MqttError): Note[] {
  const { message, connack } = error
  const { code, reasonCode, clause, looksLike } = copyOwn(error)
  const answer = connack?.toString('hex').replace(/..(?!$)/g, '$& ')
  const lines: Note[] = [
    ['invalid', message],
    ['code', `${code}, reason 0x${reasonCode.toString(16)} (${words(reasonCodeName(reasonCode)!)})`],
    ['clause', clause],
  ]
  if (code === 'packet-incomplete') lines.push(['hint', 'wait for the other bytes'])
  else lines.push(['answer', answer === undefined ? 'none: just close' : `CONNACK ${answer}, then close`])
  if (relaxableCodes.has(code as RelaxableCode)) lines.push(['hint', 'the option `allow` relaxes this rule'])
  if (looksLike !== undefined) lines.push(['hint', `the bytes look like ${foreignNames[looksLike]}`])
  return lines
}
