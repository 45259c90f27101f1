import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { type ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import { FileError, readNamedFile } from '../settings/files.ts'
import { parseJson } from '../settings/json.ts'
import { type Check, deny, ignore } from './decision.ts'
import { fetchLimited, ServiceError, serviceAt } from './fetch-limited.ts'
import type { AuthenticationConfig } from './options.ts'
import { type Client, Slots } from './slots.ts'

/** Loaded only if tokens are checked, because loading it is a tenth of the gateway's start. */
type Jose = typeof import('jose')

type JwtConfig = NonNullable<AuthenticationConfig['jwt']>

/** Finds the key of a client's token. */
type Keys = (...question: [...Token, Client]) => ReturnType<JWTVerifyGetKey>
type Token = Parameters<JWTVerifyGetKey>

/** A JWT has three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The largest key set that is read from a URL, in bytes. */
const LARGEST_KEY_SET = 1024 * 1024

/** The time that loading a key set may take, in seconds. */
const PATIENCE = 3

/** The number of clients that may wait for the keys, because each of them keeps its packet in memory. */
const MOST_WAITING = 1000

/** The time in milliseconds between two loads of a key set, whether the first has failed or not. */
const BETWEEN_LOADS = 30_000
/** The time in milliseconds after which keys from a URL are loaded again. */
const FRESH = 600_000
/** The time in milliseconds between two loads while no key can be used. */
const BETWEEN_TRIES = 1000

/** The reasons for refusing a token, by jose's error codes. */
const faults: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "the token's signature is wrong",
  ERR_JWKS_NO_MATCHING_KEY: 'the key set has no key for the token',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the key set has several keys for the token, which names none of them',
  ERR_JOSE_ALG_NOT_ALLOWED: "the token's algorithm isn't allowed",
  ERR_JOSE_NOT_SUPPORTED: "the token needs an algorithm or an extension that isn't supported",
  ERR_JWS_INVALID: "the token can't be decoded",
  ERR_JWT_INVALID: "the token can't be decoded",
}

/** The reasons for refusing a token with an invalid claim. */
const claimFaults: Readonly<Record<string, string>> = {
  iss: 'the token comes from a different issuer',
  aud: 'the token is for a different audience',
  nbf: "the token isn't valid yet",
}

/**
 * Checks a JWT in the password. Its subject becomes the user name, and the connection is closed when the token expires. Other
 * passwords are left to the next check.
 *
 * @throws FileError if the file with the keys cannot be used
 */
export function jwtPassword(options: JwtConfig): Check {
  const loading = import('jose')
  const { issuer, audience, algorithms, userNameClaim, clientIdClaim } = options
  const keys = keySet(options, loading)
  const expected = {
    algorithms,
    requiredClaims: ['exp'],
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  }
  return async ({ password, clientId }: ConnectPacket, client: Client) => {
    if (password === undefined) return ignore('the client has no password')
    const token = password.toString('latin1')
    if (!JWT.test(token)) return ignore("the password isn't a token")
    const jose = await loading
    if (!hasHeader(jose, token)) return ignore("the password isn't a token")
    try {
      const { payload } = await jose.jwtVerify(token, (...parts: Token) => keys(...parts, client), expected)
      const userName = payload[userNameClaim]
      if (typeof userName !== 'string' || userName === '') {
        return deny(ConnectReasonCode.notAuthorized, `the token has no ${userNameClaim}`)
      }
      if (clientIdClaim !== undefined && payload[clientIdClaim] !== clientId) {
        return deny(ConnectReasonCode.clientIdentifierNotValid, 'the token is for a different client id')
      }
      return { allow: true, userName, expiresAt: payload.exp! * 1000 }
    } catch (error) {
      const fault = faultOf(jose, error as Error)
      if (fault === undefined) throw error
      return deny(ConnectReasonCode.badUserNameOrPassword, fault)
    }
  }
}

/** False for ordinary passwords that have two dots. */
function hasHeader({ decodeProtectedHeader }: Jose, text: string): boolean {
  try {
    decodeProtectedHeader(text)
    return true
  } catch {
    return false
  }
}

/** The reason for refusing a token. `undefined` if the key set is to blame, so the client may try again. */
function faultOf({ errors }: Jose, error: Error): string | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error
    if (reason === 'missing') return `the token has no ${claim}`
    return (reason === 'check_failed' && claimFaults[claim]) || `the token's claim ${claim} is invalid`
  }
  return error instanceof errors.JOSEError ? faults[error.code] : undefined
}

/** @throws FileError */
function keySet(options: JwtConfig, loading: Promise<Jose>): Keys {
  const isUrl = /^https?:/.test(options.keys)
  const opened = isUrl ? remoteKeySet(options.keys, loading) : localKeySet(options, loading)
  return async (...question) => (await opened)(...question)
}

/** @throws FileError synchronously, not as the rejection */
function localKeySet(options: JwtConfig, loading: Promise<Jose>): Promise<Keys> {
  const keys = readKeys(options)
  return loading.then((jose) => {
    const find = jose.createLocalJWKSet(keys)
    return (header, token) => usable(jose, 'the key set', () => find(header, token))
  })
}

/**
 * The keys at a URL. Clients wait only if their key isn't known, and they take turns by address, so that the others are served even while
 * the service hangs. Failed loads also count for the time between two loads, because anybody can send a token with an unknown key.
 */
async function remoteKeySet(url: string, loading: Promise<Jose>): Promise<Keys> {
  const jose = await loading
  const service = serviceAt('the key set', url)
  const limits = { timeout: PATIENCE, most: LARGEST_KEY_SET }
  const keys = jose.createRemoteJWKSet(new URL(url), {
    [jose.customFetch]: async (from, request) =>
      new Response(await fetchLimited(service, from, request, limits)),
    // jose's own would begin only after a success, and its cache keeps time by the system's clock, which can jump.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  })
  const slots = new Slots(1, MOST_WAITING, service)
  let loadedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: Error | undefined

  const areFresh = () => performance.now() - loadedAt < FRESH

  const load = async (): Promise<void> => {
    if (performance.now() - triedAt < (areFresh() ? BETWEEN_LOADS : BETWEEN_TRIES)) {
      if (failure) throw failure
      return
    }
    failure = undefined
    try {
      await usable(jose, service, keys.reload)
      loadedAt = performance.now()
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      triedAt = performance.now()
    }
  }

  return async (header, token, client) => {
    const find = () => usable(jose, service, () => keys(header, token))
    if (areFresh()) {
      try {
        return await find()
      } catch (error) {
        if (!(error instanceof jose.errors.JWKSNoMatchingKey)) throw error
      }
    }
    return slots.run(client, async () => {
      await load()
      return find()
    })
  }
}

/** Names the key set in errors that it is to blame for. */
async function usable<T>(jose: Jose, service: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ServiceError || faultOf(jose, error as Error) !== undefined) throw error
    throw new Error(`${service} can't be used: ${(error as Error).message}`)
  }
}

/** The smallest RSA key that jose verifies with, in bits. RFC 7518, section 3.3. */
const SMALLEST_RSA = 2048

/** jose rejects private keys, although they contain public ones, and ignores keys for a different purpose. */
function isUsable(key: JsonWebKey): boolean {
  const { use = 'sig', key_ops: purposes = ['verify'] } = key
  if (key.d !== undefined || use !== 'sig' || !Array.isArray(purposes) || !purposes.includes('verify'))
    return false
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    return (asymmetricKeyDetails?.modulusLength ?? SMALLEST_RSA) >= SMALLEST_RSA
  } catch {
    return false
  }
}

/** The curves of the algorithms. The other algorithms use RSA. */
const curves: Readonly<Record<string, string>> = {
  ...{ ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' },
  ...{ EdDSA: 'Ed25519', Ed25519: 'Ed25519' },
}

function isFor(algorithm: string, { kty, crv, alg = algorithm }: JsonWebKey): boolean {
  return alg === algorithm && (crv ?? kty) === (curves[algorithm] ?? 'RSA')
}

/** @throws FileError */
function readKeys({ keys: path, algorithms }: JwtConfig): JSONWebKeySet {
  try {
    const found = parseJson(readNamedFile(path)) as Partial<JSONWebKeySet> | null
    const isObject = (key: unknown) => typeof key === 'object' && key !== null && !Array.isArray(key)
    if (!Array.isArray(found?.keys) || !found.keys.every(isObject)) throw new Error('it has no list of keys')
    const keys: JsonWebKey[] = found.keys.filter(isUsable)
    if (!algorithms.some((algorithm) => keys.some((key) => isFor(algorithm, key))))
      throw new Error(`it has no public key that can be used with ${algorithms.join(', ')}`)
    return found as JSONWebKeySet
  } catch (error) {
    throw error instanceof FileError
      ? error
      : new FileError(path, `is not a JWKS: ${(error as Error).message}`)
  }
}
