import cluster from 'node:cluster'
import { checksOf } from '../authenticate/authenticate.ts'
import { Connection } from '../connection/connection.ts'
import { listenerGone } from '../connection/reports.ts'
import type { Stages, StagesSource } from '../connection/steps.ts'
import { type Full, type LimitName, Limits } from '../limit/limits.ts'
import { OpenConnections } from '../limit/open-connections.ts'
import type { Accepted, Handshake, Occupancy, Reception } from '../listen/accepted.ts'
import { Listener } from '../listen/listener.ts'
import type { Peer } from '../listen/peer.ts'
import { Rewriter } from '../rewrite/rewriter.ts'
import { Router } from '../route/router.ts'
import type { OnChange } from '../route/upstream.ts'
import { addressOf, nameOf } from '../settings/names.ts'
import { ConfigError } from './config.ts'
import { checkPorts } from './free-ports.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics.ts'
import { Reporter } from './reporter.ts'
import type { Config } from './schema.ts'

/** The stages of one configuration, with separate stages for listeners that have their own authentication. */
interface AllStages extends Stages {
  readonly config: Config
  /** The separate stages by the name of the listener. */
  readonly of: ReadonlyMap<string, Stages>
}

/** One process of the gateway. */
export class Gateway implements Reception, StagesSource {
  readonly open: OpenConnections = new OpenConnections()
  readonly metrics: Metrics = new Metrics(this.open, () => this.#stages.router.upstreams)
  readonly log: Log
  readonly #reporter: Reporter
  #checks: NodeJS.Timeout | undefined
  #listeners: readonly Listener[] = []
  #stages: AllStages
  /** The new stages during a reload, because a new listener can have clients before all listeners are open. */
  #coming: AllStages | undefined
  #draining = false
  /** The number of connections of draining upstreams that may be closed by now. */
  #due = 0
  /** Settles when no reload is under way. */
  #reloading: Promise<void> = Promise.resolve()

  /** @throws FileError if a file that the configuration names cannot be used */
  constructor(config: Config, log: Log) {
    this.log = log
    this.#reporter = new Reporter(log, this.metrics, this.open, (peer) => this.#fail(peer))
    this.#stages = this.#stagesOf(config)
    this.#expect(config)
  }

  get listeners(): readonly Listener[] {
    return this.#listeners
  }

  /** True if new connections are welcome, and a broker can take them. */
  get ready(): boolean {
    return !this.#draining && this.#stages.router.upstreams.some(({ isReady }) => isReady)
  }

  /** @throws FileError if a file of a listener cannot be used */
  check(): void {
    for (const config of this.#stages.config.listeners) new Listener(config, this)
  }

  /**
   * @param fds the file descriptors of sockets that are already open, in the order of the listeners
   * @throws Error with `code`, as the rejection, if a listener cannot listen
   */
  async start(fds: readonly (number | undefined)[] = []): Promise<void> {
    await this.#listen(this.#stages.config, fds)
    this.metrics.collectDefaults()
    this.#startChecks()
    this.#checks = setInterval(() => {
      const now = performance.now()
      for (const peer of this.open.all()) peer.check(now)
      this.#move()
    }, CHECK_INTERVAL).unref()
  }

  /**
   * Applies a new configuration to later connections. Open connections stay open.
   *
   * @throws FileError, or an Error with `code`; the old configuration then stays in force
   */
  async reload(config: Config): Promise<void> {
    // One reload at a time. Opening a listener takes time, so an earlier configuration could otherwise overwrite a later one.
    const reloaded = this.#reloading.then(() => this.#reload(config))
    this.#reloading = reloaded.catch(() => {})
    await reloaded
  }

  async #reload(config: Config): Promise<void> {
    if (this.#draining) throw new Error('the gateway is stopping')
    const next = this.#stagesOf(config)
    // A listener must not serve clients before another one turns out to be impossible. The primary process has checked the ports of workers.
    if (!cluster.isWorker) {
      const open = this.listeners.map((listener) => listener.config)
      await checkPorts(config.listeners, open)
    }
    this.#coming = next
    await this.#listen(config).finally(() => {
      this.#coming = undefined
    })
    for (const upstream of this.#stages.router.upstreams) upstream.stop()
    next.router.inherit(this.#stages.router)
    this.#stages = next
    this.#expect(config)
    this.#startChecks()
    for (const { connection } of this.open.all()) connection?.reconfigure()
  }

  #expect({ listeners, upstreams }: Config): void {
    this.metrics.expect(listeners.map(nameOf), upstreams.map(nameOf))
  }

  /** Closes connections to upstreams that are draining or off. The clients reconnect, and are routed to a different upstream. */
  #move(): void {
    const { router, config } = this.#stages
    const { draining, off } = router.leaving
    if (draining.size + off.size === 0 || this.#draining) return
    this.#due += (config.drain.perSecond / config.workers) * (CHECK_INTERVAL / 1000)
    for (const { connection } of this.open.all()) {
      const upstream = connection?.isForwarded ? connection.upstream : undefined
      if (upstream === undefined) continue
      const isDue = draining.has(upstream) && this.#due >= 1
      if (isDue) this.#due--
      if (isDue || off.has(upstream)) connection!.end('moved')
    }
    // Unused allowance isn't saved up.
    this.#due %= 1
  }

  /** Ends everything at once. */
  close(): void {
    this.#draining = true
    clearInterval(this.#checks)
    for (const listener of this.listeners) listener.close()
    for (const upstream of this.#stages.router.upstreams) upstream.stop()
    this.#reporter.close()
    for (const peer of this.open.all()) peer.stop()
  }

  /** Accepts no more connections, and closes those that are open at the configured pace. */
  async drain(): Promise<void> {
    const { drain, workers } = this.#stages.config
    const { delay, timeout } = drain
    const perSecond = drain.perSecond / workers
    this.#draining = true
    await sleep(delay * 1000)
    await this.#reloading
    for (const listener of this.listeners) listener.close()
    const start = performance.now()
    let closed = 0
    for (;;) {
      const now = performance.now()
      const seconds = (now - start) / 1000
      const open = this.open.all()
      const left = open.flatMap(({ connection }) => (connection?.isForwarded ? connection : []))
      // Clients accepted before the listeners closed aren't refused.
      const isSettled = this.open.lingering === 0 && !open.some((peer) => peer.isUnsettled(now))
      const isDone = left.length === 0 && isSettled
      if (isDone || seconds >= timeout) break
      const due = left.slice(0, Math.ceil(seconds * perSecond) - closed)
      for (const connection of due) connection.end('drained')
      closed += due.length
      await sleep(10)
    }
    this.close()
  }

  // The callbacks of the listeners.

  get handshakeTimeout(): number {
    return this.#stages.config.limits.handshakeTimeout * 1000
  }

  get drainConfig(): Config['drain'] {
    return this.#stages.config.drain
  }

  accept(peer: Accepted, of: Occupancy): boolean {
    this.#reporter.accepted(peer)
    const { limits } = this.#stages
    const isLocated = peer.config.proxyProtocol === undefined
    const exceeded = limits.listener(of) ?? (isLocated ? this.#judge(peer) : undefined)
    if (exceeded !== undefined) {
      this.limited(exceeded, peer)
      return false
    }
    const full = limits.arrival(this.open)
    this.open.add(peer)
    if (isLocated) this.open.locate(peer)
    if (full !== undefined) this.#trimUnlocated(full)
    return true
  }

  admit(peer: Accepted): boolean {
    const exceeded = this.#judge(peer)
    if (exceeded === undefined) this.open.locate(peer)
    else this.limited(exceeded, peer)
    return exceeded === undefined
  }

  /**
   * Returns the limit that a connection exceeds. If all places are taken, the address with the most clients that have no session loses one of
   * them to a different address, unless the connection is refused for another reason.
   */
  #judge(peer: Accepted): LimitName | undefined {
    const { limits } = this.#stages
    const blocked = limits.address(peer, this.open)
    if (blocked !== undefined) return blocked
    const full = limits.arrival(this.open.located)
    const surplus = full && this.open.surplus(peer.network, full === 'pending')
    if (full !== undefined && surplus === undefined) return full
    const rate = limits.rate(peer)
    if (rate === undefined && surplus) this.#giveWay(surplus, peer.network)
    return rate
  }

  /**
   * Nobody knows whose connections these are before their PROXY header, so they take places from nobody else, and the oldest makes room: a header that
   * its proxy sends only with the client's first bytes comes within a round trip, but not from a client that stays silent.
   */
  #trimUnlocated(full: Full): void {
    const { size, oldest } = this.open.unlocated
    if (size <= this.#stages.limits.unlocated(full)) return
    this.limited(full, oldest!)
    this.open.remove(oldest!)
    oldest!.stop()
  }

  #giveWay(surplus: Accepted, network: string): void {
    // A connection that is served reports this itself.
    if (surplus.connection === undefined) this.limited('address-share', surplus)
    this.open.giveWay(surplus, network)
    surplus.stop('address-share')
  }

  limited(limit: LimitName, peer: Peer): void {
    this.#reporter.limited(limit, peer)
  }

  #fail(peer: Peer): void {
    const seconds = this.#stages.limits.fail(peer)
    if (seconds !== undefined)
      this.log.warn(`${peer.address}: banned for ${seconds} s after too many failures`)
  }

  serve(peer: Accepted): void {
    const stages = this.stagesFor(peer)
    if (stages) {
      peer.connection = new Connection(peer, stages, this, this.#reporter)
      return
    }
    this.log.refused(peer, listenerGone(peer))
    peer.stop()
  }

  stagesFor(peer: Accepted): Stages | undefined {
    if (!peer.acceptor.isCurrent(peer)) return undefined
    const isNew = this.#coming !== undefined && !this.listeners.some((one) => one === peer.acceptor)
    return (isNew ? this.#coming! : this.#stages).of.get(peer.listener)
  }

  complete(peer: Accepted): void {
    this.open.complete(peer)
  }

  join(peer: Accepted): void {
    this.open.join(peer)
  }

  leave(peer: Accepted): void {
    this.open.remove(peer)
  }

  failed(by: Handshake, peer: Accepted, error: Error): void {
    if (peer.isStopped) return
    if (peer.bytesRead === 0) this.#reporter.probe(peer)
    else this.#reporter.refused(peer, { by, error })
  }

  warn(message: string): void {
    this.log.warn(message)
  }

  // Configuration.

  /** Sessions retain this, so it's no closure that would retain the stages. */
  readonly #onChange: OnChange = ({ name, healthy }, failure) => {
    this.log.warn(`The broker ${name} ${healthy ? 'answers again' : `does not answer: it ${failure}`}`)
  }

  #stagesOf(config: Config): AllStages {
    const common = {
      config,
      limits: new Limits(config, this.#stages?.limits),
      checks: checksOf(config.authentication),
      rewriter: new Rewriter(config.rewrite),
      router: new Router(config, this.#onChange),
    }
    const ownOf = ({ authentication }: Config['listeners'][number]): Stages =>
      authentication
        ? { ...common, config: { ...config, authentication }, checks: checksOf(authentication) }
        : common
    return { ...common, of: new Map(config.listeners.map((listener) => [nameOf(listener), ownOf(listener)])) }
  }

  #startChecks(): void {
    const { config, router } = this.#stages
    for (const upstream of router.upstreams) upstream.startChecks(config.route.health)
  }

  /** Opens and closes listeners as configured. */
  async #listen({ listeners }: Config, fds: readonly (number | undefined)[] = []): Promise<void> {
    // Reads all files before the first listener opens, because it must not serve clients if a file turns out to be unusable.
    const changes: (() => void)[] = []
    // Several listeners may have port 0, which stands for any free port, so each one that's open is taken once.
    const left = [...this.#listeners]
    const next = listeners.map((config) => {
      const at = left.findIndex((open) => addressOf(open.config) === addressOf(config))
      if (at < 0) return { isOpen: false, listener: new Listener(config, this) }
      const listener = left.splice(at, 1)[0]!
      changes.push(listener.prepare(config))
      return { isOpen: true, listener }
    })
    const opened: Listener[] = []
    try {
      for (const [i, { isOpen, listener }] of next.entries()) {
        if (isOpen) continue
        await listener.listen(fds[i])
        opened.push(listener)
        if (listener.address?.port === undefined)
          throw new ConfigError([`listeners[${i}]: the socket that systemd has opened isn't a TCP socket`])
      }
    } catch (error) {
      for (const listener of opened) listener.remove()
      throw error
    }
    for (const change of changes) change()
    for (const listener of left) listener.remove()
    this.#listeners = next.map(({ listener }) => listener)
  }
}

/** The interval in milliseconds at which connections are checked for deadlines. */
const CHECK_INTERVAL = 100

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
