import type { Sender } from './codes.ts'

/** The encoding of a property's value. MQTT 5.0 sections 1.5 and 2.2.2.2. */
export type PropertyType =
  | 'byte'
  | 'twoByteInteger'
  | 'fourByteInteger'
  | 'variableByteInteger'
  | 'utf8String'
  | 'binaryData'
  | 'utf8StringPair'

/**
 * The property lists that this library reads: those of CONNECT, its will, CONNACK, DISCONNECT and AUTH.
 *
 * @example
 * const list: PropertyListName = 'will'
 */
export type PropertyListName = 'connect' | 'will' | 'connack' | 'disconnect' | 'auth'

/** One property of MQTT 5.0. */
export interface PropertyRow {
  /** The identifier. Section 2.2.2.2. */
  readonly id: number
  readonly type: PropertyType
  /**
   * The number of the subsection that defines it, for each list that may contain it: 3 is 3.1.2.11.3 in a CONNECT. Empty if only
   * other packets have it.
   */
  readonly in: { readonly [Name in PropertyListName]?: number }
  /** The smallest value allowed. Default 0. */
  readonly min?: number
  /** The largest value allowed. Default: the largest of its type. */
  readonly max?: number
  /** The error of a value outside `min` to `max`. */
  readonly refusal?: string
  /** The unit of a number. */
  readonly unit?: 's' | 'bytes'
  /** The only side that may send it in a list, and the clause that says so. */
  readonly only?: { readonly [Name in PropertyListName]?: readonly [sender: Sender, clause: string] }
  /** The level of the first version that defines it. Default 5. */
  readonly since?: number
  /** Set for topic names, which must neither be empty nor contain a wildcard. */
  readonly topic?: true
  /** Set for secrets, which text, logs and JSON never show. */
  readonly secret?: true
}

/** The properties of MQTT 5.0. Properties that belong to other packets are listed as well, so that errors can name them. */
export const propertyTable = {
  /**
   * The time for which the server keeps the session after the connection has ended, in seconds, 0 to 4,294,967,295 (for ever).
   * MQTT 5.0 sections 3.1.2.11.2, 3.2.2.3.2 and 3.14.2.2.2.
   */
  sessionExpiryInterval: {
    id: 0x11,
    type: 'fourByteInteger',
    in: { connect: 2, connack: 2, disconnect: 2 },
    only: { disconnect: ['client', 'MQTT-3.14.2-2'] },
    unit: 's',
  },
  /**
   * The number of QoS 1 and 2 publications that the sender of this property handles at once, 1 to 65,535. MQTT 5.0 sections
   * 3.1.2.11.3 and 3.2.2.3.3.
   */
  receiveMaximum: {
    id: 0x21,
    type: 'twoByteInteger',
    in: { connect: 3, connack: 3 },
    min: 1,
    refusal: 'receive-maximum-zero',
  },
  /**
   * The largest packet that the sender of this property accepts, in bytes, 1 to 4,294,967,295. MQTT 5.0 sections 3.1.2.11.4
   * and 3.2.2.3.6.
   */
  maximumPacketSize: {
    id: 0x27,
    type: 'fourByteInteger',
    in: { connect: 4, connack: 6 },
    min: 1,
    refusal: 'maximum-packet-size-zero',
    unit: 'bytes',
  },
  /**
   * The highest topic alias that the sender of this property accepts, 0 to 65,535. MQTT 5.0 sections 3.1.2.11.5 and 3.2.2.3.8.
   */
  topicAliasMaximum: { id: 0x22, type: 'twoByteInteger', in: { connect: 5, connack: 8 } },
  /** 1 asks the server for response information in its CONNACK, 0 forbids it. MQTT 5.0 section 3.1.2.11.6. */
  requestResponseInformation: {
    id: 0x19,
    type: 'byte',
    in: { connect: 6 },
    max: 1,
    refusal: 'request-response-information',
  },
  /**
   * 0 forbids reason strings and user properties in packets other than CONNACK, DISCONNECT and PUBLISH; 1 permits them. MQTT
   * 5.0 section 3.1.2.11.7.
   */
  requestProblemInformation: {
    id: 0x17,
    type: 'byte',
    in: { connect: 7 },
    max: 1,
    refusal: 'request-problem-information',
  },
  /**
   * A name and a value whose meaning is up to the application. Any number of them, in order. At most 65,535 bytes of UTF-8
   * each. MQTT 5.0 sections 3.1.2.11.8, 3.1.3.2.8, 3.2.2.3.10, 3.14.2.2.4 and 3.15.2.2.5.
   */
  userProperty: {
    id: 0x26,
    type: 'utf8StringPair',
    in: {
      connect: 8,
      will: 8,
      connack: 10,
      disconnect: 4,
      auth: 5,
    },
  },
  /**
   * The name of the enhanced authentication method. At most 65,535 bytes of UTF-8. MQTT 5.0 sections 3.1.2.11.9, 3.2.2.3.17
   * and 3.15.2.2.2.
   */
  authenticationMethod: { id: 0x15, type: 'utf8String', in: { connect: 9, connack: 17, auth: 2 } },
  /**
   * The data of the authentication method, which must be present too. Never shown in text or JSON. At most 65,535 bytes. MQTT
   * 5.0 sections 3.1.2.11.10, 3.2.2.3.18 and 3.15.2.2.3.
   */
  authenticationData: {
    id: 0x16,
    type: 'binaryData',
    in: { connect: 10, connack: 18, auth: 3 },
    secret: true,
  },
  /** The delay before the server publishes the will, in seconds, 0 to 4,294,967,295. MQTT 5.0 section 3.1.3.2.2. */
  willDelayInterval: { id: 0x18, type: 'fourByteInteger', in: { will: 2 }, unit: 's' },
  /** The kind of will message: 0 for unspecified bytes, 1 for UTF-8 text. MQTT 5.0 section 3.1.3.2.3. */
  payloadFormatIndicator: {
    id: 0x01,
    type: 'byte',
    in: { will: 3 },
    max: 1,
    refusal: 'payload-format-indicator',
  },
  /** The lifetime of the published will message, in seconds, 0 to 4,294,967,295. MQTT 5.0 section 3.1.3.2.4. */
  messageExpiryInterval: { id: 0x02, type: 'fourByteInteger', in: { will: 4 }, unit: 's' },
  /** The content type of the will message, often a MIME type. At most 65,535 bytes of UTF-8. MQTT 5.0 section 3.1.3.2.5. */
  contentType: { id: 0x03, type: 'utf8String', in: { will: 5 } },
  /**
   * The topic for a response to the will message. Neither empty nor with a wildcard. At most 65,535 bytes of UTF-8. MQTT 5.0
   * section 3.1.3.2.6.
   */
  responseTopic: { id: 0x08, type: 'utf8String', in: { will: 6 }, topic: true },
  /** Data that tells the sender which request a response belongs to. At most 65,535 bytes. MQTT 5.0 section 3.1.3.2.7. */
  correlationData: { id: 0x09, type: 'binaryData', in: { will: 7 } },
  /**
   * The number that the client has given a subscription, 1 to 268,435,455. Only in SUBSCRIBE and PUBLISH. MQTT 5.0 sections
   * 3.3.2.3.8 and 3.8.2.1.2.
   */
  subscriptionIdentifier: { id: 0x0b, type: 'variableByteInteger', in: {} },
  /**
   * The client identifier that the server has assigned, because the one in the CONNECT was empty. At most 65,535 bytes of
   * UTF-8. MQTT 5.0 section 3.2.2.3.7.
   */
  assignedClientIdentifier: { id: 0x12, type: 'utf8String', in: { connack: 7 } },
  /** The keep alive that the client must use instead of its own, in seconds, 0 to 65,535. MQTT 5.0 section 3.2.2.3.14. */
  serverKeepAlive: { id: 0x13, type: 'twoByteInteger', in: { connack: 14 }, unit: 's' },
  /** Text that the client builds response topics from. At most 65,535 bytes of UTF-8. MQTT 5.0 section 3.2.2.3.15. */
  responseInformation: { id: 0x1a, type: 'utf8String', in: { connack: 15 } },
  /** Another server that the client can use. At most 65,535 bytes of UTF-8. MQTT 5.0 sections 3.2.2.3.16 and 3.14.2.2.5. */
  serverReference: {
    id: 0x1c,
    type: 'utf8String',
    in: { connack: 16, disconnect: 5 },
    only: { disconnect: ['server', '3.14.2.2.5'] },
  },
  /**
   * The reason in words, for the person who diagnoses a problem. At most 65,535 bytes of UTF-8. MQTT 5.0 sections 3.2.2.3.9,
   * 3.14.2.2.3 and 3.15.2.2.4.
   */
  reasonString: { id: 0x1f, type: 'utf8String', in: { connack: 9, disconnect: 3, auth: 4 } },
  /** A number that replaces a topic, 1 to 65,535. Only in PUBLISH. MQTT 5.0 section 3.3.2.3.4. */
  topicAlias: { id: 0x23, type: 'twoByteInteger', in: {} },
  /** The highest QoS that the server supports, 0 or 1. If it's absent, the server supports 2. MQTT 5.0 section 3.2.2.3.4. */
  maximumQos: { id: 0x24, type: 'byte', in: { connack: 4 }, max: 1, refusal: 'maximum-qos' },
  /** 1 if the server supports retained messages, 0 if not. MQTT 5.0 section 3.2.2.3.5. */
  retainAvailable: { id: 0x25, type: 'byte', in: { connack: 5 }, max: 1, refusal: 'retain-available' },
  /** 1 if the server supports wildcard subscriptions, 0 if not. MQTT 5.0 section 3.2.2.3.11. */
  wildcardSubscriptionAvailable: {
    id: 0x28,
    type: 'byte',
    in: { connack: 11 },
    max: 1,
    refusal: 'wildcard-subscription-available',
  },
  /** 1 if the server supports subscription identifiers, 0 if not. MQTT 5.0 section 3.2.2.3.12. */
  subscriptionIdentifierAvailable: {
    id: 0x29,
    type: 'byte',
    in: { connack: 12 },
    max: 1,
    refusal: 'subscription-identifier-available',
  },
  /** 1 if the server supports shared subscriptions, 0 if not. MQTT 5.0 section 3.2.2.3.13. */
  sharedSubscriptionAvailable: {
    id: 0x2a,
    type: 'byte',
    in: { connack: 13 },
    max: 1,
    refusal: 'shared-subscription-available',
  },
} as const

export type PropertyTable = typeof propertyTable

/** The properties that at least one of these lists may contain. */
export type PropertyName = {
  [Name in keyof PropertyTable]: keyof PropertyTable[Name]['in'] extends never ? never : Name
}[keyof PropertyTable]

/**
 * The property identifiers of MQTT 5.0 section 2.2.2.2, by name.
 *
 * @example
 * PropertyId.receiveMaximum // 33
 */
export const PropertyId: { readonly [Name in keyof PropertyTable]: PropertyTable[Name]['id'] } =
  Object.fromEntries(Object.entries(propertyTable).map(([name, row]) => [name, row.id])) as never

export type PropertyId = (typeof PropertyId)[keyof typeof PropertyId]

/** The rows by name, in the shape that all of them share. */
export const propertyRows: ReadonlyMap<string, PropertyRow> = new Map<string, PropertyRow>(
  Object.entries(propertyTable),
)

/**
 * The name of a property, as in `PropertyId`; `undefined` if MQTT 5.0 does not define the identifier.
 *
 * @example
 * propertyName(0x21) // 'receiveMaximum'
 */
export function propertyName(id: PropertyId): keyof PropertyTable
export function propertyName(id: number): keyof PropertyTable | undefined
export function propertyName(id: number): keyof PropertyTable | undefined {
  const names = Object.keys(PropertyId) as (keyof PropertyTable)[]
  return names.find((name) => PropertyId[name] === id)
}
