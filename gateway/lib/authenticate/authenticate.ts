import { type ConnectPacket, ConnectReasonCode, PropertyId } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { type Allow, type Check, type Decision, type Deny, deny, ignore } from './decision.ts'
import { httpHook } from './http.ts'
import { jwtPassword } from './jwt.ts'
import { moduleCheck } from './module.ts'
import { type AuthenticationConfig, hasCheck } from './options.ts'
import { BusyError } from './slots.ts'
import { usersFile } from './users.ts'

/** The checks that are configured, in their order. */
export function checksOf(config: AuthenticationConfig): Check[] {
  const { module, certificate, jwt, users, http, enhanced = 'refuse' } = config
  if (!hasCheck(config)) return []
  const checks: Check[] = []
  if (module) checks.push(moduleCheck(module))
  // Only a module sees the authentication method. The other checks must not admit a client whose method nobody has checked.
  if (enhanced === 'refuse') checks.push(refuseMethods)
  if (certificate) checks.push(clientCertificate(certificate))
  // The others would be asked about a password that isn't meant for them.
  if (enhanced === 'forward') checks.push(forwardMethods)
  if (jwt) checks.push(jwtPassword(jwt))
  if (users) checks.push(usersFile(users))
  if (http) checks.push(httpHook(http))
  return checks
}

/** Refuses clients with an authentication method. */
function refuseMethods(packet: ConnectPacket): Decision {
  if (packet.property(PropertyId.authenticationMethod) === undefined) return ignore()
  return deny(ConnectReasonCode.badAuthenticationMethod, 'no check knows authentication methods')
}

/** Leaves clients with an authentication method to the broker. */
function forwardMethods(packet: ConnectPacket): Decision {
  return packet.property(PropertyId.authenticationMethod) === undefined ? ignore() : { allow: true }
}

/** The name in a verified client certificate becomes the user name. Clients without one are left to the next check. */
function clientCertificate({ userName }: NonNullable<AuthenticationConfig['certificate']>): Check {
  return (_packet, { tls }) => {
    if (tls?.certificate === undefined)
      return ignore(tls?.certificateFault ?? 'the client has no certificate')
    const name = tls.certificate[userName]
    if (name) return { allow: true, userName: name }
    return deny(ConnectReasonCode.notAuthorized, `the client certificate has no ${userName}`)
  }
}

/**
 * Asks the checks in turn. Without any check, every client is allowed, and the broker decides. Otherwise, a client is refused if a check
 * fails, or if all of them leave the client to the next check; the reason then lists those of all checks.
 */
export async function authenticate(
  checks: readonly Check[],
  packet: ConnectPacket,
  peer: Peer,
): Promise<Allow | Deny> {
  const reasons: string[] = []
  try {
    for (const check of checks) {
      const decision = await check(packet, peer)
      if (decision.allow === undefined) {
        if (decision.reason) reasons.push(decision.reason)
        continue
      }
      const hasExpired = decision.allow && (decision.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now()
      return hasExpired ? deny(ConnectReasonCode.notAuthorized, 'the credentials have expired') : decision
    }
  } catch (error) {
    const { serverBusy, serverUnavailable } = ConnectReasonCode
    const code = error instanceof BusyError ? serverBusy : serverUnavailable
    return deny(code, (error as Error).message)
  }
  if (checks.length === 0) return { allow: true }
  const { badUserNameOrPassword, notAuthorized } = ConnectReasonCode
  return deny(packet.userName === undefined ? notAuthorized : badUserNameOrPassword, reasons.join('; '))
}
