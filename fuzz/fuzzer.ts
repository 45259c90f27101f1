import { checkExplain } from './check-explain.ts'
import { checkHostileFields, checkValidFields } from './check-fields.ts'
import { checkJunk } from './check-misuse.ts'
import { checkPacket } from './check-packet.ts'
import { checkDecoder, checkEncoder, checkReadConnect } from './check-streams.ts'
import { hostileFields } from './hostile.ts'
import { type BytesInput, bytesInput, validFields } from './inputs.ts'
import { Broken, hold, type Library } from './outcome.ts'
import { Random } from './random.ts'
import { packetTree, written } from './tree.ts'

/** An invariant that an input has broken. */
export interface Finding {
  readonly seed: number
  readonly input: number
  readonly invariant: string
  readonly message: string
  /** The bytes of the input; `undefined` if it was fields or arguments. */
  readonly bytes: Buffer | undefined
}

/** How long the checks of one input may take, in milliseconds. They take one to a hundred, whatever the bytes are. */
const LONGEST = 1000

/** Makes the input of this number and checks all that is to hold for it, in at most `longest` milliseconds. */
export async function fuzzInput(
  library: Library,
  seed: number,
  input: number,
  longest: number = LONGEST,
): Promise<Finding | undefined> {
  const made: { bytes?: Buffer } = {}
  try {
    let took = await timed(library, seed, input, made)
    // A busy machine makes one run slow, but not each of three.
    for (let again = 0; again < 2 && took > longest; again++) took = await timed(library, seed, input, made)
    hold(took <= longest, 'time-is-bounded', () => `it takes ${Math.round(took)} ms`)
    return undefined
  } catch (error) {
    const invariant = error instanceof Broken ? error.invariant : 'no-other-exception'
    const message = error instanceof Broken ? error.message : String((error as Error)?.stack ?? error)
    return { seed, input, invariant, message, bytes: made.bytes }
  }
}

/** Runs the checks of an input, and tells how long they took in milliseconds. */
async function timed(
  library: Library,
  seed: number,
  input: number,
  made: { bytes?: Buffer },
): Promise<number> {
  const random = new Random(seed, input)
  const kind = random.int(1, 20)
  if (kind === 1) return await took(() => checkJunk(library, random))
  if (kind <= 4) {
    const hostile = hostileFields(random)
    return await took(() => checkHostileFields(library, hostile))
  }
  if (kind <= 6) {
    const valid = validFields(random)
    made.bytes = written(packetTree(valid))
    return await took(() => checkValidFields(library, valid))
  }
  const bytes = bytesInput(random)
  made.bytes = bytes.bytes
  return await took(() => checkBytes(library, bytes))
}

async function took(check: () => void | Promise<void>): Promise<number> {
  const start = performance.now()
  await check()
  return performance.now() - start
}

async function checkBytes(library: Library, input: BytesInput): Promise<void> {
  const before = input.bytes.toString('hex')
  checkPacket(library, input)
  checkExplain(library, input)
  await checkDecoder(library, input)
  await checkReadConnect(library, input)
  await checkEncoder(library, input)
  hold(input.bytes.toString('hex') === before, 'input-is-not-written-to', () => 'the bytes have changed')
}
