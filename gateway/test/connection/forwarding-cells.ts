import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import type { SessionEnding } from '../../lib/connection/session.ts'
import type { Events, Forwarding, Parting, Step } from '../../lib/connection/steps.ts'
import { PACKET, tellBoth, tellClient, told } from './parting-cells.ts'
import { type Scene, type Situation, text } from './scene.ts'

/*
 * The cells of the step `forwarding`, for the test of the table.
 */

/** Expects the session to end for this reason. */
function expectEnding(step: Step, ending: SessionEnding): void {
  expect((step as Forwarding).session.ending).to.equal(ending)
}

function refuse(scene: Scene): void {
  scene.answer = new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0x87 })
}

/** A session that lasts. */
const probed = ['TCP probes the client', 'TCP probes a']

export const forwarding: { readonly [E in keyof Events]?: readonly Situation[] } = {
  clientData: [
    { if: 'the broker takes it', given: () => text('x'), step: 'forwarding', does: ['a gets "x"'] },
    {
      if: 'the broker is full',
      before: ({ a }) => {
        a.takes = false
      },
      ...{ given: () => text('x'), step: 'forwarding', does: ['a gets "x"', 'client pauses'] },
    },
  ],
  clientDrain: [{ step: 'forwarding', does: ['a resumes'] }],
  clientEnd: [
    { step: 'forwarding', does: ['a ends'], after: (step) => expectEnding(step, 'client') },
    {
      ...{ if: 'the broker has refused it', before: refuse, step: 'forwarding', does: ['a reset'] },
      after: (step) => expectEnding(step, 'refused'),
    },
  ],
  clientClose: [
    { step: 'ended', does: ['a destroyed', 'reports session ended, client'] },
    {
      ...{ if: 'the broker has refused it', before: refuse, step: 'ended' },
      does: ['a reset', 'reports session ended, refused'],
    },
  ],
  brokerData: [
    { if: 'the client takes it', given: () => text('x'), step: 'forwarding', does: ['client gets "x"'] },
    {
      if: 'the client is full',
      before: ({ client }) => {
        client.takes = false
      },
      ...{ given: () => text('x'), step: 'forwarding', does: ['client gets "x"', 'a pauses'] },
    },
  ],
  brokerDrain: [{ step: 'forwarding', does: ['client resumes'] }],
  brokerEnd: [{ step: 'forwarding', does: ['client ends'], after: (step) => expectEnding(step, 'broker') }],
  brokerClose: [
    { step: 'ended', does: ['reports session ended, broker', 'client ends', 'client resumes'] },
    {
      if: 'the client ended first',
      before: (scene) => {
        scene.ending = 'client'
      },
      ...{ step: 'ended', does: ['reports session ended, client', 'client ends', 'client resumes'] },
    },
    {
      if: 'the gateway ended it',
      before: (scene) => {
        scene.ending = 'moved'
      },
      ...{ step: 'ended', does: ['reports session ended, moved', 'client ends', 'client resumes'] },
    },
  ],
  deadline: [
    {
      ...{
        if: 'within 1.5 keep alives',
        given: ({ givenAt }) => givenAt + 14_000,
        step: 'forwarding',
        does: probed,
      },
    },
    {
      ...{ if: 'after 1.5 keep alives', given: ({ givenAt }) => givenAt + 16_000, step: 'forwarding' },
      does: ['a destroyed'],
    },
    {
      if: 'the client has sent something meanwhile',
      before: (scene) => {
        scene.bytesRead = 1
      },
      ...{ given: ({ givenAt }) => givenAt + 16_000, step: 'forwarding', does: probed },
    },
    {
      if: 'the client is held back',
      before: ({ client }) => client.is({ paused: true }),
      ...{ given: ({ givenAt }) => givenAt + 16_000, step: 'forwarding', does: probed },
    },
    {
      if: 'the credentials have expired',
      before: (scene) => {
        scene.expiresAt = Date.now() - 1
      },
      ...{ given: ({ givenAt }) => givenAt + 1000, step: 'forwarding', does: ['a destroyed'] },
    },
    {
      if: 'the credentials have expired, and both are to be told',
      before: (scene) => {
        tellBoth(scene)
        scene.expiresAt = Date.now() - 1
      },
      given: ({ givenAt }) => givenAt + 1000,
      ...{ step: 'parting', does: ['a gets DISCONNECT 0x00', 'a ends'] },
    },
    {
      if: 'after 1.5 keep alives, and both are to be told',
      before: tellBoth,
      given: ({ givenAt }) => givenAt + 16_000,
      step: 'parting',
      does: [
        'a destroyed',
        ...told('0x8d'),
        'reports parted, idle: between-packets',
        'reports session ended, idle',
      ],
    },
    {
      if: 'the broker has not read for five minutes, and both are to be told',
      before: (scene) => {
        tellBoth(scene)
        scene.client.is({ paused: true })
      },
      given: ({ givenAt }) => givenAt + 301_000,
      step: 'parting',
      does: [
        'a destroyed',
        ...told('0x89'),
        'reports parted, stalled: between-packets',
        'reports session ended, stalled',
      ],
    },
  ],
  stop: [
    { step: 'ended', does: ['a destroyed', 'reports session ended, stopped'] },
    {
      ...{ if: 'the broker has refused it', before: refuse, step: 'ended' },
      does: ['a reset', 'reports session ended, refused'],
    },
    {
      if: 'the client ended first',
      before: (scene) => {
        scene.ending = 'client'
      },
      ...{ step: 'ended', does: ['a destroyed', 'reports session ended, client'] },
    },
  ],
  dismiss: [
    {
      ...{ if: 'nobody is to be told', step: 'forwarding', does: ['a destroyed'] },
      after: (step) => expectEnding(step, 'drained'),
    },
    {
      ...{ if: 'both are to be told', before: tellBoth, step: 'parting' },
      does: ['a gets DISCONNECT 0x00', 'a ends'],
    },
    {
      ...{ if: 'the client is to be told', before: tellClient, step: 'parting' },
      does: [
        'a destroyed',
        ...told('0x8b'),
        'reports parted, drained: between-packets',
        'reports session ended, drained',
      ],
    },
    ...[tellBoth, tellClient, () => {}].map((tell, i) => ({
      if: `the client has ended its side, and ${['both are', 'the client is', 'nobody is'][i]} to be told`,
      before: (scene: Scene) => {
        tell(scene)
        scene.a.is({ writable: false })
      },
      step: 'parting' as const,
      does: [],
      after: (step: Step, { givenAt }: Scene) => {
        expect((step as Parting).deadline).to.be.at.least(givenAt + 30_000)
      },
    })),
    {
      if: 'both are to be told, in the middle of a packet',
      before: (scene) => {
        tellBoth(scene)
        scene.halves = { client: PACKET.subarray(0, 1) }
      },
      ...{ step: 'parting', does: [] },
    },
  ],
}
