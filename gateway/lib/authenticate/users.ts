import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ConnectPacket, ConnectReasonCode, PropertyId } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import type { Config } from '../operate/config.ts'
import { FileError, readNamedFile } from '../settings/files.ts'
import { type Check, deny } from './authenticate.ts'
import { Slots } from './slots.ts'

/*
 * The users file: a line `NAME:scrypt:N,r,p:SALT:HASH` for each user, salt and hash in base64. Empty lines and lines that begin
 * with # are ignored.
 */

interface Hash {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number }
  readonly salt: Buffer
  readonly hash: Buffer
}

const COST = { N: 16_384, r: 8, p: 1 }
const HASH_BYTES = 32
/** How many results are remembered. */
const REMEMBERED = 100_000
const MARK = ':scrypt:'

/** The line of a user for the file. */
export async function userLine(name: string, password: string): Promise<string> {
  if (/[\r\n]/.test(name) || name.startsWith('#') || name.includes(MARK)) {
    throw new Error(`A user name has no line breaks, does not begin with # and does not contain ${MARK}`)
  }
  if (endsWithNul(Buffer.from(password))) throw new Error('A password must not end with U+0000')
  const salt = randomBytes(16)
  const hash = await derive(Buffer.from(password), { cost: COST, salt, hash: Buffer.alloc(HASH_BYTES) })
  return `${name}${MARK}${Object.values(COST).join(',')}:${salt.toString('base64')}:${hash.toString('base64')}`
}

/** @throws FileError with the number of the first line that is wrong */
export function parseUsers(text: string, path: string): Map<string, Hash> {
  const users = new Map<string, Hash>()
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [, name = '', N, r, p, salt = '', hash = ''] =
      /^(.*):scrypt:(\d+),(\d+),(\d+):([\w+/]{11,}=*):([\w+/]{43}=)$/.exec(line) ?? []
    const cost = { N: Number(N), r: Number(r), p: Number(p) }
    // Larger costs would let a typing error stop the process.
    if (
      hash === '' ||
      !isPowerOfTwo(cost.N) ||
      cost.N > 1 << 20 ||
      cost.r > 32 ||
      cost.p > 16 ||
      cost.r * cost.p < 1
    ) {
      throw new FileError(path, `line ${i + 1} is not NAME:scrypt:N,r,p:SALT:HASH`)
    }
    if (users.has(name)) throw new FileError(path, `line ${i + 1}: this user has a line already`)
    users.set(name, { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') })
  }
  return users
}

function isPowerOfTwo(value: number): boolean {
  return value > 1 && (value & (value - 1)) === 0
}

/** Checks user name and password against a file. A user that is not in it is left to the next check. */
export function usersFile(options: NonNullable<Config['authentication']['users']>): Check {
  const users = parseUsers(readNamedFile(options.file), options.file)
  const slots = new Slots(options.concurrency, options.waiting)
  const results = new LRUCache<string, boolean>({
    max: REMEMBERED,
    ttl: Math.ceil(options.cacheSeconds * 1000),
  })
  /** Under which the results are remembered: no password is kept. */
  const key = randomBytes(32)
  /** Takes as long as a known user, so that the time does not say which names exist. */
  const nobody: Hash = users.values().next().value ?? {
    cost: COST,
    salt: randomBytes(16),
    hash: randomBytes(32),
  }

  return async (packet: ConnectPacket, peer: Peer) => {
    const { userName, password } = packet
    if (userName === undefined || packet.property(PropertyId.authenticationMethod) !== undefined)
      return undefined
    const user = users.get(userName)
    const given = password ?? Buffer.alloc(0)
    if (endsWithNul(given)) {
      return user && deny(ConnectReasonCode.badUserNameOrPassword, 'the password ends with U+0000')
    }
    const id = createHmac('sha256', key)
      .update(`${Buffer.byteLength(userName)}:${userName}`)
      .update(given)
      .digest('base64')
    let right = results.get(id)
    if (right === undefined) {
      const expected = user ?? nobody
      right = await slots.run(peer, async () => timingSafeEqual(await derive(given, expected), expected.hash))
      results.set(id, right)
    }
    if (user === undefined) return undefined
    if (!right) return deny(ConnectReasonCode.badUserNameOrPassword, 'wrong password')
    return { allow: true }
  }
}

/** scrypt can't tell such a password from one without the zeros: it begins with an HMAC, which pads its key with them. */
function endsWithNul(password: Buffer): boolean {
  return password.at(-1) === 0
}

function derive(password: Buffer, { cost, salt, hash }: Hash): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hash.length, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
