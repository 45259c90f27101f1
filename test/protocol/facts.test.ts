import { expect } from 'chai'
import { errorRow, relaxableCodes } from '../../lib/errors/error-table.ts'
import {
  ConnectReasonCode,
  ConnectReturnCode,
  ControlPacketType,
  PropertyId,
  ProtocolVersion,
} from '../../lib/packets/index.ts'
import { ConnectFlag } from '../../lib/protocol/connect-flags.ts'
import { controlPacketName } from '../../lib/protocol/control-packet-type.ts'
import * as limits from '../../lib/protocol/limits.ts'
import { connectProperties, otherProperties } from '../../lib/protocol/property-table.ts'

describe('the facts of the standards', () => {
  it('number the protocol versions', () => {
    expect(ProtocolVersion).to.deep.equal({ undetermined: 0, v3_1_1: 4, v5: 5 })
  })

  it('number the control packet types by the high nibble, in the order of the standard', () => {
    const names = ['connect', 'connack', 'publish', 'puback', 'pubrec', 'pubrel', 'pubcomp', 'subscribe']
    names.push('suback', 'unsubscribe', 'unsuback', 'pingreq', 'pingresp', 'disconnect', 'auth')
    expect(Object.entries(ControlPacketType)).to.deep.equal(names.map((name, i) => [name, (i + 1) * 16]))
    expect(names.map((_, i) => controlPacketName((i + 1) * 16))).to.deep.equal(
      names.map((n) => n.toUpperCase()),
    )
    expect(controlPacketName(0)).to.equal(undefined)
  })

  it('number the reason codes that a CONNACK can carry', () => {
    expect(ConnectReasonCode).to.deep.equal({
      success: 0x00,
      unspecifiedError: 0x80,
      malformedPacket: 0x81,
      protocolError: 0x82,
      implementationSpecificError: 0x83,
      unsupportedProtocolVersion: 0x84,
      clientIdentifierNotValid: 0x85,
      badUserNameOrPassword: 0x86,
      notAuthorized: 0x87,
      serverUnavailable: 0x88,
      serverBusy: 0x89,
      banned: 0x8a,
      badAuthenticationMethod: 0x8c,
      topicNameInvalid: 0x90,
      packetTooLarge: 0x95,
      quotaExceeded: 0x97,
      payloadFormatInvalid: 0x99,
      retainNotSupported: 0x9a,
      qosNotSupported: 0x9b,
      useAnotherServer: 0x9c,
      serverMoved: 0x9d,
      connectionRateExceeded: 0x9f,
    })
  })

  it('number the return codes of 3.1.1', () => {
    expect(ConnectReturnCode).to.deep.equal({
      accepted: 0,
      unacceptableProtocolVersion: 1,
      identifierRejected: 2,
      serverUnavailable: 3,
      badUserNameOrPassword: 4,
      notAuthorized: 5,
    })
  })

  it('give each bit of the connect flags to one flag', () => {
    const flags = Object.values(ConnectFlag)
    expect(flags.reduce((sum, flag) => sum + flag, 0)).to.equal(0xff)
    expect(ConnectFlag).to.include({ reserved: 1, clean: 2, will: 4, willQos: 0x18, willRetain: 0x20 })
    expect(ConnectFlag).to.include({ password: 0x40, userName: 0x80 })
  })

  it('limit strings and variable byte integers', () => {
    expect(limits.MAX_STRING_LENGTH).to.equal(65_535)
    expect(limits.MAX_VARIABLE_BYTE_INTEGER).to.equal(128 ** 4 - 1)
    expect(limits.MAX_VARIABLE_BYTE_INTEGER_LENGTH).to.equal(4)
    expect(limits.DEFAULT_MAXIMUM_PACKET_SIZE).to.equal(65_536)
    expect(limits.PROTOCOL_HEADER_LENGTH).to.equal(7)
  })
})

describe('the property table', () => {
  it('has the fifteen properties of a CONNECT with type and place', () => {
    const rows = Object.entries(connectProperties).map(([name, { id, type, home }]) => [id, name, type, home])
    expect(rows).to.have.deep.members([
      [0x11, 'sessionExpiryInterval', 'fourByteInteger', 'connect'],
      [0x21, 'receiveMaximum', 'twoByteInteger', 'connect'],
      [0x27, 'maximumPacketSize', 'fourByteInteger', 'connect'],
      [0x22, 'topicAliasMaximum', 'twoByteInteger', 'connect'],
      [0x19, 'requestResponseInformation', 'byte', 'connect'],
      [0x17, 'requestProblemInformation', 'byte', 'connect'],
      [0x26, 'userProperty', 'utf8StringPair', 'both'],
      [0x15, 'authenticationMethod', 'utf8String', 'connect'],
      [0x16, 'authenticationData', 'binaryData', 'connect'],
      [0x18, 'willDelayInterval', 'fourByteInteger', 'will'],
      [0x01, 'payloadFormatIndicator', 'byte', 'will'],
      [0x02, 'messageExpiryInterval', 'fourByteInteger', 'will'],
      [0x03, 'contentType', 'utf8String', 'will'],
      [0x08, 'responseTopic', 'utf8String', 'will'],
      [0x09, 'correlationData', 'binaryData', 'will'],
    ])
  })

  it('knows the other twelve by name', () => {
    expect(Object.entries(otherProperties).map(([name, { id }]) => [id, name])).to.have.deep.members([
      [0x0b, 'subscriptionIdentifier'],
      [0x12, 'assignedClientIdentifier'],
      [0x13, 'serverKeepAlive'],
      [0x1a, 'responseInformation'],
      [0x1c, 'serverReference'],
      [0x1f, 'reasonString'],
      [0x23, 'topicAlias'],
      [0x24, 'maximumQos'],
      [0x25, 'retainAvailable'],
      [0x28, 'wildcardSubscriptionAvailable'],
      [0x29, 'subscriptionIdentifierAvailable'],
      [0x2a, 'sharedSubscriptionAvailable'],
    ])
  })

  it('gives PropertyId all twenty-seven, each with an id of its own', () => {
    expect(Object.keys(PropertyId)).to.have.lengthOf(27)
    expect(new Set(Object.values(PropertyId)).size).to.equal(27)
    expect(PropertyId.userProperty).to.equal(0x26)
  })
})

describe('the rules that allow can relax', () => {
  it('are these and no other', () => {
    expect([...relaxableCodes].sort()).to.deep.equal([
      'bytes-left-over',
      'client-id-empty',
      'connect-flags-reserved',
      'password-without-user-name',
      'payload-format-indicator',
      'request-problem-information',
      'request-response-information',
      'response-topic-empty',
      'response-topic-wildcard',
      'variable-byte-integer-not-shortest',
      'will-qos-without-will',
      'will-retain-without-will',
      'will-topic-empty',
      'will-topic-wildcard',
    ])
    for (const code of relaxableCodes) expect(errorRow(code).relaxable).to.equal(true)
  })
})
