import type { Format, FormatTable } from '../codec/context.ts'
import type { AuthPacket } from './auth/v5.ts'
import type { ConnackPacket } from './connack/any-version.ts'
import type { ConnectPacket } from './connect/any-version.ts'
import type { DisconnectPacket } from './disconnect/any-version.ts'
import type { FieldPacket } from './field-packet.ts'
import * as v3_1 from './v3_1.ts'
import * as v3_1_1 from './v3_1_1.ts'
import * as v5 from './v5.ts'

/** The classes of the packets whose fields are decoded, by version. */
export const classes: {
  readonly v3_1: typeof v3_1
  readonly v3_1_1: typeof v3_1_1
  readonly v5: typeof v5
} = { v3_1, v3_1_1, v5 }

/** The packets whose fields are decoded. */
export type FieldPackets = ConnectPacket | ConnackPacket | AuthPacket | DisconnectPacket

/** The formats of these packets, by the high half of the first byte. All other packets become an `OpaquePacket`. */
export const formats: FormatTable<FieldPackets> = Array.from({ length: 16 }, (_, type) => {
  const formatIn = (version: Readonly<Record<string, { type: number; prototype: FieldPacket }>>) => {
    const Class = Object.values(version).find((candidate) => candidate.type >> 4 === type)
    return Class?.prototype.format as Format<FieldPackets> | undefined
  }
  return { v3_1: formatIn(v3_1), v3_1_1: formatIn(v3_1_1), v5: formatIn(v5) }
})
