import { expect } from 'chai'
import type { Events, Stages, Step } from '../../lib/connection/steps.ts'
import { Rewriter } from '../../lib/rewrite/rewriter.ts'
import { configOf } from '../support.ts'
import { connect, type Scene, type Situation, text } from './scene.ts'

/*
 * The cells of the steps before `answering`, for the test of the table.
 */

const part = (scene: Scene) => {
  scene.bytesRead = 5
  scene.connection.happen('clientData', Buffer.from(connect.bytes.subarray(0, 5)))
}
export const single = (scene: Scene) => {
  scene.upstreams = scene.upstreams.slice(0, 1)
}
export const refused = (code: string) => [`client gets CONNACK ${code}`, 'client ends', 'client resumes']
export const left = 'reports refused, client: the client closed the connection before it had an answer'
export const stopped = ['reports refused, stop: the gateway has stopped', ...refused('0x88')]
export const share = () => 'address-share' as const
export const gaveWay = 'reports refused, limit: over the limit address-share'
export const isHurried: NonNullable<Situation['after']> = ({ deadline }, { givenAt }) =>
  expect(deadline! - givenAt).to.be.within(1000, 5000)
const denial = { allow: false, reasonCode: 0x86, reason: 'wrong password' } as const

type HandshakeStep = Exclude<Step['name'], 'answering' | 'forwarding' | 'parting' | 'ended'>

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
    clientClose: [{ step: 'ended', does: [left, 'reports that the broker lingers', 'a reset'] }],
    stop: [
      { step: 'ended', does: [...stopped, 'reports that the broker lingers', 'a reset'] },
      {
        ...{ if: 'it gives way', given: share, step: 'ended' },
        does: [gaveWay, ...refused('0x9f'), 'reports that the broker lingers', 'a reset'],
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
}
