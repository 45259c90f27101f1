import { inspect } from 'node:util'
import type { ExplanationRow, MqttError, PacketExplanation } from '../lib/index.ts'
import type { BytesInput } from './inputs.ts'
import { Broken, fullText, hold, type Library, outcomeOf } from './library.ts'

/** Checks that `explain` accepts all input, puts each byte in exactly one row, and agrees with `decode`. */
export function checkExplain(library: Library, { bytes, options }: BytesInput): void {
  const { protocolVersion, allow } = options
  const explanation = outcomeOf(library, 'explain', () => library.explain(bytes, { protocolVersion, allow }))
  if (explanation instanceof library.MqttError)
    throw new Broken('only-mqtt-error', `explain threw ${explanation}`)
  let at = 0
  for (const { offset, length } of explanation.rows) {
    hold(
      offset === at && length >= 0,
      'explain-has-each-byte-once',
      () => `row at ${offset}, expected at ${at}`,
    )
    at += length
  }
  hold(at === bytes.length, 'explain-has-each-byte-once', () => `the rows end at ${at} of ${bytes.length}`)

  checkFirst(library, { bytes, options }, { ...explanation, rows: explanation.packets[0]!.rows })
  for (const secrets of [false, true]) {
    const shown = outcomeOf(library, 'a form of the explanation', () => {
      const one = library.explain(bytes, { protocolVersion, allow, secrets })
      return [`${one}`, inspect(one), JSON.stringify(one)]
    })
    hold(Array.isArray(shown), 'only-mqtt-error', () => `a form of the explanation threw ${shown}`)
  }
}

/** Checks that the explanation of the first packet agrees with `decode`. */
function checkFirst(
  library: Library,
  { bytes, options }: Pick<BytesInput, 'bytes' | 'options'>,
  explained: Pick<PacketExplanation, 'rows' | 'packet' | 'error'>,
): void {
  const { protocolVersion, allow } = options
  const { rows, error, packet } = explained
  const decode = (some: Uint8Array) =>
    outcomeOf(library, 'decode', () => library.decode(some, { protocolVersion, allow }))
  const all = decode(bytes)
  const isMore = all instanceof library.MqttError && all.code === 'more-than-one-packet'
  const decoded = isMore ? decode(bytes.subarray(0, all.offset)) : all
  const marked = rows.filter(({ fault }) => fault)
  if (decoded instanceof library.MqttError) {
    const agrees = error !== undefined && packet === undefined && fullText(error) === fullText(decoded)
    hold(agrees, 'explain-agrees', () => `decode: ${inspect(decoded)}, explain: ${inspect(error ?? packet)}`)
    hold(
      bytes.length === 0 || isAt(decoded, marked),
      'explain-marks-the-error',
      () => `${decoded} is marked at ${inspect(marked)}`,
    )
    return
  }
  // Without a version, a packet that names none can break the rules of every version.
  const isRefused = error !== undefined && !('protocolVersion' in decoded) && (protocolVersion ?? 0) === 0
  hold(
    isRefused || (error === undefined && packet?.equals(decoded) === true),
    'explain-agrees',
    () => `decode returns a packet, explain ${inspect(error)}`,
  )
  hold(
    marked.length === (isRefused ? 1 : 0),
    'explain-marks-the-error',
    () => 'a valid packet has a marked row',
  )
}

/** True if only the error's row is marked. The offset of missing bytes is in no row, so it isn't checked. */
function isAt({ code, field, offset }: MqttError, marked: readonly ExplanationRow[]): boolean {
  const [row, another] = marked
  if (row === undefined || another !== undefined || row.field !== field) return false
  if (code === 'packet-incomplete') return true
  return offset >= row.offset && offset <= row.offset + Math.max(row.length - 1, 0)
}
