import { expect } from 'chai'
import { property, v5 } from 'mqtt-connect-packet'
import type { Events } from '../../lib/connection/steps.ts'
import { gaveWay, isHurried, left, refused, share, single, stopped } from './handshake-cells.ts'
import { AUTH, accepted, base, PINGRESP, type Situation, text } from './scene.ts'

/*
 * The cells of the step `answering`, for the test of the table.
 */

export const answering: { readonly [E in keyof Events]?: readonly Situation[] } = {
  clientData: [
    {
      ...{ if: 'the broker takes it', given: () => text('x'), step: 'answering', does: ['a gets "x"'] },
      after: (step) => expect(step).to.include({ mayMove: false, isAsked: false }),
    },
    {
      if: 'the broker is full',
      before: ({ a }) => {
        a.takes = false
      },
      ...{ given: () => text('x'), step: 'answering', does: ['a gets "x"', 'client pauses'] },
    },
  ],
  clientDrain: [{ step: 'answering', does: ['a resumes'] }],
  clientEnd: [
    { step: 'answering', does: [], after: isHurried },
    {
      if: 'something came after the CONNECT',
      before: (scene) => {
        scene.mayMove = false
      },
      ...{ step: 'answering', does: [] },
      after: ({ deadline }, { givenAt }) => expect(deadline! - givenAt).to.equal(10_000),
    },
  ],
  clientClose: [
    { step: 'ended', does: [left, 'reports that the broker lingers', 'a reset'] },
    {
      if: 'something came after the CONNECT',
      before: (scene) => {
        scene.mayMove = false
      },
      ...{ step: 'ended', does: [left, 'a destroyed'] },
    },
    {
      if: 'the broker waits for its AUTH',
      before: (scene) => {
        scene.mayMove = false
        scene.isAsked = true
      },
      ...{ step: 'ended', does: [left, 'reports that the broker lingers', 'a reset'] },
    },
    {
      if: 'something came after the CONNECT, and the client has reset its connection',
      before: (scene) => {
        scene.mayMove = false
        scene.client.is({ errored: Object.assign(new Error(), { code: 'ECONNRESET' }) })
      },
      step: 'ended',
      does: [left.replace('closed', 'reset'), 'reports that the broker lingers', 'a reset'],
    },
  ],
  stop: [
    { step: 'ended', does: [...stopped, 'reports that the broker lingers', 'a reset'] },
    {
      ...{ if: 'it gives way', given: share, step: 'ended' },
      does: [gaveWay, ...refused('0x9f'), 'reports that the broker lingers', 'a reset'],
    },
  ],
  brokerData: [
    {
      ...{ if: 'part of a CONNACK', given: () => Buffer.from(accepted.bytes.subarray(0, 3)) },
      ...{ step: 'answering', does: [] },
    },
    {
      ...{ if: 'a CONNACK', given: () => Buffer.from(accepted.bytes), step: 'forwarding' },
      does: ['client gets CONNACK 0x00', 'a works', 'client has a session', 'reports joined'],
    },
    {
      ...{ if: 'a CONNACK and more', given: () => Buffer.concat([accepted.bytes, text('more')]) },
      step: 'forwarding',
      does: [
        'client gets CONNACK 0x00',
        'client gets "more"',
        'a works',
        'client has a session',
        'reports joined',
      ],
    },
    {
      ...{ if: 'an AUTH packet', given: () => AUTH, step: 'answering', does: ['client gets AUTH'] },
      after: (step) => expect(step).to.include({ mayMove: false, isAsked: true }),
    },
    {
      if: 'an AUTH packet, and the client is full',
      before: ({ client }) => {
        client.takes = false
      },
      ...{ given: () => AUTH, step: 'answering', does: ['client gets AUTH', 'a pauses'] },
    },
    {
      if: 'a CONNACK for a client that has ended its side',
      before: ({ client }) => client.is({ readableEnded: true }),
      ...{ given: () => Buffer.from(accepted.bytes), step: 'forwarding' },
      does: ['client gets CONNACK 0x00', 'a works', 'client has a session', 'reports joined', 'a ends'],
      after: (step) => expect(step).to.nested.include({ 'session.ending': 'client' }),
    },
    {
      ...{ if: 'another packet', given: () => PINGRESP, step: 'answering' },
      does: ['a reset'],
      after: (step) => expect(step).to.include({ failure: 'sent another packet before its CONNACK' }),
    },
    {
      if: 'a CONNACK that is too large for the client',
      before: (scene) => {
        scene.packet = new v5.ConnectPacket({ ...base, props: [property.maximumPacketSize(20)] })
      },
      given: () =>
        Buffer.from(
          new v5.ConnackPacket({
            sessionPresent: false,
            reasonCode: 0,
            props: [property.responseInformation('longer than 20 bytes')],
          }).bytes,
        ),
      step: 'ended',
      does: [
        "reports refused, connack-size: the CONNACK of the broker a exceeds the client's Maximum Packet Size",
        ...['a reset', 'client ends', 'client resumes'],
      ],
    },
  ],
  brokerDrain: [{ step: 'answering', does: ['client resumes'] }],
  brokerClose: [
    { if: 'another one is left', step: 'connecting', does: ['client pauses', 'opens b'] },
    {
      ...{ if: 'it is the last', before: single, step: 'ended' },
      does: [
        'reports refused, no-connack: the broker a closed the connection before its CONNACK',
        ...refused('0x88'),
      ],
    },
    {
      if: 'something came after the CONNECT, and the client ended first',
      before: (scene) => {
        single(scene)
        scene.mayMove = false
        scene.client.is({ readableEnded: true })
      },
      step: 'ended',
      does: [
        'reports refused, client: the client closed the connection before it had an answer',
        ...refused('0x88'),
      ],
    },
    {
      if: 'something came after the CONNECT',
      before: (scene) => {
        scene.mayMove = false
      },
      step: 'ended',
      does: [
        'reports refused, no-connack: the broker a closed the connection before its CONNACK',
        ...refused('0x88'),
      ],
    },
  ],
  deadline: [
    {
      ...{ if: 'the client waits', step: 'answering', does: ['a reset'] },
      after: (step) => expect(step).to.include({ failure: 'sent no CONNACK within 10 s' }),
    },
    {
      if: 'the broker waits for the AUTH of the client',
      before: (scene) => {
        scene.isAsked = true
      },
      step: 'ended',
      does: [
        "reports refused, client: the client didn't answer the broker's AUTH within 10 s",
        ...refused('0x87'),
        'a reset',
      ],
    },
    {
      if: 'the client has ended',
      before: ({ client }) => client.is({ readableEnded: true }),
      ...{ step: 'answering', does: ['client destroyed'] },
    },
  ],
}
