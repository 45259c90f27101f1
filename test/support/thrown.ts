import { expect } from 'chai'
import { MqttError } from '../../lib/packets/index.ts'

/** Returns the error that an action throws. Fails the test if it throws none. */
export function thrown(action: () => unknown): Error {
  try {
    action()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('expected an error, but nothing was thrown')
}

/** Returns the `MqttError` that an action throws. */
export function refusal(action: () => unknown): MqttError {
  const error = thrown(action)
  if (error instanceof MqttError) return error
  throw error
}

type Kind = typeof TypeError | typeof RangeError

const kinds: Readonly<Record<string, Kind>> = {
  ERR_INVALID_ARG_TYPE: TypeError,
  ERR_INVALID_ARG_VALUE: TypeError,
  ERR_OUT_OF_RANGE: RangeError,
}

/** Expects misuse: a `TypeError` or `RangeError` with this code, and a message that begins with `start`. */
export function expectMisuse(action: () => unknown, code: string, start: string): void {
  const error = thrown(action)
  expect((error as { code?: string }).code, `${error}`).to.equal(code)
  expect(error).to.be.instanceOf(kinds[code]!)
  expect(error).not.to.be.instanceOf(MqttError)
  expect([`${start}:`, `${start}.`], error.message).to.include(error.message.slice(0, start.length + 1))
}

/** Expects invalid contents: an `MqttError` with this code, at this field and, if given, at this offset. */
export function expectRefusal(
  action: () => unknown,
  code: string,
  field: string,
  offset?: number,
): MqttError {
  const error = refusal(action)
  expect({ code: error.code, field: error.field }, error.message).to.deep.equal({ code, field })
  if (offset !== undefined) expect(error.offset, error.message).to.equal(offset)
  return error
}
