import type * as v3_1 from './v3_1.ts'
import type * as v3_1_1 from './v3_1_1.ts'
import type * as v5 from './v5.ts'

/**
 * A CONNACK of any version.
 *
 * @example
 * const answer: ConnackPacket | undefined = connack(packet, ConnectReasonCode.success)
 * `${answer}` // 'v5::connack{rc:success,sp:0}'
 */
export type ConnackPacket = v3_1.ConnackPacket | v3_1_1.ConnackPacket | v5.ConnackPacket
