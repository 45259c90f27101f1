import { causeOf } from '../settings/causes.ts'
import type { Session, SessionEnding } from './session.ts'
import type { Link } from './steps.ts'

/**
 * Reports the end of a session. Call it once per session.
 *
 * @param error of the connection that is closed, if it broke
 */
export function endSession(
  { peer, reports }: Link,
  session: Session,
  ending: SessionEnding,
  error?: Error | null,
): void {
  session.end(ending, error ? `the ${ending} ${causeOf(error)}` : undefined)
  reports.sessionEnded(peer, session)
}
