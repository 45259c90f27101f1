import { inspect } from 'node:util'
import type { ExplanationRow, MqttError } from '../lib/index.ts'
import type { BytesInput } from './inputs.ts'
import { cut, hold, type Library, outcomeOf } from './outcome.ts'

/** `explain`: it takes everything, tells of each byte once, and says what decoding says. */
export function checkExplain(library: Library, { bytes, options }: BytesInput): void {
  const { protocolVersion, allow } = options
  const explanation = outcomeOf(library, 'explain', () => library.explain(bytes, { protocolVersion, allow }))
  if (explanation instanceof library.MqttError) {
    throw new Error(`explain threw ${explanation}`)
  }
  const { rows, error, packet } = explanation

  let at = 0
  for (const { offset, length } of rows) {
    hold(
      offset === at && length >= 0,
      'explain-covers-each-byte-once',
      () => `row at ${offset}, expected at ${at}`,
    )
    at += length
  }
  hold(at === bytes.length, 'explain-covers-each-byte-once', () => `its rows end at ${at} of ${bytes.length}`)

  const decoded = outcomeOf(library, 'bufferToPacketVariant', () =>
    library.bufferToPacketVariant(bytes, protocolVersion, { allow }),
  )
  const marked = rows.filter(({ fault }) => fault)
  if (decoded instanceof library.MqttError) {
    hold(
      error !== undefined && packet === undefined && JSON.stringify(error) === JSON.stringify(decoded),
      'explain-agrees',
      () => cut(`decoding says ${inspect(decoded)}, explain ${inspect(error ?? packet)}`),
    )
    hold(bytes.length === 0 || isAt(decoded, marked), 'explain-marks-the-fault', () =>
      cut(`${decoded} is marked at ${inspect(marked)}`),
    )
  } else {
    hold(error === undefined && packet?.equals(decoded) === true, 'explain-agrees', () =>
      cut(`decoding gives a packet, explain ${inspect(error)}`),
    )
    hold(marked.length === 0, 'explain-marks-the-fault', () => 'a valid packet has a marked row')
  }
  for (const secrets of [false, true]) {
    const shown = outcomeOf(library, 'a form of the explanation', () => {
      const one = library.explain(bytes, { protocolVersion, allow, secrets })
      return [`${one}`, inspect(one), JSON.stringify(one)]
    })
    hold(Array.isArray(shown), 'only-mqtt-error', () => `a form of the explanation threw ${shown}`)
  }
}

/** Whether the one row that is marked is that of the error: what is missing has no byte of its own. */
function isAt({ code, field, offset }: MqttError, marked: readonly ExplanationRow[]): boolean {
  const [row, another] = marked
  if (row === undefined || another !== undefined || row.field !== field) return false
  return (
    code === 'packet-incomplete' ||
    (offset >= row.offset && offset <= row.offset + Math.max(row.length - 1, 0))
  )
}
