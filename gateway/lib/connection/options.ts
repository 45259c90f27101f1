import { z } from 'zod'
import { seconds } from '../settings/values.ts'

export const drain = z
  .strictObject({
    delay: z
      .number()
      .min(0)
      .max(3600)
      .default(0)
      .describe('Seconds between "not ready" and the first close.'),
    perSecond: z.number().positive().default(500).describe('How many connections to close.'),
    timeout: seconds.default(60).describe('After so many seconds all that are left are closed.'),
    notify: z
      .boolean()
      .default(false)
      .describe(
        'Whenever the gateway ends a session, send clients of 5.0 a DISCONNECT that says why. For connections made after it is set.',
      ),
    discardWills: z
      .boolean()
      .default(false)
      .describe(
        "When the gateway ends the session of a client that is alive, send the broker a DISCONNECT in the client's name, so that it publishes no will. For connections made after it is set.",
      ),
    serverReference: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Where clients of 5.0 should go while the gateway drains, such as `other.example:8883`: 0x9C instead of 0x8B.',
      ),
    serverMoved: z
      .boolean()
      .default(false)
      .describe('Clients should always go to `serverReference` from now on: 0x9D instead of 0x9C.'),
  })
  .prefault({})

export type DrainConfig = z.infer<typeof drain>
