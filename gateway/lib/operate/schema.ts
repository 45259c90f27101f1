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
  upstreams: z
    .array(upstream)
    .default([])
    .describe('The brokers. If empty, the gateway runs an embedded aedes so you can try it out.'),
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
        .describe('Without a configuration file, the default is `text`, or `json` with `--json`.'),
      connects: z.boolean().default(true).describe('Logs each CONNECT.'),
      sessions: z.boolean().default(true).describe('Logs the end of each session.'),
      timestamps: z
        .boolean()
        .default(true)
        .describe('Begins each line in the text format with the time. Lines in JSON always have the time.'),
    })
    .prefault({}),
  drain,
  workers: count
    .max(512)
    .default(1)
    .describe(
      'The number of processes that share the listeners. Each has an equal share of the limits, rounded down.',
    ),
})

export type Config = z.infer<typeof schema>

const options = { io: 'input', unrepresentable: 'any' } as const

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** The JSON Schema for editors. Each value may also be a reference: `"port": "${PORT}"` */
export function jsonSchema(): object {
  return z.toJSONSchema(schema, {
    ...options,
    override: ({ jsonSchema: own }) => {
      const { description, default: preset, ...rest } = own
      const isAnyString = own.type === 'string' && Object.keys(rest).length === 1
      if (!scalars.includes(own.type) || isAnyString) return
      for (const key of Object.keys(rest)) delete own[key]
      own.anyOf = [rest as typeof own, { type: 'string', pattern: '\\$\\{' }]
    },
  })
}

/** The same without references, for the document of all options. */
export function optionsSchema(): object {
  return z.toJSONSchema(schema, options)
}
