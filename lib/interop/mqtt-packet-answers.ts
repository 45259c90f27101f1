import { copyOwn, wrongValue } from '../errors/misuse.ts'
import type { AuthPacket } from '../packets/auth/v5.ts'
import type { ConnackPacket } from '../packets/connack/any-version.ts'
import type { DisconnectPacket } from '../packets/disconnect/any-version.ts'
import { classes } from '../packets/formats.ts'
import type { Property } from '../packets/properties.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import { ProtocolVersion, type Version, v3_1_1, v5, versionOf } from '../protocol/version.ts'
import { packetMembers, propertiesMember, propsField } from './mqtt-packet-members.ts'
import type {
  AuthInput,
  AuthObject,
  ConnackInput,
  ConnackObject,
  DisconnectInput,
  DisconnectObject,
} from './mqtt-packet-objects.ts'

/* CONNACK, AUTH and DISCONNECT. Apart from session present, they consist of a code and properties, or of nothing at all. */

export function toAnswer(
  packet: ConnackPacket | AuthPacket | DisconnectPacket,
): ConnackObject | AuthObject | DisconnectObject {
  const { props, ...fields }: { props?: readonly Property[] | undefined } = copyOwn(packet.toFields())
  const cmd = controlPacketName(packet.type)!.toLowerCase()
  return { cmd, ...packetMembers(packet), ...fields, ...propertiesMember(props) } as never
}

export function fromConnack(
  { sessionPresent = false, returnCode, reasonCode, properties }: ConnackInput,
  protocolVersion: ProtocolVersion | undefined,
): ConnackPacket {
  let version = versionAsked(protocolVersion)
  if (version === undefined && returnCode !== undefined && reasonCode !== undefined) {
    throw wrongValue(
      'options.protocolVersion',
      'the version, because there are a returnCode and a reasonCode',
    )
  }
  version ??= reasonCode === undefined ? v3_1_1 : v5
  const code = version.hasProperties ? { reasonCode } : { returnCode }
  const Packet = classes[version.name].ConnackPacket as new (fields: object) => ConnackPacket
  return new Packet({ sessionPresent, ...code, ...propsField(version, 'properties', properties) })
}

export function fromAuth(
  { reasonCode, properties }: AuthInput,
  protocolVersion: ProtocolVersion | undefined,
): AuthPacket {
  const asked = protocolVersion ?? ProtocolVersion.undetermined
  if (asked !== ProtocolVersion.undetermined && asked !== ProtocolVersion.v5) {
    throw wrongValue('options.protocolVersion', '5, because only MQTT 5.0 has AUTH')
  }
  const { AuthPacket } = classes.v5
  return new AuthPacket({ reasonCode: reasonCode as never, ...propsField(v5, 'properties', properties) })
}

export function fromDisconnect(
  { reasonCode, properties }: DisconnectInput,
  protocolVersion: ProtocolVersion | undefined,
): DisconnectPacket {
  const found = reasonCode === undefined && properties === undefined ? v3_1_1 : v5
  const version = versionAsked(protocolVersion) ?? found
  const props = propsField(version, 'properties', properties)
  if (!version.hasProperties && reasonCode !== undefined) {
    throw wrongValue('reasonCode', `absent in MQTT ${version.label}`)
  }
  const Packet = classes[version.name].DisconnectPacket as new (fields: object) => DisconnectPacket
  return new Packet(version.hasProperties ? { reasonCode, ...props } : {})
}

/** The version that the caller asks for, if any. */
function versionAsked(protocolVersion: ProtocolVersion = ProtocolVersion.undetermined): Version | undefined {
  if (protocolVersion === ProtocolVersion.undetermined) return undefined
  const version = versionOf(protocolVersion)
  if (version === undefined) throw wrongValue('protocolVersion', 'one of ProtocolVersion: 3, 4 or 5')
  return version
}
