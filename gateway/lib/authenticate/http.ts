import { createHmac, randomBytes } from 'node:crypto'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { newCache } from '../settings/cache.ts'
import { FileError, readNamedFile } from '../settings/files.ts'
import { decisionOf } from './answer.ts'
import type { Check, Deny } from './decision.ts'
import { fetchLimited, serviceAt } from './fetch-limited.ts'
import type { AuthenticationConfig } from './options.ts'
import { Slots } from './slots.ts'

/** The size limit of an answer, in bytes. */
const LARGEST_ANSWER = 65_536

/**
 * Asks a service over HTTP. If it does not answer in time with 200 and valid JSON, the client is refused.
 *
 * @throws FileError if the file with the authorization cannot be used
 */
export function httpHook(options: NonNullable<AuthenticationConfig['http']>): Check {
  const hook = serviceAt('the hook', options.url)
  const slots = new Slots(options.concurrency, options.waiting, hook)
  const denials = newCache<Deny>(options.denialCacheSeconds * 1000)
  const key = randomBytes(32)
  const authorization = options.authorizationFile && readAuthorization(options.authorizationFile)
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }

  return async (packet: ConnectPacket, peer: Peer) => {
    // Computed twice, so that queued clients don't hold it: escapes can make it twelve times as large as the packet.
    const question = () => JSON.stringify(fieldsOf(packet, peer))
    const id = createHmac('sha256', key).update(question()).digest('base64')
    const known = denials.get(id)
    if (known !== undefined) return known
    const answer = await slots.run(peer, () => {
      const request = {
        method: 'POST',
        body: question(),
        headers: { ...headers, 'x-forwarded-for': peer.address },
      }
      return fetchLimited(hook, options.url, request, { timeout: options.timeout, most: LARGEST_ANSWER })
    })
    const decision = decisionOf(parse(answer, hook), hook)
    if (decision.allow === false) denials.set(id, decision)
    return decision
  }
}

/** Rejects values that no header can hold, because the error of `fetch` would quote them in the log. */
function readAuthorization(path: string): string {
  const authorization = readNamedFile(path).trim()
  if (authorization === '') throw new FileError(path, 'is empty')
  try {
    new Headers({ authorization })
  } catch {
    throw new FileError(path, 'is not one line that the header Authorization can hold')
  }
  return authorization
}

/**
 * The key of a cached denial: everything that the answer may depend on. The client's port is left out, because with it no denial would
 * ever be found again.
 */
function fieldsOf(packet: ConnectPacket, { address, listener, serverName, tls }: Peer): object {
  const { protocolVersion, clientId, userName, password, keepAlive } = packet
  return {
    ...{ protocolVersion, clientId, userName, password: password?.toString('base64'), keepAlive },
    clean: packet.protocolVersion === 5 ? packet.cleanStart : packet.cleanSession,
    ...{ address, listener, serverName, certificate: tls?.certificate },
  }
}

function parse(answer: Buffer, hook: string): unknown {
  try {
    // With replacement characters, different names could become the same.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer))
  } catch {
    // The error of `JSON.parse` would quote the answer.
    throw new Error(`${hook} gave an answer that isn't JSON`)
  }
}
