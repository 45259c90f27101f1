import { z } from 'zod'
import { count, file, host, port, seconds, tcpKeepAlive } from '../settings/values.ts'

export const upstream = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('The same in every gateway: routing hashes this name. Default HOST:PORT.'),
  host,
  port: port.min(1).default(1883),
  state: z
    .enum(['active', 'draining', 'off'])
    .default('active')
    .describe(
      '`draining`: takes no new clients, and those it has are moved, `drain.perSecond`. `off`: its clients are closed at once, and it is not checked.',
    ),
  weight: z.int().min(1).max(256).default(1).describe('Its share of the clients, compared with the others.'),
  backup: z
    .boolean()
    .default(false)
    .describe(
      'Gets clients only while no other upstream answers. Persistent sessions that wait never go there.',
    ),
  tcpKeepAlive,
  tls: z
    .strictObject({
      authorities: file.optional().describe('In PEM. Default: those of Node.'),
      serverName: z.string().min(1).optional().describe('In its certificate. Default: `host`.'),
    })
    .optional()
    .describe('The certificate of the broker is always checked.'),
  proxyProtocol: z.literal(2).optional().describe('Send a PROXY header of version 2 to the broker.'),
})

const pattern = z
  .string()
  .refine(isPattern, 'must be a regular expression')
  .describe(
    'A regular expression. `^` and `$` match the ends. A name of more than 2,048 characters is refused.',
  )
const rule = z.strictObject({
  clientId: pattern.optional(),
  userName: pattern.optional(),
  version: z
    .union([z.literal(3), z.literal(4), z.literal(5)])
    .optional()
    .describe('The protocol level: 3 is MQTT 3.1, 4 is 3.1.1.'),
  serverName: pattern.optional(),
  listener: z.string().optional().describe('The name of one.'),
  upstreams: z.array(z.string()).min(1).describe('The names of those to choose from.'),
})

export const route = z
  .strictObject({
    rules: z
      .array(rule)
      .default([])
      .describe('The first rule that matches decides. Otherwise: all upstreams.'),
    persistentSessions: z.enum(['wait', 'move']).default('wait').describe('While their broker is down.'),
    connectTimeout: seconds.default(10).describe('For the connection to a broker, in seconds.'),
    connackTimeout: seconds
      .default(10)
      .describe("For the broker's CONNACK, in seconds. Then a clean session goes to the next broker."),
    health: z
      .strictObject({
        interval: seconds
          .nullable()
          .default(5)
          .describe('Seconds between two CONNECT packets to a broker. null: none, and always ready.'),
        timeout: seconds.default(2).describe('For its answer, in seconds.'),
        failures: count.default(2).describe('So many in a row, and it is down.'),
        successes: count.default(1).describe('So many in a row, and it is up again.'),
      })
      .prefault({}),
  })
  .prefault({})

export type UpstreamConfig = z.infer<typeof upstream>
export type RouteConfig = z.infer<typeof route>

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
