import { Buffer } from 'node:buffer'
import { type Property, property, type RelaxableCode } from '../../lib/packets/index.ts'
import { connect3, connect5, framed } from '../support/faults.ts'
import { hex } from '../support/reference.ts'
import { withProps, withWillProps } from './property-rules.ts'
import type { Version } from './refusal.ts'

const A = '0001 61'

/** A packet that breaks one rule which `allow` can relax, and how it then reads. */
export interface Relaxed {
  readonly code: RelaxableCode
  readonly clause: string
  readonly what: string
  readonly version: Version
  readonly bytes: Buffer
  /** What its accessors give, as `fieldsOfV3` and `fieldsOfV5` have it. */
  readonly fields: object
  readonly text: string
  /**
   * The packet that its fields make, if the rule is about the encoding alone; absent if the fields themselves
   * break the rule, so that no constructor takes them.
   */
  readonly rebuilt?: Buffer
}

type Case = Omit<Relaxed, 'version' | 'fields' | 'text'> & { fields?: object; text?: string }

/** The fields and the text form of a 3.1.1 packet with client id "a" and nothing else, but for the changes. */
function in3({ fields, text = 'cid:a,ka:60,cs:1', ...rest }: Case): Relaxed {
  const least = { cleanSession: true, keepAlive: 60, clientId: 'a' }
  const absent = { will: undefined, userName: undefined, password: undefined }
  return { ...rest, version: 4, fields: { ...least, ...absent, ...fields }, text: `v3_1_1::connect{${text}}` }
}

/** The same of a 5.0 packet. */
function in5({ fields, text = 'cid:a,ka:60,cs:1', ...rest }: Case): Relaxed {
  const least = { cleanStart: true, keepAlive: 60, clientId: 'a', props: [] }
  const absent = { will: undefined, userName: undefined, password: undefined }
  return { ...rest, version: 5, fields: { ...least, ...absent, ...fields }, text: `v5::connect{${text}}` }
}

/** A will as the accessors give it. */
function will(topic: string, props: readonly Property[] = []): object {
  return { will: { topic, message: Buffer.from('a'), qos: 0, retain: false, props } }
}

function willText(topic: string, props = ''): string {
  return `cid:a,ka:60,cs:1,will:{topic:${topic},message:a,qos:at_most_once,retain:no${props}}`
}

const strict3 = connect3('02', A)
const strict5 = connect5('02', '', A)

const encodings: readonly Relaxed[] = [
  in5({
    code: 'variable-byte-integer-not-shortest',
    clause: 'MQTT-1.5.5-1',
    what: 'a Remaining Length of two bytes where one would do',
    bytes: hex(`108e00 00044d515454 05 02 003c 00 ${A}`),
    rebuilt: strict5,
  }),
  in5({
    code: 'variable-byte-integer-not-shortest',
    clause: 'MQTT-1.5.5-1',
    what: 'a property length or identifier of more bytes than needed',
    bytes: framed(0x10, `00044d515454 05 06 003c 87808000 918000 0000000a ${A} 8400 818000 01 ${A} ${A}`),
    fields: {
      props: [property.sessionExpiryInterval(10)],
      ...will('a', [property.payloadFormatIndicator(1)]),
    },
    text: `${willText('a', ',ps:[{id:payload_format_indicator,val:string}]')},ps:[{id:session_expiry_interval,val:10}]`,
    rebuilt: framed(0x10, `00044d515454 05 06 003c 05 11 0000000a ${A} 02 01 01 ${A} ${A}`),
  }),
  in3({
    code: 'bytes-left-over',
    clause: 'MQTT-3.1.4-1',
    what: 'padding behind the last field',
    bytes: connect3('02', `${A} 000000`),
    rebuilt: strict3,
  }),
  in5({
    code: 'bytes-left-over',
    clause: 'MQTT-3.1.4-1',
    what: 'a user name whose flag is not set',
    bytes: connect5('02', '', `${A} 0004 75736572`),
    rebuilt: strict5,
  }),
  in3({
    code: 'connect-flags-reserved',
    clause: 'MQTT-3.1.2-3',
    what: 'connect flags bit 0 set',
    bytes: connect3('03', A),
    rebuilt: strict3,
  }),
  in5({
    code: 'connect-flags-reserved',
    clause: 'MQTT-3.1.2-3',
    what: 'connect flags bit 0 set',
    bytes: connect5('03', '', A),
    rebuilt: strict5,
  }),
  ...[1, 2, 3].flatMap((qos) => {
    const flags = (2 | (qos << 3)).toString(16).padStart(2, '0')
    const same = { code: 'will-qos-without-will', what: 'will QoS 1, 2 or 3 without a will' } as const
    return [
      in3({ ...same, clause: 'MQTT-3.1.2-13', bytes: connect3(flags, A), rebuilt: strict3 }),
      in5({ ...same, clause: 'MQTT-3.1.2-11', bytes: connect5(flags, '', A), rebuilt: strict5 }),
    ]
  }),
  in3({
    code: 'will-retain-without-will',
    clause: 'MQTT-3.1.2-15',
    what: 'will retain without a will',
    bytes: connect3('22', A),
    rebuilt: strict3,
  }),
  in5({
    code: 'will-retain-without-will',
    clause: 'MQTT-3.1.2-13',
    what: 'will retain without a will',
    bytes: connect5('22', '', A),
    rebuilt: strict5,
  }),
]

const contents: readonly Relaxed[] = [
  in3({
    code: 'password-without-user-name',
    clause: 'MQTT-3.1.2-22',
    what: 'a password without a user name',
    bytes: connect3('42', `${A} 0002 7077`),
    fields: { password: Buffer.from('pw') },
    text: 'cid:a,ka:60,cs:1,pw:*****',
  }),
  in3({
    code: 'client-id-empty',
    clause: 'MQTT-3.1.3-8',
    what: 'an empty client id without clean session',
    bytes: connect3('00', '0000'),
    fields: { cleanSession: false, clientId: '' },
    text: 'cid:,ka:60,cs:0',
  }),
  in5({
    code: 'request-response-information',
    clause: '3.1.2.11.6',
    what: 'request response information 2',
    bytes: withProps('19 02'),
    fields: { props: [property.requestResponseInformation(2)] },
    text: 'cid:a,ka:60,cs:1,ps:[{id:request_response_information,val:2}]',
  }),
  in5({
    code: 'request-problem-information',
    clause: '3.1.2.11.7',
    what: 'request problem information 255',
    bytes: withProps('17 ff'),
    fields: { props: [property.requestProblemInformation(255)] },
    text: 'cid:a,ka:60,cs:1,ps:[{id:request_problem_information,val:255}]',
  }),
  in5({
    code: 'payload-format-indicator',
    clause: '3.1.3.2.3',
    what: 'payload format indicator 2',
    bytes: withWillProps('01 02'),
    fields: will('a', [property.payloadFormatIndicator(2)]),
    text: willText('a', ',ps:[{id:payload_format_indicator,val:string}]'),
  }),
  in5({
    code: 'response-topic-empty',
    clause: 'MQTT-3.3.2-14',
    what: 'an empty response topic',
    bytes: withWillProps('08 0000'),
    fields: will('a', [property.responseTopic('')]),
    text: willText('a', ',ps:[{id:response_topic,val:}]'),
  }),
  in5({
    code: 'response-topic-wildcard',
    clause: 'MQTT-3.3.2-14',
    what: 'the response topic a/+/#',
    bytes: withWillProps('08 0005 612f2b2f23'),
    fields: will('a', [property.responseTopic('a/+/#')]),
    text: willText('a', ',ps:[{id:response_topic,val:a/+/#}]'),
  }),
  in3({
    code: 'will-topic-empty',
    clause: 'MQTT-4.7.3-1',
    what: 'an empty will topic',
    bytes: connect3('06', `${A} 0000 ${A}`),
    fields: will(''),
    text: willText(''),
  }),
  in5({
    code: 'will-topic-empty',
    clause: 'MQTT-4.7.3-1',
    what: 'an empty will topic',
    bytes: connect5('06', '', `${A} 00 0000 ${A}`),
    fields: will(''),
    text: willText(''),
  }),
  in3({
    code: 'will-topic-wildcard',
    clause: 'MQTT-4.7.1-1',
    what: 'the will topic #',
    bytes: connect3('06', `${A} 0001 23 ${A}`),
    fields: will('#'),
    text: willText('#'),
  }),
  in5({
    code: 'will-topic-wildcard',
    clause: 'MQTT-4.7.0-1',
    what: 'the will topic a/+',
    bytes: connect5('06', '', `${A} 00 0003 612f2b ${A}`),
    fields: will('a/+'),
    text: willText('a/+'),
  }),
]

export const relaxedCases: readonly Relaxed[] = [...encodings, ...contents]
