import type { Events } from '../../lib/connection/steps.ts'
import { type Scene, type Situation, text } from './scene.ts'

/*
 * The cells of the step `parting`, for the test of the table.
 */

/** A PUBLISH with the contents "x". */
export const PACKET = Buffer.from('300178', 'hex')
export const tellBoth = (scene: Scene) => {
  scene.drain = { notify: true, discardWills: true }
}
export const tellClient = (scene: Scene) => {
  scene.drain = { notify: true }
}
const toldBroker = (scene: Scene) => {
  tellBoth(scene)
  scene.isBrokerTold = true
}
export const told = (code: string) => [`client gets DISCONNECT ${code}`, 'client ends', 'client resumes']
const parted = [
  'a destroyed',
  ...told('0x8b'),
  'reports parted, drained: between-packets',
  'reports session ended, drained',
]

export const parting: { readonly [E in keyof Events]?: readonly Situation[] } = {
  clientData: [
    {
      if: 'the rest of its packet and more',
      before: (scene) => {
        tellBoth(scene)
        scene.halves = { client: PACKET.subarray(0, 2) }
      },
      given: () => Buffer.concat([PACKET.subarray(2), PACKET]),
      step: 'parting',
      does: ['a gets "x"', 'a gets DISCONNECT 0x00', 'a ends'],
    },
    {
      if: 'a part of its packet that the broker has no room for',
      before: (scene) => {
        tellBoth(scene)
        scene.halves = { client: Buffer.of(0x30, 2) }
        scene.a.takes = false
      },
      given: () => text('x'),
      step: 'parting',
      does: ['a gets "x"', 'client pauses'],
    },
    { if: 'the broker has been told', before: toldBroker, given: () => PACKET, step: 'parting', does: [] },
  ],
  clientDrain: [{ before: toldBroker, step: 'parting', does: ['a resumes'] }],
  clientEnd: [
    {
      if: 'in the middle of a packet',
      before: (scene) => {
        tellBoth(scene)
        scene.halves = { client: PACKET.subarray(0, 1) }
      },
      step: 'parting',
      does: ['a ends'],
    },
    { if: 'the broker has been told', before: toldBroker, step: 'parting', does: [] },
  ],
  clientClose: [
    {
      if: 'the broker could not be told yet',
      before: (scene) => {
        tellBoth(scene)
        scene.halves = { client: PACKET.subarray(0, 1) }
        scene.client.is({ closed: true })
      },
      step: 'ended',
      does: ['a destroyed', 'reports parted, drained: cut', 'reports session ended, drained'],
    },
    {
      if: 'the broker has been told',
      before: toldBroker,
      step: 'ended',
      does: [
        'reports parted, drained: between-packets',
        'reports session ended, drained',
        'a resumes',
        'reports that the broker lingers',
      ],
    },
    {
      if: 'it has been told',
      before: (scene) => {
        toldBroker(scene)
        scene.isClientTold = true
      },
      step: 'ended',
      does: [],
    },
  ],
  brokerData: [
    {
      if: 'it has been told',
      before: toldBroker,
      given: () => text('x'),
      step: 'parting',
      does: ['client gets "x"'],
    },
    {
      if: 'the client has no room for it',
      before: (scene) => {
        toldBroker(scene)
        scene.client.takes = false
      },
      ...{ given: () => text('x'), step: 'parting', does: ['client gets "x"', 'a pauses'] },
    },
    {
      if: 'it is told nothing, and the client has ended its side',
      before: (scene) => {
        tellClient(scene)
        scene.isBrokerTold = true
        scene.hasEnded = true
      },
      ...{ given: () => text('x'), step: 'parting', does: ['client gets "x"'] },
    },
    {
      if: 'it is told nothing: the rest of its packet and more',
      before: (scene) => {
        tellClient(scene)
        scene.isBrokerTold = true
        scene.halves = { broker: PACKET.subarray(0, 2) }
      },
      given: () => Buffer.concat([PACKET.subarray(2), PACKET]),
      step: 'parting',
      does: [
        'client gets "x"',
        'a destroyed',
        ...told('0x8b'),
        'reports parted, drained: between-packets',
        'reports session ended, drained',
      ],
    },
  ],
  brokerDrain: [{ before: toldBroker, step: 'parting', does: ['client resumes'] }],
  brokerEnd: [{ before: toldBroker, step: 'parting', does: parted }],
  brokerClose: [
    { before: toldBroker, step: 'parting', does: parted },
    {
      if: 'in the middle of a packet',
      before: (scene) => {
        toldBroker(scene)
        scene.halves = { broker: PACKET.subarray(0, 1) }
      },
      step: 'parting',
      does: [
        'a destroyed',
        'client ends',
        'client resumes',
        'reports parted, drained: cut',
        'reports session ended, drained',
      ],
    },
  ],
  stop: [{ before: toldBroker, step: 'parting', does: parted }],
  deadline: [
    { before: toldBroker, step: 'parting', does: parted },
    {
      if: 'the client has been told',
      before: (scene) => {
        toldBroker(scene)
        scene.isClientTold = true
      },
      step: 'parting',
      does: [],
    },
  ],
}
