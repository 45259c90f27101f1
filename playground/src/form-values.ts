import {
  type ConnackPacket,
  type ConnectPacket,
  ControlPacketType,
  MqttError,
  type Property,
  type QoS,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { binaryOf, type Mistake, mistakeOf, numberOf } from './mistakes.ts'
import { entryOf, type PropertyEntry, propertiesOf, textOfBinary } from './properties.ts'
import { type VersionChoice, versionChoices } from './read-as.ts'

export type FormVersion = Exclude<VersionChoice, ''>

/** The values in the form. Optional fields can be `undefined`, because absent and empty are different. */
export interface FormValues {
  readonly kind: 'connect' | 'connack'
  readonly version: FormVersion
  readonly clean: boolean
  readonly keepAlive: string
  readonly clientId: string
  readonly bridge: boolean
  readonly userName: string | undefined
  readonly password: string | undefined
  readonly will: WillValues | undefined
  readonly props: readonly PropertyEntry[]
  readonly sessionPresent: boolean
  readonly code: number
  readonly connackProps: readonly PropertyEntry[]
}

export interface WillValues {
  readonly topic: string
  readonly message: string
  readonly qos: number
  readonly retain: boolean
  readonly props: readonly PropertyEntry[]
}

export const emptyForm: FormValues = {
  kind: 'connect',
  version: '5',
  clean: true,
  keepAlive: '60',
  clientId: 'sensor-0042',
  bridge: false,
  userName: undefined,
  password: undefined,
  will: undefined,
  props: [],
  sessionPresent: false,
  code: 0,
  connackProps: [],
}

/** The packet, or the mistakes by the path of their input: `keepAlive`, `will.topic`, `props.0`. */
export interface Built {
  readonly packet?: ConnectPacket | ConnackPacket
  readonly mistakes: ReadonlyMap<string, Mistake>
}

export function build(values: FormValues): Built {
  const mistakes = new Map<string, Mistake>()
  const fields = values.kind === 'connect' ? connectFields(values, mistakes) : connackFields(values, mistakes)
  const Packet = classes[values.version][values.kind] as new (fields: object) => ConnectPacket | ConnackPacket
  // A constructor reports only the first mistake. Replace it with a harmless value to find the next one.
  for (let i = 0; i < harmless.size + 1; i++) {
    try {
      const packet = new Packet(fields)
      return mistakes.size === 0 ? { packet, mistakes } : { mistakes }
    } catch (error) {
      const path = pathOf(error, values)
      if (!mistakes.has(path)) mistakes.set(path, mistakeOf(error))
      const replace = harmless.get(/^(connack\.)?props/.test(path) ? 'props' : path)
      if (replace === undefined) break
      replace(fields)
    }
  }
  return { mistakes }
}

const classes = {
  '3.1': { connect: v3_1.ConnectPacket, connack: v3_1.ConnackPacket },
  '3.1.1': { connect: v3_1_1.ConnectPacket, connack: v3_1_1.ConnackPacket },
  '5': { connect: v5.ConnectPacket, connack: v5.ConnackPacket },
} as const

/** The unchecked fields of any packet. */
interface AnyFields {
  keepAlive?: number
  clientId?: string
  userName?: string | undefined
  password?: Uint8Array | string | undefined
  will?: object | undefined
  props?: readonly Property[]
  sessionPresent?: boolean
}

/** Replacements for mistakes, by path. */
const harmless: ReadonlyMap<string, (fields: AnyFields) => AnyFields> = new Map([
  ['keepAlive', (fields) => Object.assign(fields, { keepAlive: 0 })],
  ['clientId', (fields) => Object.assign(fields, { clientId: 'c' })],
  ['userName', (fields) => Object.assign(fields, { userName: 'u' })],
  ['password', (fields) => Object.assign(fields, { password: undefined })],
  ['will.topic', (fields) => Object.assign(fields, { will: { ...fields.will, topic: 't' } })],
  ['will.message', (fields) => Object.assign(fields, { will: { ...fields.will, message: '' } })],
  ['sessionPresent', (fields) => Object.assign(fields, { sessionPresent: false })],
  ['props', (fields) => Object.assign(fields, { props: [] })],
] as readonly [string, (fields: AnyFields) => AnyFields][])

function connectFields(values: FormValues, mistakes: Map<string, Mistake>): AnyFields {
  const { version, clean, clientId, userName, will } = values
  const attempt = <Value>(path: string, make: () => Value, otherwise: Value): Value => {
    try {
      return make()
    } catch (error) {
      mistakes.set(path, mistakeOf(error))
      return otherwise
    }
  }
  const binary = (path: string, text: string): Uint8Array | string => attempt(path, () => binaryOf(text), '')
  const props = (list: 'props' | 'will.props', entries: readonly PropertyEntry[]): Property[] => {
    const made = propertiesOf(list, entries)
    for (const [i, mistake] of made.mistakes) mistakes.set(`${list}.${i}`, mistake)
    return made.props
  }
  return {
    [version === '5' ? 'cleanStart' : 'cleanSession']: clean,
    keepAlive: attempt('keepAlive', () => numberOf(values.keepAlive), 0),
    clientId,
    ...(userName !== undefined && { userName }),
    ...(values.password !== undefined && { password: binary('password', values.password) }),
    ...(will !== undefined && {
      will: {
        topic: will.topic,
        message: binary('will.message', will.message),
        qos: will.qos as QoS,
        retain: will.retain,
        ...(version === '5' && { props: props('will.props', will.props) }),
      },
    }),
    ...(version === '5' && { props: props('props', values.props) }),
    ...(version !== '5' && values.bridge && { bridge: true }),
  }
}

function connackFields(values: FormValues, mistakes: Map<string, Mistake>): AnyFields {
  const { version, sessionPresent, code, connackProps } = values
  if (version !== '5')
    return { sessionPresent: version !== '3.1' && sessionPresent, returnCode: code } as AnyFields
  const { props, mistakes: found } = propertiesOf('connack.props', connackProps)
  for (const [i, mistake] of found) mistakes.set(`connack.props.${i}`, mistake)
  return { sessionPresent, reasonCode: code, props } as AnyFields
}

/** The path of the input that an error is about. */
function pathOf(error: unknown, { kind, props }: FormValues): string {
  if (error instanceof MqttError) {
    if (error.code === 'password-without-user-name') return 'password'
    if (error.code === 'session-present-with-error') return 'sessionPresent'
    if (error.code === 'authentication-data-without-method') {
      return kind === 'connect'
        ? `props.${props.findIndex(({ name }) => name === 'authenticationData')}`
        : 'connack.props'
    }
    return error.field
  }
  return /^[\w.]+(?=: )/.exec((error as Error).message)?.[0] ?? ''
}

/** The form's values for a packet. */
export function valuesOf(packet: ConnectPacket | ConnackPacket): FormValues {
  const [version] = Object.entries(versionChoices).find(([, one]) => one === packet.protocolVersion) as [
    FormVersion,
    number,
  ]
  const props = packet.protocolVersion === 5 ? packet.props.map(entryOf) : []
  if (packet.type === ControlPacketType.connack) {
    const code = 'reasonCode' in packet ? packet.reasonCode : packet.returnCode
    const sessionPresent = packet.sessionPresent
    return { ...emptyForm, kind: 'connack', version, sessionPresent, code, connackProps: props }
  }
  const { keepAlive, clientId, userName, password, will } = packet
  return {
    ...emptyForm,
    version,
    clean: 'cleanStart' in packet ? packet.cleanStart : packet.cleanSession,
    keepAlive: `${keepAlive}`,
    clientId,
    bridge: 'bridge' in packet && packet.bridge,
    userName,
    password: password && textOfBinary(password),
    will: will && {
      topic: will.topic,
      message: textOfBinary(will.message),
      qos: will.qos,
      retain: will.retain,
      props: will.props.map(entryOf),
    },
    props,
  }
}
