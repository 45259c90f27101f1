import type { Field } from '../codec/fields.ts'
import { acknowledgeFlagsField, reservedField, SESSION_PRESENT } from '../packets/connack/layouts.ts'
import { connectFlagsField } from '../packets/connect/layouts.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import type { Clause, Version } from '../protocol/version.ts'

/** One or more bits of a field. */
export interface BitField {
  readonly mask: number
  /** The standard's words: `user name flag`. */
  readonly name: string | { readonly [Name in Version['name']]: string }
  readonly section: Clause
}

/** The fields of CONNECT and CONNACK that consist of bits, with the meaning of their bits, from the left. */
export const bitFields: ReadonlyMap<Field, readonly BitField[]> = new Map<Field, readonly BitField[]>([
  [
    connectFlagsField,
    [
      { mask: ConnectFlag.userName, name: 'user name flag', section: '3.1.2.8' },
      { mask: ConnectFlag.password, name: 'password flag', section: '3.1.2.9' },
      { mask: ConnectFlag.willRetain, name: 'will retain', section: '3.1.2.7' },
      { mask: ConnectFlag.willQos, name: 'will QoS', section: '3.1.2.6' },
      { mask: ConnectFlag.will, name: 'will flag', section: '3.1.2.5' },
      {
        mask: ConnectFlag.clean,
        name: { v3_1: 'clean session', v3_1_1: 'clean session', v5: 'clean start' },
        section: '3.1.2.4',
      },
      { mask: ConnectFlag.reserved, name: 'reserved', section: '3.1.2.3' },
    ],
  ],
  [
    acknowledgeFlagsField,
    [
      { mask: 0xfe, name: 'reserved', section: { v3_1: '3.2', v3_1_1: '3.2.2.1', v5: '3.2.2.1' } },
      {
        mask: SESSION_PRESENT,
        name: 'session present',
        section: { v3_1: '3.2', v3_1_1: '3.2.2.2', v5: '3.2.2.1.1' },
      },
    ],
  ],
  [reservedField, [{ mask: 0xff, name: 'reserved', section: reservedField.section }]],
])
