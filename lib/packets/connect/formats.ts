import type { Format } from '../../codec/context.ts'
import type { Version } from '../../protocol/version.ts'
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

export const connectFormats: { readonly [Name in Version['name']]: Format<ConnectPacket> } = {
  v3_1: v3_1.connectFormat,
  v3_1_1: v3_1_1.connectFormat,
  v5: v5.connectFormat,
}
