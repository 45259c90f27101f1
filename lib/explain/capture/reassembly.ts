import { Buffer } from 'buffer'
import type { Segment } from './segments.ts'

/** A TCP connection of a capture: the bytes of both directions, in the order of their sequence numbers. */
export interface Connection {
  /** Address and port of the side that opened it, as far as the capture shows. */
  readonly opener: string
  readonly other: string
  readonly fromOpener: Uint8Array
  readonly fromOther: Uint8Array
  /** True if bytes are missing, between the captured ones or at the end. The bytes after the first gap are left out. */
  readonly hasGap: boolean
}

/** The segments of one direction. */
class Direction {
  readonly segments: Segment[] = []
  /** The sequence number of the first byte, once a start was seen. */
  first: number | undefined

  /** The bytes up to the first gap. Repeated and overlapping segments count once; the first one wins. */
  join(): { bytes: Uint8Array; hasGap: boolean } {
    const origin = this.first ?? this.segments.find(hasPayload)?.sequence
    if (origin === undefined) return { bytes: new Uint8Array(0), hasGap: false }
    // Sequence numbers wrap at 2^32.
    const offset = ({ sequence }: Segment): number => (sequence - origin) | 0
    const sorted = this.segments.toSorted((a, b) => offset(a) - offset(b))
    const start = this.first === undefined ? startBefore(sorted.filter(hasPayload), offset) : 0
    let end = start
    let reach = end
    // The end of a connection takes a sequence number.
    const ends = sorted.filter(({ isEnd }) => isEnd).map((segment) => offset(segment) + segment.size)
    const last = ends.reduce((first, each) => Math.min(first, each), Number.POSITIVE_INFINITY)
    for (const segment of sorted) {
      const at = offset(segment)
      reach = Math.max(reach, at + segment.size - (at > last ? 1 : 0))
      if (at > end) break
      end = Math.max(end, at + segment.payload.length)
    }
    const bytes = Buffer.alloc(end - start)
    // The first one is copied last. The other side has discarded the bytes of the others.
    for (const segment of this.segments.toReversed()) {
      const at = offset(segment) - start
      const piece = segment.payload.subarray(Math.max(0, -at), Math.max(0, bytes.length - at))
      bytes.set(piece, Math.min(Math.max(0, at), bytes.length))
    }
    return { bytes, hasGap: reach > end }
  }
}

/** The lowest offset, if the segments from there on reach offset 0, or else 0: old bytes that were sent again may be far behind the others. */
function startBefore(sorted: readonly Segment[], offset: (segment: Segment) => number): number {
  const lowest = offset(sorted[0]!)
  let end = lowest
  for (const segment of sorted)
    if (offset(segment) <= end) end = Math.max(end, offset(segment) + segment.payload.length)
  return end < 0 ? 0 : lowest
}

function hasPayload({ payload }: Segment): boolean {
  return payload.length > 0
}

interface Open {
  readonly opener: string
  readonly other: string
  readonly directions: ReadonlyMap<string, Direction>
}

/** The connections in segments, in the order in which they begin. After a new start, a pair of ports is a new connection. */
export function connectionsOf(segments: Iterable<Segment>): Connection[] {
  const all: Open[] = []
  const current = new Map<string, Open>()
  for (const segment of segments) {
    const { from, to, isStart, isAnswer, sequence, acknowledged } = segment
    const key = [from, to].sort().join(' ')
    let open = current.get(key)
    const known = open?.directions.get(from)?.first
    const isNew = isStart && !isAnswer && known !== ((sequence + 1) | 0)
    if (open === undefined || (isNew && known !== undefined)) {
      // Without a start in the capture, the side with the higher port is the client.
      const isFromOpener = isStart ? !isAnswer : portOf(from) >= portOf(to)
      open = {
        opener: isFromOpener ? from : to,
        other: isFromOpener ? to : from,
        directions: new Map([
          [from, new Direction()],
          [to, new Direction()],
        ]),
      }
      current.set(key, open)
      all.push(open)
    }
    const direction = open.directions.get(from)!
    if (isStart) direction.first = (sequence + 1) | 0
    // The data of a reset says why the connection ends, and is no part of the stream. RFC 9293 section 3.5.3.
    if (segment.isReset) direction.segments.push({ ...segment, payload: new Uint8Array(0), size: 0 })
    else direction.segments.push(isStart ? { ...segment, sequence: (sequence + 1) | 0 } : segment)
    // The other side has sent the bytes before that number, even if the capture lacks them.
    if (acknowledged !== undefined) {
      const none = { ...segment, sequence: acknowledged, isEnd: false, payload: new Uint8Array(0), size: 0 }
      open.directions.get(to)!.segments.push(none)
    }
  }
  return all.map(({ opener, other, directions }) => {
    const [mine, theirs] = [directions.get(opener)!.join(), directions.get(other)!.join()]
    return {
      opener,
      other,
      fromOpener: mine.bytes,
      fromOther: theirs.bytes,
      hasGap: mine.hasGap || theirs.hasGap,
    }
  })
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1))
}
