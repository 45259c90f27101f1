import { expect } from 'chai'
import {
  ConnectReasonCode,
  DisconnectReasonCode,
  decode,
  disconnect,
  ProtocolVersion,
  v5,
} from '../../lib/index.ts'
import { vectors } from '../../lib/testing/index.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { expectMisuse, refusal } from '../support/thrown.ts'

/* Each rule of DISCONNECT is tested in test/conformance. */

const connects = { v3_1: buildV3_1(), v3_1_1: buildV3(), v5: buildV5() }

/** The codes that a server may send in DISCONNECT, MQTT 5.0 section 3.14.2.1. */
const ofServer = [
  0x00, 0x80, 0x81, 0x82, 0x83, 0x87, 0x89, 0x8b, 0x8d, 0x8e, 0x8f, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98,
  0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2,
]

describe('disconnect', () => {
  it('is the DISCONNECT of the client that has sent the CONNECT, or of a version', () => {
    const options = {
      reasonString: 'maintenance',
      serverReference: 'broker-2',
      userProperties: [['region', 'eu']] as const,
    }
    const packet = disconnect(connects.v5, DisconnectReasonCode.useAnotherServer, options)
    expect(packet).to.be.instanceOf(v5.DisconnectPacket)
    expect(`${packet}`).to.equal(
      'v5::disconnect{rc:use_another_server,ps:[{id:reason_string,val:maintenance},{id:server_reference,val:broker-2},{id:user_property,key:region,val:eu}]}',
    )
    expect(
      disconnect(ProtocolVersion.v5, DisconnectReasonCode.useAnotherServer, options).equals(packet),
    ).to.equal(true)
  })

  it('has every code that a server sends, and no other', () => {
    for (let code = 0; code < 256; code++) {
      const answer = () => disconnect(ProtocolVersion.v5, code as DisconnectReasonCode)
      if (ofServer.includes(code))
        expect(answer().bytes.toString('hex'), `${code}`).to.equal(
          code === 0 ? 'e000' : `e001${code.toString(16)}`,
        )
      else if (Object.values<number>(ConnectReasonCode).includes(code))
        expect(answer(), `${code}`).to.equal(undefined)
      else expectMisuse(answer, 'ERR_INVALID_ARG_VALUE', 'reasonCode')
    }
  })

  it('is undefined for a version that is not determined', () => {
    expect(disconnect(ProtocolVersion.undetermined, DisconnectReasonCode.protocolError)).to.equal(undefined)
    expectMisuse(() => disconnect(6 as 5, 0x82), 'ERR_INVALID_ARG_VALUE', 'to')
  })

  it('is undefined before 5.0, whose servers just close the connection', () => {
    for (const to of [connects.v3_1, connects.v3_1_1, ProtocolVersion.v3_1, ProtocolVersion.v3_1_1])
      expect(disconnect(to, DisconnectReasonCode.serverShuttingDown)).to.equal(undefined)
  })

  it('answers the error of every packet after the CONNECT', () => {
    const later = vectors.filter(
      ({ bytes, code, from, protocolVersion }) =>
        code !== undefined && from === 'client' && protocolVersion === 5 && bytes[0]! >> 4 !== 1,
    )
    expect(later).not.to.have.length(0)
    for (const { name, bytes, options } of later) {
      const error = refusal(() => decode(bytes, { protocolVersion: 5, from: 'client', ...options }))
      const answer = disconnect(connects.v5, error.reasonCode)
      expect(answer?.reasonCode, name).to.equal(error.reasonCode)
    }
  })
})
