import type { Buffer } from 'buffer'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import type { Version } from '../../protocol/version.ts'
import { Rules } from '../../wire/check.ts'
import { checkBoolean, checkInteger } from '../arguments.ts'
import { type Check, encodePacket } from '../encode.ts'
import { noProperties, type Property, writeProperties } from '../properties/properties.ts'
import { connackProperties } from '../properties/property-list.ts'
import { SESSION_PRESENT } from './check-connack.ts'
import type { ConnackFormat } from './connack-packet.ts'

interface Contents {
  readonly version: Version
  readonly sessionPresent: boolean
  readonly code: number
  readonly props: readonly Property[]
}

/** Encodes the fields of a CONNACK. */
export type ConnackEncoder = (sessionPresent: boolean, code: number, props?: readonly Property[]) => Buffer

/** What builds packets of one version, and always checks them with all rules. */
export function connackEncoder({ version, check }: ConnackFormat): ConnackEncoder {
  const rules = new Rules(version).inConnack
  const checkStrictly: Check = (bytes, start) => check(rules, bytes, start)
  return (sessionPresent, code, props = noProperties) => {
    checkBoolean('sessionPresent', sessionPresent)
    checkInteger(version.connackCodeField, code, 0xff)
    const contents = { version, sessionPresent, code, props }
    return encodePacket(ControlPacketType.connack, contents, writeConnack, checkStrictly)
  }
}

function writeConnack(bytes: Uint8Array, start: number, contents: Contents): number {
  const { version, sessionPresent, code, props } = contents
  bytes[start] = sessionPresent ? SESSION_PRESENT : 0
  bytes[start + 1] = code
  return version.hasProperties ? writeProperties(bytes, start + 2, props, connackProperties) : start + 2
}
