import { ConnectReasonCode } from 'mqtt-connect-packet'
import { z } from 'zod'
import { shortText } from '../settings/short-text.ts'
import { type Decision, deny, ignore } from './decision.ts'

/** The answer of a service or a module. `expiresAt` is in seconds since 1970. */
const answerSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('allow'),
    clientId: z.string().optional(),
    userName: z.string().optional(),
    password: z.string().optional(),
    expiresAt: z.number().optional(),
  }),
  z.object({
    result: z.literal('deny'),
    code: z.int().min(0x80).max(0x9f).optional(),
    reason: z.string().optional(),
  }),
  /** Leaves the client to the next check. */
  z.object({ result: z.literal('ignore') }),
])

const codes: ReadonlySet<number> = new Set(Object.values(ConnectReasonCode))

/**
 * Turns an answer into a decision.
 *
 * @param who the name of the answer's sender, for the log
 * @throws Error if the answer is invalid. Never quotes the answer, which may contain a password, because the error goes into the log.
 */
export function decisionOf(given: unknown, who: string): Decision {
  const { data: answer, error } = answerSchema.safeParse(given)
  if (answer === undefined) {
    const [issue] = error.issues
    const path = issue?.path.join('.')
    throw new Error(`${who} gave an invalid answer: ${path ? `${path}: ` : ''}${issue?.message}`)
  }
  if (answer.result === 'ignore') return ignore(`${who} leaves the client to the other checks`)
  if (answer.result === 'allow') {
    const { clientId, userName, password, expiresAt } = answer
    return { allow: true, clientId, userName, password, expiresAt: expiresAt && expiresAt * 1000 }
  }
  const { code = ConnectReasonCode.notAuthorized, reason } = answer
  // Cut it, because denials are cached and a service may quote a long value of the client.
  return deny(
    codes.has(code) ? (code as ConnectReasonCode) : ConnectReasonCode.notAuthorized,
    `${who} denied the client${reason ? `: ${shortText(reason)}` : ''}`,
  )
}
