import type { Buffer } from 'buffer'
import { type PropertyList, propertyList } from '../codec/property-list.ts'
import { copyProperties, writeProperties } from '../codec/write-properties.ts'
import { escapeHidden, inspect } from '../errors/hidden-characters.ts'
import { checkBoolean, checkInteger, isArray, membersToRead, namesOf, wrongType } from '../errors/misuse.ts'
import { newestVersion } from '../protocol/version.ts'
import { checkBinary, toBuffer, writeBinaryData, writeUtf8String } from '../wire/primitives.ts'
import { checked } from './encoded-packet.ts'
import {
  findProperty,
  keptProperties,
  noProperties,
  type Property,
  type PropertyValue,
  propertiesJson,
  propertiesText,
  type SinglePropertyId,
  userPropertyValues,
} from './properties.ts'
import { bytesJson, bytesText, stringText } from './text.ts'

/**
 * Quality of service: 0 at most once, 1 at least once, 2 exactly once.
 *
 * @example
 * const qos: QoS = 1
 */
export type QoS = 0 | 1 | 2

/**
 * The fields that a `Will` is built from.
 *
 * @example
 * const will: WillFields = { topic: 'sensor-0042/status', message: 'offline', qos: 1, retain: true }
 * packet.with({ will }).will?.qos // 1
 */
export interface WillFields {
  /** The topic that the will message is published to: 1 to 65,535 bytes of UTF-8, without wildcards and U+0000. */
  readonly topic: string
  /** The will message: 0 to 65,535 bytes. A string is encoded as UTF-8. */
  readonly message: Uint8Array | string
  /** The quality of service of the will message. Default 0. */
  readonly qos?: QoS | undefined
  /** True if the server should retain the will message. Default false. */
  readonly retain?: boolean | undefined
  /** The will properties, in order; MQTT 5.0 only. Default none. */
  readonly props?: readonly Property[] | undefined
}

const noBytes = new Uint8Array(0)

/** The property list of a will. */
export const willProperties: PropertyList = propertyList('will', newestVersion, {
  path: 'will.props',
  owner: 'a will',
  section: '3.1.3.2',
  twice: 'will-property-twice',
})

const fieldNames: readonly string[] = namesOf<WillFields>({
  topic: true,
  message: true,
  qos: true,
  retain: true,
  props: true,
})

/** The fields of a will, with defaults filled in. */
export interface WillContents {
  readonly topic: string
  readonly message: Uint8Array | string
  readonly qos: QoS
  readonly retain: boolean
  readonly props: readonly Property[]
}

/** The names of the QoS values. MQTT 5.0 section 4.3. */
export const qosText: readonly string[] = ['at_most_once', 'at_least_once', 'exactly_once']

/** True if a value is a `Will`, not just an object with its prototype. Never runs code of the value. */
let isWill: (value: unknown) => value is Will

/**
 * The message that the server publishes if the connection ends without a DISCONNECT. MQTT 3.1.1 section 3.1.2.5, MQTT 5.0 section
 * 3.1.2.5. The rules of MQTT apply when a packet is built with it.
 */
export class Will {
  /** Private for the same reason as a packet's bytes. */
  readonly #contents: WillContents & { readonly message: Buffer }

  /** Only the class itself has access. */
  static {
    isWill = (value): value is Will => typeof value === 'object' && value !== null && #contents in value
  }

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field has the wrong type, `ERR_INVALID_ARG_VALUE` if there is a field that
   *   a will does not have, a property that MQTT does not have, or a lone surrogate in `message`.
   * @throws RangeError `ERR_OUT_OF_RANGE` if `qos` does not fit two bits, or a value takes over 65,535 bytes.
   * @example
   * new Will({ topic: 'sensor-0042/status', message: 'offline', qos: 1, retain: true })
   */
  constructor(fields: WillFields)
  /** @internal With fields taken from a packet. */
  constructor(fields: WillContents, key: typeof checked)
  constructor(fields: WillFields, key?: typeof checked) {
    if (key === checked) {
      this.#contents = fields as Will
      return
    }
    const given = willContents(fields)
    const { topic, message } = given
    const props = keptProperties(given.props, willProperties)
    // Nothing is written, but the functions that write check types and lengths first.
    writeProperties(noBytes, 0, copyProperties(props, willProperties), willProperties)
    writeUtf8String(noBytes, 0, topic, 'will.topic')
    writeBinaryData(noBytes, 0, message, 'will.message')
    this.#contents = { ...given, props, message: toBuffer('will.message', message) }
  }

  /** The topic that the will message is published to. */
  get topic(): string {
    return this.#contents.topic
  }

  /** The will message. It shares memory with the bytes that the will was made from. */
  get message(): Buffer {
    return this.#contents.message
  }

  /** The quality of service of the will message. */
  get qos(): QoS {
    return this.#contents.qos
  }

  /** True if the server should retain the will message. */
  get retain(): boolean {
    return this.#contents.retain
  }

  /** The will properties, in order. Always empty before MQTT 5.0. */
  get props(): readonly Property[] {
    return this.#contents.props
  }

  /**
   * The value of a will property, or `undefined` if the will doesn't have it.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `id` is not a number, `ERR_INVALID_ARG_VALUE` for user properties, which may
   *   occur more than once
   */
  property<Id extends SinglePropertyId>(id: Id): PropertyValue<Id> | undefined {
    return findProperty(this.props, id) as PropertyValue<Id> | undefined
  }

  /**
   * The values of all user properties with this key, in order.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `key` is not a string
   */
  userProperties(key: string): string[] {
    return userPropertyValues(this.props, key)
  }

  /** A plain object that the constructor accepts. */
  toFields(): WillFields {
    const { topic, message, qos, retain, props } = this
    return { topic, message, qos, retain, props: [...props] }
  }

  /** `{topic:…,message:…,qos:…,retain:…,ps:[…]}`, as in the text form of a packet. */
  toString(): string {
    return willText(this, propertiesText(this.props))
  }

  /** The fields under their names, for `JSON.stringify`. Binary data is a string if it is UTF-8, otherwise `{"base64": …}`. */
  toJSON(): object {
    const { topic, message, qos, retain, props } = this
    return { topic, message: bytesJson(message), qos, retain, props: propertiesJson(props) }
  }

  /** @internal */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    return `Will ${escapeHidden(nodeInspect(this.toJSON(), options))}`
  }
}

/** The text form of a will. */
export function willText({ topic, message, qos, retain }: Will, propsText: string): string {
  const qosName = qosText[qos] ?? qos
  const text = `topic:${stringText(topic)},message:${bytesText(message)},qos:${qosName},retain:${retain ? 'yes' : 'no'}`
  return propsText === '' ? `{${text}}` : `{${text},${propsText}}`
}

/**
 * A caller's will. Each field is read once, because a getter may return a different value the next time.
 *
 * @throws the same errors as the constructor of `Will`, except for values whose size is not fixed
 */
export function willContents(will: Will | WillFields): WillContents {
  const own = isWill(will) ? will : membersToRead('will', will, fieldNames)
  const { topic, message, qos = 0, retain = false, props = noProperties } = own
  checkInteger('will.qos', qos, 3)
  checkBoolean('will.retain', retain)
  if (!isArray(props)) throw wrongType('will.props', 'an array of properties', props)
  checkBinary('will.message', message)
  return { topic, message, qos, retain, props }
}
