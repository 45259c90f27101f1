import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import type { Rules } from '../../wire/check.ts'
import type { PacketType } from '../packet-type.ts'
import { checkConnackHeader } from './check-connack.ts'
import type { ConnackFormat } from './connack-packet.ts'
import * as v3_1 from './v3_1.ts'
import * as v3_1_1 from './v3_1_1.ts'
import * as v5 from './v5.ts'

/**
 * A CONNACK of any version.
 *
 * @example
 * const answer: ConnackPacket | undefined = connack(packet, ConnectReasonCode.success)
 * `${answer}` // 'v5::connack{rc:success,sp:0}'
 */
export type ConnackPacket = v3_1.ConnackPacket | v3_1_1.ConnackPacket | v5.ConnackPacket

/** CONNACK by protocol level. */
export const formats: readonly ConnackFormat<ConnackPacket>[] = []
for (const format of [v3_1.format, v3_1_1.format, v5.format]) {
  Object.assign(formats, { [format.version.level]: format })
}

/** What there is for CONNACK. It does not name its version, so it can be decoded only if the caller does. */
export const connackType: PacketType<ConnackPacket> = {
  decode(bytes, rules) {
    if (rules.version === undefined) return undefined
    const inConnack = rules.inConnack
    const start = checkConnackHeader(inConnack, bytes)
    return typeof start === 'number' ? decodeBody(bytes, inConnack, start) : start
  },
  decodeBody: (bytes, rules, start) =>
    rules.version === undefined ? undefined : decodeBody(bytes, rules.inConnack, start),
  lengthsFit: (bytes, { level }) => formats[level]!.create(bytes).lengthsFit,
}

function decodeBody(bytes: Buffer, rules: Rules, start: number): ConnackPacket | Fault {
  const { check, create } = formats[rules.version!.level]!
  return check(rules, bytes, start) ?? create(bytes)
}
