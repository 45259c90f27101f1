import { z } from 'zod'
import { authentication, ownAuthentication } from '../authenticate/options.ts'
import { drain } from '../connection/options.ts'
import { limits } from '../limit/options.ts'
import { listener } from '../listen/options.ts'
import { rewrite } from '../rewrite/options.ts'
import { route, upstream } from '../route/options.ts'
import { count, host, port } from '../settings/values.ts'

/*
 * The one definition of the configuration: the types, the checks, the defaults and the JSON Schema come from it.
 */

/** The whole configuration. */
export const schema = z.strictObject({
  $schema: z.string().optional(),
  listeners: z
    .array(listener.extend({ authentication: ownAuthentication }))
    .min(1)
    .prefault([{}]),
  upstreams: z.array(upstream).default([]).describe('Empty: an aedes in this process, for a first try.'),
  limits,
  authentication,
  rewrite,
  route,
  admin: z
    .strictObject({ host: host.default('127.0.0.1'), port: port.default(9883) })
    .optional()
    .describe('An HTTP port with `/healthz`, `/readyz` and `/metrics`.'),
  log: z
    .strictObject({
      format: z
        .enum(['json', 'text'])
        .default('json')
        .describe('Without a configuration file: `text`, or `json` with the option `--json`.'),
      connects: z.boolean().default(true).describe('A line for each CONNECT.'),
      sessions: z.boolean().default(true).describe('A line for each session that has ended.'),
      timestamps: z
        .boolean()
        .default(true)
        .describe('The time at the start of each line of text. JSON always has it.'),
    })
    .prefault({}),
  drain,
  workers: count
    .max(512)
    .default(1)
    .describe('How many processes share the listeners. Each has its share of the limits, rounded down.'),
})

export type Config = z.infer<typeof schema>

/** The JSON Schema for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
