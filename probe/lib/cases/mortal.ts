import { property } from 'mqtt-connect-packet'
import type { Connection } from '../connection.ts'
import type { ConnectFields } from '../packets.ts'
import { noAnswer, notTested, Stop } from '../result.ts'
import { type Trial, unique, type Watcher } from '../trial.ts'

/* Clients with a will. */

export const text = 'the will'

type WillFields = NonNullable<ConnectFields['will']>

export interface Mortal {
  readonly connection: Connection
  readonly watcher: Watcher
  readonly topic: string
  readonly clientId: string
}

/** A client with a will, and a second one that watches the will's topic. */
export async function mortal(
  trial: Trial,
  more: Partial<WillFields> = {},
  fields: Partial<ConnectFields> = {},
): Promise<Mortal> {
  const topic = more.topic ?? unique()
  const clientId = unique()
  const watcher = await trial.watch(topic)
  const will = { topic, message: text, ...more }
  const { connection } = await trial.connect({ clientId, will, ...fields })
  trial.reported = connection
  return { connection, watcher, topic, clientId }
}

/** As `mortal`, but with a will that is delayed by this many seconds, and a session that lasts long enough. */
export async function mortalWithDelay(trial: Trial, seconds: number): Promise<Mortal> {
  const will = { props: [property.willDelayInterval(seconds)] }
  return mortal(trial, will, { props: [property.sessionExpiryInterval(60)] })
}

/** True if the will arrives. If it doesn't, another message must, because the server may only be slow. */
export async function arrives(
  trial: Trial,
  { watcher, topic }: Pick<Mortal, 'watcher' | 'topic'>,
  more = 0,
  message: string | Buffer = text,
): Promise<boolean> {
  if ((await watcher.message(topic, trial.timeout + more, message)) !== undefined) return true
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, message)) !== undefined
}

/**
 * True if the will arrives after the client's connection broke. If it doesn't, a second client takes over. If that makes the
 * server publish the will, it just hadn't detected the end of the connection, so the case ends.
 */
export async function arrivesAfterBreak(
  trial: Trial,
  client: Mortal,
  message: string | Buffer = text,
): Promise<boolean> {
  client.connection.destroy()
  if (await arrives(trial, client, 0, message)) return true
  const { reported } = trial
  await trial.connect({ clientId: client.clientId })
  trial.reported = reported
  if ((await client.watcher.message(client.topic, trial.grace, message)) === undefined) return false
  throw new Stop(noAnswer(`The server did not notice within ${trial.timeout} ms that a connection broke.`))
}

/** True if the will doesn't arrive, although a later message does. */
export async function staysAway(trial: Trial, { watcher, topic }: Mortal): Promise<boolean> {
  await watcher.sync(topic)
  return (await watcher.message(topic, trial.grace, text)) === undefined
}

/** Ends the case if the server publishes no wills at all, so that it isn't blamed for each kind of will. */
export async function needsWills(trial: Trial): Promise<void> {
  const { reported } = trial
  const client = await mortal(trial)
  trial.reported = reported
  await needs(arrivesAfterBreak(trial, client), 'The server publishes no wills: see will.published.')
}

/** Ends the case as not tested unless the condition holds. */
export async function needs(condition: Promise<boolean>, otherwise: string): Promise<void> {
  if (!(await condition)) throw new Stop(notTested(otherwise))
}

/** True if a client comes back to a session. */
export async function hasSession(trial: Trial, clientId: string): Promise<boolean> {
  const { reported } = trial
  const { connection, answer } = await trial.connect({ clientId, clean: false })
  await trial.leave(connection)
  trial.reported = reported
  return answer.sessionPresent
}
