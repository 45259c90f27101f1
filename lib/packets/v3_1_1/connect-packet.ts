import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { PROTOCOL_HEADER_LENGTH } from '../../protocol/limits.ts'
import { ProtocolVersion } from '../../protocol/protocol-version.ts'
import { clientIdField } from '../../wire/fields.ts'
import { variableByteIntegerEnd } from '../../wire/integers.ts'
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
  flagRules,
  scanFlagsAndKeepAlive,
  scanFromWillTopic,
  scanProtocol,
} from '../connect-scan.ts'
import { type Format, writeConnect } from '../connect-writer.ts'
import { scanned } from '../scanned.ts'
import { checkBoolean, checkObject, noSuchField, prefixedEnd } from '../values.ts'
import type { Will, WillFields } from '../will.ts'

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

function checkNames(what: string, fields: Partial<ConnectPacketFields>): void {
  checkObject(what, fields)
  for (const name in fields) if (!isField(name)) throw noSuchField(what, name)
}

/** An MQTT 3.1.1 CONNECT. It is its encoded bytes: immutable, compared, ordered and sent as they are. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or of the wrong type, `ERR_INVALID_ARG_VALUE` if
   *   there is a field that this packet does not have, will properties among them, a lone surrogate in binary data,
   *   or a getter that does not give the same twice.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 3.1.1, with the code that decoding them would give.
   */
  constructor(fields: ConnectPacketFields)
  /** @internal A packet that has been scanned; its variable header begins at `start`. */
  constructor(bytes: Buffer, start: number, key: typeof scanned)
  constructor(from: ConnectPacketFields | Buffer, start = 0, key?: typeof scanned) {
    const bytes = key === scanned ? (from as Buffer) : build(from as ConnectPacketFields)
    super(bytes, key === scanned ? start : variableByteIntegerEnd(bytes, 1, bytes.length))
  }

  get protocolVersion(): typeof ProtocolVersion.v3_1_1 {
    return ProtocolVersion.v3_1_1
  }

  /** Whether the server forgets an earlier session and this one at its end. Section 3.1.2.4. */
  get cleanSession(): boolean {
    return this.clean
  }

  get will(): Will | undefined {
    return (this.flags & ConnectFlag.will) === 0 ? undefined : this.readWill(this.willTopicAt, undefined)
  }

  /** @internal */
  protected get clientIdAt(): number {
    return this.start + PROTOCOL_HEADER_LENGTH + 3
  }

  /** @internal */
  protected get willTopicAt(): number {
    return prefixedEnd(this.encoded, this.clientIdAt)
  }

  /**
   * A new packet with some fields changed; one given as `undefined` is removed.
   *
   * @throws as the constructor does.
   */
  with(changes: Partial<ConnectPacketFields>): ConnectPacket {
    checkNames('changes', changes)
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
    scan(lenient.v3_1_1, this.bytes, this.start)
  }

  /** The fields under their names; the password is never shown. */
  toJSON(): object {
    const { protocolVersion, cleanSession } = this
    return { protocolVersion, cleanSession, ...this.commonJson() }
  }
}

/**
 * Checks what stands behind the protocol level of a packet whose variable header begins at `start`. MQTT 3.1.1 section 3.1.
 */
export function scan(scan: Scan, bytes: Uint8Array, start: number): Fault | undefined {
  const end = bytes.length
  const flagsAt = start + PROTOCOL_HEADER_LENGTH
  let at: Step = scanFlagsAndKeepAlive(scan, bytes, flagsAt, flagsBroken)
  if (typeof at !== 'number') return at
  const flags = bytes[flagsAt]!

  const clientIdAt = at
  at = scanUtf8String(scan, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if ((flags & ConnectFlag.clean) === 0 && at === clientIdAt + 2) {
    const wrong = emptyClientId(scan, clientIdAt)
    if (wrong !== undefined) return wrong
  }
  return scanFromWillTopic(scan, bytes, at, flags)
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

const format: Format = {
  version: ProtocolVersion.v3_1_1,
  flagsBroken,
  scan: (bytes, start) => scan(strictScan, bytes, start),
}

function build(fields: ConnectPacketFields): Buffer {
  checkNames('fields', fields)
  return writeConnect(format, checkBoolean('cleanSession', fields.cleanSession), fields)
}
