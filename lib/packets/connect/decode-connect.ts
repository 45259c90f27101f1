import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { Rules } from '../../wire/check.ts'
import type { PacketType } from '../packet-type.ts'
import { checkConnectHeader, checkProtocol } from './check-connect.ts'
import type { ConnectFormat } from './connect-packet.ts'
import * as v3_1 from './v3_1.ts'
import * as v3_1_1 from './v3_1_1.ts'
import * as v5 from './v5.ts'

/**
 * A CONNECT of any version. `protocolVersion` narrows it to one version.
 *
 * @example
 * const connect: ConnectPacket = await readConnect(socket)
 * if (connect.protocolVersion === ProtocolVersion.v5) console.log(connect.props)
 */
export type ConnectPacket = v3_1.ConnectPacket | v3_1_1.ConnectPacket | v5.ConnectPacket

/** CONNECT by protocol level. */
const formats: readonly ConnectFormat<ConnectPacket>[] = []
for (const format of [v3_1.format, v3_1_1.format, v5.format])
  Object.assign(formats, { [format.version.level]: format })

/** What there is for CONNECT. */
export const connectType: PacketType<ConnectPacket> = {
  decode(bytes, rules) {
    const start = checkConnectHeader(rules, bytes)
    return typeof start === 'number' ? decodeBody(bytes, rules, start) : start
  },
  decodeBody,
  lengthsFit: (bytes, { level }) => formats[level]!.create(bytes).lengthsFit,
}

function decodeBody(bytes: Buffer, rules: Rules, start: number): ConnectPacket | Fault {
  const known = checkProtocol(rules, bytes, start)
  if (!(known instanceof Rules)) return known
  const { version, check, create } = formats[known.version!.level]!
  return check(known, bytes, start + version.header.length) ?? create(bytes)
}
