import { expect } from 'chai'
import type { Events, Step } from '../../lib/connection/steps.ts'
import { nothing, table } from '../../lib/connection/table.ts'
import { answering } from './answering-cells.ts'
import { forwarding } from './forwarding-cells.ts'
import { handshake } from './handshake-cells.ts'
import { parting, tellBoth } from './parting-cells.ts'
import { accepted, Scene, type Situation, text } from './scene.ts'

type StepName = Step['name']
type EventName = keyof Events

/** Every cell in which something happens. */
const cells: { readonly [S in StepName]: { readonly [E in EventName]?: readonly Situation[] } } = {
  ...handshake,
  answering,
  forwarding,
  parting,
  ended: {},
}

/** Arguments for events that have no effect. */
const anything: Events = {
  ...{ clientData: text('x'), clientDrain: undefined, clientEnd: undefined, clientClose: undefined },
  ...{ decided: { allow: true }, brokerReady: undefined, brokerData: text('x'), brokerDrain: undefined },
  ...{ brokerEnd: undefined, brokerClose: undefined, deadline: 0, dismiss: 'drained', stop: undefined },
}
const stepNames = Object.keys(table) as StepName[]
const eventNames = Object.keys(anything) as EventName[]

describe('gateway: the table of steps and events', () => {
  let scene: Scene

  beforeEach(() => {
    scene = new Scene()
  })
  afterEach(() => {
    for (const side of [scene.client, scene.a, scene.b]) side.dispose()
  })

  for (const step of stepNames) {
    for (const event of eventNames) {
      const situations = cells[step][event]
      if (situations === undefined) {
        it(`${step}, ${event}: nothing`, () => {
          expect(table[step][event]).to.equal(nothing)
          if (step === 'parting') tellBoth(scene)
          scene.enter(step)
          const before = scene.connection.step
          scene.connection.happen(event, anything[event])
          expect(scene.connection.step).to.equal(before)
          expect(scene.notes).to.deep.equal([])
        })
      }
      for (const situation of situations ?? []) {
        it(`${step}, ${event}${situation.if ? `, if ${situation.if}` : ''}: ${situation.step}`, () => {
          // `before` prepares what the step starts with. In `reading`, it's what has arrived since, so that step is entered
          // first.
          if (step === 'reading') scene.enter(step)
          situation.before?.(scene)
          if (step !== 'reading') scene.enter(step)
          scene.connection.happen(
            event,
            (situation.given?.(scene) ?? anything[event]) as Events[typeof event],
          )
          expect(scene.notes).to.deep.equal(situation.does)
          expect(scene.connection.step.name).to.equal(situation.step)
          situation.after?.(scene.connection.step, scene)
        })
      }
    }
  }

  it('has these steps and events, and each step just the fields that are valid in it', () => {
    expect(stepNames).to.deep.equal([
      'reading',
      'deciding',
      'connecting',
      'answering',
      'forwarding',
      'parting',
      'ended',
    ])
    for (const step of stepNames) expect(Object.keys(table[step])).to.deep.equal(eventNames)
    scene.enter('answering')
    scene.connection.happen('brokerData', Buffer.from(accepted.bytes))
    const fields = Object.keys(scene.connection.step)
    expect(fields).to.have.members([
      'name',
      'upstream',
      'broker',
      'tracked',
      'session',
      'idle',
      'expiresAt',
      'deadline',
    ])
  })
})
