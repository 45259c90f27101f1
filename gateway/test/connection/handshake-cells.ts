import { expect } from 'chai'
import { property, v5 } from 'mqtt-connect-packet'
import type { Events, Stages, Step } from '../../lib/connection/steps.ts'
import { Rewriter } from '../../lib/rewrite/rewriter.ts'
import { configOf } from '../support.ts'
import { AUTH, accepted, base, connect, PINGRESP, type Scene, type Situation, text } from './scene.ts'

/*
 * The cells of the steps before `forwarding`, for the test of the table.
 */

const part = (scene: Scene) => {
  scene.bytesRead = 5
  scene.connection.happen('clientData', Buffer.from(connect.bytes.subarray(0, 5)))
}
const single = (scene: Scene) => {
  scene.upstreams = scene.upstreams.slice(0, 1)
}
const refused = (code: string) => [`client gets CONNACK ${code}`, 'client ends', 'client resumes']
const left = 'reports refused, client: the client closed the connection before it had an answer'
const stopped = ['reports refused, stop: the gateway has stopped', ...refused('0x88')]
const share = () => 'address-share' as const
const gaveWay = 'reports refused, limit: over the limit address-share'
const isHurried: Situation['after'] = ({ deadline }, { givenAt }) =>
  expect(deadline! - givenAt).to.be.within(1000, 5000)
const denial = { allow: false, reasonCode: 0x86, reason: 'wrong password' } as const

type HandshakeStep = Exclude<Step['name'], 'forwarding' | 'parting' | 'ended'>

export const handshake: {
  readonly [S in HandshakeStep]: { readonly [E in keyof Events]?: readonly Situation[] }
} = {
  reading: {
    clientData: [
      {
        if: 'part of a CONNECT',
        given: () => Buffer.from(connect.bytes.subarray(0, 5)),
        step: 'reading',
        does: [],
      },
      {
        ...{
          if: 'a CONNECT that nothing checks',
          given: () => Buffer.from(connect.bytes),
          step: 'connecting',
        },
        does: ['CONNECT complete', 'client pauses', 'reports CONNECT', 'opens a'],
      },
      {
        if: 'a CONNECT and more',
        given: () => Buffer.concat([connect.bytes, text('more')]),
        step: 'connecting',
        does: ['CONNECT complete', 'client pauses', 'client has "more" left', 'reports CONNECT', 'opens a'],
      },
      {
        if: 'a CONNECT that is checked',
        before: ({ stages }) => {
          stages.checks = [() => new Promise(() => {})]
        },
        given: () => Buffer.from(connect.bytes),
        step: 'deciding',
        does: ['CONNECT complete', 'client pauses', 'reports CONNECT'],
      },
      {
        if: 'a CONNECT over a limit',
        before: ({ stages }) => {
          stages.limits = { client: () => 'user-rate', isBanned: () => false } as unknown as Stages['limits']
        },
        given: () => Buffer.from(connect.bytes),
        step: 'ended',
        does: [
          ...['CONNECT complete', 'client pauses', 'reports refused, limit: over the limit user-rate'],
          ...refused('0x9f'),
        ],
      },
      {
        if: 'something else',
        given: () => text('GET / HTTP/1.1\r\n\r\n'),
        step: 'ended',
        does: [
          'reports refused, connect: The bytes look like HTTP, not MQTT. fixedHeader',
          'client ends',
          'client resumes',
        ],
      },
    ],
    clientEnd: [
      { if: 'nothing came', step: 'ended', does: ['reports probe', 'client destroyed'] },
      {
        ...{ if: 'part of a CONNECT came', before: part, step: 'ended' },
        does: ['reports refused, connect: remainingLength', 'client ends', 'client resumes'],
      },
    ],
    clientClose: [
      { if: 'nothing came', step: 'ended', does: ['reports probe', 'client destroyed'] },
      {
        if: 'part of a CONNECT came, and an error',
        before: (scene) => {
          part(scene)
          scene.client.is({ errored: new Error('ECONNRESET') })
        },
        step: 'ended',
        does: ['reports refused, connect: the client failed', 'client ends', 'client resumes'],
      },
    ],
    deadline: [
      { if: 'nothing came', step: 'ended', does: ['reports probe', 'client destroyed'] },
      {
        if: 'only a handshake came',
        before: (scene) => {
          scene.bytesRead = 500
        },
        step: 'ended',
        does: [
          "reports refused, connect: the client didn't complete its CONNECT in time",
          ...['client ends', 'client resumes'],
        ],
      },
      {
        ...{ if: 'part of a CONNECT came', before: part, step: 'ended' },
        does: [
          "reports refused, connect: the client didn't complete its CONNECT in time",
          ...['client ends', 'client resumes'],
        ],
      },
    ],
    stop: [
      { if: 'part of a CONNECT came', before: part, step: 'ended', does: [] },
      { ...{ if: 'it gives way', given: share, step: 'ended' }, does: [gaveWay] },
    ],
  },
  deciding: {
    clientEnd: [{ step: 'deciding', does: [], after: isHurried }],
    deadline: [{ step: 'deciding', does: ['client destroyed'] }],
    clientClose: [
      {
        ...{ if: 'it has closed', step: 'ended' },
        does: ['reports refused, client: the client closed the connection before it had an answer'],
      },
      {
        if: 'it was reset',
        before: ({ client }) =>
          client.is({ errored: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) }),
        step: 'ended',
        does: ['reports refused, client: the client reset the connection before it had an answer'],
      },
    ],
    stop: [
      { step: 'ended', does: stopped },
      { ...{ if: 'it gives way', given: share, step: 'ended' }, does: [gaveWay, ...refused('0x9f')] },
    ],
    decided: [
      {
        ...{
          if: 'allowed',
          given: () => ({ allow: true, expiresAt: 5 }),
          step: 'connecting',
          does: ['opens a'],
        },
        after: (step) => expect(step).to.nested.include({ 'choice.expiresAt': 5, tried: 1 }),
      },
      {
        ...{ if: 'denied', given: () => denial, step: 'ended' },
        does: ['reports refused, authentication: wrong password', ...refused('0x86')],
      },
      {
        if: 'allowed, but a template cannot be filled',
        before: ({ stages }) => {
          stages.rewriter = new Rewriter(configOf({ rewrite: { clientId: '{userName}-{clientId}' } }).rewrite)
        },
        given: () => ({ allow: true }),
        step: 'ended',
        does: [
          'reports refused, rewriting: the client has no userName, which a template needs',
          ...refused('0x87'),
        ],
      },
      {
        if: 'allowed, but no broker is chosen',
        before: (scene) => {
          scene.upstreams = []
        },
        given: () => ({ allow: true }),
        step: 'ended',
        does: ['reports refused, no-broker: no upstream is active', ...refused('0x88')],
      },
      {
        if: 'allowed, but the client is about to close',
        before: ({ client }) => client.is({ destroyed: true }),
        ...{ given: () => ({ allow: true }), step: 'deciding', does: [] },
      },
    ],
  },
  connecting: {
    clientEnd: [{ step: 'connecting', does: [], after: isHurried }],
    clientClose: [{ step: 'ended', does: [left, 'a destroyed'] }],
    stop: [
      { step: 'ended', does: [...stopped, 'a destroyed'] },
      {
        ...{ if: 'it gives way', given: share, step: 'ended' },
        does: [gaveWay, ...refused('0x9f'), 'a destroyed'],
      },
    ],
    brokerReady: [
      {
        ...{ if: 'the client may send', step: 'answering' },
        does: ['reports forwarded to a', 'a gets CONNECT', 'a resumes', 'client resumes'],
        after: (step) => expect(step).to.include({ mayMove: true, tried: 1 }),
      },
      {
        if: 'the client has ended',
        before: ({ client }) => client.is({ readableEnded: true }),
        step: 'answering',
        does: ['reports forwarded to a', 'a gets CONNECT', 'a resumes', 'client resumes'],
        after: isHurried,
      },
    ],
    brokerClose: [
      {
        ...{ if: 'another one is left', step: 'connecting', does: ['a fails', 'opens b'] },
        after: (step) => expect(step).to.nested.include({ tried: 2, 'upstream.name': 'b' }),
      },
      {
        ...{ if: 'it is the last', before: single, step: 'ended' },
        does: [
          'a fails',
          'reports refused, no-broker: the broker a closed the connection',
          ...refused('0x88'),
        ],
      },
      {
        if: 'this machine has run out of something',
        before: ({ a }) => a.is({ errored: Object.assign(new Error(), { code: 'EMFILE' }) }),
        ...{ step: 'connecting', does: ['opens b'] },
      },
    ],
    deadline: [
      {
        ...{
          if: 'the client waits',
          step: 'connecting',
          does: ["a destroyed: didn't accept the connection within 10 s"],
        },
      },
      {
        if: 'the client has ended',
        before: ({ client }) => client.is({ readableEnded: true }),
        ...{ step: 'connecting', does: ['client destroyed'] },
      },
    ],
  },
  answering: {
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
      { step: 'ended', does: [left, 'a reset'] },
      {
        if: 'something came after the CONNECT',
        before: (scene) => {
          scene.mayMove = false
        },
        ...{ step: 'ended', does: [left, 'a destroyed'] },
      },
      {
        if: 'something came after the CONNECT, and the client has reset its connection',
        before: (scene) => {
          scene.mayMove = false
          scene.client.is({ errored: Object.assign(new Error(), { code: 'ECONNRESET' }) })
        },
        step: 'ended',
        does: [left.replace('closed', 'reset'), 'a reset'],
      },
    ],
    stop: [
      { step: 'ended', does: [...stopped, 'a reset'] },
      {
        ...{ if: 'it gives way', given: share, step: 'ended' },
        does: [gaveWay, ...refused('0x9f'), 'a reset'],
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
        if: 'it is the last, and the client ended first',
        before: (scene) => {
          single(scene)
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
  },
}
