import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { RelaxableCode } from 'mqtt-connect-packet'
import { z } from 'zod'
import { isAmbiguous, variableNames } from '../rewrite/template.ts'
import { pathText, type References } from '../settings/references.ts'
import { crossCheck } from './cross-check.ts'

/*
 * The one definition of the configuration: the types, the checks, the defaults and the JSON Schema come from it.
 */

const port = z.int().min(0).max(65_535)
const host = z.string().min(1)
/** Timers take at most 2^31 - 1 milliseconds. */
const seconds = z.number().min(0.001).max(2_147_483)
const count = z.int().positive()
/** The folder of the configuration file that is being read. */
let folder = '.'
const file = z
  .string()
  .min(1)
  .overwrite((path) => resolve(folder, path))
  .meta({ format: 'path', description: 'Relative to the configuration file.' })

const network = z.string().refine(isNetwork, 'must be an IP address or a network, such as 10.0.0.0/8')

/** A token bucket. */
const rate = z
  .strictObject({ perSecond: z.number().positive(), burst: z.int().positive() })
  .nullable()
  .default(null)

/** The signatures that a JWKS can have keys for, and Node 20 can check. */
const ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['EdDSA', 'Ed25519'],
] as const

const listener = z.strictObject({
  name: z.string().min(1).optional().describe('For rules, templates and logs. Default HOST:PORT.'),
  host: host.default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all of IPv4.'),
  port: port.default(1883).describe('0: any free port.'),
  tls: z
    .strictObject({
      certificates: z
        .array(z.strictObject({ certificate: file, key: file }))
        .min(1)
        .describe('Chosen by the server name (SNI) that the client asks for. The first is the default.'),
      clientCertificates: z
        .strictObject({
          authorities: file.describe('Their certificates, in PEM.'),
          required: z.boolean().default(true).describe('Refuse clients without one in the TLS handshake.'),
        })
        .optional()
        .describe('Ask clients for a certificate that these authorities have signed.'),
      minimumVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    })
    .optional()
    .describe('Only TLS.'),
  websocket: z
    .strictObject({
      path: z.string().startsWith('/').default('/mqtt').describe('Of the URL. Others are refused.'),
    })
    .optional()
    .describe('Only MQTT over WebSocket.'),
  proxyProtocol: z
    .strictObject({
      trusted: z.array(network).min(1).describe('Addresses or networks, such as 10.0.0.0/8.'),
      timeout: seconds.default(5).describe('For the header, in seconds.'),
    })
    .optional()
    .describe('Connections from the trusted networks must begin with a PROXY header, version 1 or 2.'),
})

const upstream = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .describe('The same in every gateway: routing hashes this name. Default HOST:PORT.'),
  host,
  port: port.min(1).default(1883),
  tls: z
    .strictObject({
      authorities: file.optional().describe('In PEM. Default: those of Node.'),
      serverName: z.string().min(1).optional().describe('In its certificate. Default: `host`.'),
    })
    .optional()
    .describe('The certificate of the broker is always checked.'),
  proxyProtocol: z.literal(2).optional().describe('Send a PROXY header of version 2 to the broker.'),
})

const limits = z
  .strictObject({
    openPerAddress: count.nullable().default(null).describe('Open connections of one address.'),
    open: count.nullable().default(null).describe('Open connections in all.'),
    pending: count.default(10_000).describe('Connections whose CONNECT is not complete.'),
    perAddress: rate.describe('Connections of one address: so many per second on average, `burst` at once.'),
    total: rate.describe('Connections in all.'),
    perClientId: rate.describe('CONNECT packets with one client id.'),
    perUser: rate.describe('CONNECT packets with one user name.'),
    packetSize: count.default(65_536).describe('The largest CONNECT, in bytes.'),
    handshakeTimeout: seconds.default(10).describe('Seconds from the connection to the complete CONNECT.'),
    allow: z
      .array(z.custom<RelaxableCode>((code) => typeof code === 'string').meta({ type: 'string' }))
      .default([])
      .describe('Rules to relax, by the codes in docs/errors.md. MQTT 3.1: `protocol-mqtt-3-1`.'),
  })
  .prefault({})

const authentication = z
  .strictObject({
    module: z
      .strictObject({
        file: file.describe('Its default export is the function. It is loaded once, not with a reload.'),
        timeout: seconds.default(10).describe('For one answer, in seconds.'),
      })
      .optional()
      .describe('A JavaScript module of yours decides, before all other checks.'),
    certificate: z
      .strictObject({ userName: z.enum(['commonName', 'dns', 'email', 'uri']).default('commonName') })
      .optional()
      .describe('The name in a verified client certificate becomes the user name.'),
    jwt: z
      .strictObject({
        keys: z.union([z.url({ protocol: /^https?$/ }), file]).describe('A JWKS: a URL or a file.'),
        issuer: z.string().optional().describe('What the claim `iss` must be.'),
        audience: z.string().optional().describe('What the claim `aud` must be, or contain.'),
        algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['ES256', 'RS256', 'EdDSA']),
        userNameClaim: z.string().min(1).default('sub').describe('This claim becomes the user name.'),
        clientIdClaim: z.string().min(1).optional().describe('This claim must be the client id.'),
      })
      .optional()
      .describe('The password is a JWT.'),
    users: z
      .strictObject({
        file,
        concurrency: count.default(2).describe('How many passwords a worker hashes at once.'),
        waiting: count
          .default(500)
          .describe(
            'How many clients may wait for that, in each worker. Addresses take turns. More are refused.',
          ),
        cacheSeconds: seconds
          .default(300)
          .describe('How long a password that was right is not hashed again.'),
      })
      .optional()
      .describe('A file of lines that `mqtt-connect-gateway user NAME` or `mosquitto_passwd` prints.'),
    http: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }),
        authorizationFile: file.optional().describe('Holds the value of the header Authorization.'),
        timeout: seconds.default(3).describe('For one answer, in seconds.'),
        concurrency: count.default(50).describe('How many requests a worker has at once.'),
        waiting: count
          .default(1000)
          .describe(
            'How many clients may wait for that, in each worker. Addresses take turns. More are refused.',
          ),
        denialCacheSeconds: seconds.default(10).describe('How long the same credentials stay denied.'),
      })
      .optional()
      .describe('Asks a service of yours with POST.'),
    enhanced: z
      .enum(['refuse', 'forward'])
      .default('refuse')
      .describe(
        'MQTT 5.0 clients with an authentication method, which only `module` sees. Without any check they are forwarded.',
      ),
  })
  .prefault({})

const template = z
  .string()
  .refine((text) => [...text.matchAll(/\{(.*?)\}/g)].every(([, name]) => variableNames.has(name!)), {
    error: `has a variable other than {${[...variableNames].join('}, {')}}`,
  })
const clientIdTemplate = template.refine(
  (text) => !isAmbiguous(text),
  'has two variables with nothing between them: different clients could get the same client id',
)

const propertyValue = z.union([z.string(), z.int()])
const rewrite = z
  .strictObject({
    clientId: clientIdTemplate.default('{clientId}').describe('A template.'),
    userName: template.nullable().optional().describe('A template. null removes it.'),
    password: template.nullable().optional().describe('A template. null removes it.'),
    assignClientId: z
      .boolean()
      .default(true)
      .describe('Give clients without a client id one. Otherwise they take turns with the brokers.'),
    removeProperties: z.array(z.string()).default([]).describe('By name, such as requestProblemInformation.'),
    addProperties: z
      .record(z.string(), propertyValue)
      .default({})
      .describe('Names and values. They replace those of the client.'),
    addUserProperties: z
      .array(z.tuple([z.string(), template]))
      .default([])
      .describe('Keys, and templates for the values.'),
    serverKeepAlive: z.int().min(0).max(65_535).optional().describe('Seconds, for clients of 5.0.'),
  })
  .prefault({})

const pattern = z
  .string()
  .refine(isPattern, 'must be a regular expression')
  .describe('A regular expression. `^` and `$` match the ends.')
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

const route = z
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
        interval: seconds.default(5).describe('Seconds between two CONNECT packets to a broker.'),
        timeout: seconds.default(2).describe('For its answer, in seconds.'),
        failures: count.default(2).describe('So many in a row, and it is down.'),
        successes: count.default(1).describe('So many in a row, and it is up again.'),
      })
      .prefault({}),
  })
  .prefault({})

/** The whole configuration. */
export const schema = z.strictObject({
  $schema: z.string().optional(),
  listeners: z.array(listener).min(1).prefault([{}]),
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
      format: z.enum(['json', 'text']).default('json'),
      connects: z.boolean().default(true).describe('A line for each CONNECT.'),
    })
    .prefault({}),
  drain: z
    .strictObject({
      delay: z
        .number()
        .min(0)
        .max(3600)
        .default(0)
        .describe('Seconds between "not ready" and the first close.'),
      perSecond: z.number().positive().default(500).describe('How many connections to close.'),
      timeout: seconds.default(60).describe('After so many seconds all that are left are closed.'),
    })
    .prefault({}),
  workers: count
    .max(512)
    .default(1)
    .describe('How many processes share the listeners. Each has its share of the limits, rounded down.'),
})

export type Config = z.infer<typeof schema>
export type ListenerConfig = Config['listeners'][number]
export type UpstreamConfig = Config['upstreams'][number]

/** The configuration is not valid: one line for each mistake, with its path. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * @param relativeTo the folder that paths are relative to; they become absolute
 * @throws ConfigError
 */
export function parseConfig(input: unknown, relativeTo: string = '.'): Config {
  return resultOf(safeParse(input, relativeTo))
}

/**
 * As `parseConfig`, for the contents of a configuration file, whose references have been replaced.
 *
 * @throws ConfigError
 */
export function parseReferences(references: References, relativeTo: string): Config {
  if (references.mistakes.length > 0) throw new ConfigError(references.mistakes)
  const first = safeParse(references.value, relativeTo)
  return resultOf(first.success ? first : safeParse(references.typed(first.error.issues), relativeTo))
}

function safeParse(input: unknown, relativeTo: string): z.ZodSafeParseResult<Config> {
  folder = relativeTo
  return schema.safeParse(input)
}

function resultOf(result: z.ZodSafeParseResult<Config>): Config {
  if (!result.success) throw new ConfigError(result.error.issues.map(lineOf))
  const mistakes = crossCheck(result.data)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return result.data
}

/** The JSON Schema for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function lineOf({ path, message, ...rest }: z.core.$ZodIssue): string {
  const unknown = 'keys' in rest && Array.isArray(rest.keys) ? rest.keys : undefined
  if (unknown !== undefined) return `${pathText([...path, String(unknown[0])])}: there is no such option`
  return `${pathText(path)}: ${message}`
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
