import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { PacketParser, type Property, PropertyId, property, type RelaxableCode } from 'mqtt-connect-packet'
import { z } from 'zod'
import { isAmbiguous, variableNames } from './template.ts'

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
  .describe('A path, relative to the configuration file.')

const network = z.string().refine(isNetwork, 'must be an IP address or a network, such as 10.0.0.0/8')

const rate = z
  .strictObject({ perSecond: z.number().positive(), burst: z.int().positive() })
  .nullable()
  .default(null)
  .describe('A token bucket: so many per second on average, and `burst` at once. null: no limit.')

const listener = z.strictObject({
  name: z.string().min(1).optional().describe('For rules, templates and logs. Default HOST:PORT.'),
  host: host.default('127.0.0.1'),
  port: port.default(1883),
  tls: z
    .strictObject({
      certificates: z
        .array(z.strictObject({ certificate: file, key: file }))
        .min(1)
        .describe('Chosen by the server name (SNI) that the client asks for. The first is the default.'),
      clientCertificates: z
        .strictObject({ authorities: file, required: z.boolean().default(true) })
        .optional(),
      minimumVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    })
    .optional(),
  websocket: z
    .strictObject({
      path: z.string().startsWith('/').default('/mqtt'),
      maximumMessageSize: count
        .default(2 * 1024 * 1024)
        .describe('The largest WebSocket message, in bytes. Browsers send each MQTT packet in one.'),
    })
    .optional(),
  proxyProtocol: z
    .strictObject({ trusted: z.array(network).min(1), timeout: seconds.default(5) })
    .optional()
    .describe('Connections from the trusted networks must begin with a PROXY header, version 1 or 2.'),
})

const upstream = z.strictObject({
  name: z.string().min(1).optional().describe('Routing hashes this name. Default HOST:PORT.'),
  host,
  port: port.min(1).default(1883),
  tls: z
    .strictObject({ authorities: file.optional(), serverName: z.string().min(1).optional() })
    .optional()
    .describe('The certificate of the broker is always checked.'),
  proxyProtocol: z.literal(2).optional().describe('Send a PROXY header of version 2 to the broker.'),
})

const limits = z
  .strictObject({
    openPerAddress: count.nullable().default(null).describe('Open connections of one address.'),
    open: count.nullable().default(null).describe('Open connections in all.'),
    pending: count.default(10_000).describe('Connections whose CONNECT is not complete.'),
    perAddress: rate,
    total: rate,
    perClientId: rate,
    perUser: rate,
    packetSize: count.default(65_536).describe('The largest CONNECT, in bytes.'),
    handshakeTimeout: seconds.default(10).describe('From the connection to the complete CONNECT.'),
    allow: z
      .array(z.custom<RelaxableCode>((code) => typeof code === 'string').meta({ type: 'string' }))
      .default([]),
  })
  .prefault({})

const authentication = z
  .strictObject({
    certificate: z
      .strictObject({ userName: z.enum(['commonName', 'dns', 'email', 'uri']).default('commonName') })
      .optional()
      .describe('The name in a verified client certificate becomes the user name.'),
    jwt: z
      .strictObject({
        keys: z.union([z.url({ protocol: /^https?$/ }), file]).describe('A JWKS: a URL or a file.'),
        issuer: z.string().optional(),
        audience: z.string().optional(),
        algorithms: z.array(z.string()).min(1).default(['ES256', 'RS256', 'EdDSA']),
        userNameClaim: z.string().min(1).default('sub'),
        clientIdClaim: z.string().min(1).optional().describe('This claim must be the client id.'),
      })
      .optional(),
    users: z
      .strictObject({
        file,
        concurrency: count.default(2),
        waiting: count.default(500),
        cacheSeconds: seconds.default(300),
      })
      .optional()
      .describe('A file of lines that `mqtt-connect-gateway user NAME` prints.'),
    http: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }),
        authorizationFile: file.optional().describe('Holds the value of the header Authorization.'),
        timeout: seconds.default(3),
        concurrency: count.default(50),
        waiting: count.default(1000),
        denialCacheSeconds: seconds.default(10),
      })
      .optional(),
    enhanced: z
      .enum(['refuse', 'forward'])
      .default('refuse')
      .describe(
        '5.0 authentication methods that nothing here checks. Without any check here they are forwarded.',
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
    clientId: clientIdTemplate.default('{clientId}'),
    userName: template.nullable().optional().describe('null removes it.'),
    password: template.nullable().optional().describe('null removes it.'),
    assignClientId: z.boolean().default(true).describe('Give clients without a client id one.'),
    removeProperties: z.array(z.string()).default([]).describe('By name, such as requestProblemInformation.'),
    addProperties: z.record(z.string(), propertyValue).default({}),
    addUserProperties: z.array(z.tuple([z.string(), template])).default([]),
    serverKeepAlive: z.int().min(0).max(65_535).optional(),
  })
  .prefault({})

const pattern = z.string().refine(isPattern, 'must be a regular expression')
const rule = z.strictObject({
  clientId: pattern.optional(),
  userName: pattern.optional(),
  version: z.union([z.literal(3), z.literal(4), z.literal(5)]).optional(),
  serverName: pattern.optional(),
  listener: z.string().optional(),
  upstreams: z.array(z.string()).min(1),
})

const route = z
  .strictObject({
    rules: z
      .array(rule)
      .default([])
      .describe('The first rule that matches decides. Otherwise: all upstreams.'),
    persistentSessions: z.enum(['wait', 'move']).default('wait').describe('While their broker is down.'),
    connectTimeout: seconds.default(10),
    connackTimeout: seconds.default(10),
    health: z
      .strictObject({
        interval: seconds.default(5),
        timeout: seconds.default(2),
        failures: count.default(2),
        successes: count.default(1),
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
  admin: z.strictObject({ host: host.default('127.0.0.1'), port: port.default(9883) }).optional(),
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
      timeout: seconds.default(60),
    })
    .prefault({}),
  workers: count.max(512).default(1),
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
  folder = relativeTo
  const result = schema.safeParse(input)
  if (!result.success) throw new ConfigError(result.error.issues.map(lineOf))
  const mistakes = crossCheck(result.data)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return result.data
}

/** The JSON Schema for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

export function nameOf({ name, host, port }: Pick<ListenerConfig, 'name' | 'host' | 'port'>): string {
  return name ?? `${host}:${port}`
}

function lineOf({ path, message, ...rest }: z.core.$ZodIssue): string {
  const unknown = 'keys' in rest && Array.isArray(rest.keys) ? rest.keys : undefined
  if (unknown !== undefined) return `${pathText([...path, String(unknown[0])])}: there is no such option`
  return `${pathText(path)}: ${message}`
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return text.replace(/^\./, '') || '(the whole file)'
}

/** What more than one option has a part in. */
function crossCheck(config: Config): string[] {
  const mistakes: string[] = []
  const names = config.upstreams.map(nameOf)
  for (const [i, name] of names.entries()) {
    if (names.indexOf(name) !== i) mistakes.push(`upstreams[${i}]: another upstream has the name ${name} too`)
  }
  for (const [i, { upstreams }] of config.route.rules.entries()) {
    for (const name of upstreams) {
      if (!names.includes(name)) mistakes.push(`route.rules[${i}].upstreams: there is no upstream ${name}`)
    }
  }
  if (config.workers > 1 && names.length === 0) {
    mistakes.push('workers: the embedded broker cannot be shared by workers; configure upstreams')
  }
  const { certificate } = config.authentication
  if (certificate && !config.listeners.some(({ tls }) => tls?.clientCertificates)) {
    mistakes.push('authentication.certificate: no listener has tls.clientCertificates')
  }
  attempt('limits.allow', () => new PacketParser({ allow: config.limits.allow }))
  for (const name of config.rewrite.removeProperties) {
    if (!Object.hasOwn(PropertyId, name))
      mistakes.push(`rewrite.removeProperties: there is no property ${name}`)
  }
  for (const [name, value] of Object.entries(config.rewrite.addProperties)) {
    attempt(`rewrite.addProperties.${name}`, () => makeProperty(name, value))
  }
  function attempt(path: string, act: () => unknown): void {
    try {
      act()
    } catch (error) {
      mistakes.push(`${path}: ${(error as Error).message}`)
    }
  }
  return mistakes
}

/** @throws Error if there is no such property, or its value is not possible */
export function makeProperty(name: string, value: string | number): Property {
  if (name === 'userProperty' || !Object.hasOwn(property, name))
    throw new Error('there is no such property to add')
  return (property as unknown as Record<string, (value: string | number) => Property>)[name]!(value)
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
