import { pbkdf2, randomBytes, scrypt } from 'node:crypto'

/*
 * The hashes of the users file. After the user's name and a colon a line has one of these, salt and hash in base64:
 *
 *   scrypt:N,r,p:SALT:HASH        what `mqtt-connect-gateway user` prints
 *   $7$ITERATIONS$SALT$HASH       PBKDF2 with HMAC-SHA-512, what mosquitto_passwd prints
 */

/** The hash that a user's password is compared with. */
export interface PasswordHash {
  readonly hash: Buffer
  /** The hash of a password that somebody gives. */
  derive(password: Buffer): Promise<Buffer>
}

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { N: 16_384, r: 8, p: 1 }
const HASH_BYTES = 32
/** A second or two of a core. With larger costs a typing error would stop the process. */
const MOST_ITERATIONS = 5_000_000
/** The same for scrypt: the largest product of its three numbers, 16 times that of a new user. It needs at most 256 MiB then. */
const MOST_BLOCKS = 2 ** 21

/** A line of the users file, without a line break. `undefined` if it is none. */
export function parseUserLine(line: string): { name: string; hash: PasswordHash } | undefined {
  const [, name = '', N, r, p, salt, hash] =
    /^(.*):scrypt:(\d+),(\d+),(\d+):([\w+/]{11,}=*):([\w+/]{43}=)$/.exec(line) ?? []
  if (salt !== undefined && hash !== undefined) {
    const cost = { N: Number(N), r: Number(r), p: Number(p) }
    return isPossible(cost) ? { name, hash: scryptHash(cost, bytesOf(salt), bytesOf(hash)) } : undefined
  }
  const [, user = '', count, salt7 = '', hash7] =
    /^(.*):\$7\$(\d+)\$([\w+/]{11,}=*)\$([\w+/]{86}==)$/.exec(line) ?? []
  const iterations = Number(count)
  if (hash7 === undefined || iterations < 1 || iterations > MOST_ITERATIONS) return undefined
  return { name: user, hash: pbkdf2Hash(iterations, bytesOf(salt7), bytesOf(hash7)) }
}

/** Why a line cannot be used. Nothing of the line is in it. */
export function faultOf(line: string): string {
  const [, kind] = /:\$(6|argon2id)\$/.exec(line) ?? []
  if (kind === undefined) return 'is neither NAME:scrypt:N,r,p:SALT:HASH nor NAME:$7$ITERATIONS$SALT$HASH'
  return `has a hash of mosquitto's kind $${kind}$; set the password again with mosquitto_passwd -H sha512-pbkdf2`
}

/** The part after the name in a new line of the users file. */
export async function newHash(password: Buffer): Promise<string> {
  const salt = randomBytes(16)
  const hash = await scryptHash(COST, salt, Buffer.alloc(HASH_BYTES)).derive(password)
  return `scrypt:${Object.values(COST).join(',')}:${salt.toString('base64')}:${hash.toString('base64')}`
}

/** A hash that no password has, which takes as long as that of a new user. */
export function nobodysHash(): PasswordHash {
  return scryptHash(COST, randomBytes(16), randomBytes(HASH_BYTES))
}

/**
 * Neither kind of hash can tell such a password from one without the zeros: both begin with an HMAC, which pads its key with them.
 */
export function endsWithNul(password: Buffer): boolean {
  return password.at(-1) === 0
}

function isPossible({ N, r, p }: Cost): boolean {
  const isPowerOfTwo = N > 1 && (N & (N - 1)) === 0
  return isPowerOfTwo && r * p >= 1 && N * r * p <= MOST_BLOCKS
}

function scryptHash(cost: Cost, salt: Buffer, hash: Buffer): PasswordHash {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r }
  const derive = (password: Buffer) => settled((done) => scrypt(password, salt, hash.length, options, done))
  return { hash, derive }
}

function pbkdf2Hash(iterations: number, salt: Buffer, hash: Buffer): PasswordHash {
  const derive = (password: Buffer) =>
    settled((done) => pbkdf2(password, salt, iterations, hash.length, 'sha512', done))
  return { hash, derive }
}

function settled(begin: (done: (error: Error | null, key: Buffer) => void) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => begin((error, key) => (error ? reject(error) : resolve(key))))
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
