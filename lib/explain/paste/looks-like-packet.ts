import type { Buffer } from 'buffer'
import { MqttError } from '../../errors/mqtt-error.ts'
import { decode } from '../../packets/decode.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { versions } from '../../protocol/version.ts'
import { readTwoByteInteger, variableByteIntegerEnd } from '../../wire/integers.ts'

/** True if the bytes are one packet, or begin with a CONNECT up to its protocol name. */
export function looksLikePacket(bytes: Buffer): boolean {
  if (beginsConnect(bytes)) return true
  try {
    decode(bytes)
    return true
  } catch (error) {
    if (error instanceof MqttError) return false
    throw error
  }
}

/** True if the bytes begin with a CONNECT up to its protocol name. */
export function beginsConnect(bytes: Buffer): boolean {
  const start = bytes[0] === ControlPacketType.connect ? variableByteIntegerEnd(bytes, 1, bytes.length) : -1
  if (start < 0 || start + 2 > bytes.length) return false
  const end = start + 2 + readTwoByteInteger(bytes, start)
  const name = bytes.toString('latin1', start + 2, end)
  return versions.some(({ protocolName }) => protocolName === name)
}

/** True if bytes have a protocol name with its length in them, maybe in a CONNECT whose first byte or length is wrong. */
export function holdsConnect(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  return versions.some(({ protocolName }) =>
    text.includes(`\0${String.fromCharCode(protocolName.length)}${protocolName}`),
  )
}
