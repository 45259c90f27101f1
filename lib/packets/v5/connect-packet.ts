import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { PROTOCOL_HEADER_LENGTH } from '../../protocol/limits.ts'
import { ProtocolVersion } from '../../protocol/protocol-version.ts'
import { clientIdField, remainingLengthField } from '../../wire/fields.ts'
import { variableByteIntegerEnd } from '../../wire/integers.ts'
import { lenientScan, notShortest, type Observer, Scan, type Step, scanUtf8String } from '../../wire/scan.ts'
import { ConnectPacketBase } from '../connect-packet-base.ts'
import {
  brokenRules,
  flagRules,
  scanFlagsAndKeepAlive,
  scanFromWillTopic,
  scanProtocol,
} from '../connect-scan.ts'
import { type Format, writeConnect } from '../connect-writer.ts'
import {
  type Property,
  propertiesEnd,
  propertiesText,
  readProperties,
  redactedProperties,
} from '../properties.ts'
import { connectPlace, willPlace } from '../property-places.ts'
import { scanProperties } from '../property-scan.ts'
import { scanned } from '../scanned.ts'
import { checkBoolean, checkObject, noSuchField, prefixedEnd } from '../values.ts'
import type { Will, WillFields } from '../will.ts'

/** What an MQTT 5.0 CONNECT is built from. */
export interface ConnectPacketFields {
  /** Whether the server forgets an earlier session. Section 3.1.2.4. */
  readonly cleanStart: boolean
  /** The longest time between two packets of the client, in seconds, 0 to 65,535; 0 turns the check off. Section 3.1.2.10. */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8; if empty the server assigns one. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.5. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes; a string is taken as UTF-8. Default none. Section 3.1.3.6. */
  readonly password?: Uint8Array | string | undefined
  /** The CONNECT properties, in order. Default none. Section 3.1.2.11. */
  readonly props?: readonly Property[] | undefined
}

function isField(name: string): boolean {
  switch (name as keyof ConnectPacketFields) {
    case 'cleanStart':
    case 'keepAlive':
    case 'clientId':
    case 'will':
    case 'userName':
    case 'password':
    case 'props':
      return true
    default:
      return false
  }
}

function checkNames(what: string, fields: Partial<ConnectPacketFields>): void {
  checkObject(what, fields)
  for (const name in fields) if (!isField(name)) throw noSuchField(what, name)
}

/** An MQTT 5.0 CONNECT. It is its encoded bytes: immutable, compared, ordered and sent as they are. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or of the wrong type, `ERR_INVALID_ARG_VALUE` if
   *   there is a field that this packet does not have, a lone surrogate in binary data, or a getter that does not give
   *   the same twice.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   */
  constructor(fields: ConnectPacketFields)
  /** @internal A packet that has been scanned; its variable header begins at `start`. */
  constructor(bytes: Buffer, start: number, key: typeof scanned)
  constructor(from: ConnectPacketFields | Buffer, start = 0, key?: typeof scanned) {
    const bytes = key === scanned ? (from as Buffer) : build(from as ConnectPacketFields)
    super(bytes, key === scanned ? start : variableByteIntegerEnd(bytes, 1, bytes.length))
  }

  get protocolVersion(): typeof ProtocolVersion.v5 {
    return ProtocolVersion.v5
  }

  /** Whether the server forgets an earlier session. Section 3.1.2.4. */
  get cleanStart(): boolean {
    return this.clean
  }

  get will(): Will | undefined {
    if ((this.flags & ConnectFlag.will) === 0) return undefined
    const { encoded } = this
    const propsAt = prefixedEnd(encoded, this.clientIdAt)
    return this.readWill(propertiesEnd(encoded, propsAt), readProperties(encoded, propsAt))
  }

  /** @internal */
  protected get propsAt(): number {
    return this.start + PROTOCOL_HEADER_LENGTH + 3
  }

  /** @internal */
  protected get clientIdAt(): number {
    return propertiesEnd(this.encoded, this.propsAt)
  }

  /** @internal */
  protected get willTopicAt(): number {
    const at = prefixedEnd(this.encoded, this.clientIdAt)
    return (this.flags & ConnectFlag.will) === 0 ? at : propertiesEnd(this.encoded, at)
  }

  /** The CONNECT properties, in order; decoded anew at each call. Section 3.1.2.11. */
  get props(): readonly Property[] {
    return readProperties(this.encoded, this.propsAt)
  }

  /**
   * A new packet with some fields changed; one given as `undefined` is removed.
   *
   * @throws as the constructor does.
   */
  with(changes: Partial<ConnectPacketFields>): ConnectPacket {
    checkNames('changes', changes)
    const { cleanStart, keepAlive, clientId, will, userName, password, props } = this
    return new ConnectPacket({ cleanStart, keepAlive, clientId, will, userName, password, props, ...changes })
  }

  /** `v5::connect{cid:…,ka:…,cs:…,un:…,pw:*****,will:{…},ps:[…]}`; absent parts are left out. */
  override toString(): string {
    const { props } = this
    return this.text('v5', ...(props.length > 0 ? [propertiesText(props)] : []))
  }

  /** @internal */
  protected observe(observer: Observer): void {
    const lenient = lenientScan(ProtocolVersion.v5, observer)
    scanProtocol(lenient, this.bytes)
    scan(lenient.v5, this.bytes, this.start)
  }

  /** The fields under their names; password and authentication data are never shown. */
  toJSON(): object {
    const { protocolVersion, cleanStart, props } = this
    return { protocolVersion, cleanStart, ...this.commonJson(), props: redactedProperties(props) }
  }
}

/**
 * Checks what stands behind the protocol level of a packet whose variable header begins at `start`. MQTT 5.0 section 3.1.
 */
export function scan(scan: Scan, bytes: Uint8Array, start: number): Fault | undefined {
  const end = bytes.length
  const wrong = notShortest(scan, bytes, 1, start, remainingLengthField)
  if (wrong !== undefined) return wrong
  const flagsAt = start + PROTOCOL_HEADER_LENGTH
  let at: Step = scanFlagsAndKeepAlive(scan, bytes, flagsAt, flagsBroken)
  if (typeof at !== 'number') return at
  const flags = bytes[flagsAt]!
  at = scanProperties(scan, bytes, at, end, connectPlace)
  if (typeof at !== 'number') return at

  at = scanUtf8String(scan, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if ((flags & ConnectFlag.will) !== 0) {
    at = scanProperties(scan, bytes, at, end, willPlace)
    if (typeof at !== 'number') return at
  }
  return scanFromWillTopic(scan, bytes, at, flags)
}

const flagsBroken = brokenRules(flagRules)

const strictScan = new Scan(ProtocolVersion.v5).v5

const format: Format = {
  version: ProtocolVersion.v5,
  flagsBroken,
  scan: (bytes, start) => scan(strictScan, bytes, start),
}

function build(fields: ConnectPacketFields): Buffer {
  checkNames('fields', fields)
  return writeConnect(format, checkBoolean('cleanStart', fields.cleanStart), fields)
}
