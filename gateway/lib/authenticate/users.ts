import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { newCache } from '../settings/cache.ts'
import { FileError, readNamedFile } from '../settings/files.ts'
import { type Check, deny, ignore } from './decision.ts'
import type { AuthenticationConfig } from './options.ts'
import {
  endsWithNul,
  faultOf,
  newHash,
  nobodysHash,
  type PasswordHash,
  parseUserLine,
} from './password-hash.ts'
import { Slots } from './slots.ts'

const unknownUser = ignore('the users file has no such user')
/** A name that contains one of these would turn the line into one for a different name and hash. */
const MARK = /:scrypt:|:\$7\$/

/** A new line for the users file. */
export async function userLine(name: string, password: string | Buffer): Promise<string> {
  if (/[\r\n]/.test(name) || name.startsWith('#') || MARK.test(name)) {
    throw new Error(
      'A user name has no line breaks, does not begin with # and contains neither :scrypt: nor :$7$',
    )
  }
  const bytes = typeof password === 'string' ? Buffer.from(password) : password
  if (endsWithNul(bytes)) throw new Error('A password must not end with U+0000')
  return `${name}:${await newHash(bytes)}`
}

/**
 * Parses a users file, which has a line for each user. Empty lines and lines that begin with # are ignored.
 *
 * @throws FileError with the number of the first line that is wrong
 */
export function parseUsers(text: string, path: string): Map<string, PasswordHash> {
  const users = new Map<string, PasswordHash>()
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue
    const user = parseUserLine(line)
    if (user === undefined) throw new FileError(path, `line ${i + 1} ${faultOf(line)}`)
    if (users.has(user.name)) throw new FileError(path, `line ${i + 1}: this user has a line already`)
    users.set(user.name, user.hash)
  }
  return users
}

/**
 * The hashes for unknown users. Hashing for them takes as long as for known ones, so the response time doesn't reveal which names exist. The
 * file may have hashes of different kinds, so each unknown name has that of some user: the same one in each worker and after a restart, as long as
 * the file stays the same.
 */
export function decoys(hashes: readonly PasswordHash[]): (userName: string) => PasswordHash {
  const all = hashes.length === 0 ? [nobodysHash()] : hashes
  // Only somebody who knows the hashes can compute it.
  const digest = createHash('sha256')
  for (const { hash } of all) digest.update(hash)
  const key = digest.digest()
  return (userName) => all[createHmac('sha256', key).update(userName).digest().readUInt32BE() % all.length]!
}

/** Checks user name and password against a file. Users that aren't in the file are left to the next check. */
export function usersFile(options: NonNullable<AuthenticationConfig['users']>): Check {
  const users = parseUsers(readNamedFile(options.file), options.file)
  const slots = new Slots(options.concurrency, options.waiting, 'the users file')
  const results = newCache<boolean>(options.cacheSeconds * 1000)
  /** The results are cached under an HMAC with this key, so the cache contains no passwords. */
  const key = randomBytes(32)
  const decoyFor = decoys([...users.values()])

  return async (packet: ConnectPacket, peer: Peer) => {
    const { userName, password } = packet
    if (userName === undefined) return ignore('the client has no user name')
    const user = users.get(userName)
    const given = password ?? Buffer.alloc(0)
    if (endsWithNul(given)) {
      return user
        ? deny(ConnectReasonCode.badUserNameOrPassword, 'the password ends with U+0000')
        : unknownUser
    }
    const id = createHmac('sha256', key)
      .update(`${Buffer.byteLength(userName)}:${userName}`)
      .update(given)
      .digest('base64')
    let right = results.get(id)
    if (right === undefined) {
      const expected = user ?? decoyFor(userName)
      right = await slots.run(peer, async () => timingSafeEqual(await expected.derive(given), expected.hash))
      results.set(id, right)
    }
    if (user === undefined) return unknownUser
    if (!right) return deny(ConnectReasonCode.badUserNameOrPassword, 'the password is wrong')
    return { allow: true }
  }
}
