import { z } from 'zod'
import { count, file, host, network, port, seconds, tcpKeepAlive } from '../settings/values.ts'

/** Browsers leave out the default port, and send `null` for pages from files and in sandboxes. */
const DEFAULT_PORT = /^https:.*:443$|^http:.*:80$/
const origin = z
  .string()
  .toLowerCase()
  .regex(/^([a-z][a-z0-9+.-]*:\/\/[^/?#*\s]+|null)$/, 'must be an origin, such as https://app.example')
  .refine((text) => !DEFAULT_PORT.test(text), 'must not have the default port, because browsers leave it out')

export const listener = z.strictObject({
  name: z.string().min(1).optional().describe('The name in rules, templates and logs. Default: HOST:PORT.'),
  host: host.default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all IPv4 addresses.'),
  port: port.default(1883).describe('0 for any free port.'),
  allow: z
    .array(network)
    .min(1)
    .optional()
    .describe('Admits only clients from these addresses or networks. Checked before anything is read.'),
  deny: z
    .array(network)
    .default([])
    .describe('Keeps out clients from these addresses or networks, even if `allow` includes them.'),
  connections: count.nullable().default(null).describe('Limits the open connections on this listener.'),
  tcpKeepAlive,
  tls: z
    .strictObject({
      certificates: z
        .array(
          z.strictObject({
            certificate: file,
            key: file,
            passphrase: z
              .string()
              .optional()
              .describe(
                'The passphrase of an encrypted key. Use a reference to a variable or a file to keep it out of the configuration.',
              ),
          }),
        )
        .min(1)
        .describe("The client's server name (SNI) selects a certificate. The first one is the default."),
      clientCertificates: z
        .strictObject({
          authorities: file.describe('The certificates of the authorities, in PEM.'),
          revoked: file
            .optional()
            .describe(
              'Certificate revocation lists, in PEM, one for each authority. After the `nextUpdate` of a list, all certificates from that authority are rejected.',
            ),
          required: z
            .boolean()
            .default(true)
            .describe('Refuses clients without a certificate in the TLS handshake.'),
        })
        .optional()
        .describe('Asks clients for a certificate signed by one of these authorities.'),
      minimumVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    })
    .optional()
    .describe('Accepts only TLS.'),
  websocket: z
    .strictObject({
      path: z
        .string()
        .regex(
          /^\/[!"$->@-~]*$/,
          'must begin with / and contain neither ?, # nor what a URL has only encoded',
        )
        .default('/mqtt')
        .describe('The path in the URL. Clients with any other path are refused.'),
      origins: z
        .array(origin)
        .min(1)
        .optional()
        .describe(
          'Admits only pages from these origins, such as `https://app.example`. Clients other than browsers send no origin and are admitted.',
        ),
    })
    .optional()
    .describe('Accepts only MQTT over WebSocket.'),
  proxyProtocol: z
    .strictObject({
      trusted: z.array(network).min(1).describe('Addresses or networks, such as 10.0.0.0/8.'),
      timeout: seconds.default(5).describe('Seconds until the PROXY header must be complete.'),
    })
    .optional()
    .describe(
      'Accepts only connections from the trusted networks that begin with a PROXY header (version 1 or 2).',
    ),
})

export type ListenerConfig = z.infer<typeof listener>
