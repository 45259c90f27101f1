import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { probeSilent } from '../settings/tcp-keep-alive.ts'
import { networkOf, plainAddress } from './addresses.ts'
import { type Peer, type PeerTls, tlsOf } from './peer.ts'
import type { Endpoint, ProxyHeader } from './proxy-protocol.ts'

/** The part of a connection before MQTT. */
export type Handshake = 'proxy' | 'tls' | 'websocket'

/** The connections of one listener. */
export interface Occupancy {
  readonly open: number
  /** The largest number of its connections, in all processes together. */
  readonly connections: number | null
}

/** Decides about the connections of the listeners, and takes over those that are ready. */
export interface Reception {
  /** Milliseconds from the connection to the complete CONNECT. */
  readonly handshakeTimeout: number
  /** Counts a connection. Only the proxy's address may be known so far. Returns false if it's over a limit. */
  accept(peer: Accepted, of: Occupancy): boolean
  /** Counts the address of a connection. False if it is over a limit. */
  admit(peer: Accepted): boolean
  /** A connection is closed because of a limit, or because of its address. */
  limited(limit: 'address-denied' | 'untrusted-proxy', peer: Peer): void
  /** A connection is ready to read MQTT from. */
  serve(peer: Accepted): void
  /** The CONNECT of a connection is complete. */
  complete(peer: Accepted): void
  /** A connection is closed. */
  leave(peer: Accepted): void
  /** A connection ended before a byte of MQTT. One that has sent nothing at all is a probe. */
  failed(handshake: Handshake, peer: Peer, error: Error): void
  warn(message: string): void
}

/** A connection that speaks MQTT from now on. */
export interface Served {
  /** True if all bytes pass unchanged. */
  readonly isForwarded: boolean
  /** The name of its upstream, from the CONNACK on. */
  readonly upstream: string | undefined
  /** To be called at short intervals. */
  check(now: number): void
  /** True if its session is about to begin, or ends at the next packet boundaries. */
  readonly isUnsettled: boolean
  /** To be called before the gateway destroys the sockets. */
  stop(): void
  /** Ends a connection that has been forwarded. */
  end(ending: 'drained' | 'moved'): void
}

/** How long a client that means to send something takes to begin, in milliseconds. */
const FIRST_BYTE_TIME = 1000

/** A connection on its way through the listener. One object for all of it: there are many. */
export class Accepted implements Peer {
  /** Its place among the open connections; -1: none. */
  index = -1
  /** True until its CONNECT is complete. */
  isPending = false
  /** True if it counts towards the limits of its address. */
  isLocated = false
  /** True if its handshake has taken too long. */
  isLate = false
  /** True while it is to become a WebSocket. */
  isUpgrading = false
  readonly #reception: Reception
  stream: Peer['stream']
  readonly socket: Socket
  address: string
  port: number
  readonly listener: string
  readonly #tcpKeepAlive: number | null
  serverName: string | undefined = undefined
  /** Read on demand: most connections need none of it. */
  secured: TLSSocket | undefined = undefined
  #network: string | undefined = undefined
  #tls: PeerTls | undefined = undefined
  #proxied: PeerTls | undefined = undefined
  /** From the PROXY header. */
  destination: Endpoint | undefined = undefined
  readonly acceptedAt: number = performance.now()
  /** From the first byte of MQTT on. */
  connection: Served | undefined = undefined
  /** The key of its TLS handshake. */
  handshake = ''

  constructor(
    socket: Socket,
    address: string,
    listener: string,
    tcpKeepAlive: number | null,
    reception: Reception,
  ) {
    this.#reception = reception
    this.#tcpKeepAlive = tcpKeepAlive
    this.stream = socket
    this.socket = socket
    this.address = address
    this.port = socket.remotePort ?? 0
    this.listener = listener
  }

  complete(): void {
    this.#reception.complete(this)
  }

  probeIfSilent(): void {
    probeSilent(this.socket, this.#tcpKeepAlive)
  }

  /** True if a drain must wait, because the client sends its CONNECT, or its session begins or ends. */
  isUnsettled(now: number): boolean {
    if (!this.isPending) return this.connection?.isUnsettled ?? false
    // What has sent nothing for so long is a probe.
    return this.bytesRead > 0 || now - this.acceptedAt < FIRST_BYTE_TIME
  }

  /** To be called at short intervals. */
  check(now: number): void {
    if (this.connection) this.connection.check(now)
    else if (now >= this.acceptedAt + this.#reception.handshakeTimeout) {
      this.isLate = true
      this.socket.destroy()
    }
  }

  /** The network that the limits count its address as. Read it only once the address is known. */
  get network(): string {
    this.#network ??= networkOf(this.address)
    return this.#network
  }

  get tls(): PeerTls | undefined {
    if (this.secured === undefined) return this.#proxied
    this.#tls ??= tlsOf(this.secured)
    return this.#tls
  }

  get localAddress(): string {
    return this.destination?.address ?? plainAddress(this.socket.localAddress)
  }

  get localPort(): number {
    return this.destination?.port ?? this.socket.localPort ?? 0
  }

  get bytesRead(): number {
    return this.socket.bytesRead
  }

  get bytesWritten(): number {
    return this.socket.bytesWritten
  }

  apply({ source, destination, authority, tls }: ProxyHeader): void {
    if (source === undefined || destination === undefined) return
    this.address = plainAddress(source.address)
    this.port = source.port
    this.destination = destination
    this.serverName = authority?.toLowerCase()
    this.#proxied = tls && {
      version: tls.version ?? '',
      cipher: tls.cipher,
      certificate: tls.verified ? { commonName: tls.commonName } : undefined,
    }
  }
}
