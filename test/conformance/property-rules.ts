import { type Property, PropertyId, property } from '../../lib/packets/index.ts'
import { connect5, framed } from '../support/faults.ts'
import { hex } from '../support/reference.ts'
import type { Fields, Rule } from './refusal.ts'

/*
 * Rules of the properties. CONNECT properties begin at byte 13; will properties at byte 17, behind the client id
 * "a" and their property length.
 */

const MALFORMED = 0x81
const PROTOCOL_ERROR = 0x82
const A = '0001 61'
export const CONNECT_AT = 13
export const WILL_AT = 17

/** A packet with these CONNECT properties. */
export function withProps(props: string): Buffer {
  return connect5('02', props, A)
}

/** A packet with these will properties. */
export function withWillProps(props: string): Buffer {
  const length = hex(props).length.toString(16).padStart(2, '0')
  return connect5('06', '', `${A} ${length} ${props} ${A} ${A}`)
}

/** Properties for a constructor: unknown ones, too. */
function connectFields(props: object[] | undefined): { fields?: Fields } {
  return props === undefined ? {} : { fields: { props: props as Property[] } }
}

function willFields(props: object[] | undefined): { fields?: Fields } {
  return props === undefined
    ? {}
    : { fields: { will: { topic: 'a', message: 'a', props: props as Property[] } } }
}

type Kind = Pick<Rule, 'code' | 'reason'> & { readonly clause: string }

/** A fault among the CONNECT properties, `at` bytes behind where they begin. */
function inProps(kind: Kind, what: string, name: string, at: number, wire: string, props?: object[]): Rule {
  const { clause, code, reason } = kind
  const v5 = { clause, bytes: withProps(wire), offset: CONNECT_AT + at, ...connectFields(props) }
  return { what, code, reason, field: name === '' ? 'props' : `props.${name}`, v5 }
}

/** A fault among the will properties, `at` bytes behind where they begin. */
function inWill(kind: Kind, what: string, name: string, at: number, wire: string, props?: object[]): Rule {
  const { clause, code, reason } = kind
  const v5 = { clause, bytes: withWillProps(wire), offset: WILL_AT + at, ...willFields(props) }
  return { what, code, reason, field: name === '' ? 'will.props' : `will.props.${name}`, v5 }
}

const unknown: Kind = { clause: '2.2.2.2', code: 'property-unknown', reason: MALFORMED }
const cutShort: Kind = { clause: '2.2.2.2', code: 'property-past-end', reason: MALFORMED }
const notShortest: Kind = {
  clause: 'MQTT-1.5.5-1',
  code: 'variable-byte-integer-not-shortest',
  reason: MALFORMED,
}
const tooLong: Kind = { clause: '1.5.5', code: 'variable-byte-integer-too-long', reason: MALFORMED }

function outOfLimits(clause: string, code: Rule['code'], reason = PROTOCOL_ERROR): Kind {
  return { clause, code, reason }
}

const zeroReceiveMaximum = outOfLimits('3.1.2.11.3', 'receive-maximum-zero')
const zeroPacketSize = outOfLimits('3.1.2.11.4', 'maximum-packet-size-zero')
const responseInformation = outOfLimits('3.1.2.11.6', 'request-response-information')
const problemInformation = outOfLimits('3.1.2.11.7', 'request-problem-information')
const dataAlone = outOfLimits('3.1.2.11.10', 'authentication-data-without-method')
const payloadFormat = outOfLimits('3.1.3.2.3', 'payload-format-indicator', MALFORMED)
const emptyTopic = outOfLimits('MQTT-3.3.2-14', 'response-topic-empty')
const wildcard = outOfLimits('MQTT-3.3.2-14', 'response-topic-wildcard')

const lengthRules: readonly Rule[] = [
  {
    what: 'a Remaining Length of more bytes than needed',
    code: 'variable-byte-integer-not-shortest',
    reason: MALFORMED,
    field: 'remainingLength',
    v5: { clause: 'MQTT-1.5.5-1', bytes: hex(`108e00 00044d515454 05 02 003c 00 ${A}`), offset: 1 },
  },
  {
    what: 'a Remaining Length of more bytes than needed',
    code: 'variable-byte-integer-not-shortest',
    reason: MALFORMED,
    field: 'remainingLength',
    v5: { clause: 'MQTT-1.5.5-1', bytes: hex(`108e808000 00044d515454 05 02 003c 00 ${A}`), offset: 1 },
  },
  {
    what: 'a property length of more bytes than needed',
    code: 'variable-byte-integer-not-shortest',
    reason: MALFORMED,
    field: 'propertyLength',
    v5: {
      clause: 'MQTT-1.5.5-1',
      bytes: framed(0x10, `00044d515454 05 02 003c 8000 ${A}`),
      offset: 12,
    },
  },
  {
    what: 'a property length of more bytes than needed',
    code: 'variable-byte-integer-not-shortest',
    reason: MALFORMED,
    field: 'will.propertyLength',
    v5: { clause: 'MQTT-1.5.5-1', bytes: connect5('06', '', `${A} 808000 ${A} ${A}`), offset: 16 },
  },
  inProps(
    notShortest,
    'a property identifier of more bytes than needed',
    'sessionExpiryInterval',
    0,
    '9100 00000001',
  ),
  inWill(
    notShortest,
    'a property identifier of more bytes than needed',
    'payloadFormatIndicator',
    0,
    '8100 01',
  ),
  {
    what: 'a property length of five bytes',
    code: 'variable-byte-integer-too-long',
    reason: MALFORMED,
    field: 'propertyLength',
    v5: {
      clause: '1.5.5',
      bytes: framed(0x10, `00044d515454 05 02 003c 8080808001 ${A}`),
      offset: 12,
    },
  },
  {
    what: 'a property length of five bytes',
    code: 'variable-byte-integer-too-long',
    reason: MALFORMED,
    field: 'will.propertyLength',
    v5: { clause: '1.5.5', bytes: connect5('06', '', `${A} ffffffff7f ${A} ${A}`), offset: 16 },
  },
  inProps(tooLong, 'a property identifier of five bytes', '', 0, 'ffffffff7f 00'),
]

const shapeRules: readonly Rule[] = [
  inProps(unknown, 'an unknown property identifier', '', 0, '00 00', [{ id: 0 }]),
  inProps(unknown, 'an unknown property identifier', '', 0, '7f', [{ id: 0x7f, value: 1 }]),
  inProps(unknown, 'an unknown property identifier', '', 0, '8001 00'),
  inWill(unknown, 'an unknown property identifier', '', 0, '04 00', [{ id: 4 }]),
  inWill(unknown, 'an unknown property identifier', '', 0, '9101 00'),
  inProps(cutShort, 'a property that is cut short', 'receiveMaximum', 1, '21'),
  inProps(cutShort, 'a property that is cut short', 'requestProblemInformation', 1, '17'),
  inProps(cutShort, 'a property that is cut short', 'topicAliasMaximum', 1, '22 00'),
  inProps(cutShort, 'a property that is cut short', 'sessionExpiryInterval', 1, '11 000000'),
  inProps(cutShort, 'a property that is cut short', 'authenticationMethod', 1, '15 00'),
  inProps(cutShort, 'a property that is cut short', 'authenticationMethod', 1, '15 0002 61'),
  inProps(cutShort, 'a property that is cut short', 'authenticationData', 1, '16 0002 61'),
  inProps(cutShort, 'a property that is cut short', 'userProperty', 4, `26 ${A}`),
  inProps(cutShort, 'a property that is cut short', '', 0, '91'),
  inWill(cutShort, 'a property that is cut short', 'messageExpiryInterval', 1, '02 000000'),
  inWill(cutShort, 'a property that is cut short', 'responseTopic', 1, '08 0002 61'),
]

const limitRules: readonly Rule[] = [
  inProps(zeroReceiveMaximum, 'receive maximum 0', 'receiveMaximum', 1, '21 0000', [
    property.receiveMaximum(0),
  ]),
  inProps(zeroPacketSize, 'maximum packet size 0', 'maximumPacketSize', 1, '27 00000000', [
    property.maximumPacketSize(0),
  ]),
  ...[2, 255].flatMap((value) => {
    const byte = value.toString(16).padStart(2, '0')
    return [
      inProps(
        responseInformation,
        'request response information other than 0 and 1',
        'requestResponseInformation',
        1,
        `19 ${byte}`,
        [property.requestResponseInformation(value)],
      ),
      inProps(
        problemInformation,
        'request problem information other than 0 and 1',
        'requestProblemInformation',
        1,
        `17 ${byte}`,
        [property.requestProblemInformation(value)],
      ),
      inWill(
        payloadFormat,
        'payload format indicator other than 0 and 1',
        'payloadFormatIndicator',
        1,
        `01 ${byte}`,
        [property.payloadFormatIndicator(value)],
      ),
    ]
  }),
  inProps(dataAlone, 'authentication data without a method', 'authenticationData', 0, `16 ${A}`, [
    property.authenticationData('a'),
  ]),
  inProps(
    dataAlone,
    'authentication data without a method',
    'authenticationData',
    3,
    '21 0001 16 0000 22 0001',
    [property.receiveMaximum(1), property.authenticationData(''), property.topicAliasMaximum(1)],
  ),
  inWill(emptyTopic, 'an empty response topic', 'responseTopic', 1, '08 0000', [property.responseTopic('')]),
  ...[
    ['+', '0001 2b', 3],
    ['a/#', '0003 612f23', 5],
  ].map(([topic, wire, at]) =>
    inWill(wildcard, 'a response topic with a wildcard', 'responseTopic', at as number, `08 ${wire}`, [
      property.responseTopic(`${topic}`),
    ]),
  ),
]

export const propertyRules: readonly Rule[] = [...lengthRules, ...shapeRules, ...limitRules]

/** A property as bytes and as a constructor takes it. */
export interface Sample {
  readonly name: keyof typeof PropertyId
  readonly wire: string
  readonly item: object
}

function sample(name: Sample['name'], wire: string, value: unknown): Sample {
  return { name, wire, item: { id: PropertyId[name], value } }
}

/** The properties that may stand once among those of the CONNECT. */
export const connectOnce: readonly Sample[] = [
  sample('sessionExpiryInterval', '11 00000001', 1),
  sample('authenticationMethod', `15 ${A}`, 'a'),
  sample('authenticationData', `16 ${A}`, 'a'),
  sample('requestProblemInformation', '17 01', 1),
  sample('requestResponseInformation', '19 01', 1),
  sample('receiveMaximum', '21 0001', 1),
  sample('topicAliasMaximum', '22 0001', 1),
  sample('maximumPacketSize', '27 00000001', 1),
]

/** The properties that may stand once among those of the will. */
export const willOnce: readonly Sample[] = [
  sample('payloadFormatIndicator', '01 01', 1),
  sample('messageExpiryInterval', '02 00000001', 1),
  sample('contentType', `03 ${A}`, 'a'),
  sample('responseTopic', `08 ${A}`, 'a'),
  sample('correlationData', `09 ${A}`, 'a'),
  sample('willDelayInterval', '18 00000001', 1),
]

/** The properties of other packets, by their identifiers in the standard. */
export const elsewhere: readonly Sample[] = [
  sample('subscriptionIdentifier', '0b 01', 1),
  sample('assignedClientIdentifier', `12 ${A}`, 'a'),
  sample('serverKeepAlive', '13 0001', 1),
  sample('responseInformation', `1a ${A}`, 'a'),
  sample('serverReference', `1c ${A}`, 'a'),
  sample('reasonString', `1f ${A}`, 'a'),
  sample('topicAlias', '23 0001', 1),
  sample('maximumQos', '24 01', 1),
  sample('retainAvailable', '25 01', 1),
  sample('wildcardSubscriptionAvailable', '28 01', 1),
  sample('subscriptionIdentifierAvailable', '29 01', 1),
  sample('sharedSubscriptionAvailable', '2a 01', 1),
]

const notHere: Kind = { clause: '2.2.2.2', code: 'property-not-allowed-here', reason: MALFORMED }
const twice: Kind = { clause: '3.1.2.11', code: 'property-twice', reason: PROTOCOL_ERROR }
const willTwice: Kind = { clause: '3.1.3.2', code: 'will-property-twice', reason: PROTOCOL_ERROR }

/** Each property in a place where it may not stand, and twice where it may stand once. */
export const placeRules: readonly Rule[] = [
  ...[...willOnce, ...elsewhere].map(({ name, wire, item }) =>
    inProps(
      notHere,
      'a property of the will or of other packets among the CONNECT properties',
      name,
      0,
      wire,
      [item],
    ),
  ),
  ...[...connectOnce, ...elsewhere].map(({ name, wire, item }) =>
    inWill(
      notHere,
      'a property of the CONNECT or of other packets among the will properties',
      name,
      0,
      wire,
      [item],
    ),
  ),
  ...connectOnce.map(({ name, wire, item }) =>
    inProps(
      twice,
      'a CONNECT property that may stand once and stands twice',
      name,
      hex(wire).length,
      `${wire} ${wire}`,
      [item, item],
    ),
  ),
  ...willOnce.map(({ name, wire, item }) =>
    inWill(
      willTwice,
      'a will property that may stand once and stands twice',
      name,
      hex(wire).length,
      `${wire} ${wire}`,
      [item, item],
    ),
  ),
]
