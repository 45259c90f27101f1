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
    const segments = this.segments.filter(({ payload }) => payload.length > 0)
    const origin = this.first ?? segments[0]?.sequence ?? 0
    // Sequence numbers wrap at 2^32.
    const offset = ({ sequence }: Segment): number => (sequence - origin) | 0
    const sorted = segments.toSorted((a, b) => offset(a) - offset(b))
    const pieces: Uint8Array[] = []
    let end = this.first === undefined && sorted[0] !== undefined ? offset(sorted[0]) : 0
    for (const segment of sorted) {
      const at = offset(segment)
      if (at > end) return { bytes: Buffer.concat(pieces), hasGap: true }
      const piece = segment.payload.subarray(end - at)
      pieces.push(piece)
      end += piece.length
    }
    return { bytes: Buffer.concat(pieces), hasGap: segments.some(({ isCut }) => isCut) }
  }
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
    const { from, to, isStart, isAnswer, sequence } = segment
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
    direction.segments.push(isStart ? { ...segment, sequence: (sequence + 1) | 0 } : segment)
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
