import { z } from 'zod'
import { seconds } from '../settings/values.ts'

export const drain = z
  .strictObject({
    delay: z
      .number()
      .min(0)
      .max(3600)
      .default(0)
      .describe('Seconds for which `/readyz` answers 503 before the listeners close.'),
    perSecond: z.number().positive().default(500).describe('The number of connections to close per second.'),
    timeout: seconds.default(60).describe('Seconds before all remaining connections are closed.'),
    notify: z
      .boolean()
      .default(false)
      .describe(
        'Sends MQTT 5.0 clients a DISCONNECT with the reason whenever the gateway ends a session. Affects only sessions that began while this or `discardWills` was on.',
      ),
    discardWills: z
      .boolean()
      .default(false)
      .describe(
        "Sends the broker a DISCONNECT on the client's behalf when the gateway ends the session of a client that is alive, so the broker publishes no will. Affects only sessions that began while this or `notify` was on.",
      ),
    serverReference: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The server that MQTT 5.0 clients should use while the gateway drains, such as `other.example:8883`. They get 0x9C instead of 0x8B.',
      ),
    serverMoved: z
      .boolean()
      .default(false)
      .describe('Tells clients to use `serverReference` from now on: they get 0x9D instead of 0x9C.'),
  })
  .prefault({})

export type DrainConfig = z.infer<typeof drain>
