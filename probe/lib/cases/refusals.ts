import { type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import { unavailableCodes } from '../packets.ts'
import { differs, type Finding, notTested, violates } from '../result.ts'
import { hexCode, type Setting, type Trial, unique } from '../trial.ts'
import { connackOf } from './connack.ts'

/* A valid CONNECT that a server refuses: what the standards leave to the server, and what they don't. */

/** Client ids that every server accepts [MQTT-3.1.3-5]. */
const common = /^[0-9a-zA-Z]{1,23}$/

/** A CONNECT that is larger than this may exceed a limit of the server, which 3.1.1 has no code for. */
const LARGE = 4096

/** The codes that don't tell the reason: unspecified error, and implementation specific error. Only 5.0 has them. */
const generic: readonly (number | undefined)[] = [0x80, 0x83]

/** A part of a CONNECT that a server may refuse, with the codes that say so. */
interface Choice {
  readonly isIn: (packet: ConnectPacket) => boolean
  readonly codes: readonly number[]
  readonly codesBefore5: readonly number[]
}

/** True for client ids that aren't the probe's own, so a server that knows the probe may not know them. */
const hasForeignId = ({ clientId }: ConnectPacket): boolean => !clientId.startsWith('probe')
const hasUncommonId = ({ clientId }: ConnectPacket): boolean => !common.test(clientId)
const hasCredentials = ({ userName, password }: ConnectPacket): boolean =>
  userName !== undefined || password !== undefined

const choices: readonly Choice[] = [
  { isIn: () => true, codes: unavailableCodes[5], codesBefore5: unavailableCodes[4] },
  { isIn: hasUncommonId, codes: [0x85], codesBefore5: [2] },
  { isIn: hasForeignId, codes: [0x87], codesBefore5: [5] },
  { isIn: hasCredentials, codes: [0x86, 0x87], codesBefore5: [4, 5] },
  { isIn: hasMethod, codes: [0x87, 0x8c], codesBefore5: [] },
  { isIn: ({ will }) => will !== undefined, codes: [0x87, 0x90, 0x99], codesBefore5: [5] },
  { isIn: ({ will }) => will?.retain === true, codes: [0x9a], codesBefore5: [] },
  { isIn: ({ will }) => (will?.qos ?? 0) > 0, codes: [0x9b], codesBefore5: [] },
  { isIn: ({ size }) => size > 128, codes: [0x95], codesBefore5: [] },
]

/** The codes of a server that doesn't know the client, or doesn't say why it refuses it. `undefined`: it closes without a CONNACK. */
const clientCodes: readonly (number | undefined)[] = [4, 5, 0x86, 0x87, ...generic, undefined]

export function hasMethod(packet: ConnectPacket): boolean {
  return packet.protocolVersion === 5 && packet.property(PropertyId.authenticationMethod) !== undefined
}

/** A refused packet. */
export interface Refused {
  readonly packet: ConnectPacket
  readonly title: string
  /** The code of the CONNACK; `undefined` if the server closed the connection without one, or after one that accepts the client. */
  readonly code: number | undefined
  readonly when?: string
  /** True if the packet has an encoding that current clients don't send. */
  readonly isUnusual: boolean
}

/** The finding for a valid packet that the server refused, which may be due to its own limits. */
export async function judgeRefusal(trial: Trial, refused: Refused): Promise<Finding> {
  const { title, code, when, isUnusual } = refused
  const choice = chosen(refused, trial.setting) ?? (await limited(trial, refused))
  if (choice !== undefined) return choice
  const text =
    code === undefined
      ? `The server closed the connection ${when}: ${title}.`
      : `The server refused a valid packet with ${hexCode(code)}: ${title}.`
  return isUnusual ? differs(text) : violates(text)
}

/** The finding if the packet itself shows that the server has the choice. */
function chosen(
  { packet, title, code, when }: Refused,
  { userName, password }: Setting,
): Finding | undefined {
  const is5 = packet.protocolVersion === 5
  const how = code === undefined ? 'closed the connection' : `answered ${hexCode(code)}`
  if (userName !== undefined && !hasCredentials(packet) && clientCodes.includes(code)) {
    return notTested(
      `The server ${how}. It may require a user name, and the one of the run would change the packet's unusual encoding.`,
    )
  }
  const own = choices.filter(({ isIn }) => isIn(packet))
  const codes = own.flatMap((one) => (is5 ? one.codes : one.codesBefore5))
  if (code !== undefined && codes.includes(code))
    return notTested(`The server refused the packet, as it may: ${hexCode(code)}.`)
  if (code !== undefined && !(is5 && generic.includes(code))) return undefined
  const isForeign = packet.userName !== userName || packet.password?.toString() !== password
  if (userName !== undefined && isForeign) return notTested(`The server ${how}. It may not know this client.`)
  if (hasMethod(packet)) {
    return code === undefined
      ? notTested('The server does not support the authentication method, and closed the connection.')
      : notTested(`The server refused the packet, as it may: ${hexCode(code)}.`)
  }
  const full = code === undefined ? `${how} ${when}` : how
  if (packet.size > LARGE)
    return differs(`The server ${full}: ${title}. The packet may be over a limit of the server.`)
  // A 5.0 server may close without a CONNACK [MQTT-3.1.3-8, MQTT-3.1.4-2], but an earlier one should say why.
  if (hasUncommonId(packet)) {
    return is5
      ? notTested(`The server ${how}. It may refuse this client id.`)
      : differs(`The server ${full}. It may refuse this client id with code 2.`)
  }
  if (isForeign) {
    return is5
      ? notTested(`The server ${how}. It may not know this client.`)
      : differs(`The server ${full}. It may refuse this client with code 4 or 5.`)
  }
  return undefined
}

/** The finding if the packet exceeds a limit that the server states, or if the server refuses an ordinary will of the same kind. */
async function limited(trial: Trial, { packet, title, code, when }: Refused): Promise<Finding | undefined> {
  const { will } = packet
  const how = code === undefined ? `closed the connection ${when}` : `answered ${hexCode(code)}`
  if (packet.protocolVersion === 5) {
    const connack = connackOf((await trial.connect()).connection)
    const maximum = connack.property(PropertyId.maximumPacketSize)
    if (maximum !== undefined && maximum < packet.size)
      return notTested(`The server ${how}: ${title}. It says that it takes at most ${maximum} bytes.`)
    if ((will?.qos ?? 0) > (connack.property(PropertyId.maximumQos) ?? 2))
      return differs(`The server ${how}: ${title}. Expected code 0x9B, QoS not supported.`)
    if (will?.retain === true && connack.property(PropertyId.retainAvailable) === 0)
      return differs(`The server ${how}: ${title}. Expected code 0x9A, retain not supported.`)
  }
  if (will === undefined || (code !== undefined && !generic.includes(code))) return undefined
  // The topic stays, because a server may allow some topics only.
  const { topic, qos, retain } = will
  const ordinary = trial.packet({ clientId: unique(), will: { topic, message: 'w', qos, retain } })
  const { answer } = await trial.offer(ordinary)
  if (answer?.code === 0) return undefined
  const kind = [qos > 0 ? `QoS ${qos}` : '', retain ? 'will retain' : ''].filter((one) => one !== '')
  const wills = kind.length === 0 ? 'wills' : `wills with ${kind.join(' and ')}`
  return differs(`The server ${how}: ${title}. It may refuse ${wills}.`)
}
