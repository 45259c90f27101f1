import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Opcodes of RFC 6455, section 11.8. Bit 3 marks control frames. */
const CONTINUATION = 0
const TEXT = 1
const BINARY = 2
const CLOSE = 8
const PONG = 10

/** The longest header, and the contents of the longest control frame. */
const LONGEST_HEAD = 2 + 8 + 4
const LONGEST_CONTROL = 2 + 4 + 125

/** An empty text message, and a frame that continues no message. ws answers them with 1003 and 1002. */
const EMPTY_TEXT = Buffer.of(0x81, 0x80, 0, 0, 0, 0)
const STRAY_CONTINUATION = Buffer.of(0x80, 0x80)

/**
 * The connection that ws is given instead of the socket. ws keeps each message, and an object for each fragment of it, until the message is
 * complete, so a client could fill the memory before it has sent a CONNECT. MQTT doesn't care where messages end (MQTT 5.0, section 6.0), so
 * the contents of binary frames leave here as they arrive, and ws sees all other frames. It answers those, writes, and closes.
 */
export class WebSocketFrames extends Duplex {
  /** Receives the contents of binary frames. Returns false to pause until `resumeData` is called. */
  onData: (bytes: Buffer) => boolean = () => true
  readonly #socket: Socket
  /** The frame's header, and the contents if it is a control frame. */
  readonly #head: Buffer = Buffer.allocUnsafe(LONGEST_CONTROL)
  #headLength = 0
  /** The number of content bytes still missing from the frame. */
  #left = 0
  readonly #mask = new Uint8Array(4)
  #maskAt = 0
  /** True if a message has begun and its next frame continues it. */
  #fragmented = false
  /** True after a text frame, because the following bytes aren't MQTT either. */
  #dropping = false
  /** True after a close frame or an invalid one, because the following bytes have no meaning. */
  #ended = false

  /** @param head the bytes that arrived together with the HTTP request */
  constructor(socket: Socket, head: Buffer) {
    super()
    this.#socket = socket
    if (head.length > 0) socket.unshift(head)
    socket
      .on('data', (chunk: Buffer) => this.#read(chunk))
      .on('end', () => this.push(null))
      .on('close', () => this.destroy(socket.errored ?? undefined))
  }

  resumeData(): void {
    this.#socket.resume()
  }

  #read(chunk: Buffer): void {
    const others: Buffer[] = []
    // The contents move to the front of the chunk, so that many small frames become one piece of data instead of thousands.
    let kept = 0
    let at = 0
    while (at < chunk.length && !this.#ended) {
      if (this.#left === 0) {
        this.#head[this.#headLength++] = chunk[at++]!
        this.#readHead(others)
        continue
      }
      const end = Math.min(chunk.length, at + this.#left)
      this.#left -= end - at
      if (this.#dropping) at = end
      else while (at < end) chunk[kept++] = chunk[at++]! ^ this.#mask[this.#maskAt++ & 3]!
    }
    if (kept > 0 && !this.onData(compact(chunk, kept))) this.#socket.pause()
    if (others.length > 0) this.push(Buffer.concat(others))
  }

  /** Parses the header again after each byte of it. Frames for ws are added to `others`. */
  #readHead(others: Buffer[]): void {
    if (this.#headLength < 2) return
    const head = this.#head
    const opcode = head[0]! & 0x0f
    const isFinal = head[0]! >= 0x80
    const hasMask = head[1]! >= 0x80
    const shortLength = head[1]! & 0x7f
    const isControl = opcode >= CLOSE
    const isKnown = isControl ? opcode <= PONG && isFinal && shortLength < 126 : opcode <= BINARY
    if ((head[0]! & 0x70) !== 0 || !hasMask || !isKnown) {
      this.#refuse(others, Buffer.from(head.subarray(0, 2)))
      return
    }
    if (!isControl && (opcode === CONTINUATION) !== this.#fragmented) {
      this.#refuse(others, STRAY_CONTINUATION)
      return
    }
    if (isControl) {
      const length = 2 + 4 + shortLength
      if (this.#headLength === length) this.#control(others, opcode, Buffer.from(head.subarray(0, length)))
      return
    }
    const lengthBytes = shortLength < 126 ? 0 : shortLength === 126 ? 2 : 8
    if (this.#headLength < 2 + lengthBytes + 4) return
    this.#headLength = 0
    if (lengthBytes === 0) this.#left = shortLength
    else if (lengthBytes === 2) this.#left = head.readUInt16BE(2)
    else this.#left = head.readUInt32BE(2) * 2 ** 32 + head.readUInt32BE(6)
    if (this.#left > Number.MAX_SAFE_INTEGER) {
      this.#refuse(others, Buffer.from(head.subarray(0, LONGEST_HEAD)))
      return
    }
    this.#mask.set(head.subarray(2 + lengthBytes, 2 + lengthBytes + 4))
    this.#maskAt = 0
    this.#fragmented = !isFinal
    if (opcode === TEXT && !this.#dropping) {
      this.#dropping = true
      others.push(EMPTY_TEXT)
    }
  }

  /** Passes ws a frame with the same fault, so that ws closes the connection with the right status. */
  #refuse(others: Buffer[], frame: Buffer): void {
    this.#ended = true
    others.push(frame)
  }

  #control(others: Buffer[], opcode: number, frame: Buffer): void {
    this.#headLength = 0
    this.#ended = opcode === CLOSE
    others.push(frame)
  }

  /** Does nothing, because bytes are pushed when they arrive, at most one chunk. */
  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback)
  }

  /** Writes the header and the contents of a frame in one system call. */
  override _writev(chunks: readonly { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#socket.cork()
    for (const [i, { chunk }] of chunks.entries()) {
      this.#socket.write(chunk, i === chunks.length - 1 ? callback : undefined)
    }
    this.#socket.uncork()
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy()
    callback(error)
  }
}

/**
 * The first bytes of a chunk. A few of them are copied, so that they don't keep the rest of the chunk alive until they're read.
 */
function compact(chunk: Buffer, length: number): Buffer {
  const bytes = chunk.subarray(0, length)
  if (length >= chunk.length / 2) return bytes
  const copy = Buffer.allocUnsafeSlow(length)
  copy.set(bytes)
  return copy
}
