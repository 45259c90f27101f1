import type { Session, SessionEnding } from './session.ts'
import type { Link } from './steps.ts'

/** Reports the end of a session. To be called once. */
export function endSession(
  { peer, reports }: Link,
  session: Session,
  ending: SessionEnding,
  cause?: Error | null,
): void {
  session.ending ??= ending
  reports.sessionEnded(peer, session, cause ?? undefined)
}
