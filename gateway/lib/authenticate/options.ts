import { z } from 'zod'
import { count, file, httpUrl, seconds } from '../settings/values.ts'

/** The signature algorithms that a JWKS can have keys for and Node 20 can verify. */
const ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['EdDSA', 'Ed25519'],
] as const

/** The fields of `CertificateNames`. */
const CERTIFICATE_NAMES = ['commonName', 'dns', 'email', 'uri', 'subject', 'fingerprint', 'serial'] as const

const checks = z.strictObject({
  module: z
    .strictObject({
      file: file.describe(
        "The module's default export is the function. A reload doesn't load the module again.",
      ),
      timeout: seconds.default(10).describe('Seconds to wait for an answer.'),
    })
    .optional()
    .describe('Asks your own JavaScript module, before all other checks.'),
  certificate: z
    .strictObject({
      userName: z
        .enum(CERTIFICATE_NAMES)
        .default('commonName')
        .describe(
          '`subject` is written as in RFC 4514, `fingerprint` (SHA-256) in lower-case and `serial` in upper-case hexadecimal. With a PROXY header, only `commonName` is known.',
        ),
    })
    .optional()
    .describe('A name from a verified client certificate becomes the user name.'),
  jwt: z
    .strictObject({
      keys: z.union([httpUrl, file]).describe('A JWKS, from a URL or a file.'),
      issuer: z.string().min(1).optional().describe('The required value of the claim `iss`.'),
      audience: z.string().min(1).optional().describe('The claim `aud` must be or contain this value.'),
      algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['ES256', 'RS256', 'EdDSA']),
      userNameClaim: z.string().min(1).default('sub').describe('This claim becomes the user name.'),
      clientIdClaim: z.string().min(1).optional().describe('This claim must equal the client id.'),
    })
    .optional()
    .describe('Accepts a JWT as the password.'),
  users: z
    .strictObject({
      file,
      concurrency: count
        .default(2)
        .describe('The number of passwords that a worker hashes at the same time.'),
      waiting: count
        .default(500)
        .describe("The maximum number of clients in a worker's queue, which serves addresses in turn."),
      cacheSeconds: seconds.default(300).describe('Seconds to cache the result of a password check.'),
    })
    .optional()
    .describe(
      'Checks user names and passwords against a file of lines from `mqtt-connect-gateway user NAME` or `mosquitto_passwd`.',
    ),
  http: z
    .strictObject({
      url: httpUrl,
      authorizationFile: file.optional().describe('A file with the value of the header Authorization.'),
      timeout: seconds.default(3).describe('Seconds to wait for an answer.'),
      concurrency: count.default(50).describe('The number of requests that a worker makes at the same time.'),
      waiting: count
        .default(1000)
        .describe("The maximum number of clients in a worker's queue, which serves addresses in turn."),
      denialCacheSeconds: seconds.default(10).describe('Seconds to cache a denial.'),
    })
    .optional()
    .describe('Asks your own service with a POST.'),
  enhanced: z
    .enum(['refuse', 'forward'])
    .optional()
    .describe(
      'Refuses MQTT 5.0 clients that have an authentication method, or leaves them to the broker. Only `module` sees the method. Default: `"refuse"` if there is any check, and without one they are always forwarded.',
    ),
})

/** The checks for all listeners without checks of their own. */
export const authentication = checks.prefault({})

/** The checks of one listener. The documents don't repeat the list of options here. */
export const ownAuthentication = checks
  .optional()
  .meta({ $comment: 'listed elsewhere' })
  .describe(
    "Replaces the common `authentication` for this listener's clients. With `{}` they are forwarded unchecked, and the broker decides.",
  )

export type AuthenticationConfig = z.infer<typeof authentication>

/** True if anything is checked. Otherwise all clients are forwarded. */
export function hasCheck({ module, certificate, jwt, users, http }: AuthenticationConfig): boolean {
  return [module, certificate, jwt, users, http].some((check) => check !== undefined)
}
