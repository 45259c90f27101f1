import type { Buffer } from 'buffer'
import { wrongType, wrongValue } from '../errors/misuse.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../protocol/connect-flags.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { type Property, propertiesSize, propertiesText, redactedProperties } from './properties.ts'
import { willPlace } from './property-places.ts'
import { scanned } from './scanned.ts'
import { bytesJson, bytesText, stringText } from './text.ts'
import {
  binaryDataSize,
  checkBoolean,
  checkInteger,
  checkObject,
  noSuchField,
  toBuffer,
  utf8StringSize,
} from './values.ts'

/** Quality of service: at most once, at least once, exactly once. */
export type QoS = 0 | 1 | 2

/** What a `Will` is built from. */
export interface WillFields {
  /** The topic that the will message is published to: 1 to 65,535 bytes of UTF-8, no wildcard, no U+0000. */
  readonly topic: string
  /** The will message: 0 to 65,535 bytes; a string is taken as UTF-8. */
  readonly message: Uint8Array | string
  /** The quality of service of the publication. Default 0. */
  readonly qos?: QoS | undefined
  /** Whether the server retains the will message. Default false. */
  readonly retain?: boolean | undefined
  /** The will properties, in order; MQTT 5.0 only. Default none. */
  readonly props?: readonly Property[] | undefined
}

function isField(name: string): boolean {
  switch (name as keyof WillFields) {
    case 'topic':
    case 'message':
    case 'qos':
    case 'retain':
    case 'props':
      return true
    default:
      return false
  }
}

function checkNames(will: WillFields): void {
  checkObject('will', will)
  for (const name in will) if (!isField(name)) throw noSuchField('will', name)
}

export const qosText: readonly string[] = ['at_most_once', 'at_least_once', 'exactly_once']
export const noProperties: readonly Property[] = Object.freeze([])

/**
 * The message that a server publishes when the client is gone without a DISCONNECT. MQTT 3.1.1 section 3.1.2.5,
 * MQTT 5.0 section 3.1.2.5. The rules of MQTT are applied when a packet is built with it.
 */
export class Will {
  /** The topic that the will message is published to. */
  readonly topic: string
  /** The will message. It shares memory with what the will came from. */
  readonly message: Buffer
  readonly qos: QoS
  readonly retain: boolean
  /** The will properties, in order; always empty in MQTT 3.1.1. */
  readonly props: readonly Property[]

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is of the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that a will does not have, or a lone surrogate in `message`.
   * @throws RangeError `ERR_OUT_OF_RANGE` if `qos` does not fit two bits, or a value takes over 65,535 bytes.
   */
  constructor(fields: WillFields)
  /** @internal Of fields that come out of a packet. */
  constructor(fields: WillFields, key: typeof scanned)
  constructor(fields: WillFields, key?: typeof scanned) {
    if (key !== scanned) checkNames(fields)
    const { topic, message, qos = 0, retain = false, props = noProperties } = fields
    if (key !== scanned) {
      const will = { topic, message, qos, retain, props }
      willFlags(will, ProtocolVersion.undetermined)
      willSize(will)
      propertiesSize(props, willPlace)
    }
    this.topic = topic
    this.message = key === scanned ? (message as Buffer) : toBuffer('will.message', message)
    this.qos = qos
    this.retain = retain
    this.props = key === scanned || props === noProperties ? props : props.slice()
  }

  /** `{topic:…,message:…,qos:…,retain:…,ps:[…]}`, as in the text form of a packet. */
  toString(): string {
    const parts = [
      `topic:${stringText(this.topic)}`,
      `message:${bytesText(this.message)}`,
      `qos:${qosText[this.qos] ?? this.qos}`,
      `retain:${this.retain ? 'yes' : 'no'}`,
    ]
    if (this.props.length > 0) parts.push(propertiesText(this.props))
    return `{${parts.join(',')}}`
  }

  toJSON(): object {
    const { topic, message, qos, retain, props } = this
    return { topic, message: bytesJson(message), qos, retain, props: redactedProperties(props) }
  }
}

/**
 * Refuses what no will of the version could be, but for the values whose size is not fixed, and gives its connect flags.
 * Each field is read once, and what was checked is in the flags.
 */
export function willFlags(will: WillFields, version: ProtocolVersion): number {
  checkNames(will)
  const { qos = 0, retain = false, props } = will
  checkInteger('will.qos', qos, 3)
  checkBoolean('will.retain', retain)
  if (props !== undefined && !Array.isArray(props)) {
    throw wrongType('will.props', 'an array of properties', props)
  }
  if (version === ProtocolVersion.v3_1_1 && props !== undefined && props.length > 0) {
    throw wrongValue('will.props', 'none in MQTT 3.1.1')
  }
  return ConnectFlag.will | (qos << WILL_QOS_SHIFT) | (retain ? ConnectFlag.willRetain : 0)
}

/** Refuses what no topic and no message could be, and tells how many bytes they take. */
export function willSize(will: WillFields): number {
  return utf8StringSize('will.topic', will.topic) + binaryDataSize('will.message', will.message)
}
