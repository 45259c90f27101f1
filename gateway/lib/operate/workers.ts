import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFrom } from '../settings/files.ts'
import { startAdmin } from './admin.ts'
import { parseConfig } from './config.ts'
import { type Edition, Editions, type Reloaded, type WithFiles } from './editions.ts'
import type { Gateway } from './gateway.ts'
import { onHangup } from './hangup.ts'
import type { Log } from './log.ts'
import type { Config } from './schema.ts'
import type { ServiceManager } from './service-manager.ts'
import { hasInheritedSockets, inheritedSockets } from './socket-activation.ts'
import { isPipe } from './standard-output.ts'
import { answerWithMetrics, WorkerMetrics } from './worker-metrics.ts'

/** The interval in milliseconds at which a worker checks whether it's ready. */
const READY_INTERVAL = 200
/** The delay in milliseconds before a worker that has ended is replaced. */
const RESTART_DELAY = 1000
/**
 * The time in milliseconds for which a worker may be silent while the gateway stops. After that it's killed, because a signal
 * would never reach it.
 */
const STOPPING_SILENCE = 5000

/** The time in milliseconds to wait for the last lines of workers that have ended. */
const LAST_LINES = 2000

interface State {
  readonly ready: boolean
  readonly addresses: readonly string[]
}

/** A new worker's request for the configuration. */
interface ConfigRequest {
  readonly wantsConfig?: true
}

/** The answer to it, and the order to reload. */
interface Order {
  readonly edition: Edition
}

/** A worker's answer to an order: the number of the edition. */
interface Outcome {
  readonly applied?: number
  readonly refused?: number
}

/** In a worker: the configuration that's in force, and the sockets of systemd that its listeners have. */
export async function configFromPrimary(): Promise<{
  readonly config: Config
  readonly sockets: readonly (number | undefined)[]
}> {
  process.send!({ wantsConfig: true } satisfies ConfigRequest)
  const [{ edition }] = (await once(process, 'message')) as [Order]
  readFrom(edition.files)
  return { config: parseConfig(edition.config), sockets: edition.sockets.map((fd) => fd ?? undefined) }
}

/**
 * In a worker: sets the action for a reload.
 *
 * @param apply resolves with false if the configuration stays as it was
 */
export function onReload(apply: (reloaded: Reloaded) => Promise<boolean>): void {
  const reload = async (edition: Edition) => {
    readFrom(edition.files)
    const { number } = edition
    const outcome: Outcome = (await apply(edition)) ? { applied: number } : { refused: number }
    process.send?.(outcome)
  }
  // One at a time, because each sets the files to read.
  let last = Promise.resolve()
  process.on('message', ({ edition }: Partial<Order>) => {
    if (edition) last = last.then(() => reload(edition))
  })
}

/** In a worker: reports to the primary process. */
export function reportToPrimary(gateway: Gateway): void {
  answerWithMetrics(gateway.metrics.registry)
  const addresses = gateway.listeners.map(({ address }) => `${address.address}:${address.port}`)
  let last: boolean | undefined
  const report = () => {
    if (gateway.ready === last || !process.connected) return
    last = gateway.ready
    process.send?.({ ready: last, addresses } satisfies State)
  }
  report()
  setInterval(report, READY_INTERVAL).unref()
}

/**
 * In the primary process: starts the workers, replaces those that end, and passes on signals.
 *
 * @param read reads the configuration and its files again, given the listeners that may be open; `undefined` if they're invalid
 * @returns the addresses, once all workers listen
 * @throws Error with `code`, as the rejection, if the admin port is taken. If a worker cannot start, the process ends.
 */
export async function startWorkers(
  first: WithFiles,
  log: Log,
  read: (open: Config['listeners']) => Promise<WithFiles | undefined>,
  manager: ServiceManager,
): Promise<readonly string[]> {
  const { config } = first
  const editions = new Editions<Worker>(first, inheritedSockets(config.listeners))
  const metrics = new WorkerMetrics()
  const states = new Map<Worker, State>()
  let stopping = false
  // Sending fails if the worker is ending, and its exit follows soon.
  const give = (worker: Worker) => worker.send({ edition: editions.give(worker) } satisfies Order, () => {})
  /** Settle when the lines of a worker have been passed on. */
  const outputs = new Set<Promise<unknown>>()
  // Otherwise, a client could make a line so long that it's broken by another worker's, and what follows would look like a line of its own.
  if (isPipe()) cluster.setupPrimary({ stdio: ['inherit', 'pipe', 'inherit', 'ipc'] })
  const end = async (code: number) => {
    await Promise.race([Promise.all(outputs), sleep(LAST_LINES)])
    await log.written()
    process.exit(code)
  }
  const fork = () => {
    const worker = cluster.fork()
    const { stdout } = worker.process
    if (stdout) {
      const output = passLines(stdout, (lines) => log.pass(lines)).finally(() => outputs.delete(output))
      outputs.add(output)
    }
    worker.on('message', (message: State & ConfigRequest & Outcome) => {
      if (message.wantsConfig) give(worker)
      if (message.applied !== undefined) editions.applied(worker, message.applied)
      if (message.refused !== undefined) editions.refused(worker, message.refused)
      if (!message.addresses) return
      const isNew = !states.has(worker)
      states.set(worker, message)
      if (!isNew) return
      metrics.add(worker)
      // It listens with what it has got when it started, and there may have been a reload since.
      const number = editions.lastOf(worker) ?? 0
      editions.applied(worker, number)
      if (number < editions.current.number) give(worker)
    })
    return worker
  }
  const workers = Array.from({ length: config.workers }, fork)
  // A worker that has ended stays in the list until its channel is closed too.
  const running = () =>
    Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isDead() === false ? worker : []))
  cluster.on('exit', (worker, code, signal) => {
    const hasListened = states.delete(worker)
    const number = editions.lastOf(worker)
    // It has printed the reason. One that is killed may start another time.
    if (!hasListened && code > 0 && number !== undefined && editions.refused(worker, number))
      log.warn("A worker can't start with the reloaded configuration, so workers get the one before it.")
    editions.ended(worker)
    if (stopping) {
      if (running().length === 0) end(0)
      return
    }
    // When the last worker ended, Node closed systemd's sockets, so only systemd can open them again.
    if (states.size === 0 && hasInheritedSockets()) {
      stopping = true
      log.warn(`The last worker has ended (${signal ?? code}), so the gateway ends too.`)
      end(1)
      return
    }
    log.warn(`A worker has ended (${signal ?? code}) and is replaced.`)
    replace()
  })
  // Node reports some failures to start a process as events and throws others. Either would end this process, and all workers with it.
  const tryAgain = ({ message }: Error) => {
    log.warn(`A worker can't be started, so the gateway tries again: ${message}`)
    replace()
  }
  // All other events are about a worker that has started, and that is replaced once it ends.
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.syscall?.startsWith('spawn')) tryAgain(error)
  }
  const replace = () =>
    setTimeout(() => {
      if (stopping) return
      try {
        fork().on('error', onError)
      } catch (error) {
        tryAgain(error as Error)
      }
    }, RESTART_DELAY)
  for (const worker of workers) worker.on('error', onError)
  const pass = (signal: NodeJS.Signals) => {
    for (const worker of running()) worker.process.kill(signal)
  }
  const killHanging = () => {
    // A worker that doesn't listen yet ends with the signal at once, unless it hangs.
    const starting = running().filter((worker) => !states.has(worker))
    for (const worker of [...metrics.hanging(STOPPING_SILENCE), ...starting]) {
      log.warn('A worker hangs and is killed, because the gateway stops.')
      worker.process.kill('SIGKILL')
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!stopping) {
        manager.stopping()
        setInterval(killHanging, 1000)
      }
      stopping = true
      pass(signal)
      // All workers may have ended already, and then there is no 'exit' event left to wait for.
      if (running().length === 0) end(0)
    })
  }
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.once('listening', () => resolve())
          // The worker has printed the reason.
          worker.once('exit', (code) => {
            if (!states.has(worker) && !stopping) process.exit(code || 1)
          })
        }),
    ),
  )
  while (states.size < config.workers) await new Promise((resolve) => setTimeout(resolve, 5))
  onHangup(async () => {
    manager.reloading()
    const next = await read(editions.open)
    if (next !== undefined) {
      editions.add(next)
      // Others are still starting, and get it once they listen, or when they ask for it.
      for (const worker of states.keys()) give(worker)
      if (states.size === 0)
        log.info('The configuration has been reloaded, and workers that start will have it.')
    }
    manager.ready()
  })
  if (config.admin) {
    const allReady = () => [...states.values()].filter(({ ready }) => ready).length
    await startAdmin(config.admin, {
      ready: () => !stopping && allReady() > 0,
      metrics: () => metrics.text(),
    })
  }
  return [...states.values()][0]?.addresses ?? []
}

/** Passes on whole lines. Resolves when there are no more. */
async function passLines(stream: AsyncIterable<Buffer>, print: (lines: string) => void): Promise<void> {
  const rest: Buffer[] = []
  try {
    for await (const chunk of stream) {
      const end = chunk.lastIndexOf('\n') + 1
      if (end > 0) print(Buffer.concat([...rest.splice(0), chunk.subarray(0, end)]).toString())
      if (end < chunk.length) rest.push(chunk.subarray(end))
    }
  } catch {
    // The worker has crashed.
  }
  if (rest.length > 0) print(`${Buffer.concat(rest)}\n`)
}
