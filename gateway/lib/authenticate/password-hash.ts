import { pbkdf2, randomBytes, scrypt } from 'node:crypto'

/*
 * The hashes of the users file. Each line has the user's name, a colon, and one of these, with salt and hash in base64:
 *
 *   scrypt:N,r,p:SALT:HASH        printed by `mqtt-connect-gateway user`
 *   $7$ITERATIONS$SALT$HASH       PBKDF2 with HMAC-SHA-512, printed by mosquitto_passwd
 */

/** The hash that a user's password is compared with. */
export interface PasswordHash {
  readonly hash: Buffer
  /** Hashes a client's password with this hash's salt and costs. */
  derive(password: Buffer): Promise<Buffer>
}

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { N: 16_384, r: 8, p: 1 }
const HASH_BYTES = 32
/** This many iterations take a core a second or two. Without a limit, a typo in the file could stall the process. */
const MOST_ITERATIONS = 5_000_000
/** The largest product of scrypt's three parameters: 16 times that of a new user. Hashing then needs at most 256 MiB. */
const MOST_BLOCKS = 2 ** 21

/** Parses a line of the users file, without its line break. Returns `undefined` if the line is invalid. */
export function parseUserLine(line: string): { name: string; hash: PasswordHash } | undefined {
  const [, name = '', N, r, p, salt, hash] =
    /^(.*):scrypt:(\d+),(\d+),(\d+):([\w+/]{11,}=*):([\w+/]{43}=)$/s.exec(line) ?? []
  if (salt !== undefined && hash !== undefined) {
    const cost = { N: Number(N), r: Number(r), p: Number(p) }
    return isPossible(cost) ? { name, hash: scryptHash(cost, bytesOf(salt), bytesOf(hash)) } : undefined
  }
  const [, user = '', count, salt7 = '', hash7] =
    /^(.*):\$7\$(\d+)\$([\w+/]{11,}=*)\$([\w+/]{86}==)$/s.exec(line) ?? []
  const iterations = Number(count)
  if (hash7 === undefined || iterations < 1 || iterations > MOST_ITERATIONS) return undefined
  return { name: user, hash: pbkdf2Hash(iterations, bytesOf(salt7), bytesOf(hash7)) }
}

/** The reason why a line is invalid. Never quotes the line. */
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

/** A hash that no password matches. Checking it takes as long as for a new user. */
export function nobodysHash(): PasswordHash {
  return scryptHash(COST, randomBytes(16), randomBytes(HASH_BYTES))
}

/**
 * True for passwords that neither kind of hash can tell from the same password without the zeros: both begin with an HMAC, which pads
 * its key with zeros.
 */
export function endsWithNul(password: Buffer): boolean {
  return password.at(-1) === 0
}

function isPossible({ N, r, p }: Cost): boolean {
  const isPowerOfTwo = N > 1 && (N & (N - 1)) === 0
  // N < 2^(128r/8), RFC 7914 section 2.
  return isPowerOfTwo && r * p >= 1 && N < 2 ** (16 * r) && N * r * p <= MOST_BLOCKS
}

function scryptHash(cost: Cost, salt: Buffer, hash: Buffer): PasswordHash {
  const { N, r, p } = cost
  // Exactly what OpenSSL needs, because its own limit is too small.
  const options = { ...cost, maxmem: 128 * r * (N + p + 2) }
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
