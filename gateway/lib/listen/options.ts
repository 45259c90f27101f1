import { z } from 'zod'
import { count, file, host, network, port, seconds, tcpKeepAlive } from '../settings/values.ts'

/** As browsers write it. A page of a file, or in a sandbox, has `null`. */
const origin = z
  .string()
  .toLowerCase()
  .regex(/^([a-z][a-z0-9+.-]*:\/\/[^/?#*\s]+|null)$/, 'must be an origin, such as https://app.example')

export const listener = z.strictObject({
  name: z.string().min(1).optional().describe('For rules, templates and logs. Default HOST:PORT.'),
  host: host.default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all of IPv4.'),
  port: port.default(1883).describe('0: any free port.'),
  allow: z
    .array(network)
    .min(1)
    .optional()
    .describe('Only clients from these addresses or networks. Checked before anything is read.'),
  deny: z.array(network).default([]).describe('No clients from these, even if `allow` has them too.'),
  connections: count.nullable().default(null).describe('Open connections of this listener.'),
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
              .describe('Of an encrypted key. A reference to a variable or a file keeps it out of here.'),
          }),
        )
        .min(1)
        .describe('Chosen by the server name (SNI) that the client asks for. The first is the default.'),
      clientCertificates: z
        .strictObject({
          authorities: file.describe('Their certificates, in PEM.'),
          revoked: file
            .optional()
            .describe(
              'Certificate revocation lists, in PEM, one for each authority. After its next update a list is invalid, and nobody gets in.',
            ),
          required: z.boolean().default(true).describe('Refuse clients without one in the TLS handshake.'),
        })
        .optional()
        .describe('Ask clients for a certificate that these authorities have signed.'),
      minimumVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2'),
    })
    .optional()
    .describe('Only TLS.'),
  websocket: z
    .strictObject({
      path: z.string().startsWith('/').default('/mqtt').describe('Of the URL. Others are refused.'),
      origins: z
        .array(origin)
        .min(1)
        .optional()
        .describe(
          'Only pages of these, such as `https://app.example`. Clients that are no browsers send no origin and are admitted.',
        ),
    })
    .optional()
    .describe('Only MQTT over WebSocket.'),
  proxyProtocol: z
    .strictObject({
      trusted: z.array(network).min(1).describe('Addresses or networks, such as 10.0.0.0/8.'),
      timeout: seconds.default(5).describe('For the header, in seconds.'),
    })
    .optional()
    .describe('Connections from the trusted networks must begin with a PROXY header, version 1 or 2.'),
})

export type ListenerConfig = z.infer<typeof listener>
