import { causeOf } from '../settings/causes.ts'

/** A failure of a service, described in words. */
export class ServiceError extends Error {}

/** The name of an HTTP service in the log. Path and query are left out, because they might hold a secret. */
export function serviceAt(what: string, url: string): string {
  return `${what} at ${new URL(url).origin}`
}

/**
 * Fetches something of limited size, because everything before authentication is limited. Redirects aren't followed, because
 * they could send passwords elsewhere.
 *
 * @param service the subject of the errors
 * @param timeout in seconds
 * @param most the largest body in bytes, after any content encoding has been undone
 * @throws ServiceError (as the rejection)
 */
export async function fetchLimited(
  service: string,
  url: string,
  request: RequestInit,
  { timeout, most }: { readonly timeout: number; readonly most: number },
): Promise<Buffer> {
  // `AbortSignal.timeout` takes only whole milliseconds.
  const signal = AbortSignal.timeout(Math.ceil(timeout * 1000))
  try {
    const response = await fetch(url, { ...request, signal, redirect: 'manual' })
    if (response.status === 200) return await readLimited(response, most)
    await response.body?.cancel()
    throw new AnswerError(`answered with status ${response.status}`)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof AnswerError) throw new ServiceError(`${service} ${message}`)
    const cause = signal.aborted ? `didn't answer within ${timeout} s` : causeOf(error)
    throw new ServiceError(`${service} ${cause}`)
  }
}

/** The reason why an answer is invalid. */
class AnswerError extends Error {}

async function readLimited(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > most) throw new AnswerError(`answered with more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
