import type * as v3_1 from './v3_1.ts'
import type * as v3_1_1 from './v3_1_1.ts'
import type * as v5 from './v5.ts'

/**
 * A CONNECT of any version. `protocolVersion` narrows it to one version.
 *
 * @example
 * const connect: ConnectPacket = await readConnect(socket)
 * if (connect.protocolVersion === ProtocolVersion.v5) console.log(connect.props)
 */
export type ConnectPacket = v3_1.ConnectPacket | v3_1_1.ConnectPacket | v5.ConnectPacket
