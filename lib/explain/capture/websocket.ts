import { asNewBuffer } from '../../wire/memory.ts'
import { beginsConnect } from '../paste/looks-like-packet.ts'

/*
 * MQTT over WebSockets in a capture: an HTTP request and answer, then frames. RFC 6455 section 5.2.
 */

/** The messages that one side of a WebSocket has sent. */
export interface Messages {
  /** The binary messages without frame headers and masks, up to the first frame that is compressed, or to the end. */
  readonly bytes: Uint8Array
  /** The messages of text, which MQTT must not use: MQTT-6.0.0-1. */
  readonly text: Uint8Array
  /** The omissions, in words. */
  readonly ignored: string
}

/** The messages of one side of a WebSocket; `undefined` if the bytes aren't a WebSocket's. */
export function unwrapped(bytes: Uint8Array): Messages | undefined {
  const start = headEnd(bytes) ?? (beginsHandshake(bytes) ? 0 : undefined)
  return start === undefined ? undefined : contents(bytes.subarray(start))
}

/** The maximum number of bytes in a CONNECT up to the end of its protocol name. */
const BYTES_TO_NAME = 16

/** True if bytes are frames without the HTTP before them: a client's with a CONNECT first, or a server's with a CONNACK. */
function beginsHandshake(bytes: Uint8Array): boolean {
  const [first, size = 0, type, length] = bytes
  if (first !== 0x80 + BINARY) return false
  if (size >= 0x80) return isMaskedConnect(bytes)
  // A SUBSCRIBE begins with 0x82 too, but its packet identifier rarely looks like the start of a CONNACK that fits.
  return type === 0x20 && length === size - 2
}

/** True if bytes begin with a client's frame that contains a CONNECT. */
export function isMaskedConnect(bytes: Uint8Array): boolean {
  const [first, size = 0] = bytes
  if (first !== 0x80 + BINARY || size < 0x80) return false
  const maskAt = size === 0xfe ? 4 : 2
  const mask = bytes.subarray(maskAt, maskAt + 4)
  const head = bytes.subarray(maskAt + 4, maskAt + 4 + BYTES_TO_NAME).map((byte, i) => byte ^ mask[i % 4]!)
  return beginsConnect(asNewBuffer('bytes', head))
}

/** The index after the HTTP head of an upgrade. */
function headEnd(bytes: Uint8Array): number | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384))
  if (!/^(GET \S+ HTTP\/1|HTTP\/1\.\d 101 )/.test(head) || !/\r\nupgrade: *websocket/i.test(head))
    return undefined
  const end = head.indexOf('\r\n\r\n')
  return end < 0 ? undefined : end + 4
}

const CONTINUATION = 0
const TEXT = 1
const BINARY = 2
const CLOSE = 8

/** The payloads of the frames, joined. */
function contents(bytes: Uint8Array): Messages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const binary = new Payloads(bytes.length)
  const text = new Payloads(bytes.length)
  let at = 0
  let ignored = 'the WebSocket frames'
  /** The kind of the message that a fragment continues. */
  let kind = binary
  while (at + 2 <= bytes.length) {
    // A reserved bit means that an extension has changed the payload.
    if ((bytes[at]! & 0x70) !== 0) {
      ignored += ' and what is compressed'
      break
    }
    const opcode = bytes[at]! & 0x0f
    const isMasked = (bytes[at + 1]! & 0x80) !== 0
    let size = bytes[at + 1]! & 0x7f
    at += 2
    const longer = size === 126 ? 2 : size === 127 ? 8 : 0
    if (at + longer > bytes.length) break
    if (longer === 2) size = view.getUint16(at)
    else if (longer === 8) size = Number(view.getBigUint64(at))
    at += longer
    const mask = isMasked ? bytes.subarray(at, at + 4) : undefined
    if (isMasked) at += 4
    const end = Math.min(at + size, bytes.length)
    if (opcode === CLOSE) break
    if (opcode === BINARY) kind = binary
    else if (opcode === TEXT) kind = text
    if (opcode === BINARY || opcode === TEXT || opcode === CONTINUATION)
      kind.add(bytes.subarray(at, end), mask)
    at = end
  }
  if (binary.joined.length > 0 && text.joined.length > 0)
    ignored += ' and messages of text, which are not MQTT'
  return { bytes: binary.joined, text: text.joined, ignored }
}

/** The payloads of messages of one kind. */
class Payloads {
  readonly #most: number
  #bytes = new Uint8Array(0)
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  add(payload: Uint8Array, mask: Uint8Array | undefined): void {
    // Most connections have messages of one kind only.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#most)
    for (let i = 0; i < payload.length; i++) this.#bytes[this.#length++] = payload[i]! ^ (mask?.[i % 4] ?? 0)
  }

  get joined(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
