import { decode, MqttError } from 'mqtt-connect-packet'
import type { Vector } from 'mqtt-connect-packet/testing'
import { bodyStart } from '../connection.ts'
import { prefixed, type Setting } from '../trial.ts'

/**
 * An invalid CONNECT with the run's user name and password, so that a server that requires them doesn't refuse it for that reason.
 * Returned unchanged if adding them would change the error.
 */
export function withCredentials(vector: Vector, { userName, password }: Setting): Buffer {
  const { bytes, code } = vector
  if (userName === undefined) return bytes
  const start = bodyStart(bytes)
  if (start !== 2 || bytes.length < 4) return bytes
  const flagsAt = start + 2 + bytes.readUInt16BE(start) + 1
  if (flagsAt >= bytes.length || (bytes[flagsAt]! & 0xc0) !== 0) return bytes
  const added = Buffer.concat([userName, ...(password === undefined ? [] : [password])].map(prefixed))
  const body = Buffer.concat([bytes.subarray(start), added])
  if (body.length > 127) return bytes
  body[flagsAt - start]! |= password === undefined ? 0x80 : 0xc0
  const changed = Buffer.concat([bytes.subarray(0, 1), Buffer.of(body.length), body])
  return errorOf(vector, changed) === code ? changed : bytes
}

function errorOf({ protocolVersion, options }: Vector, bytes: Buffer): string | undefined {
  try {
    decode(bytes, { protocolVersion, ...options })
  } catch (error) {
    if (error instanceof MqttError) return error.code
  }
  return undefined
}
