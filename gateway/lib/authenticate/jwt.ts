import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { type ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import { FileError, readNamedFile } from '../settings/files.ts'
import { parseJson } from '../settings/json.ts'
import { type Check, deny, ignore } from './decision.ts'
import { fetchLimited, ServiceError, serviceAt } from './fetch-limited.ts'
import type { AuthenticationConfig } from './options.ts'
import { BusyError } from './slots.ts'

/** Loaded only if tokens are checked, because loading it is a tenth of the gateway's start. */
type Jose = typeof import('jose')

/** A JWT has three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The largest key set that is read from a URL, in bytes. */
const LARGEST_KEY_SET = 1024 * 1024

/** The time that loading a key set may take, in seconds. */
const PATIENCE = 3

/** The number of clients that may wait for the keys, because each of them keeps its packet in memory, even if it leaves. */
const MOST_WAITING = 1000

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
export function jwtPassword(options: NonNullable<AuthenticationConfig['jwt']>): Check {
  const loading = import('jose')
  const keys = keySet(options.keys, loading)
  const { issuer, audience, algorithms, userNameClaim, clientIdClaim } = options
  const expected = {
    algorithms,
    requiredClaims: ['exp'],
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  }
  return async ({ password, clientId }: ConnectPacket) => {
    if (password === undefined) return ignore('the client has no password')
    const token = password.toString('latin1')
    if (!JWT.test(token)) return ignore("the password isn't a token")
    const jose = await loading
    try {
      const { payload } = await jose.jwtVerify(token, keys, expected)
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
function keySet(source: string, loading: Promise<Jose>): JWTVerifyGetKey {
  const isUrl = /^https?:/.test(source)
  const service = isUrl ? serviceAt('the key set', source) : 'the key set'
  const opened = isUrl ? remoteKeySet(source, service, loading) : localKeySet(source, loading)
  let waiting = 0
  return async (header, token) => {
    if (waiting >= MOST_WAITING) throw new BusyError(service)
    waiting++
    try {
      return await (await opened)(header, token)
    } catch (error) {
      if (error instanceof ServiceError || faultOf(await loading, error as Error) !== undefined) throw error
      throw new Error(`${service} can't be used: ${(error as Error).message}`)
    } finally {
      waiting--
    }
  }
}

async function remoteKeySet(url: string, service: string, loading: Promise<Jose>): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await loading
  const limits = { timeout: PATIENCE, most: LARGEST_KEY_SET }
  const fetch = async (from: string, request: RequestInit) =>
    new Response(await fetchLimited(service, from, request, limits))
  return createRemoteJWKSet(new URL(url), { [customFetch]: fetch })
}

/** @throws FileError synchronously, not as the rejection */
function localKeySet(path: string, loading: Promise<Jose>): Promise<JWTVerifyGetKey> {
  const keys = readKeys(path)
  return loading.then(({ createLocalJWKSet }) => createLocalJWKSet(keys))
}

function isPublicKey(key: JsonWebKey): boolean {
  try {
    createPublicKey({ key, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

/** @throws FileError */
function readKeys(path: string): JSONWebKeySet {
  try {
    const found = parseJson(readNamedFile(path)) as Partial<JSONWebKeySet> | null
    const isObject = (key: unknown) => typeof key === 'object' && key !== null && !Array.isArray(key)
    if (!Array.isArray(found?.keys) || !found.keys.every(isObject)) throw new Error('it has no list of keys')
    if (!found.keys.some(isPublicKey)) throw new Error('it has no public key that can be used')
    return found as JSONWebKeySet
  } catch (error) {
    throw error instanceof FileError
      ? error
      : new FileError(path, `is not a JWKS: ${(error as Error).message}`)
  }
}
