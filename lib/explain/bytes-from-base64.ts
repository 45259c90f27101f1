import { Buffer } from 'buffer'
import { Fault } from '../errors/fault.ts'
import { decodePacket, readTruncated, rulesOf } from '../packets/decode.ts'
import { versions } from '../protocol/version.ts'

/** Base64, also with `-` and `_` for `+` and `/`. Many words are valid base64 too. So its bytes must look like a packet. */
export function bytesFromBase64(text: string): Buffer | undefined {
  const compact = text.replace(/\s/g, '')
  if (!/^[\w+/-]+={0,2}$/.test(compact)) return undefined
  const standard = compact.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const bytes = Buffer.from(standard, 'base64')
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === standard
  return isCanonical && looksLikePacket(bytes) ? bytes : undefined
}

/** Whether the bytes are one packet, or begin with a CONNECT up to its protocol name. */
function looksLikePacket(bytes: Buffer): boolean {
  const rules = rulesOf({})
  if (!(decodePacket(bytes, rules, 2) instanceof Fault)) return true
  const connect = readTruncated(bytes, rules)
  return versions.some(
    ({ protocolName }) => connect instanceof Fault && connect.context.protocolName === protocolName,
  )
}
