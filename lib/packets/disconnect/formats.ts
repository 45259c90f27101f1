import type { Format } from '../../codec/context.ts'
import type { Version } from '../../protocol/version.ts'
import * as v3_1 from './v3_1.ts'
import * as v3_1_1 from './v3_1_1.ts'
import * as v5 from './v5.ts'

/**
 * A DISCONNECT of any version.
 *
 * @example
 * const goodbye: DisconnectPacket = new v3_1_1.DisconnectPacket()
 * `${goodbye}` // 'v3_1_1::disconnect{}'
 */
export type DisconnectPacket = v3_1.DisconnectPacket | v3_1_1.DisconnectPacket | v5.DisconnectPacket

export const disconnectFormats: { readonly [Name in Version['name']]: Format<DisconnectPacket> } = {
  v3_1: v3_1.disconnectFormat,
  v3_1_1: v3_1_1.disconnectFormat,
  v5: v5.disconnectFormat,
}
