import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import type { ForeignProtocol } from '../errors/fault.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { v5, versionOf } from '../protocol/version.ts'
import type { ExplanationRow } from './rows.ts'
import { count, words } from './value-text.ts'

/** A label and a sentence below the table. */
export type Note = readonly [label: string, text: string]

/** What is said below the table: whether the packet is valid or what is wrong with it, what to answer, and what is hidden. */
export function summaryOf(
  rows: readonly ExplanationRow[],
  outcome: PacketVariant | MqttError,
  notes: readonly Note[],
): Note[] {
  const lines = outcome instanceof MqttError ? invalid(outcome) : valid(outcome, rows)
  lines.push(...notes)
  if (rows.some(({ hex }) => hex.includes('*'))) {
    lines.push(['hidden', 'bytes ** are, or may be, a secret; the option `secrets` shows them'])
  }
  return lines
}

function valid(packet: PacketVariant, rows: readonly ExplanationRow[]): Note[] {
  const text = packetText(packet)
  if ('protocolVersion' in packet) {
    return [
      ['valid', text],
      ['text', `${packet}`],
    ]
  }
  const hasBody = rows.some(({ field }) => field === 'body')
  const lines: Note[] = [['valid', hasBody ? `${text}; its body is not decoded` : text]]
  if (packet.type === ControlPacketType.connack) {
    lines.push(['hint', 'a CONNACK does not name its version; the option `protocolVersion` does'])
  }
  return lines
}

/** `MQTT 3.1.1 CONNECT of 50 bytes`, or what is wrong with it. */
export function packetText(packet: PacketVariant | MqttError): string {
  if (packet instanceof MqttError) return `${packet.message} [${packet.code}]`
  const version = 'protocolVersion' in packet ? versionOf(packet.protocolVersion) : undefined
  const label = version === undefined ? '' : `MQTT ${version.label} `
  return `${label}${controlPacketName(packet.type)} of ${count(packet.size)}`
}

const foreignNames: Readonly<Record<ForeignProtocol, string>> = {
  tls: 'TLS',
  http: 'HTTP',
  'proxy-v1': 'the PROXY protocol, version 1',
  'proxy-v2': 'the PROXY protocol, version 2',
}

function invalid(error: MqttError): Note[] {
  const { message, code, reasonCode, clause, connack, looksLike } = error
  const answer = connack?.toString('hex').replace(/..(?!$)/g, '$& ')
  const lines: Note[] = [
    ['invalid', message],
    ['code', `${code}, reason 0x${reasonCode.toString(16)} (${words(v5.connackCodeNames[reasonCode]!)})`],
    ['clause', clause],
  ]
  if (code === 'packet-incomplete') lines.push(['hint', 'wait for the other bytes'])
  else if (code !== 'more-than-one-packet') {
    lines.push(['answer', answer === undefined ? 'none: just close' : `CONNACK ${answer}, then close`])
  }
  if (relaxableCodes.has(code as RelaxableCode)) lines.push(['hint', 'the option `allow` relaxes this rule'])
  if (looksLike !== undefined) lines.push(['hint', `the bytes look like ${foreignNames[looksLike]}`])
  return lines
}
