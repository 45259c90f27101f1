import type { ErrorCode } from '../errors/error-table.ts'
import type { Fault } from '../errors/fault.ts'
import type { Clause } from '../protocol/version.ts'
import { type Context, type FieldRule, fault, faultUnlessAllowed } from './context.ts'
import type { CodeField, Field } from './fields.ts'

/* Kinds of rules that several packet types share. */

/** A rule about a byte of flags. */
export interface FlagRule {
  readonly code: ErrorCode
  readonly broken: (flags: number) => boolean
}

/**
 * The rules of a byte of flags, checked in this order. A table maps each of the 256 values to the rules it breaks. Most values
 * break none, so most checks are a single lookup.
 */
export function flagRules(field: Field, ...rules: readonly FlagRule[]): FieldRule {
  const brokenBy = Array.from({ length: 0x100 }, (_, flags) => rules.filter((rule) => rule.broken(flags)))
  return (context, bytes, at) => {
    const broken = brokenBy[bytes[at]!]!
    return broken.length === 0 ? undefined : flagFault(context, field, at, broken)
  }
}

function flagFault(
  context: Context,
  field: Field,
  at: number,
  broken: readonly FlagRule[],
): Fault | undefined {
  for (const { code } of broken) {
    const wrong = faultUnlessAllowed(context, code, field, at)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/**
 * The rule of a reason code or return code: the packet must define it, and its sender must be allowed to send it.
 *
 * @param unknown the error of a code that the packet doesn't define
 * @param clause the clause that says who sends which code, unless all codes have the same sender
 */
export function codeRule(field: CodeField, unknown: ErrorCode, clause?: Clause): FieldRule {
  const { names, senders } = field.codes
  return (context, bytes, at) => {
    const code = bytes[at]!
    if (names[code] === undefined) return fault(context, unknown, field, at)
    const { sender } = context.policy
    if (clause === undefined || sender === undefined || senders[code] === 'both' || senders[code] === sender)
      return undefined
    return fault(context, 'wrong-sender', field, at, {
      clause,
      problem: `is a code that only a ${senders[code]} sends`,
    })
  }
}
