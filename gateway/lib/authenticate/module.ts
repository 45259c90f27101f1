import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { FileError } from '../settings/files.ts'
import { decisionOf } from './answer.ts'
import type { Check } from './decision.ts'
import type { AuthenticationConfig } from './options.ts'

/** The export of a module: a function that returns the same answer as a service over HTTP, or a promise of it. */
type Decide = (
  packet: ConnectPacket,
  client: Pick<Peer, 'address' | 'listener' | 'serverName' | 'tls'>,
) => unknown

/** Comes instead of an answer if there was none in time. */
const LATE = Symbol('late')

/** It loads ES modules too, and at once. */
const load = createRequire(import.meta.url)

/**
 * Asks a function of the user's own.
 *
 * @throws FileError if the module cannot be loaded
 */
export function moduleCheck({ file, timeout }: NonNullable<AuthenticationConfig['module']>): Check {
  const decide = decideOf(file)
  return async (packet, { address, listener, serverName, tls }) => {
    const answered = new AbortController()
    const late = setTimeout(timeout * 1000, LATE, { signal: answered.signal })
    let answer: unknown
    try {
      answer = await Promise.race([decide(packet, { address, listener, serverName, tls }), late])
    } catch (error) {
      // It may throw anything.
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
    throw new FileError(file, `cannot be loaded: ${(error as Error).message}`)
  }
  if (typeof exported !== 'function') throw new FileError(file, 'must export a function as default')
  return exported as Decide
}
