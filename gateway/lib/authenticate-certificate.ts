import { ConnectReasonCode } from 'mqtt-connect-packet'
import { type Check, deny } from './authentication.ts'
import type { Config } from './config.ts'

/** The name in a verified client certificate becomes the user name. Clients without one are left to the next check. */
export function clientCertificate({ userName }: NonNullable<Config['authentication']['certificate']>): Check {
  return (_packet, { tls }) => {
    if (tls?.certificate === undefined) return undefined
    const name = tls.certificate[userName]
    if (name) return { allow: true, userName: name }
    return deny(ConnectReasonCode.notAuthorized, `the client certificate has no ${userName}`)
  }
}
