import {
  type ConnectPacket,
  type Property,
  property,
  type QoS,
  v3_1,
  v3_1_1,
  v5,
  type WillFields,
} from '../index.ts'
import { stringText } from '../packets/text.ts'
import { type PropertyListName, type PropertyRow, propertyRows } from '../protocol/property-table.ts'
import type { CommandResult, Io } from './command.ts'
import { versionNamed } from './explain-command.ts'
import { parseOptions, unknown } from './options.ts'

/** The properties of one list. A user property has options of its own. */
function propertiesIn(list: PropertyListName): [name: string, row: PropertyRow][] {
  return [...propertyRows].filter(([, row]) => row.in[list] !== undefined && row.type !== 'utf8StringPair')
}

function propertiesHelp(list: PropertyListName): string {
  return propertiesIn(list)
    .map(([name, { unit }]) => `    ${kebab(name)}${unit === undefined ? '' : ` (${unit})`}`)
    .join('\n')
}

const usage = `Builds a CONNECT and prints it in hex.

  mqtt-connect-packet encode [options]

Options
  --protocol VERSION                3.1, 3.1.1 or 5 (default 5)
  --client-id ID                    default: empty
  --keep-alive SECONDS              0 to 65535, 0 turns it off (default 60)
  --clean, --no-clean               clean session or clean start (default --clean)
  --user-name NAME
  --password PASSWORD               or set MQTT_PASSWORD, because the process list shows arguments
  --will-topic TOPIC
  --will-message MESSAGE            default: empty
  --will-qos QOS                    0, 1 or 2 (default 0)
  --will-retain
  --property NAME=VALUE             a CONNECT property; repeatable
  --user-property KEY=VALUE         a user property, in order with --property; repeatable
  --will-property NAME=VALUE        a will property; repeatable
  --will-user-property KEY=VALUE    a user property, in order with --will-property; repeatable
  --bridge                          set the bridge bit of the level (3.1, 3.1.1)
  --raw                             write raw bytes instead of hex
  --help, -h                        print this

Numbers are decimal or 0x hex. The will message and binary properties are text, or bytes as
hex:00ff. Text must be UTF-8, and must not contain U+FFFD, which Node has for other bytes.

CONNECT properties
${propertiesHelp('connect')}

Will properties
${propertiesHelp('will')}

Exit code: 0 if the packet is valid, 1 if it would break a rule of MQTT, 2 for misuse.

Examples
  mqtt-connect-packet encode --client-id sensor-0042 --property session-expiry-interval=3600
  mqtt-connect-packet encode --will-topic status/1 --will-property content-type=text/plain
  MQTT_PASSWORD=s3cret mqtt-connect-packet encode --protocol 3.1.1 --user-name joe --raw > joe.bin
`

/**
 * `mqtt-connect-packet encode`
 *
 * @throws MqttError if the packet would break a rule
 * @throws TypeError or RangeError for misuse of the command line
 */
export async function encodeCommand(args: string[], io: Io): Promise<CommandResult> {
  const { values, positionals, tokens } = parseOptions(args, {
    protocol: { type: 'string', default: '5' },
    'client-id': { type: 'string', default: '' },
    'keep-alive': { type: 'string', default: '60' },
    clean: { type: 'boolean', default: true },
    'user-name': { type: 'string' },
    password: { type: 'string' },
    'will-topic': { type: 'string' },
    'will-message': { type: 'string' },
    'will-qos': { type: 'string' },
    'will-retain': { type: 'boolean' },
    property: { type: 'string', multiple: true },
    'user-property': { type: 'string', multiple: true },
    'will-property': { type: 'string', multiple: true },
    'will-user-property': { type: 'string', multiple: true },
    bridge: { type: 'boolean', default: false },
    raw: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  // Don't quote the argument: it may be the rest of a password that contains a space.
  if (positionals.length > 0) throw new TypeError('encode takes options only: quote a value that has spaces')

  const { MQTT_PASSWORD } = io.env
  // Node replaces bytes that aren't UTF-8, so the packet would differ from what was typed.
  if ([...args, MQTT_PASSWORD].some((text) => text?.includes('\ufffd'))) {
    throw new TypeError(
      'a value contains U+FFFD, as if it were not UTF-8: write its bytes as hex: if it may have them',
    )
  }

  const given = tokens.filter((token) => token.kind === 'option')
  const willProps = propertiesOf(given, 'will', 'will-property', 'will-user-property')
  const topic = values['will-topic']
  if (topic === undefined && given.some(({ name }) => name.startsWith('will-'))) {
    throw new TypeError('a will needs --will-topic')
  }
  const will: WillFields | undefined =
    topic === undefined
      ? undefined
      : {
          topic,
          message: binary('--will-message', values['will-message'] ?? ''),
          qos: integer('--will-qos', values['will-qos'] ?? '0') as QoS,
          retain: values['will-retain'] ?? false,
          props: willProps,
        }
  const common = {
    keepAlive: integer('--keep-alive', values['keep-alive']),
    clientId: values['client-id'],
    userName: values['user-name'],
    password: values.password ?? (MQTT_PASSWORD || undefined),
    will,
  }
  const props = propertiesOf(given, 'connect', 'property', 'user-property')
  const version = versionNamed(values.protocol)
  if (props.length > 0 && !version.hasProperties)
    throw new TypeError(`MQTT ${version.label} has no properties`)
  if (values.bridge && !version.hasBridges) throw new TypeError(`MQTT ${version.label} has no bridge bit`)
  const Packet = packets[version.name] as new (fields: object) => ConnectPacket
  const packet = new Packet({
    [version.cleanField]: values.clean,
    ...common,
    ...(version.hasProperties && { props }),
    ...(values.bridge && { bridge: true }),
  })
  return { output: values.raw ? packet.bytes : `${packet.bytes.toString('hex')}\n`, exitCode: 0 }
}

const packets = { v3_1: v3_1.ConnectPacket, v3_1_1: v3_1_1.ConnectPacket, v5: v5.ConnectPacket } as const

interface GivenOption {
  readonly name: string
  readonly value?: string | undefined
}

/** The properties of one list, in the order of the command line. */
function propertiesOf(
  given: readonly GivenOption[],
  list: PropertyListName,
  named: string,
  user: string,
): Property[] {
  const props: Property[] = []
  for (const { name, value = '' } of given) {
    if (name === named) props.push(namedProperty(`--${name}`, value, list))
    else if (name === user) props.push(property.userProperty(...keyAndValue(`--${name}`, value)))
  }
  return props
}

/** The names of properties on the command line, and in the library. A user property has options of its own. */
const propertiesByName: ReadonlyMap<string, string> = new Map(
  Object.keys(property).flatMap((name) => (name === 'userProperty' ? [] : [[kebab(name), name] as const])),
)

/** @throws TypeError if there is no such property */
function namedProperty(option: string, text: string, list: PropertyListName): Property {
  const [key, value] = keyAndValue(option, text)
  const written = kebab(key).replaceAll('_', '-')
  const name = propertiesByName.get(written)
  if (name === undefined) {
    const known = propertiesIn(list).map(([other]) => kebab(other))
    throw new TypeError(`${option}: ${unknown('property', key, known)}`)
  }
  const { type } = propertyRows.get(name)!
  const make = property[name as keyof typeof property] as (value: unknown) => Property
  if (type === 'utf8String') return make(value)
  return make(type === 'binaryData' ? binary(option, value) : integer(`${option} ${written}`, value))
}

/** Splits `key=value` at the first sign; the value may contain more of them. */
function keyAndValue(option: string, text: string): [key: string, value: string] {
  const at = text.indexOf('=')
  if (at < 0) throw new TypeError(`${option} takes NAME=VALUE: the sign = is missing`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function integer(option: string, text: string): number {
  if (!/^(\d+|0x[\da-f]+)$/i.test(text))
    throw new TypeError(`${option} takes a number, not ${stringText(text)}`)
  return Number(text)
}

/** Returns text unchanged, or the bytes after `hex:`. */
function binary(option: string, text: string): Uint8Array | string {
  if (!text.startsWith('hex:')) return text
  const digits = text.slice(4)
  if (!/^([\da-f]{2})*$/i.test(digits)) throw new TypeError(`${option}: must have hex after hex:`)
  return Buffer.from(digits, 'hex')
}

/** `sessionExpiryInterval` as `session-expiry-interval` */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
