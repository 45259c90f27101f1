import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { type ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import { FileError, readNamedFile } from '../settings/files.ts'
import { parseJson } from '../settings/json.ts'
import { type Check, deny } from './decision.ts'
import type { AuthenticationConfig } from './options.ts'
import { readLimited } from './read-limited.ts'

/** Three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The largest key set that is read from a URL, in bytes. */
const LARGEST_KEY_SET = 1024 * 1024

/** What is wrong with the key set and not with the token. The client may try again. */
const unavailable: ReadonlySet<string> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/**
 * Checks a JWT in the password. Its subject becomes the user name, and its end the end of the connection. Other passwords are
 * left to the next check.
 *
 * @throws FileError if the file with the keys cannot be used
 */
export function jwtPassword(options: NonNullable<AuthenticationConfig['jwt']>): Check {
  const keys = keySet(options.keys)
  const { issuer, audience, algorithms, userNameClaim, clientIdClaim } = options
  const expected = {
    algorithms,
    requiredClaims: ['exp'],
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  }
  return async ({ password, clientId }: ConnectPacket) => {
    const token = password?.toString('latin1') ?? ''
    if (!JWT.test(token)) return undefined
    try {
      const { payload } = await jwtVerify(token, keys, expected)
      const userName = payload[userNameClaim]
      if (typeof userName !== 'string' || userName === '') {
        return deny(ConnectReasonCode.notAuthorized, `the JWT has no ${userNameClaim}`)
      }
      if (clientIdClaim !== undefined && payload[clientIdClaim] !== clientId) {
        return deny(ConnectReasonCode.clientIdentifierNotValid, 'the JWT is for another client id')
      }
      return { allow: true, userName, expiresAt: payload.exp! * 1000 }
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || unavailable.has(error.code)) throw error
      return deny(ConnectReasonCode.badUserNameOrPassword, `the JWT is not valid: ${error.code}`)
    }
  }
}

/** `fetch`, with a limit for the body. */
async function fetchLimited(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  if (response.status === 200) return new Response(await readLimited(response, LARGEST_KEY_SET))
  await response.body?.cancel()
  return new Response(null, { status: response.status })
}

function keySet(source: string): JWTVerifyGetKey {
  if (/^https?:/.test(source)) {
    return createRemoteJWKSet(new URL(source), { timeoutDuration: 3000, [customFetch]: fetchLimited })
  }
  try {
    return createLocalJWKSet(parseJson(readNamedFile(source)) as JSONWebKeySet)
  } catch (error) {
    throw error instanceof FileError
      ? error
      : new FileError(source, `is not a JWKS: ${(error as Error).message}`)
  }
}
