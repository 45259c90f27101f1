import { z } from 'zod'
import { count, file, seconds } from '../settings/values.ts'

/** The signatures that a JWKS can have keys for, and Node 20 can check. */
const ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['EdDSA', 'Ed25519'],
] as const

/** The fields of `CertificateNames`. */
const CERTIFICATE_NAMES = ['commonName', 'dns', 'email', 'uri', 'subject', 'fingerprint', 'serial'] as const

const checks = z.strictObject({
  module: z
    .strictObject({
      file: file.describe('Its default export is the function. It is loaded once, not with a reload.'),
      timeout: seconds.default(10).describe('For one answer, in seconds.'),
    })
    .optional()
    .describe('A JavaScript module of yours decides, before all other checks.'),
  certificate: z
    .strictObject({
      userName: z
        .enum(CERTIFICATE_NAMES)
        .default('commonName')
        .describe(
          '`subject` as in RFC 4514, `fingerprint` of SHA-256 in lower case, `serial` in upper case, both hexadecimal. Behind a PROXY header there is only `commonName`.',
        ),
    })
    .optional()
    .describe('The name in a verified client certificate becomes the user name.'),
  jwt: z
    .strictObject({
      keys: z.union([z.url({ protocol: /^https?$/ }), file]).describe('A JWKS: a URL or a file.'),
      issuer: z.string().optional().describe('What the claim `iss` must be.'),
      audience: z.string().optional().describe('What the claim `aud` must be, or contain.'),
      algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['ES256', 'RS256', 'EdDSA']),
      userNameClaim: z.string().min(1).default('sub').describe('This claim becomes the user name.'),
      clientIdClaim: z.string().min(1).optional().describe('This claim must be the client id.'),
    })
    .optional()
    .describe('The password is a JWT.'),
  users: z
    .strictObject({
      file,
      concurrency: count.default(2).describe('How many passwords a worker hashes at once.'),
      waiting: count
        .default(500)
        .describe(
          'How many clients may wait for that, in each worker. Addresses take turns. More are refused.',
        ),
      cacheSeconds: seconds.default(300).describe('How long a password that was right is not hashed again.'),
    })
    .optional()
    .describe('A file of lines that `mqtt-connect-gateway user NAME` or `mosquitto_passwd` prints.'),
  http: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      authorizationFile: file.optional().describe('Holds the value of the header Authorization.'),
      timeout: seconds.default(3).describe('For one answer, in seconds.'),
      concurrency: count.default(50).describe('How many requests a worker has at once.'),
      waiting: count
        .default(1000)
        .describe(
          'How many clients may wait for that, in each worker. Addresses take turns. More are refused.',
        ),
      denialCacheSeconds: seconds.default(10).describe('How long the same credentials stay denied.'),
    })
    .optional()
    .describe('Asks a service of yours with POST.'),
  enhanced: z
    .enum(['refuse', 'forward'])
    .default('refuse')
    .describe(
      'MQTT 5.0 clients with an authentication method, which only `module` sees. Without any check they are forwarded.',
    ),
})

/** For the clients of all listeners that have no checks of their own. */
export const authentication = checks.prefault({})

/** For the clients of one listener. The documents don't list all of it again. */
export const ownAuthentication = checks
  .optional()
  .meta({ $comment: 'listed elsewhere' })
  .describe(
    'As the common `authentication`, which then counts for nothing here. With `{}` the broker decides about the clients of this listener.',
  )

export type AuthenticationConfig = z.infer<typeof authentication>
