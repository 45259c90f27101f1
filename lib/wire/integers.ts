import { MAX_VARIABLE_BYTE_INTEGER_LENGTH } from '../protocol/limits.ts'

/** The big-endian two byte integer at `at`. MQTT 5.0 section 1.5.2. */
export function readTwoByteInteger(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}

export function writeTwoByteInteger(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
  return at + 2
}

/** The big-endian integer of `width` bytes, 1, 2 or 4, at `at`. Bytes that aren't there count as 0. */
export function readInteger(bytes: Uint8Array, at: number, width: number): number {
  if (width === 1) return bytes[at]! | 0
  const high = readTwoByteInteger(bytes, at)
  return width === 2 ? high : ((high << 16) | readTwoByteInteger(bytes, at + 2)) >>> 0
}

/** Writes the integer in `width` bytes, 1, 2 or 4, and returns the index after them. */
export function writeInteger(bytes: Uint8Array, at: number, value: number, width: number): number {
  if (width === 1) {
    bytes[at] = value
    return at + 1
  }
  return writeTwoByteInteger(bytes, width === 2 ? at : writeTwoByteInteger(bytes, at, value >>> 16), value)
}

/** The number of bytes in the shortest form of a variable byte integer, 1 to 4. MQTT 5.0 section 1.5.5. */
export function variableByteIntegerLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4
}

export function writeVariableByteInteger(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}

/** Returned by `variableByteIntegerEnd` if the bytes end inside the integer. */
export const INCOMPLETE = -1
/** Returned by `variableByteIntegerEnd` if the integer doesn't end with its fourth byte. */
export const TOO_LONG = -2

/** The index after the variable byte integer at `at`, or `INCOMPLETE` or `TOO_LONG`. */
export function variableByteIntegerEnd(bytes: Uint8Array, at: number, end: number): number {
  const last = at + MAX_VARIABLE_BYTE_INTEGER_LENGTH
  for (let next = at; next < last; next++) {
    if (next >= end) return INCOMPLETE
    if (bytes[next]! < 0x80) return next + 1
  }
  return TOO_LONG
}

/** The value of the variable byte integer from `at` to `end`. */
export function readVariableByteInteger(bytes: Uint8Array, at: number, end: number): number {
  if (end === at + 1) return bytes[at]! & 0x7f
  let value = 0
  for (let next = end - 1; next >= at; next--) value = (value << 7) | (bytes[next]! & 0x7f)
  return value
}
