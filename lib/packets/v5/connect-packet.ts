import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { ProtocolVersion } from '../../protocol/protocol-version.ts'
import { clientIdField, remainingLengthField } from '../../wire/fields.ts'
import {
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeTwoByteInteger,
} from '../../wire/integers.ts'
import { lenientScan, notShortest, type Observer, Scan, type Step, scanUtf8String } from '../../wire/scan.ts'
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
  type Property,
  propertiesSize,
  propertiesText,
  readProperties,
  redactedProperties,
  writeProperties,
} from '../properties.ts'
import { connectPlace, willPlace } from '../property-places.ts'
import { scanProperties } from '../property-scan.ts'
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

const noProperties: readonly Property[] = []

/** An MQTT 5.0 CONNECT. It is its encoded bytes: immutable, compared, ordered and sent as they are. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or of the wrong type, `ERR_INVALID_ARG_VALUE` if
   *   there is a field that this packet does not have, or a getter that does not give the same twice.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   */
  constructor(fields: ConnectPacketFields)
  /** @internal A packet that has been scanned. */
  constructor(layout: ConnectLayout)
  constructor(from: ConnectPacketFields | ConnectLayout) {
    super(from instanceof ConnectLayout ? from : build(from))
  }

  get protocolVersion(): typeof ProtocolVersion.v5 {
    return ProtocolVersion.v5
  }

  /** Whether the server forgets an earlier session. Section 3.1.2.4. */
  get cleanStart(): boolean {
    return this.clean
  }

  get will(): Will | undefined {
    const { bytes, flags, willProps, willTopic, willMessage } = this.layout
    if (willTopic === 0) return undefined
    return new Will(
      {
        topic: readUtf8String(bytes, willTopic),
        message: readBinaryData(bytes, willMessage),
        qos: willQos(flags) as QoS,
        retain: (flags & ConnectFlag.willRetain) !== 0,
        props: readProperties(bytes, willProps),
      },
      true,
    )
  }

  /** The CONNECT properties, in order; decoded anew at each call. Section 3.1.2.11. */
  get props(): readonly Property[] {
    return readProperties(this.layout.bytes, this.layout.props)
  }

  /**
   * A new packet with some fields changed; one given as `undefined` is removed.
   *
   * @throws as the constructor does.
   */
  with(changes: Partial<ConnectPacketFields>): ConnectPacket {
    checkFields('changes', changes, isField)
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
    scan(lenient.v5, this.bytes, this.layout.start)
  }

  /** The fields under their names; password and authentication data are never shown. */
  toJSON(): object {
    const { protocolVersion, cleanStart, props } = this
    return { protocolVersion, cleanStart, ...this.commonJson(), props: redactedProperties(props) }
  }
}

/**
 * Checks what stands behind the protocol level of a packet whose variable header begins at `start`, and finds its
 * fields. MQTT 5.0 section 3.1.
 */
export function scan(scan: Scan, bytes: Buffer, start: number): ConnectLayout | Fault {
  const layout = new ConnectLayout(bytes, start)
  const end = bytes.length
  const wrong = notShortest(scan, bytes, 1, start, remainingLengthField)
  if (wrong !== undefined) return wrong
  let at: Step = scanFlagsAndKeepAlive(scan, bytes, layout.flagsAt, flagsBroken)
  if (typeof at !== 'number') return at
  const flags = layout.flags
  at = scanProperties(scan, bytes, at, end, connectPlace)
  if (typeof at !== 'number') return at

  layout.clientId = at
  at = scanUtf8String(scan, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if ((flags & ConnectFlag.will) !== 0) {
    layout.willProps = at
    at = scanProperties(scan, bytes, at, end, willPlace)
    if (typeof at !== 'number') return at
  }
  return scanFromWillTopic(scan, layout, at)
}

const flagsBroken = brokenRules(flagRules)

const strictScan = new Scan(ProtocolVersion.v5).v5

/** The packet's bytes, checked as those of any peer. */
function build(fields: ConnectPacketFields): ConnectLayout {
  const bytes = encode(fields, 'guess')
  return checkedLayout(scan(strictScan, bytes, variableByteIntegerEnd(bytes, 1, bytes.length)))
}

/** Writes the fields as they are; refuses only what no packet could carry. */
function encode(fields: ConnectPacketFields, measure: Measure): Buffer {
  checkFields('fields', fields, isField)
  const { cleanStart, keepAlive, clientId, will, userName, password, props = noProperties } = fields
  checkBoolean('cleanStart', cleanStart)
  checkInteger('keepAlive', keepAlive, 0xffff)
  const propsSize = propertiesSize(props, connectPlace, measure)
  let size =
    10 + variableByteIntegerLength(propsSize) + propsSize + utf8StringSize('clientId', clientId, measure)
  const willProps = will?.props === undefined ? noProperties : will.props
  let willPropsSize = 0
  if (will !== undefined) {
    size += checkWill(will, measure)
    willPropsSize = propertiesSize(willProps, willPlace, measure)
    size += variableByteIntegerLength(willPropsSize) + willPropsSize
  }
  if (userName !== undefined) size += utf8StringSize('userName', userName, measure)
  if (password !== undefined) size += binaryDataSize('password', password, measure)

  const bytes = packetBuffer(size)
  let at = writeProtocol(bytes, bytes.length - size, ProtocolVersion.v5)
  bytes[at++] = connectFlags(cleanStart, will, userName, password)
  at = writeTwoByteInteger(bytes, at, keepAlive)
  at = writeProperties(bytes, at, props, propsSize)
  at = writeUtf8String(bytes, at, clientId)
  if (will !== undefined) {
    at = writeProperties(bytes, at, willProps, willPropsSize)
    at = writeWill(bytes, at, will)
  }
  if (userName !== undefined) at = writeUtf8String(bytes, at, userName)
  if (password !== undefined) at = writeBinaryData(bytes, at, password)
  return isAsMeasured(bytes, at, measure) ? bytes : encode(fields, 'exact')
}
