import { checkNames, namesOf, wrongValue } from '../errors/misuse.ts'
import { AuthPacket } from '../packets/auth/v5.ts'
import type { DisconnectPacket } from '../packets/disconnect/any-version.ts'
import { DisconnectPacket as DisconnectPacketV5 } from '../packets/disconnect/v5.ts'
import * as v3_1 from '../packets/v3_1.ts'
import * as v3_1_1 from '../packets/v3_1_1.ts'
import { ProtocolVersion, v5, versionOf } from '../protocol/version.ts'
import { checkUnused, packetMembers, propertiesMember, propsField, unused } from './mqtt-packet-members.ts'
import type { AuthInput, AuthObject, DisconnectInput, DisconnectObject } from './mqtt-packet-objects.ts'

/* AUTH and DISCONNECT: a reason code and properties, or nothing at all. */

const authNames: readonly string[] = namesOf<AuthInput>({
  cmd: true,
  reasonCode: true,
  properties: true,
  ...unused,
})
const disconnectNames: readonly string[] = namesOf<DisconnectInput>({
  cmd: true,
  reasonCode: true,
  properties: true,
  ...unused,
})

export function toAuth(packet: AuthPacket): AuthObject {
  const { reasonCode, props } = packet
  return { cmd: 'auth', ...packetMembers(packet), reasonCode, ...propertiesMember(props) }
}

export function toDisconnect(packet: DisconnectPacket): DisconnectObject {
  const members = { cmd: 'disconnect', ...packetMembers(packet) } as const
  if (!(packet instanceof DisconnectPacketV5)) return members
  const { reasonCode, props } = packet
  return { ...members, reasonCode, ...propertiesMember(props) }
}

export function fromAuth(object: AuthInput, protocolVersion: ProtocolVersion | undefined): AuthPacket {
  checkNames('fields', object, authNames)
  checkUnused(object)
  const asked = protocolVersion ?? ProtocolVersion.undetermined
  if (asked !== ProtocolVersion.undetermined && asked !== ProtocolVersion.v5) {
    throw wrongValue('options.protocolVersion', '5, because only MQTT 5.0 has AUTH')
  }
  const { reasonCode, properties } = object
  return new AuthPacket({ reasonCode: reasonCode as never, ...propsField(v5, 'properties', properties) })
}

/** The version that the caller asks for. The default is 5.0 if the object has a member that only 5.0 has. */
export function fromDisconnect(
  object: DisconnectInput,
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
): DisconnectPacket {
  checkNames('fields', object, disconnectNames)
  checkUnused(object)
  const { reasonCode, properties } = object
  const found =
    reasonCode === undefined && properties === undefined ? ProtocolVersion.v3_1_1 : ProtocolVersion.v5
  const version = versionOf(protocolVersion === ProtocolVersion.undetermined ? found : protocolVersion)
  if (version === undefined) throw wrongValue('protocolVersion', 'one of ProtocolVersion: 3, 4 or 5')
  const props = propsField(version, 'properties', properties)
  if (version.hasProperties) return new DisconnectPacketV5({ reasonCode: reasonCode as never, ...props })
  if (reasonCode !== undefined) throw wrongValue('reasonCode', `absent in MQTT ${version.label}`)
  return version.hasSession ? new v3_1_1.DisconnectPacket() : new v3_1.DisconnectPacket()
}
