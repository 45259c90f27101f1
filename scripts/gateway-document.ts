import { optionsSchema } from '../gateway/lib/operate/schema.ts'

/* Writes gateway/CONFIGURATION.md: every option of the gateway, from the schema that also validates configurations. */

/** The part of JSON Schema that the configuration needs. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly description?: string
  /** Set if this object's options are listed elsewhere. */
  readonly $comment?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly items?: Schema | false
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** One row per option of an object. */
function rowsOf({ properties = {}, required = [] }: Schema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name.startsWith('$')) return []
    const own = `${path}${name}`
    const inner = schema.items || optionalObject(schema) || schema
    const rows =
      inner.properties && !schema.$comment ? rowsOf(inner, `${own}${schema.items ? '[].' : '.'}`) : []
    // Objects without a description need no row of their own.
    if (rows.length > 0 && schema.description === undefined && !schema.items) return rows
    const unless = required.includes(name) ? 'required' : 'none'
    const preset =
      schema.default === undefined || schema.properties ? unless : code(JSON.stringify(schema.default))
    return [`| ${code(own)} | ${typeOf(schema)} | ${preset} | ${schema.description ?? ''} |`, ...rows]
  })
}

/** The object that an option accepts besides null, if its own options have descriptions. */
function optionalObject({ anyOf }: Schema): Schema | undefined {
  return anyOf?.find(({ properties }) =>
    Object.values(properties ?? {}).some(({ description }) => description),
  )
}

/** Describes the values that an option accepts. */
function typeOf(schema: Schema): string {
  const { type, enum: names, anyOf, items, properties } = schema
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (names) return names.map((name) => code(JSON.stringify(name))).join(' or ')
  if (typeof type === 'object') return type.join(' or ')
  if (type === 'array') return items ? `array: ${typeOf(items)}` : 'pair'
  if (type === 'integer' || type === 'number') return type + rangeOf(schema)
  if (schema.$comment) return 'object'
  if (type === 'object' && properties) return `{ ${Object.keys(properties).join(', ')} }`
  return { uri: 'URL', path: 'path' }[schema.format ?? ''] ?? `${type}`
}

function rangeOf({ minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const least = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum.toLocaleString('en')}`
  if (least !== undefined) return `, ${least}${most || ' or more'}`
  if (exclusiveMinimum === undefined) return ''
  return `, above ${exclusiveMinimum}${most && `, up${most}`}`
}

function code(text: string): string {
  return `\`${text}\``
}

/** Returns gateway/CONFIGURATION.md. */
export function gatewayDocument(): string {
  const { properties } = optionsSchema() as Required<Schema>
  return `# Configuration of mqtt-connect-gateway

All options of the configuration file. [README.md](README.md#configuration) explains them by topic. An option whose default is *none* can be left
out. \`--config FILE --print-config\` prints a configuration with all defaults. \`npm run docs\` generates this file from the schema that validates
configurations.

| option | value | default | meaning |
|---|---|---|---|
${rowsOf({ properties }, '').join('\n')}
`
}
