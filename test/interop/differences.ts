import type { ErrorCode } from '../../lib/packets/index.ts'
import { hex } from '../support/reference.ts'

/** A packet that mqtt-packet accepts and this library refuses. */
export interface Difference {
  readonly code: ErrorCode
  readonly version: 3 | 4 | 5
  readonly bytes: Buffer
}

/** Hex with a length prefix of this width. */
function prefixed(content: string, width: 1 | 2): string {
  const size = hex(content).length
  if (width === 1 && size > 127) throw new Error('too long')
  return size.toString(16).padStart(2 * width, '0') + content
}

const packet = (first: string, body: string) => hex(first + prefixed(body, 1))

/** Error codes, each with the part of a packet that causes it. */
type Rows = readonly (readonly [code: ErrorCode, ...parts: string[]])[]

function differences(version: 3 | 4 | 5, rows: Rows, build: (...parts: string[]) => Buffer): Difference[] {
  return rows.map(([code, ...parts]) => ({ code, version, bytes: build(...parts) }))
}

const connect31 = (flags: string, payload: string) =>
  packet('10', `0006 4d5149736470 03 ${flags} 003c ${payload}`)
const connect311 = (flags: string, payload: string) =>
  packet('10', `0004 4d515454 04 ${flags} 003c ${payload}`)
const connect5 = (flags: string, props: string, payload: string) =>
  packet('10', `0004 4d515454 05 ${flags} 003c ${prefixed(props, 1)} ${payload}`)
const withProps = (props: string) => connect5('02', props, '0001 63')
const withWillProps = (props: string) => connect5('06', '', `0001 63 ${prefixed(props, 1)} 0001 74 0000`)
const connack = (body: string) => packet('20', body)
const connackWithProps = (props: string) => connack(`00 00 ${prefixed(props, 1)}`)

/** At least one packet for each code and clause. */
export const refused: readonly Difference[] = [
  ...differences(3, [['client-id-too-long', '02', `0018 ${'63'.repeat(24)}`]], connect31),
  ...differences(
    4,
    [
      ['bytes-left-over', '02', '0001 63 00'],
      ['will-qos', '1e', '0001 63 0001 74 0000'],
      ['password-without-user-name', '42', '0001 63 0000'],
      ['will-topic-empty', '06', '0001 63 0000 0000'],
      ['will-topic-wildcard', '06', '0001 63 0001 23 0000'],
      ['client-id-empty', '00', '0000'],
      ['client-id-not-utf8', '02', '0001 ff'],
      ['client-id-nul', '02', '0001 00'],
      ['will-topic-not-utf8', '06', '0001 63 0001 80 0000'],
      ['will-topic-nul', '06', '0001 63 0001 00 0000'],
      ['user-name-not-utf8', '82', '0001 63 0003 eda080'],
      ['user-name-nul', '82', '0001 63 0001 00'],
    ],
    connect311,
  ),
  ...differences(
    5,
    [
      ['will-qos', '1e', '', '0001 63 00 0001 74 0000'],
      ['will-topic-wildcard', '06', '', '0001 63 00 0001 2b 0000'],
      ['client-id-not-utf8', '02', '', '0002 c080'],
      ['client-id-nul', '02', '', '0001 00'],
      ['will-topic-not-utf8', '06', '', '0001 63 00 0001 80 0000'],
      ['will-topic-nul', '06', '', '0001 63 00 0001 00 0000'],
      ['user-name-not-utf8', '82', '', '0001 63 0001 c0'],
      ['user-name-nul', '82', '', '0001 63 0001 00'],
    ],
    connect5,
  ),
  ...differences(
    5,
    [
      ['property-not-allowed-here', '03 0001 61'],
      ['property-twice', '21 0001 21 0001'],
      ['receive-maximum-zero', '21 0000'],
      ['maximum-packet-size-zero', '27 00000000'],
      ['request-response-information', '19 02'],
      ['request-problem-information', '17 ff'],
      ['authentication-data-without-method', '16 0001 61'],
      ['property-not-utf8', '15 0001 ff'],
      ['property-nul', '15 0001 00'],
      ['user-property-not-utf8', '26 0001 ff 0000'],
      ['user-property-nul', '26 0001 61 0001 00'],
    ],
    withProps,
  ),
  ...differences(
    5,
    [
      ['will-property-twice', '18 00000001 18 00000001'],
      ['payload-format-indicator', '01 02'],
      ['response-topic-empty', '08 0000'],
      ['response-topic-wildcard', '08 0001 2b'],
    ],
    withWillProps,
  ),
  ...differences(
    5,
    [
      ['variable-byte-integer-not-shortest', '108e00 0004 4d515454 05 02 003c 00 0001 63'],
      ['property-past-end', '1011 0004 4d515454 05 02 003c 02 21 0001 0001 61'],
      ['protocol-level', '100e 0004 4d515454 85 02 003c 00 0001 63'],
      ['protocol-level', '1010 0006 4d5149736470 05 02 003c 00 0001 63'],
    ],
    hex,
  ),
  ...differences(4, [['protocol-level', '100d 0004 4d515454 03 02 003c 0001 63']], hex),
  ...differences(4, [['protocol-level', '100f 0006 4d5149736470 04 02 003c 0001 63']], hex),
  ...differences(
    4,
    [
      ['field-past-end', '00'],
      ['bytes-left-over', '00 00 00'],
      ['connack-code', '00 06'],
      ['session-present-with-error', '01 05'],
    ],
    connack,
  ),
  ...differences(
    5,
    [
      ['field-past-end', '00 00'],
      ['connack-code', '00 01 00'],
      ['session-present-with-error', '01 87 00'],
      ['property-past-end', '00 00 01 24 01'],
    ],
    connack,
  ),
  ...differences(
    5,
    [
      ['property-not-allowed-here', '19 01'],
      ['property-twice', '21 0001 21 0001'],
      ['receive-maximum-zero', '21 0000'],
      ['maximum-packet-size-zero', '27 00000000'],
      ['authentication-data-without-method', '16 0001 61'],
      ['maximum-qos', '24 02'],
      ['retain-available', '25 02'],
      ['wildcard-subscription-available', '28 02'],
      ['subscription-identifier-available', '29 02'],
      ['shared-subscription-available', '2a 02'],
    ],
    connackWithProps,
  ),
]

/** Packets that both libraries refuse, by mqtt-packet's message. */
export const bothRefuse: Readonly<Record<string, Buffer>> = {
  'Invalid header flag bits, must be 0x0 for connect packet': hex('1100'),
  'Invalid variable byte integer': hex('10ffffffff'),
  'Cannot parse protocolId': hex('1001 00'),
  'Invalid protocolId': packet('10', '0004 4d515458 04 02 003c 0000'),
  'Invalid protocol version': packet('10', '0004 4d515454 06 02 003c 0000'),
  'Packet too short': packet('10', '0004 4d515454 04 02 00'),
  'Connect flag bit 0 must be 0, but got 1': connect311('03', '0001 63'),
  'Will Retain Flag must be set to zero when Will Flag is set to 0': connect311('22', '0001 63'),
  'Will QoS must be set to zero when Will Flag is set to 0': connect311('0a', '0001 63'),
  'Unknown property': withProps('7f 00'),
  'Cannot parse property code type': withProps('00 00'),
  'Cannot parse will topic': connect311('06', '0001 63'),
  'Cannot parse will payload': connect311('06', '0001 63 0001 74'),
  'Cannot parse username': connect311('82', '0001 63'),
  'Cannot parse password': connect311('c2', '0001 63 0001 75'),
  'Invalid connack flags, bits 7-1 must be set to 0': connack('02 00'),
}
