import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { wrongValue } from '../../errors/misuse.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { ProtocolVersion } from '../../protocol/protocol-version.ts'
import { clientIdField } from '../../wire/fields.ts'
import { variableByteIntegerEnd, writeTwoByteInteger } from '../../wire/integers.ts'
import {
  faultUnlessAllowed,
  lenientScan,
  type Observer,
  Scan,
  type Step,
  scanUtf8String,
} from '../../wire/scan.ts'
import { ConnectPacketBase } from '../connect-packet-base.ts'
import {
  brokenRules,
  ConnectLayout,
  checkedLayout,
  flagRules,
  scanFlagsAndKeepAlive,
  scanFromWillTopic,
  scanProtocol,
  willQos,
} from '../connect-scan.ts'
import { connectFlags, isAsMeasured, packetBuffer, writeProtocol } from '../connect-writer.ts'
import {
  binaryDataSize,
  checkBoolean,
  checkFields,
  checkInteger,
  type Measure,
  readBinaryData,
  readUtf8String,
  utf8StringSize,
  writeBinaryData,
  writeUtf8String,
} from '../values.ts'
import { checkWill, type QoS, Will, type WillFields, writeWill } from '../will.ts'

/** What an MQTT 3.1.1 CONNECT is built from. */
export interface ConnectPacketFields {
  /** Whether the server forgets an earlier session and this one at its end. Section 3.1.2.4. */
  readonly cleanSession: boolean
  /** The longest time between two packets of the client, in seconds, 0 to 65,535; 0 turns the check off. Section 3.1.2.10. */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8; empty only with `cleanSession`. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.4. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes; a string is taken as UTF-8; only with a user name. Default none. Section 3.1.3.5. */
  readonly password?: Uint8Array | string | undefined
}

function isField(name: string): boolean {
  switch (name as keyof ConnectPacketFields) {
    case 'cleanSession':
    case 'keepAlive':
    case 'clientId':
    case 'will':
    case 'userName':
    case 'password':
      return true
    default:
      return false
  }
}

/** An MQTT 3.1.1 CONNECT. It is its encoded bytes: immutable, compared, ordered and sent as they are. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or of the wrong type, `ERR_INVALID_ARG_VALUE` if
   *   there is a field that this packet does not have, will properties among them, or a getter that does not give
   *   the same twice.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 3.1.1, with the code that decoding them would give.
   */
  constructor(fields: ConnectPacketFields)
  /** @internal A packet that has been scanned. */
  constructor(layout: ConnectLayout)
  constructor(from: ConnectPacketFields | ConnectLayout) {
    super(from instanceof ConnectLayout ? from : build(from))
  }

  get protocolVersion(): typeof ProtocolVersion.v3_1_1 {
    return ProtocolVersion.v3_1_1
  }

  /** Whether the server forgets an earlier session and this one at its end. Section 3.1.2.4. */
  get cleanSession(): boolean {
    return this.clean
  }

  get will(): Will | undefined {
    const { bytes, flags, willTopic, willMessage } = this.layout
    if (willTopic === 0) return undefined
    return new Will(
      {
        topic: readUtf8String(bytes, willTopic),
        message: readBinaryData(bytes, willMessage),
        qos: willQos(flags) as QoS,
        retain: (flags & ConnectFlag.willRetain) !== 0,
      },
      true,
    )
  }

  /**
   * A new packet with some fields changed; one given as `undefined` is removed.
   *
   * @throws as the constructor does.
   */
  with(changes: Partial<ConnectPacketFields>): ConnectPacket {
    checkFields('changes', changes, isField)
    const { cleanSession, keepAlive, clientId, will, userName, password } = this
    return new ConnectPacket({ cleanSession, keepAlive, clientId, will, userName, password, ...changes })
  }

  /** `v3_1_1::connect{cid:…,ka:…,cs:…,un:…,pw:*****,will:{…}}`; absent parts are left out. */
  override toString(): string {
    return this.text('v3_1_1')
  }

  /** @internal */
  protected observe(observer: Observer): void {
    const lenient = lenientScan(ProtocolVersion.v3_1_1, observer)
    scanProtocol(lenient, this.bytes)
    scan(lenient.v3_1_1, this.bytes, this.layout.start)
  }

  /** The fields under their names; the password is never shown. */
  toJSON(): object {
    const { protocolVersion, cleanSession } = this
    return { protocolVersion, cleanSession, ...this.commonJson() }
  }
}

/**
 * Checks what stands behind the protocol level of a packet whose variable header begins at `start`, and finds its
 * fields. MQTT 3.1.1 section 3.1.
 */
export function scan(scan: Scan, bytes: Buffer, start: number): ConnectLayout | Fault {
  const layout = new ConnectLayout(bytes, start)
  const end = bytes.length
  let at: Step = scanFlagsAndKeepAlive(scan, bytes, layout.flagsAt, flagsBroken)
  if (typeof at !== 'number') return at
  const flags = layout.flags

  layout.clientId = at
  at = scanUtf8String(scan, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if ((flags & ConnectFlag.clean) === 0 && at === layout.clientId + 2) {
    const wrong = emptyClientId(scan, layout.clientId)
    if (wrong !== undefined) return wrong
  }
  return scanFromWillTopic(scan, layout, at)
}

const flagsBroken = brokenRules([
  ...flagRules,
  {
    code: 'password-without-user-name',
    broken: (flags) => (flags & (ConnectFlag.userName | ConnectFlag.password)) === ConnectFlag.password,
    expected: 'a user name with the password',
    got: () => 'none',
  },
])

function emptyClientId(scan: Scan, at: number): Fault | undefined {
  const expected = 'a client id, or clean session'
  return faultUnlessAllowed(scan, 'client-id-empty', clientIdField, at, expected, 'neither')
}

const strictScan = new Scan(ProtocolVersion.v3_1_1).v3_1_1

/** The packet's bytes, checked as those of any peer. */
function build(fields: ConnectPacketFields): ConnectLayout {
  const bytes = encode(fields, 'guess')
  return checkedLayout(scan(strictScan, bytes, variableByteIntegerEnd(bytes, 1, bytes.length)))
}

/** Writes the fields as they are; refuses only what no packet could carry. */
function encode(fields: ConnectPacketFields, measure: Measure): Buffer {
  checkFields('fields', fields, isField)
  const { cleanSession, keepAlive, clientId, will, userName, password } = fields
  checkBoolean('cleanSession', cleanSession)
  checkInteger('keepAlive', keepAlive, 0xffff)
  let size = 10 + utf8StringSize('clientId', clientId, measure)
  if (will !== undefined) {
    size += checkWill(will, measure)
    if (will.props !== undefined && will.props.length > 0)
      throw wrongValue('will.props', 'none in MQTT 3.1.1')
  }
  if (userName !== undefined) size += utf8StringSize('userName', userName, measure)
  if (password !== undefined) size += binaryDataSize('password', password, measure)

  const bytes = packetBuffer(size)
  let at = writeProtocol(bytes, bytes.length - size, ProtocolVersion.v3_1_1)
  bytes[at++] = connectFlags(cleanSession, will, userName, password)
  at = writeTwoByteInteger(bytes, at, keepAlive)
  at = writeUtf8String(bytes, at, clientId)
  if (will !== undefined) at = writeWill(bytes, at, will)
  if (userName !== undefined) at = writeUtf8String(bytes, at, userName)
  if (password !== undefined) at = writeBinaryData(bytes, at, password)
  return isAsMeasured(bytes, at, measure) ? bytes : encode(fields, 'exact')
}
