import type { Buffer } from 'buffer'
import { relaxableCodes } from '../errors/error-table.ts'
import type { ProtocolVersion, Version } from '../protocol/version.ts'
import { type Observer, Rules } from '../wire/check.ts'
import { protocolLevelField, protocolNameField } from '../wire/fields.ts'
import { EncodedPacket } from './encoded-packet.ts'
import {
  findProperty,
  noProperties,
  type Property,
  type PropertyValue,
  type SinglePropertyId,
  userPropertyValues,
} from './properties/properties.ts'

/**
 * What `with` accepts: any fields of the packet. The fields of other versions are listed as `never`, so that `with` on a packet
 * of unknown version accepts only what all versions have.
 *
 * @example
 * const changes: Changes<v5.ConnectPacketFields, 'cleanSession'> = { keepAlive: 30 }
 * packet.with(changes).keepAlive // 30
 */
export type Changes<Fields, Foreign extends string> = Partial<Fields> & { readonly [Name in Foreign]?: never }

/**
 * What CONNECT and CONNACK packets of all versions have. Each accessor decodes its field when it is called.
 *
 * @example
 * function region(packet: FieldPacket): string | undefined {
 *   return packet.userProperties('region')[0]
 * }
 * region(packet) // 'eu-west-1'
 */
export abstract class FieldPacket extends EncodedPacket {
  /** The MQTT version: 3 is 3.1, 4 is 3.1.1, 5 is 5.0. */
  abstract readonly protocolVersion: ProtocolVersion

  /**
   * The value of a property, `undefined` if the packet does not have it. Packets before MQTT 5.0 have none.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `id` is not a number, `ERR_INVALID_ARG_VALUE` for user properties, which may
   *   occur more than once
   * @example
   * packet.property(PropertyId.receiveMaximum) // 100
   */
  property<Id extends SinglePropertyId>(id: Id): PropertyValue<Id> | undefined {
    return findProperty(this.props, id) as PropertyValue<Id> | undefined
  }

  /**
   * The values of all user properties with this key, in order.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `key` is not a string
   * @example
   * packet.userProperties('region') // [ 'eu-west-1' ]
   */
  userProperties(key: string): string[] {
    return userPropertyValues(this.props, key)
  }

  /**
   * The parts of the packet in wire order, as views of `bytes`, for a gathering write. Each length and each content is a part of
   * its own, also within properties. Protocol name and level are one part.
   */
  constBufferSequence(): Buffer[] {
    const { bytes, version } = this
    const components: Buffer[] = []
    const observer: Observer = (field, start, content, end) => {
      if (field === protocolNameField) return
      const first = field === protocolLevelField ? end - version.header.length : start
      if (content !== start) components.push(bytes.subarray(start, content))
      components.push(bytes.subarray(content === start ? first : content, end))
    }
    // The packet has passed a check before, by whatever rules.
    this.observe(new Rules(version, relaxableCodes, observer))
    return components
  }

  /** The number of elements of `constBufferSequence()`. */
  get numOfConstBufferSequence(): number {
    return this.constBufferSequence().length
  }

  /** @internal */
  protected abstract readonly version: Version

  /** @internal Checks the packet once more, for an observer. */
  protected abstract observe(rules: Rules): void

  /** @internal The properties; none before MQTT 5.0. */
  protected get props(): readonly Property[] {
    return noProperties
  }
}
