import fc from 'fast-check'
import { checkExplain } from './check-explain.ts'
import { checkHostileFields, checkJunk, checkValidFields, type Junk } from './check-fields.ts'
import { checkPacket } from './check-packet.ts'
import { checkStreams } from './check-streams.ts'
import { type BytesInput, bytesInput, type FieldsInput, hostileFields, junk, validFields } from './inputs.ts'
import { Broken, hold, type Library } from './library.ts'

export type Input =
  | { readonly bytes: BytesInput }
  | { readonly valid: FieldsInput }
  | { readonly hostile: FieldsInput }
  | { readonly junk: Junk }

const junkInput: fc.Arbitrary<Junk> = fc.record({
  values: fc.tuple(junk, junk, junk),
  options: fc.array(fc.tuple(fc.nat({ max: 9 }), junk), { maxLength: 3 }),
})

const input: fc.Arbitrary<Input> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ bytes: bytesInput }) },
  { weight: 3, arbitrary: fc.record({ hostile: hostileFields }) },
  { weight: 2, arbitrary: fc.record({ valid: validFields }) },
  { weight: 1, arbitrary: fc.record({ junk: junkInput }) },
)

/** Limit in milliseconds for decoding and explaining one input. One or two are normal for all inputs. */
export const LONGEST = 500

export interface FuzzOptions {
  readonly seed: number
  readonly runs: number
  /** Starting point as a finding reports it: the run, and the path to the smallest input. */
  readonly path?: string | undefined
  /** Time limit in milliseconds. */
  readonly time?: number
  readonly onInput?: (input: Input) => void
}

/** A broken invariant, with the smallest input found that breaks it. */
export interface Finding {
  readonly invariant: string
  readonly message: string
  readonly input: Input
  readonly path: string
}

export interface FuzzResult {
  readonly runs: number
  readonly finding: Finding | undefined
}

/** Runs inputs until one breaks an invariant. The same seed gives the same inputs. */
export async function fuzz(library: Library, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, runs, path, time, onInput } = options
  const property = fc.asyncProperty(input, async (one) => {
    onInput?.(one)
    await check(library, one)
  })
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path !== undefined && { path }),
    ...(time !== undefined && { interruptAfterTimeLimit: time }),
  })
  const { failed, counterexample, counterexamplePath, errorInstance } = details
  if (!failed) return { runs: details.numRuns, finding: undefined }
  const isBroken = errorInstance instanceof Broken
  return {
    runs: details.numRuns,
    finding: {
      invariant: isBroken ? errorInstance.invariant : 'no-other-exception',
      message: isBroken ? errorInstance.message : `${(errorInstance as Error)?.stack ?? errorInstance}`,
      input: counterexample![0],
      path: counterexamplePath!,
    },
  }
}

/** Checks all invariants that apply to an input. */
export async function check(library: Library, input: Input): Promise<void> {
  if ('valid' in input) return checkValidFields(library, input.valid)
  if ('hostile' in input) return checkHostileFields(library, input.hostile)
  if ('junk' in input) return await checkJunk(library, input.junk)
  const { bytes } = input.bytes
  const before = bytes.toString('hex')
  let time = Number.POSITIVE_INFINITY
  // On a busy machine one run may be slow, but hardly three in a row.
  for (let i = 0; i < 3 && time > LONGEST; i++) {
    const start = performance.now()
    checkPacket(library, input.bytes)
    checkExplain(library, input.bytes)
    time = performance.now() - start
  }
  hold(time <= LONGEST, 'time-is-bounded', () => `it takes ${Math.round(time)} ms`)
  await checkStreams(library, input.bytes)
  hold(bytes.toString('hex') === before, 'input-is-not-written-to', () => 'the bytes have changed')
}
