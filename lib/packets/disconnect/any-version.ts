import type * as v3_1 from './v3_1.ts'
import type * as v3_1_1 from './v3_1_1.ts'
import type * as v5 from './v5.ts'

/**
 * A DISCONNECT of any version.
 *
 * @example
 * const goodbye: DisconnectPacket = new v3_1_1.DisconnectPacket()
 * `${goodbye}` // 'v3_1_1::disconnect{}'
 */
export type DisconnectPacket = v3_1.DisconnectPacket | v3_1_1.DisconnectPacket | v5.DisconnectPacket
