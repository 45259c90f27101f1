/*
 * Capture files: pcap (libpcap's format) and pcapng (draft-ietf-opsawg-pcapng). There's no npm package that reads both in
 * browsers without Node's streams.
 */

/** One captured frame, and its link type, which determines how it begins. */
export interface Frame {
  readonly linkType: number
  readonly bytes: Uint8Array
}

/** The frames of a capture file, up to the cut if the file is truncated. @throws RangeError if it isn't a capture file */
export function framesIn(file: Uint8Array): Generator<Frame> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length >= 12 && view.getUint32(0) === SECTION) return pcapngFrames(file, view)
  const magic = file.length >= 24 ? view.getUint32(0, true) : 0
  const isLittle = [0xa1b2c3d4, 0xa1b23c4d].includes(magic)
  const isBig = [0xd4c3b2a1, 0x4d3cb2a1].includes(magic)
  if (!isLittle && !isBig) throw new RangeError('it is no capture file')
  return pcapFrames(file, view, isLittle)
}

function* pcapFrames(file: Uint8Array, view: DataView, isLittle: boolean): Generator<Frame> {
  const linkType = view.getUint32(20, isLittle) & 0xffff
  let at = 24
  while (at + 16 <= file.length) {
    const size = view.getUint32(at + 8, isLittle)
    const start = at + 16
    if (start + size > file.length) return
    yield { linkType, bytes: file.subarray(start, start + size) }
    at = start + size
  }
}

const SECTION = 0x0a0d0d0a
const INTERFACE = 1
/** The Packet Block of old files. */
const OLD = 2
const SIMPLE = 3
const ENHANCED = 6

function* pcapngFrames(file: Uint8Array, view: DataView): Generator<Frame> {
  let isLittle = true
  let linkTypes: number[] = []
  /** The maximum size of the first interface's frames. 0 stands for none. */
  let snapLength = 0
  let at = 0
  while (at + 12 <= file.length) {
    // A section's type is the same in both byte orders. The number after its size shows the order.
    if (view.getUint32(at) === SECTION) {
      isLittle = view.getUint32(at + 8, true) === 0x1a2b3c4d
      linkTypes = []
    }
    const type = view.getUint32(at, isLittle)
    const size = view.getUint32(at + 4, isLittle)
    if (size < 12 || size % 4 !== 0 || at + size > file.length) return
    if (type === INTERFACE && size >= 20) {
      if (linkTypes.length === 0) snapLength = view.getUint32(at + 12, isLittle)
      linkTypes.push(view.getUint16(at + 8, isLittle))
    }
    if ((type === ENHANCED || type === OLD) && size >= 32) {
      const number = type === OLD ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle)
      const linkType = linkTypes[number]
      const length = view.getUint32(at + 20, isLittle)
      if (linkType !== undefined && 32 + length <= size) {
        yield { linkType, bytes: file.subarray(at + 28, at + 28 + length) }
      }
    }
    if (type === SIMPLE && size >= 16 && linkTypes[0] !== undefined) {
      const length = Math.min(view.getUint32(at + 8, isLittle), snapLength || Infinity, size - 16)
      yield { linkType: linkTypes[0], bytes: file.subarray(at + 12, at + 12 + length) }
    }
    at += size
  }
}
