import { connect3, connect5, framed } from '../support/faults.ts'
import { hex } from '../support/reference.ts'
import { type Rule, streams, type Version, versionName } from './refusal.ts'

/*
 * Rules up to the protocol level. The protocol name's length prefix stands at byte 2, the level at byte 8. Keep
 * alive is 60 seconds and the client id "a" wherever nothing else is said.
 */

const MALFORMED = 0x81
const A = '0001 61'
const body3 = `0004 4d515454 04 02 003c ${A}`
const body5 = `0004 4d515454 05 02 003c 00 ${A}`

/** A rule that has the same clause in both versions and is broken by the same bytes. */
function inBoth(clause: string, bytes3: Buffer, bytes5: Buffer, offset: number): Pick<Rule, 'v3' | 'v5'> {
  return { v3: { clause, bytes: bytes3, offset }, v5: { clause, bytes: bytes5, offset } }
}

/** The fixed header, of which the version is not known yet. */
const fixedHeaderRules: readonly Rule[] = [
  ...['c000', '3003 000161', '20020000', 'e000'].map(
    (bytes): Rule => ({
      what: 'another packet in the place of a CONNECT',
      code: 'not-connect',
      reason: 0x82,
      field: 'fixedHeader',
      protocol: [],
      ways: streams,
      ...inBoth('MQTT-3.1.0-1', hex(bytes), hex(bytes), 0),
    }),
  ),
  {
    what: 'control packet type 0',
    code: 'reserved-packet-type',
    reason: MALFORMED,
    field: 'fixedHeader',
    protocol: [],
    v3: { clause: '2.2.1', bytes: hex('0000'), offset: 0 },
    v5: { clause: '2.1.2', bytes: hex('0000'), offset: 0 },
  },
  {
    what: 'control packet type 15, AUTH in 5.0,',
    code: 'reserved-packet-type',
    reason: MALFORMED,
    field: 'fixedHeader',
    protocol: [],
    v3: { clause: '2.2.1', bytes: hex('f000'), offset: 0 },
  },
  ...[1, 2, 4, 8, 15].map(
    (flags): Rule => ({
      what: 'a CONNECT with fixed header flags other than 0000',
      code: 'fixed-header-flags',
      reason: MALFORMED,
      field: 'fixedHeader',
      protocol: [],
      v3: { clause: 'MQTT-2.2.2-1', bytes: framed(0x10 | flags, body3), offset: 0 },
      v5: { clause: 'MQTT-2.1.3-1', bytes: framed(0x10 | flags, body5), offset: 0 },
    }),
  ),
  ...['8080808001', 'ffffffff7f', '8080808000'].map(
    (length): Rule => ({
      what: 'a Remaining Length of five bytes',
      code: 'variable-byte-integer-too-long',
      reason: MALFORMED,
      field: 'remainingLength',
      protocol: [],
      v3: { clause: '2.2.3', bytes: hex(`10${length}${body3}`), offset: 1 },
      v5: { clause: '1.5.5', bytes: hex(`10${length}${body5}`), offset: 1 },
    }),
  ),
  {
    what: 'a packet larger than the maximum',
    code: 'packet-too-large',
    reason: 0x95,
    field: 'remainingLength',
    protocol: [],
    maximumPacketSize: 14,
    v3: { clause: '4.8', bytes: framed(0x10, body3), offset: 1 },
    v5: { clause: '3.2.2.2', bytes: framed(0x10, body5), offset: 1 },
  },
  {
    what: 'a packet that ends before its Remaining Length says',
    code: 'packet-incomplete',
    reason: MALFORMED,
    field: 'remainingLength',
    protocol: [],
    ...inBoth('MQTT-3.1.4-1', framed(0x10, body3).subarray(0, 14), framed(0x10, body5).subarray(0, 14), 14),
  },
  {
    what: 'a packet that ends within its Remaining Length',
    code: 'packet-incomplete',
    reason: MALFORMED,
    field: 'remainingLength',
    protocol: [],
    ...inBoth('MQTT-3.1.4-1', hex('10 ff'), hex('10 ff'), 2),
  },
  {
    what: 'more than one packet where one is decoded',
    code: 'more-than-one-packet',
    reason: MALFORMED,
    field: 'bytesLeftOver',
    protocol: [],
    ways: ['bufferToPacketVariant'],
    v3: { clause: 'MQTT-3.1.4-1', bytes: hex(`100d${body3}c000`), offset: 15 },
    v5: { clause: 'MQTT-3.1.4-1', bytes: hex(`100e${body5}c000`), offset: 16 },
  },
]

/** A packet with this protocol name, in hex with its length prefix, and this level. */
function named(name: string, level: number): Buffer {
  return framed(
    0x10,
    `${name} ${level.toString(16).padStart(2, '0')} 02 003c ${level === 5 ? '00' : ''} ${A}`,
  )
}

/** Other names, as errors tell them (those that are not text they do not) and as bytes. */
const otherNames: readonly (readonly [name: string | undefined, bytes: string])[] = [
  ['MQTX', '0004 4d515458'],
  ['mqtt', '0004 6d717474'],
  ['MQ', '0002 4d51'],
  ['MQTTX', '0005 4d51545458'],
  ['MQISDP', '0006 4d5149534450'],
  ['', '0000'],
  [undefined, '0004 4d5154ff'],
  [undefined, '0004 4d515400'],
]

const nameRules: readonly Rule[] = [
  ...otherNames.flatMap(([name, bytes]) =>
    ([4, 5] as const).map(
      (level): Rule => ({
        what: 'a protocol name other than MQTT',
        code: 'protocol-name',
        reason: 0x84,
        field: 'protocolName',
        protocol: [name, level],
        [level === 4 ? 'v3' : 'v5']: { clause: 'MQTT-3.1.2-1', bytes: named(bytes, level), offset: 2 },
      }),
    ),
  ),
  ...[3, 4, 5].map(
    (level): Rule => ({
      what: 'the protocol name MQIsdp, which is MQTT 3.1,',
      code: 'protocol-mqtt-3-1',
      reason: 0x84,
      returns: 1,
      field: 'protocolName',
      protocol: ['MQIsdp', level],
      ...inBoth('MQTT-3.1.2-1', named('0006 4d5149736470', level), named('0006 4d5149736470', level), 2),
    }),
  ),
]

/** A level that is refused. */
function refusedLevel(level: number): Rule {
  return {
    what: 'a protocol level other than 4 and 5',
    code: 'protocol-level',
    reason: 0x84,
    returns: 1,
    field: 'protocolLevel',
    protocol: ['MQTT', level],
    ...inBoth('MQTT-3.1.2-2', named('0004 4d515454', level), named('0004 4d515454', level), 8),
  }
}

/** The level of one version, which is refused when only the other is accepted. */
function otherLevel(level: Version, accepted: Version): Rule {
  const { v3, v5, ...rule } = refusedLevel(level)
  return {
    ...rule,
    ...(accepted === 4 ? { v3: v3! } : { v5: v5! }),
    what: `protocol level ${level} where only ${versionName(accepted)} is accepted`,
    asked: [accepted],
  }
}

const levelRules: readonly Rule[] = [
  ...[0, 1, 2, 3, 6, 7, 0x7f, 0x80, 0x82, 0x85, 0xff].map(refusedLevel),
  otherLevel(5, 4),
  otherLevel(4, 5),
  ...[0x83, 0x84].map(
    (level): Rule => ({
      ...refusedLevel(level),
      what: 'the level of a bridge, 0x83 or 0x84,',
      code: 'protocol-bridge-level',
    }),
  ),
  {
    what: 'the level of a bridge of MQTT 3.1, MQIsdp with 0x83,',
    code: 'protocol-bridge-level',
    reason: 0x84,
    returns: 1,
    field: 'protocolLevel',
    protocol: ['MQIsdp', 0x83],
    ...inBoth('MQTT-3.1.2-2', named('0006 4d5149736470', 0x83), named('0006 4d5149736470', 0x83), 10),
  },
]

/** A field that runs past the end of a 3.1.1 packet. */
function past3(field: string, offset: number, bytes: Buffer): Rule {
  return pastEnd(field, { v3: { clause: 'MQTT-3.1.4-1', bytes, offset } })
}

/** A field that runs past the end of a 5.0 packet. */
function past5(field: string, offset: number, bytes: Buffer): Rule {
  return pastEnd(field, { v5: { clause: 'MQTT-3.1.4-1', bytes, offset } })
}

function pastEnd(field: string, where: Pick<Rule, 'v3' | 'v5'>): Rule {
  const told: Pick<Rule, 'protocol'> =
    field === 'protocolName' ? { protocol: [] } : field === 'protocolLevel' ? { protocol: ['MQTT'] } : {}
  return {
    what: 'a field that runs past the end of the packet',
    code: 'field-past-end',
    reason: MALFORMED,
    field,
    ...told,
    ...where,
  }
}

const lengthRules: readonly Rule[] = [
  past3('protocolName', 2, framed(0x10, '0004 4d51')),
  past5('protocolName', 2, hex('10 01 00')),
  past3('protocolLevel', 8, framed(0x10, '0004 4d515454')),
  past5('protocolLevel', 8, framed(0x10, '0004 4d515454')),
  past3('connectFlags', 9, framed(0x10, '0004 4d515454 04')),
  past5('connectFlags', 9, framed(0x10, '0004 4d515454 05')),
  past3('keepAlive', 10, framed(0x10, '0004 4d515454 04 02 00')),
  past5('keepAlive', 10, framed(0x10, '0004 4d515454 05 02 00')),
  past5('propertyLength', 12, framed(0x10, '0004 4d515454 05 02 003c')),
  past5('propertyLength', 12, framed(0x10, '0004 4d515454 05 02 003c 80')),
  past5('propertyLength', 12, framed(0x10, `0004 4d515454 05 02 003c 04 ${A}`)),
  past3('clientId', 12, connect3('02', '0002 61')),
  past5('clientId', 13, connect5('02', '', '00')),
  past5('clientId', 13, connect5('02', '', '0002 61')),
  past5('will.propertyLength', 16, connect5('06', '', `${A} 01`)),
  past3('will.topic', 15, connect3('06', `${A} 0002 74`)),
  past5('will.topic', 17, connect5('06', '', `${A} 00 0002 74`)),
  past3('will.message', 18, connect3('06', `${A} ${A}`)),
  past5('will.message', 20, connect5('06', '', `${A} 00 ${A} 0001`)),
  past3('userName', 15, connect3('82', `${A} 0001`)),
  past5('userName', 16, connect5('82', '', `${A} ffff 61`)),
  past3('password', 18, connect3('c2', `${A} ${A} 0002 70`)),
  past5('password', 16, connect5('42', '', `${A}`)),
  {
    what: 'a byte that is left over behind the last field',
    code: 'bytes-left-over',
    reason: MALFORMED,
    field: 'bytesLeftOver',
    v3: { clause: 'MQTT-3.1.4-1', bytes: connect3('02', `${A} 00`), offset: 15 },
    v5: { clause: 'MQTT-3.1.4-1', bytes: connect5('02', '', `${A} 00`), offset: 16 },
  },
  {
    what: 'a byte that is left over behind the last field',
    code: 'bytes-left-over',
    reason: MALFORMED,
    field: 'bytesLeftOver',
    v3: { clause: 'MQTT-3.1.4-1', bytes: connect3('02', `${A} ${A}`), offset: 15 },
    v5: { clause: 'MQTT-3.1.4-1', bytes: connect5('02', '', `${A} ${A}`), offset: 16 },
  },
  {
    what: 'a byte that is left over behind the last field',
    code: 'bytes-left-over',
    reason: MALFORMED,
    field: 'bytesLeftOver',
    v3: { clause: 'MQTT-3.1.4-1', bytes: connect3('c2', `${A} ${A} ${A} 00`), offset: 21 },
    v5: { clause: 'MQTT-3.1.4-1', bytes: connect5('c2', '', `${A} ${A} ${A} 00`), offset: 22 },
  },
]

export const headerRules: readonly Rule[] = [...fixedHeaderRules, ...nameRules, ...levelRules, ...lengthRules]
