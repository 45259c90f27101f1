import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { FileError } from '../settings/files.ts'
import { decisionOf } from './answer.ts'
import type { Check } from './decision.ts'
import type { AuthenticationConfig } from './options.ts'

/** The default export of a module: a function that returns the same answer as the HTTP service, or a promise of one. */
type Decide = (
  packet: ConnectPacket,
  client: Pick<Peer, 'address' | 'listener' | 'serverName' | 'tls'>,
) => unknown

/** Stands in for the answer after the timeout. */
const LATE = Symbol('late')

/** `require` loads ES modules too, and synchronously. */
const load = createRequire(import.meta.url)

/**
 * Asks the function in the user's own module.
 *
 * @throws FileError if the module cannot be loaded
 */
export function moduleCheck({ file, timeout }: NonNullable<AuthenticationConfig['module']>): Check {
  const decide = decideOf(file)
  return async (packet, { address, listener, serverName, tls }) => {
    const answered = new AbortController()
    let answer: unknown
    try {
      const decided = decide(packet, { address, listener, serverName, tls })
      // Only now. If the function throws, nobody handles the timer's rejection, which would end the process.
      const late = setTimeout(timeout * 1000, LATE, { signal: answered.signal })
      answer = await Promise.race([decided, late])
    } catch (error) {
      // A module may throw anything, even null.
      throw new Error(`the module failed: ${(error as Error | null)?.message}`)
    } finally {
      answered.abort()
    }
    if (answer === LATE) throw new Error(`the module didn't answer within ${timeout} s`)
    return decisionOf(answer, 'the module')
  }
}

function decideOf(file: string): Decide {
  let exported: unknown
  try {
    const loaded = load(file)
    exported = loaded?.default ?? loaded
  } catch (error) {
    throw new FileError(file, `cannot be loaded: ${(error as Error | null)?.message ?? error}`)
  }
  if (typeof exported !== 'function') throw new FileError(file, 'must export a function as default')
  return exported as Decide
}
