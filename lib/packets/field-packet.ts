import type { Buffer } from 'buffer'
import { Format, type FormatFacts, type Observer, type Place } from '../codec/context.ts'
import { build, encode } from '../codec/encode.ts'
import { checkRemainingLength } from '../codec/fixed-header.ts'
import { check, locate, protocolLevelField, protocolNameField } from '../codec/layout.ts'
import { readProperties } from '../codec/properties.ts'
import type { PropertyList } from '../codec/property-list.ts'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { copyOwn, namesOf, ownMembers } from '../errors/misuse.ts'
import { type ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { viewOf } from '../wire/memory.ts'
import { checked, EncodedPacket } from './encoded-packet.ts'
import { codesOf, ownOptions } from './options.ts'
import {
  findProperty,
  type Property,
  type PropertyValue,
  propertiesTextAt,
  type SinglePropertyId,
  userPropertyValues,
  withoutSecretProperties,
} from './properties.ts'

/**
 * The argument of `with`: any fields of the packet. Other versions' fields are listed as `never`, so `with` on a packet of
 * unknown version accepts only fields that all versions share.
 */
export type Changes<Fields, Foreign extends string> = Partial<Fields> & { readonly [Name in Foreign]?: never }

/**
 * The options of `with` and `withoutSecrets`.
 */
export interface ChangeOptions {
  /** The rules to relax for the new packet, as codes of their errors. Default none. */
  readonly allow?: Iterable<RelaxableCode> | undefined
}

/** The names of the fields that accessors look up. */
type FieldName =
  | 'acknowledgeFlags'
  | 'clientId'
  | 'connectFlags'
  | 'keepAlive'
  | 'password'
  | 'propertyLength'
  | 'reasonCode'
  | 'returnCode'
  | 'userName'
  | 'will.message'
  | 'will.propertyLength'
  | 'will.topic'

const changeOptionNames: readonly string[] = namesOf<ChangeOptions>({ allow: true })

/**
 * The members that CONNECT, CONNACK, AUTH and DISCONNECT share in all versions. Each accessor decodes its field when it's called.
 *
 * @typeParam Fields the fields that the packet is built from
 * @typeParam Foreign the names of fields that only other versions have
 * @typeParam Level its protocol version
 */
export abstract class FieldPacket<
  Fields extends object = object,
  Foreign extends string = never,
  Level extends ProtocolVersion = ProtocolVersion,
> extends EncodedPacket {
  /** @internal The packet's layout, which `setFormat` adds to the prototype. */
  declare readonly format: Format

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is a
   *   field that this packet does not have, or a value that it can't hold: will properties before MQTT 5.0, or a lone surrogate in
   *   binary data.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of the packet's version, with the code that decoding them would give.
   */
  constructor(fields: Fields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: Fields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(new.target.prototype.format, from))
  }

  override get type(): ControlPacketType {
    return this.format.type
  }

  /** The MQTT version: 3 is 3.1, 4 is 3.1.1, 5 is 5.0. */
  get protocolVersion(): Level {
    return this.format.version.level as Level
  }

  /**
   * The value of a property, or `undefined` if the packet doesn't have it. Packets before MQTT 5.0 have no properties.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `id` is not a number, `ERR_INVALID_ARG_VALUE` for user properties, which may
   *   occur more than once
   * @example
   * packet.property(PropertyId.receiveMaximum) // 100
   */
  property<Id extends SinglePropertyId>(id: Id): PropertyValue<Id> | undefined {
    return findProperty(this.ownProperties, id) as PropertyValue<Id> | undefined
  }

  /**
   * The values of all user properties with this key, in order.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `key` is not a string
   * @example
   * packet.userProperties('region') // [ 'eu-west-1' ]
   */
  userProperties(key: string): string[] {
    return userPropertyValues(this.ownProperties, key)
  }

  /**
   * The parts of the packet in wire order, as views of `bytes`, for a gathering write. Each length and each content is a separate
   * part, within properties too. Protocol name and level form one part.
   */
  constBufferSequence(): Buffer[] {
    const { bytes, format } = this
    const components: Buffer[] = []
    const observer: Observer = (field, start, content, end) => {
      if (field === protocolNameField) return
      const first = field === protocolLevelField ? end - format.version.header.length : start
      if (content !== start) components.push(viewOf(bytes, start, content))
      components.push(viewOf(bytes, content === start ? first : content, end))
    }
    // The packet has passed a check before, possibly with relaxed rules.
    const context = format.context(relaxableCodes, undefined, observer)
    const start = checkRemainingLength(context, bytes)
    if (typeof start === 'number') check(context, bytes, start, format)
    return components
  }

  /** The number of elements of `constBufferSequence()`. */
  get numOfConstBufferSequence(): number {
    return this.constBufferSequence().length
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`. */
  abstract toFields(): Fields

  /** @internal Encodes fields without a check. The packet itself only provides its class. */
  encode(fields: object): Buffer {
    return encode(this.format, fields)
  }

  /**
   * A new packet with some fields changed. A field given as `undefined` is removed.
   *
   * @throws the same errors as the constructor. All rules apply, so if `allow` relaxed one for this packet, pass it again. MQTT 3.1 and the
   *   bridge bit need no `allow` here.
   * @example
   * packet.with({ clientId: '' }, { allow: ['client-id-empty'] })
   */
  with(changes: Changes<Fields, Foreign>, options: ChangeOptions = {}): this {
    const { format } = this
    const own = ownMembers('fields', changes, format.names)
    const { allow } = ownOptions(options, changeOptionNames)
    const context = allow === undefined ? format.strict : format.context(codesOf(allow))
    return format.create(build(format, { ...this.toFields(), ...own }, context)) as this
  }

  /**
   * The same packet without password and authentication data, for logs and recordings. Unlike `toJSON`, the
   * new packet doesn't tell if there was a password.
   *
   * @throws MqttError if the packet breaks a rule: if `allow` relaxed one for this packet, pass it again
   */
  withoutSecrets(options?: ChangeOptions): this {
    const { layout, version } = this.format
    const secrets = layout.filter(({ field }) => Object.hasOwn(field, 'secret'))
    const changes = new Map<string, unknown>(secrets.map(({ name }) => [name, undefined]))
    if (version.hasProperties) changes.set('props', withoutSecretProperties(this.ownProperties))
    return this.with(Object.fromEntries(changes) as Changes<Fields, Foreign>, options)
  }

  /** @internal The places of the fields. */
  protected get places(): { readonly [Name in FieldName]?: Place | undefined } {
    return this.format.places
  }

  /** @internal The properties; none before MQTT 5.0. */
  protected get ownProperties(): readonly Property[] {
    return this.propertiesOf(this.places.propertyLength)
  }

  /** @internal The properties of one list. */
  protected propertiesOf(place: Place | undefined): readonly Property[] {
    const at = locate(this.bytes, place)
    return at < 0 ? [] : (readProperties(this.bytes, at, place!.field as PropertyList) as Property[])
  }

  /** @internal The text form, made from the text of each field. Empty texts are left out. */
  protected textOf(...fields: string[]): string {
    const name = controlPacketName(this.type)!.toLowerCase()
    return `${this.format.version.name}::${name}{${fields.filter((field) => field !== '').join(',')}}`
  }

  /** @internal The text form of one property list, or an empty string if it has no properties. */
  protected propertiesText(place: Place | undefined = this.places.propertyLength): string {
    const at = locate(this.bytes, place)
    return at < 0 ? '' : propertiesTextAt(this.bytes, at, place!.field as PropertyList)
  }

  /** @internal */
  protected get inspectName(): string {
    const name = controlPacketName(this.type)!
    return `${this.format.version.name}.${name[0]}${name.slice(1).toLowerCase()}Packet`
  }
}

/**
 * Creates the format of a class of packets, and adds it to the class's prototype. A packet has no field for it, because V8 is slow to
 * create objects with fields of several classes.
 *
 * @param create calls the constructor with `checked`. Each class has a function of its own, so that the engine can inline it.
 */
export function setFormat<Packet extends FieldPacket, Contents extends object>(
  Class: { readonly prototype: Packet },
  create: (bytes: Buffer) => Packet,
  facts: Omit<FormatFacts<Packet, Contents>, 'create'>,
): void {
  const value = new Format<Packet>({ ...facts, create })
  Object.defineProperty(Class.prototype, 'format', copyOwn({ value }))
}
