import { z } from 'zod'
import { count, file, host, port, seconds, tcpKeepAlive } from '../settings/values.ts'

export const upstream = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('Must be the same in every gateway, because routing hashes the name. Default: HOST:PORT.'),
  host,
  port: port.min(1).default(1883),
  state: z
    .enum(['active', 'draining', 'off'])
    .default('active')
    .describe(
      '`draining`: the upstream gets no new clients, and its sessions are closed at the rate of `drain.perSecond`. `off`: its sessions are closed at once, and its health checks stop.',
    ),
  weight: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe('The share of the clients, relative to the other upstreams.'),
  backup: z
    .boolean()
    .default(false)
    .describe(
      'Gets clients only while no other upstream answers, and persistent sessions only with `move` or if all others are `draining` or `off`.',
    ),
  tcpKeepAlive,
  tls: z
    .strictObject({
      authorities: file.optional().describe("The certificates of the authorities, in PEM. Default: Node's."),
      serverName: z
        .string()
        .min(1)
        .optional()
        .describe("The name in the broker's certificate. Default: `host`."),
    })
    .optional()
    .describe("Connects with TLS. The broker's certificate is always checked."),
  proxyProtocol: z
    .literal(2)
    .optional()
    .describe(
      'Sends the broker a PROXY header (version 2). Together with `tls`, only the first address of a host name is tried.',
    ),
})

const pattern = z
  .string()
  .refine(isPattern, 'must be a regular expression')
  .describe(
    'A regular expression, in which `.` matches line breaks too. Without `^` and `$` it may match anywhere. A client is refused if its value has more than 2,048 characters.',
  )
const rule = z.strictObject({
  clientId: pattern.optional(),
  userName: pattern.optional(),
  version: z
    .union([z.literal(3), z.literal(4), z.literal(5)])
    .optional()
    .describe('The protocol level: 3 is MQTT 3.1, 4 is 3.1.1.'),
  serverName: pattern
    .optional()
    .describe('A regular expression, as for `clientId`. Upper and lower case make no difference.'),
  listener: z.string().optional().describe('The name of a listener.'),
  upstreams: z.array(z.string()).min(1).describe('The names of the upstreams to choose from.'),
})

export const route = z
  .strictObject({
    rules: z
      .array(rule)
      .default([])
      .describe(
        'The first rule that matches selects the upstreams. If none matches, all upstreams are candidates.',
      ),
    persistentSessions: z
      .enum(['wait', 'move'])
      .default('wait')
      .describe(
        'While the broker that has its session is down, a client is refused until that broker is back (`wait`), or moves to a different one (`move`).',
      ),
    connectTimeout: seconds.default(10).describe('Seconds for the connection to a broker.'),
    connackTimeout: seconds
      .default(10)
      .describe(
        "Seconds to wait for the broker's CONNACK. After that, a clean session goes to the next broker.",
      ),
    health: z
      .strictObject({
        interval: seconds
          .nullable()
          .default(5)
          .describe(
            'Seconds between two health checks, which are CONNECT packets. null turns the checks off: the gateway is always ready, and clients try a broker that they could not reach again after ten seconds.',
          ),
        timeout: seconds.default(2).describe('Seconds to wait for the answer to a health check.'),
        failures: count.default(2).describe('Consecutive failures before a broker is marked down.'),
        successes: count.default(1).describe('Consecutive successes before a broker is marked up again.'),
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
