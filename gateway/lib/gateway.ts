import type { Socket } from 'node:net'
import {
  type ConnackPacket,
  type ConnectPacket,
  ConnectReasonCode,
  connack,
  MqttError,
  readConnect,
  refuse,
} from 'mqtt-connect-packet'
import { type Allow, authenticate, type Check, checksOf, type Deny, deny } from './authentication.ts'
import { awaitConnack, keepAliveOf } from './broker-answer.ts'
import type { Config } from './config.ts'
import { IdleWatch } from './idle.ts'
import { Limits, OpenConnections } from './limits.ts'
import { Listener, type ListenerHost } from './listener.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics.ts'
import type { Peer } from './peer.ts'
import { codeOf, Refusal } from './refusal.ts'
import { Rewriter } from './rewrite.ts'
import { Router } from './router.ts'
import { BusyError } from './slots.ts'
import type { Upstream } from './upstream.ts'

/** All that comes from one configuration. A reload replaces it as a whole. */
interface Stages {
  readonly config: Config
  readonly limits: Limits
  readonly checks: readonly Check[]
  readonly rewriter: Rewriter
  readonly router: Router
}

/** The longest delay that a timer takes. */
const LONGEST_DELAY = 2_147_483_647

/** One process of the gateway. */
export class Gateway implements ListenerHost {
  readonly open: OpenConnections = new OpenConnections()
  readonly metrics: Metrics = new Metrics(this.open)
  readonly #log: Log
  readonly #idle = new IdleWatch()
  /** Closes a connection that has been forwarded. */
  readonly #connections = new Set<() => void>()
  readonly #sockets = new Set<Socket>()
  #listeners = new Map<string, Listener>()
  #stages: Stages
  #draining = false

  /** @throws FileError if a file that the configuration names cannot be used */
  constructor(config: Config, log: Log) {
    this.#log = log
    this.#stages = this.#stagesOf(config)
  }

  get listeners(): readonly Listener[] {
    return [...this.#listeners.values()]
  }

  /** Whether new connections are welcome, and a broker can take them. */
  get ready(): boolean {
    return !this.#draining && this.#stages.router.upstreams.some(({ healthy }) => healthy)
  }

  /** @throws FileError if a file of a listener cannot be used */
  check(): void {
    for (const config of this.#stages.config.listeners) new Listener(config, this)
  }

  /** @throws Error with `code`, as the rejection, if a listener cannot listen */
  async start(): Promise<void> {
    await this.#listen(this.#stages.config)
    this.#startChecks()
  }

  /**
   * Applies another configuration to later connections. Connections that are open stay.
   *
   * @throws FileError, or an Error with `code`; nothing has changed then
   */
  async reload(config: Config): Promise<void> {
    const next = this.#stagesOf(config)
    await this.#listen(config)
    for (const upstream of this.#stages.router.upstreams) upstream.stop()
    this.#stages = next
    this.#startChecks()
  }

  /** Ends everything at once. */
  close(): void {
    this.#draining = true
    for (const listener of this.listeners) listener.close()
    for (const upstream of this.#stages.router.upstreams) upstream.stop()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Accepts no more connections, and closes those that are open at the configured pace. */
  async drain(): Promise<void> {
    const { drain, workers } = this.#stages.config
    const { delay, timeout } = drain
    const perSecond = drain.perSecond / workers
    this.#draining = true
    await sleep(delay * 1000)
    for (const listener of this.listeners) listener.close()
    const end = performance.now() + timeout * 1000
    const start = performance.now()
    let closed = 0
    while (this.#connections.size > 0 && performance.now() < end) {
      const due = Math.ceil(((performance.now() - start) / 1000) * perSecond)
      for (const close of this.#connections) {
        if (closed >= due) break
        this.#connections.delete(close)
        closed++
        close()
      }
      await sleep(10)
    }
    this.close()
  }

  // What the listeners call.

  get handshakeTimeout(): number {
    return this.#stages.config.limits.handshakeTimeout * 1000
  }

  admit(socket: Socket, address: string): (() => void) | undefined {
    this.metrics.connections.inc()
    const exceeded = this.#stages.limits.connection(address, this.open)
    if (exceeded !== undefined) {
      this.metrics.limited.inc({ limit: exceeded })
      return undefined
    }
    const closed = this.open.add(address)
    let isPending = true
    this.open.pending++
    const complete = () => {
      if (isPending) this.open.pending--
      isPending = false
    }
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      closed()
      complete()
    })
    return complete
  }

  failed(stage: string, peer: Peer, reason: string): void {
    if (peer.bytesRead === 0) {
      this.metrics.probes.inc()
      return
    }
    this.metrics.failedHandshakes.inc({ stage })
    this.#log.info(`${peer.address}: refused in the ${stage} handshake: ${reason}`)
  }

  warn(message: string): void {
    this.#log.warn(message)
  }

  async serve(peer: Peer): Promise<void> {
    const { stream } = peer
    stream.on('error', () => stream.destroy())
    const stages = this.#stages
    const { packetSize, allow } = stages.config.limits
    let packet: ConnectPacket | undefined
    try {
      packet = await readConnect(stream, {
        maximumPacketSize: packetSize,
        timeout: Math.max(1, peer.deadline - performance.now()),
        // Without exceptions the library has its rules ready.
        allow: allow.length === 0 ? undefined : allow,
      })
      peer.complete()
      this.#log.connect(peer, packet)
      await this.#forward(peer, packet, stages)
    } catch (error) {
      this.#refuse(peer, packet, error as Error)
    }
  }

  /** Takes a valid CONNECT through the stages, and connects the client with a broker. */
  async #forward(peer: Peer, packet: ConnectPacket, stages: Stages): Promise<void> {
    const { stream } = peer
    const { limits, rewriter, router } = stages
    const exceeded = limits.client(packet)
    if (exceeded !== undefined) {
      this.metrics.limited.inc({ limit: exceeded })
      throw new Refusal(ConnectReasonCode.connectionRateExceeded, `over the limit ${exceeded}`)
    }
    const allowed = await this.#authenticate(peer, packet, stages)
    if (stream.destroyed) return
    const rewritten = rewriter.rewrite(packet, allowed, peer)
    const upstreams = router.choose(rewritten.packet, peer)
    const connected = await this.#connect(peer, upstreams, stages.config.route.connectTimeout)
    if (connected === undefined) return
    const { broker, upstream } = connected
    const abandon = () => broker.destroy()
    stream.once('close', abandon)
    broker.on('error', abandon)
    broker.write(rewritten.packet.bytes)
    stream.pipe(broker)
    let answer: ConnackPacket
    try {
      answer = await awaitConnack(stream, broker, rewritten, stages.config.route.connackTimeout)
    } catch (error) {
      stream.removeListener('close', abandon).unpipe(broker)
      broker.destroy()
      if (stream.destroyed) return
      this.metrics.unserved.inc({ reason: 'no-connack' })
      throw new Refusal(
        ConnectReasonCode.serverUnavailable,
        `no CONNACK from the broker: ${(error as Error).message}`,
      )
    }
    // Not earlier: a broker that hangs still accepts connections.
    upstream.report(true)
    this.metrics.handshakeSeconds.observe(
      (performance.now() - peer.deadline) / 1000 + this.handshakeTimeout / 1000,
    )
    this.#join(peer, broker, keepAliveOf(packet, answer), allowed.expiresAt)
  }

  async #authenticate(peer: Peer, packet: ConnectPacket, { checks, config }: Stages): Promise<Allow> {
    if (checks.length === 0) return ALLOWED
    let decision: Allow | Deny
    try {
      decision = await authenticate(checks, config.authentication, packet, peer)
    } catch (error) {
      const code =
        error instanceof BusyError ? ConnectReasonCode.serverBusy : ConnectReasonCode.serverUnavailable
      decision = deny(code, `authentication failed: ${(error as Error).message}`)
    }
    const { expiresAt = Number.POSITIVE_INFINITY } = decision.allow ? decision : {}
    if (!(expiresAt > Date.now()))
      decision = deny(ConnectReasonCode.notAuthorized, 'the credentials have expired')
    if (decision.allow) return decision
    this.metrics.denied.inc()
    throw new Refusal(decision.reasonCode, decision.reason)
  }

  /** Connects to the first upstream that accepts. `undefined` if the client leaves meanwhile. */
  async #connect(
    peer: Peer,
    upstreams: readonly Upstream[],
    timeout: number,
  ): Promise<{ broker: Socket; upstream: Upstream } | undefined> {
    const { stream } = peer
    let left = false
    let cancel: () => void = () => {}
    const leave = () => {
      left = true
      cancel()
    }
    // While nobody reads, 'end' comes only if there is nothing to read: the client has left.
    stream.on('end', leave).on('close', leave)
    let failure = 'no upstream'
    try {
      for (const upstream of upstreams) {
        try {
          const broker = await upstream.connect(timeout * 1000, peer, (stop) => {
            cancel = stop
          })
          if (stream.destroyed) {
            broker.destroy()
            return undefined
          }
          this.metrics.forwarded.inc({ upstream: upstream.name })
          return { broker, upstream }
        } catch (error) {
          if (left) {
            stream.destroy()
            return undefined
          }
          upstream.report(false)
          failure = `no broker at ${upstream.config.host}:${upstream.config.port}: ${(error as Error).message}`
        }
      }
    } finally {
      stream.removeListener('end', leave).removeListener('close', leave)
    }
    this.metrics.unserved.inc({ reason: 'no-broker' })
    throw new Refusal(ConnectReasonCode.serverUnavailable, failure)
  }

  /** From now on all bytes pass unchanged. */
  #join(peer: Peer, broker: Socket, keepAlive: number, expiresAt: number | undefined): void {
    const { stream } = peer
    const close = () => broker.destroy()
    const unwatch = keepAlive === 0 ? undefined : this.#idle.watch(peer, keepAlive * KEEP_ALIVE_FACTOR, close)
    const expiry =
      expiresAt === undefined ? undefined : setTimeout(close, Math.min(expiresAt - Date.now(), LONGEST_DELAY))
    let lingering: NodeJS.Timeout | undefined
    // A broker that does not close after the client's last byte would keep the connection for ever.
    const onEnd = () => {
      lingering = setTimeout(close, LINGER)
    }
    stream.once('end', onEnd)
    const onClose = () => {
      unwatch?.()
      this.#connections.delete(close)
      clearTimeout(expiry)
      clearTimeout(lingering)
      // The end of the client may come after the broker's.
      stream.removeListener('end', onEnd)
      if (stream.readableEnded && stream.writableEnded) return
      if (stream.readableEnded) stream.end()
      else refuse(stream)
    }
    if (broker.closed) {
      onClose()
      return
    }
    this.#connections.add(close)
    broker.once('close', onClose)
    broker.pipe(stream)
  }

  #refuse(peer: Peer, packet: ConnectPacket | undefined, error: Error): void {
    const { stream } = peer
    const isEmpty = error instanceof MqttError && error.code === 'packet-incomplete' && error.offset === 0
    if (packet === undefined && (isEmpty || peer.bytesRead === 0)) {
      // A port scan, or the health check of a load balancer.
      this.metrics.probes.inc()
      stream.destroy()
      return
    }
    this.#log.refused(peer, error)
    if (packet === undefined && error instanceof MqttError) {
      this.metrics.invalid.inc({ code: error.code })
      refuse(stream, error)
    } else if (packet === undefined) {
      stream.destroy()
    } else {
      refuse(stream, connack(packet, codeOf(error)))
    }
  }

  // Configuration.

  #stagesOf(config: Config): Stages {
    return {
      config,
      limits: new Limits(config),
      checks: checksOf(config.authentication),
      rewriter: new Rewriter(config.rewrite),
      router: new Router(config, ({ name, healthy }) => {
        this.#log.warn(`The broker ${name} ${healthy ? 'answers again' : 'does not answer'}`)
      }),
    }
  }

  #startChecks(): void {
    const { config, router } = this.#stages
    for (const upstream of router.upstreams) upstream.startChecks(config.route.health)
  }

  /** Opens and closes listeners, until they are as configured. */
  async #listen({ listeners }: Config): Promise<void> {
    const keyOf = ({ host, port }: { host: string; port: number }) => `${host} ${port}`
    const kept = new Map<string, Listener>()
    const opened: Listener[] = []
    const changes: (() => void)[] = []
    try {
      for (const config of listeners) {
        const listener = this.#listeners.get(keyOf(config))
        if (listener === undefined) {
          const added = new Listener(config, this)
          await added.listen()
          opened.push(added)
          kept.set(config.port === 0 ? `${keyOf(config)} ${added.address.port}` : keyOf(config), added)
        } else {
          changes.push(listener.prepare(config))
          kept.set(keyOf(config), listener)
        }
      }
    } catch (error) {
      for (const listener of opened) listener.close()
      throw error
    }
    for (const change of changes) change()
    for (const [key, listener] of this.#listeners) if (kept.get(key) !== listener) listener.close()
    this.#listeners = kept
  }
}

const ALLOWED: Allow = { allow: true }

/** After so many keep alives without a byte, in milliseconds per second, the client is gone. MQTT 5.0 section 3.1.2.10. */
const KEEP_ALIVE_FACTOR = 1500

/** How long the broker has to close after the client has ended, in milliseconds. */
const LINGER = 30_000

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
