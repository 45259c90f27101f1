import {
  answerFailed,
  connectFailed,
  giveUpAnswering,
  giveUpConnecting,
  hurry,
  hurryAnswer,
  passEarly,
  readAnswer,
  sendConnect,
} from './broker.ts'
import {
  brokerEnds,
  checkIdle,
  clientEnds,
  finish,
  leaveBroker,
  leaveSession,
  resumeBroker,
  resumeClient,
  resumeIdleClient,
  stopConnecting,
  stopSession,
  toBroker,
  toClient,
} from './forward.ts'
import {
  abandon,
  endEarly,
  endLate,
  follow,
  giveUpDeciding,
  leaveEarly,
  readConnect,
  stopHandshake,
} from './handshake.ts'
import { leave, part, passLast, passRest, tellBroker, tellClient } from './part.ts'
import type { Events, Link, Step } from './steps.ts'

type StepOf<Name extends Step['name']> = Extract<Step, { readonly name: Name }>

type Cell<S extends Step, Given> = (link: Link, step: S, given: Given) => void

/** The reaction to each event in each step. */
type Table = {
  readonly [S in Step['name']]: { readonly [E in keyof Events]: Cell<StepOf<S>, Events[E]> }
}

/** The event can't occur in this step, or has no meaning there. */
export function nothing(): void {}

/** Everything that a connection does begins in one of these cells. Each is named after its action. */
export const table: Table = {
  reading: {
    clientData: readConnect,
    clientDrain: nothing,
    clientEnd: endEarly,
    clientClose: endEarly,
    decided: nothing,
    brokerReady: nothing,
    brokerData: nothing,
    brokerDrain: nothing,
    brokerEnd: nothing,
    brokerClose: nothing,
    deadline: endLate,
    dismiss: nothing,
    stop: abandon,
  },
  deciding: {
    clientData: nothing,
    clientDrain: nothing,
    clientEnd: hurry,
    clientClose: leaveEarly,
    decided: follow,
    brokerReady: nothing,
    brokerData: nothing,
    brokerDrain: nothing,
    brokerEnd: nothing,
    brokerClose: nothing,
    deadline: giveUpDeciding,
    dismiss: nothing,
    stop: stopHandshake,
  },
  connecting: {
    clientData: nothing,
    clientDrain: nothing,
    clientEnd: hurry,
    clientClose: leaveBroker,
    decided: nothing,
    brokerReady: sendConnect,
    brokerData: nothing,
    brokerDrain: nothing,
    brokerEnd: nothing,
    brokerClose: connectFailed,
    deadline: giveUpConnecting,
    dismiss: nothing,
    stop: stopConnecting,
  },
  answering: {
    clientData: passEarly,
    clientDrain: resumeBroker,
    clientEnd: hurryAnswer,
    clientClose: leaveBroker,
    decided: nothing,
    brokerReady: nothing,
    brokerData: readAnswer,
    brokerDrain: resumeClient,
    brokerEnd: nothing,
    brokerClose: answerFailed,
    deadline: giveUpAnswering,
    dismiss: nothing,
    stop: stopConnecting,
  },
  forwarding: {
    clientData: toBroker,
    clientDrain: resumeBroker,
    clientEnd: clientEnds,
    clientClose: leaveSession,
    decided: nothing,
    brokerReady: nothing,
    brokerData: toClient,
    brokerDrain: resumeIdleClient,
    brokerEnd: brokerEnds,
    brokerClose: finish,
    deadline: checkIdle,
    dismiss: part,
    stop: stopSession,
  },
  parting: {
    clientData: passRest,
    clientDrain: resumeBroker,
    clientEnd: tellBroker,
    clientClose: leave,
    decided: nothing,
    brokerReady: nothing,
    brokerData: passLast,
    brokerDrain: resumeClient,
    brokerEnd: tellClient,
    brokerClose: tellClient,
    deadline: tellClient,
    dismiss: nothing,
    stop: tellClient,
  },
  ended: {
    clientData: nothing,
    clientDrain: nothing,
    clientEnd: nothing,
    clientClose: nothing,
    decided: nothing,
    brokerReady: nothing,
    brokerData: nothing,
    brokerDrain: nothing,
    brokerEnd: nothing,
    brokerClose: nothing,
    deadline: nothing,
    dismiss: nothing,
    stop: nothing,
  },
}
