import type { RelaxableCode } from 'mqtt-connect-packet'
import { z } from 'zod'
import { count, seconds } from '../settings/values.ts'

/** A token bucket. */
const rate = z
  .strictObject({ perSecond: z.number().positive(), burst: z.int().positive() })
  .nullable()
  .default(null)

export const limits = z
  .strictObject({
    openPerAddress: count.nullable().default(null).describe('Open connections per address.'),
    open: count.nullable().default(null).describe('Open connections in total.'),
    pending: count.default(10_000).describe("Connections whose CONNECT isn't complete."),
    perAddress: rate.describe(
      'New connections per address: `perSecond` on average, and up to `burst` at once.',
    ),
    total: rate.describe('New connections from all addresses together.'),
    perClientId: rate.describe('CONNECT packets per client id.'),
    perUser: rate.describe('CONNECT packets per user name.'),
    ban: z
      .strictObject({
        failures: count
          .default(10)
          .describe('Refused credentials and invalid CONNECT packets before the ban.'),
        within: seconds.default(60).describe('Seconds within which the failures must occur.'),
        seconds: seconds.default(300).describe('Seconds until the ban ends.'),
      })
      .nullable()
      .default(null)
      .describe('Bans an address that fails too often. Each worker counts separately.'),
    packetSize: count.default(65_536).describe('The maximum size of a CONNECT, in bytes.'),
    handshakeTimeout: seconds
      .default(10)
      .describe('Seconds from accepting the connection until the CONNECT must be complete.'),
    allow: z
      .array(z.custom<RelaxableCode>((code) => typeof code === 'string').meta({ type: 'string' }))
      .default([])
      .describe('Rules to relax, by their codes in docs/errors.md. `protocol-mqtt-3-1` admits MQTT 3.1.'),
  })
  .prefault({})

export type LimitsConfig = z.infer<typeof limits>
