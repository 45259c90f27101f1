import { z } from 'zod'
import { file, host, network, port, seconds } from '../settings/values.ts'

export const listener = z.strictObject({
  name: z.string().min(1).optional().describe('For rules, templates and logs. Default HOST:PORT.'),
  host: host.default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all of IPv4.'),
  port: port.default(1883).describe('0: any free port.'),
  tls: z
    .strictObject({
      certificates: z
        .array(z.strictObject({ certificate: file, key: file }))
        .min(1)
        .describe('Chosen by the server name (SNI) that the client asks for. The first is the default.'),
      clientCertificates: z
        .strictObject({
          authorities: file.describe('Their certificates, in PEM.'),
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
