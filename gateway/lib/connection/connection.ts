import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type ConnackPacket,
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  MqttError,
  PacketParser,
  type PacketParserOptions,
  PropertyId,
  refuse,
} from 'mqtt-connect-packet'
import { authenticate } from '../authenticate/authenticate.ts'
import type { Check } from '../authenticate/decision.ts'
import type { AuthenticationConfig } from '../authenticate/options.ts'
import type { Limits } from '../limit/limits.ts'
import type { LimitsConfig } from '../limit/options.ts'
import type { Peer } from '../listen/peer.ts'
import type { Rewriter, Rewritten } from '../rewrite/rewriter.ts'
import { TemplateError } from '../rewrite/template.ts'
import type { RouteConfig } from '../route/options.ts'
import type { Router } from '../route/router.ts'
import { ownProblem, type Upstream } from '../route/upstream.ts'
import { fit } from './fit.ts'
import { Idle, LINGER } from './idle.ts'
import type { Refusal, Reports } from './reports.ts'

/** All that comes from one configuration. A reload replaces it as a whole. */
export interface Stages {
  readonly config: {
    readonly limits: LimitsConfig
    readonly authentication: AuthenticationConfig
    readonly route: RouteConfig
  }
  readonly limits: Limits
  readonly checks: readonly Check[]
  readonly rewriter: Rewriter
  readonly router: Router
}

/** What a connection waits for. */
type Step = 'connect' | 'decision' | 'broker' | 'connack' | 'nothing' | 'end'

/**
 * A client's connection and the broker's, from the first byte to the last. There are many, and most are short: both sockets keep
 * their few listeners, and `#step` says what an event means.
 */
export class Connection {
  readonly #peer: Peer
  readonly #client: Duplex
  readonly #stages: Stages
  readonly #reports: Reports
  #step: Step = 'connect'
  /** When the step takes too long, or is to be checked again, on the clock of `performance.now()`. */
  #deadline: number
  /** Reads the CONNECT, later the answer to it. */
  #parser: PacketParser<PacketParserOptions> | undefined
  #packet: ConnectPacket | undefined
  #rewritten: Rewritten | undefined
  /** The brokers to try, and how many have been tried. */
  #upstreams: readonly Upstream[] = []
  #tried = 0
  /** True until the client or the broker has sent something between the CONNECT and the CONNACK. */
  #mayMove = true
  #broker: Socket | undefined
  /** Why there is no broker. */
  #failure = 'no upstream'
  /** Milliseconds since 1970. */
  #expiresAt = Number.POSITIVE_INFINITY
  /** From the CONNACK on. */
  #idle: Idle | undefined

  constructor(peer: Peer, stages: Stages, reports: Reports) {
    this.#peer = peer
    this.#client = peer.stream
    this.#stages = stages
    this.#reports = reports
    const { handshakeTimeout, packetSize: maximumPacketSize } = stages.config.limits
    this.#parser = parserOf(stages, { maximumPacketSize })
    this.#deadline = peer.acceptedAt + handshakeTimeout * 1000
    this.#client
      .on('error', ignore)
      .on('data', (chunk: Buffer) => this.#fromClient(chunk))
      .on('drain', () => this.#broker?.resume())
      .on('end', () => this.#clientEnded())
      .on('close', () => this.#clientClosed())
  }

  /** Whether all bytes pass unchanged. */
  get isForwarded(): boolean {
    return this.#step === 'nothing' && !this.#broker!.destroyed
  }

  /** Ends a connection that has been forwarded. */
  close(): void {
    this.#broker?.destroy()
  }

  /** To be called at short intervals. It costs less than timers. */
  check(now: number): void {
    if (now < this.#deadline) return
    this.#deadline = now + IDLE_CHECK_INTERVAL
    const { connectTimeout, connackTimeout } = this.#stages.config.route
    if (this.#step === 'nothing') this.#checkIdle(now)
    else if (this.#step === 'connect') this.#endedEarly(new Error('the CONNECT is not complete in time'))
    else if (this.#step === 'broker' && this.#client.readableEnded) this.#client.destroy()
    else if (this.#step === 'broker') this.#giveUp(`no connection within ${connectTimeout} s`)
    else if (this.#step === 'connack') this.#giveUp(`no answer within ${connackTimeout} s`)
  }

  /** Then `#brokerClosed` decides what to do. */
  #giveUp(reason: string): void {
    this.#broker?.destroy(new Error(reason))
  }

  /** Ends the connection of a client that is silent for too long, or whose credentials have expired. */
  #checkIdle(now: number): void {
    // A broker that doesn't close after the client's last byte would keep the connection for ever.
    const sending = this.#client.readableEnded ? 'ended' : this.#client.isPaused() ? 'held-back' : 'open'
    if (this.#idle!.isOver(now, this.#peer.bytesRead, sending) || Date.now() >= this.#expiresAt) this.close()
  }

  // The client's events.

  #fromClient(chunk: Buffer): void {
    if (this.#step === 'nothing' || this.#step === 'connack') {
      this.#mayMove = false
      if (this.#broker?.write(chunk) === false) this.#client.pause()
    } else if (this.#step === 'connect') {
      this.#readConnect(chunk)
    }
  }

  #readConnect(chunk: Buffer): void {
    const parser = this.#parser!
    try {
      const packet = parser.push(chunk).next().value
      if (packet === undefined) return
      this.#step = 'decision'
      this.#peer.complete()
      this.#client.pause()
      // What follows is for the broker.
      if (parser.pending > 0) this.#client.unshift(chunk.subarray(chunk.length - parser.pending))
      this.#packet = packet as ConnectPacket
      this.#decide(this.#packet)
    } catch (error) {
      this.#refuse({ by: 'connect', error: error as Error })
    }
  }

  #clientEnded(): void {
    if (this.#step === 'nothing' || this.#step === 'connack') {
      this.#broker?.end()
    } else if (this.#step === 'connect') {
      this.#endedEarly(undefined)
    } else if (this.#step === 'broker') {
      this.#deadline = Math.min(this.#deadline, performance.now() + HALF_OPEN_TIME)
    }
  }

  #clientClosed(): void {
    if (this.#step === 'connect') this.#endedEarly(this.#client.errored)
    this.#step = 'end'
    this.#broker?.destroy()
  }

  /** The connection ends, or has no more time, before the CONNECT is complete. */
  #endedEarly(error: Error | null | undefined): void {
    if (this.#parser!.pending === 0) {
      // A port scan, or the health check of a load balancer.
      this.#reports.probe(this.#peer)
      this.#step = 'end'
      this.#client.destroy()
      return
    }
    try {
      if (error) throw error
      this.#parser!.end()
    } catch (reason) {
      this.#refuse({ by: 'connect', error: reason as Error })
    }
  }

  // The decision.

  /** Takes a valid CONNECT through the stages up to the choice of the broker. */
  async #decide(packet: ConnectPacket): Promise<void> {
    const { config, limits, checks, rewriter, router } = this.#stages
    try {
      const exceeded = limits.client(packet)
      if (exceeded !== undefined) {
        // One line says it all: a refusal must cost less than what it prevents.
        const error = new Error(`over the limit ${exceeded}`)
        this.#refuse({ by: 'limit', error, limit: exceeded }, ConnectReasonCode.connectionRateExceeded)
        return
      }
      this.#reports.connect(this.#peer, packet)
      // Only what takes time is waited for.
      const decision =
        checks.length === 0
          ? ({ allow: true } as const)
          : await authenticate(checks, config.authentication, packet, this.#peer)
      if (this.#step !== 'decision') return
      if (!decision.allow) {
        this.#refuse({ by: 'authentication', error: new Error(decision.reason) }, decision.reasonCode)
        return
      }
      this.#expiresAt = decision.expiresAt ?? Number.POSITIVE_INFINITY
      this.#rewritten = rewriter.rewrite(packet, decision, this.#peer)
      this.#upstreams = router.choose(this.#rewritten.packet, this.#peer)
      this.#step = 'broker'
      this.#tryNext()
    } catch (error) {
      const { notAuthorized, serverUnavailable } = ConnectReasonCode
      const code = error instanceof TemplateError ? notAuthorized : serverUnavailable
      this.#refuse(
        { by: 'rewriting', error: error as Error },
        error instanceof MqttError ? error.reasonCode : code,
      )
    }
  }

  // The broker's events.

  #tryNext(): void {
    if (this.#client.destroyed) return
    const upstream = this.#upstreams[this.#tried++]
    if (upstream === undefined) {
      this.#refuse({ by: 'no-broker', error: new Error(this.#failure) })
      return
    }
    const { connectTimeout } = this.#stages.config.route
    const patience = this.#client.readableEnded ? HALF_OPEN_TIME : connectTimeout * 1000
    this.#deadline = performance.now() + patience
    this.#broker = upstream
      .open(this.#peer)
      .on(upstream.readyEvent, () => this.#brokerReady(upstream))
      .on('error', ignore)
      .on('drain', () => this.#brokerDrained())
      .on('end', () => this.#step === 'nothing' && this.#client.end())
      .on('close', () => this.#brokerClosed(upstream))
  }

  #brokerReady(upstream: Upstream): void {
    if (this.#step !== 'broker') return
    this.#step = 'connack'
    this.#deadline = performance.now() + this.#stages.config.route.connackTimeout * 1000
    this.#reports.forwarded(this.#peer, upstream)
    const { bytes, size } = this.#rewritten!.packet
    const maximumPacketSize = Math.max(size, LARGEST_ANSWER)
    this.#parser = parserOf(this.#stages, { connection: true, maximumPacketSize })
    // From it the parser knows the version.
    this.#parser.push(bytes).next()
    this.#broker!.write(bytes)
    this.#broker!.on('data', (chunk: Buffer) => this.#fromBroker(chunk, upstream))
    if (this.#client.readableEnded) this.#broker!.end()
    this.#client.resume()
  }

  #brokerDrained(): void {
    this.#idle?.restart(performance.now())
    this.#client.resume()
  }

  #fromBroker(chunk: Buffer, upstream: Upstream): void {
    if (this.#step === 'nothing') {
      if (!this.#client.write(chunk)) this.#broker!.pause()
    } else if (this.#step === 'connack') {
      this.#readAnswer(chunk, upstream)
    }
  }

  /** Passes the packets up to the CONNACK, which may be changed, and what follows it. In 5.0 AUTH packets come before it. */
  #readAnswer(chunk: Buffer, upstream: Upstream): void {
    const parser = this.#parser!
    try {
      for (const packet of parser.push(chunk)) {
        if (packet.type === ControlPacketType.connack) {
          const { answer } = this.#rewritten!
          const changed = answer ? answer(packet as ConnackPacket) : (packet as ConnackPacket)
          const fitting = fit(changed, this.#packet!)
          if (fitting === undefined) {
            this.#drop()
            return
          }
          this.#client.write(fitting.bytes)
          if (parser.pending > 0) this.#client.write(chunk.subarray(chunk.length - parser.pending))
          this.#join(fitting, upstream)
          return
        }
        if (packet.type !== ControlPacketType.auth) throw new Error('another packet came first')
        this.#mayMove = false
        if (!this.#client.write(packet.bytes)) this.#broker!.pause()
      }
    } catch (error) {
      this.#broker!.destroy(error as Error)
    }
  }

  /** From now on all bytes pass unchanged. */
  #join(answer: ConnackPacket, upstream: Upstream): void {
    this.#step = 'nothing'
    // Not earlier: a broker that hangs still accepts connections.
    upstream.report(true)
    const now = performance.now()
    this.#reports.joined(this.#peer)
    const keepAlive = answer.property(PropertyId.serverKeepAlive) ?? this.#packet!.keepAlive
    this.#idle = new Idle(keepAlive, this.#peer.bytesRead, now)
    this.#deadline = now + IDLE_CHECK_INTERVAL
    // An idle connection keeps no packets.
    this.#parser = undefined
    this.#packet = undefined
    this.#rewritten = undefined
    this.#upstreams = []
  }

  #brokerClosed(upstream: Upstream): void {
    const error: NodeJS.ErrnoException | null | undefined = this.#broker?.errored
    // Of several addresses that all fail there is only a code.
    const reason = error ? error.message || error.code : 'it closes the connection'
    const { host, port } = upstream.config
    if (this.#step === 'broker') {
      const own = error && ownProblem(error)
      if (!own) upstream.report(false)
      this.#failure = own ? `no connection to a broker: ${own}` : `no broker at ${host}:${port}: ${reason}`
      this.#tryNext()
    } else if (this.#step === 'connack' && this.#mayMove && this.#tried < this.#upstreams.length) {
      // A broker that hangs still accepts connections. Nothing is lost if the next one gets the CONNECT.
      this.#client.pause()
      this.#step = 'broker'
      this.#tryNext()
    } else if (this.#step === 'connack') {
      this.#refuse({ by: 'no-connack', error: new Error(`no CONNACK from the broker: ${reason}`) })
    } else if (this.#step === 'nothing') {
      this.#step = 'end'
      // The client may still read what is left, but not for ever.
      const isReading = this.#client.readableEnded || this.#client.writableLength > 0
      refuse(this.#client, undefined, { linger: isReading ? LINGER : undefined })
    }
  }

  // Other endings.

  /** Closes both connections without a CONNACK, because none fits the client. */
  #drop(): void {
    this.#step = 'end'
    const error = new Error('the CONNACK exceeds the Maximum Packet Size of the client')
    const answered = { clientId: this.#packet!.clientId }
    this.#reports.refused(this.#peer, { by: 'connack-size', error, answered })
    this.#broker!.destroy()
    refuse(this.#client)
  }

  /** @param code what to answer if the CONNECT was valid */
  #refuse(refusal: Refusal, code: ConnectReasonCode = ConnectReasonCode.serverUnavailable): void {
    if (this.#step === 'end') return
    this.#step = 'end'
    const packet = this.#packet
    const answered = packet && { clientId: packet.clientId, reasonCode: code }
    this.#reports.refused(this.#peer, { ...refusal, answered })
    if (packet !== undefined) {
      const answer = connack(packet, code)
      refuse(this.#client, answer && fit(answer, packet))
      return
    }
    refuse(this.#client, refusal.error)
  }
}

function ignore(): void {}

function parserOf({ config }: Stages, options: PacketParserOptions): PacketParser<PacketParserOptions> {
  const { allow } = config.limits
  // Without exceptions the library has its rules ready.
  return new PacketParser(allow.length === 0 ? options : { ...options, allow })
}

/** How often a connection that has been forwarded is checked, in milliseconds. */
const IDLE_CHECK_INTERVAL = 1000

/** How long a client that has ended waits for a broker, in milliseconds. It may still read its CONNACK, but most have left. */
const HALF_OPEN_TIME = 1000

/** The largest CONNACK or AUTH packet of a broker, in bytes, unless the CONNECT is larger. */
const LARGEST_ANSWER = 65_536
