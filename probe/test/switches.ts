import type { ErrorCode } from 'mqtt-connect-packet'
import { type Vector, vectors } from 'mqtt-connect-packet/testing'

/* The faults that a broker can have, each with the clauses that the probe must report by version. */

export type Switch = string

/** The violated clauses of each version with a violation. */
export type Reported = Readonly<Partial<Record<'3.1' | '3.1.1' | '5.0', readonly string[]>>>

const all = (v3_1: string, v3_1_1: string, v5: string): Reported => ({
  '3.1': [v3_1],
  '3.1.1': [v3_1_1],
  '5.0': [v5],
})
const of5 = (clause: string): Reported => ({ '5.0': [clause] })
const of4And5 = (v3_1_1: string, v5: string): Reported => ({ '3.1.1': [v3_1_1], '5.0': [v5] })

/** All faults except the acceptance of invalid packets. */
export const behaviours: Readonly<Record<string, Reported>> = {
  // CONNACK
  'connack-twice': all('3.2', '3.2', 'MQTT-3.2.0-2'),
  'publishes-before-connack': all('3.2', 'MQTT-3.2.0-1', 'MQTT-3.2.0-1'),
  'acknowledge-flags': of4And5('3.2.2.1', 'MQTT-3.2.2-1'),
  'unknown-code': all('3.2', '3.2.2.3', 'MQTT-3.2.2-8'),
  'connack-with-more-bytes': all('3.2', '3.2.1', '3.2.1'),
  'connack-flags': all('2.1', 'MQTT-2.2.2-2', 'MQTT-2.1.3-1'),
  'connack-property-twice': of5('3.2.2.3'),
  'connack-property-of-connect': of5('3.2.2.3'),
  'connack-receive-maximum-0': of5('3.2.2.3.3'),
  'session-present-with-error': of4And5('MQTT-3.2.2-4', 'MQTT-3.2.2-6'),
  'stays-open-after-refusal': all('3.2', 'MQTT-3.2.2-5', 'MQTT-3.2.2-7'),
  'response-information-unasked': of5('MQTT-3.1.2-28'),
  'does-not-assign-client-id': of5('MQTT-3.2.2-16'),
  'assigns-one-client-id': of4And5('MQTT-3.1.3-6', 'MQTT-3.2.2-16'),
  'forgets-assigned-ids': of5('MQTT-3.1.3-7'),
  'session-present-after-clean-start': of4And5('MQTT-3.2.2-1', 'MQTT-3.2.2-2'),
  'session-never-present': of4And5('MQTT-3.2.2-2', 'MQTT-3.2.2-3'),
  'session-always-present': of4And5('MQTT-3.2.2-3', 'MQTT-3.2.2-3'),
  'closes-on-qos-2': of5('MQTT-3.2.2-9'),
  'refuses-subscription-above-maximum-qos': of5('MQTT-3.2.2-10'),
  'accepts-will-above-maximum-qos': of5('MQTT-3.2.2-12'),
  'accepts-will-retain-unavailable': of5('MQTT-3.2.2-13'),
  // Limits set by the CONNECT
  'ignores-maximum-packet-size': of5('MQTT-3.1.2-24'),
  'long-connack': of5('MQTT-3.1.2-24'),
  'long-refusal': of5('MQTT-3.1.2-24'),
  'long-disconnect': of5('MQTT-3.1.2-24'),
  'closes-instead-of-dropping': of5('MQTT-3.1.2-25'),
  'topic-alias-unasked': of5('MQTT-3.1.2-27'),
  'topic-alias-too-high': of5('MQTT-3.1.2-26'),
  'reason-string-unasked': of5('MQTT-3.1.2-29'),
  // Enhanced authentication
  'ignores-authentication-method': of5('MQTT-4.12.0-1'),
  'changes-authentication-method': of5('MQTT-4.12.0-5'),
  'authentication-method-unasked': of5('MQTT-4.12.0-6'),
  'auth-unasked': of5('MQTT-4.12.0-6'),
  'auth-without-method': of5('MQTT-4.12.0-5'),
  'auth-code': of5('MQTT-3.15.2-1'),
  // DISCONNECT
  'disconnects-before-connack': of5('MQTT-3.14.0-1'),
  'disconnects-after-refusal': of5('MQTT-3.14.0-1'),
  'disconnects-before-5.0': { '3.1': ['3.14'], '3.1.1': ['3.14'] },
  'disconnect-flags': of5('MQTT-3.14.1-1'),
  'disconnect-code': of5('MQTT-3.14.2-1'),
  'disconnect-with-will-code': of5('MQTT-3.14.2-1'),
  'disconnect-with-session-expiry': of5('MQTT-3.14.2-2'),
  'disconnect-with-more-bytes': of5('3.14.2'),
  'sends-after-disconnect': of5('MQTT-3.14.4-1'),
  'stays-open-after-disconnect': of5('MQTT-3.14.4-2'),
  'accepts-expiry-after-none': of5('3.14.2.2.2'),
  'ignores-expiry-of-disconnect': of5('3.14.2.2.2'),
  // Sessions
  'clean-start-keeps': all('3.1', 'MQTT-3.1.2-6', 'MQTT-3.1.2-4'),
  'forgets-sessions': all('3.1', 'MQTT-3.1.2-4', 'MQTT-3.1.2-23'),
  'takes-clean-start-for-clean-session': of5('MQTT-3.1.2-23'),
  'forgets-queue': all('3.1', 'MQTT-3.1.2-5', 'MQTT-3.1.2-23'),
  'forgets-session-at-takeover': all('3.1', 'MQTT-3.1.2-4', 'MQTT-3.1.2-5'),
  'deletes-retained-with-session': of4And5('MQTT-3.1.2-7', '4.1'),
  'session-outlives-interval': of5('MQTT-4.1.0-2'),
  'session-outlives-connection': all('3.1', 'MQTT-3.1.2-6', 'MQTT-4.1.0-2'),
  'expires-while-connected': of5('MQTT-4.1.0-1'),
  'expiry-overflows': of5('3.1.2.11.2'),
  // Wills
  'publishes-no-wills': all('3.1', 'MQTT-3.1.2-8', 'MQTT-3.1.2-8'),
  'publishes-will-after-disconnect': all('3.1', 'MQTT-3.1.2-10', 'MQTT-3.1.2-10'),
  'publishes-will-twice': all('3.1', 'MQTT-3.1.2-10', 'MQTT-3.1.2-10'),
  'publishes-earlier-will': all('3.1', 'MQTT-3.1.2-12', 'MQTT-3.1.2-10'),
  'no-will-after-protocol-error': all('3.1', 'MQTT-3.1.2-8', 'MQTT-3.1.2-8'),
  'no-will-at-takeover': all('3.1', 'MQTT-3.1.2-8', 'MQTT-3.1.2-8'),
  'no-will-after-disconnect-with-error': of5('MQTT-3.1.2-8'),
  'ignores-disconnect-with-will': of5('3.14.2.1'),
  'ignores-will-delay': of5('MQTT-3.1.2-8'),
  'will-delay-overflows': of5('MQTT-3.1.2-8'),
  'keeps-delayed-will': of5('MQTT-3.1.3-9'),
  'will-delay-outlives-session': of5('MQTT-3.1.2-8'),
  'will-not-retained': all('3.1', 'MQTT-3.1.2-17', 'MQTT-3.1.2-15'),
  'will-always-retained': all('3.1', 'MQTT-3.1.2-16', 'MQTT-3.1.2-14'),
  'reads-will-as-text': all('3.1', '3.1.3.3', '3.1.3.4'),
  'publishes-wills-with-qos-0': all('3.1', '3.1.2.6', '3.1.2.6'),
  'sorts-user-properties': of5('MQTT-3.1.3-10'),
  'strips-bom': of4And5('MQTT-1.5.3-3', 'MQTT-1.5.4-3'),
  // Connections
  'accepts-second-connect': all('3.1', 'MQTT-3.1.0-2', 'MQTT-3.1.0-2'),
  'does-not-take-over': all('3.1', 'MQTT-3.1.4-2', 'MQTT-3.1.4-3'),
  'ignores-case-of-client-ids': all('3.1', 'MQTT-3.1.3-2', 'MQTT-3.1.3-2'),
  'shortens-client-ids': all('3.1', 'MQTT-3.1.3-2', 'MQTT-3.1.3-2'),
  'processes-rejected-data': of4And5('MQTT-3.1.4-5', 'MQTT-3.1.4-6'),
  'answers-before-connect': all('3.1', 'MQTT-3.1.0-1', 'MQTT-3.1.0-1'),
  'answers-malformed-connects': { '3.1.1': ['MQTT-3.1.4-1'] },
  'answers-no-pingreq': all('3.12', 'MQTT-3.12.4-1', 'MQTT-3.12.4-1'),
  'refuses-long-client-ids': all('3.1', 'MQTT-3.1.3-5', 'MQTT-3.1.3-5'),
  'refuses-empty-user-names': {
    '3.1': ['3.1'],
    '3.1.1': ['3.1.3.4', '3.1.3.5'],
    '5.0': ['3.1.3.5', '3.1.3.6'],
  },
  'refuses-wills-of-qos-2': all('3.1', '3.1.2.6', '3.1.2.6'),
  'refuses-keep-alive-0': all('3.1', '3.1.2.10', '3.1.2.10'),
  'closes-after-keep-alive-0': all('3.1', '3.1.2.10', '3.1.2.10'),
  'refuses-user-properties': { '5.0': ['2.2.2.2', '2.2.2.1'] },
  'wants-whole-packets': all('3.1', '4.2', '4.2'),
  'drops-what-comes-with-connect': all('3.1', '3.1.4', '3.1.4'),
  'drops-message-before-disconnect': all('3.1', '3.1.4', '3.1.4'),
  // Keep alive
  'ignores-keep-alive': all('3.1', 'MQTT-3.1.2-24', 'MQTT-3.1.2-22'),
  'keep-alive-too-short': all('3.12', 'MQTT-3.12.4-1', 'MQTT-3.12.4-1'),
  'no-will-after-keep-alive': all('3.1', 'MQTT-3.1.2-8', 'MQTT-3.1.2-8'),
}

/** Switches whose cases take long. */
export const slowSwitches: readonly Switch[] = [
  'ignores-keep-alive',
  'keep-alive-too-short',
  'no-will-after-keep-alive',
]

const labels = { 3: '3.1', 4: '3.1.1', 5: '5.0' } as const

/** The clauses that a broker violates by accepting these packets. */
function clausesOf(own: readonly Vector[]): Reported {
  const found: Partial<Record<'3.1' | '3.1.1' | '5.0', string[]>> = {}
  for (const { protocolVersion, clause } of own) {
    const label = labels[protocolVersion]
    found[label] = [...new Set([...(found[label] ?? []), clause])]
  }
  return found
}

/** Codes without a meaning for servers, or for packets that a server may accept. */
const notOfServers: readonly ErrorCode[] = [
  'packet-too-large',
  'more-than-one-packet',
  'packet-incomplete',
  'protocol-mqtt-3-1',
  'protocol-bridge-level',
  'reserved-packet-type',
  'variable-byte-integer-too-long',
  'client-id-too-long',
  'wrong-sender',
]

const ofClients = vectors.filter(
  // DISCONNECT has its own switches, and every AUTH is an error.
  ({ from, code, bytes }) =>
    from === 'client' && code && !notOfServers.includes(code) && !(bytes[0]! >> 4 >= 14),
)

function codesOf(isConnect: boolean): Map<ErrorCode, Vector[]> {
  const found = new Map<ErrorCode, Vector[]>()
  for (const vector of ofClients) {
    if ((vector.bytes[0]! >> 4 === 1) !== isConnect) continue
    found.set(vector.code!, [...(found.get(vector.code!) ?? []), vector])
  }
  return found
}

/**
 * For each error in a CONNECT, a broker that accepts the packet. For each error in a later packet, a broker that ignores the
 * error.
 */
export const acceptances: Readonly<Record<string, Reported>> = Object.fromEntries([
  ...[...codesOf(true)].map(([code, own]) => {
    const clauses = clausesOf(own)
    // In 3.1, those flags are unused rather than reserved.
    if (code === 'fixed-header-flags') delete (clauses as Record<string, unknown>)['3.1']
    return [`accepts-${code}`, clauses] as const
  }),
  ...(
    ['publish-qos', 'publish-dup', 'packet-id-zero', 'fixed-header-flags', 'body-not-allowed'] as const
  ).map((code) => {
    const clauses = clausesOf(codesOf(false).get(code)!)
    // The standard of 3.1 says less about later packets.
    delete (clauses as Record<string, unknown>)['3.1']
    return [`later-${code}`, clauses] as const
  }),
])

/** Errors in a DISCONNECT that a broker ignores, so it discards the will. */
const overlooked = [
  'fixed-header-flags',
  'body-not-allowed',
  'bytes-left-over',
  'field-past-end',
  'property-past-end',
  'property-twice',
  'property-not-allowed-here',
  'property-unknown',
  'variable-byte-integer-not-shortest',
] as const

const ofDisconnect = vectors.filter(
  ({ from, bytes, protocolVersion }) =>
    from === 'client' && bytes.length > 0 && bytes[0]! >> 4 === 14 && protocolVersion > 3,
)

/** For each of these errors, a broker that treats the packet as a valid DISCONNECT. */
export const departures: Readonly<Record<string, Reported>> = Object.fromEntries(
  overlooked.map((code) => {
    // The probe sends the first packet with reason code 0.
    const isSent = ({ bytes }: Vector): boolean => bytes[1]! > 127 || bytes[1] === 0 || bytes[2] === 0
    const own = ofDisconnect.filter((vector) => vector.code === code && isSent(vector))
    const firsts = own.filter(
      ({ protocolVersion }, at) => own.findIndex((one) => one.protocolVersion === protocolVersion) === at,
    )
    return [`overlooks-disconnect-${code}`, clausesOf(firsts)] as const
  }),
)

/** Brokers that break no rule but do only the minimum. */
export const modest: readonly Switch[] = ['terse', 'handshake-only', 'closes-on-other-packets', 'limited']

export const switches: Readonly<Record<Switch, Reported>> = { ...behaviours, ...acceptances, ...departures }
