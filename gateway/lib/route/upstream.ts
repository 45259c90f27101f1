import { connect, isIP, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { ControlPacketType, MqttError, ProtocolVersion, readPacket, v3_1_1 } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { proxyHeader } from '../listen/proxy-protocol.ts'
import { causeOf } from '../settings/causes.ts'
import { readAuthorities } from '../settings/files.ts'
import { nameOf } from '../settings/names.ts'
import { probeSilent } from '../settings/tcp-keep-alive.ts'
import type { RouteConfig, UpstreamConfig } from './options.ts'
import { sharedLookup } from './shared-lookup.ts'

type Health = RouteConfig['health']

/** Called when a broker goes down, with the reason, and when it is up again. */
export type OnChange = (upstream: Upstream, failure?: string) => void

/** The result of a health check. */
interface Result {
  readonly works: boolean
  /** The broker's behaviour. */
  readonly failure?: string
}

/** The errors of connections that never left this machine, because it has run out of some resource. */
const ownProblems: Readonly<Record<string, string>> = {
  EMFILE: 'the gateway has no file descriptor left (ulimit -n)',
  ENFILE: 'this machine has no file descriptor left',
  ENOBUFS: 'this machine has no memory left for sockets',
  ENOMEM: 'this machine has no memory left for sockets',
  EADDRNOTAVAIL: 'this machine has no local port left (net.ipv4.ip_local_port_range)',
}

/** The resource that this machine has run out of. `undefined` if the error is about the broker. */
export function ownProblem({ code = '' }: NodeJS.ErrnoException): string | undefined {
  return Object.hasOwn(ownProblems, code) ? ownProblems[code] : undefined
}

/** The time in milliseconds after which clients try a broker again that they couldn't reach, if there are no health checks. */
const TRY_AGAIN_AFTER = 10_000

/** A broker. Connects to it, and knows if it answers. */
export class Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  readonly #authorities: string | undefined
  readonly #onChange: OnChange
  #healthy = true
  #hasAnswered = false
  /** The number of consecutive results that contradict `healthy`. */
  #contradictions = 0
  /** When a broker that is marked down is tried again although no check has worked, in milliseconds. */
  #tryAgainAt = Number.POSITIVE_INFINITY
  #health: Health | undefined
  #stopping: AbortController | undefined
  /** The connections that have sent the PROXY header of a client. */
  readonly #introduced = new WeakSet<Socket>()

  /** @throws FileError if the file with the authorities cannot be used */
  constructor(config: UpstreamConfig, onChange: OnChange = () => {}) {
    this.name = nameOf(config)
    this.config = config
    this.#onChange = onChange
    this.#authorities = config.tls?.authorities && readAuthorities(config.tls.authorities)
  }

  /** The broker's name in the log. */
  get title(): string {
    const address = nameOf({ ...this.config, name: undefined })
    return this.name === address ? `the broker ${address}` : `the broker ${this.name} at ${address}`
  }

  /** False if the broker is marked down. */
  get healthy(): boolean {
    return this.#healthy
  }

  /** Without checks, only clients can find out that a broker answers again, so they try it after a while. */
  get isWorthTrying(): boolean {
    return this.#healthy || performance.now() >= this.#tryAgainAt
  }

  /**
   * True if it takes new clients and has answered a check or a client, as opposed to accepting TCP only. Without checks it's always true, because
   * only a client could find out that the broker answers again, and a load balancer wouldn't send one.
   */
  get isReady(): boolean {
    const { interval } = this.#health ?? {}
    return this.config.state === 'active' && (interval === null || (this.#healthy && this.#hasAnswered))
  }

  get weight(): number {
    return this.config.weight
  }

  /** Takes over the state of the same broker from an earlier configuration. */
  inherit(previous: readonly Upstream[]): void {
    const { host, port } = this.config
    const same = previous.find(
      ({ name, config }) => name === this.name && config.host === host && config.port === port,
    )
    // A broker that was off hasn't been checked.
    if (same === undefined || same.config.state === 'off') return
    this.#healthy = same.#healthy
    this.#hasAnswered = same.#hasAnswered
    this.#contradictions = same.#contradictions
  }

  /** The event that the broker's sockets emit when they're connected. */
  get readyEvent(): 'connect' | 'secureConnect' {
    return this.config.tls ? 'secureConnect' : 'connect'
  }

  /** Begins to connect: TCP and, if configured, the PROXY header (the client's, or the gateway's own without a peer), and TLS. */
  open(peer?: Peer): Socket {
    const { host, port, tls, proxyProtocol } = this.config
    const header = proxyProtocol && (peer ? proxyHeader(peer) : LOCAL_HEADER)
    const target = { host, port, lookup: sharedLookup }
    if (!tls) {
      const socket = connect({ ...target, noDelay: true })
      if (header) socket.write(header)
      return socket
    }
    // TLS has names for hosts, but not for addresses, so the certificate is compared with the host.
    const { serverName = isIP(host) ? undefined : host } = tls
    // Even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
    const secure = { ca: this.#authorities, servername: serverName, rejectUnauthorized: true }
    if (!header) {
      const socket = connectTls({ ...target, ...secure })
      return socket.once('connect', () => socket.setNoDelay())
    }
    // If Node tried a second address here, TLS would use the handle of the first one, and the process would crash.
    const raw = connect({ ...target, noDelay: true, autoSelectFamily: false })
    raw.write(header)
    const socket = connectTls({ socket: raw, host, ...secure })
    raw.on('error', (error) => socket.destroy(error))
    socket.on('close', () => raw.destroy())
    if (peer) raw.once('connect', () => this.#introduced.add(socket))
    return socket
  }

  /** Call this once a client has a session that lasts, so that TCP finds out if the broker vanishes. */
  probeIfSilent(broker: Socket): void {
    probeSilent(broker, this.config.tcpKeepAlive)
  }

  /** Starts to check at intervals that the broker answers a CONNECT, unless the broker is off. */
  startChecks(health: Health): void {
    this.#health = health
    const { interval } = health
    this.#tryAgainAt = interval === null ? performance.now() : Number.POSITIVE_INFINITY
    if (interval === null) this.#hasAnswered = true
    if (interval === null || this.config.state === 'off') return
    this.#stopping = new AbortController()
    this.#check({ ...health, interval }, this.#stopping.signal).catch(() => {})
  }

  stop(): void {
    this.#stopping?.abort()
  }

  /**
   * A client's connection to the broker has failed. That isn't a failure of the broker if it had the client's PROXY header, because it may
   * have refused that client. Otherwise, a client could make a healthy broker look down.
   */
  connectFailed(socket: Socket, failure: string): void {
    if (!this.#introduced.has(socket)) this.report(false, failure)
  }

  /**
   * A connection to the broker has failed, or worked.
   *
   * @param failure what the broker did, for the log
   */
  report(works: boolean, failure?: string): void {
    if (works) this.#hasAnswered = true
    else if (this.#health?.interval === null) this.#tryAgainAt = performance.now() + TRY_AGAIN_AFTER
    if (works === this.#healthy) {
      this.#contradictions = 0
      return
    }
    const needed = (works ? this.#health?.successes : this.#health?.failures) ?? 1
    if (++this.#contradictions < needed) return
    this.#healthy = works
    this.#contradictions = 0
    this.#onChange(this, failure)
  }

  async #check(health: Health & { readonly interval: number }, signal: AbortSignal): Promise<never> {
    // The first check is made at once, because the gateway isn't ready without it. After a reload, a random delay spreads the gateways' checks.
    let pause = this.#hasAnswered ? Math.random() * health.interval : 0
    let next = Math.random() * health.interval
    for (;;) {
      await setTimeout(pause * 1000, undefined, { signal, ref: false })
      const result = await this.#ask(health.timeout, signal)
      signal.throwIfAborted()
      if (result) this.report(result.works, result.failure)
      pause = next
      next = health.interval
    }
  }

  /** Sends a CONNECT. Any CONNACK means that the broker works. `undefined` if this machine couldn't connect. */
  async #ask(seconds: number, signal: AbortSignal): Promise<Result | undefined> {
    const socket = this.open().on('error', () => {})
    try {
      socket.write(PROBE)
      const answer = await readPacket(socket, {
        timeout: seconds * 1000,
        signal,
        protocolVersion: ProtocolVersion.v3_1_1,
      })
      if (answer.type !== ControlPacketType.connack)
        return { works: false, failure: 'sent another packet before its CONNACK' }
      socket.end(DISCONNECT)
      return { works: true }
    } catch (error) {
      if (socket.errored && ownProblem(socket.errored)) return undefined
      return { works: false, failure: failureOf(socket.errored ?? (error as Error), seconds) }
    } finally {
      setTimeout(100, undefined, { ref: false }).then(() => socket.destroy())
    }
  }
}

/** The reason why there is no CONNACK, if the socket has no error: the connection was closed, or the CONNACK is late or invalid. */
function failureOf(error: Error, seconds: number): string {
  if (!(error instanceof MqttError)) return causeOf(error)
  if (error.code === 'connect-timeout') return `sent no CONNACK within ${seconds} s`
  if (error.code === 'packet-incomplete') return 'closed the connection before its CONNACK'
  return `sent no valid CONNACK: ${error.message}`
}

const PROBE = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 10, clientId: '' }).bytes
const DISCONNECT = Uint8Array.of(ControlPacketType.disconnect, 0)
/** PROXY version 2, command LOCAL, for the gateway's own connections. */
const LOCAL_HEADER = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x20\0\0\0', 'latin1')
