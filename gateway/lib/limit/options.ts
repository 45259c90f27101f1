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
    openPerAddress: count.nullable().default(null).describe('Open connections of one address.'),
    open: count.nullable().default(null).describe('Open connections in all.'),
    pending: count.default(10_000).describe('Connections whose CONNECT is not complete.'),
    perAddress: rate.describe('Connections of one address: so many per second on average, `burst` at once.'),
    total: rate.describe('Connections in all.'),
    perClientId: rate.describe('CONNECT packets with one client id.'),
    perUser: rate.describe('CONNECT packets with one user name.'),
    ban: z
      .strictObject({
        failures: count.default(10).describe('Refused credentials and invalid CONNECT packets.'),
        within: seconds.default(60).describe('Seconds from the first of them.'),
        seconds: seconds.default(300).describe('How long the address is kept out.'),
      })
      .nullable()
      .default(null)
      .describe('Keep an address out after so many failures. Each worker counts for itself.'),
    packetSize: count.default(65_536).describe('The largest CONNECT, in bytes.'),
    handshakeTimeout: seconds.default(10).describe('Seconds from the connection to the complete CONNECT.'),
    allow: z
      .array(z.custom<RelaxableCode>((code) => typeof code === 'string').meta({ type: 'string' }))
      .default([])
      .describe('Rules to relax, by the codes in docs/errors.md. MQTT 3.1: `protocol-mqtt-3-1`.'),
  })
  .prefault({})

export type LimitsConfig = z.infer<typeof limits>
