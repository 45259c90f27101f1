import { property, v5 } from 'mqtt-connect-packet'
import { type Vector, vectors } from 'mqtt-connect-packet/testing'
import { bodyStart } from '../connection.ts'
import { DISCONNECT, disconnect, versions } from '../packets.ts'
import { differs, type Finding, noAnswer, notTested, passed, violates } from '../result.ts'
import { hexCode, type Trial } from '../trial.ts'
import { type Case, inEach, titleOf } from './case.ts'
import { closesAfter } from './invalid.ts'
import { arrives, type Mortal, mortal, needs, needsWills } from './mortal.ts'

/* The DISCONNECT, from both sides. If the server publishes the will, it considered the DISCONNECT invalid. */

/** Cases that make the server send DISCONNECTs, for the rules about all DISCONNECTs. */
export const disconnectProviders: readonly Case[] = inEach(
  versions,
  'disconnect.says-why',
  { '3.1.1': 'MQTT-4.8.0-1', '5.0': 'MQTT-4.13.1-1' },
  async (trial) => {
    const { connection } = await trial.connect()
    connection.send(Buffer.of(0, 0))
    if (!(await connection.ended(trial.timeout)))
      return notTested('The server does not close the connection: see packet.reserved-packet-type.')
    if (!trial.version.is5) return passed('The server closed the connection.')
    const frame = connection.frames.find((one) => one[0]! >> 4 === DISCONNECT)
    if (frame === undefined)
      return differs('The server closed the connection without the DISCONNECT that says why.')
    return passed(`The server sent a DISCONNECT with ${hexCode(frame[bodyStart(frame)!] ?? 0)}, and closed.`)
  },
  {},
)

/** Errors after which a server waits for the rest of the packet, or that no statement requires a server to detect. */
const notTestable = [
  'packet-incomplete',
  'more-than-one-packet',
  'variable-byte-integer-too-long',
  'wrong-sender',
]

const closes = { '3.1': '3.14', '3.1.1': '3.14.4', '5.0': '3.14.4' }

export const disconnectCases: readonly Case[] = [
  ...disconnectProviders,
  ...inEach(versions, 'disconnect.closes-for-client', closes, async (trial) => {
    // A loaded server may be late once.
    for (let count = 0; count < 2; count++) {
      const { connection } = await trial.connect()
      connection.send(disconnect(trial.version))
      if (await connection.ended(2 * trial.timeout)) return passed('The server closed the connection.')
    }
    return trial.isPrompt
      ? differs('The server left the connection open after the DISCONNECT of the client.')
      : noAnswer(`The server did not close the connection within ${2 * trial.timeout} ms.`)
  }),
  ...inEach(versions, 'will.disconnect-with-will', { '5.0': '3.14.2.1' }, async (trial) => {
    const client = await mortal(trial)
    await trial.leave(client.connection, { reasonCode: 4 })
    if (await arrives(trial, client)) return passed('The will was published.')
    await needsWills(trial)
    return violates(
      'The will was not published after a DISCONNECT with code 4, disconnect with will message.',
    )
  }),
  ...inEach(versions, 'will.disconnect-with-error', { '5.0': 'MQTT-3.1.2-8' }, async (trial) => {
    const client = await mortal(trial)
    await trial.leave(client.connection, { reasonCode: 0x80 })
    if (await arrives(trial, client)) return passed('The will was published.')
    await needsWills(trial)
    const control = await mortal(trial)
    await trial.leave(control.connection, { reasonCode: 4 })
    trial.reported = client.connection
    return (await arrives(trial, control))
      ? violates('The will was not published after a DISCONNECT with code 0x80. Only code 0 discards it.')
      : notTested('The server does not look at the reason code: see will.disconnect-with-will.')
  }),
  ...invalidCases(),
  ...inEach(versions, 'packet.disconnect.session-expiry-from-0', { '5.0': '3.14.2.2.2' }, async (trial) => {
    const props = [property.sessionExpiryInterval(60)]
    const { bytes } = new v5.DisconnectPacket({ reasonCode: 0, props })
    const what = 'a DISCONNECT with a session expiry interval after a CONNECT without one'
    return isNoDisconnect(trial, await mortal(trial), bytes, what)
  }),
]

/** For each error, an invalid DISCONNECT that a lenient server would treat like one with code 0. */
function invalidCases(): Case[] {
  return versions.flatMap((version) => {
    const own = vectors.filter(
      ({ from, code, bytes, protocolVersion }) =>
        from === 'client' &&
        code !== undefined &&
        protocolVersion === version.level &&
        bytes.length > 0 &&
        bytes[0]! >> 4 === DISCONNECT &&
        (bytes[bodyStart(bytes) ?? bytes.length] ?? 0) === 0 &&
        !notTestable.includes(code),
    )
    // MQTT 3.1 says less about this packet.
    const firsts = version.label === '3.1' ? [] : firstOfEachCode(own)
    return firsts.map((vector): Case => {
      const run = async (trial: Trial) =>
        isNoDisconnect(trial, await mortal(trial), vector.bytes, titleOf(vector))
      return { id: `packet.disconnect.${vector.code}`, version, clause: vector.clause, run }
    })
  })
}

function firstOfEachCode(own: readonly Vector[]): Vector[] {
  return own.filter(({ code }, at) => own.findIndex((other) => other.code === code) === at)
}

/** Checks that the server closes after an invalid DISCONNECT, and publishes the will, because the DISCONNECT wasn't valid. */
async function isNoDisconnect(trial: Trial, client: Mortal, bytes: Buffer, what: string): Promise<Finding> {
  const { connection } = client
  const finding = await closesAfter(trial, connection, bytes, what)
  if (finding.verdict !== 'passed') return finding
  if (await arrives(trial, client)) return passed('The server closed the connection and published the will.')
  const control = await mortal(trial)
  trial.reported = connection
  control.connection.send(Buffer.of(0, 0))
  await needs(
    arrives(trial, control),
    'The server publishes no will when it closes a connection: see will.after-protocol-error.',
  )
  return violates(`The server accepted an invalid DISCONNECT, and discarded the will: ${what}.`)
}
