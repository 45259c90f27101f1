import { Buffer } from 'node:buffer'
import type { ErrorCode } from '../../lib/packets/index.ts'
import { hex, R3, R5 } from './reference.ts'

/** Fills every text field of a faulty packet, so that a leak shows. */
export const MARKER = 'M4RK3R'
const marker = `0006${Buffer.from(MARKER).toString('hex')}`

/** Bytes with one fault, and the expected error. */
export interface FaultExample {
  readonly code: ErrorCode
  /** The version of the packet, which determines the clause. */
  readonly version: 4 | 5
  readonly bytes: Buffer
  readonly field: string
  readonly offset: number
}

/** A packet with this first byte and this body, and a correct Remaining Length. */
export function framed(first: number, body: string): Buffer {
  const content = hex(body)
  const length =
    content.length < 128 ? [content.length] : [(content.length & 0x7f) | 0x80, content.length >> 7]
  return Buffer.concat([Buffer.from([first, ...length]), content])
}

/** A 3.1.1 CONNECT with these connect flags and this payload, in hex. */
export function connect3(flags: string, payload: string): Buffer {
  return framed(0x10, `0004 4d515454 04 ${flags} 003c ${payload}`)
}

/** A 5.0 CONNECT with these connect flags, CONNECT properties and payload, in hex. */
export function connect5(flags: string, props: string, payload: string): Buffer {
  return framed(0x10, `0004 4d515454 05 ${flags} 003c ${prefixed(props)} ${payload}`)
}

/** Properties in hex with their property length in front. */
function prefixed(props: string): string {
  return `${hex(props).length.toString(16).padStart(2, '0')} ${props}`
}

function in3(code: ErrorCode, field: string, offset: number, bytes: Buffer): FaultExample {
  return { code, version: 4, bytes, field, offset }
}

function in5(code: ErrorCode, field: string, offset: number, bytes: Buffer): FaultExample {
  return { code, version: 5, bytes, field, offset }
}

/** A fault among the CONNECT properties, which begin at byte 13. */
function inProps(code: ErrorCode, name: string, offset: number, props: string): FaultExample {
  return in5(code, name === '' ? 'props' : `props.${name}`, offset, connect5('02', props, marker))
}

/** A fault among the will properties, which begin at byte 22, after a client id of 6 bytes. */
function inWillProps(code: ErrorCode, name: string, offset: number, props: string): FaultExample {
  const field = name === '' ? 'will.props' : `will.props.${name}`
  return in5(code, field, offset, connect5('06', '', `${marker} ${prefixed(props)} ${marker} ${marker}`))
}

/** At least one packet for each fault that bytes can have. Everything before the payload takes 12 or 13 bytes. */
export const faultExamples: readonly FaultExample[] = [
  in3('packet-incomplete', 'remainingLength', 49, hex(R3).subarray(0, 49)),
  in5('packet-incomplete', 'remainingLength', 147, hex(R5).subarray(0, 147)),
  in3('reserved-packet-type', 'fixedHeader', 0, hex('0000')),
  in3('reserved-packet-type', 'fixedHeader', 0, hex('f000')),
  in5('reserved-packet-type', 'fixedHeader', 0, hex('0f00')),
  in3('fixed-header-flags', 'fixedHeader', 0, Buffer.from([0x11, ...hex(R3).subarray(1)])),
  in5('fixed-header-flags', 'fixedHeader', 0, Buffer.from([0x18, ...hex(R5).subarray(1)])),
  in3('variable-byte-integer-too-long', 'remainingLength', 1, hex('10ffffffff7f')),
  in5('variable-byte-integer-too-long', 'remainingLength', 1, hex('108080808001')),
  in5(
    'variable-byte-integer-too-long',
    'propertyLength',
    12,
    framed(0x10, '00044d515454 05 02 003c ffffffff'),
  ),
  in5(
    'variable-byte-integer-not-shortest',
    'remainingLength',
    1,
    hex('108d00 00044d515454 05 02 003c 00 0000'),
  ),
  in5(
    'variable-byte-integer-not-shortest',
    'propertyLength',
    12,
    framed(0x10, `0004 4d515454 05 02 003c 8000 ${marker}`),
  ),
  inProps('variable-byte-integer-not-shortest', 'sessionExpiryInterval', 13, '9100 00000001'),
  in3('more-than-one-packet', 'bytesLeftOver', 50, hex(`${R3}${R5}`)),
  in3('field-past-end', 'protocolName', 2, framed(0x10, '0004 4d51')),
  in3('field-past-end', 'connectFlags', 9, framed(0x10, '0004 4d515454 04')),
  in3('field-past-end', 'keepAlive', 10, framed(0x10, '0004 4d515454 04 02 00')),
  in3('field-past-end', 'clientId', 12, connect3('02', '0007 4d34524b3352')),
  in3('field-past-end', 'will.topic', 20, connect3('06', `${marker} 00`)),
  in3('field-past-end', 'will.message', 28, connect3('06', `${marker} ${marker}`)),
  in3('field-past-end', 'userName', 20, connect3('82', `${marker} 0001`)),
  in3('field-past-end', 'password', 28, connect3('c2', `${marker} ${marker} ffff 00`)),
  in5('field-past-end', 'propertyLength', 12, framed(0x10, '0004 4d515454 05 02 003c 05 2100')),
  in5('field-past-end', 'will.propertyLength', 21, connect5('06', '', `${marker} 7f`)),
  in3('bytes-left-over', 'bytesLeftOver', 20, connect3('02', `${marker} 00`)),
  in5('bytes-left-over', 'bytesLeftOver', 21, connect5('02', '', `${marker} ${marker}`)),
  in3('protocol-name', 'protocolName', 2, framed(0x10, '0004 4d515458 04 02 003c 0000')),
  in3('protocol-mqtt-3-1', 'protocolName', 2, framed(0x10, '0006 4d5149736470 03 02 003c 0000')),
  in3('protocol-bridge-level', 'protocolLevel', 10, framed(0x10, '0006 4d5149736470 83 02 003c 0000')),
  in3('protocol-bridge-level', 'protocolLevel', 8, framed(0x10, '0004 4d515454 84 02 003c 0000')),
  in3('protocol-level', 'protocolLevel', 8, framed(0x10, '0004 4d515454 03 02 003c 0000')),
  in5('protocol-level', 'protocolLevel', 8, framed(0x10, '0004 4d515454 06 02 003c 00 0000')),
  in3('connect-flags-reserved', 'connectFlags', 9, connect3('03', marker)),
  in5('connect-flags-reserved', 'connectFlags', 9, connect5('03', '', marker)),
  in3('will-qos-without-will', 'connectFlags', 9, connect3('0a', marker)),
  in5('will-qos-without-will', 'connectFlags', 9, connect5('12', '', marker)),
  in3('will-qos', 'connectFlags', 9, connect3('1e', `${marker} ${marker} ${marker}`)),
  in5('will-qos', 'connectFlags', 9, connect5('1e', '', `${marker} 00 ${marker} ${marker}`)),
  in3('will-retain-without-will', 'connectFlags', 9, connect3('22', marker)),
  in5('will-retain-without-will', 'connectFlags', 9, connect5('22', '', marker)),
  in3('password-without-user-name', 'connectFlags', 9, connect3('42', `${marker} ${marker}`)),
  inProps('property-unknown', '', 13, '7f 00'),
  inWillProps('property-unknown', '', 22, '00 00'),
  inProps('property-not-allowed-here', 'contentType', 13, `03 ${marker}`),
  inProps('property-not-allowed-here', 'reasonString', 13, `1f ${marker}`),
  inWillProps('property-not-allowed-here', 'sessionExpiryInterval', 22, '11 00000001'),
  inProps('property-past-end', 'receiveMaximum', 14, '21 00'),
  inProps('property-past-end', 'userProperty', 22, `26 ${marker} 0001`),
  inWillProps('property-past-end', 'contentType', 23, '03 0007 4d34524b3352'),
  inProps('property-twice', 'receiveMaximum', 16, '21 0001 21 0001'),
  inWillProps('will-property-twice', 'contentType', 31, `03 ${marker} 03 ${marker}`),
  inProps('receive-maximum-zero', 'receiveMaximum', 14, '21 0000'),
  inProps('maximum-packet-size-zero', 'maximumPacketSize', 14, '27 00000000'),
  inProps('request-response-information', 'requestResponseInformation', 14, '19 02'),
  inProps('request-problem-information', 'requestProblemInformation', 14, '17 ff'),
  inProps('authentication-data-without-method', 'authenticationData', 13, `16 ${marker}`),
  inWillProps('payload-format-indicator', 'payloadFormatIndicator', 23, '01 02'),
  inWillProps('response-topic-empty', 'responseTopic', 23, '08 0000'),
  inWillProps('response-topic-wildcard', 'responseTopic', 32, '08 0008 4d34524b3352 2f 2b'),
  inProps('property-not-utf8', 'authenticationMethod', 22, '15 0007 4d34524b3352 ff'),
  inProps('property-nul', 'authenticationMethod', 22, '15 0007 4d34524b3352 00'),
  inProps('user-property-not-utf8', 'userProperty', 22, '26 0007 4d34524b3352 80 0000'),
  inWillProps('user-property-nul', 'userProperty', 33, `26 ${marker} 0007 00 4d34524b3352`),
  in3('client-id-not-utf8', 'clientId', 20, connect3('02', '0007 4d34524b3352 ff')),
  in5('client-id-not-utf8', 'clientId', 21, connect5('02', '', '0007 4d34524b3352 ff')),
  in3('client-id-nul', 'clientId', 20, connect3('02', '0007 4d34524b3352 00')),
  in5('client-id-nul', 'clientId', 21, connect5('02', '', '0007 4d34524b3352 00')),
  in3('client-id-empty', 'clientId', 12, connect3('00', '0000')),
  in3('will-topic-not-utf8', 'will.topic', 28, connect3('06', `${marker} 0007 4d34524b3352 c0 ${marker}`)),
  in5(
    'will-topic-not-utf8',
    'will.topic',
    24,
    connect5('06', '', `${marker} 00 0007 ed4d34524b3352 ${marker}`),
  ),
  in3('will-topic-nul', 'will.topic', 22, connect3('06', `${marker} 0007 004d34524b3352 ${marker}`)),
  in5('will-topic-nul', 'will.topic', 24, connect5('06', '', `${marker} 00 0007 004d34524b3352 ${marker}`)),
  in3('will-topic-empty', 'will.topic', 20, connect3('06', `${marker} 0000 ${marker}`)),
  in5('will-topic-empty', 'will.topic', 22, connect5('06', '', `${marker} 00 0000 ${marker}`)),
  in3('will-topic-wildcard', 'will.topic', 28, connect3('06', `${marker} 0007 4d34524b3352 23 ${marker}`)),
  in5(
    'will-topic-wildcard',
    'will.topic',
    30,
    connect5('06', '', `${marker} 00 0007 4d34524b3352 2b ${marker}`),
  ),
  in3('user-name-not-utf8', 'userName', 28, connect3('82', `${marker} 0007 4d34524b3352 ff`)),
  in5('user-name-not-utf8', 'userName', 29, connect5('82', '', `${marker} 0007 4d34524b3352 ff`)),
  in3('user-name-nul', 'userName', 28, connect3('82', `${marker} 0007 4d34524b3352 00`)),
  in5('user-name-nul', 'userName', 29, connect5('c2', '', `${marker} 0007 4d34524b3352 00 ${marker}`)),
]
