/** How a property's value stands on the wire. MQTT 5.0 sections 1.5 and 2.2.2.2. */
export type PropertyType =
  | 'byte'
  | 'twoByteInteger'
  | 'fourByteInteger'
  | 'variableByteInteger'
  | 'utf8String'
  | 'binaryData'
  | 'utf8StringPair'

/** Where a property may stand: among the CONNECT properties, the will properties, in both, or in other packets only. */
export type PropertyHome = 'connect' | 'will' | 'both' | 'elsewhere'

/** One property of MQTT 5.0. */
export interface PropertyRow {
  /** The identifier. Section 2.2.2.2. */
  readonly id: number
  readonly type: PropertyType
  readonly home: PropertyHome
  /** The section that defines it, among the CONNECT properties (3.1.2.11) or the will properties (3.1.3.2). */
  readonly section?: string
  /** The section among the will properties of one that is defined in both places. */
  readonly willSection?: string
  /** The smallest value allowed. Default 0. */
  readonly min?: number
  /** The largest value allowed. Default: the largest of its type. */
  readonly max?: number
  /** The error that a value outside `min` to `max` raises. */
  readonly refusal?: string
  /** The unit of a number. */
  readonly unit?: 's' | 'bytes'
  /** A topic name: neither empty nor with a wildcard. */
  readonly topic?: true
  /** Never shown in text, logs or JSON. */
  readonly secret?: true
}

/** The fifteen properties that a CONNECT can carry, for itself or for its will. */
export const connectProperties = {
  /** How long the server keeps the session after the connection, in seconds, 0 to 4,294,967,295 (for ever). MQTT 5.0 section 3.1.2.11.2. */
  sessionExpiryInterval: {
    id: 0x11,
    type: 'fourByteInteger',
    home: 'connect',
    section: '3.1.2.11.2',
    unit: 's',
  },
  /** How many QoS 1 and 2 publications the client handles at once, 1 to 65,535. MQTT 5.0 section 3.1.2.11.3. */
  receiveMaximum: {
    id: 0x21,
    type: 'twoByteInteger',
    home: 'connect',
    section: '3.1.2.11.3',
    min: 1,
    refusal: 'receive-maximum-zero',
  },
  /** The largest packet that the client accepts, in bytes, 1 to 4,294,967,295. MQTT 5.0 section 3.1.2.11.4. */
  maximumPacketSize: {
    id: 0x27,
    type: 'fourByteInteger',
    home: 'connect',
    section: '3.1.2.11.4',
    min: 1,
    refusal: 'maximum-packet-size-zero',
    unit: 'bytes',
  },
  /** The highest topic alias that the client accepts, 0 to 65,535. MQTT 5.0 section 3.1.2.11.5. */
  topicAliasMaximum: { id: 0x22, type: 'twoByteInteger', home: 'connect', section: '3.1.2.11.5' },
  /** Whether the server may send response information in its CONNACK, 0 or 1. MQTT 5.0 section 3.1.2.11.6. */
  requestResponseInformation: {
    id: 0x19,
    type: 'byte',
    home: 'connect',
    section: '3.1.2.11.6',
    max: 1,
    refusal: 'request-response-information',
  },
  /** Whether the server may send reason strings and user properties on failures, 0 or 1. MQTT 5.0 section 3.1.2.11.7. */
  requestProblemInformation: {
    id: 0x17,
    type: 'byte',
    home: 'connect',
    section: '3.1.2.11.7',
    max: 1,
    refusal: 'request-problem-information',
  },
  /** A name and a value of the user's own; any number of them, in order. MQTT 5.0 sections 3.1.2.11.8 and 3.1.3.2.8. */
  userProperty: {
    id: 0x26,
    type: 'utf8StringPair',
    home: 'both',
    section: '3.1.2.11.8',
    willSection: '3.1.3.2.8',
  },
  /** The name of the method of extended authentication. MQTT 5.0 section 3.1.2.11.9. */
  authenticationMethod: { id: 0x15, type: 'utf8String', home: 'connect', section: '3.1.2.11.9' },
  /** What the authentication method needs; only together with a method. Never shown in text or JSON. MQTT 5.0 section 3.1.2.11.10. */
  authenticationData: {
    id: 0x16,
    type: 'binaryData',
    home: 'connect',
    section: '3.1.2.11.10',
    secret: true,
  },
  /** How long the server waits before it publishes the will, in seconds, 0 to 4,294,967,295. MQTT 5.0 section 3.1.3.2.2. */
  willDelayInterval: { id: 0x18, type: 'fourByteInteger', home: 'will', section: '3.1.3.2.2', unit: 's' },
  /** What the will message is: 0 bytes, 1 UTF-8 text. MQTT 5.0 section 3.1.3.2.3. */
  payloadFormatIndicator: {
    id: 0x01,
    type: 'byte',
    home: 'will',
    section: '3.1.3.2.3',
    max: 1,
    refusal: 'payload-format-indicator',
  },
  /** The lifetime of the published will message, in seconds, 0 to 4,294,967,295. MQTT 5.0 section 3.1.3.2.4. */
  messageExpiryInterval: {
    id: 0x02,
    type: 'fourByteInteger',
    home: 'will',
    section: '3.1.3.2.4',
    unit: 's',
  },
  /** What the content of the will message is, for its receivers, often a MIME type. MQTT 5.0 section 3.1.3.2.5. */
  contentType: { id: 0x03, type: 'utf8String', home: 'will', section: '3.1.3.2.5' },
  /** The topic for a response to the will message; no wildcard, not empty. MQTT 5.0 section 3.1.3.2.6. */
  responseTopic: { id: 0x08, type: 'utf8String', home: 'will', section: '3.1.3.2.6', topic: true },
  /** What tells the sender which request a response belongs to. MQTT 5.0 section 3.1.3.2.7. */
  correlationData: { id: 0x09, type: 'binaryData', home: 'will', section: '3.1.3.2.7' },
} as const

/** The twelve properties of MQTT 5.0 that a CONNECT cannot carry: known, so that an error can name what it refuses. */
export const otherProperties = {
  subscriptionIdentifier: { id: 0x0b, type: 'variableByteInteger', home: 'elsewhere' },
  assignedClientIdentifier: { id: 0x12, type: 'utf8String', home: 'elsewhere' },
  serverKeepAlive: { id: 0x13, type: 'twoByteInteger', home: 'elsewhere' },
  responseInformation: { id: 0x1a, type: 'utf8String', home: 'elsewhere' },
  serverReference: { id: 0x1c, type: 'utf8String', home: 'elsewhere' },
  reasonString: { id: 0x1f, type: 'utf8String', home: 'elsewhere' },
  topicAlias: { id: 0x23, type: 'twoByteInteger', home: 'elsewhere' },
  maximumQos: { id: 0x24, type: 'byte', home: 'elsewhere' },
  retainAvailable: { id: 0x25, type: 'byte', home: 'elsewhere' },
  wildcardSubscriptionAvailable: { id: 0x28, type: 'byte', home: 'elsewhere' },
  subscriptionIdentifierAvailable: { id: 0x29, type: 'byte', home: 'elsewhere' },
  sharedSubscriptionAvailable: { id: 0x2a, type: 'byte', home: 'elsewhere' },
} as const

export type ConnectPropertyTable = typeof connectProperties
export type ConnectPropertyName = keyof ConnectPropertyTable
type PropertyTable = ConnectPropertyTable & typeof otherProperties

/** The property identifiers of MQTT 5.0 section 2.2.2.2, by name. */
export const PropertyId: { readonly [Name in keyof PropertyTable]: PropertyTable[Name]['id'] } =
  Object.fromEntries(
    Object.entries({ ...connectProperties, ...otherProperties }).map(([name, row]) => [name, row.id]),
  ) as never

export type PropertyId = (typeof PropertyId)[keyof typeof PropertyId]
